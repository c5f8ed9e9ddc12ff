/* Singles: the only place of a digit in a house, the only digit of a cell.
 *
 * Invariant: a digit that is the last of its house comes first, then hidden singles by kind of house:
 * boxes, columns, rows. */
#ifndef SATDOKU_RATINGS_SINGLES_H
#define SATDOKU_RATINGS_SINGLES_H

#include "step.h"

static const int BOX_COLUMN_ROW[KINDS] = {BOX, COLUMN, ROW};

static void place_hidden(Step *step, Technique technique, double rating, int house, int digit, Places at)
{
    new_step(step, technique, rating);
    int cell = board.cell[house][lowest(at)];
    step->placed = candidate(cell, digit);
    step->house[step->houses++] = (uint8_t)house;
}

/* The single of a house, with the house's last empty cell or with more of them. */
static int single_of_house(const State *s, int house, int last, Step *step)
{
    if ((s->empty[house] == 1) != last) return 0;
    for (int digit = 0; digit < 9; digit++) {
        Places at = s->left.of_house[house][digit];
        if (!is_single(at)) continue;
        double rating = last ? 1.0 : kind_of(house) == BOX ? 1.2 : 1.5;
        place_hidden(step, last ? LAST_DIGIT : HIDDEN_SINGLE, rating, house, digit, at);
        return 1;
    }
    return 0;
}

static int hidden_single(const State *s, Step *step)
{
    for (int last = 1; last >= 0; last--)
        for (int k = 0; k < KINDS; k++)
            for (int house = 9 * BOX_COLUMN_ROW[k], end = house + 9; house < end; house++)
                if (single_of_house(s, house, last, step)) return 1;
    return 0;
}

static int naked_single(const State *s, Step *step)
{
    for (int cell = 0; cell < CELLS; cell++) {
        Digits digits = s->left.of_cell[cell];
        if (!is_single(digits)) continue;
        new_step(step, NAKED_SINGLE, 2.3);
        step->placed = candidate(cell, lowest(digits));
        return 1;
    }
    return 0;
}

#endif
