/* What kernel.c knows of the targets: a table of functions each.
 *
 * Invariant: a file a target (avx512.c and so on) compiles the same body, all of it static, and shows
 * its table alone. What the targets share lies in memory as words, whatever the width of vectors. */
#ifndef SATDOKU_TARGET_H
#define SATDOKU_TARGET_H

/* The nodes of a search of few puzzles that are still to be tried; see pool.h. */
typedef struct {
    const satdoku_job *job;
    int words;             /* of a node */
    uint64_t *node;        /* the last one is tried first */
    int32_t *owner;        /* the puzzle of each */
    int16_t *cell;         /* where each differs from one at the fixpoint; -1: anywhere */
    int64_t count, room, most; /* nodes here; that memory is there for; that there may be */
    int32_t *open;         /* of each puzzle: its nodes, here and in lanes */
    uint32_t *weight;      /* of each group; NULL: none yet */
    int rounds, patience;  /* since the last restart; until the next */
    int wide;              /* the search goes on in wider vectors, where there are any */
    void *team;            /* the Team that works on the nodes, while there is one */
} Pool;

/* A search of few puzzles between two times that it is advanced. */
typedef struct {
    Pool pool;
    void *many; /* the LaneSearch where it is searched as many are; NULL: not yet, or not so */
} Paused;

/* The engine for one width of vectors. The first three return as those of kernel.h do; `advance`
 * whether nodes are left. `team` and `dismiss` are for a target that goes on with the pool. */
typedef struct {
    int (*solve)(const satdoku_plan *, const satdoku_job *);
    int (*propagate)(const satdoku_plan *, const satdoku_job *, uint8_t *candidates,
                     uint8_t *conflict);
    int (*advance)(Paused *, const satdoku_plan *, const satdoku_job *, uint64_t pause);
    int (*open)(Paused *, const satdoku_plan *, const satdoku_job *);
    void (*close)(Paused *);
    int (*team)(const satdoku_plan *, Pool *, uint64_t pause, int widens);
    void (*dismiss)(Pool *);
} Target;

extern const Target satdoku_baseline;
#if X86
extern const Target satdoku_narrow, satdoku_avx512, satdoku_avx512vl, satdoku_avx2;
#endif

#endif
