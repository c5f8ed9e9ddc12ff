/* The net of a rule set: groups, what excludes what, and clues that read digits in order.
 *
 * Invariant: `open_net` takes nothing for granted of the numbers that it is given: a net that it
 * returns has no index outside an array. `strike` gives the only fixpoint that there is, so that
 * the order in which a clue is read does not matter. */
#ifndef SATDOKU_LOGIC_NET_H
#define SATDOKU_LOGIC_NET_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../../runtime/portable.h"

enum { NONE = -1 };

/* Lists one behind the other: list i is items[start[i]] to items[start[i + 1] - 1]. */
typedef struct {
    int32_t count;
    int32_t *start, *items;
} Lists;

typedef struct {
    int32_t state, candidate, after;
} Way;

typedef struct {
    int32_t cell, count;
    Way *ways;
} Layer;

typedef struct {
    int32_t count;
    Layer *layers;
} Reader;

/* Cells that differ, of one weight; of each number of the first ones what they add up to, or 0. */
typedef struct {
    int32_t weight, count;
    int32_t *cells, *firsts;
} Segment;

/* A sum of segments; `far`: no sum of positions is farther from 0; `layers`: of sets of digits. */
typedef struct {
    int32_t total, count, far;
    size_t layers;
    Segment *segments;
} Summed;

/* Members of a part that follow each other, as bits of one word: in which, from which bit on, where
 * they go to, and a bit for each. */
typedef struct {
    int32_t word, shift, to;
    uint64_t bits;
} Run;

typedef struct {
    int32_t unit;
    int32_t needs, members;
    int32_t *needing; /* candidates */
    Lists needed;     /* for each of these, others of which it needs one */
    int32_t *masked;  /* the same, word by word: where they begin among the net's; NULL if there is
                       * more to read */
    Reader reader;
    Summed summed;
    Lists outside; /* two: what each of two groups has beside their overlap */
    int32_t pair[2]; /* these groups; NONE without */
    int32_t *member; /* ascending */
    int32_t runs;
    Run *run;
} Part;

/* A word of a set of candidates. */
typedef struct {
    int32_t word;
    uint64_t bits;
} Masked;

/* What each of two groups has beside their overlap, word by word: from `first` up to `end`, which are
 * the same for what is no overlap alone; and how many the overlap has. */
typedef struct {
    int32_t first[2], end[2], shared;
} Beside;

typedef struct Store Store; /* what is kept from call to call (`closures.h`) */

/* Sets of digits, a bit for each; of boards with few. */
enum { MOST_DIGITS = 9, SETS = 1 << MOST_DIGITS, HIGHEST = MOST_DIGITS * (MOST_DIGITS + 1) / 2 };

typedef struct {
    uint64_t in[SETS / 64];
} Sets;

typedef struct {
    int32_t variables, size, states; /* the most states between two cells */
    int32_t *group_unit;             /* ascending */
    Lists groups, groups_at;
    Lists rivals; /* pairs: another candidate, and the unit that excludes it */
    int32_t parts; /* of clues, by unit */
    Part *part;
    Beside *beside; /* of each part */
    Masked *masks;
    Lists parts_at;
    Lists others_at;   /* the same without overlaps, */
    Lists overlaps_at; /* which are those of each group; */
    int32_t *shared;   /* the most that one of these has */
    uint8_t sum_of[SETS]; /* of the digits of a set */
    Sets of_sum[HIGHEST + 1];
    Store *store; /* NULL while a caller has it */
} Net;

/* Numbers that are read one after the other; `failed` once one is missing or out of its range. */
typedef struct {
    const int32_t *next, *end;
    int failed;
} Input;

static int32_t take(Input *in, int32_t low, int32_t high)
{
    if (in->failed || in->next == in->end || *in->next < low || *in->next > high) {
        in->failed = 1;
        return low;
    }
    return *in->next++;
}

/* A count of what follows, of which each takes at least one number. */
static int32_t take_count(Input *in)
{
    ptrdiff_t left = in->end - in->next;
    return take(in, 0, left > INT32_MAX ? INT32_MAX : (int32_t)left);
}

static void *reserve(Input *in, size_t count, size_t size)
{
    void *memory = in->failed ? NULL : calloc(count ? count : 1, size);
    if (!memory) in->failed = 1;
    return memory;
}

/* `count` lists, each as its length and its items, of `width` numbers; the limits of these. */
static Lists take_lists(Input *in, int32_t count, int width, int32_t high, int32_t second)
{
    Lists lists = {count, reserve(in, (size_t)count + 1, sizeof(int32_t)), NULL};
    lists.items = reserve(in, (size_t)(in->end - in->next), sizeof(int32_t));
    int32_t used = 0;
    for (int32_t i = 0; i < count && !in->failed; i++) {
        int32_t length = take_count(in);
        for (int32_t k = 0; k < length && !in->failed; k++)
            for (int w = 0; w < width && !in->failed; w++)
                lists.items[used++] = take(in, 0, w ? second : high);
        lists.start[i + 1] = used;
    }
    int32_t *fitting = in->failed ? NULL : realloc(lists.items, sizeof(int32_t) * ((size_t)used + 1));
    if (fitting) lists.items = fitting;
    return lists;
}

/* For each of `count` numbers the lists, by ascending number, in which it stands. */
static Lists turned(Input *in, const Lists *lists, int32_t count)
{
    Lists found = {count, reserve(in, (size_t)count + 2, sizeof(int32_t)), NULL};
    int32_t total = in->failed ? 0 : lists->start[lists->count];
    found.items = reserve(in, (size_t)total, sizeof(int32_t));
    if (in->failed) return found;
    for (int32_t k = 0; k < total; k++) found.start[lists->items[k] + 2]++;
    for (int32_t i = 0; i < count; i++) found.start[i + 2] += found.start[i + 1];
    for (int32_t i = 0; i < lists->count; i++)
        for (int32_t k = lists->start[i]; k < lists->start[i + 1]; k++)
            found.items[found.start[lists->items[k] + 1]++] = i;
    return found;
}

static void take_reader(Input *in, Net *net, Reader *reader)
{
    int32_t before = 1;
    reader->count = take_count(in);
    reader->layers = reserve(in, (size_t)reader->count, sizeof(Layer));
    for (int32_t i = 0; i < reader->count && !in->failed; i++) {
        Layer *layer = &reader->layers[i];
        layer->cell = take(in, 0, net->variables / net->size - 1);
        int32_t behind = take_count(in); /* each state has a way to it */
        layer->count = take_count(in);
        layer->ways = reserve(in, (size_t)layer->count, sizeof(Way));
        for (int32_t k = 0; k < layer->count && !in->failed; k++) {
            int32_t low = layer->cell * net->size;
            layer->ways[k].state = take(in, 0, before - 1);
            layer->ways[k].candidate = take(in, low, low + net->size - 1);
            layer->ways[k].after = take(in, 0, behind - 1);
        }
        before = behind;
        if (behind > net->states) net->states = behind;
    }
}

enum { FARTHEST = 1 << 14 };

static void take_summed(Input *in, const Net *net, Summed *summed)
{
    int32_t cells = net->variables / net->size;
    summed->total = take(in, -FARTHEST, FARTHEST);
    summed->count = take_count(in);
    summed->segments = reserve(in, (size_t)summed->count, sizeof(Segment));
    for (int32_t i = 0; i < summed->count && !in->failed; i++) {
        Segment *segment = &summed->segments[i];
        segment->weight = take(in, -100, 100);
        Lists list = take_lists(in, 1, 1, cells - 1, 0);
        segment->cells = list.items;
        segment->count = in->failed ? 0 : list.start[1];
        free(list.start);
        segment->firsts = reserve(in, (size_t)segment->count, sizeof(int32_t));
        for (int32_t k = 0; k < segment->count && !in->failed; k++)
            segment->firsts[k] = take(in, 0, FARTHEST);
        if (segment->count > (net->size > MOST_DIGITS ? 1 : MOST_DIGITS)) in->failed = 1;
        if (segment->count > 1) summed->layers += (size_t)segment->count + 1;
        summed->far += abs(segment->weight) * segment->count * net->size;
        if (summed->far > FARTHEST) in->failed = 1;
    }
}

static void find_runs(Input *in, Part *part)
{
    part->run = reserve(in, (size_t)part->members, sizeof(Run));
    for (int32_t k = 0; k < part->members && !in->failed; k++) {
        int32_t candidate = part->member[k];
        int goes_on = k % 64 && candidate % 64 && candidate == part->member[k - 1] + 1;
        if (!goes_on) part->run[part->runs++] = (Run){candidate / 64, candidate % 64, k, 0};
        Run *run = &part->run[part->runs - 1];
        run->bits = run->bits << 1 | 1;
    }
}

/* What each of the two groups of a part has that the other has not, each once. */
static void find_outside(Input *in, const Net *net, Part *part)
{
    const int is_pair = part->pair[0] != NONE && part->pair[1] != NONE;
    uint8_t *is_met = reserve(in, (size_t)net->variables, 1);
    part->outside.count = 2;
    part->outside.start = reserve(in, 3, sizeof(int32_t));
    part->outside.items = reserve(in, is_pair ? 2 * (size_t)part->members : 0, sizeof(int32_t));
    int32_t used = 0;
    for (int side = 0; is_pair && !in->failed && side < 2; side++) {
        const Lists *groups = &net->groups;
        const int32_t own = part->pair[side], other = part->pair[!side];
        memset(is_met, 0, (size_t)net->variables);
        for (int32_t k = groups->start[other]; k < groups->start[other + 1]; k++) is_met[groups->items[k]] = 1;
        for (int32_t k = groups->start[own]; k < groups->start[own + 1] && used < 2 * part->members; k++) {
            if (!is_met[groups->items[k]]) part->outside.items[used++] = groups->items[k];
            is_met[groups->items[k]] = 1;
        }
        part->outside.start[side + 1] = used;
    }
    free(is_met);
}

/* A part reads its members alone. */
static void check_members(Input *in, const Net *net, const Part *part)
{
    uint8_t *is_met = reserve(in, (size_t)net->variables, 1);
    if (in->failed) return;
    int is_within = 1;
    for (int32_t k = 0; k < part->members; k++) is_met[part->member[k]] = 1;
    for (int32_t i = 0; i < part->needs; i++) is_within &= is_met[part->needing[i]];
    for (int32_t k = 0; k < part->needed.start[part->needs]; k++) is_within &= is_met[part->needed.items[k]];
    for (int32_t i = 0; i < part->reader.count; i++)
        for (int32_t k = 0; k < part->reader.layers[i].count; k++)
            is_within &= is_met[part->reader.layers[i].ways[k].candidate];
    for (int32_t i = 0; i < part->summed.count; i++)
        for (int32_t k = 0; k < part->summed.segments[i].count * net->size; k++)
            is_within &= is_met[part->summed.segments[i].cells[k / net->size] * net->size + k % net->size];
    for (int32_t k = 0; k < part->outside.start[2]; k++) is_within &= is_met[part->outside.items[k]];
    in->failed |= !is_within;
    free(is_met);
}

static void take_part(Input *in, Net *net, Part *part)
{
    int32_t last = net->variables - 1;
    part->unit = take(in, 0, INT32_MAX);
    Lists members = take_lists(in, 1, 1, last, 0);
    part->member = members.items;
    part->members = in->failed ? 0 : members.start[1];
    free(members.start);
    part->needs = take_count(in);
    part->needing = reserve(in, (size_t)part->needs, sizeof(int32_t));
    for (int32_t i = 0; i < part->needs && !in->failed; i++) part->needing[i] = take(in, 0, last);
    part->needed = take_lists(in, part->needs, 1, last, 0);
    take_reader(in, net, &part->reader);
    take_summed(in, net, &part->summed);
    for (int side = 0; side < 2; side++) part->pair[side] = take(in, NONE, net->groups.count - 1);
    find_outside(in, net, part);
    check_members(in, net, part);
    find_runs(in, part);
}

static void free_lists(Lists *lists)
{
    free(lists->start);
    free(lists->items);
}

static void close_net(Net *net)
{
    if (!net) return;
    for (int32_t i = 0; net->part && i < net->parts; i++) {
        Part *part = &net->part[i];
        for (int32_t k = 0; part->reader.layers && k < part->reader.count; k++)
            free(part->reader.layers[k].ways);
        free(part->reader.layers);
        for (int32_t k = 0; part->summed.segments && k < part->summed.count; k++) {
            free(part->summed.segments[k].cells);
            free(part->summed.segments[k].firsts);
        }
        free(part->summed.segments);
        free(part->member);
        free(part->run);
        free_lists(&part->outside);
        free(part->needing);
        free(part->masked);
        free_lists(&part->needed);
    }
    free(net->part);
    free(net->beside);
    free(net->masks);
    free(net->group_unit);
    free_lists(&net->groups);
    free_lists(&net->groups_at);
    free_lists(&net->rivals);
    free_lists(&net->parts_at);
    free_lists(&net->others_at);
    free_lists(&net->overlaps_at);
    free(net->shared);
    free(net);
}

/* Write a list word by word behind the `used` words that there are; how many there are then. */
static int32_t masked(Net *net, const int32_t *items, int32_t count, int32_t used)
{
    const int32_t first = used;
    for (int32_t k = 0; k < count; k++) {
        if (used == first || net->masks[used - 1].word != items[k] / 64)
            net->masks[used++] = (Masked){items[k] / 64, 0};
        net->masks[used - 1].bits |= UINT64_C(1) << items[k] % 64;
    }
    return used;
}

/* Write what is beside overlaps, and what candidates need, where it is read fast. */
static void find_masks(Input *in, Net *net)
{
    size_t items = 0;
    for (int32_t i = 0; i < net->parts; i++)
        items += (size_t)net->part[i].outside.start[2] + (size_t)net->part[i].needed.start[net->part[i].needs];
    net->beside = reserve(in, (size_t)net->parts, sizeof(Beside));
    net->masks = reserve(in, items, sizeof(Masked));
    int32_t used = 0;
    for (int32_t i = 0; i < net->parts && !in->failed; i++) {
        Part *part = &net->part[i];
        const Lists *outside = &part->outside, *needed = &part->needed;
        if (part->reader.count || part->summed.count || (part->needs && outside->start[2])) continue;
        for (int side = 0; side < 2; side++) {
            const int32_t first = outside->start[side];
            net->beside[i].first[side] = used;
            used = masked(net, outside->items + first, outside->start[side + 1] - first, used);
            net->beside[i].end[side] = used;
        }
        if (outside->start[2]) net->beside[i].shared = part->members - outside->start[2];
        if (!part->needs) continue;
        part->masked = reserve(in, (size_t)part->needs + 1, sizeof(int32_t));
        for (int32_t k = 0; k < part->needs && !in->failed; k++) {
            const int32_t first = needed->start[k];
            part->masked[k] = used;
            used = masked(net, needed->items + first, needed->start[k + 1] - first, used);
            part->masked[k + 1] = used;
        }
    }
}

static int is_overlap(const Net *net, int32_t part)
{
    return net->beside[part].first[0] != net->beside[part].end[1];
}

/* For each candidate the parts of which it is a member, or those of them that are no overlaps. */
static Lists parts_by_member(Input *in, const Net *net, int is_any)
{
    Lists members = {net->parts, reserve(in, (size_t)net->parts + 1, sizeof(int32_t)), NULL};
    size_t total = 0;
    for (int32_t i = 0; i < net->parts && !in->failed; i++) total += (size_t)net->part[i].members;
    members.items = reserve(in, total, sizeof(int32_t));
    for (int32_t i = 0; i < net->parts && !in->failed; i++) {
        const int32_t count = is_any || !is_overlap(net, i) ? net->part[i].members : 0;
        members.start[i + 1] = members.start[i] + count;
        memcpy(members.items + members.start[i], net->part[i].member, (size_t)count * sizeof(int32_t));
    }
    Lists found = turned(in, &members, net->variables);
    free_lists(&members);
    return found;
}

/* What is looked at when a group has lost any. */
static void find_overlaps(Input *in, Net *net)
{
    Lists pairs = {net->parts, reserve(in, (size_t)net->parts + 1, sizeof(int32_t)), NULL};
    pairs.items = reserve(in, 2 * (size_t)net->parts, sizeof(int32_t));
    net->shared = reserve(in, (size_t)net->groups.count, sizeof(int32_t));
    for (int32_t i = 0, used = 0; i < net->parts && !in->failed; i++) {
        for (int side = 0; side < 2 && is_overlap(net, i); side++) {
            const int32_t group = net->part[i].pair[side], shared = net->beside[i].shared;
            pairs.items[used++] = group;
            if (shared > net->shared[group]) net->shared[group] = shared;
        }
        pairs.start[i + 1] = used;
    }
    net->overlaps_at = turned(in, &pairs, net->groups.count);
    free_lists(&pairs);
}

/* The net that the numbers describe (`net.py` tells how); NULL if they do not, or memory ends. */
static Net *open_net(const int32_t *numbers, size_t count)
{
    Input in = {numbers, numbers + count, 0};
    Net *net = reserve(&in, 1, sizeof(Net));
    if (!net) return NULL;
    net->states = 1;
    for (int32_t set = 0; set < SETS; set++) {
        for (int32_t d = 0; d < MOST_DIGITS; d++) net->sum_of[set] += (uint8_t)((set >> d & 1) * (d + 1));
        net->of_sum[net->sum_of[set]].in[set / 64] |= UINT64_C(1) << set % 64;
    }
    net->variables = take(&in, 1, 1 << 20);
    net->size = take(&in, 1, net->variables);
    if (net->variables % net->size) in.failed = 1;
    int32_t groups = take_count(&in);
    net->group_unit = reserve(&in, (size_t)groups, sizeof(int32_t));
    for (int32_t i = 0; i < groups && !in.failed; i++)
        net->group_unit[i] = take(&in, 0, INT32_MAX);
    net->groups = take_lists(&in, groups, 1, net->variables - 1, 0);
    net->groups_at = turned(&in, &net->groups, net->variables);
    net->rivals = take_lists(&in, net->variables, 2, net->variables - 1, INT32_MAX);
    net->parts = take_count(&in);
    net->part = reserve(&in, (size_t)net->parts, sizeof(Part));
    for (int32_t i = 0; i < net->parts && !in.failed; i++) take_part(&in, net, &net->part[i]);
    net->parts_at = parts_by_member(&in, net, 1);
    if (!in.failed) find_masks(&in, net);
    net->others_at = parts_by_member(&in, net, 0);
    find_overlaps(&in, net);
    if (in.failed || in.next != in.end) {
        close_net(net);
        return NULL;
    }
    return net;
}

/* Kill the candidates of an automaton's cells that no accepted sequence of `alive` has. `reached`:
 * for each layer and the one before, a byte for each state; `useful`: a byte for each candidate. */
static void read_digits(const Net *net, const Reader *reader, uint8_t *alive, uint8_t *reached,
                       uint8_t *useful)
{
    const int32_t row = net->states;
    memset(reached, 0, (size_t)row * (size_t)(reader->count + 1));
    reached[0] = 1;
    for (int32_t i = 0; i < reader->count; i++) {
        const Layer *layer = &reader->layers[i];
        const uint8_t *before = reached + (size_t)i * row;
        uint8_t *behind = reached + (size_t)(i + 1) * row;
        for (const Way *way = layer->ways; way < layer->ways + layer->count; way++)
            behind[way->after] |= before[way->state] & alive[way->candidate];
    }
    memset(reached + (size_t)(reader->count + 1) * row, 0, (size_t)row); /* states that lead on */
    uint8_t *onward = reached + (size_t)(reader->count + 1) * row;
    onward[0] = 1;
    for (int32_t i = reader->count - 1; i >= 0; i--) {
        const Layer *layer = &reader->layers[i];
        uint8_t *before = reached + (size_t)i * row;
        uint8_t *from = reached + (size_t)(reader->count + 2) * row;
        uint8_t *first = useful + (size_t)layer->cell * net->size, *cell = alive + (first - useful);
        memset(from, 0, (size_t)row);
        memset(first, 0, (size_t)net->size);
        for (const Way *way = layer->ways; way < layer->ways + layer->count; way++) {
            uint8_t ok = before[way->state] & alive[way->candidate] & onward[way->after];
            from[way->state] |= ok;
            useful[way->candidate] |= ok;
        }
        memcpy(onward, from, (size_t)row);
        for (int32_t d = 0; d < net->size; d++) cell[d] &= first[d];
    }
}


/* The digits that are alive in a cell of a board with few. */
static uint32_t digits_in(const Net *net, const uint8_t *alive, int32_t cell)
{
    uint32_t digits = 0;
    for (int32_t d = 0; d < net->size; d++) digits |= (uint32_t)alive[(size_t)cell * net->size + d] << d;
    return digits;
}

static int is_in(const uint64_t *set, int32_t i) { return set[i / 64] >> i % 64 & 1; }

static void put_in(uint64_t *set, int32_t i) { set[i / 64] |= UINT64_C(1) << i % 64; }

/* The sets of a word that lack a digit; digits beyond are those of the word's number. */
enum { IN_WORD = 6 };
static const uint64_t LACKING[IN_WORD] = {
    UINT64_C(0x5555555555555555), UINT64_C(0x3333333333333333), UINT64_C(0x0F0F0F0F0F0F0F0F),
    UINT64_C(0x00FF00FF00FF00FF), UINT64_C(0x0000FFFF0000FFFF), UINT64_C(0x00000000FFFFFFFF),
};

/* Put in `to` the sets that lack a digit, with it. */
static void add_digit(const Sets *from, int32_t digit, Sets *to)
{
    const int32_t step = digit < IN_WORD ? 0 : 1 << (digit - IN_WORD);
    for (int32_t w = 0; !step && w < SETS / 64; w++) to->in[w] |= (from->in[w] & LACKING[digit]) << (1 << digit);
    for (int32_t w = 0; step && w < SETS / 64; w++)
        if (!(w & step)) to->in[w + step] |= from->in[w];
}

/* Put in `to` the sets that have a digit, without it, if they are in `only`; whether there are any. */
static int drop_digit(const Sets *from, int32_t digit, const Sets *only, Sets *to)
{
    const int32_t step = digit < IN_WORD ? 0 : 1 << (digit - IN_WORD);
    uint64_t any = 0;
    for (int32_t w = 0; w < SETS / 64; w++) {
        uint64_t sets = w & step ? 0 : from->in[w + step];
        if (!step) sets = sets >> (1 << digit) & LACKING[digit];
        sets &= only->in[w];
        to->in[w] |= sets;
        any |= sets;
    }
    return any != 0;
}

/* The sets of digits that a segment can hold, for each number of its first cells; a segment of one
 * cell needs none. Puts its sums in a set, `zero` being that of 0. */
static void fill(const Net *net, const Segment *segment, const uint8_t *alive, Sets *layer, uint64_t *sums,
                 int32_t zero)
{
    if (segment->count == 1) {
        const uint8_t *cell = alive + (size_t)segment->cells[0] * net->size;
        for (int32_t d = 0; d < net->size; d++)
            if (cell[d]) put_in(sums, zero + segment->weight * (d + 1));
        return;
    }
    *layer = (Sets){{1}};
    for (int32_t i = 0; i < segment->count; i++, layer++) {
        const int32_t total = segment->firsts[i];
        layer[1] = (Sets){{0}};
        for (uint32_t left = digits_in(net, alive, segment->cells[i]); left; left &= left - 1)
            add_digit(layer, __builtin_ctz(left), layer + 1);
        for (int32_t w = 0; total && w < SETS / 64; w++)
            layer[1].in[w] &= total > HIGHEST ? 0 : net->of_sum[total].in[w];
    }
    for (int32_t w = 0; w < SETS / 64; w++)
        for (uint64_t left = layer->in[w]; left; left &= left - 1)
            put_in(sums, zero + segment->weight * net->sum_of[64 * w + __builtin_ctzll(left)]);
}

/* Kill the candidates of a segment that are on no way to one of the sums. */
static void empty(const Net *net, const Segment *segment, uint8_t *alive, const Sets *layer,
                  const uint64_t *sums, int32_t zero)
{
    if (segment->count == 1) {
        uint8_t *cell = alive + (size_t)segment->cells[0] * net->size;
        for (int32_t d = 0; d < net->size; d++) cell[d] &= is_in(sums, zero + segment->weight * (d + 1));
        return;
    }
    Sets leads = {{0}};
    layer += segment->count;
    for (int32_t w = 0; w < SETS / 64; w++)
        for (uint64_t left = layer->in[w]; left; left &= left - 1) {
            const int32_t set = 64 * w + __builtin_ctzll(left);
            if (is_in(sums, zero + segment->weight * net->sum_of[set])) put_in(leads.in, set);
        }
    for (int32_t i = segment->count - 1; i >= 0; i--) {
        uint8_t *cell = alive + (size_t)segment->cells[i] * net->size;
        Sets before = {{0}};
        layer--;
        for (uint32_t left = digits_in(net, alive, segment->cells[i]); left; left &= left - 1) {
            const int32_t digit = __builtin_ctz(left);
            if (!drop_digit(&leads, digit, layer, &before)) cell[digit] = 0;
        }
        leads = before;
    }
}

/* Of a set of sums. */
static int32_t sum_words(const Summed *summed) { return (2 * summed->far + 64) / 64; }

/* Word `w` of a set of so many words, each item by `shift` farther. */
static uint64_t shifted(const uint64_t *set, int32_t words, int32_t w, int32_t shift)
{
    const int32_t from = w * 64 - shift, at = from >= 0 ? from / 64 : (from - 63) / 64, bit = from & 63;
    uint64_t low = at >= 0 && at < words ? set[at] >> bit : 0;
    uint64_t high = bit && at >= -1 && at + 1 < words ? set[at + 1] << (64 - bit) : 0;
    return low | high;
}

/* Kill what no assignment of the segments with the total has. Sums that are farther than any can be
 * may be in `behind`, but lead to none that is in `before`. */
static void add_up(const Net *net, const Summed *summed, uint8_t *alive, uint8_t *scratch)
{
    const int32_t zero = summed->far, words = sum_words(summed), count = summed->count;
    uint64_t *sums = (uint64_t *)scratch, *before = sums + (size_t)words * count;
    uint64_t *behind = before + (size_t)words * (count + 1), *next = behind + words;
    Sets *here = (Sets *)(next + words);
    memset(sums, 0, (size_t)((uint8_t *)here - scratch));
    put_in(before, zero);
    for (int32_t s = 0; s < count; s++) {
        const Segment *segment = &summed->segments[s];
        uint64_t *own = sums + (size_t)words * s, *first = before + (size_t)words * s;
        fill(net, segment, alive, here, own, zero);
        here += segment->count > 1 ? segment->count + 1 : 0;
        for (int32_t i = 0; i < words; i++)
            for (uint64_t left = own[i]; left; left &= left - 1)
                for (int32_t w = 0, by = 64 * i + __builtin_ctzll(left) - zero; w < words; w++)
                    first[words + w] |= shifted(first, words, w, by);
    }
    if (summed->total >= -zero && summed->total <= zero) /* else nothing adds up to it */
        put_in(behind, zero + summed->total);
    for (int32_t s = count - 1; s >= 0; s--) {
        const Segment *segment = &summed->segments[s];
        uint64_t *own = sums + (size_t)words * s, *first = before + (size_t)words * s;
        here -= segment->count > 1 ? segment->count + 1 : 0;
        memset(next, 0, (size_t)words * sizeof *next);
        for (int32_t i = 0; i < words; i++)
            for (uint64_t left = own[i]; left; left &= left - 1) {
                uint64_t met = 0;
                for (int32_t w = 0, by = 64 * i + __builtin_ctzll(left) - zero; w < words; w++) {
                    uint64_t leading = shifted(behind, words, w, -by);
                    met |= first[w] & leading;
                    next[w] |= leading;
                }
                if (!met) own[i] &= ~(left & (~left + 1));
            }
        empty(net, segment, alive, here, own, zero);
        memcpy(behind, next, (size_t)words * sizeof *next);
    }
}

/* If one of two groups has nothing left beside their overlap, nor has the other. */
static void overlap(const Lists *outside, uint8_t *alive)
{
    for (int side = 0; side < 2; side++) {
        int has = 0;
        for (int32_t k = outside->start[side]; k < outside->start[side + 1]; k++)
            has |= alive[outside->items[k]];
        for (int32_t k = outside->start[!side]; !has && k < outside->start[!side + 1]; k++)
            alive[outside->items[k]] = 0;
    }
}

/* Kill what a part of a clue does not allow. `scratch`: `scratch_size` bytes. */
static void strike(const Net *net, const Part *part, uint8_t *alive, uint8_t *scratch)
{
    for (int more = part->needs > 0; more;) {
        more = 0;
        for (int32_t i = 0; i < part->needs; i++) {
            if (!alive[part->needing[i]]) continue;
            int has = 0;
            for (int32_t k = part->needed.start[i]; k < part->needed.start[i + 1] && !has; k++)
                has = alive[part->needed.items[k]];
            if (has) continue;
            alive[part->needing[i]] = 0;
            more = 1;
        }
    }
    if (part->reader.count) read_digits(net, &part->reader, alive, scratch + net->variables, scratch);
    if (part->summed.count) add_up(net, &part->summed, alive, scratch);
    if (part->outside.start[2]) overlap(&part->outside, alive);
}

static size_t scratch_size(const Net *net)
{
    size_t longest = 0, most = 0;
    for (int32_t i = 0; i < net->parts; i++) {
        const Summed *summed = &net->part[i].summed;
        if ((size_t)net->part[i].reader.count > longest) longest = (size_t)net->part[i].reader.count;
        size_t size = (size_t)sum_words(summed) * (2 * (size_t)summed->count + 3) * sizeof(uint64_t);
        size += summed->layers * sizeof(Sets);
        if (size > most) most = size;
    }
    size_t reading = (size_t)net->variables + (longest + 3) * (size_t)net->states;
    return reading > most ? reading : most;
}

#endif
