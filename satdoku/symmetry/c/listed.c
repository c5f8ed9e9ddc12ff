/* The least image under a group that is listed. */
#include "canonical.h"

#include <string.h>

/* One image of the puzzle, cell by cell as long as it is not above the best. Returns how it
 * compares: below, equal or above. An image below replaces the best. */
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

/* Whether an image, however renamed, has a given where the best is still empty: most have. */
static int starts_above(const uint8_t *puzzle, const uint16_t *source, int leading)
{
    for (int i = 0; i < leading; i++)
        if (puzzle[source[i]]) return 1;
    return 0;
}

void satdoku_by_list(const satdoku_listing *g, int64_t count, const uint8_t *puzzles,
                     uint8_t *forms, uint32_t *fixing)
{
    for (int64_t k = 0; k < count; k++) {
        const uint8_t *puzzle = puzzles + k * g->cells;
        uint8_t *best = forms + k * g->cells;
        uint32_t reached = 0;
        int leading = 0;
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
}
