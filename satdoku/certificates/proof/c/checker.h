/* A checker of clausal proofs: is every lemma implied by unit propagation, and the last one empty?
 *
 * Invariant: the checker believes nothing. A lemma enters the formula only if unit propagation from
 * its negation ends in a conflict (RUP). So everything in the formula follows from the clauses that
 * were loaded, and an empty lemma means that these have no model.
 *
 * Source: E. Goldberg and Y. Novikov, Verification of Proofs of Unsatisfiability for CNF Formulas,
 * DATE 2003; format: N. Wetzler, M. Heule, W. Hunt, DRAT-trim, SAT 2014. RAT lemmas are refused. */
#ifndef SATDOKU_CHECKER_H
#define SATDOKU_CHECKER_H

#include <stddef.h>
#include <stdint.h>

/* The codes of satdoku.certificates.proof.Outcome. */
enum {
    CHECKER_VERIFIED,
    CHECKER_NOT_IMPLIED,  /* a lemma is not RUP */
    CHECKER_NO_EMPTY,     /* the proof ends without the empty clause */
    CHECKER_MALFORMED,    /* a literal out of range, or a clause without its 0 */
    CHECKER_OVER_BUDGET,  /* more clauses visited than allowed */
    CHECKER_NO_MEMORY
};

enum { CHECKER_DELETE = INT32_MAX }; /* begins a step that deletes a clause */

typedef struct checker checker;

/* A formula over variables 1 to `variables`: clauses one after the other, each with a 0 at its end.
 * NULL if memory runs out or the clauses are malformed. */
checker *checker_load(int32_t variables, const int32_t *clauses, size_t length);
void checker_free(checker *loaded);

/* Check a proof that the loaded formula with the extra clauses has no model. `loaded` does not change,
 * so threads may share it. `step` becomes the number, from 1, of the step that decided. */
int checker_check(const checker *loaded, const int32_t *extra, size_t extra_length,
                  const int32_t *proof, size_t proof_length, int64_t budget, int64_t *step);

#endif
