/* Other grids: in which cells may a grid be filled in another way, all its other cells staying?
 *
 * Invariant: every set of cells that comes out is the difference between the grid and another one
 * that the tables allow. Nothing here knows a rule by name. */
#ifndef SATDOKU_OTHERS_H
#define SATDOKU_OTHERS_H

#include <stdint.h>

#define SATDOKU_MOST_CELLS 128
#define SATDOKU_MOST_DIGITS 16

typedef struct {
    uint64_t word[2]; /* bit i % 64 of word i / 64 stands for cell i */
} satdoku_set;

/* A grid and what the rules say. Candidate k = cell * digits + digit has entries kill_start[k] to
 * kill_start[k + 1] - 1: if it holds, no digit of kill_digits[e] is in kill_cell[e], which is another
 * cell. Every digit is once in the `digits` cells of each house. */
typedef struct {
    int cells, digits;
    int64_t houses, kills;
    const uint8_t *grid; /* (cells,) digits from 0 */
    const int32_t *kill_start;
    const uint8_t *kill_cell;
    const uint16_t *kill_digits;
    const uint8_t *house; /* (houses, digits) cells */
} satdoku_others;

/* Why tables must not be used, or NULL if they are sound. */
const char *satdoku_others_fault(const satdoku_others *tables);

/* A smallest set (none of its subsets will do) that some givens miss; 0 if they have one solution. */
int satdoku_other(const satdoku_others *tables, satdoku_set givens, satdoku_set *other);

/* The sets within a region, of `largest` cells at most, which not all are smallest: their number.
 * It looks at `limit` grids. */
int64_t satdoku_within(const satdoku_others *tables, satdoku_set region, int largest, int64_t limit,
                       satdoku_set *sets);

/* Fill the cells of a set in another way, differently in every one of them if none of its subsets
 * will do: digits from 1 in `filling`, 0 in the other cells; returns 0 if there is no other way. */
int satdoku_filling(const satdoku_others *tables, satdoku_set cells, uint8_t *filling);

#endif
