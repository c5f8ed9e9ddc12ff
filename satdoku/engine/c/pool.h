/* The nodes of a search of few puzzles that are still to be tried.
 *
 * Invariant: nothing here depends on the width of vectors, so that a search can go on in wider ones,
 * or later: nodes are words, and a node is of the puzzle that owns it. */

enum { SWEEPS_UNWATCHED = 4, UNWATCHED_MS = 15 }; /* between two looks at the clock, two questions */

static void close_pool(Pool *p)
{
    free(p->node);
    free(p->owner);
    free(p->cell);
    free(p->open);
    free(p->weight);
}

/* Whether the call has to end. It looks at the clock now and then, and asks seldom. */
static int is_ended(const satdoku_job *job)
{
    satdoku_watch *w = job->watch;
    struct timespec now;
    if (!w || w->ended) return w != NULL;
    if (++w->sweeps < SWEEPS_UNWATCHED) return 0;
    w->sweeps = 0;
    timespec_get(&now, TIME_UTC);
    uint64_t time = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
    if (w->asked && time - w->asked < UNWATCHED_MS) return 0;
    w->ended = w->asked && w->ends(w->context);
    w->asked = time;
    return w->ended;
}

/* Whether a search pauses: not before so much work is done, unless the call has to end. */
INLINE int pauses(const satdoku_job *job, uint64_t pause)
{
    return is_ended(job) || (pause != NEVER && *job->work >= pause);
}

/* Returns 0 if memory ran out. */
static int open_pool(Pool *p, const satdoku_plan *plan, const satdoku_job *job)
{
    int words = (plan->cells * plan->digits + 63) / 64;
    *p = (Pool){.job = job, .words = words,
                 .most = POOL_BYTES / (8 * words), .patience = FIRST_RESTART};
    p->open = calloc((size_t)job->count, sizeof *p->open);
    return p->open != NULL;
}

INLINE uint64_t *pooled_node(const Pool *p, int64_t i) { return p->node + i * p->words; }

/* Make room for twice as many nodes. Returns 0 if there may not be more. */
static int grow_pool(Pool *p)
{
    int64_t room = p->room ? 2 * p->room : FIRST_ROOM;
    if (room > p->most) return 0;
    uint64_t *node = realloc(p->node, (size_t)room * (size_t)p->words * sizeof *node);
    if (node) p->node = node;
    int32_t *owner = realloc(p->owner, (size_t)room * sizeof *owner);
    if (owner) p->owner = owner;
    int16_t *cell = realloc(p->cell, (size_t)room * sizeof *cell);
    if (cell) p->cell = cell;
    if (!node || !owner || !cell) return 0;
    p->room = room;
    return 1;
}

/* Room for one more node of the puzzle; or NULL, and the puzzle is given up. */
static uint64_t *push_pool(Pool *p, int32_t puzzle, int cell)
{
    if (p->count == p->room && !grow_pool(p)) {
        p->job->status[puzzle] = SATDOKU_UNKNOWN;
        return NULL;
    }
    p->owner[p->count] = puzzle;
    p->cell[p->count] = (int16_t)cell;
    p->open[puzzle]++;
    return pooled_node(p, p->count++);
}
