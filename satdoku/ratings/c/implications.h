/* What follows from a candidate: if it holds, which ones leave; if it leaves, which ones hold.
 *
 * Invariant: consequences come in one order. A candidate that holds strikes the other digits of its
 * cell, then its digit in the box, the row and the column. One that leaves settles the cell, then the
 * box, the row and the column in which one place is left. Each consequence knows which of these it
 * comes from, and the chains of such steps rate by their number of nodes, so the order of equals
 * matters to the last tenth. */
#ifndef SATDOKU_RATINGS_IMPLICATIONS_H
#define SATDOKU_RATINGS_IMPLICATIONS_H

#include "aligned.h"

enum { MAX_STRUCK = 28, MAX_SETTLED = 4 };

typedef enum { ASSUMED, BY_CELL, BY_BOX, BY_ROW, BY_COLUMN, BY_PATTERN } Cause;

typedef struct {
    int16_t candidate;
    uint8_t cause;
} Implied;

static inline Implied implied(int candidate, int cause)
{
    return (Implied){(int16_t)candidate, (uint8_t)cause};
}

/* The candidates that leave if `c` holds; those of its own cell come first, and `own` says how many
 * they are. */
static int struck_by_candidate(const Candidates *left, int c, Implied *out, int *own)
{
    int cell = c / 9, digit = c % 9, n = 0;
    EACH_BIT(other, left->of_cell[cell] & ~(1u << digit)) out[n++] = implied(candidate(cell, other), BY_CELL);
    *own = n;
    for (int kind = 0; kind < KINDS; kind++) {
        int house = board.house[cell][kind];
        unsigned skip = kind == BOX ? 1u << board.place[cell][kind]
                                    : board.common[house][board.house[cell][BOX]];
        EACH_BIT(i, left->of_house[house][digit] & ~skip)
            out[n++] = implied(candidate(board.cell[house][i], digit), BY_BOX + kind);
    }
    return n;
}

/* The candidate that holds in a house if `c` leaves, or -1. */
static inline int settled_in_house(const Candidates *left, int c, int kind)
{
    int cell = c / 9, house = board.house[cell][kind];
    unsigned at = left->of_house[house][c % 9] & ~(1u << board.place[cell][kind]);
    return is_single(at) ? candidate(board.cell[house][lowest(at)], c % 9) : -1;
}

/* The candidates that hold if `c` leaves; `own` says whether the first is of its own cell. */
static int settled_by_candidate(const Candidates *left, int c, Implied *out, int *own)
{
    int n = 0;
    unsigned others = left->of_cell[c / 9] & ~(1u << c % 9);
    if (is_single(others)) out[n++] = implied(candidate(c / 9, lowest(others)), BY_CELL);
    *own = n;
    for (int kind = 0; kind < KINDS; kind++) {
        int other = settled_in_house(left, c, kind), known = 0;
        for (int i = *own; i < n; i++) known |= out[i].candidate == other;
        if (other >= 0 && !known) out[n++] = implied(other, BY_BOX + kind);
    }
    return n;
}

/* What a chain of so many nodes rates above the shortest: a tenth for each number that is less than
 * that of the nodes after the first two, of 4, 8, 16 ... and 6, 12, 24 ... */
static double rate_length(int nodes)
{
    double above = 0.0;
    for (int first = 4; first <= 6; first += 2)
        for (int number = first; number < nodes - 2; number *= 2) above += 0.1;
    return above;
}

#endif
