/* One body of code, compiled for several vector targets; the caller says which to run. */
#include "kernel.h"

#include <stdlib.h>
#include <string.h>

#include "codec.h"
#include "names.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define X86 1
#endif

#if defined(__clang__)
#define BEGIN_TARGET(features) \
    PRAGMA(clang attribute push(__attribute__((target(features))), apply_to = function))
#define END_TARGET PRAGMA(clang attribute pop)
#else
#define BEGIN_TARGET(features) PRAGMA(GCC push_options) PRAGMA(GCC target(features))
#define END_TARGET PRAGMA(GCC pop_options)
#endif
#define PRAGMA(text) _Pragma(#text)

#if X86
BEGIN_TARGET("avx512f,avx512bw,avx512vl,avx512dq,bmi,bmi2,popcnt")
#define TARGET avx512
#define LANES 512
#include "body.h"
#undef TARGET
#undef LANES
END_TARGET

BEGIN_TARGET("avx2,bmi,bmi2,popcnt")
#define TARGET avx2
#define LANES 256
#include "body.h"
#undef TARGET
#undef LANES
END_TARGET
#endif

#define TARGET baseline
#define LANES 128
#include "body.h"

const char *satdoku_target_name(int target)
{
    static const char *const names[] = {"avx512", "avx2", "baseline"};
    return target >= 0 && target < SATDOKU_TARGETS ? names[target] : "unknown";
}

int satdoku_supported(int target)
{
#if X86
    if (target == SATDOKU_AVX512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
               && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")
               && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    if (target == SATDOKU_AVX2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")
               && __builtin_cpu_supports("popcnt");
#endif
    return target == SATDOKU_BASELINE;
}

int satdoku_solve(const satdoku_plan *plan, const satdoku_job *job, int target)
{
#if X86
    if (target == SATDOKU_AVX512) return solve_avx512(plan, job);
    if (target == SATDOKU_AVX2) return solve_avx2(plan, job);
#endif
    return solve_baseline(plan, job);
}

int satdoku_propagate(const satdoku_plan *plan, const satdoku_job *job, uint8_t *candidates,
                      uint8_t *conflict, int target)
{
#if X86
    if (target == SATDOKU_AVX512) return fixpoints_avx512(plan, job, candidates, conflict);
    if (target == SATDOKU_AVX2) return fixpoints_avx2(plan, job, candidates, conflict);
#endif
    return fixpoints_baseline(plan, job, candidates, conflict);
}
