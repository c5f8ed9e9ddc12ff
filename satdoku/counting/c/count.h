/* How many grids complete a puzzle, by search without learning.
 *
 * Invariant: a count says whether it is complete. Cells are bits: a set of cells is a vector of
 * words, and a state is one such set for each digit, the cells that may still hold it. Nothing here
 * knows a rule by name; the tables say it all. */
#ifndef SATDOKU_COUNT_H
#define SATDOKU_COUNT_H

#include <stdint.h>

#define SATDOKU_MAX_DIGITS 16
#define SATDOKU_MAX_CELLS 256

/* What the rules say, with sets of cells of `words` 64-bit words each (2 up to 128 cells, else 4).
 * Group g: digit group_digit[g] is in exactly one cell of group_cells[g].
 * Candidate c = cell * digits + digit has entries kill_start[c] to kill_start[c + 1] - 1: if it
 * holds, digit kill_digit[k] is in no cell of kill_cells[k]. The cell's other digits are not among
 * them. A candidate that kills itself is a conflict once it is the last of its cell. */
typedef struct {
    int digits, cells, words;
    int64_t groups, kills; /* numbers of groups and of entries */
    const uint8_t *group_digit;
    const uint64_t *group_cells;
    const int32_t *kill_start;
    const uint8_t *kill_digit;
    const uint64_t *kill_cells;
} satdoku_count_tables;

/* Why tables must not be used, or NULL if they are sound. */
const char *satdoku_count_fault(const satdoku_count_tables *tables);

/* For each of `count` puzzles (a byte for each cell, 0 for empty) its number of grids, and the
 * search nodes that this took. All puzzles share the budget of nodes. The puzzle that exceeds it is
 * the last: its grids are those found so far, and the puzzles after it have 0 grids and 0 nodes. A
 * puzzle with a digit that the board does not have has 0 grids. */
void satdoku_count(const satdoku_count_tables *tables, int64_t count, const uint8_t *puzzles,
                   uint64_t budget, uint64_t *grids, uint64_t *nodes);

#endif
