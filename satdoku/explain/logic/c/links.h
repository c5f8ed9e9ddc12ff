/* Forcing chains: what one round of propagation draws from one literal is a link, and links are
 * joined until they contradict each other.
 *
 * Invariant: as the reference, literal by literal in the order in which they are met. */
#ifndef SATDOKU_LOGIC_LINKS_H
#define SATDOKU_LOGIC_LINKS_H

#include "search.h"

typedef struct {
    const Net *net;
    Search search;
    int32_t literals;
    int32_t *first, *count; /* of each literal, its consequences in `links`; NONE before it is asked */
    uint8_t *clashes;       /* whether it leads to a contradiction by itself */
    int32_t used, room;
    int32_t *links;
    int32_t *came, *waiting, *left; /* from which literal; in which order; alive in each group */
    uint8_t *is_needed;
    Chain link;
    int32_t *number, *place; /* of a literal in the joined chain; of a node of a link */
    int32_t *ends;           /* of a contradiction */
    int failed;
} Links;

static int open_links(Links *links, Store *store)
{
    const Net *net = store->net;
    memset(links, 0, sizeof *links);
    links->net = net;
    links->literals = 2 * net->variables;
    size_t count = (size_t)links->literals + 2;
    links->failed = !open_search(&links->search, store);
    links->first = sized(&links->failed, count, sizeof(int32_t));
    links->count = sized(&links->failed, count, sizeof(int32_t));
    links->clashes = sized(&links->failed, count, 1);
    links->came = sized(&links->failed, count, sizeof(int32_t));
    links->waiting = sized(&links->failed, count, sizeof(int32_t));
    links->left = sized(&links->failed, (size_t)net->groups.count, sizeof(int32_t));
    links->is_needed = sized(&links->failed, count, 1);
    links->number = sized(&links->failed, count, sizeof(int32_t));
    links->place = sized(&links->failed, count, sizeof(int32_t));
    links->ends = sized(&links->failed, count, sizeof(int32_t));
    for (size_t i = 0; !links->failed && i < count; i++) links->first[i] = NONE;
    return !links->failed;
}

static void close_links(Links *links)
{
    close_search(&links->search);
    free(links->first);
    free(links->count);
    free(links->clashes);
    free(links->links);
    free(links->came);
    free(links->waiting);
    free(links->left);
    free(links->is_needed);
    free(links->number);
    free(links->place);
    free(links->ends);
    close_chain(&links->link);
}

/* Draw the consequences of a literal, once. */
static void ask(Links *links, int32_t literal)
{
    Search *search = &links->search;
    if (links->first[literal] != NONE) return;
    propagate(search, literal / 2, literal % 2, 1);
    if (!grow((void **)&links->links, links->used, &links->room, search->count, sizeof(int32_t))) {
        links->failed = 1;
        return;
    }
    links->first[literal] = links->used;
    links->count[literal] = search->count - 1;
    links->clashes[literal] = (uint8_t)search->has_clash;
    for (int32_t n = 1; n < search->count; n++)
        links->links[links->used++] = 2 * search->nodes[n].candidate + search->nodes[n].holds;
}

/* Add what is new in the link to the chain. */
static void join(Links *links, Chain *chain)
{
    const Chain *link = &links->link;
    for (int32_t n = 0; n < link->count; n++) {
        Node node = link->nodes[n];
        int32_t literal = node.candidate == NONE ? links->literals : 2 * node.candidate + node.holds;
        if (links->number[literal] == NONE) {
            links->number[literal] = chain->count;
            int32_t first = chain->used;
            for (int32_t k = 0; k < node.count; k++)
                add_parent(chain, links->place[link->pool[node.first + k]]);
            if (chain->failed) return;
            qsort(chain->pool + first, (size_t)node.count, sizeof(int32_t), ascending);
            int32_t kept = first;
            for (int32_t k = first; k < chain->used; k++)
                if (k == first || chain->pool[k] != chain->pool[kept - 1])
                    chain->pool[kept++] = chain->pool[k];
            chain->used = kept;
            node.first = first;
            node.count = kept - first;
            add_node(chain, node);
        }
        links->place[n] = links->number[literal];
    }
}

/* The link from a literal to another, or to its own contradiction. */
static void join_link(Links *links, int32_t from, int32_t to, Chain *chain)
{
    Search *search = &links->search;
    propagate(search, from / 2, from % 2, 1);
    clear_chain(&links->link);
    needed(search, to == NONE ? search->count : search->number[to], &links->link);
    join(links, chain);
}

/* Drop what the last node does not need. */
static void prune(Links *links, const Chain *whole, Chain *chain)
{
    int32_t kept = 0;
    memset(links->is_needed, 0, (size_t)whole->count);
    links->is_needed[whole->count - 1] = 1;
    for (int32_t n = whole->count - 1; n >= 0; n--)
        for (int32_t k = 0; links->is_needed[n] && k < whole->nodes[n].count; k++)
            links->is_needed[whole->pool[whole->nodes[n].first + k]] = 1;
    for (int32_t n = 0; n < whole->count; n++) {
        if (!links->is_needed[n]) continue;
        links->place[n] = kept++;
        Node node = whole->nodes[n];
        node.first = chain->used;
        for (int32_t k = 0; k < node.count; k++)
            add_parent(chain, links->place[whole->pool[whole->nodes[n].first + k]]);
        add_node(chain, node);
    }
}

/* The links to the ends as one chain; then their contradiction: that of the only end, or of a
 * candidate that is true and false, or of a group without any left. */
static void join_all(Links *links, int32_t met, const int32_t *ends, int32_t count, int32_t group,
                     Chain *whole)
{
    for (int32_t i = 0; i <= links->literals; i++) links->number[i] = NONE;
    memset(links->is_needed, 0, 2 * (size_t)links->net->variables);
    for (int32_t e = 0; e < count; e++)
        for (int32_t literal = ends[e]; !links->is_needed[literal]; literal = links->came[literal])
            links->is_needed[literal] = 1;
    for (int32_t i = 0; i < met; i++) {
        int32_t literal = links->waiting[i];
        if (links->is_needed[literal]) join_link(links, links->came[literal], literal, whole);
    }
    if (count == 1) {
        join_link(links, ends[0], NONE, whole);
        return;
    }
    int32_t first = whole->used, unit = group;
    for (int32_t e = 0; e < count; e++) add_parent(whole, links->number[ends[e]]);
    if (whole->failed) return;
    if (group == NONE) unit = whole->nodes[links->number[ends[1]]].unit;
    qsort(whole->pool + first, (size_t)count, sizeof(int32_t), ascending);
    add_node(whole, (Node){NONE, 0, unit, first, count, 0});
}

/* The first group of a candidate that has nothing left; NONE without. */
static int32_t empty_group(const Links *links, int32_t candidate)
{
    const Lists *at = &links->net->groups_at;
    for (int32_t k = at->start[candidate]; k < at->start[candidate + 1]; k++)
        if (!links->left[at->items[k]]) return at->items[k];
    return NONE;
}

static void lose(Links *links, int32_t candidate)
{
    const Lists *at = &links->net->groups_at;
    for (int32_t k = at->start[candidate]; k < at->start[candidate + 1]; k++)
        links->left[at->items[k]]--;
}

/* How many literals it takes from one to the contradiction that is met first, which is joined in
 * `whole` if that is wanted; 0 without, or if it takes as many as `most`. */
static int32_t chain_from(Links *links, int32_t start, int32_t most, Chain *whole)
{
    const Net *net = links->net;
    int32_t met = 0;
    for (int32_t i = 0; i < links->literals; i++) links->came[i] = NONE;
    memcpy(links->left, links->search.left_first, (size_t)net->groups.count * sizeof(int32_t));
    links->came[start] = start;
    links->waiting[met++] = start;
    if (!(start & 1)) lose(links, start / 2);
    for (int32_t i = 0; i < met && met < most && !links->failed; i++) {
        int32_t literal = links->waiting[i];
        ask(links, literal);
        if (links->failed) return 0;
        if (links->clashes[literal]) {
            if (whole) join_all(links, met, &literal, 1, NONE, whole);
            return met;
        }
        for (int32_t k = 0; k < links->count[literal]; k++) {
            int32_t found = links->links[links->first[literal] + k];
            if (links->came[found] != NONE) continue;
            links->came[found] = literal;
            links->waiting[met++] = found;
            if (links->came[found ^ 1] != NONE) {
                if (whole) join_all(links, met, (int32_t[]){found | 1, found & ~1}, 2, NONE, whole);
                return met;
            }
            if (found & 1) continue;
            lose(links, found / 2);
            int32_t group = empty_group(links, found / 2);
            if (group == NONE) continue;
            int32_t count = 0;
            for (int32_t g = net->groups.start[group]; whole && g < net->groups.start[group + 1]; g++)
                if (has(links->search.store->live, net->groups.items[g]))
                    links->ends[count++] = 2 * net->groups.items[g];
            if (whole) join_all(links, met, links->ends, count, net->group_unit[group], whole);
            return met;
        }
    }
    return 0;
}

/* Add forcing chains, one behind the other, from the candidates tried, true or false, those of
 * least effort; 0 if memory has ended. */
static int find_chains(Store *store, const uint8_t *tried, Chain *chains)
{
    Links links;
    Refuted found = {0};
    Chain whole = {0};
    int ok = open_links(&links, store);
    for (int32_t literal = 0; ok && literal < links.literals && !is_over(store); literal++) {
        const int32_t start = literal ^ 1; /* a true one first */
        if (!has(store->live, start / 2) || !tried[start / 2]) continue;
        const Closure *closure = closure_of(store, start);
        ok = closure != NULL;
        if (!ok || !closure->has_clash) continue;
        int32_t effort = chain_from(&links, start, least_too_long(&found), NULL);
        if (effort) keep_easiest(&found, start, effort);
        ok = !links.failed;
    }
    for (int32_t i = 0; ok && i < found.count; i++) {
        clear_chain(&whole);
        chain_from(&links, found.literal[i], INT32_MAX, &whole);
        if (!whole.failed) prune(&links, &whole, chains);
        ok = !(links.failed || links.link.failed || whole.failed || chains->failed);
    }
    close_chain(&whole);
    close_links(&links);
    return ok;
}

#endif
