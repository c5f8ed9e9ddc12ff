/* Ratings of classic puzzles on the scale of Sudoku Explainer, step by step.
 *
 * Invariant: the techniques are tried in one order, and the first step found is taken, so a rating
 * depends on the puzzle alone, though not on it up to symmetry. */
#ifndef SATDOKU_RATINGS_RATE_H
#define SATDOKU_RATINGS_RATE_H

#include <stdint.h>

enum { SATDOKU_RATING_FIELDS = 4 };

typedef struct satdoku_rater satdoku_rater; /* memory for one thread */

void satdoku_fill_ratings(void); /* tables; once, before anything else */
satdoku_rater *satdoku_open_rater(void); /* NULL if memory is short */
void satdoku_close_rater(satdoku_rater *rater);

/* Rate puzzles of 81 digits, 0 for empty, in turn, until all are rated or `seconds` have passed.
 * Each gets the ratings of its hardest step, of the hardest up to the first placement and of the
 * first step, in tenths, and the technique of the hardest step; 200 if no technique solves it.
 * Returns how many are rated, or -1 if memory is short. */
int64_t satdoku_rate(satdoku_rater *rater, int64_t count, const uint8_t *puzzles, double seconds,
                     int32_t *ratings);

/* The steps of a puzzle as numbers; record.h says in which order. The rater keeps them until the next
 * call. Returns how many numbers there are, or -1 if memory is short. */
int64_t satdoku_steps(satdoku_rater *rater, const uint8_t *puzzle, const int32_t **numbers);

#endif
