/* The proof checker under sanitizers, without Python: random formulas and random proofs, most of
 * them wrong, so that every branch meets hostile steps. Built and run by test_proof_sanitized.py;
 * exit status 0 says all is well. */
#include <stdio.h>
#include <stdlib.h>

#include "checker.h"

enum { VARIABLES = 8, CLAUSES = 40, STEPS = 60, ROUNDS = 4000 };

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

/* Random clauses, each up to four literals and its 0; with `steps` some that delete. */
static size_t fill(int32_t *words, int count, int steps)
{
    size_t used = 0;
    for (int i = 0; i < count; i++) {
        if (steps && below(4) == 0) words[used++] = CHECKER_DELETE;
        for (int32_t left = below(5); left > 0; left--)
            words[used++] = literal(steps && below(500) == 0);
        if (!steps || below(200)) words[used++] = 0;
    }
    return used;
}

int main(void)
{
    static int32_t formula[CLAUSES * 5], extra[20], proof[STEPS * 6];
    int seen[CHECKER_NO_MEMORY + 1] = {0};
    for (int round = 0; round < ROUNDS; round++) {
        size_t length = fill(formula, below(CLAUSES), 0), more = fill(extra, below(4), 0);
        checker *loaded = checker_load(VARIABLES, formula, length);
        if (!loaded) return 1;
        for (int again = 0; again < 2; again++) {
            int64_t first, second, budget = below(8) ? 1 << 20 : 5;
            size_t steps = fill(proof, below(STEPS), 1);
            int outcome = checker_check(loaded, extra, more, proof, steps, budget, &first);
            seen[outcome]++;
            if (outcome != checker_check(loaded, extra, more, proof, steps, budget, &second) ||
                first != second)
                return 2;
        }
        checker_free(loaded);
    }
    formula[0] = VARIABLES + 1, formula[1] = 0;
    if (checker_load(VARIABLES, formula, 2)) return 3;
    for (int outcome = 0; outcome < CHECKER_NO_MEMORY; outcome++) {
        printf("%d: %d\n", outcome, seen[outcome]);
        if (!seen[outcome]) return 4;
    }
    return 0;
}
