/* Proof trees, and their check.
 *
 * Law: a tree is accepted only if unit propagation closes every leaf: by a clause that has no
 * literal left, or with cells that are one of the solutions. The formula consists of positive
 * clauses and of pairs of variables that are not both true. Clause c < cells says that cell c
 * holds a digit: its literals are among the variables c*digits to c*digits + digits - 1.
 *
 * A state has a bit for each literal of each clause: it is not false. The clauses stand in blocks of
 * 512; row k of a block holds the bits of the literals in place k, its last row tells which clauses
 * have no true literal yet. So one pass over the rows finds all clauses with one literal left. */
#ifndef SATDOKU_TREE_H
#define SATDOKU_TREE_H

#include <stddef.h>
#include <stdint.h>

#ifndef SATDOKU_TREE_WORDS /* a model checker takes fewer, and fewer cells */
#define SATDOKU_TREE_WORDS 8
#define SATDOKU_TREE_CELLS 4096
#endif

enum {
    TREE_WORDS = SATDOKU_TREE_WORDS,
    TREE_BLOCK = 64 * TREE_WORDS,
    TREE_CELLS = SATDOKU_TREE_CELLS,
};

typedef struct {
    uint64_t word[TREE_WORDS];
} tree_row;

typedef struct {
    uint32_t cells, digits; /* candidates come first: variable cells[c]*digits + digit - 1 */
    uint32_t variables, clauses, blocks;
    uint32_t rows;          /* of a state */
    uint32_t *base;         /* blocks + 1: the first row of a block */
    uint32_t *start;        /* clauses + 1: the first literal of a clause */
    uint32_t *literal;      /* variables, clause by clause */
    uint32_t *first;        /* variables + 1: the first entry of what a variable changes */
    uint32_t *where;        /* entries: a row of the state */
    tree_row *change;       /* entries: bits that become 0 */
    uint32_t *seen;         /* variables + 1: the first literal of a variable */
    uint32_t *place;        /* literals, variable by variable: a clause and a place in it */
    tree_row *all;          /* the state in which nothing is known */
} tree_formula;

typedef enum {
    TREE_HOLDS,
    TREE_NO_CLAIM,    /* there is no such claim, or not of so many solutions */
    TREE_NO_PUZZLE,   /* a digit that the board does not have */
    TREE_NO_SOLUTION, /* it breaks a clause, leaves one open, or is not in order */
    TREE_OPEN,        /* a leaf is reached with a grid that is no solution */
    TREE_NO_CLAUSE,   /* a split names no open clause */
    TREE_TOO_SHORT,
    TREE_TOO_LONG,
    TREE_TOO_DEEP,
} tree_verdict;

/* Clauses as variables from 0, each behind its length; pairs of variables, a variable with itself is
 * false. NULL if memory is short or a statement of the law above is broken. */
tree_formula *tree_load(uint32_t variables, uint32_t cells, uint32_t digits,
                        const uint32_t *clauses, size_t clauses_length, const uint32_t *pairs,
                        size_t pairs_length);
void tree_free(tree_formula *formula);

/* Rows of memory for a check: a state for each depth, which is at most the number of cells. */
static inline size_t tree_stack(const tree_formula *formula)
{
    return (size_t)formula->rows * (formula->cells + 1);
}

/* A row of a collection: a claim, a puzzle (a digit a cell, 0 for none), solutions (a digit a cell,
 * in ascending order) and a tree. */
typedef struct {
    char claim; /* 'u' the one solution, 'n' none, 'm' two of them, 'a' all of them */
    const uint8_t *puzzle, *solutions, *tree;
    size_t count, length; /* of solutions, and of bytes of the tree */
} tree_claim;

tree_verdict tree_check(const tree_formula *formula, tree_row *stack, const tree_claim *claim);

/* The next number of a tree, seven bits a byte, the lowest first; 0 if it does not end. */
int tree_number(const uint8_t **tree, const uint8_t *end, uint32_t *number);

/* For those who make trees. The variable becomes true or false, or all consequences are drawn:
 * 0 if that cannot be. */
int tree_assign(const tree_formula *formula, tree_row *state, uint32_t variable);
void tree_deny(const tree_formula *formula, tree_row *state, uint32_t variable);
int tree_propagate(const tree_formula *formula, tree_row *state);

static inline int tree_has(const tree_row *row, uint32_t clause)
{
    return row->word[clause % TREE_BLOCK / 64] >> clause % 64 & 1;
}

static inline int tree_is_left(const tree_formula *formula, const tree_row *state, uint32_t clause,
                               uint32_t place)
{
    return tree_has(state + formula->base[clause / TREE_BLOCK] + place, clause);
}

static inline int tree_is_open(const tree_formula *formula, const tree_row *state, uint32_t clause)
{
    return tree_has(state + formula->base[clause / TREE_BLOCK + 1] - 1, clause);
}

/* The literals left of an open clause; 0 for one with a true literal. */
static inline uint32_t tree_left(const tree_formula *formula, const tree_row *state,
                                 uint32_t clause)
{
    uint32_t left = 0;
    for (uint32_t at = 0; at < formula->start[clause + 1] - formula->start[clause]; at++)
        left += (uint32_t)tree_is_left(formula, state, clause, at);
    return tree_is_open(formula, state, clause) ? left : 0;
}

/* The state in which these cells hold these digits, 0 for unknown; 0 if that cannot be. */
int tree_begin(const tree_formula *formula, tree_row *state, const uint8_t *digits);

/* The first literal left of a clause: true in the child, false in the rest; 0 if none is left. */
int tree_take(const tree_formula *formula, tree_row *rest, tree_row *child, uint32_t clause);

/* The digits of all cells; 0 if one of them is not known. */
int tree_digits(const tree_formula *formula, const tree_row *state, uint8_t *digits);

#endif
