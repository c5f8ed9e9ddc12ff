/* The trimming of refutations under sanitizers, without Python: random formulas and random steps,
 * most of them wrong, and what is left of the right ones, which must be right again. Built and run by
 * test_trim_sanitized.py; exit status 0 says all is well. */
#include <stdio.h>
#include <stdlib.h>

#include "trim.h"

enum { VARIABLES = 6, CLAUSES = 60, STEPS = 40, ROUNDS = 20000 };

static uint32_t state = 1;

static int32_t below(int32_t n)
{
    state = state * 1664525u + 1013904223u;
    return (int32_t)(state >> 8) % n;
}

static int32_t literal(int beyond)
{
    int32_t variable = 1 + below(VARIABLES + beyond);
    return below(2) ? variable : -variable;
}

/* Random clauses of `least` literals or a few more, each with its 0; with `steps` some that delete,
 * some the clause before, and a few malformed. */
static size_t fill(int32_t *words, int count, int least, int steps)
{
    size_t used = 0, last = 0;
    for (int i = 0; i < count; i++) {
        if (steps && i && below(4) == 0) {
            size_t end = used;
            words[used++] = TRIM_DELETE;
            for (; last < end; last++) words[used++] = words[last];
            last = used;
            continue;
        }
        last = used;
        for (int32_t left = least + below(4 - least); left > 0; left--)
            words[used++] = literal(steps && below(1000) == 0);
        if (!steps || below(500)) words[used++] = 0;
    }
    return used;
}

static int never_stop(void *context) { return *(int *)context; }

int main(void)
{
    static int32_t formula[CLAUSES * 5], proof[STEPS * 30];
    int seen[TRIM_STOPPED + 1] = {0}, stop = 0;
    for (int round = 0; round < ROUNDS; round++) {
        trim_limits limits = {below(8) ? 1 << 20 : 5, never_stop, &stop};
        size_t length = fill(formula, below(CLAUSES), 2, 0), steps = fill(proof, below(STEPS), 1, 1);
        trim_result first, second;
        trim_outcome outcome =
            trim_proof(VARIABLES, formula, length, proof, steps, limits, &first);
        seen[outcome]++;
        if (outcome == TRIM_DONE) {
            limits.budget = 1 << 20;
            outcome = trim_proof(VARIABLES, formula, length, first.steps, first.length, limits,
                                 &second);
            if (outcome != TRIM_DONE || second.length > first.length) return 1;
            trim_free(&second);
        }
        trim_free(&first);
    }
    for (int outcome = 0; outcome < TRIM_NO_MEMORY; outcome++) {
        printf("%d: %d\n", outcome, seen[outcome]);
        if (!seen[outcome]) return 2;
    }
    return 0;
}
