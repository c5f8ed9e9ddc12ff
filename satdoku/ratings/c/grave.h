/* Bivalue universal grave: without a few further candidates, every cell has two digits and every
 * digit two places in each house.
 *
 * Invariant: such a grid has no solution or several, so one of the further candidates holds. Type 1:
 * one cell has them. Type 2: they are one digit. Type 3: they are part of a naked set. Type 4: two
 * cells have them and a digit that must be in one of the two. */
#ifndef SATDOKU_RATINGS_GRAVE_H
#define SATDOKU_RATINGS_GRAVE_H

#include "loops.h"

typedef struct {
    const State *state;
    Step *step;
    Candidates plain;        /* without the further candidates */
    Cells cells;             /* that have them */
    Digits of_cell[CELLS], all; /* the further candidates; `all` without those of a spread digit */
    Cells seen;              /* by each such cell */
} Grave;

static void add_further(Grave *g, int cell, int digit)
{
    g->cells = either(g->cells, only(cell));
    g->of_cell[cell] |= (Digits)(1 << digit);
    strike(&g->plain, cell, digit);
}

/* Of a digit whose number of places in a house is wrong: the cells that may be to blame. */
static Cells suspects(const State *s, int house, int digit)
{
    Cells cells = {0, 0};
    EACH_BIT(place, s->left.of_house[house][digit]) {
        int cell = board.cell[house][place];
        if (count(s->left.of_cell[cell]) >= 3) cells = either(cells, only(cell));
    }
    return cells;
}

static int fits(Places at) { return !at || count(at) == 2; }

/* Find the further candidates: a suspect that is alone in a house and, if no more than one digit has
 * a wrong number of places in any house, every suspect. */
static int collect(Grave *g)
{
    Cells all = {0, 0};
    Digits wrong = 0;
    for (int house = 0; house < HOUSES; house++)
        for (int digit = 0; digit < 9; digit++) {
            if (fits(g->state->left.of_house[house][digit])) continue;
            Cells found = suspects(g->state, house, digit);
            if (!some(found)) return 0;
            wrong |= (Digits)(1 << digit);
            all = either(all, found);
            if (size_of(found) > 1) continue;
            g->all |= (Digits)(1 << digit);
            add_further(g, first_cell(found), digit);
        }
    if (is_single(wrong))
        EACH_CELL(cell, without(all, g->cells)) add_further(g, cell, lowest(wrong));
    g->seen = seen_by_all(g->cells);
    return wrong != 0;
}

static int is_grave(const Grave *g)
{
    for (int cell = 0; cell < CELLS; cell++)
        if (!g->state->digit[cell] && count(g->plain.of_cell[cell]) != 2) return 0;
    for (int house = 0; house < HOUSES; house++)
        for (int digit = 0; digit < 9; digit++)
            if (!fits(g->plain.of_house[house][digit])) return 0;
    return 1;
}

static void new_grave(const Grave *g, int type, double rating)
{
    new_step(g->step, BUG, rating);
    g->step->level = type;
    g->step->cells = g->cells;
    g->step->digits = g->all;
}

static int grave_type_1(const Grave *g)
{
    int cell = first_cell(g->cells);
    new_grave(g, 1, 5.6);
    strike_later(g->step, cell, g->state->left.of_cell[cell] & (Digits)~g->all);
    return 1;
}

static int grave_type_2(const Grave *g)
{
    int digit = lowest(g->all);
    new_grave(g, 2, 5.7);
    strike_in_cells(g->step, both(g->seen, g->state->left.of_digit[digit]), digit);
    return g->step->struck_cells > 0;
}

/* A house of all cells of the grave, of one kind; -1 if there is none. */
static int house_of_grave(const Grave *g, int kind)
{
    int house = board.house[first_cell(g->cells)][kind];
    return some(without(g->cells, board.cells[house])) ? -1 : house;
}

static int grave_type_4(const Grave *g)
{
    int a = first_cell(g->cells), b = first_cell(rest(g->cells));
    const Digits *of = g->state->left.of_cell;
    Digits common = of[a] & of[b] & (Digits)~g->all;
    if (size_of(g->cells) != 2 || count(common) != 1) return 0;
    for (int kind = 0; kind < KINDS; kind++) {
        if (house_of_grave(g, kind) < 0) continue;
        new_grave(g, 4, 5.7);
        strike_later(g->step, a, of[a] & (Digits)~(g->of_cell[a] | common));
        strike_later(g->step, b, of[b] & (Digits)~(g->of_cell[b] | common));
        return 1;
    }
    return 0;
}

/* Cells of the house, as numbers among those that the whole grave sees, which with one of its cells
 * are a naked set. */
static int naked_with_grave(const Grave *g, Cells members, Cells others, int size)
{
    const Digits *of = g->state->left.of_cell;
    Digits set = 0;
    EACH_CELL(cell, members) {
        if (count(of[cell]) < 2) return 0;
        set |= of[cell];
    }
    if (count(g->all) < 2 || count(set) != size || g->all & ~set) return 0;
    new_grave(g, 3, 5.7 + (size - 1) * 0.1);
    EACH_CELL(cell, without(others, members)) strike_later(g->step, cell, of[cell] & set);
    g->step->digits = set;
    return g->step->struck_cells > 0;
}

static Cells nth_of(Cells from, unsigned chosen)
{
    Cells cells = {0, 0};
    EACH_CELL(cell, from) {
        if (chosen & 1) cells = either(cells, only(cell));
        chosen >>= 1;
    }
    return cells;
}

static int grave_type_3(const Grave *g)
{
    for (int size = 2; size <= 6; size++)
        for (int kind = 0; kind < KINDS; kind++) {
            int house = house_of_grave(g, kind);
            if (house < 0) continue;
            Cells others = both(g->seen, board.cells[house]);
            if (size_of(others) < size) continue;
            for (unsigned chosen = 1; chosen < 1u << size_of(others); chosen++)
                if (count(chosen) == size - 1
                    && naked_with_grave(g, nth_of(others, chosen), others, size))
                    return 1;
        }
    return 0;
}

static int bivalue_grave(const State *s, Step *step)
{
    Grave g = {.state = s, .step = step, .plain = s->left};
    if (!collect(&g) || !is_grave(&g)) return 0;
    if (size_of(g.cells) == 1) return grave_type_1(&g);
    if (count(g.all) == 1) return grave_type_2(&g) || grave_type_4(&g);
    return some(g.seen) && (grave_type_4(&g) || grave_type_3(&g));
}

#endif
