/* What vectors the processor has, and the system lets programs use.
 *
 * `__builtin_cpu_supports` knows it too, but asks a library that clang on Windows does not link. */
#ifndef SATDOKU_PROCESSOR_H
#define SATDOKU_PROCESSOR_H

#include <cpuid.h>

enum { POPCNT = 1 << 23, OSXSAVE = 1 << 27 };              /* leaf 1, ecx */
enum { BMI = 1 << 3, AVX2 = 1 << 5, BMI2 = 1 << 8 };       /* leaf 7, ebx, and: */
#define AVX512_ALL (1u << 16 | 1u << 17 | 1u << 30 | 1u << 31) /* F, DQ, BW, VL */
enum { STATE_256 = 0x06, STATE_512 = 0xE6 };               /* registers that the system saves */

/* Whether all these bits of leaf 7 are set, and the system saves these registers. */
static inline int has_features(unsigned bits, unsigned state)
{
    unsigned a, b, c, d, low, high;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & POPCNT) || !(c & OSXSAVE)) return 0;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & state) != state || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) return 0;
    return (b & bits) == bits;
}

/* Family 19h of AMD: Zen 3 and Zen 4. */
static inline int is_family_19h(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(0, &a, &b, &c, &d) || b != 0x68747541 || d != 0x69746E65 || c != 0x444D4163)
        return 0; /* not AuthenticAMD */
    return __get_cpuid(1, &a, &b, &c, &d) && (a >> 8 & 0xF) + (a >> 20 & 0xFF) == 0x19;
}

#endif
