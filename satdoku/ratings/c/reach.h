/* Which candidates would hold if one did, along chains of one strand, for all candidates at once.
 *
 * Invariant: `reach` is closed: what a reached candidate leads to in two links is reached. So it
 * tells which starts have a cycle or a refutation at all, and only these are searched in order. */
#ifndef SATDOKU_RATINGS_REACH_H
#define SATDOKU_RATINGS_REACH_H

#include "found.h"

enum { SET_WORDS = 12, MAX_NEXT = MAX_STRUCK * MAX_SETTLED };

static inline int in_set(const uint64_t *set, int c) { return (int)(set[c / 64] >> c % 64 & 1); }
static inline void set_in(uint64_t *set, int c) { set[c / 64] |= 1ull << c % 64; }

typedef struct {
    Implied struck[CANDIDATES][MAX_STRUCK], settled[CANDIDATES][MAX_SETTLED];
    uint8_t strucks[CANDIDATES], own_strucks[CANDIDATES];
    uint8_t settleds[CANDIDATES], own_settleds[CANDIDATES];
    int16_t list[CANDIDATES]; /* of all candidates */
    int size;
} Graph;

enum { USE_X = 1, USE_Y = 2 };

typedef struct {
    uint64_t struck[CANDIDATES][SET_WORDS], reach[CANDIDATES][SET_WORDS];
    int16_t next[CANDIDATES][MAX_NEXT];
    uint8_t nexts[CANDIDATES];
} Reach;

static void fill_graph(Graph *g, const Candidates *left)
{
    g->size = 0;
    for (int cell = 0; cell < CELLS; cell++)
        EACH_BIT(digit, left->of_cell[cell]) {
            int c = candidate(cell, digit), own;
            g->list[g->size++] = (int16_t)c;
            g->strucks[c] = (uint8_t)struck_by_candidate(left, c, g->struck[c], &own);
            g->own_strucks[c] = (uint8_t)own;
            g->settleds[c] = (uint8_t)settled_by_candidate(left, c, g->settled[c], &own);
            g->own_settleds[c] = (uint8_t)own;
        }
}

/* The consequences of a candidate that holds or leaves, by the links in use. */
static const Implied *consequences(const Graph *g, int use, int c, int on, const Implied **end)
{
    if (on) {
        *end = g->struck[c] + g->strucks[c];
        return g->struck[c] + (use & USE_Y ? 0 : g->own_strucks[c]);
    }
    *end = g->settled[c] + (use & USE_X ? g->settleds[c] : g->own_settleds[c]);
    return g->settled[c] + (use & USE_Y ? 0 : g->own_settleds[c]);
}

#define EACH_CONSEQUENCE(i, g, use, c, on) \
    for (const Implied *end_##i, *i = consequences(g, use, c, on, &end_##i); i < end_##i; i++)

static void fill_next(Reach *r, const Graph *g, int use, int c)
{
    uint64_t *reach = r->reach[c];
    memset(r->struck[c], 0, sizeof r->struck[c]);
    memset(reach, 0, sizeof r->reach[c]);
    r->nexts[c] = 0;
    EACH_CONSEQUENCE(off, g, use, c, 1) {
        set_in(r->struck[c], off->candidate);
        EACH_CONSEQUENCE(on, g, use, off->candidate, 0) {
            if (in_set(reach, on->candidate)) continue;
            set_in(reach, on->candidate);
            r->next[c][r->nexts[c]++] = on->candidate;
        }
    }
    set_in(reach, c);
}

/* Add to what a candidate reaches all that its next ones reach. Returns whether that was new. */
static int widen(Reach *r, int c)
{
    uint64_t wider[SET_WORDS], changed = 0;
    memcpy(wider, r->reach[c], sizeof wider);
    for (int k = 0; k < r->nexts[c]; k++) {
        const uint64_t *more = r->reach[r->next[c][k]];
        for (int w = 0; w < SET_WORDS; w++) wider[w] |= more[w];
    }
    for (int w = 0; w < SET_WORDS; w++) changed |= wider[w] ^ r->reach[c][w];
    memcpy(r->reach[c], wider, sizeof wider);
    return changed != 0;
}

static void fill_reach(Reach *r, const Graph *g, int use)
{
    for (int i = 0; i < g->size; i++) fill_next(r, g, use, g->list[i]);
    for (int changed = 1; changed;) {
        changed = 0;
        for (int i = 0; i < g->size; i++) changed |= widen(r, g->list[i]);
        for (int i = g->size - 1; i >= 0; i--) changed |= widen(r, g->list[i]);
    }
}

static int meet(const uint64_t *a, const uint64_t *b)
{
    uint64_t common = 0;
    for (int w = 0; w < SET_WORDS; w++) common |= a[w] & b[w];
    return common != 0;
}

/* Whether a candidate that holds leads to its own leaving. */
static int refutes_itself(const Reach *r, int c) { return meet(r->reach[c], r->struck[c]); }

/* Whether a candidate that leaves leads to its own holding. */
static int proves_itself(const Reach *r, const Graph *g, int use, int c)
{
    EACH_CONSEQUENCE(on, g, use, c, 0)
        if (in_set(r->reach[on->candidate], c)) return 1;
    return 0;
}

/* Whether a candidate that holds leads, not in one link, to the leaving of one that settles it. */
static int may_cycle(const Reach *r, const Graph *g, int use, int c)
{
    uint64_t others[SET_WORDS];
    memcpy(others, r->reach[c], sizeof others);
    others[c / 64] &= ~(1ull << c % 64);
    EACH_CONSEQUENCE(on, g, use, c, 0)
        if (meet(others, r->struck[on->candidate])) return 1;
    return 0;
}

#endif
