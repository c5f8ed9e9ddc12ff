/* Propagation from one literal, and the chain of what a contradiction needs.
 *
 * Invariant: it draws the same nodes as the reference, in the same order (`reference.py`, which
 * says what the rounds are). A literal becomes a node once. */
#ifndef SATDOKU_LOGIC_SEARCH_H
#define SATDOKU_LOGIC_SEARCH_H

#include "net.h"

enum { SUPPOSED = -1, NONE = -1 };
enum { NEEDED = 1, TRACED = 2 };

typedef enum { FIRST, WEAK, GROUP, CLUE, BOTH } Rule;

typedef struct {
    int32_t candidate; /* NONE for a contradiction */
    int32_t holds, unit;
    Rule rule;
    int32_t at;   /* WEAK: the parent; GROUP: the group; BOTH: the candidate; CLUE: the clue */
    int32_t when; /* CLUE: the number of nodes that there were */
} Drawn;

typedef struct {
    int32_t candidate, holds, unit;
    int32_t first, count; /* its parents, in the chain's pool */
} Node;

typedef struct {
    int32_t count, room;
    Node *nodes;
    int32_t used, pool_room;
    int32_t *pool;
    int32_t cost; /* of the best */
    int failed;   /* memory has ended */
} Chain;

typedef struct {
    const Net *net;
    const uint8_t *live; /* a byte for each candidate */
    Drawn *nodes;        /* room for every literal, and one more */
    int32_t count;
    int32_t *number; /* of the node of a literal, NONE without; 2 * candidate + holds */
    uint8_t *alive;  /* live and not false */
    int32_t *left, *left_first; /* for each group, how many are alive; and live */
    int has_clash;
    Drawn clash;
    /* scratch */
    uint8_t *groups_hit, *parts_hit, *cell_done, *mine, *scratch, *is_needed;
    int32_t *order, *place;
    Chain parents; /* for `needed`: node n's are those of its nodes[n] */
} Search;

static void *sized(int *failed, size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory) *failed = 1;
    return memory;
}

/* Room for `more` further items. */
static int grow(void **items, int32_t used, int32_t *room, int32_t more, size_t size)
{
    if (more <= *room - used) return 1;
    int64_t wanted = 2 * ((int64_t)used + more) + 64;
    void *grown = wanted > INT32_MAX ? NULL : realloc(*items, (size_t)wanted * size);
    if (!grown) return 0;
    *items = grown;
    *room = (int32_t)wanted;
    return 1;
}

static void add_parent(Chain *chain, int32_t parent)
{
    if (!grow((void **)&chain->pool, chain->used, &chain->pool_room, 1, sizeof(int32_t)))
        chain->failed = 1;
    else
        chain->pool[chain->used++] = parent;
}

static void add_node(Chain *chain, Node node)
{
    if (!grow((void **)&chain->nodes, chain->count, &chain->room, 1, sizeof(Node)))
        chain->failed = 1;
    else
        chain->nodes[chain->count++] = node;
}

static void clear_chain(Chain *chain)
{
    chain->count = chain->used = 0;
}

static void close_chain(Chain *chain)
{
    free(chain->nodes);
    free(chain->pool);
}

static int open_search(Search *search, const Net *net, const uint8_t *live)
{
    int failed = 0;
    size_t literals = 2 * (size_t)net->variables + 2;
    memset(search, 0, sizeof *search);
    search->net = net;
    search->live = live;
    search->nodes = sized(&failed, literals, sizeof(Drawn));
    search->number = sized(&failed, literals, sizeof(int32_t));
    search->alive = sized(&failed, (size_t)net->variables, 1);
    search->left = sized(&failed, (size_t)net->groups.count, sizeof(int32_t));
    search->left_first = sized(&failed, (size_t)net->groups.count, sizeof(int32_t));
    search->groups_hit = sized(&failed, (size_t)net->groups.count, 1);
    search->parts_hit = sized(&failed, (size_t)net->parts, 1);
    search->cell_done = sized(&failed, (size_t)(net->variables / net->size), 1);
    search->mine = sized(&failed, (size_t)net->variables, 1);
    search->scratch = sized(&failed, scratch_size(net), 1);
    search->is_needed = sized(&failed, literals, 1);
    search->order = sized(&failed, literals, sizeof(int32_t));
    search->place = sized(&failed, literals, sizeof(int32_t));
    search->parents.nodes = sized(&failed, literals, sizeof(Node));
    search->parents.room = (int32_t)literals;
    if (failed) return 0;
    for (size_t i = 0; i < literals; i++) search->number[i] = NONE;
    for (int32_t g = 0; g < net->groups.count; g++)
        for (int32_t k = net->groups.start[g]; k < net->groups.start[g + 1]; k++)
            search->left_first[g] += live[net->groups.items[k]];
    return 1;
}

static void close_search(Search *search)
{
    free(search->nodes);
    free(search->number);
    free(search->alive);
    free(search->left);
    free(search->left_first);
    free(search->groups_hit);
    free(search->parts_hit);
    free(search->cell_done);
    free(search->mine);
    free(search->scratch);
    free(search->is_needed);
    free(search->order);
    free(search->place);
    close_chain(&search->parents);
}

static int32_t number_of(const Search *search, int32_t candidate, int holds)
{
    return search->number[2 * candidate + holds];
}

/* The opposite makes a contradiction. */
static void draw(Search *search, Drawn node)
{
    search->number[2 * node.candidate + node.holds] = search->count;
    search->nodes[search->count++] = node;
    if (!node.holds && search->alive[node.candidate]) {
        const Lists *at = &search->net->groups_at;
        search->alive[node.candidate] = 0;
        for (int32_t k = at->start[node.candidate]; k < at->start[node.candidate + 1]; k++)
            search->left[at->items[k]]--;
    }
    if (!search->has_clash && number_of(search, node.candidate, !node.holds) != NONE) {
        int32_t denied = number_of(search, node.candidate, 0);
        search->clash = (Drawn){NONE, 0, search->nodes[denied].unit, BOTH, node.candidate, 0};
        search->has_clash = 1;
    }
}

static void exclude(Search *search, int32_t number)
{
    const Lists *rivals = &search->net->rivals;
    int32_t candidate = search->nodes[number].candidate;
    for (int32_t k = rivals->start[candidate]; k < rivals->start[candidate + 1]; k += 2) {
        int32_t other = rivals->items[k];
        if (search->alive[other])
            draw(search, (Drawn){other, 0, rivals->items[k + 1], WEAK, number, 0});
    }
}

/* Groups that have lost what the nodes from `first` on say: the last candidate left is true. */
static void force(Search *search, int32_t first)
{
    const Net *net = search->net;
    int32_t end = search->count, low = net->groups.count, high = -1;
    for (int32_t n = first; n < end; n++) {
        if (search->nodes[n].holds) continue;
        int32_t candidate = search->nodes[n].candidate;
        for (int32_t k = net->groups_at.start[candidate]; k < net->groups_at.start[candidate + 1];
             k++) {
            int32_t group = net->groups_at.items[k];
            if (search->left[group] > 1) continue;
            search->groups_hit[group] = 1;
            if (group < low) low = group;
            if (group > high) high = group;
        }
    }
    for (int32_t group = low; group <= high; group++) {
        if (!search->groups_hit[group]) continue;
        search->groups_hit[group] = 0;
        if (!search->left[group] && !search->has_clash) {
            search->clash = (Drawn){NONE, 0, net->group_unit[group], GROUP, group, 0};
            search->has_clash = 1;
        }
        for (int32_t k = net->groups.start[group];
             search->left[group] == 1 && k < net->groups.start[group + 1]; k++) {
            int32_t last = net->groups.items[k];
            if (search->alive[last] && number_of(search, last, 1) == NONE) {
                draw(search, (Drawn){last, 1, net->group_unit[group], GROUP, group, 0});
                break;
            }
        }
    }
}

static void copy_members(const Part *part, const uint8_t *from, uint8_t *to)
{
    for (int32_t k = 0; k < part->members; k++) to[part->member[k]] = from[part->member[k]];
}

/* What clues strike that have lost what the nodes from `first` to `end` say. */
static void read_parts(Search *search, int32_t first, int32_t end)
{
    const Net *net = search->net;
    for (int32_t n = first; n < end; n++) {
        if (search->nodes[n].holds) continue;
        int32_t candidate = search->nodes[n].candidate;
        for (int32_t k = net->parts_at.start[candidate]; k < net->parts_at.start[candidate + 1]; k++)
            search->parts_hit[net->parts_at.items[k]] = 1;
    }
    for (int32_t c = 0; c < net->parts; c++) {
        if (!search->parts_hit[c]) continue;
        search->parts_hit[c] = 0;
        const Part *part = &net->part[c];
        int32_t count = search->count;
        copy_members(part, search->alive, search->mine);
        strike(net, part, search->mine, search->scratch);
        for (int32_t k = 0; k < part->members; k++) {
            int32_t candidate = part->member[k];
            if (search->alive[candidate] && !search->mine[candidate])
                draw(search, (Drawn){candidate, 0, part->unit, CLUE, c, count});
        }
    }
}

/* Draw what follows from a literal, up to a contradiction. */
static void propagate(Search *search, int32_t candidate, int holds, int32_t rounds)
{
    const Net *net = search->net;
    for (int32_t n = 0; n < search->count; n++)
        search->number[2 * search->nodes[n].candidate + search->nodes[n].holds] = NONE;
    search->count = search->has_clash = 0;
    memcpy(search->alive, search->live, (size_t)net->variables);
    memcpy(search->left, search->left_first, (size_t)net->groups.count * sizeof(int32_t));
    draw(search, (Drawn){candidate, holds, SUPPOSED, FIRST, 0, 0});
    int32_t new_true = 0, new_false = 0; /* the first nodes that have not been looked at */
    while (rounds-- > 0) {
        int32_t end = search->count;
        for (int32_t n = new_true; n < end; n++)
            if (search->nodes[n].holds) exclude(search, n);
        new_true = search->count;
        force(search, new_false);
        int32_t read = search->count;
        read_parts(search, new_false, read);
        force(search, read);
        new_false = read;
        if (search->has_clash || search->count == new_true) return;
    }
}

/* The nodes before `before` that say that the candidates are false. */
static void add_false(Search *search, const int32_t *candidates, int32_t count, int32_t before,
                      int32_t except)
{
    for (int32_t k = 0; k < count; k++) {
        int32_t number = number_of(search, candidates[k], 0);
        if (candidates[k] != except && search->live[candidates[k]] && number != NONE && number < before)
            add_parent(&search->parents, number);
    }
}

static int ascending(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Whether the clue strikes what nodes `struck` say if of all false candidates only those of nodes
 * `kept` are gone, less those in `cell`. */
static int still_strikes(Search *search, const Part *part, const int32_t *struck, int32_t count,
                         const int32_t *kept, int32_t kept_count, int32_t cell)
{
    copy_members(part, search->live, search->mine);
    for (int32_t k = 0; k < kept_count; k++) {
        int32_t candidate = search->nodes[kept[k]].candidate;
        if (candidate / search->net->size != cell) search->mine[candidate] = 0;
    }
    strike(search->net, part, search->mine, search->scratch);
    for (int32_t k = 0; k < count; k++)
        if (search->mine[search->nodes[struck[k]].candidate]) return 0;
    return 1;
}

/* Of the parents of a clue's strike, from `first` on in the pool and ascending, those that it needs:
 * cell by cell, that of the latest first. */
static void keep_needed(Search *search, const Part *part, const int32_t *struck, int32_t count,
                        int32_t first)
{
    int32_t *kept = search->parents.pool + first, size = search->net->size;
    int32_t left = search->parents.used - first, next = left - 1;
    while (next >= 0) {
        int32_t cell = search->nodes[kept[next]].candidate / size;
        if (still_strikes(search, part, struck, count, kept, left, cell)) {
            int32_t fewer = 0;
            for (int32_t k = 0; k < left; k++)
                if (search->nodes[kept[k]].candidate / size != cell) kept[fewer++] = kept[k];
            left = fewer;
        } else { /* moved to the end, so that it is not asked again */
            search->cell_done[cell] = 1;
        }
        next = left - 1;
        while (next >= 0 && search->cell_done[search->nodes[kept[next]].candidate / size]) next--;
    }
    for (int32_t k = 0; k < left; k++) search->cell_done[search->nodes[kept[k]].candidate / size] = 0;
    search->parents.used = first + left;
}

/* Add the parents of a node to the pool; of a clue's strike those that `struck` nodes need. */
static Node with_parents(Search *search, const Drawn *node, int32_t number, const int32_t *struck,
                         int32_t count)
{
    const Net *net = search->net;
    int32_t first = search->parents.used;
    if (node->rule == WEAK) add_parent(&search->parents, node->at);
    if (node->rule == BOTH)
        for (int holds = 0; holds < 2; holds++)
            add_parent(&search->parents, number_of(search, node->at, holds));
    if (node->rule == GROUP)
        add_false(search, net->groups.items + net->groups.start[node->at],
                  net->groups.start[node->at + 1] - net->groups.start[node->at], number,
                  node->holds ? node->candidate : NONE);
    if (node->rule == CLUE) {
        const Part *part = &net->part[node->at];
        add_false(search, part->member, part->members, node->when, NONE);
    }
    if (!search->parents.failed && search->parents.used > first) {
        qsort(search->parents.pool + first, (size_t)(search->parents.used - first), sizeof(int32_t),
              ascending);
        if (node->rule == CLUE)
            keep_needed(search, &net->part[node->at], struck, count, first);
    }
    return (Node){node->candidate, node->holds, node->unit, first, search->parents.used - first};
}

static void mark_needed(Search *search, const Node *node)
{
    for (int32_t k = node->first; k < node->first + node->count; k++)
        search->is_needed[search->parents.pool[k]] |= NEEDED;
}

/* The parents of a needed node; a clue's strike has one reason for all that is needed of it. */
static void trace(Search *search, int32_t number)
{
    const Drawn *node = &search->nodes[number];
    int32_t count = 0;
    search->order[count++] = number;
    for (int32_t n = number - 1; node->rule == CLUE && n >= node->when; n--)
        if (search->is_needed[n] && search->nodes[n].rule == CLUE &&
            search->nodes[n].at == node->at && search->nodes[n].when == node->when)
            search->order[count++] = n;
    Node found = with_parents(search, node, number, search->order, count);
    for (int32_t k = 0; k < count; k++) {
        Node *one = &search->parents.nodes[search->order[k]];
        *one = found;
        one->candidate = search->nodes[search->order[k]].candidate;
        search->is_needed[search->order[k]] = TRACED;
    }
    mark_needed(search, &found);
}

/* Add to a chain the nodes that one needs, in order, and that one: a node of the search, by its
 * number, or else its clash. */
static void needed(Search *search, int32_t last, Chain *chain)
{
    int32_t count = 0;
    if (last == search->count) search->nodes[last] = search->clash;
    search->parents.used = 0;
    memset(search->is_needed, 0, (size_t)last);
    Node end = with_parents(search, &search->nodes[last], last, &last, 1);
    search->parents.nodes[last] = end;
    mark_needed(search, &end);
    for (int32_t n = last - 1; n >= 0; n--)
        if (search->is_needed[n] == NEEDED) trace(search, n);
    for (int32_t n = 0; n <= last && !search->parents.failed; n++) {
        if (n < last && !search->is_needed[n]) continue;
        search->place[n] = count++;
        Node node = search->parents.nodes[n];
        node.first = chain->used;
        for (int32_t k = 0; k < node.count; k++)
            add_parent(chain, search->place[search->parents.pool[search->parents.nodes[n].first + k]]);
        add_node(chain, node);
    }
    chain->failed |= search->parents.failed;
}

/* Whether a clue strikes the candidate of a chain's node because of others that are false. */
static int is_strike(const Chain *chain, const Node *node)
{
    if (node->holds || node->unit == SUPPOSED) return 0;
    for (int32_t k = 0; k < node->count; k++)
        if (chain->nodes[chain->pool[node->first + k]].holds) return 0;
    return 1;
}

static int same_reason(const Chain *chain, const Node *a, const Node *b)
{
    return a->unit == b->unit && a->count == b->count &&
           !memcmp(chain->pool + a->first, chain->pool + b->first, (size_t)a->count * sizeof(int32_t));
}

/* What becomes true, and how often a clue strikes. */
static int32_t cost_of(const Chain *chain)
{
    int32_t cost = 0;
    for (int32_t n = 0; n < chain->count; n++) {
        const Node *node = &chain->nodes[n];
        cost += node->holds;
        if (n == chain->count - 1 || !is_strike(chain, node)) continue;
        int is_new = 1;
        for (int32_t m = 0; m < n && is_new; m++)
            is_new = !(is_strike(chain, &chain->nodes[m]) && same_reason(chain, &chain->nodes[m], node));
        cost += is_new;
    }
    return cost;
}

/* Keep the cheaper of two chains in `best`, the first if they are equal. */
static void keep_cheaper(Chain *best, Chain *found)
{
    int32_t cost = cost_of(found);
    if (best->count && best->cost < cost) return;
    if (best->count && best->cost == cost && best->count <= found->count) return;
    Chain other = *best;
    *best = *found;
    *found = other;
    best->cost = cost;
}

/* The cheapest contradiction from one of the candidates tried; without nodes if there is none.
 * 0 if memory has ended. */
static int refute(const Net *net, const uint8_t *live, const uint8_t *tried, int32_t rounds, Chain *best)
{
    Search search;
    Chain found = {0};
    int ok = open_search(&search, net, live);
    for (int32_t c = 0; ok && c < net->variables; c++) {
        if (!tried[c] || !live[c]) continue;
        propagate(&search, c, 1, rounds);
        if (!search.has_clash) continue;
        clear_chain(&found);
        needed(&search, search.count, &found);
        ok = !found.failed;
        if (ok) keep_cheaper(best, &found);
    }
    close_chain(&found);
    close_search(&search);
    return ok;
}

#endif
