/* Propagation from one literal, and the chain of what a contradiction needs.
 *
 * Invariant: it draws the same nodes as the reference, in the same order (`reference.py`, which
 * says what the rounds are). A literal becomes a node once. */
#ifndef SATDOKU_LOGIC_SEARCH_H
#define SATDOKU_LOGIC_SEARCH_H

#include "closures.h"

enum { SUPPOSED = -1 };
enum { NEEDED = 1, TRACED = 2 };
enum { OF_CASE = 100 }; /* as many nodes as it takes to begin a case */

typedef enum { FIRST, WEAK, GROUP, CLUE, BOTH, CASE } Rule;

typedef struct {
    int32_t candidate; /* NONE for a contradiction */
    int32_t holds, unit;
    Rule rule;
    int32_t at;   /* WEAK: the parent; GROUP: the group; BOTH: the candidate; CLUE: the clue;
                   * CASE: its first node among `cases` */
    int32_t when; /* CLUE: the number of nodes that there were; CASE: how many nodes it has */
} Drawn;

typedef struct {
    int32_t candidate, holds, unit;
    int32_t first, count; /* its parents, in the chain's pool */
    int32_t cases;        /* how many of the nodes behind it are its case */
} Node;

typedef struct {
    int32_t count, room;
    Node *nodes;
    int32_t used, pool_room;
    int32_t *pool;
    int failed;   /* memory has ended */
} Chain;

typedef struct {
    const Net *net;
    Store *store;
    Drawn *nodes;        /* room for every literal, and one more */
    int32_t count;
    int32_t *number; /* of the node of a literal, NONE without; 2 * candidate + holds */
    Closure now;     /* what the nodes say */
    int32_t *left_first; /* for each group, how many are live */
    int has_clash;
    Drawn clash;
    /* scratch */
    uint64_t *mine, *parts_hit; /* sets */
    uint8_t *groups_hit, *cell_done, *is_needed, *is_met;
    int32_t *order, *place;
    Chain parents; /* for `needed`: node n's are those of its nodes[n] */
    Chain cases;   /* what follows from candidates that are false by that; a parent that is not
                    * before such a candidate counts on from its number */
} Search;

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

static int open_search(Search *search, Store *store)
{
    int failed = 0;
    const Net *net = store->net;
    size_t literals = 2 * (size_t)net->variables + 2;
    memset(search, 0, sizeof *search);
    search->net = net;
    search->store = store;
    search->nodes = sized(&failed, literals, sizeof(Drawn));
    search->number = sized(&failed, literals, sizeof(int32_t));
    open_closure(store, &search->now, &failed);
    search->left_first = sized(&failed, (size_t)net->groups.count, sizeof(int32_t));
    search->groups_hit = sized(&failed, (size_t)net->groups.count, 1);
    search->parts_hit = sized(&failed, (size_t)net->parts / 64 + 1, sizeof(uint64_t));
    search->cell_done = sized(&failed, (size_t)(net->variables / net->size), 1);
    search->mine = sized(&failed, (size_t)store->words, sizeof(uint64_t));
    search->is_needed = sized(&failed, literals, 1);
    search->is_met = sized(&failed, literals, 1);
    search->order = sized(&failed, literals, sizeof(int32_t));
    search->place = sized(&failed, literals, sizeof(int32_t));
    search->parents.nodes = sized(&failed, literals, sizeof(Node));
    search->parents.room = (int32_t)literals;
    if (failed) return 0;
    for (size_t i = 0; i < literals; i++) search->number[i] = NONE;
    for (int32_t g = 0; g < net->groups.count; g++)
        for (int32_t k = net->groups.start[g]; k < net->groups.start[g + 1]; k++)
            search->left_first[g] += has(store->live, net->groups.items[k]);
    return 1;
}

static void close_search(Search *search)
{
    free(search->nodes);
    free(search->number);
    free(search->now.alive);
    free(search->left_first);
    free(search->groups_hit);
    free(search->parts_hit);
    free(search->cell_done);
    free(search->mine);
    free(search->is_needed);
    free(search->is_met);
    free(search->order);
    free(search->place);
    close_chain(&search->parents);
    close_chain(&search->cases);
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
    if (node.holds) add_to(search->now.is_true, node.candidate);
    if (!node.holds && has(search->now.alive, node.candidate)) {
        const Lists *at = &search->net->groups_at;
        take_from(search->now.alive, node.candidate);
        for (int32_t k = at->start[node.candidate]; k < at->start[node.candidate + 1]; k++)
            search->now.left[at->items[k]]--;
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
        if (has(search->now.alive, other))
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
            if (search->now.left[group] > 1) continue;
            search->groups_hit[group] = 1;
            if (group < low) low = group;
            if (group > high) high = group;
        }
    }
    for (int32_t group = low; group <= high; group++) {
        if (!search->groups_hit[group]) continue;
        search->groups_hit[group] = 0;
        if (!search->now.left[group] && !search->has_clash) {
            search->clash = (Drawn){NONE, 0, net->group_unit[group], GROUP, group, 0};
            search->has_clash = 1;
        }
        for (int32_t k = net->groups.start[group];
             search->now.left[group] == 1 && k < net->groups.start[group + 1]; k++) {
            int32_t last = net->groups.items[k];
            if (has(search->now.alive, last) && number_of(search, last, 1) == NONE) {
                draw(search, (Drawn){last, 1, net->group_unit[group], GROUP, group, 0});
                break;
            }
        }
    }
}

/* What clues strike that have lost what the nodes from `first` to `end` say. */
static void read_parts(Search *search, int32_t first, int32_t end)
{
    const Net *net = search->net;
    for (int32_t n = first; n < end; n++) {
        if (search->nodes[n].holds) continue;
        int32_t candidate = search->nodes[n].candidate;
        for (int32_t k = net->parts_at.start[candidate]; k < net->parts_at.start[candidate + 1]; k++)
            add_to(search->parts_hit, net->parts_at.items[k]);
    }
    for (int32_t w = 0; w <= net->parts / 64; w++)
        for (; search->parts_hit[w]; search->parts_hit[w] &= search->parts_hit[w] - 1) {
            const int32_t c = 64 * w + __builtin_ctzll(search->parts_hit[w]), before = search->count;
            if (is_slack(net, c, search->now.left)) continue;
            const int32_t struck = struck_by(search->store, c, search->now.alive);
            for (int32_t k = 0; k < struck; k++)
                draw(search, (Drawn){search->store->struck[k], 0, net->part[c].unit, CLUE, c, before});
        }
}

/* Add a node, and draw what follows, up to a contradiction, or in vain once there are `most`. */
static void follow(Search *search, Drawn node, int32_t rounds, int32_t most)
{
    int32_t new_true = search->count, new_false = new_true; /* the first that were not looked at */
    draw(search, node);
    while (rounds-- > 0 && search->count < most) {
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

/* Draw what follows from a literal, up to a contradiction, or in vain once there are `most` nodes. */
static void propagate_up_to(Search *search, int32_t candidate, int holds, int32_t rounds, int32_t most)
{
    const size_t words = (size_t)search->store->words, groups = (size_t)search->net->groups.count;
    for (int32_t n = 0; n < search->count; n++)
        search->number[2 * search->nodes[n].candidate + search->nodes[n].holds] = NONE;
    search->count = search->has_clash = 0;
    memcpy(search->now.alive, search->store->live, words * sizeof(uint64_t));
    memset(search->now.is_true, 0, words * sizeof(uint64_t));
    memcpy(search->now.left, search->left_first, groups * sizeof(int32_t));
    clear_chain(&search->cases);
    follow(search, (Drawn){candidate, holds, SUPPOSED, FIRST, 0, 0}, rounds, most);
}

static void propagate(Search *search, int32_t candidate, int holds, int32_t rounds)
{
    propagate_up_to(search, candidate, holds, rounds, INT32_MAX);
}

/* The nodes before `before` that say that the candidates are false. */
static void add_false(Search *search, const int32_t *candidates, int32_t count, int32_t before,
                      int32_t except)
{
    for (int32_t k = 0; k < count; k++) {
        int32_t number = number_of(search, candidates[k], 0);
        if (candidates[k] != except && has(search->store->live, candidates[k]) && number != NONE &&
            number < before)
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
    Store *store = search->store;
    memcpy(search->mine, store->live, (size_t)store->words * sizeof(uint64_t));
    for (int32_t k = 0; k < kept_count; k++) {
        int32_t candidate = search->nodes[kept[k]].candidate;
        if (candidate / search->net->size != cell) take_from(search->mine, candidate);
    }
    const int32_t gone = struck_by(store, (int32_t)(part - search->net->part), search->mine);
    for (int32_t k = 0; k < gone; k++) take_from(search->mine, store->struck[k]);
    for (int32_t k = 0; k < count; k++)
        if (has(search->mine, search->nodes[struck[k]].candidate)) return 0;
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

/* What the case of a node needs that was there before it. */
static void add_parents_of_case(Search *search, const Drawn *node, int32_t number)
{
    const Chain *cases = &search->cases;
    for (int32_t n = node->at; n < node->at + node->when; n++)
        for (int32_t k = 0; k < cases->nodes[n].count; k++) {
            int32_t parent = cases->pool[cases->nodes[n].first + k];
            if (parent >= number || search->is_met[parent]) continue;
            search->is_met[parent] = 1;
            add_parent(&search->parents, parent);
        }
    memset(search->is_met, 0, (size_t)number);
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
    if (node->rule == CASE) add_parents_of_case(search, node, number);
    if (!search->parents.failed && search->parents.used > first) {
        qsort(search->parents.pool + first, (size_t)(search->parents.used - first), sizeof(int32_t),
              ascending);
        if (node->rule == CLUE)
            keep_needed(search, &net->part[node->at], struck, count, first);
    }
    return (Node){node->candidate, node->holds, node->unit, first, search->parents.used - first, 0};
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

/* Add to the chain the case of node `number`, which has its new number in `place`. */
static void add_case(Search *search, int32_t number, Chain *chain)
{
    const Drawn *drawn = &search->nodes[number];
    for (int32_t n = drawn->at; n < drawn->at + drawn->when; n++) {
        Node node = search->cases.nodes[n];
        int32_t first = node.first;
        node.first = chain->used;
        for (int32_t k = 0; k < node.count; k++) {
            int32_t parent = search->cases.pool[first + k];
            add_parent(chain, parent < number ? search->place[parent]
                                              : search->place[number] + parent - number);
        }
        add_node(chain, node);
    }
}

/* Add to a chain the nodes that one needs, from `mark` on and in order, and that one: a node of the
 * search, by its number, or else its clash. Those before `mark` keep their numbers. */
static void needed_from(Search *search, int32_t mark, int32_t last, Chain *chain)
{
    int32_t count = mark;
    if (last == search->count) search->nodes[last] = search->clash;
    search->parents.used = 0;
    memset(search->is_needed, 0, (size_t)last);
    Node end = with_parents(search, &search->nodes[last], last, &last, 1);
    search->parents.nodes[last] = end;
    mark_needed(search, &end);
    for (int32_t n = last - 1; n >= mark; n--)
        if (search->is_needed[n] == NEEDED) trace(search, n);
    for (int32_t n = 0; n < mark; n++) search->place[n] = n;
    for (int32_t n = mark; n <= last && !search->parents.failed; n++) {
        if (n < last && !search->is_needed[n]) continue;
        search->place[n] = count++;
        Node node = search->parents.nodes[n];
        node.first = chain->used;
        if (search->nodes[n].rule == CASE) node.cases = search->nodes[n].when;
        for (int32_t k = 0; k < node.count; k++)
            add_parent(chain, search->place[search->parents.pool[search->parents.nodes[n].first + k]]);
        add_node(chain, node);
        if (node.cases) add_case(search, n, chain);
    }
    chain->failed |= search->parents.failed;
}

static void needed(Search *search, int32_t last, Chain *chain)
{
    needed_from(search, 0, last, chain);
}

/* Whether a candidate is undecided, and was before, in a group with at most `few` left. */
static int is_of_few(const Search *search, int32_t candidate, int32_t few)
{
    const Lists *at = &search->net->groups_at;
    int is_few = 0;
    if (!has(search->now.alive, candidate) || number_of(search, candidate, 1) != NONE) return 0;
    for (int32_t k = at->start[candidate]; k < at->start[candidate + 1]; k++) {
        if (search->left_first[at->items[k]] == 1) return 0;
        is_few |= search->now.left[at->items[k]] <= few;
    }
    return is_few;
}

/* Forget the nodes from `mark` on. */
static void take_back(Search *search, int32_t mark)
{
    const Lists *at = &search->net->groups_at;
    while (search->count > mark) {
        const Drawn *node = &search->nodes[--search->count];
        search->number[2 * node->candidate + node->holds] = NONE;
        if (node->holds) {
            take_from(search->now.is_true, node->candidate);
            continue;
        }
        add_to(search->now.alive, node->candidate);
        for (int32_t k = at->start[node->candidate]; k < at->start[node->candidate + 1]; k++)
            search->now.left[at->items[k]]++;
    }
    search->has_clash = 0;
}

/* How many nodes are drawn from a candidate after those that there are; NONE if a contradiction is. */
static int32_t nodes_without_clash(Search *search, int32_t candidate)
{
    Store *store = search->store;
    Closure *trial = &store->trial;
    const Closure *own = closure_of(store, 2 * candidate + 1);
    if (!store->is_closed || !own || own->has_clash) return NONE;
    copy_closure(store, &search->now, trial);
    trial->has_clash = 0;
    for (int32_t w = 0; w < store->words; w++) trial->is_true[w] |= store->base.is_true[w];
    int32_t known = count_beyond(store, trial->is_true, search->now.is_true);
    add_closure(store, own, trial);
    if (trial->has_clash) return NONE;
    return count_beyond(store, search->now.alive, trial->alive) - known +
           count_beyond(store, trial->is_true, search->now.is_true) + has(store->base.is_true, candidate);
}

/* Suppose a candidate; if that cannot be, it is false. How many nodes it took. */
static int32_t ask_case(Search *search, int32_t candidate)
{
    int32_t without = nodes_without_clash(search, candidate);
    if (without != NONE) return OF_CASE + without;
    int32_t mark = search->count, first = search->cases.count;
    follow(search, (Drawn){candidate, 1, SUPPOSED, FIRST, 0, 0}, INT32_MAX, INT32_MAX);
    int32_t drawn = OF_CASE + search->count - mark;
    int is_false = search->has_clash;
    if (is_false) needed_from(search, mark, search->count, &search->cases);
    take_back(search, mark);
    if (is_false) {
        int32_t count = search->cases.count - first;
        follow(search, (Drawn){candidate, 0, SUPPOSED, CASE, first, count}, INT32_MAX, INT32_MAX);
    }
    return drawn;
}

/* Suppose candidates of groups with few left, and draw what follows if they cannot be; again while
 * any is found, up to so many nodes. How many it took. */
static int32_t ask_cases(Search *search, int32_t few, int32_t most)
{
    int32_t drawn = 0;
    for (int is_new = 1; is_new;) {
        is_new = 0;
        for (int32_t c = 0; c < search->net->variables; c++) {
            if (search->has_clash || drawn >= most || search->cases.failed) return drawn;
            if (!is_of_few(search, c, few)) continue;
            if (is_over(search->store)) return drawn;
            int32_t before = search->count;
            drawn += ask_case(search, c);
            is_new |= search->count > before;
        }
    }
    return drawn;
}

/* The literals tried that were refuted with the least effort: how many nodes it took. */
enum { MOST_CHAINS = 12 };

typedef struct {
    int32_t count;
    int32_t literal[MOST_CHAINS], effort[MOST_CHAINS];
} Refuted;

/* The least effort of a further one that is not kept. */
static int32_t least_too_long(const Refuted *found)
{
    int32_t most = 0;
    for (int32_t i = 0; i < found->count; i++)
        if (found->effort[i] > most) most = found->effort[i];
    return found->count < MOST_CHAINS ? INT32_MAX : most;
}

/* Literals come in order; of equal effort the first is kept. */
static void keep_easiest(Refuted *found, int32_t literal, int32_t effort)
{
    int32_t worst = 0;
    if (found->count == MOST_CHAINS) {
        for (int32_t i = 1; i < MOST_CHAINS; i++)
            if (found->effort[i] >= found->effort[worst]) worst = i;
        if (found->effort[worst] <= effort) return;
        found->count--;
        for (int32_t i = worst; i < found->count; i++) {
            found->literal[i] = found->literal[i + 1];
            found->effort[i] = found->effort[i + 1];
        }
    }
    found->literal[found->count] = literal;
    found->effort[found->count++] = effort;
}

/* Add to the chain, one behind the other, contradictions that follow within the rounds from the
 * candidates tried, those of least effort. 0 if memory has ended. */
static int refute(Store *store, const uint8_t *tried, int32_t rounds, Chain *chains)
{
    Search search;
    Refuted found = {0};
    int ok = open_search(&search, store);
    for (int32_t c = 0; ok && c < store->net->variables && !is_over(store); c++) {
        if (!tried[c] || !has(store->live, c)) continue;
        const Closure *closure = closure_of(store, 2 * c + 1);
        ok = closure != NULL;
        if (!ok || !closure->has_clash) continue;
        propagate_up_to(&search, c, 1, rounds, least_too_long(&found));
        if (search.has_clash) keep_easiest(&found, 2 * c + 1, search.count);
    }
    for (int32_t i = 0; ok && i < found.count; i++) {
        propagate(&search, found.literal[i] / 2, 1, rounds);
        needed(&search, search.count, chains);
        ok = !chains->failed;
    }
    close_search(&search);
    return ok;
}

/* How far a candidate reaches: nodes that follow from it. */
typedef struct {
    int32_t candidate, nodes;
} Reach;

static int by_reach(const void *a, const void *b)
{
    const Reach *x = a, *y = b;
    if (x->nodes != y->nodes) return (x->nodes < y->nodes) - (x->nodes > y->nodes);
    return (x->candidate > y->candidate) - (x->candidate < y->candidate);
}

enum { MOST_BY_CASES = 3, MOST_DRAWN = 20000000 };

/* How many nodes are drawn from a candidate, up to a contradiction. */
static int32_t reach_of(Search *search, int32_t candidate)
{
    Store *store = search->store;
    const Closure *closure = closure_of(store, 2 * candidate + 1), *base = &store->base;
    if (store->is_closed && closure && !closure->has_clash && !has(base->is_true, candidate))
        return count_beyond(store, base->alive, closure->alive) +
               count_beyond(store, closure->is_true, base->is_true);
    propagate(search, candidate, 1, INT32_MAX);
    return search->count;
}

/* Add to the chain contradictions by cases of the candidates tried, those first from which most
 * follows. 0 if memory has ended. */
static int refute_by_cases(Store *store, const uint8_t *tried, int32_t few, Chain *chains)
{
    Search search;
    int failed = 0;
    const int32_t variables = store->net->variables;
    Reach *reach = sized(&failed, (size_t)variables, sizeof(Reach));
    int32_t count = 0, found = 0, left = MOST_DRAWN;
    int ok = open_search(&search, store) && !failed;
    for (int32_t c = 0; ok && c < variables && !is_over(store); c++)
        if (tried[c] && has(store->live, c)) reach[count++] = (Reach){c, reach_of(&search, c)};
    if (ok) qsort(reach, (size_t)count, sizeof(Reach), by_reach);
    for (int32_t i = 0; ok && i < count && left > 0 && found < MOST_BY_CASES && !is_over(store); i++) {
        propagate(&search, reach[i].candidate, 1, INT32_MAX);
        left -= ask_cases(&search, few, left);
        if (search.has_clash) {
            needed(&search, search.count, chains);
            found++;
        }
        ok = !(chains->failed || search.cases.failed);
    }
    free(reach);
    close_search(&search);
    return ok;
}

#endif
