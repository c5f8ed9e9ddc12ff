/* Bounds: sets of cells that differ, each times a weight, all of which together add up to a total.
 *
 * Invariant: of each set only the digits that some cell of it may hold are looked at, so that a set adds
 * up at most to the highest of them, as many as it has cells. The slack is the most that all sets can
 * add up to, less the total: no cell may hold a digit that lowers this most by more than the slack. The least
 * is found by the same pass in the mirror, where a digit d counts as n + 1 - d. A set that is mirrored
 * counts its digits in this way, too.
 *
 * For a set of k cells, from the highest digit down, vector i holds the lanes where at least i digits were
 * met, for i from 1 to k. Each vector is added once at every digit, so a digit d is counted d times, and
 * the count of a lane is the sum of its k highest digits. */

enum { BOUND_BITS = 15 }; /* of MOST_BOUND */

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

/* less[i]: where the number is less than the weight times i + 1, for i below `count`. */
static void compare(const Number *number, V *less, int weight, int count)
{
    int bits = 32 - __builtin_clz((unsigned)(weight * count | 1));
    V large = {0};
    for (int bit = bits; bit < BOUND_BITS; bit++) large |= number->vector[bit][0];
    for (int i = 0; i < count; i++) {
        less[i] = (V){0};
        for (int bit = 0; bit < bits; bit++) {
            V x = number->vector[bit][0];
            less[i] = weight * (i + 1) >> bit & 1 ? ~x | less[i] : less[i] & ~x;
        }
        less[i] &= ~large;
    }
}

/* Add the highest digits of a set, or the lowest in the mirror. full[i]: where as many of the first i + 1
 * digits are possible as the set has cells, or more. */
static void add_highest(Generic *s, const int32_t *set, int mirrored, Number *sum, V *full)
{
    int n = s->plan->digits, board = s->plan->cells, cells = set[2];
    const int32_t *cell = set + 3;
    V met[SATDOKU_MAX_DIGITS + 1] = {{0}};
    for (int i = 0; i < n; i++) {
        const V *alive = s->alive + board * (mirrored ? i : n - 1 - i);
        V may = {0};
        for (int k = 0; k < cells; k++) may |= alive[cell[k]];
        for (int k = cells; k > 1; k--) met[k] = add_both(met[k], met[k - 1], may);
        met[1] |= may;
        for (int bit = 0; set[0] >> bit; bit++)
            for (int k = 1; k <= cells && set[0] >> bit & 1; k++) add_vector(sum, bit, met[k]);
        full[i] = met[cells];
    }
}

/* Strike the digits of a set that cost more than the slack. less: the slack, compared. */
static void strike_costly(Generic *s, const int32_t *set, int mirrored, const V *less, const V *full)
{
    int n = s->plan->digits, board = s->plan->cells;
    for (int i = 1; i < n; i++) {
        V out = {0};
        for (int k = 0; k < i; k++) out = add_both(out, full[k], less[i - k - 1]);
        if (!any_lane(minus_any(out, s->conflict, (V){0}))) continue;
        for (int k = 0; k < set[2]; k++)
            strike(s, board * (mirrored ? i : n - 1 - i) + set[3 + k], out);
    }
}

/* A list is as one of a sum. */
static void pass_bound(Generic *s, const int32_t *list, const int32_t *end, int mirrored)
{
    int n = s->plan->digits, total = *list++, weighed = 0, weight = 0;
    V less[SATDOKU_MAX_DIGITS], before = s->conflict, *full = s->states;
    Number sum;
    for (const int32_t *set = list; set < end; set += 3 + set[2]) weighed += set[0] * set[2];
    if (mirrored) total = (n + 1) * weighed - total;
    if (total < 0) return; /* out of reach in the other direction */
    memset(sum.held, 0, sizeof sum.held);
    for (const int32_t *set = list; set < end; set += 3 + set[2], full += n)
        add_highest(s, set, mirrored ^ set[1], &sum, full);
    V broken = take_off(&sum, total);
    for (const int32_t *set = list; set < end; set += 3 + set[2]) {
        s->conflict = before; /* so that every set takes blame */
        blame_candidates(s, set + 3, set[2], broken);
    }
    full = s->states;
    for (const int32_t *set = list; set < end; set += 3 + set[2], full += n) {
        if (set[0] != weight) compare(&sum, less, weight = set[0], n - 1);
        strike_costly(s, set, mirrored ^ set[1], less, full);
    }
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
