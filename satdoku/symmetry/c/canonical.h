/* Canonical forms of puzzles up to symmetry, one puzzle after another.
 *
 * Invariant: a form depends only on the class of the puzzle, never on how the puzzle was written
 * down: every choice compares values that no symmetry changes. No puzzle is solved, so any array of
 * digits 0 to n has a form. Memory is constant. The arithmetic wraps at 64 bits as in the numpy
 * reference (`search.py`, `listed.py`), so both give the same forms, bit for bit. */
#ifndef SATDOKU_CANONICAL_H
#define SATDOKU_CANONICAL_H

#include <stdint.h>

enum {
    SATDOKU_MAX_SIZE = 25,
    SATDOKU_MAX_LINES = 2 * SATDOKU_MAX_SIZE,
    SATDOKU_MAX_CELLS = SATDOKU_MAX_SIZE * SATDOKU_MAX_SIZE
};

/* The whole group of a board: bands, stacks, lines within them, the transposition. */
typedef struct {
    int32_t size;          /* n: digits, and cells of a line */
    int32_t box_rows;      /* rows of a band */
    int32_t box_columns;   /* columns of a stack */
    int32_t transposable;  /* 1: rows and columns may change places */
    int32_t free_digits;   /* 1: digits may be renamed */
} satdoku_board;

/* A group as a list: each cell permutation with each digit representative, and after them any
 * renaming of digits within their classes. */
typedef struct {
    int32_t size;            /* n: digits */
    int32_t cells;           /* at most 625; 0 becomes n^2 */
    int32_t permutations;    /* number of cell permutations */
    int32_t representatives; /* number of digit permutations */
    const uint16_t *source;  /* permutations x cells: cell i of the image was cell source[i] */
    const uint8_t *renamed;  /* representatives x (n + 1): what each digit becomes */
    const uint8_t *class_of; /* n + 1: the class of each digit, 0 to n - 1; the first is not used */
    /* Set by satdoku_finish_listing: */
    uint8_t members[SATDOKU_MAX_SIZE]; /* the digits, class by class, ascending within each */
    uint8_t start[SATDOKU_MAX_SIZE];   /* where each class begins in members */
} satdoku_listing;

/* Why a board must not be used, or NULL if it is sound. */
const char *satdoku_board_fault(const satdoku_board *board);

/* Set what follows from the rest of a listing, whose size is 1 to 25. Returns why the listing must
 * not be used, or NULL if it is sound. */
const char *satdoku_finish_listing(satdoku_listing *listing);

/* Forms (count x n^2) of the puzzles (count x n^2 digits, 0 for empty). Unless `orbits` is NULL,
 * row i of it (count x (2n + 1)) gets factors whose product is the number of permutations of the
 * lines that, with some renaming of the digits, fix puzzle i; unused factors are 1. Returns the
 * number of puzzles done: less than `count` if the next one has a digit above n. */
int64_t satdoku_by_lines(const satdoku_board *board, int64_t count, const uint8_t *puzzles,
                      uint8_t *forms, uint8_t *orbits);

/* The least image of each puzzle, read row by row. Unless `fixing` is NULL, it gets the number of
 * pairs (permutation, representative) that reach it. Returns as above. */
int64_t satdoku_by_list(const satdoku_listing *listing, int64_t count, const uint8_t *puzzles,
                     uint8_t *forms, uint32_t *fixing);

/* Which boards lines and renamings move: a line is 2i + 1 for column i, else row i, and 2i of a
 * permutation is where row i of the image comes from, 2i + 1 column i. */
typedef struct {
    int32_t height, width;  /* of the board, at most 25 */
    int32_t size;           /* digits */
    int32_t points;         /* of a permutation: two for each line of the longer side, or more */
} satdoku_moves;

/* The images (count, cells) of as many puzzles; returns the first row with a line or digit that is
 * none, `count` if there is no such row. */
int64_t satdoku_images(const satdoku_moves *moves, int64_t count, const uint8_t *puzzles,
                       const uint8_t *lines, const uint8_t *digits, uint8_t *images);

#endif
