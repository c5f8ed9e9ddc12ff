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

void satdoku_count(const satdoku_count_tables *tables, int64_t count, const uint8_t *puzzles,
                   uint64_t budget, uint64_t *grids, uint64_t *nodes)
{
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
