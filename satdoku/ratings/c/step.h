/* A step: what a technique concludes, why, and how hard that is.
 *
 * Invariant: a step places one candidate, or strikes at least one, or both. Struck candidates are in
 * the order in which the pattern meets them, each cell once. The ratings are sums of tenths as IEEE
 * doubles, added in the order of the published scale: ties between ratings of different kinds
 * depend on their last bit. */
#ifndef SATDOKU_RATINGS_STEP_H
#define SATDOKU_RATINGS_STEP_H

#include "state.h"

/* In the order in which they are tried; satdoku/ratings/step.py has their names. */
typedef enum {
    LAST_DIGIT, HIDDEN_SINGLE, DIRECT_POINTING, DIRECT_CLAIMING, DIRECT_HIDDEN_PAIR, NAKED_SINGLE,
    DIRECT_HIDDEN_TRIPLET, POINTING, CLAIMING, NAKED_PAIR, X_WING, HIDDEN_PAIR, NAKED_TRIPLET,
    SWORDFISH, HIDDEN_TRIPLET, SKYSCRAPER, TWO_STRING_KITE, STRONG_LINKS_2, XY_WING, XYZ_WING,
    UNIQUE_RECTANGLE, UNIQUE_LOOP, NAKED_QUAD, JELLYFISH, HIDDEN_QUAD, STRONG_LINKS_3, WXYZ_WING,
    BUG, STRONG_LINKS_4, VWXYZ_WING, ALIGNED_PAIR, UVWXYZ_WING, X_CYCLE, Y_CYCLE, XY_CYCLE,
    FORCING_X_CHAIN, FORCING_CHAIN, TUVWXYZ_WING, ALIGNED_TRIPLET, NISHIO, CELL_FORCING,
    REGION_FORCING, DOUBLE_FORCING, CONTRADICTION,
} Technique;

enum { MAX_PATTERN_HOUSES = 8 };

typedef struct {
    Technique technique;
    int level;        /* chains: 0 plain to 4 nested dynamic; loops and BUG: their type, 1 to 4 */
    double rating;
    int placed;       /* candidate, or -1 */
    int struck_cells; /* with struck candidates */
    uint8_t struck[CELLS];
    Digits struck_digits[CELLS];
    Cells cells;      /* of the pattern */
    Digits digits;
    int houses;       /* sets: the house; intersections and fish: base and cover in turn */
    uint8_t house[MAX_PATTERN_HOUSES];
} Step;

/* What a search for all steps of a technique hands each one to; it returns whether to stop. */
typedef int (*Take)(void *context, const Step *step);

/* Such a search; the step is built in `step`. */
typedef struct {
    const State *state;
    Step *step;
    Take take;
    void *context;
} Search;

static int take_first(void *context, const Step *step)
{
    (void)context;
    (void)step;
    return 1;
}

static void new_step(Step *step, Technique technique, double rating)
{
    step->technique = technique;
    step->level = 0;
    step->rating = rating;
    step->placed = -1;
    step->struck_cells = 0;
    step->cells = (Cells){0, 0};
    step->digits = 0;
    step->houses = 0;
}

/* Note that digits of a cell, not noted before, are struck. */
static inline void strike_later(Step *step, int cell, Digits digits)
{
    if (!digits) return;
    step->struck[step->struck_cells] = (uint8_t)cell;
    step->struck_digits[step->struck_cells++] = digits;
}

/* Note that one digit is struck in cells: where other digits are noted for a cell, with them. */
static void strike_in_cells(Step *step, Cells cells, int digit)
{
    EACH_CELL(cell, cells) {
        int at = 0;
        while (at < step->struck_cells && step->struck[at] != cell) at++;
        if (at == step->struck_cells) strike_later(step, cell, (Digits)(1 << digit));
        else step->struck_digits[at] |= (Digits)(1 << digit);
    }
}

static int count_struck(const Step *step)
{
    int total = 0;
    for (int i = 0; i < step->struck_cells; i++) total += count(step->struck_digits[i]);
    return total;
}

static void apply(State *s, const Step *step)
{
    for (int i = 0; i < step->struck_cells; i++)
        strike_digits(&s->left, step->struck[i], step->struck_digits[i]);
    if (step->placed >= 0) place(s, step->placed / 9, step->placed % 9);
}

#endif
