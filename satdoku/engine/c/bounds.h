/* Bounds: sets of cells that differ, all of which together add up to a total.
 *
 * Invariant: of each set only the digits that some cell of it may hold are looked at, so that a set adds
 * up at most to the highest of them, as many as it has cells. If all sets add up to no more than the
 * total and some slack, no cell may hold a digit that costs more. What the sets add up to at least is
 * the same in the mirror, where a digit d counts as n + 1 - d.
 *
 * A set of k cells counts, from the highest digit down, how many of 1 to k digits were met: each of
 * these vectors is worth one for every digit from there on, so the number of them that hold a lane is what
 * its digits add up to. */

enum { BOUND_BITS = 15 }; /* of what all cells of the largest board may add up to */

/* A number in each lane: up to two vectors are worth 1, 2, 4 ... each. */
typedef struct {
    V vector[BOUND_BITS][2];
    int held[BOUND_BITS];
} Number;

INLINE void add_vector(Number *number, int bit, V x)
{
    for (; number->held[bit] == 2; bit++) {
        V *two = number->vector[bit], carry = majority(two[0], two[1], x);
        two[0] = parity(two[0], two[1], x);
        number->held[bit] = 1;
        x = carry;
        if (bit + 1 == BOUND_BITS) return;
    }
    number->vector[bit][number->held[bit]++] = x;
}

/* Subtract: afterwards bit b is vector[b][0]. Returns the lanes that had less. */
static V take_off(Number *number, int total)
{
    V borrow = {0};
    for (int bit = 0; bit < BOUND_BITS; bit++) {
        V *own = number->vector[bit];
        if (!number->held[bit]) own[0] = (V){0};
        if (number->held[bit] == 2) {
            V carry = own[0] & own[1];
            own[0] ^= own[1];
            if (bit + 1 < BOUND_BITS) add_vector(number, bit + 1, carry);
        }
        V x = own[0];
        own[0] = total >> bit & 1 ? ~(x ^ borrow) : x ^ borrow;
        borrow = total >> bit & 1 ? ~x | borrow : ~x & borrow;
    }
    return borrow;
}

/* at_most[i]: where the number is i or less, for i below `count`, at most 32. */
static void compare(const Number *number, V *at_most, int count)
{
    V large = {0}, so_far = {0};
    for (int bit = 5; bit < BOUND_BITS; bit++) large |= number->vector[bit][0];
    for (int i = 0; i < count; i++) {
        V same = ~large;
        for (int bit = 0; bit < 5; bit++)
            same &= i >> bit & 1 ? number->vector[bit][0] : ~number->vector[bit][0];
        at_most[i] = so_far |= same;
    }
}

/* Add the highest digits of a set, or the lowest in the mirror. full[i]: where the first i + 1 digits
 * are as many as the set has cells. */
static void add_highest(Generic *s, const int32_t *cell, int cells, int mirrored, Number *sum, V *full)
{
    int n = s->plan->digits, board = s->plan->cells;
    V met[SATDOKU_MAX_DIGITS + 1] = {{0}};
    for (int i = 0; i < n; i++) {
        const V *alive = s->alive + board * (mirrored ? i : n - 1 - i);
        V may = {0};
        for (int k = 0; k < cells; k++) may |= alive[cell[k]];
        for (int k = cells; k > 1; k--) met[k] = add_both(met[k], met[k - 1], may);
        met[1] |= may;
        for (int k = 1; k <= cells; k++) add_vector(sum, 0, met[k]);
        full[i] = met[cells];
    }
}

/* Strike the digits of a set that cost more than the slack. at_most: the slack, compared. */
static void strike_costly(Generic *s, const int32_t *cell, int cells, int mirrored, const V *at_most,
                          const V *full)
{
    int n = s->plan->digits, board = s->plan->cells;
    for (int i = 1; i < n; i++) {
        V out = {0};
        for (int k = 0; k < i; k++) out = add_both(out, full[k], at_most[i - k - 1]);
        if (!any_lane(minus_any(out, s->conflict, (V){0}))) continue;
        for (int k = 0; k < cells; k++)
            strike(s, board * (mirrored ? i : n - 1 - i) + cell[k], out);
    }
}

/* A list is a total, then for each set the number of its cells, and these. */
static void pass_bound(Generic *s, const int32_t *list, const int32_t *end, int mirrored)
{
    int n = s->plan->digits, total = *list++, cells = 0;
    V at_most[SATDOKU_MAX_DIGITS], before = s->conflict, *full = s->states;
    Number sum;
    for (const int32_t *at = list; at < end; at += 1 + *at) cells += *at;
    if (mirrored) total = (n + 1) * cells - total;
    if (total < 0) return; /* out of reach in the other direction */
    memset(sum.held, 0, sizeof sum.held);
    for (const int32_t *at = list; at < end; at += 1 + *at, full += n)
        add_highest(s, at + 1, *at, mirrored, &sum, full);
    V less = take_off(&sum, total);
    for (const int32_t *at = list; at < end; at += 1 + *at) {
        s->conflict = before; /* so that every set takes blame */
        blame_candidates(s, at + 1, *at, less);
    }
    compare(&sum, at_most, n - 1);
    full = s->states;
    for (const int32_t *at = list; at < end; at += 1 + *at, full += n)
        strike_costly(s, at + 1, *at, mirrored, at_most, full);
}

/* The vectors that the bound of the most sets needs. */
static size_t most_full(const satdoku_plan *plan)
{
    size_t most = 0;
    for (int k = 0; k < plan->bounds.lists; k++) {
        size_t members = (size_t)(plan->bounds.start[k + 1] - plan->bounds.start[k]);
        most = members > most ? members : most;
    }
    return most * (size_t)plan->digits;
}
