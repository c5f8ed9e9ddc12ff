/* How many grids complete a puzzle, by search without learning.
 *
 * Invariant: a count says whether it is whole. Cells are bits: a set of cells is a vector of words, a
 * state is one such set for each digit, the cells where it may still stand. Nothing is known of
 * rules but what the arrays say.
 */
#ifndef SATDOKU_COUNT_H
#define SATDOKU_COUNT_H

#include <stdint.h>

#define SATDOKU_MAX_DIGITS 16
#define SATDOKU_MAX_CELLS 256

/* What the rules say, with sets of cells of `words` 64-bit words each (2 up to 128 cells, else 4).
 * Group g: digit group_digit[g] is in exactly one cell of group_cells[g].
 * Candidate c = cell * digits + digit kills entries kill_start[c] .. kill_start[c + 1]: where it
 * holds, digit kill_digit[k] stands in no cell of kill_cells[k]. The cell's other digits are not
 * among them. */
typedef struct {
    int digits, cells, words, groups;
    const uint8_t *group_digit;
    const uint64_t *group_cells;
    const int32_t *kill_start;
    const uint8_t *kill_digit;
    const uint64_t *kill_cells;
} satdoku_count_tables;

/* For each of `count` puzzles (cells bytes each, 0 for empty, digits 1..) its number of grids and
 * the nodes of search that this took. All share the budget of nodes. The puzzle that goes beyond it
 * is the last: its grids are those found so far, and the ones behind it have no nodes. */
void satdoku_count(const satdoku_count_tables *tables, int64_t count, const uint8_t *puzzles,
                   uint64_t budget, uint64_t *grids, uint64_t *nodes);

#endif
