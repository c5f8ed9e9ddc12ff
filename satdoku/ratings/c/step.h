/* A step: what a technique concludes, why, and how hard that is.
 *
 * Invariant: a step places one candidate, or strikes at least one, or both. Struck candidates are in
 * the order in which the pattern meets them, each cell once. The ratings are sums of tenths as IEEE
 * doubles, added in the order of the published scale: ties between ratings of different kinds
 * depend on their last bit. */
#ifndef SATDOKU_RATINGS_STEP_H
#define SATDOKU_RATINGS_STEP_H

#include "state.h"

#define TECHNIQUES(X) \
    X(LAST_DIGIT, "hidden single") \
    X(HIDDEN_SINGLE, "hidden single") \
    X(DIRECT_POINTING, "direct pointing") \
    X(DIRECT_CLAIMING, "direct claiming") \
    X(DIRECT_HIDDEN_PAIR, "direct hidden pair") \
    X(NAKED_SINGLE, "naked single") \
    X(DIRECT_HIDDEN_TRIPLET, "direct hidden triplet") \
    X(POINTING, "pointing") \
    X(CLAIMING, "claiming") \
    X(NAKED_PAIR, "naked pair") \
    X(X_WING, "X-wing") \
    X(HIDDEN_PAIR, "hidden pair") \
    X(NAKED_TRIPLET, "naked triplet") \
    X(SWORDFISH, "swordfish") \
    X(HIDDEN_TRIPLET, "hidden triplet") \
    X(SKYSCRAPER, "skyscraper") \
    X(TWO_STRING_KITE, "two-string kite") \
    X(STRONG_LINKS_2, "two strong links") \
    X(XY_WING, "XY-wing") \
    X(XYZ_WING, "XYZ-wing") \
    X(UNIQUE_RECTANGLE, "unique rectangle") \
    X(UNIQUE_LOOP, "unique loop") \
    X(NAKED_QUAD, "naked quad") \
    X(JELLYFISH, "jellyfish") \
    X(HIDDEN_QUAD, "hidden quad") \
    X(STRONG_LINKS_3, "three strong links") \
    X(WXYZ_WING, "WXYZ-wing") \
    X(BUG, "BUG") \
    X(STRONG_LINKS_4, "four strong links") \
    X(VWXYZ_WING, "VWXYZ-wing") \
    X(ALIGNED_PAIR, "aligned pair exclusion") \
    X(UVWXYZ_WING, "UVWXYZ-wing") \
    X(X_CYCLE, "bidirectional X-cycle") \
    X(Y_CYCLE, "bidirectional Y-cycle") \
    X(XY_CYCLE, "bidirectional cycle") \
    X(FORCING_X_CHAIN, "forcing X-chain") \
    X(FORCING_CHAIN, "forcing chain") \
    X(TUVWXYZ_WING, "TUVWXYZ-wing") \
    X(ALIGNED_TRIPLET, "aligned triplet exclusion") \
    X(NISHIO, "nishio forcing chain") \
    X(CELL_FORCING, "cell forcing chain") \
    X(REGION_FORCING, "region forcing chain") \
    X(DOUBLE_FORCING, "double forcing chain") \
    X(CONTRADICTION, "contradiction forcing chain")

#define TECHNIQUE_NAME(name, words) name,
typedef enum { TECHNIQUES(TECHNIQUE_NAME) TECHNIQUE_COUNT } Technique;
#undef TECHNIQUE_NAME

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
