/* The tuned path: rows, columns and boxes of classic 9x9.
 *
 * Invariant: a sweep visits the nine digits in turn. It strikes from a digit's plane what unit
 * propagation on its row triads, and then on its column triads, excludes, given the cells that are
 * decided. A lane counts as changed if a triad died that had a cell, or a cell was newly decided.
 * Later digits of a sweep see what earlier ones claimed, and sweeps alternate their direction, so
 * that every digit sees the claims of every other. A lane that a sweep does not change is at the
 * fixpoint.
 *
 * A triad is the three cells that a box shares with a row or a column; it is true if one of its
 * cells is. The triads of one digit in a band of three boxes are a 3x3 matrix with exactly one true
 * entry in every row and column. An entry survives unit propagation if and only if the opposite 2x2
 * minor has a nonzero permanent (a 2x2 permanent is zero only if one of its rows or columns is). */

/* What a sweep knows about the cells, and what it finds out about the lanes. */
typedef struct {
    V taken[CELLS9]; /* claimed in this sweep: the last place of a digit */
    V two[CELLS9];   /* the last sweep left two candidates or more */
    V twos[CELLS9];  /* the same, except for cells that it claimed */
    V changed, conflict, open;
} Classic;

/* Where a box begins among the cells (its cell i,j is 9i + j further), and where its row triads and
 * its column triads begin (the next one is 3 further). The row triads are 0 to 26, the column triads
 * 27 to 53, and the nine triads of each of the six matrices follow each other, line by line. */
INLINE int box_cells(int box) { return box / 3 * 27 + box % 3 * 3; }
INLINE int box_rows(int box) { return box / 3 * 9 + box % 3; }
INLINE int box_columns(int box) { return 27 + box % 3 * 9 + box / 3; }

/* Join the cells of a box, x[3i + j], to its row triads and its column triads. */
INLINE void join_triads(const V *x, V *rows, V *columns)
{
    UNROLL for (int k = 0; k < 3; k++) {
        rows[3 * k] = or3(x[3 * k], x[3 * k + 1], x[3 * k + 2]);
        columns[3 * k] = or3(x[k], x[k + 3], x[k + 6]);
    }
}

/* Strike what other digits claimed, and in a box where the digit is decided (`placed`) the rest of
 * the box: the triads then take care of the lines. Join what is left to row triads. */
INLINE void strike_box(const Classic *s, V *plane, int box, V *rows, V *placed)
{
    int first = box_cells(box);
    V x[9], f[9];
    UNROLL for (int k = 0; k < 9; k++) {
        int i = first + k / 3 * 9 + k % 3;
        x[k] = plane[i] & ~s->taken[i];
        f[k] = x[k] & ~s->twos[i];
    }
    V any = or3(or3(f[0], f[1], f[2]), or3(f[3], f[4], f[5]), or3(f[6], f[7], f[8]));
    UNROLL for (int k = 0; k < 9; k++)
    {
        int i = first + k / 3 * 9 + k % 3;
        plane[i] = x[k] = minus_both(x[k], any, s->twos[i]);
    }
    UNROLL for (int k = 0; k < 3; k++) rows[3 * k] = or3(x[3 * k], x[3 * k + 1], x[3 * k + 2]);
    *placed = any;
}

/* Join what the row triads leave of a box to its column triads. */
INLINE void join_columns(const V *plane, int box, const V *rows, V *columns)
{
    const V *x = plane + box_cells(box);
    UNROLL for (int k = 0; k < 3; k++)
        columns[3 * k] = add_both(add_both(x[k] & rows[0], x[k + 9], rows[3]), x[k + 18], rows[6]);
}

/* Unit propagation on one matrix of triads. */
INLINE void settle_band(Classic *s, V *triads)
{
    V t[9];
    UNROLL for (int k = 0; k < 9; k++) t[k] = triads[k];
    UNROLL for (int k = 0; k < 9; k++) {
        int i = (k / 3 + 1) % 3 * 3, ii = (k / 3 + 2) % 3 * 3, j = (k + 1) % 3, jj = (k + 2) % 3;
        V minor = add_both(t[i + j] & t[ii + jj], t[i + jj], t[ii + j]);
        triads[k] = t[k] & minor;
    }
    s->conflict = s->conflict | ~or3(triads[0], triads[1], triads[2]);
}

/* Strike the cells of dead triads. The last cell of a box is claimed: no other digit may have it.
 * (Once the triads are settled, the last cell of a line is also the last of its box: a triad that is
 * alone in its line is alone in its box.) */
INLINE void claim_box(Classic *s, V *plane, int box, const V *rows, const V *columns, V placed)
{
    int first = box_cells(box);
    V x[9], any[3];
    UNROLL for (int k = 0; k < 9; k++)
        x[k] = all3(plane[first + k / 3 * 9 + k % 3], rows[k / 3 * 3], columns[k % 3 * 3]);
    UNROLL for (int k = 0; k < 3; k++) {
        any[k] = or3(x[3 * k], x[3 * k + 1], x[3 * k + 2]);
        s->changed = add_minus(s->changed, rows[3 * k], any[k]);
    }
    V many = majority(any[0], any[1], any[2]) | majority(columns[0], columns[3], columns[6]);
    s->conflict = add_both(s->conflict, many, placed);
    UNROLL for (int k = 0; k < 9; k++) {
        int i = first + k / 3 * 9 + k % 3;
        plane[i] = x[k];
        s->taken[i] = add_minus(s->taken[i], x[k], many);
    }
}

/* The columns are settled after the rows and on what these leave, which saves an eighth (hard
 * puzzles) to a quarter of the sweeps. */
static void sweep_plane(Classic *s, V *plane)
{
    V triads[TRIADS9], placed[9];
    UNROLL for (int band = 0; band < 9; band += 3) {
        UNROLL for (int box = band; box < band + 3; box++)
            strike_box(s, plane, box, triads + box_rows(box), placed + box);
        settle_band(s, triads + 3 * band);
        UNROLL for (int box = band; box < band + 3; box++)
            join_columns(plane, box, triads + box_rows(box), triads + box_columns(box));
    }
    UNROLL for (int band = 27; band < TRIADS9; band += 9) settle_band(s, triads + band);
    UNROLL for (int box = 0; box < 9; box++)
        claim_box(s, plane, box, triads + box_rows(box), triads + box_columns(box), placed[box]);
}

/* The lanes in which a cell has a candidate, and those in which it has two or more. */
INLINE V count_cell(const V *alive, int cell, V *one)
{
    V any[3], both[3];
    UNROLL for (int k = 0; k < 3; k++) {
        const V *x = alive + 3 * CELLS9 * k + cell;
        any[k] = or3(x[0], x[CELLS9], x[2 * CELLS9]);
        both[k] = majority(x[0], x[CELLS9], x[2 * CELLS9]);
    }
    *one = or3(any[0], any[1], any[2]);
    return or3(both[0], both[1], both[2]) | majority(any[0], any[1], any[2]);
}

/* A cell without a candidate is a conflict. A claimed cell counts as decided at once: the next sweep
 * strikes whatever else is left in it before it looks at the cell. The next sweep also strikes what
 * newly decided cells exclude. */
INLINE void end_sweep(Classic *s, const V *alive)
{
    V open = {0}, changed = s->changed, conflict = s->conflict;
    for (int cell = 0; cell < CELLS9; cell++) {
        V one, two = count_cell(alive, cell, &one);
        V twos = two & ~s->taken[cell];
        conflict = conflict | ~one;
        open |= two;
        changed = add_minus(changed, s->twos[cell], twos);
        s->two[cell] = two;
        s->twos[cell] = twos;
    }
    s->open = open, s->changed = changed, s->conflict = conflict;
}

static void sweep_classic(Classic *s, V *alive, int downwards)
{
    memset(s->taken, 0, sizeof s->taken);
    s->changed = (V){0};
    for (int i = 0; i < 9; i++) sweep_plane(s, alive + CELLS9 * (downwards ? 8 - i : i));
    end_sweep(s, alive);
}

/* Count the candidates of every cell afresh, after nodes were put into lanes. */
static void count_cells(Classic *s, const V *alive)
{
    for (int cell = 0; cell < CELLS9; cell++) {
        V one;
        s->twos[cell] = count_cell(alive, cell, &one);
    }
}

/* A triad has three cells, so it is true of exactly three digits. Unit propagation does not see this,
 * and branching on triads needs it; it saves a fifth to a third of the nodes. Since it is more than
 * unit propagation, it is applied only to stuck lanes, before a branch.
 *
 * Branching picks, among the bands where some digit is undecided, the one with the fewest live
 * triads, counted over all digits; in it the undecided digit with the fewest; and of this digit the
 * first live triad that is not alone in its line. Counting over all digits keeps the search in one
 * place, which takes about half the nodes of picking the best digit anywhere.
 *
 * Counts are bit-sliced too: a number is a few vectors, the least significant bit first. */

typedef struct {
    V triads[9][TRIADS9];       /* live triads of each digit */
    V number[9][6][DIGIT_BITS]; /* how many in each band */
    V undecided[9][6];          /* more than three live triads */
    V digit[9], band[6];        /* the choice, one-hot */
    V struck, conflict;         /* lanes where a triad did not fit */
} Branch;

static void find_triads(Branch *b, const V *alive)
{
    for (int d = 0; d < 9; d++)
        for (int box = 0; box < 9; box++) {
            const V *cell = alive + CELLS9 * d + box_cells(box);
            V x[9];
            UNROLL for (int k = 0; k < 9; k++) x[k] = cell[k / 3 * 9 + k % 3];
            join_triads(x, b->triads[d] + box_rows(box), b->triads[d] + box_columns(box));
        }
}

/* How many of nine are set, 0 to 9. */
INLINE void count_nine(const V *x, V *sum)
{
    V a = parity(x[0], x[1], x[2]), b = parity(x[3], x[4], x[5]), c = parity(x[6], x[7], x[8]);
    V p = carry3(x[0], x[1], x[2]), q = carry3(x[3], x[4], x[5]);
    V r = carry3(x[6], x[7], x[8]);
    V carry = carry3(a, b, c), t = parity(p, q, r), u = carry3(p, q, r);
    sum[0] = parity(a, b, c);
    sum[1] = t ^ carry;
    sum[2] = u ^ (t & carry);
    sum[3] = all3(u, t, carry);
}

/* The lanes in which three of nine are set, and those in which more are. */
INLINE V count_three(const V *x, V *more)
{
    V a = parity(x[0], x[1], x[2]), b = parity(x[3], x[4], x[5]), c = parity(x[6], x[7], x[8]);
    V p = carry3(x[0], x[1], x[2]), q = carry3(x[3], x[4], x[5]), r = carry3(x[6], x[7], x[8]);
    V odd = parity(a, b, c), s = carry3(a, b, c); /* p, q, r and s stand for two each */
    *more = or3(p & q, r & s, (p | q) & (r | s));
    return both_minus(odd, or3(p, q, r | s), *more);
}

/* Three digits decided for a triad exclude the others from it. Three digits left for it are excluded
 * from the two other triads of the line. Where both hold there is nothing to strike, where one does
 * there is. */
INLINE void fit_triad(Branch *b, int triad, int mate, int other)
{
    V live[9], decided[9], more, over;
    UNROLL for (int d = 0; d < 9; d++) {
        live[d] = b->triads[d][triad];
        decided[d] = minus_any(live[d], b->triads[d][mate], b->triads[d][other]);
    }
    V tight = count_three(live, &more), full = count_three(decided, &over);
    b->conflict = or3(b->conflict, over, ~(tight | more));
    b->struck |= tight ^ full;
    V alone = tight & ~full;
    full &= ~tight;
    UNROLL for (int d = 0; d < 9; d++) {
        V others = alone & live[d];
        b->triads[d][triad] = live[d] & ~(full & ~decided[d]);
        b->triads[d][mate] &= ~others;
        b->triads[d][other] &= ~others;
    }
}

static void fit_triads(Branch *b)
{
    b->struck = b->conflict = (V){0};
    for (int line = 0; line < TRIADS9; line += 3) {
        fit_triad(b, line, line + 1, line + 2);
        fit_triad(b, line + 1, line + 2, line);
        fit_triad(b, line + 2, line, line + 1);
    }
}

/* total += x */
INLINE void accumulate(V *total, const V *x)
{
    V carry = {0};
    for (int i = 0; i < BAND_BITS; i++) {
        V addend = i < DIGIT_BITS ? x[i] : (V){0}, sum = parity(total[i], addend, carry);
        carry = carry3(total[i], addend, carry);
        total[i] = sum;
    }
}

/* In the eligible lanes where x < best, set best to x. Returns these lanes. */
INLINE V improve(V *best, const V *x, V eligible, int bits)
{
    V less = {0};
    for (int i = 0; i < bits; i++) less = choose(x[i] ^ best[i], best[i], less);
    less &= eligible;
    for (int i = 0; i < bits; i++) best[i] = choose(less, x[i], best[i]);
    return less;
}

static void choose_band(Branch *b)
{
    V best[BAND_BITS];
    for (int i = 0; i < BAND_BITS; i++) best[i] = ~(V){0};
    for (int band = 0; band < 6; band++) {
        V total[BAND_BITS] = {{0}}, any = {0};
        for (int d = 0; d < 9; d++) {
            count_nine(b->triads[d] + 9 * band, b->number[d][band]);
            V *n = b->number[d][band];
            b->undecided[d][band] = or3(n[2], n[3], (V){0});
            any |= b->undecided[d][band];
            accumulate(total, n);
        }
        V better = improve(best, total, any, BAND_BITS);
        for (int i = 0; i < band; i++) b->band[i] &= ~better;
        b->band[band] = better;
    }
}

static void choose_digit(Branch *b)
{
    V best[DIGIT_BITS];
    for (int i = 0; i < DIGIT_BITS; i++) best[i] = ~(V){0};
    for (int d = 0; d < 9; d++) {
        V number[DIGIT_BITS] = {{0}}, undecided = {0};
        for (int band = 0; band < 6; band++) {
            undecided = add_both(undecided, b->band[band], b->undecided[d][band]);
            for (int i = 0; i < DIGIT_BITS; i++)
                number[i] = add_both(number[i], b->band[band], b->number[d][band][i]);
        }
        V better = improve(best, number, undecided, DIGIT_BITS);
        for (int i = 0; i < d; i++) b->digit[i] &= ~better;
        b->digit[d] = better;
    }
}

/* In the lanes of `here`, choose a triad of a matrix: in `yes` it is alone in its line, in `no` it is
 * dead. In the other lanes both are the matrix as it was. */
INLINE void split_band(const V *triads, V here, V *yes, V *no)
{
    for (int line = 0; line < 9; line += 3) {
        const V *t = triads + line;
        V split = here & majority(t[0], t[1], t[2]);
        V first = split & t[0], second = both_minus(split, t[1], t[0]);
        no[line] = t[0] & ~first, no[line + 1] = t[1] & ~second, no[line + 2] = t[2];
        yes[line] = t[0], yes[line + 1] = t[1] & ~first;
        yes[line + 2] = minus_any(t[2], first, second);
        here &= ~split;
    }
}

/* Split the stuck lanes in which no triad had to be struck: the first half replaces the state, the
 * second goes to `second`. Returns the lanes that were split; the others are the same in both. */
static V branch_classic(Classic *s, V *alive, V *second, V stuck)
{
    Branch b;
    find_triads(&b, alive);
    fit_triads(&b);
    s->conflict |= b.conflict;
    stuck = minus_any(stuck, b.struck, b.conflict);
    choose_band(&b);
    choose_digit(&b);
    for (int d = 0; d < 9; d++) {
        V yes[TRIADS9], no[TRIADS9];
        for (int band = 0; band < 6; band++) {
            V here = all3(stuck, b.digit[d], b.band[band]);
            split_band(b.triads[d] + 9 * band, here, yes + 9 * band, no + 9 * band);
        }
        for (int box = 0; box < 9; box++) {
            const V *yes_row = yes + box_rows(box), *yes_column = yes + box_columns(box);
            const V *no_row = no + box_rows(box), *no_column = no + box_columns(box);
            int first = CELLS9 * d + box_cells(box);
            UNROLL for (int k = 0; k < 9; k++) {
                int i = first + k / 3 * 9 + k % 3;
                V x = alive[i];
                alive[i] = all3(x, yes_row[k / 3 * 3], yes_column[k % 3 * 3]);
                second[i] = all3(x, no_row[k / 3 * 3], no_column[k % 3 * 3]);
            }
        }
    }
    return stuck;
}
