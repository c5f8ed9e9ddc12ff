/* Cycles and forcing chains of one strand.
 *
 * Invariant: a chain alternates between candidates that hold and candidates that leave. A cycle comes
 * back to its start, and what sees two neighbours of it leaves; a chain that comes back to the
 * opposite of its start refutes it. Chains on one digit (X), on bivalue cells (Y) and mixed ones are
 * sought in this order. Each search is breadth first, so the first way to a candidate is a shortest. */
#ifndef SATDOKU_RATINGS_CHAINS_H
#define SATDOKU_RATINGS_CHAINS_H

#include "reach.h"

/* At most all candidates hold, all leave, and as many again leave by each link of each that holds. */
enum { MAX_TRAIL = (2 + MAX_SETTLED) * CANDIDATES };

/* The consequences of candidates, each worked out when it is first asked for. */
typedef struct {
    const Candidates *left;
    uint8_t known[2][CANDIDATES]; /* of one that leaves (0), that holds (1) */
    Implied struck[CANDIDATES][MAX_STRUCK], settled[CANDIDATES][MAX_SETTLED];
    uint8_t strucks[CANDIDATES], own_strucks[CANDIDATES];
    uint8_t settleds[CANDIDATES], own_settleds[CANDIDATES];
} Graph;

static void work_out(Graph *g, int c, int holds)
{
    int own;
    g->known[holds][c] = 1;
    if (holds) {
        g->strucks[c] = (uint8_t)struck_by_candidate(g->left, c, g->struck[c], &own);
        g->own_strucks[c] = (uint8_t)own;
    } else {
        g->settleds[c] = (uint8_t)settled_by_candidate(g->left, c, g->settled[c], &own);
        g->own_settleds[c] = (uint8_t)own;
    }
}

/* The consequences of a candidate that holds or leaves, by the links in use. */
static const Implied *consequences(Graph *g, int use, int c, int holds, const Implied **end)
{
    if (!g->known[holds][c]) work_out(g, c, holds);
    if (holds) {
        *end = g->struck[c] + g->strucks[c];
        return g->struck[c] + (use & USE_Y ? 0 : g->own_strucks[c]);
    }
    *end = g->settled[c] + (use & USE_X ? g->settleds[c] : g->own_settleds[c]);
    return g->settled[c] + (use & USE_Y ? 0 : g->own_settleds[c]);
}

#define EACH_CONSEQUENCE(i, g, use, c, holds) \
    for (const Implied *end_##i, *i = consequences(g, use, c, holds, &end_##i); i < end_##i; i++)

typedef struct {
    int16_t candidate;
    uint8_t holds, cause;
    uint8_t again; /* a candidate that leaves, met before on another way: only a cycle counts */
    int parent;    /* or -1 */
} Trail;

typedef struct {
    Graph graph;
    Reach reach;
    Found found;
    int use;
    int source;
    Trail trail[MAX_TRAIL];
    int trails, next[2]; /* of those that leave (0) and hold (1): where each queue goes on */
    int queue[2][MAX_TRAIL], queued[2];
    uint8_t met[2][CANDIDATES];
    uint8_t near[CANDIDATES]; /* settles the source by leaving */
} Chains;

static void put(Chains *f, Implied i, int holds, int parent, int again)
{
    f->trail[f->trails] = (Trail){i.candidate, (uint8_t)holds, i.cause, (uint8_t)again, parent};
    f->queue[holds][f->queued[holds]++] = f->trails++;
    f->met[holds][i.candidate] = 1;
}

static void start_search(Chains *f, int source, int holds)
{
    f->source = source;
    f->trails = f->next[0] = f->next[1] = f->queued[0] = f->queued[1] = 0;
    memset(f->met, 0, sizeof f->met);
    put(f, implied(source, ASSUMED), holds, -1, 0);
}

static int kind_in_use(const Chains *f) { return f->use == USE_X ? 2 : f->use == USE_Y ? 3 : 4; }

/* Whether a chain that rates so, with so many nodes, comes too late whatever it strikes. */
static int too_late(const Chains *f, double base, int nodes)
{
    if (f->found.all || !f->found.chains) return 0;
    return !goes_before(base + rate_length(nodes), nodes, kind_in_use(f), &f->found.chain[0]);
}

static double base_of_cycles(const Chains *f) { return f->use == (USE_X | USE_Y) ? 7.0 : 6.5; }
static double base_of_refutations(const Chains *f) { return f->use & USE_Y ? 7.0 : 6.6; }

static int is_on_way(const Chains *f, int from, int c, int holds)
{
    for (int at = f->trail[from].parent; at >= 0; at = f->trail[at].parent)
        if (f->trail[at].candidate == c && f->trail[at].holds == holds) return 1;
    return 0;
}

/* The way back to the start, and its length; of a cycle without the start, which is its end, too. */
static int way_back(const Chains *f, int from, ChainNode *nodes)
{
    int n = 0;
    for (int at = from; at >= 0; at = f->trail[at].parent) {
        const Trail *t = &f->trail[at];
        nodes[n++] = (ChainNode){t->candidate, t->holds, t->cause, -1, t->parent >= 0};
    }
    return n;
}

static Cells cells_of(const ChainNode *nodes, int n)
{
    Cells cells = {0, 0};
    for (int i = 0; i < n; i++) cells = either(cells, only(nodes[i].candidate / 9));
    return cells;
}

/* What sees a node of the cycle that holds and, with the same digit, one that leaves, in the order
 * of the former. */
static int struck_by_cycle(const Candidates *left, const ChainNode *nodes, int n, Struck *out)
{
    Cells own = cells_of(nodes, n), seen[9];
    Step step;
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < n; i++) {
        int digit = nodes[i].candidate % 9;
        if (!nodes[i].holds) seen[digit] = either(seen[digit], board.peers[nodes[i].candidate / 9]);
    }
    step.struck_cells = 0;
    for (int i = 0; i < n; i++) {
        int digit = nodes[i].candidate % 9;
        if (!nodes[i].holds) continue;
        Cells by_both = both(board.peers[nodes[i].candidate / 9], seen[digit]);
        strike_in_cells(&step, without(both(by_both, left->of_digit[digit]), own), digit);
    }
    for (int i = 0; i < step.struck_cells; i++)
        out[i] = (Struck){step.struck[i], step.struck_digits[i]};
    return step.struck_cells;
}

/* The same cycle the other way round: what held leaves, and each node has the cause of the link that
 * led to it. */
static void turn_cycle(const ChainNode *nodes, int n, ChainNode *turned)
{
    turned[0] = (ChainNode){nodes[0].candidate, !nodes[0].holds, ASSUMED, -1, 1};
    for (int i = 1; i < n; i++) {
        turned[i] = nodes[n - i];
        turned[i].holds = !turned[i].holds;
    }
}

/* Each node comes from the next in the list; in a cycle the last one from the first. */
static void keep_strand(Chains *f, Chain *chain, const ChainNode *nodes, int n)
{
    keep_nodes(&f->found, chain, nodes, n);
    for (int i = 0; !f->found.all && i < n; i++)
        if (nodes[i].parents) keep_parent(&f->found, (i + 1) % n);
}

static void offer_cycle(Chains *f, const Candidates *left, int from, Implied back)
{
    ChainNode nodes[CANDIDATES], turned[CANDIDATES];
    Struck struck[CELLS];
    nodes[0] = (ChainNode){(int16_t)f->source, 1, back.cause, -1, 1};
    int n = way_back(f, from, nodes + 1); /* the start closes it */
    if (too_late(f, base_of_cycles(f), n)) return;
    double rating = base_of_cycles(f) + rate_length(n);
    int strucks = struck_by_cycle(left, nodes, n, struck);
    if (!strucks) return;
    uint64_t conclusion = conclusion_of(struck, strucks);
    const Chain *rival = rival_of(&f->found, conclusion);
    if (rival && !goes_before(rating, n, kind_in_use(f), rival)) return;
    Chain *chain = keep_chain(&f->found, struck, strucks, conclusion);
    if (!chain) return;
    chain->rating = rating;
    chain->nodes = n;
    chain->kind = kind_in_use(f);
    chain->technique = f->use == USE_X ? X_CYCLE : f->use == USE_Y ? Y_CYCLE : XY_CYCLE;
    keep_strand(f, chain, nodes, n);
    turn_cycle(nodes, n, turned);
    keep_strand(f, chain, turned, n);
}

/* All ways on from the candidates that hold: one that leaves may be reached again and again, but
 * only the first way goes on. */
static void leave_cyclically(Chains *f)
{
    while (f->next[1] < f->queued[1]) {
        int at = f->queue[1][f->next[1]++];
        EACH_CONSEQUENCE(i, &f->graph, f->use, f->trail[at].candidate, 1) {
            int again = f->met[0][i->candidate];
            if ((!again || f->near[i->candidate]) && !is_on_way(f, at, i->candidate, 0))
                put(f, *i, 0, at, again);
        }
    }
}

static void hold_cyclically(Chains *f, const Candidates *left, int length)
{
    while (f->next[0] < f->queued[0]) {
        int at = f->queue[0][f->next[0]++];
        EACH_CONSEQUENCE(i, &f->graph, f->use, f->trail[at].candidate, 0) {
            if (length >= 4 && i->candidate == f->source) offer_cycle(f, left, at, *i);
            if (!f->trail[at].again && !f->met[1][i->candidate]) put(f, *i, 1, at, 0);
        }
    }
}

/* The links between two candidates of which one must hold lead both ways. */
static void mark_near(Chains *f, int source, int value)
{
    EACH_CONSEQUENCE(i, &f->graph, f->use, source, 0) f->near[i->candidate] = (uint8_t)value;
}

static void find_cycles(Chains *f, const Candidates *left, int source)
{
    start_search(f, source, 1);
    mark_near(f, source, 1);
    for (int length = 2; f->next[1] < f->queued[1] && !too_late(f, base_of_cycles(f), length); length += 2) {
        leave_cyclically(f);
        hold_cyclically(f, left, length);
    }
    mark_near(f, source, 0);
}

static void offer_refutation(Chains *f, const Candidates *left, int from, Implied back, int holds)
{
    ChainNode nodes[CANDIDATES];
    int cell = f->source / 9;
    Digits own = (Digits)(1 << f->source % 9);
    Struck struck = {(uint8_t)cell, holds ? left->of_cell[cell] & (Digits)~own : own};
    nodes[0] = (ChainNode){(int16_t)f->source, (uint8_t)holds, back.cause, -1, 1};
    int n = 1 + way_back(f, from, nodes + 1);
    double rating = base_of_refutations(f) + rate_length(n);
    uint64_t conclusion = conclusion_of(&struck, 1);
    const Chain *rival = rival_of(&f->found, conclusion);
    if (rival && !goes_before(rating, n, kind_in_use(f), rival)) return;
    Chain *chain = keep_chain(&f->found, &struck, 1, conclusion);
    if (!chain) return;
    chain->rating = rating;
    chain->nodes = n;
    chain->kind = kind_in_use(f);
    chain->technique = f->use & USE_Y ? FORCING_CHAIN : FORCING_X_CHAIN;
    if (holds) chain->placed = f->source;
    keep_strand(f, chain, nodes, n);
}

/* One layer of the search: from those that hold (or leave) to those that leave (or hold). Returns
 * whether the start is refuted. */
static int spread_layer(Chains *f, const Candidates *left, int holds, int start_holds)
{
    while (f->next[holds] < f->queued[holds]) {
        int at = f->queue[holds][f->next[holds]++];
        EACH_CONSEQUENCE(i, &f->graph, f->use, f->trail[at].candidate, holds) {
            if (i->candidate == f->source && holds == start_holds) {
                offer_refutation(f, left, at, *i, !holds);
                return 1;
            }
            if (!f->met[!holds][i->candidate]) put(f, *i, !holds, at, 0);
        }
    }
    return 0;
}

static void find_refutation(Chains *f, const Candidates *left, int source, int start_holds)
{
    start_search(f, source, start_holds);
    int holds = start_holds, nodes = 2;
    while (f->next[holds] < f->queued[holds] && !too_late(f, base_of_refutations(f), nodes++)) {
        if (spread_layer(f, left, holds, start_holds)) return;
        holds = !holds;
    }
}

static void find_from(Chains *f, const Candidates *left, int source)
{
    if (may_cycle(&f->reach, source)) find_cycles(f, left, source);
    if (f->use == USE_Y) return; /* a chain of bivalue cells alone refutes nothing */
    if (refutes_itself(&f->reach, source)) find_refutation(f, left, source, 1);
    if (proves_itself(&f->reach, source)) find_refutation(f, left, source, 0);
}

static void find_chains(Chains *f, const Candidates *left, int all)
{
    static const int USES[3] = {USE_X, USE_Y, USE_X | USE_Y};
    clear_found(&f->found, all);
    f->graph.left = left;
    memset(f->graph.known, 0, sizeof f->graph.known);
    for (int k = 0; k < 3; k++) {
        f->use = USES[k];
        if (too_late(f, base_of_cycles(f), 4)) continue;
        fill_reach(&f->reach, left, f->use);
        for (int cell = 0; cell < CELLS; cell++)
            if (count(left->of_cell[cell]) > 1)
                EACH_BIT(digit, left->of_cell[cell]) find_from(f, left, candidate(cell, digit));
    }
}

static int chain_step(Chains *f, const State *s, Step *step)
{
    find_chains(f, &s->left, 0);
    if (!f->found.chains) return 0;
    step_of_chain(&f->found, &f->found.chain[0], 0, step);
    return 1;
}

#endif
