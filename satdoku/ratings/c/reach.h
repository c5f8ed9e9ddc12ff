/* Which starts have a cycle or a refutation along a chain of one strand, for all starts at once.
 *
 * Invariant: a link settles: of its two candidates one holds, so each follows if the other leaves.
 * Only ends of links can follow, and only these are numbered. `reach` of an end has every end that
 * holds if it does, itself included. Starts that the tests pass over have no chain; those that they
 * let through are searched in order. */
#ifndef SATDOKU_RATINGS_REACH_H
#define SATDOKU_RATINGS_REACH_H

#include "found.h"

enum { USE_X = 1, USE_Y = 2, SET_WORDS = 12 };

static inline int in_set(const uint64_t *set, int c) { return (int)(set[c / 64] >> c % 64 & 1); }
static inline void set_in(uint64_t *set, int c) { set[c / 64] |= 1ull << c % 64; }

typedef struct {
    int use, ends, words;
    int16_t end[CANDIDATES];                     /* candidates by number */
    int16_t number[CANDIDATES];
    Cells of_digit[9];                           /* cells of ends with each digit */
    Digits of_cell[CELLS];
    int16_t settled[CANDIDATES][MAX_SETTLED];    /* by the number of an end that leaves: numbers */
    uint8_t settleds[CANDIDATES];
    uint64_t struck[CANDIDATES][SET_WORDS];      /* by the number of an end that holds */
    uint64_t next[CANDIDATES][SET_WORDS], reach[CANDIDATES][SET_WORDS];
} Reach;

static int number_end(Reach *r, int c)
{
    int cell = c / 9, digit = c % 9;
    if (r->of_cell[cell] >> digit & 1) return r->number[c];
    r->of_cell[cell] |= (Digits)(1 << digit);
    r->of_digit[digit] = either(r->of_digit[digit], only(cell));
    r->settleds[r->ends] = 0;
    r->end[r->ends] = (int16_t)c;
    return r->number[c] = (int16_t)r->ends++;
}

static void settle(Reach *r, int from, int to)
{
    for (int k = 0; k < r->settleds[from]; k++)
        if (r->settled[from][k] == to) return;
    r->settled[from][r->settleds[from]++] = (int16_t)to;
}

static void join(Reach *r, int a, int b)
{
    int first = number_end(r, a), second = number_end(r, b);
    settle(r, first, second);
    settle(r, second, first);
}

static void join_in_cells(Reach *r, const Candidates *left)
{
    for (int cell = 0; cell < CELLS; cell++) {
        Digits digits = left->of_cell[cell];
        if (count(digits) == 2)
            join(r, candidate(cell, lowest(digits)), candidate(cell, lowest(digits & (digits - 1u))));
    }
}

static void join_in_houses(Reach *r, const Candidates *left)
{
    for (int house = 0; house < HOUSES; house++)
        for (int digit = 0; digit < 9; digit++) {
            Places at = left->of_house[house][digit];
            if (count(at) != 2) continue;
            int low = board.cell[house][lowest(at)], high = board.cell[house][lowest(at & (at - 1u))];
            join(r, candidate(low, digit), candidate(high, digit));
        }
}

/* The ends that a candidate strikes, as numbers. */
static void ends_struck(const Reach *r, int c, uint64_t *set)
{
    int cell = c / 9, digit = c % 9;
    memset(set, 0, (size_t)r->words * sizeof *set);
    EACH_CELL(peer, both(board.peers[cell], r->of_digit[digit]))
        set_in(set, r->number[candidate(peer, digit)]);
    if (r->use & USE_Y)
        EACH_BIT(other, r->of_cell[cell] & ~(1u << digit)) set_in(set, r->number[candidate(cell, other)]);
}

#define EACH_NUMBER(n, r, set) \
    for (int w_##n = 0; w_##n < (r)->words; w_##n++) \
        for (uint64_t left_##n = (set)[w_##n]; left_##n; left_##n &= left_##n - 1) \
            for (int n = 64 * w_##n + __builtin_ctzll(left_##n), once_##n = 1; once_##n; once_##n = 0)

/* The ends that follow from ends that leave. */
static void add_settled(const Reach *r, const uint64_t *struck, uint64_t *next)
{
    memset(next, 0, (size_t)r->words * sizeof *next);
    EACH_NUMBER(off, r, struck)
        for (int k = 0; k < r->settleds[off]; k++) set_in(next, r->settled[off][k]);
}

static void add_reach(const Reach *r, const uint64_t *next, uint64_t *reach)
{
    EACH_NUMBER(holds, r, next)
        for (int w = 0; w < r->words; w++) reach[w] |= r->reach[holds][w];
}

/* Add to what an end reaches all that its next ones reach. Returns whether any of it was new. */
static int widen(Reach *r, int end)
{
    uint64_t *reach = r->reach[end], before[SET_WORDS], changed = 0;
    memcpy(before, reach, (size_t)r->words * sizeof *before);
    add_reach(r, r->next[end], reach);
    for (int w = 0; w < r->words; w++) changed |= before[w] ^ reach[w];
    return changed != 0;
}

static void fill_reach(Reach *r, const Candidates *left, int use)
{
    r->use = use;
    r->ends = 0;
    memset(r->of_digit, 0, sizeof r->of_digit);
    memset(r->of_cell, 0, sizeof r->of_cell);
    if (use & USE_Y) join_in_cells(r, left);
    if (use & USE_X) join_in_houses(r, left);
    r->words = (r->ends + 63) / 64;
    for (int end = 0; end < r->ends; end++) {
        ends_struck(r, r->end[end], r->struck[end]);
        add_settled(r, r->struck[end], r->next[end]);
        memcpy(r->reach[end], r->next[end], (size_t)r->words * sizeof **r->reach);
        set_in(r->reach[end], end);
    }
    for (int changed = 1; changed;) {
        changed = 0;
        for (int end = 0; end < r->ends; end++) changed |= widen(r, end);
        for (int end = r->ends - 1; end >= 0; end--) changed |= widen(r, end);
    }
}

static int meet(const Reach *r, const uint64_t *a, const uint64_t *b)
{
    uint64_t common = 0;
    for (int w = 0; w < r->words; w++) common |= a[w] & b[w];
    return common != 0;
}

/* The number of a candidate, or -1 if it is no end. */
static int end_of(const Reach *r, int c) { return r->of_cell[c / 9] >> c % 9 & 1 ? r->number[c] : -1; }

/* Whether a candidate that holds leads to its own leaving. */
static int refutes_itself(const Reach *r, int c)
{
    uint64_t struck[SET_WORDS], next[SET_WORDS], reach[SET_WORDS] = {0};
    int end = end_of(r, c);
    if (end >= 0) return meet(r, r->reach[end], r->struck[end]);
    ends_struck(r, c, struck);
    add_settled(r, struck, next);
    add_reach(r, next, reach);
    return meet(r, reach, struck);
}

/* Whether a candidate that leaves leads to its own holding. */
static int proves_itself(const Reach *r, int c)
{
    int end = end_of(r, c);
    if (end < 0) return 0;
    for (int k = 0; k < r->settleds[end]; k++)
        if (in_set(r->reach[r->settled[end][k]], end)) return 1;
    return 0;
}

/* Whether a candidate that holds leads, not in one link, to the leaving of one that settles it. */
static int may_cycle(const Reach *r, int c)
{
    uint64_t others[SET_WORDS];
    int end = end_of(r, c);
    if (end < 0) return 0;
    memcpy(others, r->reach[end], (size_t)r->words * sizeof *others);
    others[end / 64] &= ~(1ull << end % 64);
    for (int k = 0; k < r->settleds[end]; k++)
        if (meet(r, others, r->struck[r->settled[end][k]])) return 1;
    return 0;
}

#endif
