/* What follows from a literal, as sets, without any order or reasons: enough to say that no
 * contradiction does. Closures are kept from state to state, and grow by what has gone.
 *
 * Invariant: what a closure says depends on the candidates left alone. It holds all that any number
 * of rounds of propagation draws from the literal, so that without a contradiction here there is
 * none there. Of a state that is closed itself (`is_closed`) it holds no more than that. */
#ifndef SATDOKU_LOGIC_CLOSURES_H
#define SATDOKU_LOGIC_CLOSURES_H

#include "answers.h"

typedef struct {
    uint64_t *alive, *is_true; /* a bit for each candidate; `alive`: left and not false */
    uint64_t *differs;         /* parts of which more may be lost than the state has */
    int32_t *left;             /* for each group, how many are alive */
    int32_t state;             /* up to which it has grown, by its number */
    int has_clash;
} Closure;

enum { MOST_KEPT = 1 << 26, PATIENCE = 64 };

struct Store {
    const Net *net;
    int32_t words; /* of a set of candidates */
    Answers *answers; /* of each part */
    int32_t room;     /* words that these may still take */
    uint8_t *mine, *scratch; /* for `strike` */
    int32_t *struck;
    uint64_t *live, *rest; /* rest: what a part leaves */
    int32_t states;  /* that there were */
    int is_closed;   /* whether nothing follows from the state alone */
    Closure base;    /* what follows from the state alone */
    Closure *closed; /* of literals: 2 * candidate + holds; without memory before they are asked */
    size_t used;     /* bytes of these */
    Closure trial, spare;
    int32_t *trues, *groups, *parts, *sums; /* what is still to be looked at */
    int32_t true_count, group_count, part_count, sum_count;
    uint8_t *is_group_due, *is_part_due;
    int (*is_over)(void *); /* asked now and then: whether to end without an answer */
    void *asked;
    int32_t work;
    int has_ended;
};

static void *sized(int *failed, size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory) *failed = 1;
    return memory;
}

static int has(const uint64_t *set, int32_t candidate)
{
    return set[candidate / 64] >> candidate % 64 & 1;
}

static void add_to(uint64_t *set, int32_t candidate) { set[candidate / 64] |= UINT64_C(1) << candidate % 64; }

static void take_from(uint64_t *set, int32_t candidate)
{
    set[candidate / 64] &= ~(UINT64_C(1) << candidate % 64);
}

/* How many are in one set and not in the other. */
static int32_t count_beyond(const Store *store, const uint64_t *set, const uint64_t *other)
{
    int32_t count = 0;
    for (int32_t w = 0; w < store->words; w++) count += __builtin_popcountll(set[w] & ~other[w]);
    return count;
}

/* One block for each closure, so that it is copied at once. */
static size_t closure_size(const Store *store)
{
    const size_t words = 2 * (size_t)store->words + (size_t)store->net->parts / 64 + 1;
    return words * sizeof(uint64_t) + (size_t)store->net->groups.count * sizeof(int32_t);
}

static void open_closure(const Store *store, Closure *closure, int *failed)
{
    closure->alive = sized(failed, closure_size(store), 1);
    if (!closure->alive) return;
    closure->is_true = closure->alive + store->words;
    closure->differs = closure->is_true + store->words;
    closure->left = (int32_t *)(closure->differs + store->net->parts / 64 + 1);
}

static void copy_closure(const Store *store, const Closure *from, Closure *to)
{
    memcpy(to->alive, from->alive, closure_size(store));
    to->has_clash = from->has_clash;
}

static void close_store(Store *store)
{
    if (!store) return;
    for (int32_t i = 0; store->closed && i < 2 * store->net->variables; i++) free(store->closed[i].alive);
    free(store->closed);
    free(store->base.alive);
    free(store->trial.alive);
    free(store->spare.alive);
    for (int32_t i = 0; store->answers && i < store->net->parts; i++) free(store->answers[i].kept);
    free(store->answers);
    free(store->mine);
    free(store->scratch);
    free(store->struck);
    free(store->live);
    free(store->rest);
    free(store->trues);
    free(store->groups);
    free(store->parts);
    free(store->sums);
    free(store->is_group_due);
    free(store->is_part_due);
    free(store);
}

static size_t most_struck(const Net *net)
{
    int32_t most = 0;
    for (int32_t i = 0; i < net->parts; i++) {
        const Part *part = &net->part[i];
        if (part->members > most) most = part->members;
        if (part->outside.start[2] > most) most = part->outside.start[2];
    }
    return (size_t)most;
}

static Store *open_store(const Net *net)
{
    int failed = 0;
    Store *store = sized(&failed, 1, sizeof(Store));
    if (!store) return NULL;
    store->net = net;
    store->words = (net->variables + 63) / 64;
    store->answers = sized(&failed, (size_t)net->parts, sizeof(Answers));
    store->room = MOST_WORDS;
    for (int32_t i = 0; !failed && i < net->parts; i++) store->answers[i].words = (net->part[i].members + 63) / 64;
    store->mine = sized(&failed, (size_t)net->variables, 1);
    store->scratch = sized(&failed, scratch_size(net), 1);
    store->struck = sized(&failed, most_struck(net), sizeof(int32_t));
    store->live = sized(&failed, (size_t)store->words, sizeof(uint64_t));
    store->rest = sized(&failed, (size_t)store->words, sizeof(uint64_t));
    store->closed = sized(&failed, 2 * (size_t)net->variables, sizeof(Closure));
    store->trues = sized(&failed, (size_t)net->variables, sizeof(int32_t));
    store->groups = sized(&failed, (size_t)net->groups.count, sizeof(int32_t));
    store->parts = sized(&failed, (size_t)net->parts, sizeof(int32_t));
    store->sums = sized(&failed, (size_t)net->parts, sizeof(int32_t));
    store->is_group_due = sized(&failed, (size_t)net->groups.count, 1);
    store->is_part_due = sized(&failed, (size_t)net->parts, 1);
    open_closure(store, &store->base, &failed);
    open_closure(store, &store->trial, &failed);
    open_closure(store, &store->spare, &failed);
    if (!failed) return store;
    close_store(store);
    return NULL;
}

/* Whether to end, asked now and then as work goes on. */
static int is_over(Store *store)
{
    if (!store->has_ended && ++store->work >= PATIENCE) {
        store->work = 0;
        store->has_ended = store->is_over && store->is_over(store->asked);
    }
    return store->has_ended;
}

/* Whether any of a list is left. */
static int any_left(const Net *net, int32_t first, int32_t end, const uint64_t *alive)
{
    for (int32_t k = first; k < end; k++)
        if (alive[net->masks[k].word] & net->masks[k].bits) return 1;
    return 0;
}

/* Whether a part is an overlap of two groups that both have more left than is in it: it strikes
 * nothing. */
static int is_slack(const Net *net, int32_t part, const int32_t *left)
{
    const Beside *beside = &net->beside[part];
    const int32_t *pair = net->part[part].pair;
    if (!is_overlap(net, part)) return 0;
    return left[pair[0]] > beside->shared && left[pair[1]] > beside->shared;
}

/* If one of two groups has nothing left beside their overlap, list what the other has. */
static int32_t struck_by_overlap(const Net *net, const Beside *beside, const uint64_t *alive, int32_t *struck)
{
    const int first = any_left(net, beside->first[0], beside->end[0], alive);
    const int second = any_left(net, beside->first[1], beside->end[1], alive);
    int32_t count = 0;
    for (int32_t k = beside->first[second]; first != second && k < beside->end[second]; k++)
        for (uint64_t left = alive[net->masks[k].word] & net->masks[k].bits; left; left &= left - 1)
            struck[count++] = 64 * net->masks[k].word + __builtin_ctzll(left);
    return count;
}

/* List the candidates that lack what they need, or lack it then. */
static int32_t struck_by_needs(Store *store, const Part *part, const uint64_t *alive)
{
    int32_t gone = 0, count = 0;
    memcpy(store->rest, alive, (size_t)store->words * sizeof(uint64_t));
    for (int more = 1; more;) {
        more = 0;
        for (int32_t i = 0; i < part->needs; i++) {
            if (!has(store->rest, part->needing[i])) continue;
            if (any_left(store->net, part->masked[i], part->masked[i + 1], store->rest)) continue;
            take_from(store->rest, part->needing[i]);
            more = 1;
            gone++;
        }
    }
    for (int32_t k = 0; gone && k < part->members; k++)
        if (has(alive, part->member[k]) && !has(store->rest, part->member[k]))
            store->struck[count++] = part->member[k];
    return count;
}

/* The members that a part strikes, read anew. */
static void read_anew(Store *store, const Part *part, const uint64_t *alive)
{
    for (int32_t k = 0; k < part->members; k++)
        store->mine[part->member[k]] = (uint8_t)has(alive, part->member[k]);
    strike(store->net, part, store->mine, store->scratch);
}

/* Whether what a part strikes is remembered. */
static int is_kept(const Net *net, int32_t number)
{
    const Part *part = &net->part[number];
    return !is_overlap(net, number) && !part->masked && part->members <= 64 * KEY;
}

/* The members alive, a bit for each. */
static void find_key(const Part *part, const uint64_t *alive, uint64_t *key)
{
    for (const Run *run = part->run; run < part->run + part->runs; run++)
        key[run->to / 64] |= (alive[run->word] >> run->shift & run->bits) << run->to % 64;
}

/* List in `store->struck` the candidates alive that a part strikes, ascending; how many. */
static int32_t struck_by(Store *store, int32_t number, const uint64_t *alive)
{
    if (is_overlap(store->net, number))
        return struck_by_overlap(store->net, &store->net->beside[number], alive, store->struck);
    const Part *part = &store->net->part[number];
    if (part->masked) return struck_by_needs(store, part, alive);
    int32_t count = 0;
    if (!is_kept(store->net, number)) {
        read_anew(store, part, alive);
        for (int32_t k = 0; k < part->members; k++)
            if (has(alive, part->member[k]) && !store->mine[part->member[k]])
                store->struck[count++] = part->member[k];
        return count;
    }
    Answers *answers = &store->answers[number];
    const int32_t words = answers->words;
    uint64_t key[KEY] = {0}, left[KEY] = {0};
    find_key(part, alive, key);
    if (is_same(key, answers->still, words)) return 0;
    const uint64_t *after = answer_of(answers, key);
    if (!after) {
        read_anew(store, part, alive);
        for (int32_t k = 0; k < part->members; k++)
            left[k / 64] |= (uint64_t)store->mine[part->member[k]] << k % 64;
        keep_answer(answers, key, left, &store->room);
        after = left;
    }
    for (int32_t k = 0; k < words; k++)
        for (uint64_t gone = key[k] & ~after[k]; gone; gone &= gone - 1)
            store->struck[count++] = part->member[64 * k + __builtin_ctzll(gone)];
    return count;
}

static void look_at_group(Store *store, int32_t group)
{
    if (store->is_group_due[group]) return;
    store->is_group_due[group] = 1;
    store->groups[store->group_count++] = group;
}

static void look_at_part(Store *store, int32_t part)
{
    if (store->is_part_due[part]) return;
    store->is_part_due[part] = 1;
    if (store->net->part[part].summed.count)
        store->sums[store->sum_count++] = part;
    else
        store->parts[store->part_count++] = part;
}

/* An overlap strikes only once all that one of its groups has left is in it; a part of which no more
 * is lost than the state has (`by_state`: of which the candidate is) strikes nothing. */
static void lose_candidate(Store *store, Closure *closure, int32_t candidate, int by_state)
{
    const Net *net = store->net;
    const Lists *groups = &net->groups_at, *overlaps = &net->overlaps_at, *others = &net->others_at;
    if (!has(closure->alive, candidate)) return;
    take_from(closure->alive, candidate);
    closure->has_clash |= has(closure->is_true, candidate);
    for (int32_t k = groups->start[candidate]; k < groups->start[candidate + 1]; k++) {
        const int32_t group = groups->items[k], left = --closure->left[group];
        closure->has_clash |= !left;
        if (left == 1) look_at_group(store, group);
        for (int32_t o = overlaps->start[group]; left <= net->shared[group] && o < overlaps->start[group + 1]; o++)
            look_at_part(store, overlaps->items[o]);
    }
    for (int32_t k = others->start[candidate]; k < others->start[candidate + 1]; k++) {
        if (!by_state) add_to(closure->differs, others->items[k]);
        if (has(closure->differs, others->items[k])) look_at_part(store, others->items[k]);
    }
}

static void make_true(Store *store, Closure *closure, int32_t candidate)
{
    if (has(closure->is_true, candidate)) return;
    closure->has_clash |= !has(closure->alive, candidate);
    add_to(closure->is_true, candidate);
    store->trues[store->true_count++] = candidate;
}

/* The next part to look at, sums last as they take the longest; NONE without. */
static int32_t next_part(Store *store)
{
    int32_t part = store->part_count  ? store->parts[--store->part_count]
                   : store->sum_count ? store->sums[--store->sum_count]
                                      : NONE;
    if (part != NONE) store->is_part_due[part] = 0;
    return part;
}

/* Draw what follows from what has been lost and made true, or a contradiction. */
static void close_up(Store *store, Closure *closure)
{
    const Net *net = store->net;
    while (!closure->has_clash) {
        if (store->true_count) {
            int32_t candidate = store->trues[--store->true_count];
            for (int32_t k = net->rivals.start[candidate]; k < net->rivals.start[candidate + 1]; k += 2)
                lose_candidate(store, closure, net->rivals.items[k], 0);
        } else if (store->group_count) {
            int32_t group = store->groups[--store->group_count];
            store->is_group_due[group] = 0;
            for (int32_t k = net->groups.start[group];
                 closure->left[group] == 1 && k < net->groups.start[group + 1]; k++)
                if (has(closure->alive, net->groups.items[k])) {
                    make_true(store, closure, net->groups.items[k]);
                    break;
                }
        } else {
            int32_t part = next_part(store);
            if (part == NONE) return;
            int32_t count = struck_by(store, part, closure->alive);
            for (int32_t k = 0; k < count; k++) lose_candidate(store, closure, store->struck[k], 0);
        }
    }
    while (store->group_count) store->is_group_due[store->groups[--store->group_count]] = 0;
    while (next_part(store) != NONE) continue;
    store->true_count = 0;
}

/* Add to a closure what another says that it does not. */
static void add_closure(Store *store, const Closure *other, Closure *closure)
{
    const int by_state = other == &store->base && !other->has_clash;
    for (int32_t w = 0; w < store->words; w++) {
        for (uint64_t gone = closure->alive[w] & ~other->alive[w]; gone; gone &= gone - 1)
            lose_candidate(store, closure, 64 * w + __builtin_ctzll(gone), by_state);
        for (uint64_t more = other->is_true[w] & ~closure->is_true[w]; more; more &= more - 1)
            make_true(store, closure, 64 * w + __builtin_ctzll(more));
    }
    close_up(store, closure);
}

/* Whether a state says all that follows from it by itself: then no group that a true candidate is
 * in has any other. */
static int is_closed(const Store *store)
{
    const Lists *at = &store->net->groups_at;
    const Closure *base = &store->base;
    if (base->has_clash || count_beyond(store, store->live, base->alive)) return 0;
    for (int32_t c = 0; c < store->net->variables; c++)
        for (int32_t k = at->start[c]; has(base->is_true, c) && k < at->start[c + 1]; k++)
            if (base->left[at->items[k]] != 1) return 0;
    return 1;
}

/* Begin with a state of which nothing is known. */
static void begin(Store *store)
{
    const Net *net = store->net;
    Closure *base = &store->base;
    memset(base->alive, 0, closure_size(store));
    memcpy(base->alive, store->live, (size_t)store->words * sizeof(uint64_t));
    base->has_clash = 0;
    for (int32_t g = 0; g < net->groups.count; g++) {
        for (int32_t k = net->groups.start[g]; k < net->groups.start[g + 1]; k++)
            base->left[g] += has(base->alive, net->groups.items[k]);
        base->has_clash |= !base->left[g];
        if (base->left[g] == 1) look_at_group(store, g);
    }
    for (int32_t p = 0; p < net->parts; p++) look_at_part(store, p);
    for (int32_t i = 0; i < 2 * net->variables; i++) {
        free(store->closed[i].alive);
        store->closed[i].alive = NULL;
    }
    store->used = 0;
}

/* The candidates left from now on, a byte for each. If they are some of those before, closures stay
 * and grow. */
static void enter(Store *store, const uint8_t *live)
{
    Closure *base = &store->base;
    int is_later = store->states > 0;
    for (int32_t c = 0; c < store->net->variables; c++) {
        if (!live[c] || has(store->live, c)) continue;
        is_later = 0;
        add_to(store->live, c);
    }
    for (int32_t c = 0; c < store->net->variables; c++)
        if (!live[c]) take_from(store->live, c);
    if (!is_later) begin(store);
    for (int32_t c = 0; c < store->net->variables; c++)
        if (!live[c]) lose_candidate(store, base, c, 0);
    close_up(store, base);
    for (int32_t p = 0; !base->has_clash && p < store->net->parts; p++) {
        Answers *answers = &store->answers[p];
        memset(answers->still, 0, sizeof answers->still);
        if (is_kept(store->net, p)) find_key(&store->net->part[p], base->alive, answers->still);
    }
    store->states++;
    store->is_closed = is_closed(store);
}

/* Whether a literal leads to a contradiction, and what follows from it otherwise: until the next
 * is asked, as there may be no room to keep it. NULL if memory has ended. */
static const Closure *closure_of(Store *store, int32_t literal)
{
    Closure *closure = &store->closed[literal];
    int failed = 0;
    if (closure->alive && !closure->has_clash && closure->state < store->states)
        add_closure(store, &store->base, closure);
    closure->state = store->states;
    if (closure->alive) return closure;
    if (store->used < MOST_KEPT) {
        open_closure(store, closure, &failed);
        store->used += closure_size(store);
    } else {
        closure = &store->spare;
    }
    if (failed) return NULL;
    copy_closure(store, &store->base, closure);
    memset(closure->differs, 0, ((size_t)store->net->parts / 64 + 1) * sizeof(uint64_t));
    if (literal % 2)
        make_true(store, closure, literal / 2);
    else
        lose_candidate(store, closure, literal / 2, 0);
    close_up(store, closure);
    return closure;
}

#endif
