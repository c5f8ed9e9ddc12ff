/* Aligned exclusion: of two or three cells, the combinations of digits that leave no digit to a cell
 * that all of them see.
 *
 * Invariant: a digit that is in no allowed combination leaves its cell. Cells that exclude have at
 * most as many digits as there are aligned cells. */
#ifndef SATDOKU_RATINGS_ALIGNED_H
#define SATDOKU_RATINGS_ALIGNED_H

#include "grave.h"

enum { MAX_ALIGNED = 3 };

typedef struct {
    const State *state;
    Step *step;
    int size;
    int cell[MAX_ALIGNED];
    Cells excluding[CELLS]; /* cells that exclude and are seen */
    Digits taken[20];       /* digits of the cells that all aligned cells see */
    int takers;
    Digits allowed[MAX_ALIGNED];
} Aligned;

static int excludes(const Aligned *f, Digits digits)
{
    for (int i = 0; i < f->takers; i++)
        if (!(f->taken[i] & ~digits)) return 1;
    return 0;
}

/* Give digits to the cells from `at` on, but for one that has its digit, so that the combination is
 * allowed. Returns whether there is a way. */
static int complete(const Aligned *f, int at, int fixed, int *digit, Digits used)
{
    if (at == MAX_ALIGNED || at == f->size) return !excludes(f, used);
    Digits digits = at == fixed ? (Digits)(1 << digit[at]) : f->state->left.of_cell[f->cell[at]];
    EACH_BIT(d, digits) {
        int clash = 0;
        for (int i = 0; i < at; i++) clash |= digit[i] == d && see(f->cell[i], f->cell[at]);
        digit[at] = d;
        if (!clash && complete(f, at + 1, fixed, digit, used | (Digits)(1 << d))) return 1;
    }
    return 0;
}

/* Whether a digit of a cell is in an allowed combination; all digits of that are allowed, too. */
static int is_allowed(Aligned *f, int i, int d)
{
    int digit[MAX_ALIGNED];
    if (f->allowed[i] >> d & 1) return 1;
    digit[i] = d;
    if (!complete(f, 0, i, digit, 0)) return 0;
    for (int k = 0; k < f->size; k++) f->allowed[k] |= (Digits)(1 << digit[k]);
    return 1;
}

static int judge_aligned(Aligned *f)
{
    Cells common = f->excluding[f->cell[0]];
    for (int i = 1; i < f->size; i++) common = both(common, f->excluding[f->cell[i]]);
    if (size_of(common) < 2) return 0;
    f->takers = 0;
    EACH_CELL(cell, common) f->taken[f->takers++] = f->state->left.of_cell[cell];
    memset(f->allowed, 0, sizeof f->allowed);
    int all = 1;
    for (int i = 0; i < f->size; i++)
        EACH_BIT(d, f->state->left.of_cell[f->cell[i]]) all &= is_allowed(f, i, d);
    if (all) return 0;
    new_step(f->step, f->size == 2 ? ALIGNED_PAIR : ALIGNED_TRIPLET, f->size == 2 ? 6.2 : 7.5);
    for (int i = 0; i < f->size; i++) {
        strike_later(f->step, f->cell[i], f->state->left.of_cell[f->cell[i]] & (Digits)~f->allowed[i]);
        f->step->cells = either(f->step->cells, only(f->cell[i]));
    }
    return 1;
}

/* The third cell is one that excludes and that the first sees, or else the second. */
static int try_thirds(Aligned *f, Cells thirds)
{
    EACH_CELL(third, thirds) {
        f->cell[2] = third;
        if (judge_aligned(f)) return 1;
    }
    return 0;
}

static int try_pair(Aligned *f, Cells bases)
{
    if (f->size == 2) return judge_aligned(f);
    Cells taken = either(only(f->cell[0]), only(f->cell[1]));
    Cells first = f->excluding[f->cell[0]];
    Cells second = without(f->excluding[f->cell[1]], first);
    if (size_of(both(f->excluding[f->cell[0]], f->excluding[f->cell[1]])) < 2) return 0;
    return try_thirds(f, without(both(first, bases), taken))
           || try_thirds(f, without(both(second, bases), taken));
}

static int aligned_exclusion(const State *s, int size, Step *step)
{
    Aligned f;
    Cells small = {0, 0}, bases = {0, 0};
    f.state = s;
    f.step = step;
    f.size = size;
    for (int cell = 0; cell < CELLS; cell++)
        if (s->left.of_cell[cell] && count(s->left.of_cell[cell]) <= size)
            small = either(small, only(cell));
    for (int cell = 0; cell < CELLS; cell++) {
        f.excluding[cell] = both(board.peers[cell], small);
        if (s->left.of_cell[cell] && some(f.excluding[cell])) bases = either(bases, only(cell));
    }
    EACH_CELL(later, bases)
        EACH_CELL(earlier, both(bases, below(later))) {
            f.cell[0] = earlier;
            f.cell[1] = later;
            if (try_pair(&f, bases)) return 1;
        }
    return 0;
}

#endif
