/* Numbers of solutions with a proof: decision graphs, trees in which equal subtrees stand once.
 *
 * Law: a graph is accepted only if the number that it states is the sum over its leaves, where a
 * part that is not told again has the open clauses of the part that it names, and in each of these
 * clauses the same variables left. So both parts have as many solutions.
 *
 * For formulas without variables beside the candidates. */
#ifndef SATDOKU_TREE_COUNT_H
#define SATDOKU_TREE_COUNT_H

#include "tree.h"

/* What is told of the splits of a graph, in the order in which they begin. */
typedef struct {
    uint64_t *keys;   /* nodes, tree_key_words each: what is open, and what is left */
    uint64_t *counts; /* nodes: solutions below; UNFINISHED before all are known */
    size_t nodes, room;
} tree_nodes;

typedef struct {
    uint8_t *bytes;
    size_t length, room;
} tree_graph;

typedef enum {
    COUNT_HOLDS,
    COUNT_NO_CLAUSE, /* a split names no open clause */
    COUNT_NO_NODE,   /* a part is not told, and is not equal to the one that it names */
    COUNT_TOO_SHORT,
    COUNT_TOO_LONG,
    COUNT_TOO_DEEP,
    COUNT_TOO_MANY, /* 2^64 solutions or more */
    COUNT_NO_MEMORY,
    COUNT_ENDED, /* the caller wanted so */
} count_verdict;

/* Asked now and then: whether to end without an answer. */
typedef struct {
    int (*is_over)(void *asked);
    void *asked;
} count_watch;

size_t tree_key_words(const tree_formula *formula);
void tree_free_nodes(tree_nodes *nodes);

/* How many solutions a puzzle has: by a graph that says so, or by a search that writes one, and that
 * stops if more than `most` splits are needed. */
count_verdict count_check(const tree_formula *formula, tree_row *stack, const uint8_t *puzzle,
                          const tree_graph *graph, tree_nodes *nodes, count_watch watch,
                          uint64_t *count);
count_verdict count_make(const tree_formula *formula, tree_row *stack, const uint8_t *puzzle,
                         size_t most, tree_graph *graph, tree_nodes *nodes, count_watch watch,
                         uint64_t *count);

#endif
