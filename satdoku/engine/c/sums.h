/* Sums of 9x9: segments of up to three cells that differ, each times a weight, add up to a total.
 *
 * Invariant: a segment has a vector for each sum of its digits. Segments are added one after another:
 * what the first ones may add up to, trimmed by what the rest can bring to the total, forwards; and
 * which of these sums the rest completes, backwards. Then a segment keeps the sums that are completed,
 * and its cells the digits that make them up. In a mirrored segment a digit d counts as 10 - d: so a
 * weight is never negative. */

typedef struct {
    int weight, mirrored, cells;
    const int32_t *cell;
    int low, high; /* what the segments up to this one may add up to, if the total is reached */
    V sum[SUMS9];
} Segment;

/* What a segment may hold, built up for each pass anew. */
typedef struct {
    OneCell cell[MOST_SEGMENT];
    TwoCells two;
    ThreeCells three;
} Held;

INLINE int counted(const Segment *g, int sum) { return g->mirrored ? 10 * g->cells - sum : sum; }

static void hold(const Generic *s, const Segment *g, Held *h)
{
    for (int i = 0; i < g->cells; i++) take_cell(s, g->cell[i], h->cell + i);
    if (g->cells > 1) join_cells(h->cell, h->cell + 1, &h->two);
    if (g->cells > 2) join_pair(&h->two, h->cell + 2, &h->three);
}

static void add_up(const Generic *s, Segment *g)
{
    Held h;
    hold(s, g, &h);
    memset(g->sum, 0, sizeof g->sum);
    for (int c = 0; c < 9; c++) {
        if (g->cells == 1) g->sum[counted(g, c + 1)] = h.cell->may[c];
        for (int b = 0; b < c && g->cells > 1; b++) {
            if (g->cells == 2) g->sum[counted(g, b + c + 2)] |= h.two.may[PAIR_OF(b, c)];
            for (int a = 0; a < b && g->cells > 2; a++)
                g->sum[counted(g, a + b + c + 3)] |= h.three.may[TRIPLE_OF(a, b, c)];
        }
    }
}

/* Strike what makes up no sum that is kept. */
static void keep_sums(Generic *s, const Segment *g, const V *kept)
{
    Held h;
    hold(s, g, &h);
    for (int c = 0; c < 9; c++) {
        if (g->cells == 1) h.cell->kept[c] = kept[counted(g, c + 1)];
        for (int b = 0; b < c && g->cells > 1; b++) {
            if (g->cells == 2) h.two.kept[PAIR_OF(b, c)] = kept[counted(g, b + c + 2)];
            for (int a = 0; a < b && g->cells > 2; a++)
                h.three.kept[TRIPLE_OF(a, b, c)] = kept[counted(g, a + b + c + 3)];
        }
    }
    if (g->cells > 2) part_pair(&h.three, &h.two, h.cell + 2);
    if (g->cells > 1) part_cells(&h.two, h.cell, h.cell + 1);
    for (int i = 0; i < g->cells; i++) strike_cell(s, g->cell[i], h.cell + i);
}

/* The smallest and the largest sum of a segment, with its weight. */
INLINE int least_of(const Segment *g) { return g->weight * g->cells * (g->cells + 1) / 2; }
INLINE int most_of(const Segment *g) { return g->weight * (10 * g->cells) - least_of(g); }

/* The segments of a list: weight, whether mirrored, number of cells, cells. */
static int read_segments(const int32_t *at, const int32_t *end, int total, Segment *segment)
{
    int count = 0, low = 0, high = 0;
    for (; at < end; at += 3 + at[2], count++) {
        Segment *g = segment + count;
        g->weight = at[0], g->mirrored = at[1], g->cells = at[2], g->cell = at + 3;
        g->low = low += least_of(g);
        g->high = high += most_of(g);
    }
    for (int i = count - 1, least = total, most = total; i >= 0; i--) {
        if (segment[i].low < least) segment[i].low = least;
        if (segment[i].high > most) segment[i].high = most;
        least -= most_of(segment + i), most -= least_of(segment + i);
    }
    return count;
}

static void pass_sum(Generic *s, const int32_t *list, const int32_t *end)
{
    Segment segment[MOST_SEGMENTS];
    int total = list[0], count = read_segments(list + 1, end, total, segment);
    V *reached = s->states, begun = ~(V){0}; /* a row of totals behind each segment */
    for (int i = 0; i < count; i++) {
        const Segment *g = segment + i;
        V *row = reached + i * TOTALS, *before = i ? row - TOTALS : row;
        add_up(s, segment + i);
        for (int t = g->low; t <= g->high; t++) row[t] = (V){0};
        for (int v = g->cells; v <= 9 * g->cells; v++) {
            int step = g->weight * v;
            if (!i && step >= g->low && step <= g->high) row[step] |= g->sum[v];
            for (int t = i ? g[-1].low : 1; i && t <= g[-1].high; t++)
                if (t + step >= g->low && t + step <= g->high)
                    row[t + step] = add_both(row[t + step], before[t], g->sum[v]);
        }
    }
    V *onward = reached + (count - 1) * TOTALS;
    int possible = segment[count - 1].low <= total && total <= segment[count - 1].high;
    V done = possible ? onward[total] : (V){0};
    for (int i = 0; i < count; i++)
        blame_candidates(s, segment[i].cell, segment[i].cells, ~done);
    for (int i = count - 1; i >= 0; i--, onward -= i >= 0 ? TOTALS : 0) {
        const Segment *g = segment + i;
        V kept[SUMS9] = {{0}}, *before = i ? onward - TOTALS : onward;
        int low = i ? g[-1].low : 0, high = i ? g[-1].high : 0;
        for (int t = low; t <= high; t++) {
            V here = i ? before[t] : begun, on = {0};
            for (int v = g->cells; v <= 9 * g->cells; v++) {
                int to = t + g->weight * v;
                if (to < g->low || to > g->high) continue;
                kept[v] = add_both(kept[v], here, onward[to]);
                on = add_both(on, g->sum[v], onward[to]);
            }
            if (i) before[t] = on;
        }
        keep_sums(s, g, kept);
    }
}
