/* The steps of c/tree.c for a model checker, from every state and for every input: a state means a
 * set of variables that are possible and a set of those that are true, and each step does to the
 * bits what docs/TREES.md says of the sets. `model_check.py` runs it, STEP by STEP. */
#include <stdint.h>
#include <string.h>

/* A copy by words: a model checker takes one by bytes as eight times as many. */
static void *copy_words(void *to, const void *from, size_t size)
{
    for (size_t at = 0; at < size / 8; at++) ((uint64_t *)to)[at] = ((const uint64_t *)from)[at];
    return to;
}

#include "tree.h"
#include "formula.h"
#include "tables.h"

static int is_open_spied(const tree_formula *f, const tree_row *state, uint32_t clause);

#define memcpy copy_words
#define tree_is_open is_open_spied /* which `assign_unit` asks first */
#include "tree.c"
#undef tree_is_open

unsigned nondet_uint(void);
unsigned char nondet_uchar(void);
void __ESBMC_assume(_Bool);
void __ESBMC_assert(_Bool, const char *);

static uint32_t clause_mask(uint32_t clause)
{
    uint32_t mask = 0;
    for (uint32_t at = START[clause]; at < START[clause + 1]; at++) mask |= 1u << LITERAL[at];
    return mask;
}

static uint32_t partners(uint32_t variable)
{
    uint32_t mask = 0;
    for (size_t at = 0; at < sizeof PAIRS / sizeof *PAIRS; at += 2) {
        if (PAIRS[at] == variable) mask |= 1u << PAIRS[at + 1];
        if (PAIRS[at + 1] == variable) mask |= 1u << PAIRS[at];
    }
    return mask;
}

/* What a pass of propagation begins with; it assigns what is a unit there, and nothing else. */
static int is_pass = 0;
static uint32_t pass_possible, pass_true;

static int is_open_spied(const tree_formula *f, const tree_row *state, uint32_t clause)
{
    const uint32_t left = clause_mask(clause) & pass_possible;
    __ESBMC_assert(!is_pass || (clause < N_CLAUSES && !(left & (left - 1)) &&
                                !(clause_mask(clause) & pass_true)),
                   "it is open and has one variable left");
    return tree_is_open(f, state, clause);
}

/* The bits of a state of which these variables are possible, and these true. */
static void build(tree_row *state, uint32_t possible, uint32_t true)
{
    for (uint32_t row = 0; row + 1 < ROWS; row++) {
        uint64_t bits = ALL[row].word[0] >> N_CLAUSES << N_CLAUSES;
        for (uint32_t clause = 0; clause < N_CLAUSES; clause++)
            if (row < START[clause + 1] - START[clause] &&
                possible >> LITERAL[START[clause] + row] & 1)
                bits |= (uint64_t)1 << clause;
        state[row].word[0] = bits;
    }
    uint64_t open = 0;
    for (uint32_t clause = 0; clause < N_CLAUSES; clause++)
        if (!(clause_mask(clause) & true)) open |= (uint64_t)1 << clause;
    state[ROWS - 1].word[0] = open;
}

static int same(const tree_row *one, const tree_row *other)
{
    for (uint32_t row = 0; row < ROWS; row++)
        if (one[row].word[0] != other[row].word[0]) return 0;
    return 1;
}

/* Whether these variables, and no others, are true in a solution. */
static int is_solution(uint32_t model)
{
    for (uint32_t clause = 0; clause < N_CLAUSES; clause++)
        if (!(clause_mask(clause) & model)) return 0;
    for (uint32_t variable = 0; variable < VARIABLES; variable++)
        if (model >> variable & 1 && partners(variable) & model) return 0;
    return 1;
}

/* The possible variables of the bits of a state. */
static uint32_t possible_of(const tree_row *state)
{
    uint32_t possible = 0;
    for (uint32_t clause = 0; clause < N_CLAUSES; clause++)
        for (uint32_t at = START[clause]; at < START[clause + 1]; at++)
            if (state[at - START[clause]].word[0] >> clause & 1) possible |= 1u << LITERAL[at];
    return possible;
}

int main(void)
{
    const uint32_t all = (1u << VARIABLES) - 1;
    const uint32_t possible = nondet_uint() & all, true = nondet_uint() & possible;
    for (uint32_t v = 0; v < VARIABLES; v++)
        __ESBMC_assume(!(true >> v & 1 && partners(v) & possible));
    tree_row state[ROWS], wanted[ROWS];
    build(state, possible, true);
    const uint32_t variable = nondet_uint(), clause = nondet_uint();
    __ESBMC_assume(variable < VARIABLES && clause < N_CLAUSES);
#if STEP == 1 /* a variable becomes true */
    const int done = tree_assign(&FORMULA, state, variable);
    __ESBMC_assert(done == (int)(possible >> variable & 1), "only what is false cannot be true");
    build(wanted, done ? possible & ~partners(variable) : possible,
          done ? true | 1u << variable : true);
    __ESBMC_assert(same(state, wanted), "partners become false, its clauses are not open");
#elif STEP == 2 /* a variable becomes false */
    __ESBMC_assume(!(true >> variable & 1));
    tree_deny(&FORMULA, state, variable);
    build(wanted, possible & ~(1u << variable), true);
    __ESBMC_assert(same(state, wanted), "it is false in all its clauses");
#elif STEP == 3 /* an open clause with one variable left, or none */
    const uint32_t unit = clause_mask(clause) & possible;
    __ESBMC_assume(!(unit & (unit - 1)) || clause_mask(clause) & true);
    const int done = assign_unit(&FORMULA, state, clause);
    uint32_t lost = 0, set = clause_mask(clause) & true ? 0 : unit;
    for (uint32_t v = 0; v < VARIABLES; v++)
        if (set >> v & 1) lost = partners(v);
    __ESBMC_assert(done == (unit != 0), "there is a contradiction if none is left");
    build(wanted, possible & ~lost, true | set);
    __ESBMC_assert(same(state, wanted), "the one that is left becomes true");
#elif STEP == 4 /* the last pass of propagation: it finds what is left to do, if anything is */
    build(wanted, possible, true);
    is_pass = 1, pass_possible = possible, pass_true = true;
    const int done = tree_propagate(&FORMULA, state); /* paths with a further pass are cut */
    int is_empty = 0, is_unit = 0;
    for (uint32_t c = 0; c < N_CLAUSES; c++) {
        const uint32_t rest = clause_mask(c) & possible;
        is_empty |= !rest;
        is_unit |= !(rest & (rest - 1)) && !(clause_mask(c) & true);
    }
    if (same(state, wanted)) {
        __ESBMC_assert(done || is_empty, "a contradiction is a clause with nothing left");
        __ESBMC_assert(!done || (!is_empty && !is_unit), "it ends where nothing follows");
    }
#elif STEP == 5 /* a child and the rest share the solutions of an open clause */
    __ESBMC_assume(tree_is_open(&FORMULA, state, clause));
    tree_row child[ROWS];
    const uint32_t left = clause_mask(clause) & possible, first = left & -left;
    const int taken = tree_take(&FORMULA, state, child, clause);
    __ESBMC_assert(taken == (left != 0), "there is a child for every variable left");
    build(wanted, possible & ~first, true);
    __ESBMC_assert(same(state, wanted), "it is false in the rest");
    uint32_t lost = 0;
    for (uint32_t v = 0; v < VARIABLES; v++)
        if (first >> v & 1) lost = partners(v);
    build(wanted, possible & ~lost, true | first);
    __ESBMC_assert(!taken || same(child, wanted), "it is true in the child");
#elif STEP == 6 /* the start, from any puzzle with digits of the board */
    uint8_t puzzle[CELLS];
    uint32_t given = 0, gone = 0;
    for (uint32_t cell = 0; cell < CELLS; cell++) {
        puzzle[cell] = nondet_uchar();
        __ESBMC_assume(puzzle[cell] <= DIGITS);
        if (puzzle[cell]) given |= 1u << (cell * DIGITS + puzzle[cell] - 1);
    }
    for (uint32_t v = 0; v < VARIABLES; v++)
        if (given >> v & 1) gone |= partners(v);
    const int begun = tree_begin(&FORMULA, state, puzzle);
    const uint32_t from = possible_of(ALL);
    __ESBMC_assert(begun == !(given & (gone | ~from)), "only givens that clash cannot be");
    build(wanted, from & ~gone, given);
    __ESBMC_assert(!begun || same(state, wanted), "the givens are true, and nothing else");
#elif STEP == 7 /* the digits of a state, a number of a tree, and a grid among solutions */
    uint8_t grid[CELLS], solutions[3 * CELLS], tree[5];
    for (uint32_t at = 0; at < 3 * CELLS; at++) solutions[at] = nondet_uchar();
    for (uint32_t at = 0; at < 5; at++) tree[at] = nondet_uchar();
    const int known = tree_digits(&FORMULA, state, grid);
    for (uint32_t cell = 0; known && cell < CELLS; cell++)
        __ESBMC_assert(true >> (cell * DIGITS + grid[cell] - 1) & 1, "a digit is that of its cell");
    const uint8_t *at = tree, *const end = tree + nondet_uint() % 6;
    uint32_t number;
    const int read = tree_number(&at, end, &number);
    __ESBMC_assert(at <= end && at - tree <= 4 && number < 1u << 28, "four bytes at most");
    __ESBMC_assert(!read || at[-1] < 128, "a number ends below 128");
    const tree_claim claim = {.solutions = solutions, .count = nondet_uint() % 4};
    for (uint32_t cell = 0; cell < CELLS; cell++) grid[cell] = nondet_uchar();
    if (is_listed(&FORMULA, &claim, grid)) {
        int found = 0;
        for (size_t s = 0; s < claim.count; s++)
            found |= !memcmp(grid, solutions + s * CELLS, CELLS);
        __ESBMC_assert(found, "what is listed is a solution of the row");
    }
#endif
    return 0;
}
