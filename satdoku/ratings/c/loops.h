/* Unique rectangles and loops: a cycle of cells that hold the same two digits.
 *
 * Invariant: neighbours in the cycle share a house, and every house has no cell of it or one of each
 * parity; so if all its cells held just the two digits, these could be exchanged, and the puzzle had
 * two solutions. Type 1: one cell has more digits. Type 2: several have the same one more. Type 3:
 * the further digits of two cells are part of a naked or hidden set. Type 4: one of the two digits
 * must be in two cells with more. */
#ifndef SATDOKU_RATINGS_LOOPS_H
#define SATDOKU_RATINGS_LOOPS_H

#include "wings.h"

typedef struct {
    const State *state;
    Step *step, trial;
    int found;
    int length, cell[CELLS], kind[CELLS]; /* of the house by which it was come to */
    int fuller[CELLS];   /* up to this cell: those with more than the two digits */
    Digits more[CELLS];  /* and what they have more */
    Cells cells;
    int low, high; /* the two digits */
    Digits pair;
} LoopSearch;

static double rate_loop(int length)
{
    static const double RATINGS[] = {4.5, 4.6, 4.7, 5.0}; /* of 4, 6, 8 cells and more */
    return RATINGS[length < 10 ? length / 2 - 2 : 3];
}

static void new_loop(LoopSearch *f, int type, double above)
{
    new_step(&f->trial, f->length == 4 ? UNIQUE_RECTANGLE : UNIQUE_LOOP, rate_loop(f->length) + above);
    f->trial.level = type;
    f->trial.cells = f->cells;
    f->trial.digits = f->pair;
}

/* Keep the trial if it strikes anything and rates less, or the same with a simpler type. */
static void offer_loop(LoopSearch *f)
{
    const Step *trial = &f->trial, *best = f->step;
    if (!trial->struck_cells) return;
    if (f->found
        && (trial->rating > best->rating || (trial->rating == best->rating && trial->level >= best->level)))
        return;
    f->found = 1;
    *f->step = *trial;
}

static void loop_type_1(LoopSearch *f, int cell)
{
    new_loop(f, 1, 0.0);
    strike_later(&f->trial, cell, f->pair);
    offer_loop(f);
}

static void loop_type_2(LoopSearch *f, Cells extra, int first)
{
    int digit = lowest(f->state->left.of_cell[first] & (Digits)~f->pair);
    new_loop(f, 2, 0.0);
    strike_in_cells(&f->trial, both(seen_by_all(extra), f->state->left.of_digit[digit]), digit);
    offer_loop(f);
}

/* What two cells of a loop have beyond it, and a house of both. */
typedef struct {
    int a, b, house;
    Places at_a, at_b;
    Digits extra;
} Further;

/* Other cells of the house that, with either of the two, hold as many digits as they are. */
static void naked_with(LoopSearch *f, const Further *x, Places others)
{
    const Digits *of = f->state->left.of_cell;
    int size = count(others) + 1;
    Digits shared = x->extra & of[x->a] & of[x->b], all = x->extra;
    EACH_BIT(i, others) {
        Digits digits = of[board.cell[x->house][i]];
        if (count(digits) < 2) return;
        shared |= digits;
        all |= digits;
    }
    if (count(shared) != size || count(all) != size) return;
    new_loop(f, 3, (size - 1) * 0.1);
    EACH_BIT(i, ALL & ~(others | x->at_a | x->at_b)) {
        int cell = board.cell[x->house][i];
        strike_later(&f->trial, cell, of[cell] & all);
    }
    offer_loop(f);
}

/* Digits that the two cells lack have, with the loop's two, as many places as they are. */
static void hidden_with(LoopSearch *f, const Further *x, Digits others)
{
    const Places *at = f->state->left.of_house[x->house];
    Digits digits = others | f->pair;
    Places places = 0;
    EACH_BIT(digit, digits) {
        Places own = at[digit] & (Places)~x->at_b;
        if (!own) return;
        places |= own;
    }
    if (count(places) != count(digits)) return;
    places &= (Places)~x->at_a;
    new_loop(f, 3, (count(places) - 1) * 0.1);
    EACH_BIT(i, places) {
        int cell = board.cell[x->house][i];
        strike_later(&f->trial, cell, f->state->left.of_cell[cell] & (Digits)~digits);
    }
    offer_loop(f);
}

/* The bits of `set` whose positions in `from` have the numbers that `chosen` names. */
static unsigned spread(unsigned chosen, unsigned from)
{
    unsigned set = 0;
    int number = 0;
    EACH_BIT(bit, from) set |= (chosen >> number++ & 1) << bit;
    return set;
}

#define EACH_OF_SIZE(set, size, from) \
    for (unsigned n_##set = 0; n_##set < 1u << count(from); n_##set++) \
        for (unsigned set = spread(n_##set, from), once_##set = count(n_##set) == (size); \
             once_##set; once_##set = 0)

static void naked_of_size(LoopSearch *f, const Further *x, int size)
{
    Places others = ALL & (Places)~(x->at_a | x->at_b);
    if (2 * size > f->state->empty[x->house] || size < count(x->extra)) return;
    EACH_OF_SIZE(set, size - 1, others) naked_with(f, x, (Places)set);
}

static void hidden_of_size(LoopSearch *f, const Further *x, int size)
{
    Digits others = ALL & (Digits)~(x->extra | f->pair);
    if (2 * size >= f->state->empty[x->house] || !others) return;
    EACH_OF_SIZE(set, size - 2, others) hidden_with(f, x, (Digits)set);
}

static void loop_type_3(LoopSearch *f, int a, int b, Digits extra)
{
    for (int size = 2; size <= 7; size++)
        for (int kind = 0; kind < KINDS; kind++) {
            int house = board.house[a][kind];
            if (house != board.house[b][kind]) continue;
            Further x = {a, b, house, (Places)(1 << board.place[a][kind]),
                         (Places)(1 << board.place[b][kind]), extra};
            naked_of_size(f, &x, size);
            hidden_of_size(f, &x, size);
        }
}

/* Whether a house of both cells has the digit in no third cell. */
static int confined(const State *s, int a, int b, int digit)
{
    for (int kind = 0; kind < KINDS; kind++) {
        Places two = (Places)(1 << board.place[a][kind] | 1 << board.place[b][kind]);
        int house = board.house[a][kind];
        if (house == board.house[b][kind] && !(s->left.of_house[house][digit] & ~two)) return 1;
    }
    return 0;
}

static void loop_type_4(LoopSearch *f, int a, int b)
{
    int low = confined(f->state, a, b, f->low);
    if (!low && !confined(f->state, a, b, f->high)) return;
    new_loop(f, 4, 0.0);
    Digits leaving = (Digits)(1 << (low ? f->high : f->low));
    strike_later(&f->trial, a, leaving);
    strike_later(&f->trial, b, leaving);
    offer_loop(f);
}

/* Whether each house has no cell of the loop, or one at an odd and one at an even position. */
static int is_balanced(const LoopSearch *f)
{
    uint32_t seen[2] = {0, 0};
    for (int i = 0; i < f->length; i++)
        for (int kind = 0; kind < KINDS; kind++) {
            uint32_t house = 1u << board.house[f->cell[i]][kind];
            if (seen[i & 1] & house) return 0;
            seen[i & 1] |= house;
        }
    return seen[0] == seen[1];
}

static void judge_loop(LoopSearch *f)
{
    int extra[CELLS], extras = 0;
    Cells cells = {0, 0};
    Digits digits = 0;
    if (!is_balanced(f)) return;
    for (int i = 0; i < f->length; i++) {
        Digits more = f->state->left.of_cell[f->cell[i]] & (Digits)~f->pair;
        if (!more) continue;
        extra[extras++] = f->cell[i];
        cells = either(cells, only(f->cell[i]));
        digits |= more;
    }
    if (extras == 1) loop_type_1(f, extra[0]);
    if (extras > 2 || (extras == 2 && is_single(digits))) loop_type_2(f, cells, extra[0]);
    else if (extras == 2) loop_type_3(f, extra[0], extra[1], digits);
    if (extras == 2) loop_type_4(f, extra[0], extra[1]);
}

static void go_on(LoopSearch *f);

/* Come to a cell that has the two digits, unless it is a third one with more, and not all have the
 * same one more. */
static void come_to(LoopSearch *f, int cell, int kind)
{
    int at = f->length;
    Digits more = f->state->left.of_cell[cell] & (Digits)~f->pair;
    f->more[at] = f->more[at - 1] | more;
    f->fuller[at] = f->fuller[at - 1] + (more != 0);
    if (more && f->fuller[at] > 2 && !is_single(f->more[at])) return;
    f->cell[at] = cell;
    f->kind[at] = kind;
    f->cells = either(f->cells, only(cell));
    f->length++;
    go_on(f);
    f->length--;
    f->cells = without(f->cells, only(cell));
}

/* Go on from the last cell by a house of another kind than that of the last link. */
static void go_on(LoopSearch *f)
{
    int last = f->length - 1;
    for (int kind = 0; kind < KINDS; kind++) {
        int house = board.house[f->cell[last]][kind];
        const Places *at = f->state->left.of_house[house];
        if (kind == f->kind[last]) continue;
        EACH_BIT(place, at[f->low] & at[f->high]) {
            int cell = board.cell[house][place];
            if (cell == f->cell[0] && f->length >= 4) judge_loop(f);
            else if (!contains(f->cells, cell)) come_to(f, cell, kind);
        }
    }
}

static int unique_loop(const State *s, Step *step)
{
    LoopSearch f;
    f.state = s;
    f.step = step;
    f.found = f.fuller[0] = f.more[0] = 0;
    f.length = 1;
    f.kind[0] = -1;
    for (int cell = 0; cell < CELLS; cell++) {
        f.pair = s->left.of_cell[cell];
        if (count(f.pair) != 2) continue;
        f.low = lowest(f.pair);
        f.high = lowest(f.pair & (f.pair - 1u));
        f.cell[0] = cell;
        f.cells = only(cell);
        go_on(&f);
    }
    return f.found;
}

#endif
