/* The order of techniques, and what a puzzle's steps come to. */
#include "rate.h"

#include "nested.h"
#include "record.h"

#include <time.h>

enum { ENGINES = 10 };

struct satdoku_rater {
    State state;
    Chains *chains;
    Forcing *forcing[ENGINES]; /* opened when first needed */
    const Found *found;        /* holds the chain of the last step, if it was one */
    Record record;
    int recording, failed;
};

static const struct { int dynamic, nishio, level, nesting; } FORCING[ENGINES] = {
    {1, 1, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 1, 0}, {1, 0, 2, 0},
    {1, 0, 3, 0}, {1, 0, 4, 0}, {1, 0, 4, 1}, {1, 0, 4, 2}, {1, 0, 4, 3},
};

static int direct_step(const State *s, Step *step)
{
    return hidden_single(s, step) || direct_intersection(s, step) || direct_hidden_set(s, 2, step)
           || naked_single(s, step) || direct_hidden_set(s, 3, step);
}

static int set_step(const State *s, Step *step)
{
    Search f = {s, step, take_first, NULL};
    return intersections(&f) || naked_sets(&f, 2) || fish(&f, 2) || hidden_sets(&f, 2)
           || naked_sets(&f, 3) || fish(&f, 3) || hidden_sets(&f, 3);
}

static int large_set_step(const State *s, Step *step)
{
    Search f = {s, step, take_first, NULL};
    return naked_sets(&f, 4) || fish(&f, 4) || hidden_sets(&f, 4);
}

static int pattern_step(const State *s, Step *step)
{
    return strong_links(s, 2, step) || small_wing(s, 2, step) || small_wing(s, 3, step)
           || unique_loop(s, step) || large_set_step(s, step) || strong_links(s, 3, step)
           || set_wing(s, 3, step) || bivalue_grave(s, step) || strong_links(s, 4, step)
           || set_wing(s, 4, step) || aligned_exclusion(s, 2, step) || set_wing(s, 5, step);
}

static int forcing_at(satdoku_rater *r, int engine, Step *step)
{
    Forcing **f = &r->forcing[engine];
    if (!*f)
        *f = open_forcing(FORCING[engine].dynamic, FORCING[engine].nishio, FORCING[engine].level,
                          FORCING[engine].nesting);
    if (!*f) {
        r->failed = 1;
        return 0;
    }
    int found = forcing_step(*f, &r->state, step);
    r->failed |= (*f)->failed | (*f)->found.failed;
    r->found = &(*f)->found;
    return found;
}

static int chaining_step(satdoku_rater *r, Step *step)
{
    if (chain_step(r->chains, &r->state, step)) {
        r->found = &r->chains->found;
        return 1;
    }
    if (set_wing(&r->state, 6, step) || aligned_exclusion(&r->state, 3, step)) return 1;
    for (int engine = 0; engine < ENGINES; engine++)
        if (forcing_at(r, engine, step)) return 1;
    return 0;
}

static int next_step(satdoku_rater *r, Step *step)
{
    r->found = NULL;
    return direct_step(&r->state, step) || set_step(&r->state, step)
           || pattern_step(&r->state, step) || chaining_step(r, step);
}

static int tenths(double rating) { return (int)((rating + 0.05) * 10); }

/* Take steps until the puzzle is solved or none is found, which counts as 20.0. */
static void rate_puzzle(satdoku_rater *r, const uint8_t *puzzle, int32_t *rating)
{
    Step step;
    double er = 0.0, ep = 0.0, ed = 0.0;
    begin(&r->state, puzzle);
    rating[3] = 0;
    while (r->state.unsolved && !r->failed) {
        if (!next_step(r, &step)) {
            er = 20.0;
            break;
        }
        if (r->recording) note_step(&r->record, &step, r->found, tenths(step.rating));
        if (step.rating > er) {
            er = step.rating;
            rating[3] = (int32_t)step.technique;
        }
        apply(&r->state, &step);
        if (ed == 0.0) ed = er;
        if (ep == 0.0 && step.placed >= 0) ep = er;
    }
    rating[0] = tenths(er);
    rating[1] = tenths(ep);
    rating[2] = tenths(ed);
}

static double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int64_t satdoku_rate(satdoku_rater *r, int64_t count, const uint8_t *puzzles, double seconds,
                     int32_t *ratings)
{
    double end = now() + seconds;
    int64_t done = 0;
    r->failed = r->recording = 0;
    while (done < count && !r->failed && (!done || now() < end)) {
        rate_puzzle(r, puzzles + CELLS * done, ratings + SATDOKU_RATING_FIELDS * done);
        done++;
    }
    return r->failed ? -1 : done;
}

int64_t satdoku_steps(satdoku_rater *r, const uint8_t *puzzle, const int32_t **numbers)
{
    int32_t rating[SATDOKU_RATING_FIELDS];
    r->failed = r->record.failed = r->record.numbers = 0;
    r->recording = 1;
    rate_puzzle(r, puzzle, rating);
    *numbers = r->record.number;
    return r->failed || r->record.failed ? -1 : r->record.numbers;
}

void satdoku_fill_ratings(void) { fill_board(); }

satdoku_rater *satdoku_open_rater(void)
{
    satdoku_rater *r = calloc(1, sizeof *r);
    if (r && !(r->chains = calloc(1, sizeof *r->chains))) {
        free(r);
        return NULL;
    }
    return r;
}

void satdoku_close_rater(satdoku_rater *r)
{
    if (!r) return;
    for (int engine = 0; engine < ENGINES; engine++) close_forcing(r->forcing[engine]);
    free_found(&r->chains->found);
    free(r->record.number);
    free(r->chains);
    free(r);
}
