/* Hitting sets of a given number of cells, by search.
 *
 * Invariant: nothing here knows a rule of Sudoku. Sets of cells come in, some of them from a caller
 * who is asked during the search; every set of `size` cells that hits all of them comes out. */
#ifndef SATDOKU_HITTING_H
#define SATDOKU_HITTING_H

#include <stdint.h>

#define SATDOKU_MOST_CELLS 128

typedef struct {
    uint64_t word[2]; /* bit i % 64 of word i / 64 stands for cell i */
} satdoku_set;

/* What is searched for: hitting sets of `size` cells that hold the cells `given` and none of the
 * cells `barred`, and that have the most cells in the last of three parts of the board: at least as
 * many as in either other part, and more than in one for which `strict` is set.
 *
 * Parts 0 and 1 have up to 64 cells together, part 2, the last, has up to 64. The functions return
 * a negative number to stop the search.
 * ask: some cells, as givens; 1 with a set that they do not hit, 0 if there is none. NULL if no
 * other sets are to be had.
 * found: cells that hit every set; those in neither argument are as good as any, up to `size`.
 * poll: called now and then. */
typedef struct {
    int cells, size;
    const uint8_t *part; /* (cells,) 0, 1 or 2 */
    int strict[2];
    satdoku_set given, barred;
    int (*ask)(void *context, satdoku_set givens, satdoku_set *unhit);
    int (*found)(void *context, satdoku_set givens, satdoku_set barred);
    int (*poll)(void *context);
    void *context;
} satdoku_hitting;

enum { SATDOKU_STOPPED = -1, SATDOKU_NO_MEMORY = -2 };

/* Whether this processor runs the code. */
int satdoku_hitting_runs(void);

/* Why a search must not begin, or NULL. */
const char *satdoku_hitting_fault(const satdoku_hitting *wanted);

/* Nodes of the whole search, or one of the numbers above. */
int64_t satdoku_hit(const satdoku_hitting *wanted, const satdoku_set *sets, int64_t count);

#endif
