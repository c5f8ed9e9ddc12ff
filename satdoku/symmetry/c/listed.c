/* The least image of a puzzle under a listed group. */
#include "canonical.h"

#include <stddef.h>
#include <string.h>

/* Members and starts of the classes, by counting. */
static void sort_classes(satdoku_listing *g)
{
    int at = 0;
    for (int c = 0; c < g->size; c++) {
        g->start[c] = (uint8_t)at;
        for (int d = 1; d <= g->size; d++)
            if (g->class_of[d] == c) g->members[at++] = (uint8_t)d;
    }
}

const char *satdoku_finish_listing(satdoku_listing *g)
{
    if (!g->cells) g->cells = g->size * g->size;
    if (g->cells < 1 || g->cells > SATDOKU_MAX_CELLS) return "cells: expected 1 to 625";
    for (int64_t i = 0; i < (int64_t)g->permutations * g->cells; i++)
        if (g->source[i] >= g->cells) return "sources: expected cells of the board";
    for (int64_t i = 0; i < (int64_t)g->representatives * (g->size + 1); i++)
        if (g->renamed[i] > g->size) return "renamings: expected digits of the board";
    for (int d = 1; d <= g->size; d++)
        if (g->class_of[d] >= g->size) return "class_of: expected numbers below the size";
    sort_classes(g);
    return NULL;
}

/* Copy a puzzle; 0 if it has a digit above n. */
static int copy_puzzle(const satdoku_listing *g, const uint8_t *cells, uint8_t *puzzle)
{
    memcpy(puzzle, cells, (size_t)g->cells);
    for (int i = 0; i < g->cells; i++)
        if (puzzle[i] > g->size) return 0;
    return 1;
}

/* One image of the puzzle, cell by cell until it is above the best. Returns -1 if it is below the
 * best, which it then replaces, 0 if it is equal, 1 if it is above. */
static int challenge(const satdoku_listing *g, const uint8_t *puzzle, const uint16_t *source,
                     const uint8_t *renamed, uint8_t *best)
{
    uint8_t name[SATDOKU_MAX_SIZE + 1] = {0}, next[SATDOKU_MAX_SIZE];
    int below = 0;
    memcpy(next, g->start, (size_t)g->size);
    for (int i = 0; i < g->cells; i++) {
        int digit = renamed[puzzle[source[i]]];
        if (digit && !name[digit]) name[digit] = g->members[next[g->class_of[digit]]++];
        if (!below && name[digit] > best[i]) return 1;
        if (name[digit] < best[i]) below = 1;
        best[i] = name[digit];
    }
    return -below;
}

/* The empty cells that a grid begins with. */
static int count_leading(const uint8_t *grid, int cells)
{
    int count = 0;
    while (count < cells && !grid[count]) count++;
    return count;
}

/* Whether an image, however renamed, has a given where the best is still empty. Most images do. */
static int starts_above(const uint8_t *puzzle, const uint16_t *source, int leading)
{
    for (int i = 0; i < leading; i++)
        if (puzzle[source[i]]) return 1;
    return 0;
}

int64_t satdoku_by_list(const satdoku_listing *g, int64_t count, const uint8_t *puzzles,
                     uint8_t *forms, uint32_t *fixing)
{
    for (int64_t k = 0; k < count; k++) {
        uint8_t puzzle[SATDOKU_MAX_CELLS], *best = forms + k * g->cells;
        uint32_t reached = 0;
        int leading = 0;
        if (!copy_puzzle(g, puzzles + k * g->cells, puzzle)) return k;
        memset(best, 0xFF, (size_t)g->cells);
        for (int p = 0; p < g->permutations; p++) {
            const uint16_t *source = g->source + (int64_t)p * g->cells;
            if (starts_above(puzzle, source, leading)) continue;
            for (int r = 0; r < g->representatives; r++) {
                int order = challenge(g, puzzle, source, g->renamed + r * (g->size + 1), best);
                reached = order < 0 ? 1 : reached + (order == 0);
            }
            leading = count_leading(best, g->cells);
        }
        if (fixing) fixing[k] = reached;
    }
    return count;
}
