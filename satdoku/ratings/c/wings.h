/* Wings: a cell, or a set of cells with one digit more than cells, and one or two bivalue cells.
 *
 * Invariant: a set of n cells of one house with n + 1 digits holds all of them but one. If the
 * bivalue cell xz sees each x of the set, one of them holds z. If it sees each z, too, both are
 * settled among the set and the cell, and so is every other digit within the set. */
#ifndef SATDOKU_RATINGS_WINGS_H
#define SATDOKU_RATINGS_WINGS_H

#include "links.h"

static int strike_seen(const State *s, Step *step, Cells cells, int digit)
{
    Cells struck = without(both(seen_by_all(cells), s->left.of_digit[digit]), step->cells);
    strike_in_cells(step, struck, digit);
    return some(struck);
}

static int wing_with(const State *s, int pivot, int a, int b, Step *step)
{
    const Digits *of = s->left.of_cell;
    int three = count(of[pivot]) == 3;
    if (count(of[b]) != 2 || count(of[pivot] | of[a] | of[b]) != 3) return 0;
    if (count(of[pivot] & of[a] & of[b]) != three) return 0;
    int z = lowest(of[a] & of[b]);
    new_step(step, three ? XYZ_WING : XY_WING, three ? 4.4 : 4.2);
    Cells ends = either(only(a), only(b));
    step->cells = either(ends, only(pivot));
    step->digits = of[pivot] | of[a];
    return strike_seen(s, step, three ? step->cells : ends, z);
}

static int wing_of_pivot(const State *s, int pivot, Step *step)
{
    const Digits *of = s->left.of_cell;
    EACH_CELL(a, board.peers[pivot]) {
        if (count(of[a]) != 2 || count(of[pivot] & (Digits)~of[a]) != 1) continue;
        EACH_CELL(b, board.peers[pivot])
            if (wing_with(s, pivot, a, b, step)) return 1;
    }
    return 0;
}

/* XY-wings (pivots of two digits) or XYZ-wings (three). */
static int small_wing(const State *s, int digits, Step *step)
{
    for (int pivot = 0; pivot < CELLS; pivot++)
        if (count(s->left.of_cell[pivot]) == digits && wing_of_pivot(s, pivot, step)) return 1;
    return 0;
}

typedef struct {
    const State *state;
    Step *step, trial;
    int size;             /* of the set */
    Cells own, bivalue;   /* cells of the set, and all of two digits */
    int fullest, total; /* digits of the set's fullest cell, and of all its cells */
    int64_t best;
} SetSearch;

static Cells set_cells_with(const SetSearch *f, int digit)
{
    return both(f->own, f->state->left.of_digit[digit]);
}

static int all_seen(const SetSearch *f, int end, int digit)
{
    return !some(without(set_cells_with(f, digit), board.peers[end]));
}

static double rate_set(const SetSearch *f)
{
    static const double RATINGS[2][4] = {{5.5, 5.6, 5.5}, {6.3, 6.4, 6.3, 6.2}};
    return f->size < 5 ? RATINGS[f->size - 3][f->fullest - 2] : f->size == 5 ? 6.6 : 7.5;
}

/* Wings of one rating by their number of struck candidates, then by what they look like: linked
 * twice before once, fuller cells, more digits in all; these as a text, so 9 comes before 10. */
static int64_t worth_of_set(const SetSearch *f, int twice)
{
    int64_t rated = (int64_t)(10 * rate_set(f) + 0.5);
    int64_t as_text = f->total < 10 ? 10 * f->total : f->total;
    return rated * 100000000 + (999 - count_struck(&f->trial)) * 100000
           + 99999 - (twice * 10000 + f->fullest * 1000 + as_text);
}

/* The digit z leaves what sees it in the set and in the cell. Linked twice: so do x and the rest. */
static void judge_set(SetSearch *f, int end, int x, int z, Digits inner)
{
    static const Technique NAMES[] = {0, 0, 0, WXYZ_WING, VWXYZ_WING, UVWXYZ_WING, TUVWXYZ_WING};
    Step *trial = &f->trial;
    int within = 0, at_both = 1;
    new_step(trial, NAMES[f->size], rate_set(f));
    trial->cells = either(f->own, only(end));
    EACH_BIT(w, inner) within |= strike_seen(f->state, trial, set_cells_with(f, w), w);
    if (inner) at_both = strike_seen(f->state, trial, either(set_cells_with(f, x), only(end)), x);
    at_both &= strike_seen(f->state, trial, either(set_cells_with(f, z), only(end)), z);
    if (!trial->struck_cells) return;
    int64_t worth = worth_of_set(f, inner && (within || at_both));
    if (worth >= f->best) return;
    f->best = worth;
    trial->digits = (Digits)(1 << x | 1 << z);
    *f->step = *trial;
}

static void try_ends(SetSearch *f, Digits all, Cells around)
{
    EACH_CELL(end, without(both(around, f->bivalue), f->own)) {
        Digits pair = f->state->left.of_cell[end];
        if (pair & ~all) continue;
        int x = lowest(pair), z = lowest(pair & (pair - 1u));
        int x_seen = all_seen(f, end, x), z_seen = all_seen(f, end, z);
        if (x_seen) judge_set(f, end, x, z, z_seen ? all & (Digits)~pair : 0);
        else if (z_seen) judge_set(f, end, z, x, 0);
    }
}

/* Add cells to a set: `next` are those that all of it see, `around` those that any of it sees. */
static void grow_set(SetSearch *f, int length, Cells next, Cells around, Digits all)
{
    if (length == f->size) {
        if (count(all) == f->size + 1) try_ends(f, all, around);
        return;
    }
    int fullest = f->fullest;
    EACH_CELL(cell, next) {
        Digits digits = f->state->left.of_cell[cell];
        if (count(digits) < 2 || count(all | digits) > f->size + 1) continue;
        f->own = either(f->own, only(cell));
        f->fullest = count(digits) > fullest ? count(digits) : fullest;
        f->total += count(digits);
        grow_set(f, length + 1, both(next, board.later[cell]), either(around, board.peers[cell]),
                 all | digits);
        f->total -= count(digits);
        f->own = without(f->own, only(cell));
    }
    f->fullest = fullest;
}

/* The best wing of a set of 3 to 6 cells. */
static int set_wing(const State *s, int size, Step *step)
{
    SetSearch f;
    f.state = s;
    f.step = step;
    f.size = size;
    f.fullest = f.total = 0;
    f.best = INT64_MAX;
    f.own = f.bivalue = (Cells){0, 0};
    for (int cell = 0; cell < CELLS; cell++)
        if (count(s->left.of_cell[cell]) == 2) f.bivalue = either(f.bivalue, only(cell));
    grow_set(&f, 0, (Cells){~0ull, (1 << 17) - 1}, (Cells){0, 0}, 0);
    return f.best != INT64_MAX;
}

#endif
