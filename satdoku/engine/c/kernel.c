/* One body of code, compiled for several vector targets. The caller says which one runs. */
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
#define AVX512 1
#define TARGET avx512
#define LANES 512
#include "body.h"
#undef TARGET
#undef LANES

#define TARGET avx512vl
#define LANES 256
#include "body.h"
#undef TARGET
#undef LANES
#undef AVX512
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
    static const char *const names[] = {"avx512", "avx512vl", "avx2", "baseline"};
    return target >= 0 && target < SATDOKU_TARGETS ? names[target] : "unknown";
}

int satdoku_supported(int target)
{
#if X86
    if (target == SATDOKU_AVX512 || target == SATDOKU_AVX512VL)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
               && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")
               && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    if (target == SATDOKU_AVX2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")
               && __builtin_cpu_supports("popcnt");
#endif
    return target == SATDOKU_BASELINE;
}

/* Whether the offsets ascend from 0 to the number of members, and every member is a candidate. */
static int are_lists(const satdoku_lists *lists, int32_t candidates)
{
    int32_t last = 0;
    for (int32_t i = 0; i <= lists->lists; i++) {
        if (lists->start[i] < last || (i == 0 && lists->start[i])) return 0;
        last = lists->start[i];
    }
    for (int32_t i = 0; i < last && last == lists->members; i++)
        if (lists->member[i] < 0 || lists->member[i] >= candidates) return 0;
    return last == lists->members;
}

const char *satdoku_plan_fault(const satdoku_plan *plan)
{
    if (plan->size < 1 || plan->size > SATDOKU_MAX_SIZE) return "size: expected 1 to 25";
    if (plan->classic && plan->size != 9) return "classic: expected size 9";
    int32_t candidates = plan->size * plan->size * plan->size;
    if (!are_lists(&plan->groups, candidates)) return "groups: expected lists of candidates";
    if (!are_lists(&plan->pairs, candidates)) return "pairs: expected lists of candidates";
    if (!are_lists(&plan->overlaps, candidates)) return "overlaps: expected lists of candidates";
    if (plan->pairs.lists && plan->pairs.lists != candidates)
        return "pairs: expected no list, or one for each candidate";
    if (plan->overlaps.lists % 2) return "overlaps: expected an even number of lists";
    return NULL;
}

int satdoku_solve(const satdoku_plan *plan, const satdoku_job *job, int target)
{
    size_t count = (size_t)job->count, cells = (size_t)plan->size * (size_t)plan->size;
    if (!count) return 0;
    memset(job->status, 0, count);
    memset(job->solutions, 0, count * cells);
    memset(job->nodes, 0, count * sizeof *job->nodes);
#if X86
    if (target == SATDOKU_AVX512) return solve_avx512(plan, job);
    if (target == SATDOKU_AVX512VL) return solve_avx512vl(plan, job);
    if (target == SATDOKU_AVX2) return solve_avx2(plan, job);
#endif
    return solve_baseline(plan, job);
}

int satdoku_propagate(const satdoku_plan *plan, const satdoku_job *job, uint8_t *candidates,
                      uint8_t *conflict, int target)
{
#if X86
    if (target == SATDOKU_AVX512) return fixpoints_avx512(plan, job, candidates, conflict);
    if (target == SATDOKU_AVX512VL) return fixpoints_avx512vl(plan, job, candidates, conflict);
    if (target == SATDOKU_AVX2) return fixpoints_avx2(plan, job, candidates, conflict);
#endif
    return fixpoints_baseline(plan, job, candidates, conflict);
}
