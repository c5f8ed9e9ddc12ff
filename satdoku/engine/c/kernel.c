/* Plans are checked, and jobs run by a target: the caller says which. */
#include "../../runtime/portable.h"

#include "kernel.h"
#include "target.h"

#include <stdlib.h>
#include <string.h>

#include "listed.h"

#if X86
#include "../../runtime/processor.h"
#endif

const char *satdoku_target_name(int target)
{
    static const char *const names[] = {"avx512", "avx512vl", "avx2", "baseline"};
    return target >= 0 && target < SATDOKU_TARGETS ? names[target] : "unknown";
}

static int is_supported(int target)
{
#if X86
    if (target == SATDOKU_AVX512 || target == SATDOKU_AVX512VL)
        return has_features(BMI | AVX2 | BMI2 | AVX512_ALL, STATE_512);
    if (target == SATDOKU_AVX2) return has_features(BMI | AVX2 | BMI2, STATE_256);
#endif
    return target == SATDOKU_BASELINE;
}

/* Asked once: in a virtual machine the processor's answer takes longer than an easy puzzle. */
int satdoku_supported(int target)
{
    static signed char known[SATDOKU_TARGETS]; /* 0: not yet; 1: it is; -1: it is not */
    if (!known[target]) known[target] = is_supported(target) ? 1 : -1;
    return known[target] > 0;
}

/* Zen 4 (family 19h; Zen 3 has no AVX-512) executes 512 bits in two halves. There 256 are as fast, and
 * the state of twice as many lanes does not fit into the L1 cache. */
int satdoku_ranked(int place)
{
#if X86
    if (place <= SATDOKU_AVX512VL && is_family_19h()) return SATDOKU_AVX512VL - place;
#endif
    return place;
}

/* Whether the offsets ascend from 0 to the number of members, and every member is from 0 to
 * below - 1. */
static int are_lists(const satdoku_lists *lists, int32_t below)
{
    int32_t last = 0;
    for (int32_t i = 0; i <= lists->lists; i++) {
        if (lists->start[i] < last || (i == 0 && lists->start[i])) return 0;
        last = lists->start[i];
    }
    for (int32_t i = 0; i < last && last == lists->members; i++)
        if (lists->member[i] < 0 || lists->member[i] >= below) return 0;
    return last == lists->members;
}

/* Whether each list has from `least` to `most` members. */
static int are_so_long(const satdoku_lists *lists, int32_t least, int64_t most)
{
    for (int32_t i = 0; i < lists->lists; i++) {
        int32_t length = lists->start[i + 1] - lists->start[i];
        if (length < least || length > most) return 0;
    }
    return 1;
}

/* Whether each list is the number of a list of `tables`, then cells. */
static int are_cells_with(const satdoku_lists *lists, const satdoku_lists *tables, int32_t cells)
{
    for (int32_t i = 0; i < lists->lists; i++) {
        const int32_t *member = lists->member + lists->start[i];
        if (member[0] >= tables->lists) return 0;
        for (int32_t k = 1; k < lists->start[i + 1] - lists->start[i]; k++)
            if (member[k] >= cells) return 0;
    }
    return 1;
}

/* Whether the list is of pairs of numbers from 0 below these; digits go from row to row. */
static int are_ways(const satdoku_lists *ways, int32_t list, int32_t first, int32_t second)
{
    int32_t end = ways->start[list + 1];
    for (int32_t i = ways->start[list]; i < end; i += 2)
        if (end - i == 1 || ways->member[i] >= first || ways->member[i + 1] >= second) return 0;
    return 1;
}

/* Whether the machine has all its ways, and each of them stays within its states and the digits,
 * written digit * cells. */
static int is_machine(const int32_t *machine, int32_t length, const satdoku_plan *plan)
{
    const satdoku_lists *ways = &plan->ways;
    int32_t n = plan->digits, digits = (n - 1) * plan->cells + 1;
    int64_t next = machine[0];
    const int32_t *count = machine + 1;
    int32_t cells = length - 1;
    for (int32_t i = 0; i < cells; i++)
        for (int32_t k = 0; k < count[i]; k++, next++)
            if (next >= ways->lists
                || !are_ways(ways, (int32_t)next, i ? count[i - 1] : 1, digits))
                return 0;
    for (int32_t i = cells - 1; i >= 0; i--) {
        int32_t before = i ? count[i - 1] : 1;
        for (int32_t k = 0; k < (i ? n + before : n); k++, next++)
            if (next >= ways->lists
                || !are_ways(ways, (int32_t)next, k < n ? before : digits, count[i]))
                return 0;
    }
    return count[cells - 1] == 1;
}

/* Whether each list of automata is a machine and as many cells as that reads. */
static int are_automata(const satdoku_plan *plan)
{
    for (int32_t i = 0; i < plan->machines.lists; i++) {
        const int32_t *start = plan->machines.start + i;
        if (!is_machine(plan->machines.member + start[0], start[1] - start[0], plan))
            return 0;
    }
    for (int32_t i = 0; i < plan->automata.lists; i++) {
        const int32_t *start = plan->automata.start + i;
        const int32_t *machine = plan->machines.start + plan->automata.member[start[0]];
        if (start[1] - start[0] != machine[1] - machine[0]) return 0;
    }
    return 1;
}

/* Whether a list is a total and segments whose sums are below TOTALS, each cell below `cells`. */
static int is_sum(const int32_t *at, const int32_t *end, int32_t cells)
{
    int32_t segments = 0, most = 0;
    if (at == end || *at++ >= TOTALS || at == end) return 0;
    for (; at < end; segments++) {
        if (end - at < 4 || at[0] < 1 || at[0] >= TOTALS || at[1] > 1 || at[2] < 1
            || at[2] > MOST_SEGMENT || end - at < 3 + at[2])
            return 0;
        for (int32_t i = 0; i < at[2]; i++)
            if (at[3 + i] >= cells) return 0;
        most += 9 * at[0] * at[2];
        if (most >= TOTALS) return 0;
        at += 3 + at[2];
    }
    return segments <= MOST_SEGMENTS;
}

static int are_sums(const satdoku_lists *sums, int32_t cells, int32_t digits)
{
    for (int32_t i = 0; i < sums->lists; i++)
        if (!is_sum(sums->member + sums->start[i], sums->member + sums->start[i + 1], cells))
            return 0;
    return digits == 9 || !sums->lists;
}

/* Whether a list is a total and sets of cells, each with at most as many as there are digits. */
static int is_bound(const int32_t *at, const int32_t *end, int32_t cells, int32_t digits)
{
    int32_t most = 0;
    if (at == end || *at++ > MOST_BOUND) return 0;
    for (; at < end; at += 3 + at[2]) {
        if (end - at < 4 || at[0] < 1 || at[0] > MOST_BOUND || at[1] > 1 || at[2] < 1
            || at[2] > digits || end - at < 3 + at[2])
            return 0;
        for (int32_t i = 0; i < at[2]; i++)
            if (at[3 + i] >= cells) return 0;
        most += (digits + 1) * at[0] * at[2];
        if (most > MOST_BOUND) return 0;
    }
    return most > 0;
}

static int are_bounds(const satdoku_lists *bounds, int32_t cells, int32_t digits)
{
    for (int32_t i = 0; i < bounds->lists; i++)
        if (!is_bound(bounds->member + bounds->start[i], bounds->member + bounds->start[i + 1],
                      cells, digits))
            return 0;
    return 1;
}

/* Whether a list is a digit, a number of sides, 0 or 1, the length of a line, and the cells of one line and
 * those of all other sides. */
static int is_rank(const int32_t *list, int64_t members, const satdoku_plan *plan)
{
    if (members < 4 || list[0] >= plan->digits || list[1] > OTHER_SIDES || list[2] > 1 || list[3] < 2
        || list[3] > plan->digits)
        return 0;
    if (members != 4 + list[3] * (1 + OTHER_SIDES * list[3])) return 0;
    for (int64_t i = 4; i < members; i++)
        if (list[i] >= plan->cells) return 0;
    return 1;
}

static int are_ranks(const satdoku_plan *plan)
{
    const satdoku_lists *ranks = &plan->ranks;
    for (int32_t i = 0; i < ranks->lists; i++)
        if (!is_rank(ranks->member + ranks->start[i], ranks->start[i + 1] - ranks->start[i], plan))
            return 0;
    return 1;
}

static const char *clue_fault(const satdoku_plan *plan, int32_t candidates)
{
    int32_t n = plan->digits, cells = plan->cells;
    if (!are_lists(&plan->tables, (int32_t)1 << n) || !are_so_long(&plan->tables, 2 * n, 2 * n))
        return "tables: expected sets of digits, two for each digit";
    if (!are_lists(&plan->relations, INT32_MAX) || !are_so_long(&plan->relations, 3, 3)
        || !are_cells_with(&plan->relations, &plan->tables, cells))
        return "relations: expected a table and two cells";
    if (!are_lists(&plan->clauses, candidates) || plan->clauses.lists % 2)
        return "clauses: expected an even number of lists of candidates";
    for (int32_t i = 0; i < plan->clauses.lists; i += 2)
        if (plan->clauses.start[i + 1] - plan->clauses.start[i] > 1)
            return "clauses: expected at most one candidate in the first of two lists";
    if (!are_lists(&plan->sets, (int32_t)1 << n)) return "sets: expected sets of digits";
    if (!are_lists(&plan->cages, INT32_MAX) || !are_so_long(&plan->cages, 2, cells + 1)
        || !are_cells_with(&plan->cages, &plan->sets, cells))
        return "cages: expected a list of sets and cells, at most all";
    if (!are_lists(&plan->rests, cells) || (plan->rests.lists && plan->rests.lists != plan->cages.lists))
        return "rests: expected no list, or one of cells for each cage";
    if (!are_lists(&plan->sums, INT32_MAX) || !are_sums(&plan->sums, cells, n))
        return "sums: expected a total and segments of cells, with nine digits";
    if (!are_lists(&plan->bounds, INT32_MAX) || !are_bounds(&plan->bounds, cells, n))
        return "bounds: expected a total and sets of cells, at most as many as digits in each";
    if (!are_lists(&plan->ways, INT32_MAX) || !are_lists(&plan->machines, INT32_MAX)
        || !are_so_long(&plan->machines, 2, INT32_MAX)
        || !are_lists(&plan->automata, INT32_MAX) || !are_so_long(&plan->automata, 2, INT32_MAX)
        || !are_cells_with(&plan->automata, &plan->machines, cells) || !are_automata(plan))
        return "automata: expected machines that stay within their states, and their cells";
    if (!are_lists(&plan->ranks, INT32_MAX) || !are_ranks(plan))
        return "ranks: expected a digit, sides, whether they may be equal, a length, and cells of lines";
    return NULL;
}

const char *satdoku_plan_fault(const satdoku_plan *plan)
{
    if (plan->cells < 1 || plan->cells > SATDOKU_MAX_CELLS) return "cells: expected 1 to 625";
    if (plan->digits < 1 || plan->digits > SATDOKU_MAX_DIGITS) return "digits: expected 1 to 25";
    if (plan->classic && (plan->cells != 81 || plan->digits != 9))
        return "classic: expected 81 cells and 9 digits";
    int32_t candidates = plan->cells * plan->digits;
    if (!are_lists(&plan->groups, candidates)) return "groups: expected lists of candidates";
    if (!are_lists(&plan->pairs, candidates)) return "pairs: expected lists of candidates";
    if (!are_lists(&plan->overlaps, candidates)) return "overlaps: expected lists of candidates";
    if (plan->pairs.lists && plan->pairs.lists != candidates)
        return "pairs: expected no list, or one for each candidate";
    if (plan->overlaps.lists % 2) return "overlaps: expected an even number of lists";
    return clue_fault(plan, candidates);
}

static const Target *const targets[SATDOKU_TARGETS] = {
#if X86
    &satdoku_avx512, &satdoku_avx512vl, &satdoku_avx2,
#else
    &satdoku_baseline, &satdoku_baseline, &satdoku_baseline,
#endif
    &satdoku_baseline,
};

/* What searches one puzzle with pauses: the target, or the narrow body of 128 lanes. */
static const Target *target_for(const satdoku_plan *plan, int target)
{
#if X86
    if (target <= SATDOKU_AVX512VL && plan->classic && !plan->groups.lists) return &satdoku_narrow;
#else
    (void)plan;
#endif
    return targets[target];
}

/* Answers as they are before anything was searched. */
static void begin_job(const satdoku_plan *plan, const satdoku_job *job)
{
    size_t count = (size_t)job->count, cells = (size_t)plan->cells;
    memset(job->status, 0, count);
    if (job->grids) memset(job->grids, 0, count * sizeof *job->grids);
    else memset(job->solutions, 0, count * cells);
    memset(job->nodes, 0, count * sizeof *job->nodes);
}

/* The caller's array of numbers may change while we list (another thread has it too), but a number
 * says where the next solution goes: here it is our own. */
static int list_all(const satdoku_plan *plan, const satdoku_job *job, size_t cells, int target)
{
    satdoku_job ours = *job;
    ours.grids = calloc((size_t)job->count, sizeof *ours.grids);
    int failed = !ours.grids || targets[target]->solve(plan, &ours) || !sort_listed(&ours, cells);
    if (!failed) memcpy(job->grids, ours.grids, (size_t)job->count * sizeof *ours.grids);
    free(ours.grids);
    return failed ? -1 : 0;
}

int satdoku_solve(const satdoku_plan *plan, const satdoku_job *job, int target)
{
    size_t cells = (size_t)plan->cells;
    if (!job->count) return 0;
    begin_job(plan, job);
    if (job->grids && job->solutions) return list_all(plan, job, cells, target);
    return targets[target]->solve(plan, job);
}

struct satdoku_search {
    const satdoku_plan *plan;
    const satdoku_job *job;
    const Target *target;
    Paused paused;
};

satdoku_search *satdoku_open(const satdoku_plan *plan, const satdoku_job *job, int target)
{
    satdoku_search *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    begin_job(plan, job);
    *s = (satdoku_search){.plan = plan, .job = job, .target = target_for(plan, target)};
    if (s->target->open(&s->paused, plan, job)) return s;
    free(s);
    return NULL;
}

/* Whether no further node can change the answer. */
static int is_settled(const satdoku_job *job)
{
    return *job->status != SATDOKU_NONE && *job->status != SATDOKU_UNIQUE;
}

int satdoku_advance(satdoku_search *s, uint64_t work)
{
    uint64_t pause = *s->job->work + work;
    int left = s->target->advance(&s->paused, s->plan, s->job, pause);
    return left > 0 ? !is_settled(s->job) : left;
}

void satdoku_close(satdoku_search *s)
{
    s->target->close(&s->paused);
    free(s);
}

int satdoku_propagate(const satdoku_plan *plan, const satdoku_job *job, uint8_t *candidates,
                      uint8_t *conflict, int target)
{
    return targets[target]->propagate(plan, job, candidates, conflict);
}
