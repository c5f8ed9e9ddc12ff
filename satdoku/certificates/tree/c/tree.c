#include "../../../runtime/portable.h"

#include <string.h>

#include "tree.h"

/* The variable becomes true; 0 if it is false. */
int tree_assign(const tree_formula *f, tree_row *state, uint32_t variable)
{
    const uint32_t *seen = f->place + 2 * (size_t)f->seen[variable];
    if (!tree_is_left(f, state, seen[0], seen[1])) return 0;
    for (uint32_t e = f->first[variable]; e < f->first[variable + 1]; e++) {
        tree_row *row = state + f->where[e];
        const tree_row *change = f->change + e;
        for (int i = 0; i < TREE_WORDS; i++) row->word[i] &= ~change->word[i];
    }
    return 1;
}

void tree_deny(const tree_formula *f, tree_row *state, uint32_t variable)
{
    for (uint32_t at = f->seen[variable]; at < f->seen[variable + 1]; at++) {
        const uint32_t clause = f->place[2 * at], place = f->place[2 * at + 1];
        state[f->base[clause / TREE_BLOCK] + place].word[clause % TREE_BLOCK / 64] &=
            ~((uint64_t)1 << clause % 64);
    }
}

/* A clause's only literal becomes true; 0 if it has none left. */
static int assign_unit(const tree_formula *f, tree_row *state, uint32_t clause)
{
    if (!tree_is_open(f, state, clause)) return 1;
    for (uint32_t at = f->start[clause]; at < f->start[clause + 1]; at++)
        if (tree_is_left(f, state, clause, at - f->start[clause]))
            return tree_assign(f, state, f->literal[at]);
    return 0;
}

/* Unit propagation to its end; 0 if a clause has no literal left. */
int tree_propagate(const tree_formula *f, tree_row *state)
{
    for (uint32_t block = 0, quiet = 0; quiet < f->blocks; block = (block + 1) % f->blocks) {
        const uint32_t begin = f->base[block], open = f->base[block + 1] - 1;
        uint64_t once[TREE_WORDS] = {0}, twice[TREE_WORDS] = {0};
        for (uint32_t row = begin; row < open; row++)
            for (int i = 0; i < TREE_WORDS; i++) {
                twice[i] |= once[i] & state[row].word[i];
                once[i] |= state[row].word[i];
            }
        quiet++;
        for (uint32_t i = 0; i < TREE_WORDS; i++) {
            if (~once[i]) return 0;
            for (uint64_t units = ~twice[i] & state[open].word[i]; units; units &= units - 1) {
                const uint32_t clause = block * TREE_BLOCK + 64 * i + (uint32_t)__builtin_ctzll(units);
                if (!assign_unit(f, state, clause)) return 0;
                quiet = 0;
            }
        }
    }
    return 1;
}

int tree_take(const tree_formula *f, tree_row *rest, tree_row *child, uint32_t clause)
{
    for (uint32_t at = f->start[clause]; at < f->start[clause + 1]; at++)
        if (tree_is_left(f, rest, clause, at - f->start[clause])) {
            memcpy(child, rest, f->rows * sizeof *rest);
            tree_deny(f, rest, f->literal[at]);
            return tree_assign(f, child, f->literal[at]);
        }
    return 0;
}

int tree_begin(const tree_formula *f, tree_row *state, const uint8_t *digits)
{
    memcpy(state, f->all, f->rows * sizeof *state);
    for (uint32_t cell = 0; cell < f->cells; cell++)
        if (digits[cell] && !tree_assign(f, state, cell * f->digits + digits[cell] - 1)) return 0;
    return 1;
}

int tree_digits(const tree_formula *f, const tree_row *state, uint8_t *digits)
{
    for (uint32_t cell = 0; cell < f->cells; cell++) {
        if (tree_is_open(f, state, cell)) return 0;
        for (uint32_t at = f->start[cell]; at < f->start[cell + 1]; at++)
            if (tree_is_left(f, state, cell, at - f->start[cell]))
                digits[cell] = (uint8_t)(f->literal[at] - cell * f->digits + 1);
    }
    return 1;
}

static int are_digits(const tree_formula *f, const uint8_t *digits)
{
    for (uint32_t cell = 0; cell < f->cells; cell++)
        if (digits[cell] > f->digits) return 0;
    return 1;
}

/* Whether the digits keep all givens and leave nothing unknown and no clause broken. */
static int is_model(const tree_formula *f, tree_row *state, const uint8_t *puzzle,
                    const uint8_t *digits)
{
    if (!are_digits(f, digits)) return 0;
    for (uint32_t cell = 0; cell < f->cells; cell++)
        if (!digits[cell] || (puzzle[cell] && puzzle[cell] != digits[cell])) return 0;
    if (!tree_begin(f, state, digits) || !tree_propagate(f, state)) return 0;
    for (uint32_t block = 0; block < f->blocks; block++)
        for (int i = 0; i < TREE_WORDS; i++)
            if (state[f->base[block + 1] - 1].word[i]) return 0;
    return 1;
}

static tree_verdict solve(const tree_formula *f, tree_row *stack, const tree_claim *claim)
{
    const uint8_t *solution = claim->solutions;
    if (!are_digits(f, claim->puzzle)) return TREE_NO_PUZZLE;
    for (size_t at = 0; at < claim->count; at++, solution += f->cells)
        if (!is_model(f, stack, claim->puzzle, solution) ||
            (at && memcmp(solution - f->cells, solution, f->cells) >= 0))
            return TREE_NO_SOLUTION;
    return TREE_HOLDS;
}

static int is_listed(const tree_formula *f, const tree_claim *claim, const uint8_t *grid)
{
    for (size_t low = 0, high = claim->count; low < high;) {
        const size_t middle = low + (high - low) / 2;
        const int order = memcmp(grid, claim->solutions + middle * f->cells, f->cells);
        if (!order) return 1;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 0;
}

int tree_number(const uint8_t **tree, const uint8_t *end, uint32_t *number)
{
    *number = 0;
    for (int shift = 0; *tree < end && shift < 28; shift += 7) {
        const uint8_t byte = *(*tree)++;
        *number |= (uint32_t)(byte & 127) << shift;
        if (byte < 128) return 1;
    }
    return 0;
}

static tree_verdict refute(const tree_formula *f, tree_row *stack, const tree_claim *claim)
{
    const uint8_t *tree = claim->tree, *const end = tree + claim->length;
    uint32_t split[TREE_CELLS];
    uint8_t grid[TREE_CELLS];
    int holds = tree_begin(f, stack, claim->puzzle);
    for (uint32_t depth = 0;;) {
        tree_row *const state = stack + (size_t)depth * f->rows;
        if (holds && tree_propagate(f, state)) {
            if (tree_digits(f, state, grid)) {
                if (!is_listed(f, claim, grid)) return TREE_OPEN;
            } else {
                if (depth == f->cells) return TREE_TOO_DEEP;
                if (tree == end) return TREE_TOO_SHORT;
                if (!tree_number(&tree, end, split + depth) || split[depth] >= f->clauses ||
                    !tree_is_open(f, state, split[depth]))
                    return TREE_NO_CLAUSE;
                depth++;
            }
        }
        /* The next child of the deepest split that has one. */
        while (depth && !tree_take(f, stack + (size_t)(depth - 1) * f->rows,
                                   stack + (size_t)depth * f->rows, split[depth - 1]))
            depth--;
        if (!depth) return tree == end ? TREE_HOLDS : TREE_TOO_LONG;
        holds = 1;
    }
}

static int is_claim(char claim, size_t solutions, size_t bytes)
{
    return claim == 'a' || (claim == 'u' && solutions == 1) || (claim == 'n' && solutions == 0) ||
           (claim == 'm' && solutions == 2 && bytes == 0);
}

tree_verdict tree_check(const tree_formula *f, tree_row *stack, const tree_claim *claim)
{
    if (!is_claim(claim->claim, claim->count, claim->length)) return TREE_NO_CLAIM;
    const tree_verdict verdict = solve(f, stack, claim);
    return verdict || claim->claim == 'm' ? verdict : refute(f, stack, claim);
}
