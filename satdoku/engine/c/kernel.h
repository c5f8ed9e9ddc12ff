/* The bit-parallel engine: unit propagation and search over many puzzles at once.
 *
 * Invariant: one bit per puzzle. A block gives each of LANES puzzles one bit ("lane") of every vector;
 * the state of a block is one vector per candidate, "may still be true". Nothing here knows a
 * rule by name: a plan is groups, forbidden pairs and overlaps, and a flag that says which of them
 * are the 324 groups of classic 9x9, for which a tuned path exists.
 *
 * Candidates are digit-major here: index = digit * cells + cell, both 0-based. */
#ifndef SATDOKU_KERNEL_H
#define SATDOKU_KERNEL_H

#include <stdint.h>

enum { /* the codes of satdoku.errors.Status */
    SATDOKU_NONE,
    SATDOKU_UNIQUE,
    SATDOKU_MULTIPLE,
    SATDOKU_SOLVED,
    SATDOKU_INVALID,
    SATDOKU_UNKNOWN
};

/* Vector targets, widest first. */
enum { SATDOKU_AVX512, SATDOKU_AVX2, SATDOKU_BASELINE, SATDOKU_TARGETS };

/* What a set of constraints compiles to; arrays belong to the caller. */
typedef struct {
    int32_t size;      /* n: digits, and cells of a row */
    int32_t classic;   /* 1: rows, columns and 3x3 boxes of 9x9 hold besides what is listed here */
    int32_t groups;    /* number of exactly-one groups listed */
    int32_t overlaps;      /* number of pairs of groups that share two candidates or more */
    const int32_t *group_start;  /* groups + 1 offsets into group_member */
    const int32_t *group_member; /* candidates */
    const int32_t *pair_start;   /* n^3 + 1 offsets into pair_member; NULL without pairs */
    const int32_t *pair_member;  /* the candidates that cannot hold beside this one */
    const int32_t *overlap_start;    /* 2 * overlaps + 1 offsets: sides 2k and 2k+1 of overlap k are A\B, B\A */
    const int32_t *overlap_member;   /* candidates */
} satdoku_plan;

/* Puzzles in, answers out; arrays belong to the caller. */
typedef struct {
    int64_t count;          /* number of puzzles */
    const uint8_t *puzzles; /* count x n^2 digits (0 empty), or count x n^3 marks, cell-major */
    int32_t marks;          /* 1: puzzles are marks, nonzero where a candidate may be true */
    int32_t limit;          /* solutions to look for: 1 or 2 */
    uint32_t budget;        /* nodes a puzzle may cost before it is given up as UNKNOWN */
    uint8_t *status;        /* count */
    uint8_t *solutions;     /* count x n^2 digits, zero where none was found */
    uint32_t *nodes;        /* count: nodes propagated */
} satdoku_job;

/* Whether this build and this processor can run a target, and its name. */
int satdoku_supported(int target);
const char *satdoku_target_name(int target);

/* Solve every puzzle of the job. Returns 0, or -1 when memory ran out. */
int satdoku_solve(const satdoku_plan *plan, const satdoku_job *job, int target);

/* Unit propagation to the fixpoint. `candidates` is count x n^3, cell-major, 1 where a candidate
 * may still be true; `conflict` is count. Reads count, puzzles and marks of the job. Returns as
 * above. */
int satdoku_propagate(const satdoku_plan *plan, const satdoku_job *job, uint8_t *candidates,
                      uint8_t *conflict, int target);

#endif
