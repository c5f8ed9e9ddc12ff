/* Between vectors (a bit per puzzle) and nodes (a bit per candidate).
 *
 * Invariant: 64 vectors are CHUNKS square matrices of 64x64 bits side by side. Transposing them all
 * at once turns 64 candidates of a block into one 64-bit word per lane, in the order of lanes. A
 * buffer is made of vectors of words: CHUNKS neighbouring lanes have their first words in one
 * vector, their second words in the next, and so on, PITCH(words) vectors in all.
 */

/* Exchange the off-diagonal quarters of a 2s x 2s matrix. `low` has the bits whose number has bit s
 * clear. */
INLINE void exchange(V *upper, V *lower, int s, uint64_t low)
{
#if AVX512
    V left = *lower << s, right = *upper >> s;
    *upper = choose((V){0} + low, *upper, left);
    *lower = choose((V){0} + low, right, *lower);
#else
    V differ = (*upper >> s ^ *lower) & low; /* two operations less where `choose` takes three */
    *lower ^= differ;
    *upper ^= differ << s;
#endif
}

/* Three of the six levels, on eight rows in registers: those of 32, 16 and 8 bits, or of 4, 2 and 1. */
INLINE void three_levels(V *x, int least)
{
    static const uint64_t coarse[] = {0x00000000FFFFFFFF, 0x0000FFFF0000FFFF, 0x00FF00FF00FF00FF};
    static const uint64_t fine[] = {0x0F0F0F0F0F0F0F0F, 0x3333333333333333, 0x5555555555555555};
    UNROLL for (int level = 0; level < 3; level++) {
        int s = 4 >> level;
        UNROLL for (int i = 0; i < 8; i++)
            if (!(i & s))
                exchange(&x[i], &x[i + s], s * least, (least == 1 ? fine : coarse)[level]);
    }
}

/* The levels of 32, 16 and 8 bits, which exchange bytes. Instructions that take bytes from two vectors in
 * turn need a third of the operations: they interleave eight rows in three steps, the even words of the
 * vectors apart from the odd ones, and a fourth joins these. */
INLINE void exchange_bytes(V *x)
{
#ifdef INTERLEAVE
    V y[8];
    UNROLL for (int k = 0; k < 8; k += 2) {
        y[k / 2] = INTERLEAVE(lo, 8, x[k], x[k + 1]);
        y[k / 2 + 4] = INTERLEAVE(hi, 8, x[k], x[k + 1]);
    }
    UNROLL for (int k = 0; k < 8; k += 2) {
        x[k] = INTERLEAVE(lo, 16, y[k], y[k + 1]);
        x[k + 1] = INTERLEAVE(hi, 16, y[k], y[k + 1]);
    }
    UNROLL for (int k = 0; k < 8; k++) {
        int i = k / 4 * 4 + k / 2 % 2;
        y[k] = k % 2 ? INTERLEAVE(hi, 32, x[i], x[i + 2]) : INTERLEAVE(lo, 32, x[i], x[i + 2]);
    }
    UNROLL for (int k = 0; k < 4; k++) {
        x[2 * k] = INTERLEAVE(lo, 64, y[k], y[k + 4]);
        x[2 * k + 1] = INTERLEAVE(hi, 64, y[k], y[k + 4]);
    }
#else
    three_levels(x, 8);
#endif
}

/* Transpose 64 rows, `apart` from each other, to rows `step` from each other: these replace the lanes
 * of `load`. */
INLINE void transpose(const V *from, int apart, V *to, int step, V load)
{
    V x[8], work[64];
    for (int i = 0; i < 8; i++) {
        UNROLL for (int k = 0; k < 8; k++) x[k] = from[(i + 8 * k) * apart];
        exchange_bytes(x);
        UNROLL for (int k = 0; k < 8; k++) work[i + 8 * k] = x[k];
    }
    for (int i = 0; i < 64; i += 8) {
        UNROLL for (int k = 0; k < 8; k++) x[k] = work[i + k];
        three_levels(x, 1);
        UNROLL for (int k = 0; k < 8; k++)
            to[(i + k) * step] = choose(load, x[k], to[(i + k) * step]);
    }
}

/* Vectors to nodes. There are 64 * words vectors, the last ones zero. */
static void export_nodes(const V *rows, int words, V *buffer)
{
    int pitch = PITCH(words);
    for (int w = 0; w < words; w++)
        transpose(rows + 64 * w, 1, buffer + w, pitch, ~(V){0});
}

/* Nodes to vectors, for the lanes of `load` only. */
static void import_nodes(V *rows, int words, const V *buffer, V load)
{
    int pitch = PITCH(words);
    for (int w = 0; w < words; w++)
        transpose(buffer + w, pitch, rows + 64 * w, 1, load);
}

/* The first word of a lane in a buffer; the next one is CHUNKS further. */
INLINE uint64_t *lane_words(V *buffer, int words, int lane)
{
    return (uint64_t *)(buffer + lane / CHUNKS * PITCH(words)) + lane % CHUNKS;
}

/* Put a node into a lane of a buffer, and the other way. */
INLINE void put_node(V *buffer, int words, int lane, const uint64_t *node)
{
    uint64_t *to = lane_words(buffer, words, lane);
    for (int w = 0; w < words; w++) to[w * CHUNKS] = node[w];
}

INLINE void get_node(V *buffer, int words, int lane, uint64_t *node)
{
    const uint64_t *from = lane_words(buffer, words, lane);
    for (int w = 0; w < words; w++) node[w] = from[w * CHUNKS];
}
