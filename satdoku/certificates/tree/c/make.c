#include "../../../runtime/portable.h"

#include <string.h>

#include "make.h"

/* The literals left of an open clause; 0 for one with a true literal. */
static uint32_t left_of(const tree_formula *f, const tree_row *state, uint32_t clause)
{
    uint32_t left = 0;
    for (uint32_t at = f->start[clause]; at < f->start[clause + 1]; at++)
        left += tree_is_left(f, state, clause, at - f->start[clause]);
    return tree_is_open(f, state, clause) ? left : 0;
}

/* The clauses that have two literals left, block by block. */
static void find_pairs(const tree_formula *f, const tree_row *state, tree_row *pairs)
{
    for (uint32_t block = 0; block < f->blocks; block++) {
        const uint32_t begin = f->base[block], open = f->base[block + 1] - 1;
        tree_row once = {0}, twice = {0}, more = {0};
        for (uint32_t row = begin; row < open; row++)
            for (int i = 0; i < TREE_WORDS; i++) {
                more.word[i] |= twice.word[i] & state[row].word[i];
                twice.word[i] |= once.word[i] & state[row].word[i];
                once.word[i] |= state[row].word[i];
            }
        for (int i = 0; i < TREE_WORDS; i++)
            pairs[block].word[i] = ~more.word[i] & state[open].word[i];
    }
}

/* How many of these clauses lose a literal if the variable becomes true: they propagate. */
static uint32_t effect(const tree_formula *f, const tree_row *state, const tree_row *pairs,
                       uint32_t variable)
{
    uint32_t sum = 0, e = f->first[variable];
    for (uint32_t block = 0; e < f->first[variable + 1]; block++) {
        tree_row lost = {0};
        const uint32_t open = f->base[block + 1] - 1;
        for (; e < f->first[variable + 1] && f->where[e] <= open; e++)
            for (int i = 0; f->where[e] < open && i < TREE_WORDS; i++)
                lost.word[i] |= state[f->where[e]].word[i] & f->change[e].word[i];
        for (int i = 0; i < TREE_WORDS; i++)
            sum += (uint32_t)__builtin_popcountll(lost.word[i] & pairs[block].word[i]);
    }
    return sum;
}

/* The product of the effects of both literals; that of a clause without a pair is 0. */
static uint64_t score(const tree_formula *f, const tree_row *state, const tree_row *pairs,
                      uint32_t clause)
{
    uint64_t product = tree_has(pairs + clause / TREE_BLOCK, clause);
    for (uint32_t at = f->start[clause]; product && at < f->start[clause + 1]; at++)
        if (tree_is_left(f, state, clause, at - f->start[clause]))
            product *= 1 + effect(f, state, pairs, f->literal[at]);
    return product;
}

/* The open clause to split: of the cells with two digits left the one whose digits do most; or else
 * the first other clause with two literals; or else the first cell with the fewest digits. */
static uint32_t choose(const tree_formula *f, const tree_row *state, tree_row *pairs)
{
    uint32_t best = f->clauses, fewest = UINT32_MAX;
    uint64_t top = 0;
    find_pairs(f, state, pairs);
    for (uint32_t clause = 0; clause < f->clauses && (!top || clause < f->cells); clause++) {
        const uint64_t product = score(f, state, pairs, clause);
        if (product > top) top = product, best = clause;
    }
    for (uint32_t cell = 0; !top && cell < f->cells; cell++) {
        const uint32_t left = left_of(f, state, cell);
        if (left && left < fewest) fewest = left, best = cell;
    }
    return best;
}

static int write_clause(tree_proof *proof, uint32_t clause)
{
    do {
        if (proof->length == proof->room) return 0;
        proof->tree[proof->length++] = (uint8_t)(clause > 127 ? clause % 128 + 128 : clause);
        clause /= 128;
    } while (clause);
    return 1;
}

/* Solutions in ascending order, another one behind them. */
static void insert(const tree_formula *f, tree_proof *proof)
{
    uint8_t *place = proof->solutions, *const last = place + proof->count++ * f->cells;
    uint8_t held[TREE_CELLS];
    while (place < last && memcmp(place, last, f->cells) < 0) place += f->cells;
    if (place == last) return;
    memcpy(held, last, f->cells);
    memmove(place + f->cells, place, (size_t)(last - place));
    memcpy(place, held, f->cells);
}

/* What the search ends with if it is broken off. */
static tree_outcome without_tree(tree_proof *proof, tree_outcome outcome)
{
    if (outcome != TREE_MORE) proof->count = 0;
    proof->length = 0;
    return outcome;
}

tree_outcome tree_make(const tree_formula *f, tree_row *stack, const uint8_t *puzzle,
                       tree_proof *proof)
{
    tree_row *const pairs = stack + tree_stack(f);
    uint32_t split[TREE_CELLS];
    proof->count = proof->length = 0;
    int holds = tree_begin(f, stack, puzzle);
    for (uint32_t depth = 0;;) {
        tree_row *const state = stack + (size_t)depth * f->rows;
        uint8_t *const solution = proof->solutions + proof->count * f->cells;
        if (holds && tree_propagate(f, state)) {
            if (tree_digits(f, state, solution)) {
                insert(f, proof);
                if (proof->count > proof->most) return without_tree(proof, TREE_MORE);
            } else {
                if (depth == f->cells) return without_tree(proof, TREE_NO_ROOM);
                split[depth] = choose(f, state, pairs);
                if (!write_clause(proof, split[depth++]))
                    return without_tree(proof, TREE_NO_ROOM);
            }
        }
        while (depth && !tree_take(f, stack + (size_t)(depth - 1) * f->rows,
                                   stack + (size_t)depth * f->rows, split[depth - 1]))
            depth--;
        if (!depth) return TREE_MADE;
        holds = 1;
    }
}
