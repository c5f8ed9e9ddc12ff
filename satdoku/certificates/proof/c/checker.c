/* Unit propagation by two watched literals. The watch lists are linked through the clauses
 * themselves, so a whole formula is a few flat arrays, and memcpy copies it.
 *
 * Invariant between steps: the trail holds every literal that unit propagation finds at top level;
 * a clause of two literals or more watches two of its literals that are not false there, unless it
 * is true for good. Deleting a clause never takes literals off the trail: they stay implied. */
#include "checker.h"

#include <stdlib.h>
#include <string.h>

enum { SIZE, NEXT_WATCH, NEXT_BUCKET = NEXT_WATCH + 2, LITERALS }; /* a clause's words */
enum { MIN_BUCKETS = 1 << 12, MAX_CLAUSE_WORDS = 1 << 30 };

struct checker {
    int32_t variables;
    int32_t buckets;   /* a power of two */
    int32_t *arena;    /* clauses; SIZE is negative in a deleted one; offset 0 is no clause */
    size_t used, room; /* words of the arena */
    int32_t *head;     /* by literal: first clause that watches it; then by hash: first of bucket */
    int8_t *value;     /* by literal: 1 true, -1 false, 0 open */
    uint32_t *seen;    /* by literal: the last `stamp` that met it */
    int32_t *trail;
    int32_t assigned, propagated, refuted;
    uint32_t stamp;
    int64_t visits;
};

/* Literals -n..n as indices 0..2n. */
#define AT(c, literal) ((literal) + (c)->variables)

static size_t literals_of(const checker *c) { return 2 * (size_t)c->variables + 1; }
static int32_t *bucket_heads(const checker *c) { return c->head + literals_of(c); }

void checker_free(checker *c)
{
    if (!c) return;
    free(c->arena), free(c->head), free(c->value), free(c->seen), free(c->trail), free(c);
}

/* A checker with the given sizes whose arrays hold zeros, or NULL. */
static checker *allocate(int32_t variables, int32_t buckets, size_t room)
{
    checker *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->variables = variables, c->buckets = buckets, c->room = room;
    c->used = 1;
    c->arena = malloc(room * sizeof *c->arena);
    c->head = calloc(literals_of(c) + (size_t)buckets, sizeof *c->head);
    c->value = calloc(literals_of(c), sizeof *c->value);
    c->seen = calloc(literals_of(c), sizeof *c->seen);
    c->trail = calloc((size_t)variables + 1, sizeof *c->trail);
    if (c->arena && c->head && c->value && c->seen && c->trail) return c;
    checker_free(c);
    return NULL;
}

static checker *duplicate(const checker *from, size_t extra)
{
    checker *c = allocate(from->variables, from->buckets, from->used + extra);
    if (!c) return NULL;
    memcpy(c->arena, from->arena, from->used * sizeof *c->arena);
    memcpy(c->head, from->head, (literals_of(c) + (size_t)c->buckets) * sizeof *c->head);
    memcpy(c->value, from->value, literals_of(c) * sizeof *c->value);
    memcpy(c->trail, from->trail, (size_t)from->assigned * sizeof *c->trail);
    c->used = from->used, c->refuted = from->refuted;
    c->assigned = from->assigned, c->propagated = from->propagated;
    return c;
}

static void assign(checker *c, int32_t literal)
{
    c->value[AT(c, literal)] = 1;
    c->value[AT(c, -literal)] = -1;
    c->trail[c->assigned++] = literal;
}

static void watch(checker *c, int32_t clause, int side)
{
    int32_t *words = c->arena + clause;
    int32_t *first = c->head + AT(c, words[LITERALS + side]);
    words[NEXT_WATCH + side] = *first;
    *first = clause;
}

/* Move the watch of `side` to a literal that is not false. Returns 0 if there is none. */
static int move_watch(checker *c, int32_t clause, int side)
{
    int32_t *words = c->arena + clause, *literals = words + LITERALS;
    for (int32_t i = 2; i < words[SIZE]; i++) {
        int32_t literal = literals[i];
        if (c->value[AT(c, literal)] < 0) continue;
        literals[i] = literals[side];
        literals[side] = literal;
        watch(c, clause, side);
        return 1;
    }
    return 0;
}

/* Visit the clauses that watch a literal that has become false. Returns 1 on a conflict. */
static int visit(checker *c, int32_t literal)
{
    int32_t *link = c->head + AT(c, literal);
    while (*link) {
        int32_t clause = *link, *words = c->arena + clause;
        int side = words[LITERALS] != literal;
        int32_t other = words[LITERALS + 1 - side], next = words[NEXT_WATCH + side];
        c->visits++;
        if (words[SIZE] < 0) {
            *link = next;
        } else if (c->value[AT(c, other)] > 0) {
            link = words + NEXT_WATCH + side;
        } else if (move_watch(c, clause, side)) {
            *link = next;
        } else if (c->value[AT(c, other)] < 0) {
            return 1;
        } else {
            assign(c, other);
            link = words + NEXT_WATCH + side;
        }
    }
    return 0;
}

static int propagate(checker *c)
{
    while (c->propagated < c->assigned)
        if (visit(c, -c->trail[c->propagated++])) return 1;
    return 0;
}

static void undo(checker *c, int32_t assigned)
{
    while (c->assigned > assigned) {
        int32_t literal = c->trail[--c->assigned];
        c->value[AT(c, literal)] = c->value[AT(c, -literal)] = 0;
    }
    c->propagated = assigned;
}

/* Whether the clause follows by unit propagation from its negation. */
static int is_implied(checker *c, const int32_t *literals, size_t size)
{
    int32_t mark = c->assigned;
    int conflict = c->refuted;
    for (size_t i = 0; i < size && !conflict; i++) {
        int8_t value = c->value[AT(c, literals[i])];
        if (value > 0) conflict = 1; /* true at top level, or a literal beside its negation */
        if (value == 0) assign(c, -literals[i]);
    }
    conflict = conflict || propagate(c);
    undo(c, mark);
    return conflict;
}

/* Stamp the clause's literals. Returns how many differ, or -1 if the clause is a tautology. */
static int32_t stamp_literals(checker *c, const int32_t *literals, size_t size)
{
    int32_t distinct = 0;
    if (++c->stamp == 0) { /* once in 2^32 clauses */
        memset(c->seen, 0, literals_of(c) * sizeof *c->seen);
        c->stamp = 1;
    }
    for (size_t i = 0; i < size; i++) {
        uint32_t *seen = c->seen + AT(c, literals[i]);
        if (c->seen[AT(c, -literals[i])] == c->stamp) return -1;
        distinct += *seen != c->stamp;
        *seen = c->stamp;
    }
    return distinct;
}

/* The first clause of the bucket of a set of distinct literals, in any order. */
static int32_t *bucket_of(checker *c, const int32_t *literals, size_t size)
{
    uint32_t hash = 0;
    for (size_t i = 0; i < size; i++) {
        uint32_t word = (uint32_t)literals[i] * 0x9e3779b1u;
        hash += word ^ word >> 15;
    }
    return bucket_heads(c) + ((hash ^ hash >> 16) & (uint32_t)(c->buckets - 1));
}

/* Copy the distinct literals of a clause to the end of the arena. Returns 0 if there is no room. */
static int store(checker *c, const int32_t *literals, size_t size)
{
    size_t needed = c->used + LITERALS + size;
    if (needed > MAX_CLAUSE_WORDS) return 0;
    if (needed > c->room) {
        size_t room = 2 * needed;
        int32_t *arena = realloc(c->arena, room * sizeof *arena);
        if (!arena) return 0;
        c->arena = arena, c->room = room;
    }
    int32_t *words = c->arena + c->used, kept = 0;
    for (size_t i = 0; i < size; i++) {
        uint32_t *seen = c->seen + AT(c, literals[i]);
        if (*seen == c->stamp) words[LITERALS + kept++] = literals[i];
        *seen = 0;
    }
    words[SIZE] = kept;
    return 1;
}

/* Bring up to two literals that are not false to the front. Returns how many. */
static int choose_watches(checker *c, int32_t *words)
{
    int open = 0;
    for (int32_t i = 0, *literals = words + LITERALS; i < words[SIZE] && open < 2; i++) {
        int32_t literal = literals[i];
        if (c->value[AT(c, literal)] < 0) continue;
        literals[i] = literals[open];
        literals[open++] = literal;
    }
    return open;
}

/* Add a clause and propagate what becomes unit. Returns 0 if memory ran out. */
static int add(checker *c, const int32_t *literals, size_t size)
{
    if (c->refuted || stamp_literals(c, literals, size) < 0) return 1;
    if (!store(c, literals, size)) return 0;
    int32_t clause = (int32_t)c->used, *words = c->arena + clause;
    int open = choose_watches(c, words);
    if (words[SIZE] > 1) {
        int32_t *bucket = bucket_of(c, words + LITERALS, (size_t)words[SIZE]);
        words[NEXT_BUCKET] = *bucket;
        *bucket = clause;
        watch(c, clause, 0), watch(c, clause, 1);
        c->used += LITERALS + (size_t)words[SIZE];
    }
    if (open == 1 && c->value[AT(c, words[LITERALS])] == 0) assign(c, words[LITERALS]);
    c->refuted = open == 0 || propagate(c);
    return 1;
}

/* Delete one clause that has these literals, if there is one. */
static void delete(checker *c, const int32_t *literals, size_t size)
{
    int32_t distinct = c->refuted ? -1 : stamp_literals(c, literals, size);
    if (distinct < 2) return; /* units stay on the trail, tautologies were never kept */
    size_t kept = 0;
    int32_t *set = malloc(size * sizeof *set);
    if (!set) return; /* keeping a clause is harmless */
    for (size_t i = 0; i < size; i++) {
        uint32_t *seen = c->seen + AT(c, literals[i]);
        if (*seen == c->stamp) set[kept++] = literals[i];
        *seen = 0;
    }
    int32_t *link = bucket_of(c, set, kept);
    for (size_t i = 0; i < kept; i++) c->seen[AT(c, set[i])] = c->stamp;
    free(set);
    for (; *link; link = c->arena + *link + NEXT_BUCKET) {
        int32_t *words = c->arena + *link, same = 0;
        if (words[SIZE] != distinct) continue;
        while (same < distinct && c->seen[AT(c, words[LITERALS + same])] == c->stamp) same++;
        if (same < distinct) continue;
        words[SIZE] = -distinct;
        *link = words[NEXT_BUCKET];
        return;
    }
}

/* The length of the clause at the start of some words, without its 0; -1 if there is none. */
static ptrdiff_t clause_length(int32_t variables, const int32_t *words, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (words[i] == 0) return (ptrdiff_t)i;
        if (words[i] > variables || words[i] < -variables) return -1;
    }
    return -1;
}

/* Add clauses one after the other. Returns an outcome, VERIFIED if all went well. */
static int add_all(checker *c, const int32_t *clauses, size_t length)
{
    for (size_t at = 0; at < length;) {
        ptrdiff_t size = clause_length(c->variables, clauses + at, length - at);
        if (size < 0) return CHECKER_MALFORMED;
        if (!add(c, clauses + at, (size_t)size)) return CHECKER_NO_MEMORY;
        at += (size_t)size + 1;
    }
    return CHECKER_VERIFIED;
}

checker *checker_load(int32_t variables, const int32_t *clauses, size_t length)
{
    int32_t buckets = MIN_BUCKETS;
    while ((size_t)buckets < length / 3 && buckets < 1 << 20) buckets *= 2;
    checker *c = allocate(variables, buckets, 3 * length + LITERALS);
    if (c && add_all(c, clauses, length) == CHECKER_VERIFIED) return c;
    checker_free(c);
    return NULL;
}

/* Take one step after the other until the empty clause is reached or a step fails. */
static int run(checker *c, const int32_t *proof, size_t length, int64_t budget, int64_t *step)
{
    for (size_t at = 0; at < length;) {
        ++*step;
        int is_delete = proof[at] == CHECKER_DELETE;
        at += (size_t)is_delete;
        ptrdiff_t size = clause_length(c->variables, proof + at, length - at);
        if (size < 0) return CHECKER_MALFORMED;
        if (is_delete) {
            delete(c, proof + at, (size_t)size);
        } else {
            if (!is_implied(c, proof + at, (size_t)size)) return CHECKER_NOT_IMPLIED;
            if (size == 0) return CHECKER_VERIFIED;
            if (!add(c, proof + at, (size_t)size)) return CHECKER_NO_MEMORY;
        }
        if (c->visits > budget) return CHECKER_OVER_BUDGET;
        at += (size_t)size + 1;
    }
    return CHECKER_NO_EMPTY;
}

int checker_check(const checker *loaded, const int32_t *extra, size_t extra_length,
                  const int32_t *proof, size_t proof_length, int64_t budget, int64_t *step)
{
    *step = 0;
    checker *c = duplicate(loaded, 1 << 14);
    if (!c) return CHECKER_NO_MEMORY;
    int outcome = add_all(c, extra, extra_length);
    if (outcome == CHECKER_VERIFIED) outcome = run(c, proof, proof_length, budget, step);
    checker_free(c);
    return outcome;
}
