/* What compilers differ in.
 *
 * Invariant: gcc and clang get their own words for it, and vectors. Any other compiler of C11, or one
 * told SATDOKU_PLAIN, gets plain C that means the same: the engine then works on single 64-bit words.
 *
 * Included before anything else that is not of the standard library. */
#ifndef SATDOKU_PORTABLE_H
#define SATDOKU_PORTABLE_H

#include <stdint.h>
#include <stdlib.h>

#if (defined(__GNUC__) || defined(__clang__)) && !defined(SATDOKU_PLAIN)

#define HAS_VECTORS 1
#define INLINE static inline __attribute__((always_inline))

#else

#define HAS_VECTORS 0
#define INLINE static inline

static inline int satdoku_popcount(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (int)(x * UINT64_C(0x0101010101010101) >> 56);
}

/* The number of the lowest bit, and of zeros above the highest one; `x` is not zero. */
static inline int satdoku_ctz(uint64_t x) { return satdoku_popcount((x & (~x + 1)) - 1); }

static inline int satdoku_clz32(uint32_t x)
{
    for (int s = 1; s < 32; s *= 2) x |= x >> s;
    return 32 - satdoku_popcount(x);
}

#define __builtin_popcount(x) satdoku_popcount((unsigned)(x))
#define __builtin_popcountll(x) satdoku_popcount(x)
#define __builtin_ctz(x) satdoku_ctz((unsigned)(x))
#define __builtin_ctzll(x) satdoku_ctz(x)
#define __builtin_clz(x) satdoku_clz32((unsigned)(x))

#endif

/* The bytes of a word in the order of a little-endian machine. Compilers without the macro know
 * none but those. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define LITTLE_ENDIAN_WORD(word) __builtin_bswap64(word)
#else
#define LITTLE_ENDIAN_WORD(word) (word)
#endif

/* Memory for items of `align` bytes each. Windows has its own words for it. */
#if defined(_WIN32)
#include <malloc.h>
#define TAKE_ALIGNED(align, bytes) _aligned_malloc(bytes, align)
#define FREE_ALIGNED(memory) _aligned_free(memory)
#else
#define TAKE_ALIGNED(align, bytes) aligned_alloc(align, bytes)
#define FREE_ALIGNED(memory) free(memory)
#endif

#if HAS_VECTORS && defined(__x86_64__)
#define X86 1
#endif

#if HAS_VECTORS && defined(__wasm_simd128__)
#define WASM 1
#endif

#endif
