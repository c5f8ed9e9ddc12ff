/* Ranks: the clue's line begins with a digit. On each of the three other sides one line begins with the same digit.
 * The clue says how many of these three lines are lower than its own, compared cell by cell.
 *
 * Invariant: which line of a side begins with the digit may be open. A side may be lower if some line of it may
 * both begin and be lower; likewise for not lower. A line that the number of lower sides rules out does not begin. If a
 * line surely begins and its order is known, digits out of order are struck at the first place where it may differ from
 * the clue's line. While it is open which line begins, the second cell of the clue's line is bounded by those of all
 * lines that may. Where all cells of a lane are decided and a pass changes nothing, the rank holds. */

/* How one line may stand to another: the lanes where it may be lower, equal, higher. */
typedef struct {
    V lower, equal, higher;
} Order;

/* The order of two lines behind their first cells where `due`. Where a line may be lower and may be higher, it does not
 * matter whether it may be equal, and so that is not asked to the end. */
static Order compare_lines(const Generic *s, const int32_t *one, const int32_t *other, int length, V due)
{
    int n = s->plan->digits, board = s->plan->cells;
    Order order = {{0}, due, {0}};
    for (int i = 1; i < length; i++) {
        V below = {0}, beneath = {0}, less = {0}, more = {0}, same = {0};
        if (!any_lane(minus_both(order.equal, order.lower, order.higher))) break;
        if (one[i] == other[i]) continue;
        for (int d = 0; d < n; d++) {
            V x = s->alive[board * d + one[i]], y = s->alive[board * d + other[i]];
            less = add_both(less, below, y), more = add_both(more, beneath, x), same = add_both(same, x, y);
            below |= x, beneath |= y;
        }
        order.lower = add_both(order.lower, order.equal, less);
        order.higher = add_both(order.higher, order.equal, more);
        order.equal &= same;
    }
    return order;
}

/* Where `due`, the first line is lower than the second, or equal if it may: strike what is out of order at the first
 * place where they are not surely equal. */
static void keep_order(Generic *s, const int32_t *low, const int32_t *high, int length, int may_tie, V due)
{
    int n = s->plan->digits, board = s->plan->cells;
    for (int i = 1; i < length && any_lane(minus_any(due, s->conflict, (V){0})); i++) {
        V least = {0}, most = {0}, same = {0};
        if (low[i] == high[i]) continue;
        Order rest = compare_lines(s, low + i, high + i, length - i, due);
        V equal = may_tie ? rest.lower | rest.equal : rest.lower; /* behind here they may be in order */
        for (int d = 0; d < n; d++) {
            V x = s->alive[board * d + low[i]];
            strike(s, board * d + high[i], due & ~add_both(least, x, equal));
            least |= x;
        }
        for (int d = n - 1; d >= 0; d--) {
            V y = s->alive[board * d + high[i]];
            strike(s, board * d + low[i], due & ~add_both(most, y, equal));
            most |= y;
            same = add_both(same, s->truth[board * d + low[i]], s->truth[board * d + high[i]]);
        }
        due &= same;
    }
}

/* One side while a rank is passed. lower, other: where it may be lower, and where it may be not; must, must_not: where
 * it is one of these for sure. */
typedef struct {
    V lower, other, must, must_not;
} Side;

/* Whether the sides must be lower or must not, by how many of them are. */
static void count_sides(Side *side, int less, V *none)
{
    V sure[OTHER_SIDES + 2] = {~(V){0}}, may[OTHER_SIDES + 2] = {~(V){0}};
    for (int k = 0; k < OTHER_SIDES; k++) {
        *none |= ~(side[k].lower | side[k].other);
        for (int i = OTHER_SIDES; i >= 0; i--) {
            sure[i + 1] |= sure[i] & ~side[k].other;
            may[i + 1] = add_both(may[i + 1], may[i], side[k].lower);
        }
    }
    *none |= sure[less + 1] | ~may[less];
    for (int k = 0; k < OTHER_SIDES; k++) {
        side[k].must = (side[k].lower & ~may[less + 1]) | ~side[k].other;
        side[k].must_not = (side[k].other & sure[less]) | ~side[k].lower;
    }
}

/* Where the side is lower, the second digit of the clue's line is at least the least second digit of the lines that may
 * begin. Where it is not lower, it is at most the greatest. */
static void bound_second(Generic *s, int own, const int32_t *line, int length, int digit, const Side *side)
{
    int n = s->plan->digits, board = s->plan->cells;
    V held[SATDOKU_MAX_DIGITS] = {{0}}, least = {0}, most = {0};
    for (int k = 0; k < length; k++, line += length) {
        V begins = s->alive[board * digit + line[0]];
        if (!any_lane(minus_any(begins, s->conflict, (V){0}))) continue;
        for (int d = 0; d < n; d++) held[d] = add_both(held[d], begins, s->alive[board * d + line[1]]);
    }
    for (int d = 0; d < n; d++) strike(s, board * d + own, side->must & ~(least |= held[d]));
    for (int d = n - 1; d >= 0; d--) strike(s, board * d + own, side->must_not & ~(most |= held[d]));
}

/* A list is a digit, how many sides are lower, whether one may be equal, the cells of a line, those of the clue's own
 * line, and those of all lines of the sides, of which each has as many as a line has cells. */
static void pass_rank(Generic *s, const int32_t *list)
{
    int digit = list[0], less = list[1], may_tie = list[2], length = list[3], board = s->plan->cells;
    const int32_t *own = list + 4, *lines = own + length, *line = lines;
    Side side[OTHER_SIDES] = {{{0}, {0}, {0}, {0}}};
    V lower[OTHER_SIDES * SATDOKU_MAX_DIGITS], other[OTHER_SIDES * SATDOKU_MAX_DIGITS], none = {0};
    for (int k = 0; k < OTHER_SIDES * length; k++, line += length) {
        V begins = s->alive[board * digit + line[0]] & ~s->conflict;
        lower[k] = other[k] = (V){0};
        if (!any_lane(begins)) continue;
        Order order = compare_lines(s, line, own, length, begins);
        lower[k] = order.lower, other[k] = may_tie ? order.higher | order.equal : order.higher;
        side[k / length].lower |= lower[k];
        side[k / length].other |= other[k];
    }
    count_sides(side, less, &none);
    blame_candidates(s, own, length, none);
    line = lines;
    for (int k = 0; k < OTHER_SIDES * length; k++, line += length) {
        const Side *its = side + k / length;
        V kept = (lower[k] & ~its->must_not) | (other[k] & ~its->must);
        int begins = board * digit + line[0];
        strike(s, begins, ~kept);
        if (!any_lane(minus_any(s->truth[begins], s->conflict, (V){0}))) continue;
        keep_order(s, line, own, length, 0, s->truth[begins] & its->must);
        keep_order(s, own, line, length, may_tie, s->truth[begins] & its->must_not);
    }
    for (int k = 0; k < OTHER_SIDES; k++)
        bound_second(s, own[1], lines + k * length * length, length, digit, side + k);
}
