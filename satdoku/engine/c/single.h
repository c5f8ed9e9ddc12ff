/* Search for one classic puzzle: the bits of a vector are cells, not lanes, which would stay empty.
 *
 * Invariant: sweeps reach the fixpoint of those of classic.h. A vector holds two digits. Of each the
 * 27 cells of a band are the bits of one number, 9 * row + column; the fourth number is 0 or means
 * nothing. A triad of a row is the bit of its first cell, one of a column the bit of its first cell
 * in the band. */
#if HAS_VECTORS

typedef uint32_t Planes __attribute__((vector_size(32)));

enum { NODES_UNWATCHED = 256 }; /* take less than a millisecond */
enum { PAIRS_OF_PLANES = 5, LAST_DIGIT = 8 }; /* the last digit stands in both halves of its pair */
enum { BAND9 = (1 << 27) - 1, ROW_TRIADS = 0x1249249, COLUMN_TRIADS = 0x1FF, STACKS = 0x49 };

/* What is left to try: the candidates, and the cells with two or more when the last sweep ended. */
typedef struct {
    union {
        Planes pair[PAIRS_OF_PLANES];
        uint32_t band[2 * PAIRS_OF_PLANES][4];
    };
    Planes twos;
} Cells;

/* Bands 1, 2 and 0 of both digits, or 2, 0 and 1. */
#if defined(__clang__) || __GNUC__ >= 12
#define BANDS_AT(x, ...) __builtin_shufflevector(x, x, __VA_ARGS__)
#else
#define BANDS_AT(x, ...) __builtin_shuffle(x, (Planes){__VA_ARGS__})
#endif
#define NEXT_BAND(x) BANDS_AT(x, 1, 2, 0, 3, 5, 6, 4, 7)
#define LAST_BAND(x) BANDS_AT(x, 2, 0, 1, 3, 6, 4, 5, 7)
#define OTHER_DIGIT(x) BANDS_AT(x, 4, 5, 6, 7, 0, 1, 2, 3)

INLINE int any_bit(Planes x)
{
    x |= OTHER_DIGIT(x);
    return (x[0] | x[1] | x[2]) != 0;
}

/* From the bits of the first of three cells to all three; of the first row of a band to its rows. */
INLINE Planes along_row(Planes x) { return (x << 3) - x; }
INLINE Planes along_column(Planes x) { return x | x << 9 | x << 18; }
INLINE Planes fold_row(Planes x) { return x | x >> 1 | x >> 2; }
INLINE Planes fold_column(Planes x) { return x | x >> 9 | x >> 18; }

/* Triads of rows, those of the next box in place of each; triads of columns, of the next column. */
INLINE Planes next_box(Planes x) { return (x >> 3 & 0x0241209) | (x << 6 & 0x1008040); }
INLINE Planes last_box(Planes x) { return (x >> 6 & 0x0040201) | (x << 3 & 0x1209048); }
INLINE Planes next_column(Planes x) { return (x >> 1 & 0xDB) | (x << 2 & 0x124); }
INLINE Planes last_column(Planes x) { return (x >> 2 & 0x49) | (x << 1 & 0x1B6); }

/* Those whose opposite minor has a permanent that is not zero. */
INLINE Planes settle_rows(Planes x)
{
    Planes p = next_box(x), q = last_box(x);
    return x & (((p >> 9 | p << 18) & (q >> 18 | q << 9)) | ((q >> 9 | q << 18) & (p >> 18 | p << 9)));
}

INLINE Planes settle_columns(Planes x)
{
    Planes p = next_column(x), q = last_column(x);
    return x & ((NEXT_BAND(p) & LAST_BAND(q)) | (NEXT_BAND(q) & LAST_BAND(p)));
}

INLINE Planes two_of(Planes a, Planes b, Planes c) { return (a & b) | (c & (a | b)); }

INLINE Planes row_triads(Planes x) { return fold_row(x) & ROW_TRIADS; }
INLINE Planes column_triads(Planes x) { return fold_column(x) & COLUMN_TRIADS; }

/* What a sweep finds out; `taken`: the last place of a digit in its box. */
typedef struct {
    Planes changed, conflict, taken;
} Swept;

/* Returns what two digits claim. */
INLINE Planes sweep_pair(Planes *pair, Planes twos, Swept *s)
{
    Planes x = *pair & ~s->taken, decided = x & ~twos;
    Planes placed = along_column(along_row(fold_row(fold_column(decided)) & STACKS));
    x &= decided | ~placed;
    Planes rows = row_triads(x), settled = settle_rows(rows);
    x &= along_row(settled);
    s->changed |= rows & ~settled;
    s->conflict |= (Planes)(settled == 0);
    Planes columns = column_triads(x);
    settled = settle_columns(columns);
    x &= along_column(settled);
    s->changed |= columns & ~settled;
    s->conflict |= (fold_row(settled) & STACKS) ^ STACKS;
    rows = row_triads(x);
    Planes many = two_of(rows, rows >> 9, rows >> 18) | two_of(settled, settled >> 1, settled >> 2);
    many = along_column(along_row(many & STACKS));
    s->conflict |= many & placed;
    *pair = x;
    return x & ~many;
}

/* Four digits, which see what each other claims only behind their sweep: a processor does both halves
 * at once then. */
INLINE void sweep_pairs(Planes *pair, Planes twos, Swept *s)
{
    Planes a = sweep_pair(pair, twos, s), b = sweep_pair(pair + 1, twos, s);
    Planes c = OTHER_DIGIT(a), d = OTHER_DIGIT(b);
    pair[0] &= ~(c | b | d);
    pair[1] &= ~(a | c | d);
    s->taken |= a | b | c | d;
}

/* One sweep. Returns 0 if there is a conflict; `left`: the cells with two candidates or more; `more`:
 * whether the next sweep may find something. */
static int sweep_cells(Cells *c, int downwards, Planes *left, int *more)
{
    Planes twos = c->twos, one = {0}, two = {0}, last;
    Swept s = {{0}, {0}, {0}};
    if (downwards) s.taken |= sweep_pair(c->pair + 4, twos, &s);
    sweep_pairs(c->pair + (downwards ? 2 : 0), twos, &s);
    sweep_pairs(c->pair + (downwards ? 0 : 2), twos, &s);
    if (!downwards) s.taken |= sweep_pair(c->pair + 4, twos, &s);
    UNROLL for (int i = 0; i < PAIRS_OF_PLANES - 1; i++) {
        two |= one & c->pair[i];
        one |= c->pair[i];
    }
    last = c->pair[PAIRS_OF_PLANES - 1];
    two |= OTHER_DIGIT(two) | (one & OTHER_DIGIT(one));
    one |= OTHER_DIGIT(one);
    two |= one & last;
    one |= last;
    *left = two;
    two &= ~s.taken;
    *more = any_bit(s.changed | (twos & ~two));
    c->twos = two;
    return !any_bit(s.conflict | (one ^ BAND9));
}

/* Live triads: of a digit's rows in the first half, of its columns in the second. */
typedef struct {
    Planes live[9];
} Triads;

static const Planes IN_COLUMNS = {0, 0, 0, 0, ~0u, ~0u, ~0u, ~0u};
static const Planes TRIADS = {ROW_TRIADS,    ROW_TRIADS,    ROW_TRIADS,    0,
                              COLUMN_TRIADS, COLUMN_TRIADS, COLUMN_TRIADS, 0};

/* The triads with which these share a line: the other two of each. */
INLINE Planes mates(Planes x)
{
    Planes columns = (NEXT_BAND(x) | LAST_BAND(x)) & IN_COLUMNS;
    return columns | ((next_box(x) | last_box(x)) & ~IN_COLUMNS);
}

/* The live triads of a digit, which stands in both halves; and their cells. */
INLINE Planes triads_of(Planes x)
{
    return ((fold_row(x) & ~IN_COLUMNS) | (fold_column(x) & IN_COLUMNS)) & TRIADS;
}

INLINE Planes cells_of(Planes x)
{
    x = (along_row(x) & ~IN_COLUMNS) | (along_column(x) & IN_COLUMNS);
    return x & OTHER_DIGIT(x);
}

/* A digit in both halves. */
INLINE Planes both_halves(const Cells *c, int d)
{
    Planes x = c->pair[d / 2];
    return d % 2 ? BANDS_AT(x, 4, 5, 6, 7, 4, 5, 6, 7) : BANDS_AT(x, 0, 1, 2, 3, 0, 1, 2, 3);
}

/* How many of nine are set, less than three, three or more: `three`, and `four` for more than three. */
INLINE void count_threes(const Planes *x, Planes *three, Planes *four)
{
    Planes n[4] = {{0}};
    for (int d = 0; d < 9; d++) {
        n[3] |= n[2] & x[d];
        n[2] |= n[1] & x[d];
        n[1] |= n[0] & x[d];
        n[0] |= x[d];
    }
    *three = n[2], *four = n[3];
}

/* A triad is true of three digits, as fit_triad has it. Returns 0 if there is a conflict; `struck`:
 * whether a triad was struck. */
static int fit_cells(Triads *t, int *struck)
{
    Planes decided[9], enough, several, full, over, gone = {0};
    for (int d = 0; d < 9; d++) decided[d] = t->live[d] & ~mates(t->live[d]);
    count_threes(t->live, &enough, &several);
    count_threes(decided, &full, &over);
    Planes tight = enough & ~several;
    for (int d = 0; d < 9; d++) {
        Planes strike = (full & ~decided[d]) | mates(tight & t->live[d]);
        gone |= t->live[d] & strike;
        t->live[d] &= ~strike;
    }
    *struck = any_bit(gone);
    return !any_bit(over | (TRIADS & ~enough));
}

/* The triads of a band of rows, or of a stack of columns (3 to 5), as nine bits, line by line. */
INLINE unsigned band_triads(const Triads *t, int d, int band)
{
    Planes x = t->live[d];
    if (band < 3) return x[band];
    uint32_t columns = x[4] | x[5] << 9 | x[6] << 18;
    return columns >> 3 * (band - 3) & 0x1C0E07;
}

/* Strike the cells of such triads of a digit. */
static void strike_triads(Cells *c, int d, int band, uint32_t triads)
{
    uint32_t strike[3] = {0};
    if (band < 3) strike[band] = 7 * triads;
    else
        for (int b = 0; b < 3; b++)
            strike[b] = (triads >> 9 * b & 7) << 3 * (band - 3) & COLUMN_TRIADS;
    for (int b = 0; b < 3; b++) {
        if (band >= 3) strike[b] |= strike[b] << 9 | strike[b] << 18;
        c->band[d][b] &= ~strike[b];
        if (d == LAST_DIGIT) c->band[d + 1][b] &= ~strike[b];
    }
}

/* Branch as branch_classic does: the second half lies before the first. */
static void split_cells(Cells *c, const Triads *t)
{
    uint8_t number[9][6];
    int total[6] = {0}, band = 0, digit = 0, line = 0;
    for (int d = 0; d < 9; d++)
        for (int b = 0; b < 6; b++) {
            number[d][b] = (uint8_t)__builtin_popcount(band_triads(t, d, b));
            total[b] += number[d][b];
        }
    for (int b = 1; b < 6; b++)
        if (total[b] > 27 && (total[b] < total[band] || total[band] == 27)) band = b;
    for (int d = 1; d < 9; d++)
        if (number[d][band] > 3
            && (number[d][band] < number[digit][band] || number[digit][band] == 3))
            digit = d;
    uint32_t triads = band_triads(t, digit, band), here = 0;
    for (; line < 3 && !(here & (here - 1)); line++)
        here = triads & (band < 3 ? (uint32_t)STACKS << 9 * line : (uint32_t)0x40201 << line);
    c[1] = c[0];
    strike_triads(c, digit, band, here & (~here + 1));
    strike_triads(c + 1, digit, band, here & (here - 1));
}

/* Digits or marks as candidates; 0 if a digit is too large. */
static int load_cells(const satdoku_job *job, int64_t puzzle, Cells *c)
{
    int columns = job->marks ? 9 : 1; /* of a cell */
    uint32_t known[3] = {0}, place[9][3] = {{0}};
    const uint8_t *bytes = job->puzzles + puzzle * CELLS9 * columns;
    for (int cell = 0; cell < CELLS9; cell++, bytes += columns) {
        uint32_t bit = (uint32_t)1 << cell % 27;
        if (job->marks || *bytes) known[cell / 27] |= bit;
        if (!job->marks && *bytes > 9) return 0;
        if (!job->marks && *bytes) place[*bytes - 1][cell / 27] |= bit;
        for (int d = 0; job->marks && d < 9; d++)
            if (bytes[d]) place[d][cell / 27] |= bit;
    }
    memset(c, 0, sizeof *c);
    for (int d = 0; d < 2 * PAIRS_OF_PLANES; d++)
        for (int b = 0; b < 3; b++)
            c->band[d][b] = (BAND9 & ~known[b]) | place[d < LAST_DIGIT ? d : LAST_DIGIT][b];
    c->twos = ~(Planes){0};
    return 1;
}

static void write_cells(const Cells *c, uint8_t *digits)
{
    for (int d = 0; d < 9; d++)
        for (int b = 0; b < 3; b++)
            for (uint32_t left = c->band[d][b]; left; left &= left - 1)
                digits[27 * b + __builtin_ctz(left)] = (uint8_t)(d + 1);
}

/* Propagate a node. Returns 0 if it is broken; `open`: whether it has to be split, on these triads. */
static int settle_cells(Cells *c, int *open, Triads *t)
{
    Planes left;
    int more, downwards = 0, struck;
    do {
        do {
            if (!sweep_cells(c, downwards, &left, &more)) return 0;
            downwards = !downwards;
        } while (more);
        *open = any_bit(left);
        if (!*open) return 1;
        for (int d = 0; d < 9; d++) t->live[d] = triads_of(both_halves(c, d));
        if (!fit_cells(t, &struck)) return 0;
        for (int d = 0; struck && d < 9; d += 2)
            c->pair[d / 2] &= (cells_of(t->live[d]) & ~IN_COLUMNS)
                              | (cells_of(t->live[d | (d < LAST_DIGIT)]) & IN_COLUMNS);
    } while (struck);
    return 1;
}

/* Search until the puzzle is answered or may cost no more. */
static void solve_single(const satdoku_job *job, int64_t puzzle)
{
    Cells stack[DEPTH9 + 1], *c = stack;
    Triads triads;
    if (!load_cells(job, puzzle, c)) {
        job->status[puzzle] = SATDOKU_INVALID;
        return;
    }
    while (c >= stack && !closed(job, puzzle) && afford(job, puzzle)) {
        int open;
        if (job->nodes[puzzle] % NODES_UNWATCHED == 0 && is_ended(job)) return;
        if (!settle_cells(c, &open, &triads)) c--;
        else if (open && c == stack + DEPTH9) job->status[puzzle] = SATDOKU_UNKNOWN;
        else if (open) split_cells(c++, &triads);
        else {
            uint8_t *digits = count_solution(job, puzzle, CELLS9);
            if (digits) write_cells(c, digits);
            c--;
        }
    }
}

/* Whether puzzles are so few that one after the other they take less than a block of lanes. */
static int are_singles(const satdoku_plan *plan, const satdoku_job *job)
{
    return plan->classic && !plan->groups.lists && !job->grids && job->count <= SINGLES;
}
#endif
