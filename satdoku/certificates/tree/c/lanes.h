/* The first propagation of many puzzles at once: a lane for each.
 *
 * Law: a state keeps its models, and `planes_propagate` ends with it as it would have ended before.
 * Included once for each target; expects LANES. */

/* A bit for each lane. */
typedef uint64_t lanes __attribute__((vector_size(LANES / 8)));

enum { WORDS = LANES / 64, FEW = LANES / 16 };

/* What is known of the candidates, digit by digit and place by place. */
typedef struct {
    lanes left[SIDE * PLACES]; /* may be true */
    lanes sure[SIDE * PLACES]; /* true: the last one left of some clause */
    lanes dead;                /* a clause has no literal left */
    lanes changed;             /* something has been found in this pass */
} pass;

/* A square of 64 x 64 bits for each word, mirrored at its diagonal. */
static void transpose(lanes *rows)
{
    uint64_t low = 0xFFFFFFFF;
    for (int s = 32; s; s >>= 1, low ^= low << s)
        for (int k = 0; k < 64; k = ((k | s) + 1) & ~s) {
            const lanes differ = (rows[k] >> s ^ rows[k | s]) & low;
            rows[k] ^= differ << s;
            rows[k | s] ^= differ;
        }
}

static void read_states(pass *p, const planes_state *states, size_t count)
{
    memset(p, 0, sizeof *p);
    for (uint32_t block = 0; block < SIDE * 2; block++) {
        lanes *const rows = p->left + 64 * block;
        for (size_t i = 0; i < count; i++)
            rows[i % 64][i / 64] = states[i].left[block / 2][block % 2];
        transpose(rows);
    }
    for (size_t i = count; i < LANES; i++) p->dead[i / 64] |= (uint64_t)1 << i % 64;
}

/* A clause of nine literals that exclude each other, so far apart from the first: a true one strikes
 * the others; the last one left is true. */
INLINE void visit(pass *p, uint32_t first, const uint16_t *literals)
{
    lanes left[SIDE], sure[SIDE], struck = {0}, clash = {0}, one = {0}, two = {0}, changed = p->changed;
    for (uint32_t i = 0; i < SIDE; i++) {
        sure[i] = p->sure[first + literals[i]];
        clash |= struck & sure[i];
        struck |= sure[i];
    }
    for (uint32_t i = 0; i < SIDE; i++) {
        const lanes before = p->left[first + literals[i]];
        left[i] = before & (sure[i] | ~struck);
        changed |= before ^ left[i];
        two |= one & left[i];
        one |= left[i];
    }
    p->dead |= clash | ~one;
    for (uint32_t i = 0; i < SIDE; i++) {
        const lanes after = sure[i] | (left[i] & one & ~two);
        changed |= sure[i] ^ after;
        p->left[first + literals[i]] = left[i];
        p->sure[first + literals[i]] = after;
    }
    p->changed = changed;
}

/* One pass over all clauses of cells, rows, columns and boxes. */
static void sweep(pass *p, const tree_planes *planes)
{
    static const uint16_t digits[SIDE] = {0,          PLACES,     2 * PLACES, 3 * PLACES, 4 * PLACES,
                                          5 * PLACES, 6 * PLACES, 7 * PLACES, 8 * PLACES};
    p->changed = (lanes){0};
    for (uint32_t row = 0; row < SIDE; row++)
        for (uint32_t i = 0; i < SIDE; i++) visit(p, planes->house[row][i], digits);
    for (uint32_t digit = 0; digit < SIDE; digit++)
        for (uint32_t house = 0; house < HOUSES; house++) visit(p, digit * PLACES, planes->house[house]);
    p->changed &= ~p->dead;
}

static uint32_t changing(const pass *p)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < WORDS; i++) sum += (uint32_t)__builtin_popcountll(p->changed[i]);
    return sum;
}

/* A dead lane keeps no candidate. Of one that still changes nobody knows what has been struck. */
static void write_states(pass *p, planes_state *states, size_t count)
{
    for (uint32_t block = 0; block < SIDE * 2; block++) {
        lanes *const rows = p->left + 64 * block;
        for (uint32_t i = 0; i < 64; i++) rows[i] &= ~p->dead;
        transpose(rows);
        for (size_t i = 0; i < count; i++)
            states[i].left[block / 2][block % 2] = rows[i % 64][i / 64];
    }
    for (size_t i = 0; i < count; i++)
        if (!(p->changed[i / 64] >> i % 64 & 1)) planes_settled(states + i);
}

/* States of which nothing is known yet, at most LANES. Only under the classic rules: other peers and
 * clauses are left out. */
static void lanes_propagate(const tree_planes *planes, pass *p, planes_state *states, size_t count)
{
    read_states(p, states, count);
    do sweep(p, planes);
    while (changing(p) > FEW);
    write_states(p, states, count);
}
