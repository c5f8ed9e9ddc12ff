/* Canonical forms of puzzles up to symmetry, one puzzle after another.
 *
 * Invariant: a form depends on the puzzle's class only, never on how the puzzle was written down: every
 * choice is made by comparing values that no symmetry changes. No puzzle is solved; any array of
 * digits 0..n has a form. Memory is a constant; the arithmetic wraps at 64 bits and is that of the
 * numpy reference (`lines.py`, `listed.py`), so the forms are the same bit for bit. */
#ifndef SATDOKU_CANONICAL_H
#define SATDOKU_CANONICAL_H

#include <stdint.h>

enum { SATDOKU_MAX_SIZE = 25, SATDOKU_MAX_LINES = 2 * SATDOKU_MAX_SIZE };

/* The whole group of a board: bands, stacks, lines within them, the transposition. */
typedef struct {
    int32_t size;          /* n: digits, and cells of a line */
    int32_t box_rows;      /* rows of a band */
    int32_t box_columns;   /* columns of a stack */
    int32_t transposable;  /* 1: rows and columns may change places */
    int32_t free_digits;   /* 1: digits may be renamed */
} satdoku_board;

/* A group as a list: each cell permutation with each digit representative, then digits renamed
 * within their classes. */
typedef struct {
    int32_t size;
    int32_t cells;           /* n^2 */
    int32_t permutations;    /* number of cell permutations */
    int32_t representatives; /* number of digit permutations */
    const uint16_t *source;  /* permutations x cells: cell i of the image was cell source[i] */
    const uint8_t *renamed;  /* representatives x (n + 1), the first 0 */
    const uint8_t *class_of; /* n + 1: the class of each digit, from 0 */
    const uint8_t *members;  /* n: the digits, class by class, ascending within each */
    const uint8_t *start;    /* classes: where each class begins in members */
} satdoku_listing;

/* Forms (count x n^2) of the puzzles (count x n^2 digits, 0 for empty). Where `orbits` is not NULL,
 * row i of it (count x (2n + 1)) gets factors whose product is the number of permutations of the
 * lines that, with some renaming of the digits, fix puzzle i; unused factors are 1. */
void satdoku_by_lines(const satdoku_board *board, int64_t count, const uint8_t *puzzles,
                      uint8_t *forms, uint8_t *orbits);

/* The least image of each puzzle, read row by row. Where `fixing` is not NULL, it gets the number
 * of pairs (permutation, representative) that reach it. */
void satdoku_by_list(const satdoku_listing *listing, int64_t count, const uint8_t *puzzles,
                     uint8_t *forms, uint32_t *fixing);

#endif
