#include "../../../runtime/portable.h"

#include <string.h>

#include "count.h"

static const uint64_t UNFINISHED = UINT64_MAX;

enum { PARTS_A_LOOK = 256 }; /* between two looks at the clock */

typedef struct {
    uint32_t split, node;
    uint64_t sum;
} frame;

/* Words of a row that hold clauses of cells, and words that hold any clause of a block. */
static uint32_t words_of(uint32_t clauses, uint32_t block)
{
    if (clauses <= block * TREE_BLOCK) return 0;
    const uint32_t rest = clauses - block * TREE_BLOCK;
    return rest >= TREE_BLOCK ? TREE_WORDS : (rest + 63) / 64;
}

size_t tree_key_words(const tree_formula *f)
{
    size_t words = 0;
    for (uint32_t block = 0; block < f->blocks; block++)
        words += words_of(f->clauses, block) +
                 words_of(f->cells, block) * (f->base[block + 1] - 1 - f->base[block]);
    return words;
}

/* Which clauses are open, and which candidates of open cells are left: all open clauses have only
 * such literals. */
static void write_key(const tree_formula *f, const tree_row *state, uint64_t *key)
{
    for (uint32_t block = 0; block < f->blocks; block++) {
        const uint32_t open = f->base[block + 1] - 1;
        for (uint32_t i = 0; i < words_of(f->clauses, block); i++) *key++ = state[open].word[i];
        for (uint32_t row = f->base[block]; row < open; row++)
            for (uint32_t i = 0; i < words_of(f->cells, block); i++)
                *key++ = state[row].word[i] & state[open].word[i];
    }
}

static int add_node(const tree_formula *f, tree_nodes *nodes, const tree_row *state)
{
    const size_t words = tree_key_words(f);
    if (nodes->nodes == nodes->room) {
        const size_t room = 2 * nodes->room + 1024;
        uint64_t *keys = realloc(nodes->keys, room * words * sizeof *keys);
        if (keys) nodes->keys = keys;
        uint64_t *counts = realloc(nodes->counts, room * sizeof *counts);
        if (counts) nodes->counts = counts;
        if (!keys || !counts) return 0;
        nodes->room = room;
    }
    write_key(f, state, nodes->keys + nodes->nodes * words);
    nodes->counts[nodes->nodes++] = UNFINISHED;
    return 1;
}

void tree_free_nodes(tree_nodes *nodes)
{
    free(nodes->keys);
    free(nodes->counts);
    memset(nodes, 0, sizeof *nodes);
}

static int is_solved(const tree_formula *f, const tree_row *state)
{
    for (uint32_t block = 0; block < f->blocks; block++)
        for (int i = 0; i < TREE_WORDS; i++)
            if (state[f->base[block + 1] - 1].word[i]) return 0;
    return 1;
}

/* One state a depth, and what is known of the splits above. */
typedef struct {
    const tree_formula *formula;
    tree_row *stack;
    tree_nodes *nodes;
    count_watch watch;
    frame *frames;
    uint32_t depth, parts;
} walk;

static tree_row *state_of(const walk *w)
{
    return w->stack + (size_t)w->depth * w->formula->rows;
}

/* Splits a clause, of which no child is visited yet. */
static int descend(walk *w, uint32_t clause)
{
    w->frames[w->depth++] = (frame){clause, (uint32_t)w->nodes->nodes - 1, 0};
    return 1;
}

/* Adds what was found to the sum above, and goes to the next child of the deepest split that has
 * one; 0 if there is none: then `found` is the number of all solutions. */
static int next_child(walk *w, uint64_t *found, int *fits)
{
    while (w->depth) {
        frame *top = w->frames + w->depth - 1;
        *fits = *found < UNFINISHED - top->sum;
        if (!*fits) return 0;
        top->sum += *found;
        if (tree_take(w->formula, state_of(w) - w->formula->rows, state_of(w), top->split)) return 1;
        *found = w->nodes->counts[top->node] = top->sum;
        w->depth--;
    }
    return 0;
}

/* Whether the last node, which is taken back, is like one that is finished. */
static int is_like(const walk *w, uint32_t node)
{
    const size_t words = tree_key_words(w->formula), last = --w->nodes->nodes;
    return node < last && w->nodes->counts[node] != UNFINISHED &&
           !memcmp(w->nodes->keys + node * words, w->nodes->keys + last * words,
                   words * sizeof *w->nodes->keys);
}

/* What is told of a part that is neither solved nor a contradiction: its solutions, or a split. */
typedef count_verdict (*visitor)(walk *w, void *context, uint64_t *found);

/* The number of all solutions, as far as the visits tell. */
static count_verdict sum_up(walk *w, const uint8_t *puzzle, visitor visit, void *context,
                            uint64_t *found)
{
    int holds = tree_begin(w->formula, w->stack, puzzle), fits = 1;
    do {
        if (!(++w->parts % PARTS_A_LOOK) && w->watch.is_over(w->watch.asked)) return COUNT_ENDED;
        *found = 0;
        if (holds && tree_propagate(w->formula, state_of(w))) {
            count_verdict verdict = COUNT_HOLDS;
            if (is_solved(w->formula, state_of(w)))
                *found = 1;
            else
                verdict = visit(w, context, found);
            if (verdict) return verdict;
        }
        holds = 1;
    } while (next_child(w, found, &fits));
    return fits ? COUNT_HOLDS : COUNT_TOO_MANY;
}

typedef struct {
    const uint8_t *at, *end;
} reader;

/* What the graph tells. */
static count_verdict read_part(walk *w, void *context, uint64_t *found)
{
    reader *r = context;
    uint32_t number, node;
    if (!add_node(w->formula, w->nodes, state_of(w))) return COUNT_NO_MEMORY;
    if (!tree_number(&r->at, r->end, &number)) return COUNT_TOO_SHORT;
    if (!number) {
        if (!tree_number(&r->at, r->end, &node)) return COUNT_TOO_SHORT;
        if (!is_like(w, node)) return COUNT_NO_NODE;
        *found = w->nodes->counts[node];
        return COUNT_HOLDS;
    }
    if (w->depth == w->formula->cells) return COUNT_TOO_DEEP;
    if (number > w->formula->clauses || !tree_left(w->formula, state_of(w), number - 1))
        return COUNT_NO_CLAUSE;
    descend(w, number - 1);
    return COUNT_HOLDS;
}

static walk begin(const tree_formula *f, tree_row *stack, tree_nodes *nodes, count_watch watch)
{
    nodes->nodes = 0;
    return (walk){f, stack, nodes, watch, calloc(f->cells + 1, sizeof(frame)), 0, 0};
}

count_verdict count_check(const tree_formula *f, tree_row *stack, const uint8_t *puzzle,
                          const tree_graph *graph, tree_nodes *nodes, count_watch watch,
                          uint64_t *count)
{
    walk w = begin(f, stack, nodes, watch);
    reader r = {graph->bytes, graph->bytes + graph->length};
    count_verdict verdict =
        w.frames ? sum_up(&w, puzzle, read_part, &r, count) : COUNT_NO_MEMORY;
    if (!verdict && r.at < r.end) verdict = COUNT_TOO_LONG;
    free(w.frames);
    return verdict;
}

/* The search ----------------------------------------------------------------------------------- */

/* Nodes by their keys: open addressing, 0 for none, else a node from 1. */
typedef struct {
    uint32_t *slot;
    size_t mask;
} index_of_nodes;

static uint64_t hash(const uint64_t *key, size_t words)
{
    uint64_t h = 0x9E3779B97F4A7C15;
    for (size_t i = 0; i < words; i++) {
        h = (h ^ key[i]) * 0xD6E8FEB86659FD93;
        h ^= h >> 32;
    }
    return h;
}

/* The place of a node, or of one that is like it. */
static uint32_t *slot_of(const walk *w, const index_of_nodes *index, size_t node)
{
    const size_t words = tree_key_words(w->formula);
    const uint64_t *key = w->nodes->keys + node * words;
    size_t at = hash(key, words) & index->mask;
    while (index->slot[at] && memcmp(w->nodes->keys + (index->slot[at] - 1) * words, key,
                                     words * sizeof *key))
        at = (at + 1) & index->mask;
    return index->slot + at;
}

static int grow(const walk *w, index_of_nodes *index)
{
    if (index->slot && 2 * w->nodes->nodes <= index->mask) return 1;
    const size_t size = index->slot ? 4 * (index->mask + 1) : 4096;
    free(index->slot);
    index->slot = calloc(size, sizeof *index->slot);
    index->mask = size - 1;
    if (!index->slot) return 0;
    for (size_t node = 0; node + 1 < w->nodes->nodes; node++)
        *slot_of(w, index, node) = (uint32_t)node + 1;
    return 1;
}

static int write_number(tree_graph *graph, uint32_t number)
{
    if (graph->room - graph->length < 5) {
        const size_t room = 2 * graph->room + 4096;
        uint8_t *bytes = realloc(graph->bytes, room);
        if (!bytes) return 0;
        graph->bytes = bytes, graph->room = room;
    }
    for (; number > 127; number /= 128)
        graph->bytes[graph->length++] = (uint8_t)(number % 128 + 128);
    graph->bytes[graph->length++] = (uint8_t)number;
    return 1;
}

/* The first open cell: so parts are alike as often as what is left of houses is. */
static uint32_t first_open(const walk *w)
{
    uint32_t cell = 0;
    while (!tree_left(w->formula, state_of(w), cell)) cell++;
    return cell;
}

typedef struct {
    tree_graph *graph;
    index_of_nodes index;
    size_t most; /* nodes */
} writer;

static count_verdict write_part(walk *w, void *context, uint64_t *found)
{
    writer *out = context;
    tree_graph *graph = out->graph;
    if (w->nodes->nodes > out->most || !add_node(w->formula, w->nodes, state_of(w)) ||
        !grow(w, &out->index))
        return COUNT_NO_MEMORY;
    uint32_t *slot = slot_of(w, &out->index, w->nodes->nodes - 1);
    if (*slot) {
        w->nodes->nodes--;
        *found = w->nodes->counts[*slot - 1];
        return write_number(graph, 0) && write_number(graph, *slot - 1) ? COUNT_HOLDS
                                                                        : COUNT_NO_MEMORY;
    }
    *slot = (uint32_t)w->nodes->nodes;
    const uint32_t clause = first_open(w);
    descend(w, clause);
    return write_number(graph, clause + 1) ? COUNT_HOLDS : COUNT_NO_MEMORY;
}

count_verdict count_make(const tree_formula *f, tree_row *stack, const uint8_t *puzzle, size_t most,
                         tree_graph *graph, tree_nodes *nodes, count_watch watch, uint64_t *count)
{
    walk w = begin(f, stack, nodes, watch);
    writer out = {graph, {NULL, 0}, most};
    graph->length = 0;
    const count_verdict verdict =
        w.frames ? sum_up(&w, puzzle, write_part, &out, count) : COUNT_NO_MEMORY;
    free(out.index.slot);
    free(w.frames);
    return verdict;
}
