/* The codec of 9x9 grids, 64 cells at a time.
 *
 * Invariant: the same nodes as codec.h makes. Only two things depend on the target: how 64 bytes are
 * compared with a digit, and how 64 bytes are chosen by a mask.
 */

/* Bit i: bytes[i] is the digit. */
INLINE uint64_t match64(const uint8_t *bytes, int digit)
{
#if AVX512
    return _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(bytes), _mm512_set1_epi8((char)digit));
#elif X86
    uint64_t mask = 0;
    for (int i = 0; i < 64; i += 16) {
        __m128i here = _mm_loadu_si128((const __m128i *)(bytes + i));
        __m128i equal = _mm_cmpeq_epi8(here, _mm_set1_epi8((char)digit));
        mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(equal) << i;
    }
    return mask;
#else
    uint64_t mask = 0;
    for (int i = 0; i < 64; i += 8) {
        uint64_t word;
        memcpy(&word, bytes + i, 8);
        word ^= (uint64_t)digit * ONE_EACH; /* zero where equal */
        word |= (word & 0x7F * ONE_EACH) + 0x7F * ONE_EACH; /* top bit set where not zero */
        word = ~word >> 7 & ONE_EACH;
        mask |= (word * 0x0102040810204080) >> 56 << i;
    }
    return mask;
#endif
}

/* Write the digits of `cells` cells, at most 64: cell i holds d + 1 if bit i of digit[d] is set. */
INLINE void write64(uint8_t *digits, const uint64_t *digit, int cells)
{
#if AVX512
    __m512i bytes = _mm512_setzero_si512();
    UNROLL for (int d = 0; d < 9; d++)
        bytes = _mm512_mask_blend_epi8(digit[d], bytes, _mm512_set1_epi8((char)(d + 1)));
    _mm512_mask_storeu_epi8(digits, ~(uint64_t)0 >> (64 - cells), bytes);
#else
    const uint64_t *d = digit - 1;
    uint64_t code[] = {d[1] | d[3] | d[5] | d[7] | d[9], d[2] | d[3] | d[6] | d[7],
                       d[4] | d[5] | d[6] | d[7], d[8] | d[9]};
    for (int i = 0; i < cells; i += 8) {
        uint64_t bytes = spread(code[0] >> i) | spread(code[1] >> i) << 1
                         | spread(code[2] >> i) << 2 | spread(code[3] >> i) << 3;
        memcpy(digits + i, &bytes, cells - i < 8 ? (size_t)(cells - i) : 8);
    }
#endif
}

/* Digits to a node; 0 if a digit is too large. The last 17 cells are compared as part of the last 64
 * bytes, so that nothing beyond the grid is read. */
static int encode9(const uint8_t *digits, uint64_t *node)
{
    uint64_t low[10], high[10], any_low = 0, any_high = 0;
    UNROLL for (int d = 0; d <= 9; d++) {
        any_low |= low[d] = match64(digits, d);
        any_high |= high[d] = match64(digits + LAST_CELLS, d) >> (64 - LAST_CELLS);
    }
    uint64_t out[WORDS9 + 1] = {0}; /* stays in registers, as every index is known */
    UNROLL for (int d = 0; d < 9; d++) {
        int w = CELLS9 * d / 64, shift = CELLS9 * d % 64;
        uint64_t may_low = low[0] | low[d + 1], may_high = high[0] | high[d + 1];
        out[w] |= may_low << shift;
        out[w + 1] |= may_high << shift | may_low >> 1 >> (63 - shift);
        if (shift + CELLS9 > 128) out[w + 2] |= may_high >> 1 >> (63 - shift);
    }
    UNROLL for (int w = 0; w < WORDS9; w++) node[w] = out[w];
    return !~any_low && any_high == ((uint64_t)1 << LAST_CELLS) - 1;
}

static void decode9(const uint64_t *node, uint8_t *digits)
{
    uint64_t low[9], high[9];
    UNROLL for (int d = 0; d < 9; d++) {
        int w = CELLS9 * d / 64, shift = CELLS9 * d % 64;
        low[d] = node[w] >> shift | node[w + 1] << 1 << (63 - shift);
        high[d] = node[w + 1] >> shift;
        if (shift + CELLS9 > 128) high[d] |= node[w + 2] << 1 << (63 - shift);
        high[d] &= ((uint64_t)1 << LAST_CELLS) - 1;
    }
    write64(digits, low, 64);
    write64(digits + 64, high, LAST_CELLS);
}
