/* Sums of nine digits: segments of up to three cells that differ, each times a weight, add up to a total.
 *
 * Invariant: a segment has a vector for each sum of its digits. Segments are added one after another:
 * what the first ones may add up to, trimmed by what the rest can bring to the total, forwards; and
 * which of these sums the rest completes, backwards. Then a segment keeps the sums that are completed,
 * and its cells the digits that make them up. In a mirrored segment a digit d counts as 10 - d: so a
 * weight is never negative. */

typedef struct {
    int weight, cells;
    const int32_t *cell;
    int origin, step; /* what counts as v is the sum origin + step * v of the digits */
    int low, high;    /* what the segments up to this one may add up to, if the total is reached */
    int at;           /* the vector of such a total t is states[at + t] */
    V sum[SUMS9];     /* of the digits */
} Segment;

/* What a segment of three cells may hold, built up for each pass anew. */
typedef struct {
    OneCell cell[MOST_SEGMENT];
    TwoCells two;
    ThreeCells three;
} Held;

INLINE int counted(const Segment *g, int v) { return g->origin + g->step * v; }

static void hold(const Generic *s, const Segment *g, Held *h)
{
    for (int i = 0; i < g->cells; i++) take_cell(s, g->cell[i], h->cell + i);
    join_cells(h->cell, h->cell + 1, &h->two);
    join_pair(&h->two, h->cell + 2, &h->three);
}

INLINE void add_up_two(const V *x, const V *y, V *sum)
{
    UNROLL for (int v = 3; v < 18; v++) {
        V any = {0};
        UNROLL for (int a = 0; a < 9; a++) {
            int b = v - 2 - a;
            if (b >= 0 && b < 9 && b != a) any = add_both(any, x[a], y[b]);
        }
        sum[v] = any;
    }
}

static void add_up(const Generic *s, Segment *g)
{
    V x[9], y[9];
    Held h;
    take_digits(s, g->cell[0], x);
    if (g->cells == 1) memcpy(g->sum + 1, x, sizeof x);
    if (g->cells == 2) {
        take_digits(s, g->cell[1], y);
        add_up_two(x, y, g->sum);
    }
    if (g->cells < 3) return;
    hold(s, g, &h);
    memset(g->sum, 0, sizeof g->sum);
    for (int c = 2; c < 9; c++)
        for (int b = 1; b < c; b++)
            for (int a = 0; a < b; a++) g->sum[a + b + c + 3] |= h.three.may[TRIPLE_OF(a, b, c)];
}

static void keep_two(Generic *s, const Segment *g, const V *kept)
{
    V x[9], y[9], keep_x[9], keep_y[9];
    take_digits(s, g->cell[0], x);
    take_digits(s, g->cell[1], y);
    UNROLL for (int a = 0; a < 9; a++) {
        V by_y = {0}, by_x = {0};
        UNROLL for (int b = 0; b < 9; b++) {
            if (b == a) continue;
            by_y = add_both(by_y, y[b], kept[a + b + 2]);
            by_x = add_both(by_x, x[b], kept[a + b + 2]);
        }
        keep_x[a] = by_y, keep_y[a] = by_x;
    }
    strike_but(s, g->cell[0], keep_x);
    strike_but(s, g->cell[1], keep_y);
}

/* Strike what makes up no sum of digits that is kept. */
static void keep_sums(Generic *s, const Segment *g, const V *kept)
{
    Held h;
    if (g->cells == 1) strike_but(s, g->cell[0], kept + 1);
    if (g->cells == 2) keep_two(s, g, kept);
    if (g->cells < 3) return;
    hold(s, g, &h);
    for (int c = 2; c < 9; c++)
        for (int b = 1; b < c; b++)
            for (int a = 0; a < b; a++) h.three.kept[TRIPLE_OF(a, b, c)] = kept[a + b + c + 3];
    part_pair(&h.three, &h.two, h.cell + 2);
    part_cells(&h.two, h.cell, h.cell + 1);
    for (int i = 0; i < 3; i++) strike_but(s, g->cell[i], h.cell[i].kept);
}

/* The least and the most that a segment may count, and whose product with the weight is at least or
 * at most x. */
INLINE int least_of(const Segment *g) { return g->cells * (g->cells + 1) / 2; }
INLINE int most_of(const Segment *g) { return 10 * g->cells - least_of(g); }
INLINE int least_for(const Segment *g, int x)
{
    int v = g->weight == 1 ? x : (x + g->weight - 1) / g->weight;
    return v > least_of(g) ? v : least_of(g);
}
INLINE int most_for(const Segment *g, int x)
{
    int v = g->weight == 1 ? x : x / g->weight;
    return v < most_of(g) ? v : most_of(g);
}

/* A list: a total, then segments: weight, whether mirrored, number of cells, cells. They are written
 * from segment[1] on; segment[0] stands for no cell. Returns how many there are. */
static int read_segments(const int32_t *list, const int32_t *end, Segment *segment)
{
    int total = *list, count = 0, low = 0, high = 0, used = 1;
    segment[0].low = segment[0].high = segment[0].at = 0;
    for (const int32_t *at = list + 1; at < end; at += 3 + at[2]) {
        Segment *g = segment + ++count;
        g->weight = at[0], g->cells = at[2], g->cell = at + 3;
        g->origin = at[1] ? 10 * at[2] : 0, g->step = at[1] ? -1 : 1;
        g->low = low += g->weight * least_of(g);
        g->high = high += g->weight * most_of(g);
    }
    for (int i = count, least = total, most = total; i > 0; i--) {
        Segment *g = segment + i;
        if (g->low < least) g->low = least;
        if (g->high > most) g->high = most;
        least -= g->weight * most_of(g), most -= g->weight * least_of(g);
    }
    for (int i = 1; i <= count; i++) {
        Segment *g = segment + i;
        g->at = used - g->low;
        if (g->high >= g->low) used += g->high - g->low + 1;
    }
    return count;
}

/* The vectors that the totals of the largest sum need. */
static size_t most_totals(const satdoku_plan *plan)
{
    Segment segment[MOST_SEGMENTS + 1];
    int most = 1;
    for (int k = 0; k < plan->sums.lists; k++) {
        const int32_t *start = plan->sums.start + k, *member = plan->sums.member;
        Segment *last = segment + read_segments(member + start[0], member + start[1], segment);
        int end = last->at + (last->high >= last->low ? last->high + 1 : last->low);
        most = end > most ? end : most;
    }
    return (size_t)most;
}

/* What the segments up to this one may add up to, from what those before it may. */
static void reach(const Segment *g, V *states)
{
    const Segment *before = g - 1;
    for (int to = g->low; to <= g->high; to++) {
        V any = {0};
        int end = most_for(g, to - before->low);
        for (int v = least_for(g, to - before->high); v <= end; v++)
            any = add_both(any, states[before->at + to - g->weight * v], g->sum[counted(g, v)]);
        states[g->at + to] = any;
    }
}

/* Which sums of the segment's digits complete a total before it to one that the rest completes; and,
 * as states, which of these totals are completed. */
static void complete(const Segment *g, V *states, V *kept)
{
    const Segment *before = g - 1;
    for (int v = least_of(g); v <= most_of(g); v++) {
        V any = {0};
        int own = g->weight * v;
        int t = before->low > g->low - own ? before->low : g->low - own;
        int end = before->high < g->high - own ? before->high : g->high - own;
        for (; t <= end; t++)
            any = add_both(any, states[before->at + t], states[g->at + t + own]);
        kept[counted(g, v)] = any;
    }
    for (int t = before->low; t <= before->high; t++) {
        V any = {0};
        int end = most_for(g, g->high - t);
        for (int v = least_for(g, g->low - t); v <= end; v++)
            any = add_both(any, g->sum[counted(g, v)], states[g->at + t + g->weight * v]);
        states[before->at + t] = any;
    }
}

static void pass_sum(Generic *s, const int32_t *list, const int32_t *end)
{
    Segment segment[MOST_SEGMENTS + 1];
    int count = read_segments(list, end, segment);
    const Segment *last = segment + count;
    V *states = s->states, kept[SUMS9];
    states[0] = ~(V){0};
    for (int i = 1; i <= count; i++) {
        add_up(s, segment + i);
        reach(segment + i, states);
    }
    V done = last->low <= last->high ? states[last->at + *list] : (V){0};
    V before = s->conflict;
    for (int i = 1; i <= count; i++) {
        s->conflict = before; /* so that every segment takes blame */
        blame_candidates(s, segment[i].cell, segment[i].cells, ~done);
    }
    for (int i = count; i > 0; i--) {
        complete(segment + i, states, kept);
        keep_sums(s, segment + i, kept);
    }
}
