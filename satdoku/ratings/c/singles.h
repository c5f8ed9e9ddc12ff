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

/* The digit of a house's last empty cell. */
static int last_digit(const State *s, Step *step)
{
    for (int k = 0; k < KINDS; k++)
        for (int house = 9 * BOX_COLUMN_ROW[k], end = house + 9; house < end; house++) {
            if (s->empty[house] != 1) continue;
            for (int digit = 0; digit < 9; digit++) {
                Places at = s->left.of_house[house][digit];
                if (!is_single(at)) continue;
                place_hidden(step, LAST_DIGIT, 1.0, house, digit, at);
                return 1;
            }
        }
    return 0;
}

static inline Places but_lowest(Places at) { return at & (Places)(at - 1); }

/* For each house and digit, whether it has one place there: in one loop, which compilers can do
 * several at a time. */
static void mark_singles(const Candidates *left, uint8_t *marks)
{
    const Places *at = left->of_house[0];
    for (int i = 0; i < 9 * HOUSES; i++)
        marks[i] = (uint8_t)((at[i] != 0) & (but_lowest(at[i]) == 0));
}

static int hidden_single(const State *s, Step *step)
{
    uint8_t marks[9 * HOUSES];
    if (last_digit(s, step)) return 1;
    mark_singles(&s->left, marks);
    for (int k = 0; k < KINDS; k++) {
        int first = 81 * BOX_COLUMN_ROW[k];
        const uint8_t *mark = memchr(marks + first, 1, 81);
        if (!mark) continue;
        int house = (int)(mark - marks) / 9, digit = (int)(mark - marks) % 9;
        place_hidden(step, HIDDEN_SINGLE, k ? 1.5 : 1.2, house, digit, s->left.of_house[house][digit]);
        return 1;
    }
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
