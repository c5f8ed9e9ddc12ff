/* Counting under sanitizers, without Python: the tables of Latin squares with boxes, some of them
 * spoilt, in arrays of exactly their size. test_counting_sanitized.py builds and runs it; exit
 * status 0 means that all is well: 4x4 has its 288 grids, no puzzle and no budget does any harm,
 * and spoilt tables are refused or do no harm either. */
#include <stdlib.h>
#include <string.h>

#include "count.h"

static int box(int n, int side, int cell) { return cell / n / side * side + cell % n / side; }

static int meet(int n, int side, int a, int b)
{
    return a != b && (a / n == b / n || a % n == b % n || box(n, side, a) == box(n, side, b));
}

static void add(uint64_t *cells, int cell) { cells[cell / 64] |= 1ull << cell % 64; }

static satdoku_count_tables make(int n, int side, int words)
{
    int cells = n * n, houses = 3 * n, g = 0;
    uint8_t *digit = malloc((size_t)(houses * n)), *killed = malloc((size_t)(cells * n));
    uint64_t *group = calloc((size_t)(houses * n * words), 8);
    uint64_t *kills = calloc((size_t)(cells * n * words), 8);
    int32_t *start = malloc((size_t)(cells * n + 1) * sizeof *start);
    for (int house = 0; house < houses; house++)
        for (int d = 0; d < n; d++, g++) {
            digit[g] = (uint8_t)d;
            for (int c = 0; c < cells; c++) {
                int of[3] = {c / n, c % n, box(n, side, c)};
                if (of[house / n] == house % n) add(group + g * words, c);
            }
        }
    for (int candidate = 0; candidate < cells * n; candidate++) {
        start[candidate] = candidate;
        killed[candidate] = (uint8_t)(candidate % n);
        for (int c = 0; c < cells; c++)
            if (meet(n, side, candidate / n, c)) add(kills + candidate * words, c);
    }
    start[cells * n] = cells * n;
    return (satdoku_count_tables){n,     cells, words, houses * n, cells * n,
                                  digit, group, start, killed,     kills};
}

static void end(satdoku_count_tables *tables)
{
    free((void *)tables->group_digit), free((void *)tables->group_cells);
    free((void *)tables->kill_start), free((void *)tables->kill_digit), free((void *)tables->kill_cells);
}

/* Grids of the last of some puzzles: empty ones, or with digits thrown on them. */
static uint64_t count(const satdoku_count_tables *tables, int thrown, uint64_t budget)
{
    enum { COUNT = 3 };
    size_t bytes = COUNT * (size_t)tables->cells;
    uint8_t *puzzles = calloc(bytes, 1);
    uint64_t *grids = calloc(COUNT, 8), *nodes = calloc(COUNT, 8), last;
    for (int i = 0; i < thrown; i++)
        puzzles[(size_t)rand() % bytes] = (uint8_t)(rand() % tables->digits + 1);
    satdoku_count(tables, COUNT, puzzles, budget, grids, nodes);
    last = grids[COUNT - 1];
    free(puzzles), free(grids), free(nodes);
    return last;
}

/* One number of some tables changed at random. Returns whether they are still sound. */
static int spoil(void)
{
    satdoku_count_tables tables = make(4, 2, 2);
    uint8_t *digits = (uint8_t *)(rand() % 2 ? tables.group_digit : tables.kill_digit);
    if (rand() % 2) digits[rand() % 48] = (uint8_t)(rand() % 8);
    else ((int32_t *)tables.kill_start)[rand() % 65] += rand() % 5 - 2;
    tables.kills += rand() % 8 == 0;
    int sound = !satdoku_count_fault(&tables);
    if (sound) count(&tables, rand() % 5, 2000);
    end(&tables);
    return sound;
}

int main(void)
{
    int sound = 0;
    satdoku_count_tables tables = make(4, 2, 2);
    if (satdoku_count_fault(&tables) || count(&tables, 0, 1000000) != 288) return 1;
    for (int thrown = 0; thrown < 200; thrown++) count(&tables, thrown % 20, (uint64_t)thrown);
    end(&tables);
    for (int i = 0; i < 400; i++) sound += spoil();
    if (sound < 50 || sound > 350) return 2;
    satdoku_count_tables nine = make(9, 3, 2), sixteen = make(16, 4, 4);
    if (satdoku_count_fault(&nine) || satdoku_count_fault(&sixteen)) return 3;
    for (int thrown = 0; thrown < 60; thrown++) {
        count(&nine, thrown, 2000);
        count(&sixteen, 4 * thrown, 50);
    }
    end(&nine), end(&sixteen);
    return 0;
}
