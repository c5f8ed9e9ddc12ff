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
    int at;        /* the vector of such a total t is states[at + t] */
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

/* A list: a total, then segments: weight, whether mirrored, number of cells, cells. Returns how many
 * segments there are. */
static int read_segments(const int32_t *list, const int32_t *end, Segment *segment)
{
    int total = *list, count = 0, low = 0, high = 0, used = 0;
    for (const int32_t *at = list + 1; at < end; at += 3 + at[2], count++) {
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
    for (int i = 0; i < count; i++) {
        Segment *g = segment + i;
        g->at = used - g->low;
        if (g->high >= g->low) used += g->high - g->low + 1;
    }
    return count;
}

/* The vectors that the totals of the largest sum need. */
static size_t most_totals(const satdoku_plan *plan)
{
    Segment segment[MOST_SEGMENTS];
    int most = 1;
    for (int k = 0; k < plan->sums.lists; k++) {
        const int32_t *start = plan->sums.start + k, *member = plan->sums.member;
        Segment *last = segment + read_segments(member + start[0], member + start[1], segment) - 1;
        int end = last->at + (last->high >= last->low ? last->high + 1 : last->low);
        most = end > most ? end : most;
    }
    return (size_t)most;
}

static void pass_sum(Generic *s, const int32_t *list, const int32_t *end)
{
    Segment segment[MOST_SEGMENTS], none = {0}; /* before the first one the total is 0 */
    int total = list[0], count = read_segments(list, end, segment);
    const Segment *last = segment + count - 1;
    V *states = s->states, begun = ~(V){0}, done = {0};
    for (int i = 0; i < count; i++) {
        const Segment *g = segment + i, *before = i ? g - 1 : &none;
        add_up(s, segment + i);
        for (int t = g->low; t <= g->high; t++) states[g->at + t] = (V){0};
        for (int v = g->cells; v <= 9 * g->cells; v++)
            for (int t = before->low; t <= before->high; t++) {
                int to = t + g->weight * v;
                if (to < g->low || to > g->high) continue;
                V here = i ? states[before->at + t] : begun;
                states[g->at + to] = add_both(states[g->at + to], here, g->sum[v]);
            }
    }
    if (last->low <= total && total <= last->high) done = states[last->at + total];
    for (int i = 0; i < count; i++)
        blame_candidates(s, segment[i].cell, segment[i].cells, ~done);
    for (int i = count - 1; i >= 0; i--) {
        const Segment *g = segment + i, *before = i ? g - 1 : &none;
        V kept[SUMS9] = {{0}};
        for (int t = before->low; t <= before->high; t++) {
            V here = i ? states[before->at + t] : begun, on = {0};
            for (int v = g->cells; v <= 9 * g->cells; v++) {
                int to = t + g->weight * v;
                if (to < g->low || to > g->high) continue;
                kept[v] = add_both(kept[v], here, states[g->at + to]);
                on = add_both(on, g->sum[v], states[g->at + to]);
            }
            if (i) states[before->at + t] = on;
        }
        keep_sums(s, g, kept);
    }
}
