/* All solutions of each puzzle, as far as there is room; in the end in ascending order.
 *
 * Invariant: a whole list is the same rows of bytes, whatever the order in which lanes found them.
 * They are compared from the first cell on. (Merge sort: only pointers move until all is sorted.)
 * `job->grids` is an array of ours, so that no number is above the limit; of what the caller's
 * arrays hold nothing becomes an index. */

typedef struct {
    size_t cells;
    const uint8_t **row, **spare; /* both of `most` rows */
    uint8_t *copy;
} Sorter;

static int open_sorter(Sorter *s, size_t most, size_t cells)
{
    *s = (Sorter){cells, malloc(most * sizeof *s->row), malloc(most * sizeof *s->spare),
                  malloc(most * cells)};
    return s->row && s->spare && s->copy;
}

static void close_sorter(Sorter *s)
{
    free((void *)s->row);
    free((void *)s->spare);
    free(s->copy);
}

/* Merge rows a to b - 1 with rows b to c - 1. */
static void merge_runs(Sorter *s, size_t a, size_t b, size_t c)
{
    const uint8_t **row = s->row;
    for (size_t i = a, j = b, k = a; k < c; k++) {
        int first = j == c || (i < b && memcmp(row[i], row[j], s->cells) < 0);
        s->spare[k] = row[first ? i++ : j++];
    }
}

static void sort_rows(Sorter *s, uint8_t *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) s->row[i] = rows + i * s->cells;
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t a = 0; a < count; a += 2 * run) {
            size_t b = a + run < count ? a + run : count, c = b + run < count ? b + run : count;
            merge_runs(s, a, b, c);
        }
        const uint8_t **sorted = s->spare;
        s->spare = s->row, s->row = sorted;
    }
    for (size_t i = 0; i < count; i++) memcpy(s->copy + i * s->cells, s->row[i], s->cells);
    memcpy(rows, s->copy, count * s->cells);
}

/* Sort what is listed of each puzzle whose list is whole. Returns 0 if memory ran out. */
static int sort_listed(const satdoku_job *job, size_t cells)
{
    Sorter s;
    size_t most = (size_t)job->limit;
    int opened = open_sorter(&s, most, cells);
    for (int64_t i = 0; opened && i < job->count; i++)
        if (job->status[i] == SATDOKU_NONE && job->grids[i] > 1)
            sort_rows(&s, job->solutions + (size_t)i * most * cells, (size_t)job->grids[i]);
    close_sorter(&s);
    return opened;
}
