/* The chains that a search has found: the best one, or the best one for each conclusion.
 *
 * Invariant: chains are ordered by rating, number of nodes, kind, and when they were found. A chain
 * keeps its nodes, one list for each assumption, from its end backwards, each node once. */
#ifndef SATDOKU_RATINGS_FOUND_H
#define SATDOKU_RATINGS_FOUND_H

#include "implications.h"

#include <stdlib.h>

typedef struct {
    int16_t candidate;
    uint8_t holds, cause;
    int32_t nested; /* the number of a chain that this node comes from, or -1 */
    int parents;    /* in the order of the nodes; kept only for the best chain of all */
} ChainNode;

enum { MAX_LISTS = 9, CONCLUSIONS = 1 << 14 };

typedef struct {
    double rating;
    int nodes, kind; /* nodes: with those of nested chains */
    Technique technique;
    int placed;      /* candidate, or -1 */
    int slot;        /* in the table of conclusions */
    int first_struck, struck;
    int first_node, lists, length[MAX_LISTS];
    int origin;      /* what causes the assumptions: a cell, a house, or nothing (ASSUMED) */
    uint64_t conclusion; /* a number for what is struck */
    uint64_t identity;   /* a number for the nodes of all lists */
} Chain;

typedef struct {
    uint8_t cell;
    Digits digits;
} Struck;

typedef struct {
    int all;                /* whether the best chain for each conclusion is wanted */
    Chain *chain;
    ChainNode *node;
    Struck *struck;
    int32_t *parent;        /* of the nodes in turn: their numbers in the list */
    int chains, nodes, strucks, parents, conclusions;
    int chain_room, node_room, struck_room, parent_room;
    int32_t of_conclusion[CONCLUSIONS]; /* chain + 1, by open addressing */
    int failed;             /* out of memory, or of conclusions */
} Found;

/* Room for `more` entries; on failure the array stays as it is. */
static int grow(void **array, int *room, int used, int more, size_t size)
{
    if (used + more <= *room) return 1;
    int wanted = 2 * (used + more) + 64;
    void *larger = realloc(*array, (size_t)wanted * size);
    if (!larger) return 0;
    *array = larger;
    *room = wanted;
    return 1;
}

#define GROW(f, name, more) \
    grow((void **)&(f)->name, &(f)->name##_room, (f)->name##s, more, sizeof *(f)->name)

static void clear_found(Found *f, int all)
{
    for (int i = 0; f->all && i < f->chains; i++) f->of_conclusion[f->chain[i].slot] = 0;
    f->all = all;
    f->chains = f->nodes = f->strucks = f->parents = f->conclusions = 0;
}

static void free_found(Found *f)
{
    free(f->chain);
    free(f->node);
    free(f->struck);
    free(f->parent);
}

static uint64_t mix(uint64_t a, uint64_t b)
{
    a = (a ^ b) * 0x9E3779B97F4A7C15ull;
    return a ^ a >> 29;
}

static uint64_t conclusion_of(const Struck *struck, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) sum += mix(0x51ED2701u, (uint64_t)(struck[i].cell << 9 | struck[i].digits));
    return sum;
}

/* The entry for a conclusion: of its chain, or empty. */
static int32_t *entry_of(Found *f, uint64_t conclusion)
{
    uint64_t at = conclusion ^ conclusion >> 32;
    while (1) {
        int32_t *entry = &f->of_conclusion[at++ % CONCLUSIONS];
        if (!*entry || f->chain[*entry - 1].conclusion == conclusion) return entry;
    }
}

/* Whether the first goes before the second, which was found earlier. */
static int goes_before(double rating, int nodes, int kind, const Chain *other)
{
    if (rating != other->rating) return rating < other->rating;
    if (nodes != other->nodes) return nodes < other->nodes;
    return kind < other->kind;
}

/* The chain that a new one with this conclusion must go before; NULL if any will do. */
static const Chain *rival_of(Found *f, uint64_t conclusion)
{
    if (!f->all) return f->chains ? &f->chain[0] : NULL;
    int32_t entry = *entry_of(f, conclusion);
    return entry ? &f->chain[entry - 1] : NULL;
}

/* Begin a chain that has been found to go before its rival; NULL, and the search has failed, if memory
 * is short or the table of conclusions is full. */
static Chain *keep_chain(Found *f, const Struck *struck, int n, uint64_t conclusion)
{
    if (f->conclusions == CONCLUSIONS - 1 || !GROW(f, chain, 1) || !GROW(f, struck, n)) {
        f->failed = 1;
        return NULL;
    }
    if (!f->all) f->chains = f->nodes = f->strucks = f->parents = 0;
    Chain *chain = &f->chain[f->chains++];
    int32_t *entry = entry_of(f, conclusion);
    if (f->all) {
        if (*entry) f->chain[*entry - 1].lists = -1; /* replaced */
        else f->conclusions++;
        *entry = f->chains;
    }
    memcpy(f->struck + f->strucks, struck, (size_t)n * sizeof *struck);
    *chain = (Chain){.placed = -1, .slot = (int)(entry - f->of_conclusion), .first_struck = f->strucks,
                     .struck = n, .first_node = f->nodes, .conclusion = conclusion};
    f->strucks += n;
    return chain;
}

/* Append a list of nodes to the chain begun last. */
static void keep_nodes(Found *f, Chain *chain, const ChainNode *nodes, int n)
{
    if (!GROW(f, node, n)) {
        f->failed = 1;
        return;
    }
    memcpy(f->node + f->nodes, nodes, (size_t)n * sizeof *nodes);
    f->nodes += n;
    chain->length[chain->lists++] = n;
    chain->identity = mix(chain->identity, (uint64_t)n);
    for (int i = 0; i < n; i++)
        chain->identity = mix(chain->identity, (uint64_t)(2 * nodes[i].candidate + nodes[i].holds));
}

/* Note a parent of the next node that has one: its number in the list. */
static void keep_parent(Found *f, int number)
{
    if (GROW(f, parent, 1)) f->parent[f->parents++] = number;
    else f->failed = 1;
}

static int by_order(const void *a, const void *b)
{
    const Chain *x = a, *y = b;
    if (goes_before(x->rating, x->nodes, x->kind, y)) return -1;
    if (goes_before(y->rating, y->nodes, y->kind, x)) return 1;
    return x->first_node < y->first_node ? -1 : x->first_node > y->first_node;
}

/* Put the chains that were not replaced in their order. Conclusions cannot be looked up after it. */
static void sort_found(Found *f)
{
    int kept = 0;
    for (int i = 0; i < f->chains; i++)
        if (f->chain[i].lists >= 0) f->chain[kept++] = f->chain[i];
    f->chains = kept;
    if (kept) qsort(f->chain, (size_t)kept, sizeof *f->chain, by_order);
}

static void step_of_chain(const Found *f, const Chain *chain, int level, Step *step)
{
    new_step(step, chain->technique, chain->rating);
    step->level = level;
    step->placed = chain->placed;
    for (int i = 0; i < chain->struck; i++) {
        const Struck *s = &f->struck[chain->first_struck + i];
        strike_later(step, s->cell, s->digits);
    }
}

#endif
