/* Naked sets, hidden sets and fish: as many things as places for them.
 *
 * Invariant: n sets of at least two members whose union has n members share these among themselves,
 * and nobody else gets one. The sets are the digits of n cells (naked), the places of n digits in a
 * house (hidden) or the places of one digit in n parallel lines (fish). Of two complementary sets
 * the larger is not sought. */
#ifndef SATDOKU_RATINGS_SUBSETS_H
#define SATDOKU_RATINGS_SUBSETS_H

#include "intersections.h"

/* The union of the sets that `members` names if they are a set of `size`, else 0. */
static unsigned locked(const uint16_t *sets, unsigned members, int size)
{
    unsigned all = 0;
    EACH_BIT(i, members) all |= sets[i];
    return count(all) == size ? all : 0;
}

/* Those of nine sets that may take part. */
static unsigned eligible(const uint16_t *sets, int size)
{
    unsigned members = 0;
    for (int i = 0; i < 9; i++)
        if (count(sets[i]) >= 2 && count(sets[i]) <= size) members |= 1u << i;
    return count(members) >= size ? members : 0;
}

#define EACH_SUBSET(members, size, of) \
    for (int i_##members = 0; (of) && i_##members < board.subset_count[size]; i_##members++) \
        for (unsigned members = board.subsets[size][i_##members], once_##members = 1; \
             once_##members && !(members & ~(of)); once_##members = 0)

static void note_house(Step *step, int house, Places places, Digits digits)
{
    EACH_BIT(place, places) step->cells = either(step->cells, only(board.cell[house][place]));
    step->digits = digits;
    step->houses = 1;
    step->house[0] = (uint8_t)house;
}

static int naked_in_house(const Search *f, int house, int size)
{
    static const double RATINGS[] = {0, 0, 3.0, 3.6, 5.0};
    static const Technique NAMES[] = {0, 0, NAKED_PAIR, NAKED_TRIPLET, NAKED_QUAD};
    Digits digits[9];
    if (f->state->empty[house] < 2 * size) return 0;
    for (int i = 0; i < 9; i++) digits[i] = f->state->left.of_cell[board.cell[house][i]];
    unsigned members = eligible(digits, size);
    EACH_SUBSET(places, size, members) {
        unsigned all = locked(digits, places, size);
        if (!all) continue;
        new_step(f->step, NAMES[size], RATINGS[size]);
        EACH_BIT(other, ALL & ~places)
            strike_later(f->step, board.cell[house][other], (Digits)(digits[other] & all));
        note_house(f->step, house, (Places)places, (Digits)all);
        if (f->step->struck_cells && f->take(f->context, f->step)) return 1;
    }
    return 0;
}

static int hidden_in_house(const Search *f, int house, int size)
{
    static const double RATINGS[] = {0, 0, 3.4, 4.0, 5.4};
    static const Technique NAMES[] = {0, 0, HIDDEN_PAIR, HIDDEN_TRIPLET, HIDDEN_QUAD};
    const Places *at = f->state->left.of_house[house];
    if (f->state->empty[house] <= 2 * size) return 0;
    unsigned members = eligible(at, size);
    EACH_SUBSET(digits, size, members) {
        unsigned places = locked(at, digits, size);
        if (!places) continue;
        new_step(f->step, NAMES[size], RATINGS[size]);
        EACH_BIT(i, places) {
            int cell = board.cell[house][i];
            strike_later(f->step, cell, f->state->left.of_cell[cell] & (Digits)~digits);
        }
        note_house(f->step, house, (Places)places, (Digits)digits);
        if (f->step->struck_cells && f->take(f->context, f->step)) return 1;
    }
    return 0;
}

/* The hidden single of a house once `places` hold the digits of a hidden set. */
static int single_outside(const State *s, int house, unsigned digits, unsigned places, Step *step)
{
    int pair = count(digits) == 2;
    EACH_BIT(digit, ALL & ~digits) {
        Places at = s->left.of_house[house][digit], left = at & (Places)~places;
        if (count(at) < 2 || !is_single(left)) continue;
        place_hidden(step, pair ? DIRECT_HIDDEN_PAIR : DIRECT_HIDDEN_TRIPLET, pair ? 2.0 : 2.5, house,
                     digit, left);
        note_house(step, house, (Places)places, (Digits)digits);
        return 1;
    }
    return 0;
}

static int direct_in_house(const State *s, int house, int size, Step *step)
{
    const Places *at = s->left.of_house[house];
    if (s->empty[house] <= size) return 0;
    unsigned members = eligible(at, size);
    EACH_SUBSET(digits, size, members) {
        unsigned places = locked(at, digits, size);
        if (places && single_outside(s, house, digits, places, step)) return 1;
    }
    return 0;
}

#define EACH_HOUSE(house) \
    for (int k_##house = 0; k_##house < KINDS; k_##house++) \
        for (int house = 9 * BOX_COLUMN_ROW[k_##house], end_##house = house + 9; \
             house < end_##house; house++)

static int naked_sets(const Search *f, int size)
{
    EACH_HOUSE(house) if (naked_in_house(f, house, size)) return 1;
    return 0;
}

static int hidden_sets(const Search *f, int size)
{
    EACH_HOUSE(house) if (hidden_in_house(f, house, size)) return 1;
    return 0;
}

static int direct_hidden_set(const State *s, int size, Step *step)
{
    EACH_HOUSE(house) if (direct_in_house(s, house, size, step)) return 1;
    return 0;
}

/* Note lines as every second house of a pattern. */
static void note_lines(Step *step, int at, int first, unsigned lines)
{
    for (; lines && at < MAX_PATTERN_HOUSES; at += 2, lines &= lines - 1)
        step->house[at] = (uint8_t)(first + lowest(lines));
}

static int one_fish(const Search *f, int base, int cover, unsigned lines, unsigned crossing, int digit)
{
    static const double RATINGS[] = {0, 0, 3.2, 3.8, 5.2};
    static const Technique NAMES[] = {0, 0, X_WING, SWORDFISH, JELLYFISH};
    int size = count(lines);
    Cells own = {0, 0};
    new_step(f->step, NAMES[size], RATINGS[size]);
    EACH_BIT(i, crossing)
        EACH_BIT(place, f->state->left.of_house[cover + i][digit] & ~lines)
            strike_later(f->step, board.cell[cover + i][place], (Digits)(1 << digit));
    if (!f->step->struck_cells) return 0;
    EACH_BIT(i, lines) own = either(own, board.cells[base + i]);
    f->step->cells = both(own, f->state->left.of_digit[digit]);
    f->step->digits = (Digits)(1 << digit);
    f->step->houses = 2 * size;
    note_lines(f->step, 0, base, lines);
    note_lines(f->step, 1, cover, crossing);
    return f->take(f->context, f->step);
}

static int fish_between(const Search *f, int base, int cover, int size)
{
    uint16_t at[9][9];
    unsigned members[9], any = 0;
    for (int digit = 0; digit < 9; digit++) {
        for (int i = 0; i < 9; i++) at[digit][i] = f->state->left.of_house[base + i][digit];
        members[digit] = f->state->placed[digit] + 2 * size <= 9 ? eligible(at[digit], size) : 0;
        any |= members[digit];
    }
    EACH_SUBSET(lines, size, any)
        for (int digit = 0; digit < 9; digit++) {
            if (!members[digit] || lines & ~members[digit]) continue;
            unsigned crossing = locked(at[digit], lines, size);
            if (crossing && one_fish(f, base, cover, lines, crossing, digit)) return 1;
        }
    return 0;
}

static int fish(const Search *f, int size)
{
    return fish_between(f, 9 * COLUMN, 9 * ROW, size) || fish_between(f, 9 * ROW, 9 * COLUMN, size);
}

#endif
