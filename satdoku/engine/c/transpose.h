/* Between vectors (a bit per puzzle) and nodes (a bit per candidate).
 *
 * Invariant: 64 vectors are CHUNKS square matrices of 64x64 bits side by side. Transposing them all
 * at once turns 64 candidates of a block into one 64-bit word per lane, in the order of lanes. A
 * buffer holds word w of lane k at [w * STRIDE + k].
 */

/* Exchange the off-diagonal quarters of a 2s x 2s matrix. `low` has the bits whose number has bit s
 * clear. */
INLINE void exchange(V *upper, V *lower, int s, V low)
{
    V left = *lower << s, right = *upper >> s;
    *upper = choose(low, *upper, left);
    *lower = choose(low, right, *lower);
}

/* Three of the six levels, for eight rows in registers. The result replaces the lanes of `load`. */
INLINE void three_levels(const V *from, V *to, int step, const uint64_t *low, V load)
{
    V x[8];
    UNROLL for (int i = 0; i < 8; i++) x[i] = from[i * step];
    UNROLL for (int level = 0; level < 3; level++) {
        int s = 4 >> level;
        V mask = (V){0} + low[level];
        UNROLL for (int i = 0; i < 8; i++)
            if (!(i & s)) exchange(&x[i], &x[i + s], s * step, mask);
    }
    UNROLL for (int i = 0; i < 8; i++) to[i * step] = choose(load, x[i], to[i * step]);
}

/* Transpose 64 rows by way of `work`, which may be `from` or `to`. */
INLINE void transpose(const V *from, V *work, V *to, V load)
{
    static const uint64_t coarse[] = {0x00000000FFFFFFFF, 0x0000FFFF0000FFFF, 0x00FF00FF00FF00FF};
    static const uint64_t fine[] = {0x0F0F0F0F0F0F0F0F, 0x3333333333333333, 0x5555555555555555};
    for (int i = 0; i < 8; i++) three_levels(from + i, work + i, 8, coarse, ~(V){0});
    for (int i = 0; i < 64; i += 8) three_levels(work + i, to + i, 1, fine, load);
}

/* Vectors to nodes. There are 64 * words vectors, the last ones zero. */
static void export_nodes(const V *rows, int words, uint64_t *buffer)
{
    for (int w = 0; w < words; w++) {
        V *out = (V *)(buffer + w * STRIDE);
        transpose(rows + 64 * w, out, out, ~(V){0});
    }
}

/* Nodes to vectors, for the lanes of `load` only. This overwrites the buffer. */
static void import_nodes(V *rows, int words, uint64_t *buffer, V load)
{
    for (int w = 0; w < words; w++) {
        V *in = (V *)(buffer + w * STRIDE);
        transpose(in, in, rows + 64 * w, load);
    }
}
