/* Intersections: all places of a digit in one house lie in another.
 *
 * Invariant: the digit leaves the rest of the other house. Pointing is a box in a line, claiming a
 * line in a box. A direct intersection counts only for the hidden single that follows from it in a
 * house beside the first. */
#ifndef SATDOKU_RATINGS_INTERSECTIONS_H
#define SATDOKU_RATINGS_INTERSECTIONS_H

#include "singles.h"

static const struct { int base, cover; } CROSSINGS[4] = {
    {BOX, COLUMN}, {BOX, ROW}, {COLUMN, BOX}, {ROW, BOX},
};

static int strike_rest(const Search *f, int base, int cover, int digit)
{
    Step *step = f->step;
    Places rest_of_cover =
        f->state->left.of_house[cover][digit] & (Places)~board.common[cover][base];
    if (!rest_of_cover) return 0;
    int pointing = kind_of(cover) != BOX;
    new_step(step, pointing ? POINTING : CLAIMING, pointing ? 2.6 : 2.8);
    EACH_BIT(place, rest_of_cover)
        strike_later(step, board.cell[cover][place], (Digits)(1 << digit));
    step->cells = both(board.cells[base], f->state->left.of_digit[digit]);
    step->digits = (Digits)(1 << digit);
    step->houses = 2;
    step->house[0] = (uint8_t)base;
    step->house[1] = (uint8_t)cover;
    return f->take(f->context, step);
}

static int single_beside(const Search *f, int base, int cover, int digit)
{
    for (int other = 9 * kind_of(base), end = other + 9; other < end; other++) {
        Places at = f->state->left.of_house[other][digit];
        if (other == base || !board.common[other][cover] || count(at) < 2) continue;
        Places left = at & (Places)~board.common[other][cover];
        if (!is_single(left)) continue;
        int pointing = kind_of(base) == BOX;
        place_hidden(f->step, pointing ? DIRECT_POINTING : DIRECT_CLAIMING, pointing ? 1.7 : 1.9,
                     other, digit, left);
        f->step->cells = both(board.cells[base], f->state->left.of_digit[digit]);
        return 1;
    }
    return 0;
}

typedef int (*Use)(const Search *f, int base, int cover, int digit);

static int each_cover(const Search *f, int base, int kind, int digit, Use use)
{
    Places at = f->state->left.of_house[base][digit];
    for (int i = 0; i < 3; i++) {
        int cover = board.cover[base][kind][i];
        if (!(at & ~board.common[base][cover]) && use(f, base, cover, digit)) return 1;
    }
    return 0;
}

/* For each house and digit, whether it has two or three places there, as `mark_singles`. */
static void mark_few(const Candidates *left, uint8_t *marks)
{
    const Places *at = left->of_house[0];
    for (int i = 0; i < 9 * HOUSES; i++) {
        Places but_one = but_lowest(at[i]), but_three = but_lowest(but_lowest(but_one));
        marks[i] = (uint8_t)((but_one != 0) & (but_three == 0));
    }
}

static int each_intersection(const Search *f, Use use)
{
    uint8_t few[9 * HOUSES];
    mark_few(&f->state->left, few);
    for (int k = 0; k < 4; k++)
        for (int digit = 0; digit < 9; digit++)
            for (int base = 9 * CROSSINGS[k].base, end = base + 9; base < end; base++)
                if (few[9 * base + digit] && each_cover(f, base, CROSSINGS[k].cover, digit, use))
                    return 1;
    return 0;
}

static int direct_intersection(const State *s, Step *step)
{
    return each_intersection(&(Search){s, step, take_first, NULL}, single_beside);
}

static int intersections(const Search *f) { return each_intersection(f, strike_rest); }

#endif
