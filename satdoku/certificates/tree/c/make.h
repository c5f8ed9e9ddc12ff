/* Proof trees by search. */
#ifndef SATDOKU_TREE_MAKE_H
#define SATDOKU_TREE_MAKE_H

#include "planes.h"

typedef struct {
    uint8_t *solutions; /* cells digits each, ascending: room for most + 1 */
    size_t count, most;
    uint8_t *tree;
    size_t length, room; /* in bytes */
    int is_short;        /* whether to look ahead: a quarter of the bytes, in five times the time */
} tree_proof;

typedef enum {
    TREE_MADE,
    TREE_MORE,    /* more solutions than asked for: most + 1 of them, and no tree */
    TREE_NO_ROOM, /* the tree is longer than its room, or deeper than the board has cells */
} tree_outcome;

/* What puzzles are searched by: a formula, and its planes if it has any. */
typedef struct {
    const tree_formula *formula;
    const tree_planes *planes;
} tree_maker;

/* Rows of memory for tree_make: planes need no more. */
static inline size_t tree_make_stack(const tree_formula *formula)
{
    return tree_stack(formula) + formula->blocks + 2 * (size_t)formula->rows;
}

/* The solutions of a puzzle, at most so many, and the tree that shows that there are no others. */
tree_outcome tree_make(const tree_maker *maker, tree_row *stack, const uint8_t *puzzle,
                       tree_proof *proof);

#endif
