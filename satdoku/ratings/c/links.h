/* Strong links of one digit in a row: two (skyscraper, kite), three or four of them.
 *
 * Invariant: in each link's house the digit is in one of its two ends (cells, or groups of cells in
 * one line of a box), and neighbouring ends share a house; so it is in the first end or in the last,
 * and leaves the cells that see both. If these two share a house as well, the links are a ring, and
 * the digit leaves what sees any two neighbouring ends. Of several patterns the one of the simplest
 * kind counts, then the one that strikes most, then the first in the order of their kinds of houses,
 * digits, links and ways through them. */
#ifndef SATDOKU_RATINGS_LINKS_H
#define SATDOKU_RATINGS_LINKS_H

#include "step.h"

enum { MAX_LINKS = 64, MAX_PATH = 4 };

typedef struct {
    int house, grouped;
    Cells whole;        /* the digit's cells in the house */
    Cells end[2];
    uint32_t houses[2]; /* that hold a whole end, as bits */
} Link;

typedef struct {
    const State *state;
    Step *step;
    int digit, links, size;
    int grouped;         /* whether paths with groups are sought, or only those without */
    Link link[MAX_LINKS];
    uint64_t near[MAX_LINKS][2][2]; /* links, as bits, entered by an end that shares a house with
                                       the end by which one is left */
    uint64_t apart[MAX_LINKS];      /* links without a common cell */
    int path[MAX_PATH];  /* of links, and by which end it enters each */
    int enter[MAX_PATH];
    uint64_t best, order; /* of the best pattern: what it is worth, and its place in the order */
} LinkSearch;

static uint32_t houses_around(Cells cells)
{
    uint32_t houses = ~0u;
    EACH_CELL(cell, cells) {
        uint32_t own = 0;
        for (int kind = 0; kind < KINDS; kind++) own |= 1u << board.house[cell][kind];
        houses &= own;
    }
    return houses;
}

static Cells cells_at(int house, Places places)
{
    Cells cells = {0, 0};
    EACH_BIT(place, places) cells = either(cells, only(board.cell[house][place]));
    return cells;
}

static void add_link(LinkSearch *f, int house, Places first, Places second)
{
    Link *link = &f->link[f->links++];
    link->house = house;
    link->whole = both(board.cells[house], f->state->left.of_digit[f->digit]);
    link->end[0] = cells_at(house, first);
    link->end[1] = cells_at(house, second);
    link->grouped = count(first) > 1 || count(second) > 1;
    for (int i = 0; i < 2; i++) link->houses[i] = houses_around(link->end[i]);
}

/* A line whose digit lies in two of its three boxes. */
static void link_line(LinkSearch *f, int house, Places at)
{
    int empty = 0;
    while (empty < 3 && at & 7 << 3 * empty) empty++;
    if (empty == 3) return;
    Places first = at & (empty ? 7 : 7 << 3), second = at & (empty == 2 ? 7 << 3 : 7 << 6);
    if (!first || !second) return;
    if (count(first) > 1 && count(second) == 1) add_link(f, house, second, first);
    else add_link(f, house, first, second);
}

/* A box whose digit lies in a cross of one row and one column; `centre` is where they meet. */
static void link_cross(LinkSearch *f, int house, Places at, int centre)
{
    Places middle = at & (Places)(1 << centre);
    Places row = at & (Places)(7 << centre / 3 * 3) & (Places)~middle;
    Places column = at & (Places)~(row | middle);
    if (!row || !column) return;
    if (is_single(row) || is_single(column)) {
        Places alone = is_single(row) ? row : column;
        add_link(f, house, alone, at & (Places)~alone);
        return;
    }
    add_link(f, house, column | middle, row | middle);
}

static Places columns_used(Places at) { return (at | at >> 3 | at >> 6) & 7; }
static Places rows_used(Places at) { return (at | at >> 1 | at >> 2) & 0111; }

/* A box whose digit lies in two of its rows or two of its columns, in two places or more of each; if
 * it is in the corners of a rectangle, these can be paired the other way, too. */
static void link_lines_of_box(LinkSearch *f, int house, Places first, Places second, int rectangle)
{
    add_link(f, house, first, second);
    if (!rectangle || count(first | second) != 4) return;
    Places low = (first & (0u - first)) | (second & (0u - second));
    add_link(f, house, low, (Places)((first | second) & ~low));
}

static void link_box(LinkSearch *f, int house, Places at)
{
    for (int centre = 0; centre < 9; centre++)
        if (!(at & ~(0111 << centre % 3 | 7 << centre / 3 * 3))) {
            link_cross(f, house, at, centre);
            return;
        }
    for (int empty = 2; empty >= 0; empty--)
        if (!(at & 7 << 3 * empty)) {
            Places first = at & (empty ? 7 : 7 << 3), second = at & (empty == 2 ? 7 << 3 : 7 << 6);
            link_lines_of_box(f, house, first, second, columns_used(first) == columns_used(second));
            return;
        }
    for (int empty = 2; empty >= 0; empty--)
        if (!(at & 0111 << empty)) {
            Places first = at & (empty ? 0111 : 0222), second = at & (empty == 2 ? 0222 : 0444);
            link_lines_of_box(f, house, first, second, rows_used(first) == rows_used(second));
            return;
        }
}

/* Two places of a box in one line belong to the line. */
static int in_one_line(Places at)
{
    int a = lowest(at), b = lowest(at & (at - 1u));
    return a / 3 == b / 3 || a % 3 == b % 3;
}

static void find_links(LinkSearch *f)
{
    f->links = 0;
    for (int house = 0; house < HOUSES; house++) {
        Places at = f->state->left.of_house[house][f->digit];
        int box = kind_of(house) == BOX;
        if (count(at) < 2 || count(at) > 6) continue;
        if (count(at) == 2) {
            Places low = at & (0u - at);
            if (!box || !in_one_line(at)) add_link(f, house, low, at & (Places)~low);
        } else if (f->grouped) {
            if (box) link_box(f, house, at);
            else link_line(f, house, at);
        }
    }
}

/* The house that two ends share: a column before a row before a box; -1 if none. */
static int shared_house(uint32_t houses)
{
    for (int kind = COLUMN; kind >= BOX; kind--)
        if (houses >> 9 * kind & ALL) return 9 * kind + lowest(houses >> 9 * kind & ALL);
    return -1;
}

static Cells seen_by_all(Cells cells)
{
    Cells seen = {~0ull, ~0ull};
    EACH_CELL(cell, cells) seen = both(seen, board.peers[cell]);
    return seen;
}

static const Link *link_of(const LinkSearch *f, int at) { return &f->link[f->path[at]]; }
static int leave(const LinkSearch *f, int at) { return !f->enter[at]; }

/* Cells with the digit, outside the links' houses, that see both ends; `from` is a link that is
 * left, `to` one that is entered. */
static Cells seen_between(const LinkSearch *f, int from, int to)
{
    Cells ends = either(link_of(f, from)->end[leave(f, from)], link_of(f, to)->end[f->enter[to]]);
    Cells seen = both(seen_by_all(ends), f->state->left.of_digit[f->digit]);
    for (int i = 0; i < f->size; i++) seen = without(seen, board.cells[link_of(f, i)->house]);
    return seen;
}

static uint32_t houses_between(const LinkSearch *f, int from, int to)
{
    return link_of(f, from)->houses[leave(f, from)] & link_of(f, to)->houses[f->enter[to]];
}

/* What a path strikes; `total` counts a cell once for each two ends that it sees. */
static Cells struck_by(const LinkSearch *f, int ring, int *total)
{
    int last = f->size - 1;
    Cells struck = seen_between(f, last, 0);
    if (!ring)
        for (int i = 0; i < last; i++)
            struck = without(struck, board.cells[shared_house(houses_between(f, i, i + 1))]);
    *total = size_of(struck);
    for (int i = 0; ring && i < last; i++) {
        Cells more = seen_between(f, i, i + 1);
        *total += size_of(more);
        struck = either(struck, more);
    }
    return struck;
}

/* The kinds of houses as a number, read forwards or backwards, rows and columns swapped or not: the
 * least of the four; and which kinds occur in it. */
static int kinds_of_path(const LinkSearch *f, unsigned *kinds)
{
    static const int SWAPPED[KINDS] = {BOX, COLUMN, ROW};
    int best = 1 << 30;
    for (int way = 0; way < 4; way++) {
        int number = 0;
        unsigned seen = 0;
        for (int i = 0; i < f->size; i++) {
            int kind = kind_of(link_of(f, way & 1 ? f->size - 1 - i : i)->house);
            if (way & 2) kind = SWAPPED[kind];
            number = 3 * number + kind;
            seen |= 1u << kind;
        }
        if (number < best) {
            best = number;
            *kinds = seen;
        }
    }
    return best;
}

static int groups_of_path(const LinkSearch *f)
{
    int groups = 0;
    for (int i = 0; i < f->size; i++) groups += link_of(f, i)->grouped;
    return groups;
}

/* Tenths above the rating of the plainest pattern: parallel lines, then boxes or both kinds of lines,
 * then all kinds, then groups. */
static int tenths_above(int groups, unsigned kinds)
{
    int box = kinds >> BOX & 1, mixed = kinds >> COLUMN & 1;
    return groups ? 3 : box + mixed;
}

/* Go through the permutations of the first `length` members by Heap's method (The Computer Journal
 * 6(3), 1963), each one exchange from the one before, and count them until the wanted one. Returns
 * whether it was met. */
static int count_until(const int *wanted, int size, int *order, int length, int *rank)
{
    if (length < 2) return !memcmp(order, wanted, (size_t)size * sizeof *order) || !++*rank;
    int last = length - 1;
    for (int place = last; place >= 0; place--) {
        if (place < last) {
            int *other = &order[last % 2 ? place : 0], moved = *other;
            *other = order[last];
            order[last] = moved;
        }
        if (count_until(wanted, size, order, last, rank)) return 1;
    }
    return 0;
}

/* The place of a permutation of a path's links in that order. */
static int rank_of(const int *wanted, int size)
{
    int order[MAX_PATH] = {0, 1, 2, 3}, rank = 0;
    count_until(wanted, size, order, size, &rank);
    return rank;
}

static uint64_t order_of_path(const LinkSearch *f)
{
    int rank[MAX_PATH], sorted[MAX_PATH];
    uint64_t order = 0, ways = 0;
    for (int i = 0; i < f->size; i++) {
        rank[i] = 0;
        for (int j = 0; j < f->size; j++) rank[i] += f->path[j] < f->path[i];
        sorted[rank[i]] = f->path[i];
        ways = 2 * ways + (uint64_t)f->enter[i];
    }
    for (int i = f->size - 1; i >= 0; i--)
        order = 3 * order + (uint64_t)kind_of(f->link[sorted[i]].house);
    order = 9 * order + (uint64_t)f->digit;
    for (int i = 0; i < f->size; i++) order = MAX_LINKS * order + (uint64_t)sorted[i];
    return (32 * order + (uint64_t)rank_of(rank, f->size)) << MAX_PATH | ways;
}

static Technique name_path(const LinkSearch *f, unsigned kinds)
{
    if (f->size == 4) return STRONG_LINKS_4;
    if (f->size == 3) return STRONG_LINKS_3;
    if (kinds & 1 << BOX) return STRONG_LINKS_2;
    return kinds & 1 << COLUMN ? TWO_STRING_KITE : SKYSCRAPER;
}

static void keep_path(LinkSearch *f, Cells struck, int tenths, unsigned kinds)
{
    static const double RATINGS[] = {0, 0, 4.0, 5.4, 5.8}, ABOVE[] = {0.0, 0.1, 0.2, 0.3};
    new_step(f->step, name_path(f, kinds), RATINGS[f->size] + ABOVE[tenths]);
    EACH_CELL(cell, struck) strike_later(f->step, cell, (Digits)(1 << f->digit));
    f->step->digits = (Digits)(1 << f->digit);
    for (int i = 0; i < f->size; i++) {
        f->step->cells = either(f->step->cells, link_of(f, i)->whole);
        f->step->house[f->step->houses++] = (uint8_t)link_of(f, i)->house;
    }
}

/* A ring is met from each of its links, on both sides: one of them counts. */
static int counts(const LinkSearch *f, int ring)
{
    for (int i = 1; ring && i < f->size; i++)
        if (f->path[i] < f->path[0]) return 0;
    return !ring || !f->enter[0];
}

static void judge_path(LinkSearch *f)
{
    int last = f->size - 1, total, ring = houses_between(f, last, 0) != 0;
    if (!counts(f, ring)) return;
    int groups = groups_of_path(f);
    if (f->grouped && !groups) return;
    unsigned kinds = 0;
    Cells struck = struck_by(f, ring, &total);
    if (!some(struck)) return;
    int number = kinds_of_path(f, &kinds), tenths = tenths_above(groups, kinds);
    uint64_t looks = (uint64_t)(groups << 8 | number), order = order_of_path(f);
    uint64_t worth = (uint64_t)tenths << 40 | (uint64_t)(255 - total) << 16 | looks;
    if (worth > f->best || (worth == f->best && order > f->order)) return;
    f->best = worth;
    f->order = order;
    keep_path(f, struck, tenths, kinds);
}

static void compare_links(LinkSearch *f, int a, int b)
{
    const Link *first = &f->link[a], *second = &f->link[b];
    if (some(both(first->whole, second->whole))) return;
    f->apart[a] |= 1ull << b;
    for (int out = 0; out < 2; out++)
        for (int in = 0; in < 2; in++)
            if (first->houses[out] & second->houses[in]) f->near[a][out][in] |= 1ull << b;
}

static void find_neighbours(LinkSearch *f)
{
    memset(f->near, 0, sizeof f->near);
    memset(f->apart, 0, sizeof f->apart);
    for (int a = 0; a < f->links; a++)
        for (int b = 0; b < f->links; b++) compare_links(f, a, b);
}

/* Go on to links of a set; the last one has a higher number than the first, so that a path is met
 * from one side only. */
static void extend_path(LinkSearch *f, int length, uint64_t apart)
{
    int last = length - 1;
    if (length == MAX_PATH || length == f->size) {
        judge_path(f);
        return;
    }
    if (length == f->size - 1) apart &= ~1ull << f->path[0];
    for (int in = 0; in < 2; in++) {
        uint64_t next = f->near[f->path[last]][leave(f, last)][in] & apart;
        f->enter[length] = in;
        for (; next; next &= next - 1) {
            f->path[length] = __builtin_ctzll(next);
            extend_path(f, length + 1, apart & f->apart[f->path[length]]);
        }
    }
}

static void start_paths(LinkSearch *f)
{
    for (f->path[0] = 0; f->path[0] < f->links; f->path[0]++)
        for (f->enter[0] = 0; f->enter[0] < 2; f->enter[0]++) extend_path(f, 1, f->apart[f->path[0]]);
}

static int search_links(LinkSearch *f)
{
    f->best = f->order = ~0ull;
    for (f->digit = 0; f->digit < 9; f->digit++) {
        find_links(f);
        if (f->links < f->size) continue;
        find_neighbours(f);
        start_paths(f);
    }
    return f->best != ~0ull;
}

/* Patterns without groups rate lower, so those with groups are sought only if there are none. */
static int strong_links(const State *s, int size, Step *step)
{
    LinkSearch f;
    f.state = s;
    f.step = step;
    f.size = size;
    for (f.grouped = 0; f.grouped < 2; f.grouped++)
        if (search_links(&f)) return 1;
    return 0;
}

#endif
