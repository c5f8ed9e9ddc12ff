/* Ratings of classic puzzles on the scale of Sudoku Explainer, step by step.
 *
 * Invariant: the techniques are tried in one order, and the first step found is taken, so a rating
 * depends on the puzzle alone, though not on it up to symmetry. */
#ifndef SATDOKU_RATINGS_RATE_H
#define SATDOKU_RATINGS_RATE_H

#include <stdint.h>

/* Ratings in tenths: of the hardest step (er), of the hardest up to the first placement (ep) and of
 * the first step (ed); and the technique of the hardest step. A puzzle that no technique solves has
 * the rating 200. */
typedef struct {
    int er, ep, ed, technique, steps;
} satdoku_rating;

typedef struct satdoku_rater satdoku_rater;

void satdoku_fill_ratings(void); /* tables; once, before anything else */
satdoku_rater *satdoku_open_rater(void); /* NULL if memory is short */
void satdoku_close_rater(satdoku_rater *rater);

/* Rate a puzzle of 81 digits, 0 for empty. Returns 0 if memory is short. */
int satdoku_rate(satdoku_rater *rater, const uint8_t *puzzle, satdoku_rating *rating);

#endif
