/* What is left of a puzzle: its candidates, seen from cells, from houses and from digits.
 *
 * Invariant: the three views say the same, and a cell with a digit has no candidates. */
#ifndef SATDOKU_RATINGS_STATE_H
#define SATDOKU_RATINGS_STATE_H

#include "board.h"

typedef struct {
    Digits of_cell[CELLS];
    Places of_house[HOUSES][9]; /* where each digit may go */
    Cells of_digit[9];
} Candidates;

typedef struct {
    Candidates left;
    uint8_t digit[CELLS];  /* 1 to 9, or 0 */
    uint8_t empty[HOUSES]; /* cells without a digit */
    uint8_t placed[9];     /* cells with each digit */
    int unsolved;
} State;

static inline int candidate(int cell, int digit) { return 9 * cell + digit; }
static inline int has(const Candidates *c, int cell, int digit) { return c->of_cell[cell] >> digit & 1; }

static inline void strike(Candidates *c, int cell, int digit)
{
    c->of_cell[cell] &= (Digits)~(1 << digit);
    for (int kind = 0; kind < KINDS; kind++)
        c->of_house[board.house[cell][kind]][digit] &= (Places)~(1 << board.place[cell][kind]);
    c->of_digit[digit] = without(c->of_digit[digit], only(cell));
}

static inline void strike_digits(Candidates *c, int cell, Digits digits)
{
    EACH_BIT(digit, digits & c->of_cell[cell]) strike(c, cell, digit);
}

static void place(State *s, int cell, int digit)
{
    strike_digits(&s->left, cell, ALL);
    EACH_CELL(peer, both(board.peers[cell], s->left.of_digit[digit])) strike(&s->left, peer, digit);
    s->digit[cell] = (uint8_t)(digit + 1);
    for (int kind = 0; kind < KINDS; kind++) s->empty[board.house[cell][kind]]--;
    s->placed[digit]++;
    s->unsolved--;
}

static void begin(State *s, const uint8_t *puzzle)
{
    memset(s, 0, sizeof *s);
    memset(s->empty, 9, sizeof s->empty);
    s->unsolved = CELLS;
    for (int cell = 0; cell < CELLS; cell++) s->left.of_cell[cell] = ALL;
    for (int house = 0; house < HOUSES; house++)
        for (int digit = 0; digit < 9; digit++) s->left.of_house[house][digit] = ALL;
    for (int digit = 0; digit < 9; digit++) s->left.of_digit[digit] = (Cells){~0ull, (1 << 17) - 1};
    for (int cell = 0; cell < CELLS; cell++)
        if (puzzle[cell]) place(s, cell, puzzle[cell] - 1);
}

#endif
