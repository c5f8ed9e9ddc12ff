/* Proof trees by search, for many puzzles. */
#ifndef SATDOKU_TREE_MAKE_H
#define SATDOKU_TREE_MAKE_H

#include "tree.h"

typedef struct tree_planes tree_planes;

/* NULL if the formula is another than this: a variable excludes the other digits of its cell, and its
 * digit in cells that are the same whatever the digit; each clause is of a cell, or of one digit; and
 * the clauses of all rows, columns and 3x3 boxes are there. Or if memory is short. */
tree_planes *tree_planes_of(const tree_formula *formula);
void tree_planes_free(tree_planes *planes);

/* What puzzles are searched by: a formula, and its planes if it has any. */
typedef struct {
    const tree_formula *formula;
    const tree_planes *planes;
} tree_maker;

/* What puzzles give, and the memory for it. */
typedef struct {
    size_t rows, done;   /* puzzles */
    size_t most, room;   /* solutions and bytes of one */
    int every, is_short; /* whether all solutions are claimed; a quarter of the bytes, slowly */
    size_t solved, written, solutions_size, trees_size;
    uint8_t *claims, *solutions, *trees; /* a claim is 0 if there is no tree */
    uint32_t *counts, *lengths;
} tree_harvest;

/* The search, compiled for some instructions. */
typedef struct {
    size_t (*rows)(const tree_maker *maker); /* of memory, which begins at a multiple of 64 bytes */
    void (*make)(const tree_maker *maker, tree_row *memory, const uint8_t *puzzles,
                 tree_harvest *harvest); /* until all is done, or there is no room for one more */
} tree_target;

extern const tree_target tree_baseline, tree_avx2, tree_avx512;

/* Those for this processor, from the widest, 0, to the baseline; then NULL. */
const tree_target *tree_target_at(size_t place);

#endif
