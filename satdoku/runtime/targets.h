/* Functions for other instructions than those that every processor of its kind has.
 *
 * Invariant: between BEGIN_TARGET(FEATURES) and END_TARGET stands no header of the system. Without
 * FEATURES they do nothing. */
#ifndef SATDOKU_TARGETS_H
#define SATDOKU_TARGETS_H

#define AVX2_FEATURES "avx2,bmi,bmi2,popcnt"
#define AVX512_FEATURES "avx512f,avx512bw,avx512vl,avx512dq,bmi,bmi2,popcnt"

#define PRAGMA(text) _Pragma(#text)
#ifndef FEATURES
#define BEGIN_TARGET(features)
#define END_TARGET
#elif defined(__clang__)
#define BEGIN_TARGET(features) \
    PRAGMA(clang attribute push(__attribute__((target(features))), apply_to = function))
#define END_TARGET PRAGMA(clang attribute pop)
#else
#define BEGIN_TARGET(features) PRAGMA(GCC push_options) PRAGMA(GCC target(features))
#define END_TARGET PRAGMA(GCC pop_options)
#endif

#endif
