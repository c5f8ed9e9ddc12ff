/* The bit-parallel engine: unit propagation and search over many puzzles at once.
 *
 * Invariant: one bit per puzzle. A block gives each of LANES puzzles one bit (a "lane") of every
 * vector, and the state of a block is one vector per candidate: the candidate may still be true.
 * Nothing here knows a rule or a kind of clue by name. A plan holds groups, forbidden pairs and
 * overlaps, and a flag that adds the 324 groups of classic 9x9, for which there is a tuned path; and
 * what clues say of several cells.
 *
 * Candidates are digit-major here: index = digit * cells + cell, both from 0. */
#ifndef SATDOKU_KERNEL_H
#define SATDOKU_KERNEL_H

#include <stdint.h>

enum { /* the codes of satdoku.runtime.errors.Status */
    SATDOKU_NONE,
    SATDOKU_UNIQUE,
    SATDOKU_MULTIPLE,
    SATDOKU_SOLVED,
    SATDOKU_INVALID,
    SATDOKU_UNKNOWN
};

/* Vector targets, widest first. AVX512VL has the instructions of AVX512 for half the width: it serves
 * better where so few puzzles are asked for that many of 512 lanes stay empty. */
enum { SATDOKU_AVX512, SATDOKU_AVX512VL, SATDOKU_AVX2, SATDOKU_BASELINE, SATDOKU_TARGETS };

enum { SATDOKU_MAX_DIGITS = 25, SATDOKU_MAX_CELLS = 625 }; /* of the largest board */
enum { SATDOKU_MOST_LISTED = 1 << 16 }; /* solutions of a puzzle that are listed at a time */

/* Limits of a sum: cells of a segment, segments, and totals from 0 on. */
enum { MOST_SEGMENT = 3, MOST_SEGMENTS = 32, TOTALS = 2048, MOST_BOUND = 32767 };

enum { OTHER_SIDES = 3 }; /* with whose lines a rank compares a line */

/* Lists of numbers: list i is member[start[i]] to member[start[i + 1] - 1]. */
typedef struct {
    int32_t lists;
    int64_t members;      /* of all lists together */
    const int32_t *start; /* lists + 1 offsets into member */
    const int32_t *member;
} satdoku_lists;

/* What a set of constraints compiles to. The arrays belong to the caller. */
typedef struct {
    int32_t cells;
    int32_t digits;         /* that a cell may hold */
    int32_t classic;        /* 1: rows, columns and 3x3 boxes of 9x9 hold besides the lists */
    satdoku_lists groups;   /* exactly one candidate of each holds; those of the
                             * cells come first */
    satdoku_lists pairs;    /* list i: what cannot hold beside candidate i; or no list at all */
    satdoku_lists overlaps; /* lists 2k and 2k + 1: A \ B and B \ A of two groups A and B that
                             * share two candidates or more */
    satdoku_lists relations; /* number of a list of `tables`, then two cells, or one twice */
    satdoku_lists tables;   /* for each digit of the first cell the digits of the second that go with
                             * it, bit d for digit d; then for each of the second those of the first */
    satdoku_lists clauses;  /* lists 2k and 2k + 1: if the candidate of the first, if any, is true,
                             * one of the second holds */
    satdoku_lists cages;    /* number of a list of `sets`, then the cells that hold one of them */
    satdoku_lists rests;    /* for each cage the other cells that differ from all of its cells; or no
                             * list at all, and cages are taken as clauses state them */
    satdoku_lists sets;     /* sets of digits, bit d for digit d, from 0 */
    satdoku_lists sums;     /* with nine digits: a total, then for each segment weight, 1 if a digit d counts as
                             * 10 - d, number of cells, cells that differ */
    satdoku_lists bounds;   /* as `sums`, with any number of digits, and as many cells in a set */
    satdoku_lists automata; /* number of a list of `machines`, then the cells that it reads */
    satdoku_lists machines; /* number of its first list of `ways`, then the states behind each cell,
                             * one behind the last */
    satdoku_lists ways;     /* pairs of numbers. For a machine first, cell by cell, a list for each
                             * state behind the cell: states before it, digits. Then back from the
                             * last cell a list for each digit: states before and behind the cell;
                             * and one for each state before the cell, but for the first: digits,
                             * states behind it. A digit is written digit * cells of the board */
    satdoku_lists ranks;    /* a digit, how many of the other sides have a lower line that begins with it,
                             * 1 if one may be equal, how many cells a line has; the cells of the line
                             * that is compared, then of all lines of these sides, as many on each */
} satdoku_plan;

/* Why a plan must not be run, or NULL if it is sound: every function below may be called then. */
const char *satdoku_plan_fault(const satdoku_plan *plan);

/* Who may end a call early. `ends` is asked a few times in each 50 ms of a search; once it returns 1, the
 * call returns soon, `ended` is 1, and its answers mean nothing, but a search that pauses can go on. */
typedef struct {
    int (*ends)(void *context);
    void *context;
    uint64_t asked;  /* when, in milliseconds; 0: not yet */
    unsigned sweeps; /* since the clock was looked at */
    int ended;
} satdoku_watch;

/* Puzzles in, answers out. The arrays belong to the caller; answers overwrite what was there. */
typedef struct {
    int64_t count;          /* number of puzzles */
    const uint8_t *puzzles; /* count x n^2 digits (0 empty), or count x n^3 marks, cell-major */
    int32_t marks;          /* 1: puzzles are marks, nonzero where a candidate may be true */
    int32_t limit;          /* solutions to look for: 1 or 2; 0: count all; where `grids` and
                             * `solutions` are both there: list all, up to so many of a puzzle */
    uint32_t budget;        /* nodes that a puzzle may cost; beyond them it is UNKNOWN */
    uint8_t *status;        /* count */
    uint8_t *solutions;     /* count x n^2 digits, all zero if none was found; NULL with limit 0;
                             * count x limit x n^2 where all are listed, in ascending order if the
                             * status is NONE; it is MULTIPLE if there are more */
    uint32_t *nodes;        /* count: nodes propagated */
    uint64_t *grids;        /* count: solutions found where all are counted or listed; else NULL */
    uint64_t *work;         /* one number: what was done so far, in units of 0.1 ns; NULL: nobody asks */
    satdoku_watch *watch;   /* NULL: nobody ends the call */
} satdoku_job;

/* Whether this build on this processor can run a target, and the name of the target. */
int satdoku_supported(int target);
const char *satdoku_target_name(int target);

/* The targets in order of speed with many puzzles, best first: place 0 to SATDOKU_TARGETS - 1. */
int satdoku_ranked(int place);

/* Solve every puzzle of the job. Returns 0, or -1 if memory ran out. */
int satdoku_solve(const satdoku_plan *plan, const satdoku_job *job, int target);

/* The search of one puzzle, which pauses and goes on. The plan and the job, of one puzzle with limit 1
 * or 2, the largest budget and `work`, must stay while it is open; what the search has found lies in the job
 * after each call. */
typedef struct satdoku_search satdoku_search;

satdoku_search *satdoku_open(const satdoku_plan *plan, const satdoku_job *job, int target);

/* Search on until about so much more work is done, at least one round. Returns 1 if the answer may still change, 0 if
 * it is final, -1 if memory ran out. */
int satdoku_advance(satdoku_search *search, uint64_t work);

void satdoku_close(satdoku_search *search);

/* Unit propagation to the fixpoint. Reads only count, puzzles and marks of the job. Writes
 * `candidates`, count x n^3, cell-major: 1 if the candidate may still be true; and `conflict`,
 * count: 1 if there is a conflict. Returns as above. */
int satdoku_propagate(const satdoku_plan *plan, const satdoku_job *job, uint8_t *candidates,
                      uint8_t *conflict, int target);

#endif
