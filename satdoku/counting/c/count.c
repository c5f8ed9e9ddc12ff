#include "count.h"

#include <string.h>

#define BYTES 16
#define NAME(name) name##_128
#include "body.h"
#undef BYTES
#undef NAME

#define BYTES 32
#define NAME(name) name##_256
#include "body.h"
#undef BYTES
#undef NAME

const char *satdoku_count_fault(const satdoku_count_tables *t)
{
    if (t->digits < 1 || t->digits > SATDOKU_MAX_DIGITS) return "digits: expected 1 to 16";
    if (t->cells < 1 || t->cells > SATDOKU_MAX_CELLS) return "cells: expected 1 to 256";
    if (t->words != (t->cells > 128 ? 4 : 2)) return "words: expected 2, or 4 above 128 cells";
    int last = 0;
    for (int64_t g = 0; g < t->groups; g++)
        if (t->group_digit[g] >= t->digits) return "group_digits: expected digits of the board";
    for (int c = 0; c <= t->cells * t->digits; c++) {
        if (t->kill_start[c] < last || (c == 0 && t->kill_start[c]))
            return "kill_starts: expected ascending offsets from 0";
        last = t->kill_start[c];
    }
    if (last != t->kills) return "kill_starts: expected the number of entries at the end";
    for (int64_t k = 0; k < t->kills; k++)
        if (t->kill_digit[k] >= t->digits) return "kill_digits: expected digits of the board";
    return NULL;
}

void satdoku_count(const satdoku_count_tables *tables, int64_t count, const uint8_t *puzzles,
                   uint64_t budget, uint64_t *grids, uint64_t *nodes)
{
    for (int64_t k = 0; k < count; k++) grids[k] = nodes[k] = 0;
    for (int64_t k = 0; k < count; k++) {
        const uint8_t *puzzle = puzzles + k * tables->cells;
        if (tables->words == 2)
            count_puzzle_128(tables, puzzle, budget, grids + k, nodes + k);
        else
            count_puzzle_256(tables, puzzle, budget, grids + k, nodes + k);
        if (nodes[k] > budget) return;
        budget -= nodes[k];
    }
}
