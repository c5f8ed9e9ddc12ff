/* Depth-first search for other grids, the digits of the grid itself first: so the first other grid
 * that is found differs in few cells. */
#include "../../runtime/portable.h"

#include "others.h"

#include <string.h>

typedef struct {
    uint16_t digits[SATDOKU_MOST_CELLS]; /* those that the cell may hold, as bits */
    satdoku_set open;                    /* cells that are not filled */
} State;

/* What is done with each grid; the search ends if `take` returns 1. */
typedef struct Visitor {
    const satdoku_others *tables;
    int (*take)(struct Visitor *visitor, const State *state);
    satdoku_set found;
    satdoku_set *sets;
    uint8_t *filling;
    int largest;
    int64_t count, seen, limit;
} Visitor;

/* Cells that have one digit left, to be filled. A cell may be in it twice. */
typedef struct {
    uint8_t cell[2 * SATDOKU_MOST_CELLS];
    int count;
} Queue;

static int has(satdoku_set set, int cell) { return set.word[cell / 64] >> cell % 64 & 1; }
static void add(satdoku_set *set, int cell) { set->word[cell / 64] |= 1ull << cell % 64; }
static void drop(satdoku_set *set, int cell) { set->word[cell / 64] &= ~(1ull << cell % 64); }
static int is_empty(satdoku_set set) { return !(set.word[0] | set.word[1]); }
static int single(uint16_t digits) { return !(digits & (digits - 1)); }
static uint16_t own(const satdoku_others *t, int cell) { return (uint16_t)(1u << t->grid[cell]); }

static int lowest(satdoku_set set)
{
    return set.word[0] ? __builtin_ctzll(set.word[0]) : 64 + __builtin_ctzll(set.word[1]);
}

static int size_of(satdoku_set set)
{
    return __builtin_popcountll(set.word[0]) + __builtin_popcountll(set.word[1]);
}

static satdoku_set without(const satdoku_others *t, satdoku_set set)
{
    satdoku_set rest = {{0, 0}};
    for (int c = 0; c < t->cells; c++)
        if (!has(set, c)) add(&rest, c);
    return rest;
}

/* Propagation ---------------------------------------------------------------------------------- */

/* Fill a cell with its only digit; 0 if another cell is left without any. */
static int fill(const satdoku_others *t, State *state, int cell, Queue *queue)
{
    int32_t candidate = cell * t->digits + __builtin_ctz(state->digits[cell]);
    drop(&state->open, cell);
    for (int32_t k = t->kill_start[candidate]; k < t->kill_start[candidate + 1]; k++) {
        int other = t->kill_cell[k];
        uint16_t before = state->digits[other], after = before & (uint16_t)~t->kill_digits[k];
        if (after == before) continue;
        if (!after) return 0;
        state->digits[other] = after;
        if (single(after)) queue->cell[queue->count++] = (uint8_t)other;
    }
    return 1;
}

static int drain(const satdoku_others *t, State *state, Queue *queue)
{
    while (queue->count) {
        int cell = queue->cell[--queue->count];
        if (has(state->open, cell) && !fill(t, state, cell, queue)) return 0;
    }
    return 1;
}

/* Digits that have one cell left in a house go there; 0 if a digit has none, or two have the same. */
static int fill_house(const satdoku_others *t, State *state, const uint8_t *house, Queue *queue)
{
    uint16_t once = 0, twice = 0;
    for (int i = 0; i < t->digits; i++) {
        uint16_t digits = state->digits[house[i]];
        twice |= once & digits, once |= digits;
    }
    if (once != (1u << t->digits) - 1) return 0;
    once &= (uint16_t)~twice;
    for (int i = 0; once && i < t->digits; i++) {
        int cell = house[i];
        uint16_t digits = state->digits[cell] & once;
        if (!digits || state->digits[cell] == digits) continue;
        if (!single(digits)) return 0;
        state->digits[cell] = digits;
        queue->cell[queue->count++] = (uint8_t)cell;
    }
    return 1;
}

static int propagate(const satdoku_others *t, State *state, Queue *queue)
{
    int filled = 1;
    while (filled) {
        filled = 0;
        if (!drain(t, state, queue)) return 0;
        for (int64_t h = 0; h < t->houses; h++) {
            if (!fill_house(t, state, t->house + h * t->digits, queue)) return 0;
            filled |= queue->count;
            if (!drain(t, state, queue)) return 0;
        }
    }
    return 1;
}

/* Search --------------------------------------------------------------------------------------- */

static int narrowest(const State *state)
{
    int best = -1, fewest = SATDOKU_MOST_DIGITS + 1;
    for (satdoku_set left = state->open; !is_empty(left);) {
        int cell = lowest(left), digits = __builtin_popcount(state->digits[cell]);
        drop(&left, cell);
        if (digits < fewest) best = cell, fewest = digits;
        if (fewest == 2) break;
    }
    return best;
}

static int search(Visitor *visitor, const State *state)
{
    if (is_empty(state->open)) return visitor->take(visitor, state);
    int cell = narrowest(state);
    uint16_t left = state->digits[cell], first = left & own(visitor->tables, cell);
    while (left) {
        uint16_t digit = first ? first : (uint16_t)(left & -left);
        State next = *state;
        Queue queue = {{(uint8_t)cell}, 1};
        next.digits[cell] = digit;
        if (propagate(visitor->tables, &next, &queue) && search(visitor, &next)) return 1;
        left &= (uint16_t)~digit, first = 0;
    }
    return 0;
}

/* Visit the grids that have some cells in common with this one. */
static void visit_all(Visitor *visitor, satdoku_set givens)
{
    const satdoku_others *t = visitor->tables;
    State state = {{0}, without(t, (satdoku_set){{0, 0}})};
    Queue queue = {{0}, 0};
    for (int c = 0; c < t->cells; c++) state.digits[c] = (uint16_t)((1u << t->digits) - 1);
    for (int c = 0; c < t->cells; c++)
        if (has(givens, c)) state.digits[c] = own(t, c);
    for (int c = 0; c < t->cells; c++) {
        if (!has(givens, c) || !has(state.open, c)) continue;
        queue.cell[queue.count++] = (uint8_t)c;
        if (!drain(t, &state, &queue)) return;
    }
    if (propagate(t, &state, &queue)) search(visitor, &state);
}

static satdoku_set difference(const satdoku_others *t, const State *state)
{
    satdoku_set found = {{0, 0}};
    for (int c = 0; c < t->cells; c++)
        if (state->digits[c] != own(t, c)) add(&found, c);
    return found;
}

static int take_first(Visitor *visitor, const State *state)
{
    visitor->found = difference(visitor->tables, state);
    if (is_empty(visitor->found)) return 0;
    for (int c = 0; visitor->filling && c < visitor->tables->cells; c++)
        if (has(visitor->found, c))
            visitor->filling[c] = (uint8_t)(1 + __builtin_ctz(state->digits[c]));
    return 1;
}

static int take_small(Visitor *visitor, const State *state)
{
    satdoku_set found = difference(visitor->tables, state);
    if (!is_empty(found) && size_of(found) <= visitor->largest)
        visitor->sets[visitor->count++] = found;
    return ++visitor->seen >= visitor->limit;
}

static int first_other(const satdoku_others *t, satdoku_set givens, satdoku_set *other,
                       uint8_t *filling)
{
    Visitor visitor = {.tables = t, .take = take_first, .filling = filling};
    visit_all(&visitor, givens);
    *other = visitor.found;
    return !is_empty(visitor.found);
}

int satdoku_other(const satdoku_others *t, satdoku_set givens, satdoku_set *other)
{
    if (!first_other(t, givens, other, NULL)) return 0;
    satdoku_set needed = {{0, 0}}, smaller;
    for (int c = 0; c < t->cells; c++) {
        if (!has(*other, c) || has(needed, c)) continue;
        satdoku_set rest = without(t, *other);
        add(&rest, c);
        if (first_other(t, rest, &smaller, NULL)) *other = smaller;
        else add(&needed, c);
    }
    return 1;
}

int64_t satdoku_within(const satdoku_others *t, satdoku_set region, int largest, int64_t limit,
                       satdoku_set *sets)
{
    Visitor visitor = {.tables = t, .take = take_small, .sets = sets, .largest = largest};
    visitor.limit = limit;
    if (limit > 0) visit_all(&visitor, without(t, region));
    return visitor.count;
}

int satdoku_filling(const satdoku_others *t, satdoku_set cells, uint8_t *filling)
{
    satdoku_set other;
    memset(filling, 0, (size_t)t->cells);
    return first_other(t, without(t, cells), &other, filling);
}

const char *satdoku_others_fault(const satdoku_others *t)
{
    if (t->digits < 1 || t->digits > SATDOKU_MOST_DIGITS) return "digits: expected 1 to 16";
    if (t->cells < 1 || t->cells > SATDOKU_MOST_CELLS) return "cells: expected 1 to 128";
    for (int c = 0; c < t->cells; c++)
        if (t->grid[c] >= t->digits) return "grid: expected digits of the board";
    if (t->kill_start[0]) return "kill_starts: expected ascending offsets from 0";
    for (int k = 0; k < t->cells * t->digits; k++)
        if (t->kill_start[k + 1] < t->kill_start[k])
            return "kill_starts: expected ascending offsets from 0";
    if (t->kill_start[t->cells * t->digits] != t->kills)
        return "kill_starts: expected the number of entries at the end";
    for (int64_t k = 0; k < t->kills; k++)
        if (t->kill_cell[k] >= t->cells) return "kill_cells: expected cells of the board";
    for (int64_t i = 0; i < t->houses * t->digits; i++)
        if (t->house[i] >= t->cells) return "houses: expected cells of the board";
    return NULL;
}
