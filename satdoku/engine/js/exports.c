/* The kernel as a WebAssembly module: memory, plans from bytes, and the calls of kernel.h.
 *
 * Invariant: whatever bytes a plan is read from, it is run only if satdoku_plan_fault finds none; the
 * other arguments come from satdoku.js, which takes all memory here. Nothing is imported: a caller who
 * wants to end a call ends the worker that runs it, or searches with pauses.
 *
 * A plan as bytes is numbers of 32 bits, the lowest byte first: MAGIC, FORMAT, cells, digits, classic,
 * the number of givens; for each of the 14 parts in the order of satdoku_plan how many lists and how many
 * members; then for each part its offsets and its members; then the givens, a byte each. */
#include "../../runtime/portable.h"

#include "../c/kernel.h"

#include <stddef.h>
#include <string.h>
#include <time.h>

#define EXPORT(name) __attribute__((export_name(#name)))

enum { MAGIC = 0x4b445453, FORMAT = 2, PARTS = 15, HEAD = 6 + 2 * PARTS }; /* "STDK" */

typedef struct {
    satdoku_plan plan;
    int32_t givens;
    const int32_t *number; /* the bytes, into which the lists point */
} Loaded;

static const char *fault = "";

/* Nobody watches a call, so nobody asks what time it is. */
int timespec_get(struct timespec *now, int base)
{
    *now = (struct timespec){0};
    return base;
}

EXPORT(take) void *take(size_t bytes) { return aligned_alloc(16, (bytes + 15) / 16 * 16 + 16); }
EXPORT(give) void give(void *memory) { free(memory); }

/* What was wrong with the last plan, a text that ends with 0. */
EXPORT(fault) const char *last_fault(void) { return fault; }

/* The lists that begin at `at`, of so many numbers as `head` says; where they end, or NULL if there are
 * not that many before `end`. */
static const int32_t *take_lists(const int32_t *head, const int32_t *at, const int32_t *end,
                                 satdoku_lists *lists)
{
    if (head[0] < 0 || head[1] < 0 || head[0] == INT32_MAX) return NULL;
    int64_t numbers = (int64_t)head[0] + 1 + head[1];
    if (end - at < numbers) return NULL;
    *lists = (satdoku_lists){head[0], head[1], at, at + head[0] + 1};
    return at + numbers;
}

/* Why the bytes are no plan, or NULL: then `p` has it. */
static const char *read_plan(const int32_t *number, size_t bytes, Loaded *p)
{
    satdoku_plan *plan = &p->plan;
    satdoku_lists *const parts[PARTS] = {
        &plan->groups, &plan->pairs, &plan->overlaps, &plan->relations, &plan->tables,
        &plan->clauses, &plan->cages, &plan->rests, &plan->sets, &plan->sums, &plan->bounds,
        &plan->automata, &plan->machines, &plan->ways, &plan->ranks,
    };
    if (bytes < HEAD * sizeof *number || number[0] != MAGIC) return "expected a plan of satdoku";
    if (number[1] != FORMAT) return "expected a plan of format 2";
    p->number = number;
    plan->cells = number[2], plan->digits = number[3], plan->classic = number[4];
    p->givens = number[5];
    if (plan->classic < 0 || plan->classic > 1) return "classic: expected 0 or 1";
    if (p->givens && p->givens != plan->cells) return "givens: expected none, or one for each cell";
    const int32_t *at = number + HEAD, *end = number + bytes / sizeof *number;
    for (int i = 0; i < PARTS; i++)
        if (!(at = take_lists(number + 6 + 2 * i, at, end, parts[i])))
            return "the plan ends early: expected all lists that it announces";
    size_t left = bytes - (size_t)((const char *)at - (const char *)number);
    const char *wrong = satdoku_plan_fault(plan);
    if (wrong) return wrong;
    if (left != (size_t)p->givens) return "expected as many bytes as the plan announces";
    for (int32_t i = 0; i < p->givens; i++)
        if (((const uint8_t *)at)[i] > plan->digits) return "givens: a digit is too large";
    return NULL;
}

/* The plan that these bytes are, which it keeps; NULL if they are none. */
EXPORT(plan) Loaded *load_plan(const int32_t *number, size_t bytes)
{
    Loaded *p = calloc(1, sizeof *p);
    fault = p ? read_plan(number, bytes, p) : "no memory is left";
    if (!fault) return p;
    free(p);
    return NULL;
}

/* The plan and its bytes are no longer used. */
EXPORT(release) void release(Loaded *p)
{
    free((void *)p->number);
    free(p);
}

EXPORT(cells) int32_t cells_of(const Loaded *p) { return p->plan.cells; }
EXPORT(digits) int32_t digits_of(const Loaded *p) { return p->plan.digits; }
EXPORT(givens) int32_t givens_of(const Loaded *p) { return p->givens; }

/* Solve the puzzles, as satdoku_job says. */
EXPORT(solve)
int solve(const Loaded *p, const uint8_t *puzzles, int32_t count, int marks, int limit,
          uint32_t budget, uint8_t *status, uint8_t *solutions, uint32_t *nodes, uint64_t *grids)
{
    satdoku_job job = {
        .count = count, .puzzles = puzzles, .marks = marks, .limit = limit, .budget = budget,
        .status = status, .solutions = solutions, .nodes = nodes, .grids = grids,
    };
    return satdoku_solve(&p->plan, &job, SATDOKU_BASELINE);
}

EXPORT(propagate)
int propagate(const Loaded *p, const uint8_t *puzzles, int32_t count, int marks, uint8_t *candidates,
              uint8_t *conflict)
{
    satdoku_job job = {.count = count, .puzzles = puzzles, .marks = marks};
    return satdoku_propagate(&p->plan, &job, candidates, conflict, SATDOKU_BASELINE);
}

/* A search of one puzzle that pauses; status first, so that its address is that of the status. */
typedef struct {
    uint8_t status;
    uint32_t nodes;
    uint64_t work;
    satdoku_job job;
    satdoku_search *search;
} Paused;

/* The puzzle, the solution and the plan must stay until `end`. NULL if memory ran out. */
EXPORT(begin)
Paused *begin(const Loaded *p, const uint8_t *puzzle, int marks, int limit, uint8_t *solution)
{
    Paused *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->job = (satdoku_job){
        .count = 1, .puzzles = puzzle, .marks = marks, .limit = limit, .budget = UINT32_MAX,
        .status = &s->status, .solutions = solution, .nodes = &s->nodes, .work = &s->work,
    };
    s->search = satdoku_open(&p->plan, &s->job, SATDOKU_BASELINE);
    if (s->search) return s;
    free(s);
    return NULL;
}

/* Go on for about so much work: 1 if the answer may still change, 0 if not, -1 without memory. */
EXPORT(advance) int go_on(Paused *s, uint32_t work) { return satdoku_advance(s->search, work); }

EXPORT(end) void end_search(Paused *s)
{
    satdoku_close(s->search);
    free(s);
}
