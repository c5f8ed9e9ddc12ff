/* The kernel under sanitizers, without Python: every target this machine has, on puzzles and
 * plans that reach every branch. Built and run by test_engine_sanitized.py; exit status 0 says
 * all is well. */
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

static int run(const satdoku_plan *plan, int marks, int target)
{
    uint8_t *puzzles = malloc((size_t)COUNT * (marks ? VARIABLES : CELLS));
    uint8_t *status = calloc(COUNT, 1), *solutions = calloc(COUNT, CELLS);
    uint8_t *left = malloc((size_t)COUNT * VARIABLES), *conflict = malloc(COUNT);
    uint32_t *nodes = calloc(COUNT, sizeof *nodes);
    satdoku_job job = {COUNT, puzzles, marks, 1 + marks, 300, status, solutions, nodes};
    fill(puzzles, marks);
    int failed = satdoku_solve(plan, &job, target);
    if (!marks) puzzles[7 * CELLS + 80] = 0;
    failed |= satdoku_propagate(plan, &job, left, conflict, target);
    free(puzzles), free(status), free(solutions), free(left), free(conflict), free(nodes);
    return failed;
}

int main(void)
{
    int count = groups(), failed = 0;
    pairs();
    satdoku_plan plans[] = {
        {N, 1, 0, 0, start, member, NULL, pair_member, start, member},
        {N, 0, count, 0, start, member, NULL, pair_member, start, member},
        {N, 1, CELLS, 100, start, member, pair_start, pair_member, start, member},
    };
    for (int target = 0; target < SATDOKU_TARGETS; target++)
        for (int i = 0; i < 6 && satdoku_supported(target); i++)
            failed |= run(plans + i / 2, i % 2, target);
    printf("%s\n", failed ? "failed" : "ok");
    return failed ? 1 : 0;
}
