/* The codec of 9x9 grids, 64 cells at a time.
 *
 * Invariant: between bytes and nodes stands a code, the digits as binary numbers in six words: bit i
 * of word k is bit k of the digit in cell i, and the last 17 cells share two words, 32 bits for each
 * bit of the digit. Codes of many lanes are transposed as nodes are, at half the cost, and become
 * candidates in vectors. Only two things depend on the target: how 64 bytes are read, and how they are
 * written. */

/* Of 64 bytes, bit i of code[k] is bit k of bytes[i]. Returns 0 if no byte has a higher bit. */
INLINE int slice64(const uint8_t *bytes, uint64_t *code)
{
#if AVX512
    __m512i all = _mm512_loadu_si512(bytes);
    UNROLL for (int k = 0; k < DIGIT_BITS; k++)
        code[k] = _mm512_test_epi8_mask(all, _mm512_set1_epi8((char)(1 << k)));
    return _mm512_test_epi8_mask(all, _mm512_set1_epi8((char)0xF0)) != 0;
#elif X86 && LANES == 256
    __m256i low = _mm256_loadu_si256((const __m256i *)bytes);
    __m256i high = _mm256_loadu_si256((const __m256i *)(bytes + 32));
    UNROLL for (int k = 0; k < DIGIT_BITS; k++) /* the top bits of bytes */
        code[k] = (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(low, 7 - k))
                  | (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_slli_epi16(high, 7 - k)) << 32;
    return !_mm256_testz_si256(_mm256_or_si256(low, high), _mm256_set1_epi8((char)0xF0));
#elif X86
    __m128i any = _mm_setzero_si128();
    memset(code, 0, DIGIT_BITS * sizeof *code);
    UNROLL for (int i = 0; i < 64; i += 16) {
        __m128i here = _mm_loadu_si128((const __m128i *)(bytes + i));
        any = _mm_or_si128(any, here);
        UNROLL for (int k = 0; k < DIGIT_BITS; k++)
            code[k] |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_slli_epi16(here, 7 - k)) << i;
    }
    return (_mm_movemask_epi8(any) | _mm_movemask_epi8(_mm_slli_epi16(any, 1))
            | _mm_movemask_epi8(_mm_slli_epi16(any, 2)) | _mm_movemask_epi8(_mm_slli_epi16(any, 3)));
#elif WASM
    v128_t any = wasm_i8x16_const_splat(0);
    memset(code, 0, DIGIT_BITS * sizeof *code);
    UNROLL for (int i = 0; i < 64; i += 16) {
        v128_t here = wasm_v128_load(bytes + i);
        any = wasm_v128_or(any, here);
        UNROLL for (int k = 0; k < DIGIT_BITS; k++)
            code[k] |= (uint64_t)wasm_i8x16_bitmask(wasm_i16x8_shl(here, 7 - k)) << i;
    }
    return wasm_v128_any_true(wasm_v128_and(any, wasm_u8x16_const_splat(0xF0)));
#else
    uint64_t any = 0;
    memset(code, 0, DIGIT_BITS * sizeof *code);
    for (int i = 0; i < 64; i += 8) {
        uint64_t word;
        memcpy(&word, bytes + i, 8);
        any |= word;
        UNROLL for (int k = 0; k < DIGIT_BITS; k++)
            code[k] |= ((word >> k & ONE_EACH) * 0x0102040810204080) >> 56 << i;
    }
    return (any & 0xF0 * ONE_EACH) != 0;
#endif
}

/* Write the digits of `cells` cells, at most 64: bit i of code[k] is bit k of the digit in cell i. */
INLINE void write64(uint8_t *digits, const uint64_t *code, int cells)
{
#if AVX512
    __m512i bytes = _mm512_setzero_si512();
    UNROLL for (int k = 0; k < DIGIT_BITS; k++) {
        __m512i bit = _mm512_maskz_mov_epi8(code[k], _mm512_set1_epi8((char)(1 << k)));
        bytes = _mm512_or_si512(bytes, bit);
    }
    _mm512_mask_storeu_epi8(digits, ~(uint64_t)0 >> (64 - cells), bytes);
#elif X86 && LANES == 256
    const __m256i own = _mm256_set1_epi64x((int64_t)0x8040201008040201); /* byte i of eight keeps bit i */
    const __m256i from = _mm256_setr_epi64x(0, (int64_t)ONE_EACH, 2 * (int64_t)ONE_EACH,
                                              3 * (int64_t)ONE_EACH);
    UNROLL for (int i = 0; i < cells; i += 32) {
        __m256i bytes = _mm256_setzero_si256();
        UNROLL for (int k = DIGIT_BITS - 1; k >= 0; k--) {
            __m256i bits = _mm256_shuffle_epi8(_mm256_set1_epi32((int)(code[k] >> i)), from);
            __m256i ones = _mm256_cmpeq_epi8(_mm256_and_si256(bits, own), own); /* -1 where it is set */
            bytes = _mm256_sub_epi8(_mm256_add_epi8(bytes, bytes), ones);
        }
        memcpy(digits + i, &bytes, cells - i < 32 ? (size_t)(cells - i) : 32);
    }
#elif WASM
    const v128_t own = wasm_i64x2_const_splat((int64_t)0x8040201008040201); /* byte i of eight keeps bit i */
    UNROLL for (int i = 0; i < cells; i += 16) {
        v128_t bytes = wasm_i8x16_const_splat(0);
        UNROLL for (int k = DIGIT_BITS - 1; k >= 0; k--) {
            v128_t two = wasm_i16x8_splat((int16_t)(code[k] >> i));
            v128_t bits = wasm_i8x16_shuffle(two, two, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
            v128_t ones = wasm_i8x16_eq(wasm_v128_and(bits, own), own); /* -1 where it is set */
            bytes = wasm_i8x16_sub(wasm_i8x16_add(bytes, bytes), ones);
        }
        memcpy(digits + i, &bytes, cells - i < 16 ? (size_t)(cells - i) : 16);
    }
#else
    for (int i = 0; i < cells; i += 8) {
        uint64_t bytes = spread(code[0] >> i) | spread(code[1] >> i) << 1
                         | spread(code[2] >> i) << 2 | spread(code[3] >> i) << 3;
        memcpy(digits + i, &bytes, cells - i < 8 ? (size_t)(cells - i) : 8);
    }
#endif
}

/* Where bit k of a digit stands among the bits of a code. */
INLINE int code_row(int cell, int k) { return cell < 64 ? 64 * k + cell : 192 + 32 * k + cell; }

/* The bits of the last cells' digits. */
INLINE void last_codes(const uint64_t *code, uint64_t *last)
{
    UNROLL for (int k = 0; k < DIGIT_BITS; k++)
        last[k] = code[4 + k / 2] >> k % 2 * 32 & LAST_MASK;
}

/* Digits to a code; 0 if a digit is too large. The last 17 cells are read as part of the last 64
 * bytes, so that nothing beyond the grid is. */
static int encode9(const uint8_t *digits, uint64_t *code)
{
    uint64_t first[DIGIT_BITS], last[DIGIT_BITS];
    int large = slice64(digits, first) | slice64(digits + LAST_CELLS, last);
    UNROLL for (int k = 0; k < DIGIT_BITS; k++) {
        code[k] = first[k];
        last[k] >>= 64 - LAST_CELLS;
    }
    code[4] = last[0] | last[1] << 32;
    code[5] = last[2] | last[3] << 32;
    return !(large || (code[3] & (code[1] | code[2])) || (last[3] & (last[1] | last[2])));
}

static void decode9(const uint64_t *code, uint8_t *digits)
{
    uint64_t last[DIGIT_BITS];
    last_codes(code, last);
    write64(digits, code, 64);
    write64(digits + 64, last, LAST_CELLS);
}

/* What a cell may hold, given the bits of its digit; all if there is none. */
INLINE void expand(const V *bit, V *may)
{
    V empty = ~(or3(bit[0], bit[1], bit[2]) | bit[3]);
    may[0] = empty | (minus_any(bit[0], bit[1], bit[2]) & ~bit[3]);
    may[1] = empty | minus_any(bit[1], bit[0], bit[2]);
    may[2] = empty | both_minus(bit[0], bit[1], bit[2]);
    may[3] = empty | minus_any(bit[2], bit[0], bit[1]);
    may[4] = empty | both_minus(bit[0], bit[2], bit[1]);
    may[5] = empty | both_minus(bit[1], bit[2], bit[0]);
    may[6] = empty | all3(bit[0], bit[1], bit[2]);
    may[7] = add_minus(empty, bit[3], bit[0]);
    may[8] = add_both(empty, bit[3], bit[0]);
}

/* What the cells of a code may hold: of digit d the first 64 in low[d], the last ones in high[d]. They
 * make two words of a vector, if a vector has two. */
INLINE void expand_words(const uint64_t *code, uint64_t *low, uint64_t *high)
{
    uint64_t last[DIGIT_BITS];
    last_codes(code, last);
#if LANES == 64
    expand(code, low);
    expand(last, high);
#else
    V bit[DIGIT_BITS], may[9];
    UNROLL for (int k = 0; k < DIGIT_BITS; k++) bit[k] = (V){code[k], last[k]};
    expand(bit, may);
    UNROLL for (int d = 0; d < 9; d++) low[d] = may[d][0], high[d] = may[d][1];
#endif
}

/* A code to a node. */
static void expand_code(const uint64_t *code, uint64_t *node)
{
    uint64_t all_low[9], all_high[9], out[WORDS9 + 1] = {0}; /* in registers: all indices are known */
    expand_words(code, all_low, all_high);
    UNROLL for (int d = 0; d < 9; d++) {
        int w = CELLS9 * d / 64, shift = CELLS9 * d % 64;
        uint64_t low = all_low[d], high = all_high[d] & LAST_MASK;
        out[w] |= low << shift;
        out[w + 1] |= high << shift | low >> 1 >> (63 - shift);
        if (shift + CELLS9 > 128) out[w + 2] |= high >> 1 >> (63 - shift);
    }
    UNROLL for (int w = 0; w < WORDS9; w++) node[w] = out[w];
}

/* A node with one candidate a cell to a code. */
static void contract_node(const uint64_t *node, uint64_t *code)
{
    uint64_t last[DIGIT_BITS] = {0};
    memset(code, 0, CODES9 * sizeof *code);
    UNROLL for (int d = 0; d < 9; d++) {
        int w = CELLS9 * d / 64, shift = CELLS9 * d % 64;
        uint64_t low = node[w] >> shift | node[w + 1] << 1 << (63 - shift);
        uint64_t high = node[w + 1] >> shift;
        if (shift + CELLS9 > 128) high |= node[w + 2] << 1 << (63 - shift);
        UNROLL for (int k = 0; k < DIGIT_BITS; k++)
            if ((d + 1) >> k & 1) code[k] |= low, last[k] |= high & LAST_MASK;
    }
    code[4] = last[0] | last[1] << 32;
    code[5] = last[2] | last[3] << 32;
}

/* Transposed codes to candidates, for the lanes of `load` only. */
static void expand_lanes(V *alive, const V *rows, V load)
{
    for (int cell = 0; cell < CELLS9; cell++) {
        V bit[DIGIT_BITS], may[9];
        UNROLL for (int k = 0; k < DIGIT_BITS; k++) bit[k] = rows[code_row(cell, k)];
        expand(bit, may);
        UNROLL for (int d = 0; d < 9; d++) {
            V *x = alive + CELLS9 * d + cell;
            *x = choose(load, may[d], *x);
        }
    }
}

/* Candidates to codes that are still to be transposed, right in lanes with one candidate a cell. */
static void contract_lanes(const V *alive, V *rows)
{
    for (int cell = 0; cell < CELLS9; cell++) {
        V x[10];
        UNROLL for (int d = 0; d < 9; d++) x[d + 1] = alive[CELLS9 * d + cell];
        rows[code_row(cell, 0)] = or3(x[1], x[3], x[5]) | x[7] | x[9];
        rows[code_row(cell, 1)] = or3(x[2], x[3], x[6]) | x[7];
        rows[code_row(cell, 2)] = or3(x[4], x[5], x[6]) | x[7];
        rows[code_row(cell, 3)] = x[8] | x[9];
    }
}
