/* Ratings under sanitizers, without Python: puzzles of all levels up to patterns within dynamic
 * chains, and digits thrown on a board. test_ratings_sanitized.py builds and runs it; exit status 0
 * means that all is well: the ratings are those of Sukaku Explainer 1.18.1, and boards without a
 * solution do no harm. */
#include <stdlib.h>
#include <string.h>

#include "rate.h"

static const struct {
    const char *puzzle;
    int er;
} RATED[] = {
    {".6....789.....6.......4...6.21.5.3..7.....15.4..9.......962..1..5......2....98...", 28},
    {"5....3...4....812.38........1.59.....2..6..3.....3...7.....6.796..2.7..8.........", 44},
    {"....9.1.64.1....9...2....3...9.182.3.......8.6...2...12....5..9.4..62.5.....39...", 72},
    {"4......3.57....2.4.9.6........9...57.....5.....9.7.8....1..9.2.....6.4..38.74.9..", 88},
    {".4..1....3.1.....6..69.5.......6..43..2..16.....2.......57.6.9..3.....7..7..8...2", 90},
};

static void read_puzzle(const char *text, uint8_t *puzzle)
{
    for (int cell = 0; cell < 81; cell++)
        puzzle[cell] = (uint8_t)(text[cell] == '.' ? 0 : text[cell] - '0');
}

/* Rate a copy in an array of exactly its size, and take its steps. Returns its ER. */
static int rate(satdoku_rater *rater, const uint8_t *digits)
{
    uint8_t *puzzle = malloc(81);
    int32_t *rating = malloc(SATDOKU_RATING_FIELDS * sizeof *rating);
    const int32_t *numbers;
    memcpy(puzzle, digits, 81);
    int done = satdoku_rate(rater, 1, puzzle, 1.0, rating) == 1;
    int er = done && satdoku_steps(rater, puzzle, &numbers) > 0 ? rating[0] : -1;
    free(puzzle), free(rating);
    return er;
}

int main(void)
{
    uint8_t puzzle[81];
    satdoku_fill_ratings();
    satdoku_rater *rater = satdoku_open_rater();
    for (size_t i = 0; i < sizeof RATED / sizeof *RATED; i++) {
        read_puzzle(RATED[i].puzzle, puzzle);
        if (rate(rater, puzzle) != RATED[i].er) return 1;
    }
    for (int board = 0; board < 200; board++) {
        memset(puzzle, 0, sizeof puzzle);
        for (int thrown = 0; thrown < 50; thrown++) puzzle[rand() % 81] = (uint8_t)(rand() % 9 + 1);
        if (rate(rater, puzzle) < 0) return 2;
    }
    satdoku_close_rater(rater);
    return 0;
}
