/* The vector type of one target, and logic of three operands.
 *
 * Invariant: plain C says what an operation means. If the processor has vpternlog, the operation is
 * one instruction, given by its truth table. (gcc 12 finds the instruction for some of these
 * expressions only, so it is written out.)
 *
 * Included once for each target; expects LANES, and AVX512 where the processor has it.
 */
#if HAS_VECTORS
typedef uint64_t V __attribute__((vector_size(LANES / 8)));
#else
typedef uint64_t V;
#endif

/* LOGIC is an operation on a, b and c. INTERLEAVE takes parts of so many bits of `a` and `b` in turn, of
 * each sixteen bytes the lower (lo) or the upper (hi) half. */
#undef LOGIC
#undef INTERLEAVE
#if AVX512 && LANES == 512
#define LOGIC(table, plain) \
    ((V)_mm512_ternarylogic_epi64((__m512i)a, (__m512i)b, (__m512i)c, table))
#elif AVX512 && LANES == 128
#define LOGIC(table, plain) \
    ((V)_mm_ternarylogic_epi64((__m128i)a, (__m128i)b, (__m128i)c, table))
#elif AVX512
#define LOGIC(table, plain) \
    ((V)_mm256_ternarylogic_epi64((__m256i)a, (__m256i)b, (__m256i)c, table))
#else
#define LOGIC(table, plain) (plain)
#endif
#if X86 && LANES == 512
#define INTERLEAVE(half, bits, a, b) \
    ((V)_mm512_unpack##half##_epi##bits((__m512i)(a), (__m512i)(b)))
#elif X86 && LANES == 256
#define INTERLEAVE(half, bits, a, b) \
    ((V)_mm256_unpack##half##_epi##bits((__m256i)(a), (__m256i)(b)))
#elif X86 && LANES == 128
#define INTERLEAVE(half, bits, a, b) \
    ((V)_mm_unpack##half##_epi##bits((__m128i)(a), (__m128i)(b)))
#elif WASM
#define INTERLEAVE(half, bits, a, b) INTERLEAVE_##half##bits(a, b)
#define INTERLEAVE_lo8(a, b) \
    ((V)wasm_i8x16_shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23))
#define INTERLEAVE_hi8(a, b) \
    ((V)wasm_i8x16_shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31))
#define INTERLEAVE_lo16(a, b) ((V)wasm_i16x8_shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11))
#define INTERLEAVE_hi16(a, b) ((V)wasm_i16x8_shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15))
#define INTERLEAVE_lo32(a, b) ((V)wasm_i32x4_shuffle(a, b, 0, 4, 1, 5))
#define INTERLEAVE_hi32(a, b) ((V)wasm_i32x4_shuffle(a, b, 2, 6, 3, 7))
#define INTERLEAVE_lo64(a, b) ((V)wasm_i64x2_shuffle(a, b, 0, 2))
#define INTERLEAVE_hi64(a, b) ((V)wasm_i64x2_shuffle(a, b, 1, 3))
#endif

INLINE V or3(V a, V b, V c) { return LOGIC(0xFE, a | b | c); }
INLINE V majority(V a, V b, V c) { return LOGIC(0xE8, (a & b) | (c & (a | b))); }
INLINE V carry3(V a, V b, V c) { return LOGIC(0xE8, (a & b) | (c & (a ^ b))); } /* beside parity */
INLINE V parity(V a, V b, V c) { return LOGIC(0x96, a ^ b ^ c); }
INLINE V add_both(V a, V b, V c) { return LOGIC(0xF8, a | (b & c)); }
INLINE V add_minus(V a, V b, V c) { return LOGIC(0xF4, a | (b & ~c)); }
INLINE V minus_any(V a, V b, V c) { return LOGIC(0x10, a & ~(b | c)); }
INLINE V minus_both(V a, V b, V c) { return LOGIC(0x70, a & ~(b & c)); }
INLINE V both_minus(V a, V b, V c) { return LOGIC(0x40, a & b & ~c); }
INLINE V all3(V a, V b, V c) { return LOGIC(0x80, a & b & c); }
#if WASM
INLINE V choose(V a, V b, V c) { return (V)wasm_v128_bitselect(b, c, a); }
#else
INLINE V choose(V a, V b, V c) { return LOGIC(0xCA, (a & b) | (~a & c)); }
#endif

/* A set of lanes, word by word: lane k is bit k / CHUNKS of word k % CHUNKS, the order in which a
 * transposed block lies in memory. */
typedef union {
    V vector;
    uint64_t word[CHUNKS];
} Lanes;

INLINE int count_lanes(V v)
{
    Lanes lanes = {v};
    int count = 0;
    for (int i = 0; i < CHUNKS; i++) count += __builtin_popcountll(lanes.word[i]);
    return count;
}

INLINE int any_lane(V v)
{
    Lanes lanes = {v};
    uint64_t any = 0;
    for (int i = 0; i < CHUNKS; i++) any |= lanes.word[i];
    return any != 0;
}

INLINE int has_lane(const Lanes *set, int lane)
{
    return set->word[lane % CHUNKS] >> (lane / CHUNKS) & 1;
}

INLINE void add_lane(Lanes *set, int lane)
{
    set->word[lane % CHUNKS] |= (uint64_t)1 << (lane / CHUNKS);
}

INLINE void drop_lane(Lanes *set, int lane)
{
    set->word[lane % CHUNKS] &= ~((uint64_t)1 << (lane / CHUNKS));
}

/* The members in ascending order, which is the order in memory. Returns how many there are; `list`
 * has room for all. */
static int list_lanes(const Lanes *set, int16_t *list)
{
    int count = 0;
    for (int bit = 0; bit < 64; bit++)
        UNROLL for (int chunk = 0; chunk < CHUNKS; chunk++) {
            list[count] = (int16_t)(bit * CHUNKS + chunk); /* the next one overwrites it unless it is a member */
            count += (int)(set->word[chunk] >> bit & 1);
        }
    return count;
}
