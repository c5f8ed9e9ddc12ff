/* The kernel under sanitizers, without Python: every target that this machine has, on puzzles, on
 * plans with groups, pairs, cages and sums, and on random plans, of which the kernel refuses
 * the unsound ones and survives the others. Not every branch of sums.h, cages.h and team.h is
 * reached: bench/sanitizers.py runs the tests of the engine on the extension itself.
 * test_engine_sanitized.py builds and runs this; exit status 0 means that all is well. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"

enum { N = 9, CELLS = 81, VARIABLES = 729, COUNT = 520 };

static int32_t start[512], member[512 * N], pair_start[VARIABLES + 1], pair_member[2 * VARIABLES];

/* The 324 groups, digit-major: cells first. */
static int groups(void)
{
    int count = 0;
    for (int kind = 0; kind < 4; kind++)
        for (int a = 0; a < N; a++)
            for (int b = 0; b < N; b++, count++) {
                start[count + 1] = start[count] + N;
                for (int k = 0; k < N; k++) {
                    int box = b / 3 * 27 + b % 3 * 3 + k / 3 * 9 + k % 3;
                    int at[] = {CELLS * k + N * a + b, CELLS * a + N * b + k, CELLS * a + N * k + b,
                                CELLS * a + box};
                    member[start[count] + k] = at[kind];
                }
            }
    return count;
}

/* Each candidate excludes the next digit in the next cell. */
static void pairs(void)
{
    int count = 0;
    for (int i = 0; i < VARIABLES; i++) {
        pair_start[i] = count;
        if (i + CELLS + 1 < VARIABLES) pair_member[count++] = i + CELLS + 1;
        if (i - CELLS - 1 >= 0) pair_member[count++] = i - CELLS - 1;
    }
    pair_start[VARIABLES] = count;
}

/* Givens at random, from none to half of the cells; now and then a digit too large. */
static void fill(uint8_t *puzzles, int marks)
{
    size_t width = marks ? VARIABLES : CELLS;
    for (size_t i = 0; i < COUNT * width; i++) {
        int p = (int)(i / width) % 40;
        puzzles[i] = marks ? rand() % 100 >= p : rand() % 81 < p ? (uint8_t)(rand() % 9 + 1) : 0;
    }
    if (!marks) puzzles[7 * CELLS + 80] = 255;
}

/* A puzzle in slices, some of which end early, against the same in one search. */
static int sliced(const satdoku_plan *plan, const uint8_t *puzzle, int marks, int target)
{
    enum { MOST = 3000 };
    uint8_t status, whole, solution[VARIABLES], other[VARIABLES];
    uint32_t nodes, all;
    uint64_t work = 0;
    satdoku_job job = {1, puzzle, marks, 2, UINT32_MAX, &status, solution, &nodes, NULL, &work};
    satdoku_job once = {1, puzzle, marks, 2, MOST, &whole, other, &all};
    satdoku_search *search = satdoku_open(plan, &job, target);
    int left = 1, failed = satdoku_solve(plan, &once, target);
    while (search && left > 0 && nodes < MOST) left = satdoku_advance(search, 1 + (uint32_t)(rand() % 99));
    if (!search || left < 0) failed = 1;
    else satdoku_close(search);
    return failed || (!left && whole != SATDOKU_UNKNOWN && (whole != status || all != nodes));
}

static int run(const satdoku_plan *plan, int marks, int target)
{
    uint8_t *puzzles = malloc((size_t)COUNT * (marks ? VARIABLES : CELLS));
    uint8_t *status = calloc(COUNT, 1), *solutions = calloc(COUNT, CELLS);
    uint8_t *left = malloc((size_t)COUNT * VARIABLES), *conflict = malloc(COUNT);
    uint32_t *nodes = calloc(COUNT, sizeof *nodes);
    satdoku_job job = {COUNT, puzzles, marks, 1 + marks, 50, status, solutions, nodes};
    fill(puzzles, marks);
    int failed = satdoku_solve(plan, &job, target);
    for (int i = 0; i < 12; i++)
        failed |= sliced(plan, puzzles + (size_t)i * (marks ? VARIABLES : CELLS), marks, target);
    satdoku_job all = {COUNT, puzzles, marks, 0, 20, status, NULL, nodes,
                       malloc(COUNT * sizeof(uint64_t))};
    failed |= satdoku_solve(plan, &all, target);
    enum { ROOM = 3 };
    uint8_t *listed = malloc((size_t)COUNT * ROOM * CELLS);
    satdoku_job some = {COUNT, puzzles, marks, ROOM, 20, status, listed, nodes, all.grids};
    failed |= satdoku_solve(plan, &some, target);
    free(listed);
    if (!marks) puzzles[7 * CELLS + 80] = 0;
    failed |= satdoku_propagate(plan, &job, left, conflict, target);
    free(all.grids), free(puzzles), free(status), free(solutions), free(left), free(conflict), free(nodes);
    return failed;
}

/* What another thread writes over and over, until it is told to stop. */
typedef struct {
    volatile uint64_t *grids;
    volatile uint8_t *status;
    atomic_int stop;
} Meddler;

static void *meddle(void *whose)
{
    Meddler *m = whose;
    while (!atomic_load(&m->stop))
        for (int i = 0; i < COUNT; i++) m->grids[i] = (uint64_t)1 << 20, m->status[i] = SATDOKU_NONE;
    return NULL;
}

/* Solutions are listed where nobody can be trusted with the arrays of the answers: another thread
 * writes what would be places far outside; and both arrays lie in the same memory. */
static int meddled(const satdoku_plan *plan, int target)
{
    enum { ROOM = 3 };
    uint8_t *puzzles = malloc((size_t)COUNT * CELLS), *status = malloc(COUNT);
    uint8_t *listed = malloc((size_t)COUNT * ROOM * CELLS);
    uint32_t *nodes = malloc(COUNT * sizeof *nodes);
    uint64_t *grids = malloc(COUNT * sizeof *grids);
    satdoku_job job = {COUNT, puzzles, 0, ROOM, 20, status, listed, nodes, (void *)listed};
    fill(puzzles, 0);
    int failed = satdoku_solve(plan, &job, target);
    Meddler m = {grids, status, 0};
    pthread_t thread;
    if (pthread_create(&thread, NULL, meddle, &m)) return 1;
    job.grids = grids;
    for (int i = 0; i < 5; i++) failed |= satdoku_solve(plan, &job, target);
    atomic_store(&m.stop, 1);
    pthread_join(thread, NULL);
    free(puzzles), free(status), free(listed), free(nodes), free(grids);
    return failed;
}

/* Random lists in memory of exactly their size; one in `odds` numbers is out of order or range. */
static satdoku_lists lists(int count, int candidates, int odds)
{
    int32_t *starts = malloc(((size_t)count + 1) * sizeof *starts);
    starts[0] = rand() % odds ? 0 : rand() % 3 - 1;
    for (int i = 0; i < count; i++) starts[i + 1] = starts[i] + (rand() % odds ? rand() % 5 : -1);
    int64_t total = starts[count] > 0 ? starts[count] : 0;
    if (rand() % odds == 0) total += rand() % 3;
    int32_t *members = malloc(((size_t)total + 1) * sizeof *members);
    for (int64_t i = 0; i < total; i++)
        members[i] = rand() % (50 * odds) ? rand() % candidates : rand() % 3 * candidates - 1;
    return (satdoku_lists){count, total, starts, members};
}

/* Lists of so many numbers each; one in `odds` numbers is out of range. */
static satdoku_lists even_lists(int count, int length, int below, int odds)
{
    int32_t *starts = malloc(((size_t)count + 1) * sizeof *starts);
    int32_t *members = malloc(((size_t)(count * length) + 1) * sizeof *members);
    for (int i = 0; i <= count; i++) starts[i] = i * length;
    for (int i = 0; i < count * length; i++)
        members[i] = rand() % odds && below > 0 ? rand() % below : below;
    return (satdoku_lists){count, count * length, starts, members};
}

/* Relations of two cells by random tables. */
static void add_relations(satdoku_plan *p, int odds)
{
    int cells = p->cells;
    p->tables = even_lists(rand() % 4, 2 * p->digits, 1 << p->digits, 100 * odds);
    p->relations = even_lists(p->tables.lists ? rand() % 6 : 0, 3, cells, odds);
    for (int i = 0; i < p->relations.lists; i++)
        if (rand() % odds) ((int32_t *)p->relations.member)[3 * i] = rand() % p->tables.lists;
}

static void free_lists(satdoku_lists *l) { free((void *)l->start), free((void *)l->member); }

/* Random pairs of numbers below these; one in `odds` is out of range. A negative number stands for
 * digits, so many. */
static void add_ways(satdoku_lists *l, int lists, int one, int other, int cells, int odds)
{
    int limit[] = {one, other};
    int32_t *start = (int32_t *)l->start, *member = (int32_t *)l->member;
    for (int i = 0; i < lists; i++, start[++l->lists] = (int32_t)l->members)
        for (int k = 2 * (rand() % 4); k > 0; k--) {
            int below = limit[k % 2], number = rand() % (rand() % odds ? abs(below) : 99);
            member[l->members++] = below < 0 ? cells * number : number;
        }
}

/* Automata that read two cells with up to three states between them. */
static void add_automata(satdoku_plan *p, int count, int odds)
{
    enum { WAYS = 64 };
    int n = p->digits, board = p->cells;
    int32_t *threes = malloc(((size_t)count + 1) * sizeof *threes);
    int32_t *cells = malloc(((size_t)count * 3 + 1) * sizeof *cells);
    int32_t *machines = malloc(((size_t)count * 3 + 1) * sizeof *machines);
    p->ways = (satdoku_lists){0, 0, calloc((size_t)count * WAYS + 1, sizeof(int32_t)),
                              malloc(((size_t)count * WAYS * 6 + 1) * sizeof(int32_t))};
    for (int k = 0; k <= count; k++) threes[k] = 3 * k;
    for (int k = 0; k < count; k++) {
        int states = 1 + rand() % 3;
        int32_t reader[] = {rand() % count, rand() % board, rand() % board};
        int32_t machine[] = {p->ways.lists, states, rand() % odds ? 1 : 2};
        memcpy(cells + 3 * k, reader, sizeof reader);
        memcpy(machines + 3 * k, machine, sizeof machine);
        add_ways(&p->ways, states, 1, -n, board, odds);
        add_ways(&p->ways, 1, states, -n, board, odds);
        add_ways(&p->ways, n, states, 1, board, odds);
        add_ways(&p->ways, states, -n, 1, board, odds);
        add_ways(&p->ways, n, 1, states, board, odds);
    }
    int32_t *copy = malloc(((size_t)count + 1) * sizeof *copy);
    memcpy(copy, threes, ((size_t)count + 1) * sizeof *copy);
    p->automata = (satdoku_lists){count, 3 * count, threes, cells};
    p->machines = (satdoku_lists){count, 3 * count, copy, machines};
}

/* Cages that hold one of some random sets, and the cells beside them; and two sums of 9x9. */
static void add_cages(satdoku_plan *p, int odds)
{
    p->sets = lists(rand() % 5, 1 << p->digits, odds);
    p->cages = lists(p->sets.lists ? rand() % 5 : 0, p->cells, odds);
    for (int i = 0; i < p->cages.lists; i++)
        if (p->cages.start[i] >= 0 && p->cages.start[i] < p->cages.members && rand() % odds)
            ((int32_t *)p->cages.member)[p->cages.start[i]] = rand() % p->sets.lists;
    if (p->digits == 9 && p->cells > 80 && rand() % 2) {
        static const int32_t said[] = {20, 2, 1, 2, 3, 4, 1, 0, 3, 80, 70, 60, 5, 0, 1, 4, 9, 1, 0, 1, 7};
        int32_t *start = malloc(3 * sizeof *start), *member = malloc(sizeof said);
        start[0] = 0, start[1] = 16, start[2] = 21;
        memcpy(member, said, sizeof said);
        if (rand() % odds == 0) member[rand() % 21] = rand() % 300;
        p->sums = (satdoku_lists){2, 21, start, member};
    } else p->sums = lists(0, 1, odds);
    p->bounds = lists(0, 1, odds);
    if (rand() % 2 && p->cells > 5) {
        static const int32_t said[] = {9, 2, 1, 2, 1, 5, 1, 3};
        int32_t *start = malloc(2 * sizeof *start), *member = malloc(sizeof said);
        start[0] = 0, start[1] = 8;
        memcpy(member, said, sizeof said);
        if (rand() % odds == 0) member[rand() % 8] = rand() % 300;
        free_lists(&p->bounds);
        p->bounds = (satdoku_lists){1, 8, start, member};
    }
    p->rests = lists(rand() % 3 ? p->cages.lists : 0, p->cells, odds);
}

/* A rank of a line among those of the other sides, or none. */
static void add_ranks(satdoku_plan *p, int odds)
{
    p->ranks = lists(0, 1, odds);
    if (p->digits < 2 || rand() % 2) return;
    int length = 2 + rand() % (p->digits - 1), members = 4 + length * (1 + OTHER_SIDES * length);
    int32_t *start = malloc(2 * sizeof *start), *member = malloc((size_t)members * sizeof *member);
    int32_t said[] = {rand() % p->digits, rand() % (OTHER_SIDES + 1), rand() % 2, length};
    for (int i = 4; i < members; i++) member[i] = rand() % p->cells;
    memcpy(member, said, sizeof said);
    if (rand() % odds == 0) member[rand() % members] = rand() % 300;
    start[0] = 0, start[1] = rand() % odds ? members : members - 1;
    free_lists(&p->ranks);
    p->ranks = (satdoku_lists){1, start[1], start, member};
}

/* Random plans that are sound by chance, run with random digits and marks. Counts both kinds. */
static int hostile(int target, int *kinds)
{
    int is_nine = rand() % 6 == 0, cells = is_nine ? 81 : 1 + rand() % 160;
    int digits = is_nine ? 9 : 1 + rand() % 12, candidates = cells * digits, failed = 0;
    satdoku_plan plan = {rand() % 40 ? cells : 626, rand() % 40 ? digits : 26, is_nine && rand() % 2,
                         lists(rand() % 20, candidates, 40),
                         lists(rand() % 2 ? candidates : rand() % 40 ? 0 : 1, candidates, 4000),
                         lists(2 * (rand() % 5) + (rand() % 40 == 0), candidates, 40),
                         {0}, {0}, lists(2 * (rand() % 3), candidates, 40)};
    add_relations(&plan, 40);
    add_cages(&plan, 40);
    add_automata(&plan, rand() % 4, 400);
    add_ranks(&plan, 40);
    int sound = !satdoku_plan_fault(&plan);
    kinds[sound]++;
    for (int marks = 0; sound && marks < 2; marks++) {
        enum { SOME = 5 };
        size_t width = (size_t)(marks ? candidates : cells);
        uint8_t *puzzles = malloc(SOME * width), *status = malloc(SOME), *conflict = malloc(SOME);
        uint8_t *solutions = malloc(SOME * (size_t)cells), *left = malloc(SOME * (size_t)candidates);
        uint32_t *nodes = malloc(SOME * sizeof *nodes);
        satdoku_job job = {SOME, puzzles, marks, 1 + marks, 50, status, solutions, nodes};
        for (size_t i = 0; i < SOME * width; i++) puzzles[i] = (uint8_t)(rand() % 4 ? 0 : rand());
        failed |= satdoku_solve(&plan, &job, target);
        failed |= satdoku_propagate(&plan, &job, left, conflict, target);
        if (candidates <= VARIABLES) sliced(&plan, puzzles, marks, target);
        free(puzzles), free(status), free(conflict), free(solutions), free(left), free(nodes);
    }
    satdoku_lists *const parts[] = {
        &plan.groups, &plan.pairs, &plan.overlaps, &plan.relations, &plan.tables,
        &plan.clauses, &plan.cages, &plan.rests, &plan.sets, &plan.sums, &plan.bounds,
        &plan.automata, &plan.machines, &plan.ways, &plan.ranks,
    };
    for (int i = 0; i < (int)(sizeof parts / sizeof *parts); i++) free_lists(parts[i]);
    return failed;
}

int main(void)
{
    int count = groups(), failed = 0, kinds[2] = {0};
    pairs();
    satdoku_lists none = {0, 0, start, member}, all = {count, count * N, start, member};
    satdoku_lists cells = {CELLS, CELLS * N, start, member}, overlaps = {200, 200 * N, start, member};
    satdoku_lists next = {VARIABLES, pair_start[VARIABLES], pair_start, pair_member};
    satdoku_plan plans[] = {
        {CELLS, N, 1, none, none, none, none, none, none, none, none, none, none, none, none, none, none,
         none},
        {CELLS, N, 0, all, none, none, none, none, none, none, none, none, none, none, none, none, none, none},
        {CELLS, N, 1, cells, next, overlaps, none, none, none, none, none, none, none, none, none, none, none,
         none},
    };
    for (int i = 0; i < 3; i++)
        if (satdoku_plan_fault(plans + i)) return 2;
    for (int target = 0; target < SATDOKU_TARGETS; target++) {
        for (int i = 0; i < 6 && satdoku_supported(target); i++)
            failed |= run(plans + i / 2, i % 2, target);
        if (satdoku_supported(target)) failed |= meddled(plans, target);
        for (int i = 0; i < 150 && satdoku_supported(target); i++) failed |= hostile(target, kinds);
    }
    if (kinds[0] < 20 || kinds[1] < 20) return 3;
    printf("%s\n", failed ? "failed" : "ok");
    return failed ? 1 : 0;
}
