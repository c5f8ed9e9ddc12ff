/* Cages of nine digits on any board: up to five different digits that are one of some sets, checked over permutations.
 *
 * Invariant: a pair of cells has a vector for each two digits, "both of them are here, either way", and
 * a triple, made of a pair and a cell, one for each three. A cage is two of these parts. On the way
 * up `may` says what a part may hold, and on the way down `kept`, what the rest of the cage lets it
 * hold. A candidate that is left is in a permutation of one of the sets that every cell allows.
 */

typedef struct {
    V may[9], kept[9];
} OneCell;

typedef struct {
    V may[PAIRS9], kept[PAIRS9];
} TwoCells;

typedef struct {
    V may[TRIPLES9], kept[TRIPLES9];
} ThreeCells;

INLINE void take_digits(const Generic *s, int cell, V *x)
{
    const V *alive = s->alive + cell;
    const int board = s->plan->cells;
    UNROLL for (int d = 0; d < 9; d++) x[d] = alive[board * d];
}

/* Strike every digit of the cell but where it is kept. */
INLINE void strike_but(Generic *s, int cell, const V *kept)
{
    V gone = {0};
    const int board = s->plan->cells;
    UNROLL for (int d = 0; d < 9; d++) {
        V *alive = s->alive + board * d + cell, x = *alive, k = kept[d];
        gone = add_minus(gone, x, k);
        *alive = x & k;
    }
    s->changed |= gone;
    touch(s, cell, gone);
}

INLINE void take_cell(const Generic *s, int cell, OneCell *x)
{
    take_digits(s, cell, x->may);
    UNROLL for (int d = 0; d < 9; d++) x->kept[d] = (V){0};
}

INLINE void join_cells(const OneCell *x, const OneCell *y, TwoCells *both)
{
    UNROLL for (int b = 1; b < 9; b++)
        UNROLL for (int a = 0; a < b; a++) {
            both->may[PAIR_OF(a, b)] = add_both(x->may[a] & y->may[b], x->may[b], y->may[a]);
            both->kept[PAIR_OF(a, b)] = (V){0};
        }
}

INLINE void part_cells(const TwoCells *both, OneCell *x, OneCell *y)
{
    V keep_x[9], keep_y[9];
    UNROLL for (int a = 0; a < 9; a++) keep_x[a] = keep_y[a] = (V){0};
    UNROLL for (int b = 1; b < 9; b++)
        UNROLL for (int a = 0; a < b; a++) {
            V kept = both->kept[PAIR_OF(a, b)];
            keep_x[a] = add_both(keep_x[a], kept, y->may[b]);
            keep_x[b] = add_both(keep_x[b], kept, y->may[a]);
            keep_y[a] = add_both(keep_y[a], kept, x->may[b]);
            keep_y[b] = add_both(keep_y[b], kept, x->may[a]);
        }
    UNROLL for (int a = 0; a < 9; a++) x->kept[a] = keep_x[a], y->kept[a] = keep_y[a];
}

static void join_pair(const TwoCells *xy, const OneCell *z, ThreeCells *all)
{
    for (int c = 2; c < 9; c++)
        for (int b = 1; b < c; b++)
            for (int a = 0; a < b; a++) {
                V may = xy->may[PAIR_OF(a, b)] & z->may[c];
                may = add_both(may, xy->may[PAIR_OF(a, c)], z->may[b]);
                all->may[TRIPLE_OF(a, b, c)] = add_both(may, xy->may[PAIR_OF(b, c)], z->may[a]);
                all->kept[TRIPLE_OF(a, b, c)] = (V){0};
            }
}

INLINE void keep(V *pair, V *digit, const V *may_pair, const V *may_digit, V kept)
{
    *pair = add_both(*pair, kept, *may_digit);
    *digit = add_both(*digit, kept, *may_pair);
}

static void part_pair(const ThreeCells *all, TwoCells *xy, OneCell *z)
{
    for (int c = 2; c < 9; c++)
        for (int b = 1; b < c; b++)
            for (int a = 0; a < b; a++) {
                int ab = PAIR_OF(a, b), ac = PAIR_OF(a, c), bc = PAIR_OF(b, c);
                V kept = all->kept[TRIPLE_OF(a, b, c)];
                keep(xy->kept + ab, z->kept + c, xy->may + ab, z->may + c, kept);
                keep(xy->kept + ac, z->kept + b, xy->may + ac, z->may + b, kept);
                keep(xy->kept + bc, z->kept + a, xy->may + bc, z->may + a, kept);
            }
}

/* One part holds these digits and the other one those. Returns where that may be. */
INLINE V match(const V *one, V *one_kept, const V *other, V *other_kept)
{
    *one_kept |= *other;
    *other_kept |= *one;
    return *one & *other;
}

#define MATCH(x, i, y, k) match((x).may + (i), (x).kept + (i), (y).may + (k), (y).kept + (k))

typedef struct {
    OneCell cell[MOST_CAGED];
    TwoCells left, right;
    ThreeCells triple;
} Parts;

/* A set of digits, ascending, is in the cage. Returns where that may be. */
static V match_two(Parts *p, const int *d)
{
    int i = PAIR_OF(d[0], d[1]);
    p->left.kept[i] = ~(V){0};
    return p->left.may[i];
}

static V match_three(Parts *p, const int *d)
{
    return MATCH(p->left, PAIR_OF(d[0], d[1]), p->cell[2], d[2])
           | MATCH(p->left, PAIR_OF(d[0], d[2]), p->cell[2], d[1])
           | MATCH(p->left, PAIR_OF(d[1], d[2]), p->cell[2], d[0]);
}

static V match_four(Parts *p, const int *d)
{
    V in = {0};
    UNROLL for (int i = 0; i < 6; i++) {
        const uint8_t *k = SPLITS4[i];
        in |= MATCH(p->left, PAIR_OF(d[k[0]], d[k[1]]), p->right, PAIR_OF(d[k[2]], d[k[3]]));
    }
    return in;
}

static V match_five(Parts *p, const int *d)
{
    V in = {0};
    UNROLL for (int i = 0; i < 10; i++) {
        const uint8_t *k = SPLITS5[i];
        in |= MATCH(p->right, PAIR_OF(d[k[0]], d[k[1]]), p->triple,
                    TRIPLE_OF(d[k[2]], d[k[3]], d[k[4]]));
    }
    return in;
}

static void join_parts(Parts *p, int cells)
{
    join_cells(p->cell, p->cell + 1, &p->left);
    if (cells > 3) join_cells(p->cell + cells - 2, p->cell + cells - 1, &p->right);
    if (cells > 4) join_pair(&p->left, p->cell + 2, &p->triple);
}

static void part_parts(Parts *p, int cells)
{
    if (cells > 4) part_pair(&p->triple, &p->left, p->cell + 2);
    if (cells > 3) part_cells(&p->right, p->cell + cells - 2, p->cell + cells - 1);
    part_cells(&p->left, p->cell, p->cell + 1);
}

/* In the cells of `rest`, which differ from all cells of a cage, no digit is that all of its sets have.
 * without[d]: where a set without the digit is possible. */
static void strike_rest(Generic *s, const int32_t *rest, const int32_t *end, const V *without)
{
    int n = s->plan->digits, board = s->plan->cells;
    V changed = s->changed;
    for (int d = 0; d < n; d++) {
        if (!any_lane(minus_any(~(V){0}, without[d], s->conflict))) continue;
        for (const int32_t *cell = rest; cell < end; cell++) {
            V *alive = s->alive + board * d + *cell, x = *alive, gone = x & ~without[d];
            changed |= gone;
            *alive = x & without[d];
            touch(s, *cell, gone);
        }
    }
    s->changed = changed;
}

/* The cells, two to five, hold the digits of one of the sets. */
static void pass_cage(Generic *s, const int32_t *cell, int cells, const int32_t *set, int sets,
                      const int32_t *rest, const int32_t *end)
{
    V any = {0}, without[9] = {{0}};
    Parts p;
    for (int i = 0; i < cells; i++) take_cell(s, cell[i], p.cell + i);
    join_parts(&p, cells);
    for (int k = 0; k < sets; k++) {
        int digit[MOST_CAGED], *next = digit;
        for (int in = set[k]; in; in &= in - 1) *next++ = __builtin_ctz((unsigned)in);
        V in = cells == 2   ? match_two(&p, digit)
               : cells == 3 ? match_three(&p, digit)
               : cells == 4 ? match_four(&p, digit)
                            : match_five(&p, digit);
        for (int out = ~set[k] & 0x1FF; out; out &= out - 1)
            without[__builtin_ctz((unsigned)out)] |= in;
        any |= in;
    }
    blame_candidates(s, cell, cells, ~any);
    part_parts(&p, cells);
    for (int i = 0; i < cells; i++) strike_but(s, cell[i], p.cell[i].kept);
    strike_rest(s, rest, end, without);
}
