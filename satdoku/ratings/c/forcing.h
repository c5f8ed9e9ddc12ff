/* Forcing chains of several strands: what follows from every digit of a cell, every place of a digit,
 * a candidate and its opposite, or what contradicts itself.
 *
 * Invariant: a run takes one candidate to hold, or to leave, and adds what follows, what holds before
 * what leaves, until nothing follows or a candidate would do both. In a dynamic run what leaves is
 * struck, and a candidate that holds has as parents all struck ones that it needs. Where nothing
 * follows any more, runs of a higher level use patterns, and of still higher ones chains within the
 * chain. A run depends on its candidate and the state alone, so it is made once for a state. */
#ifndef SATDOKU_RATINGS_FORCING_H
#define SATDOKU_RATINGS_FORCING_H

#include "chains.h"

enum { MAX_RUN = 2 * CANDIDATES + 2, MAX_NESTED = 256 };

typedef struct {
    int16_t candidate;
    uint8_t holds, cause;
    int32_t nested;                /* the number of a chain that it comes from, or -1 */
    int32_t first_parent, parents; /* parents: numbers within the run */
    int32_t behind;                /* nodes that it comes from, or 0 while unknown */
} RunNode;

/* A chain that served as a pattern within a chain. */
typedef struct {
    uint64_t identity;
    int nodes;
} Nested;

typedef struct {
    int32_t first_node;
    int nodes;            /* without those of a clash */
    int clash_on, clash_off; /* of a candidate that would do both, or -1 */
    uint64_t set[2][SET_WORDS];   /* candidates that leave (0), that hold (1) */
    uint16_t at[2][CANDIDATES];
} Run;

typedef struct Forcing {
    int dynamic, nishio, level;
    State now;         /* in a dynamic run: without what has been struck */
    Candidates source; /* at the start of a run */
    Run *run[2];
    uint8_t made[2][CANDIDATES];
    RunNode *node;
    int32_t *parent;
    Nested *nested;
    int nodes, parents, nesteds, node_room, parent_room, nested_room;
    Found found;
    Chains *chains;        /* for chains within chains, or NULL */
    struct Forcing *inner; /* for forcing chains within chains, or NULL */
    int failed;
} Forcing;

static RunNode *node_of(const Forcing *f, const Run *run, int number)
{
    return &f->node[run->first_node + number];
}

/* A node that is not yet in a set; its parents follow by `add_parent`. Returns its number. */
static int add_node(Forcing *f, Run *run, int c, int holds, int cause, int nested)
{
    if (!GROW(f, node, 1)) {
        f->failed = 1;
        return 0;
    }
    f->node[f->nodes] = (RunNode){(int16_t)c, (uint8_t)holds, (uint8_t)cause, nested, f->parents, 0, 0};
    return f->nodes++ - run->first_node;
}

static void add_parent(Forcing *f, int number, int parent, const Run *run)
{
    if (!GROW(f, parent, 1)) {
        f->failed = 1;
        return;
    }
    f->parent[f->parents++] = parent;
    node_of(f, run, number)->parents++;
}

static void enter_set(Run *run, int c, int holds, int number)
{
    set_in(run->set[holds], c);
    run->at[holds][c] = (uint16_t)number;
    run->nodes = number + 1;
}

typedef struct {
    uint16_t number[2][CANDIDATES];
    int next[2], queued[2];
} Queues;

static void enter(Run *run, Queues *q, int c, int holds, int number)
{
    enter_set(run, c, holds, number);
    q->number[holds][q->queued[holds]++] = (uint16_t)number;
}

static int clash(Run *run, int c, int holds, int number)
{
    *(holds ? &run->clash_on : &run->clash_off) = number;
    *(holds ? &run->clash_off : &run->clash_on) = run->at[!holds][c];
    return 1;
}

/* What leaves because a node holds. Returns whether it clashes. */
static int strike_from(Forcing *f, Run *run, Queues *q, int number)
{
    Implied out[MAX_STRUCK];
    int own, n = struck_by_candidate(&f->now.left, node_of(f, run, number)->candidate, out, &own);
    for (int i = f->nishio ? own : 0; i < n; i++) {
        int c = out[i].candidate, clashes = in_set(run->set[1], c);
        if (!clashes && in_set(run->set[0], c)) continue;
        int child = add_node(f, run, c, 0, out[i].cause, -1);
        add_parent(f, child, number, run);
        if (clashes) return clash(run, c, 0, child);
        enter(run, q, c, 0, child);
    }
    return 0;
}

/* The candidates struck in this run that a node needs gone to be the last of its cell or house. */
static void add_struck_parents(Forcing *f, Run *run, int number, Implied i)
{
    int cell = i.candidate / 9, digit = i.candidate % 9;
    if (i.cause == BY_CELL) {
        EACH_BIT(other, f->source.of_cell[cell] & ~f->now.left.of_cell[cell])
            add_parent(f, number, run->at[0][candidate(cell, other)], run);
        return;
    }
    int house = board.house[cell][i.cause - BY_BOX];
    EACH_BIT(place, f->source.of_house[house][digit] & ~f->now.left.of_house[house][digit])
        add_parent(f, number, run->at[0][candidate(board.cell[house][place], digit)], run);
}

/* What holds because a node leaves. Returns whether it clashes. */
static int settle_from(Forcing *f, Run *run, Queues *q, int number)
{
    Implied out[MAX_SETTLED];
    int c = node_of(f, run, number)->candidate, own;
    int n = settled_by_candidate(&f->now.left, c, out, &own);
    for (int i = f->nishio ? own : 0; i < n; i++) {
        int to = out[i].candidate, clashes = in_set(run->set[0], to);
        if (!clashes && in_set(run->set[1], to)) continue;
        int child = add_node(f, run, to, 1, out[i].cause, -1);
        add_parent(f, child, number, run);
        if (f->dynamic) add_struck_parents(f, run, child, out[i]);
        if (clashes) return clash(run, to, 1, child);
        enter(run, q, to, 1, child);
    }
    if (f->dynamic) strike(&f->now.left, c / 9, c % 9);
    return 0;
}

static int advance(Forcing *f, Run *run, Queues *q);

static void make_run(Forcing *f, Run *run, int c, int holds)
{
    Queues q;
    memset(run->set, 0, sizeof run->set);
    q.next[0] = q.next[1] = q.queued[0] = q.queued[1] = 0;
    f->made[holds][c] = 1;
    run->first_node = f->nodes;
    run->clash_on = run->clash_off = -1;
    if (f->dynamic) f->now.left = f->source;
    enter(run, &q, c, holds, add_node(f, run, c, holds, ASSUMED, -1));
    int clashes = 0;
    while (!clashes && !f->failed) {
        if (q.next[1] < q.queued[1]) clashes = strike_from(f, run, &q, q.number[1][q.next[1]++]);
        else if (q.next[0] < q.queued[0]) clashes = settle_from(f, run, &q, q.number[0][q.next[0]++]);
        else if (!f->level || !advance(f, run, &q)) break;
    }
    if (f->dynamic) f->now.left = f->source;
}

static const Run *run_of(Forcing *f, int c, int holds)
{
    Run *run = &f->run[holds][c];
    if (!f->made[holds][c]) make_run(f, run, c, holds);
    return run;
}

/* The nodes that a node comes from, itself first, each once, by distance. Stops beyond `most`. */
static int trace(const Forcing *f, const Run *run, int number, int most, uint16_t *out)
{
    uint64_t seen[MAX_RUN / 64 + 1] = {0};
    int n = 0;
    set_in(seen, number);
    out[n++] = (uint16_t)number;
    for (int i = 0; i < n && n <= most; i++) {
        const RunNode *node = node_of(f, run, out[i]);
        for (int k = 0; k < node->parents; k++) {
            int parent = f->parent[node->first_parent + k];
            if (in_set(seen, parent)) continue;
            set_in(seen, parent);
            out[n++] = (uint16_t)parent;
        }
    }
    return n;
}

/* How many nodes that are; known once it has been asked for. */
static int nodes_behind(Forcing *f, const Run *run, int number)
{
    uint16_t list[MAX_RUN];
    RunNode *node = node_of(f, run, number);
    if (!node->behind) node->behind = trace(f, run, number, MAX_RUN, list);
    return node->behind;
}

/* A chain of several strands, each the end of one in a run. */
typedef struct {
    Technique technique;
    int kind, origin, placed;
    Struck struck;
    int strands;
    const Run *run[MAX_LISTS];
    int number[MAX_LISTS];
} Offer;

static int list_nodes(const Forcing *f, const Run *run, int number, ChainNode *out)
{
    uint16_t list[MAX_RUN];
    int n = trace(f, run, number, MAX_RUN, list);
    for (int i = 0; i < n; i++) {
        const RunNode *node = node_of(f, run, list[i]);
        out[i] = (ChainNode){node->candidate, node->holds, node->cause, node->nested, node->parents};
    }
    return n;
}

/* Nodes of the chains within a chain: each different one counts once. */
static int nested_nodes(const Forcing *f, const Offer *offer)
{
    ChainNode list[MAX_RUN];
    uint64_t known[MAX_NESTED];
    int total = 0, knowns = 0;
    for (int s = 0; s < offer->strands; s++) {
        int n = list_nodes(f, offer->run[s], offer->number[s], list);
        for (int i = 0; i < n; i++) {
            if (list[i].nested < 0) continue;
            const Nested *nested = &f->nested[list[i].nested];
            int old = 0;
            for (int k = 0; k < knowns && !old; k++) old = known[k] == nested->identity;
            if (old || knowns == MAX_NESTED) continue;
            known[knowns++] = nested->identity;
            total += nested->nodes;
        }
    }
    return total;
}

static double base_rating(const Forcing *f)
{
    static const double RATINGS[] = {8.5, 9.0, 9.5, 10.0, 10.5}; /* of dynamic chains, by level */
    return f->nishio ? 7.5 : f->dynamic ? RATINGS[f->level] : 8.0;
}

/* Keep the parents of a strand's nodes, as numbers in its list. */
static void keep_parents(Forcing *f, const Run *run, int number)
{
    uint16_t list[MAX_RUN], place[MAX_RUN];
    int n = trace(f, run, number, MAX_RUN, list);
    for (int i = 0; i < n; i++) place[list[i]] = (uint16_t)i;
    for (int i = 0; i < n; i++) {
        const RunNode *node = node_of(f, run, list[i]);
        for (int k = 0; k < node->parents; k++)
            keep_parent(&f->found, place[f->parent[node->first_parent + k]]);
    }
}

static void keep_strand_of_run(Forcing *f, Chain *chain, const Run *run, int number)
{
    ChainNode list[MAX_RUN];
    keep_nodes(&f->found, chain, list, list_nodes(f, run, number, list));
    if (!f->found.all) keep_parents(f, run, number);
}

static void keep_offer(Forcing *f, const Offer *offer, uint64_t conclusion, int nodes)
{
    Chain *chain = keep_chain(&f->found, &offer->struck, 1, conclusion);
    if (!chain) return;
    chain->rating = base_rating(f) + rate_length(nodes);
    chain->nodes = nodes;
    chain->kind = offer->kind;
    chain->technique = offer->technique;
    chain->placed = offer->placed;
    chain->origin = offer->origin;
    for (int s = 0; s < offer->strands; s++)
        keep_strand_of_run(f, chain, offer->run[s], offer->number[s]);
}

static void make_offer(Forcing *f, const Offer *offer)
{
    uint64_t conclusion = conclusion_of(&offer->struck, 1);
    const Chain *rival = rival_of(&f->found, conclusion);
    int nodes = 0, most = rival ? rival->nodes : INT32_MAX;
    for (int s = 0; s < offer->strands && nodes <= most; s++)
        nodes += nodes_behind(f, offer->run[s], offer->number[s]);
    if (nodes <= most && f->nesteds) nodes += nested_nodes(f, offer);
    if (nodes > most || (rival && nodes == most && offer->kind >= rival->kind)) return;
    keep_offer(f, offer, conclusion, nodes);
}

/* What a candidate that holds, or leaves, strikes by itself. */
static Struck struck_alone(const Forcing *f, int c, int holds)
{
    Digits own = (Digits)(1 << c % 9);
    return (Struck){(uint8_t)(c / 9), holds ? f->source.of_cell[c / 9] & (Digits)~own : own};
}

/* The candidate would do both: the opposite of the run's assumption holds. */
static void offer_clash(Forcing *f, const Run *run, int c, int holds)
{
    if (run->clash_on < 0) return;
    Offer offer = {.technique = f->nishio ? NISHIO : CONTRADICTION, .kind = 7,
                   .placed = holds ? -1 : c, .struck = struck_alone(f, c, !holds), .strands = 2,
                   .run = {run, run}, .number = {run->clash_on, run->clash_off}};
    make_offer(f, &offer);
}

/* What all strands agree on, in the order of the first. */
static void offer_common(Forcing *f, Offer *offer, int holds)
{
    const Run *first = offer->run[0];
    uint64_t set[SET_WORDS], any = 0;
    memcpy(set, first->set[holds], sizeof set);
    for (int s = 1; s < offer->strands; s++)
        for (int w = 0; w < SET_WORDS; w++) set[w] &= offer->run[s]->set[holds][w];
    for (int w = 0; w < SET_WORDS; w++) any |= set[w];
    for (int i = 0; any && i < first->nodes; i++) {
        const RunNode *node = node_of(f, first, i);
        int c = node->candidate;
        if (node->holds != holds || !in_set(set, c)) continue;
        offer->struck = struck_alone(f, c, holds);
        if (!offer->struck.digits) continue;
        offer->placed = holds ? c : -1;
        for (int s = 0; s < offer->strands; s++) offer->number[s] = offer->run[s]->at[holds][c];
        make_offer(f, offer);
    }
}

static void offer_strands(Forcing *f, Offer *offer)
{
    offer_common(f, offer, 1);
    offer_common(f, offer, 0);
}

/* One candidate, held and left: clashes, and what follows from both. */
static void try_both_ways(Forcing *f, int c)
{
    const Run *held = run_of(f, c, 1);
    if (!f->dynamic) return;
    const Run *left = run_of(f, c, 0);
    offer_clash(f, held, c, 1);
    offer_clash(f, left, c, 0);
    if (f->nishio || count(f->source.of_cell[c / 9]) < 3) return;
    Offer offer = {.technique = DOUBLE_FORCING, .kind = 1, .strands = 2, .run = {held, left}};
    offer_strands(f, &offer);
}

static void try_house(Forcing *f, int c, int kind)
{
    int house = board.house[c / 9][kind], digit = c % 9;
    Places at = f->source.of_house[house][digit];
    if (count(at) < 2 || board.cell[house][lowest(at)] != c / 9) return;
    Offer offer = {.technique = REGION_FORCING, .kind = 6, .origin = BY_BOX + kind};
    EACH_BIT(place, at)
        offer.run[offer.strands++] = run_of(f, candidate(board.cell[house][place], digit), 1);
    offer_strands(f, &offer);
}

static void try_cell(Forcing *f, int cell)
{
    Offer offer = {.technique = CELL_FORCING, .kind = 5, .origin = BY_CELL};
    EACH_BIT(digit, f->source.of_cell[cell]) {
        int c = candidate(cell, digit);
        try_both_ways(f, c);
        for (int kind = 0; kind < KINDS && !f->nishio; kind++) try_house(f, c, kind);
        offer.run[offer.strands++] = run_of(f, c, 1);
    }
    if (!f->nishio) offer_strands(f, &offer);
}

static void find_forcing(Forcing *f, const State *s, int all)
{
    clear_found(&f->found, all);
    f->nodes = f->parents = f->nesteds = 0;
    memset(f->made, 0, sizeof f->made);
    f->now = *s;
    f->source = s->left;
    for (int cell = 0; cell < CELLS; cell++) {
        int digits = count(f->source.of_cell[cell]);
        if (digits > 2 || (digits == 2 && f->dynamic)) try_cell(f, cell);
    }
}

#endif
