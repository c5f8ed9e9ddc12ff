/* What of a refutation its empty clause depends on; `reference.py` does the same. */
#ifndef SATDOKU_TRIM_H
#define SATDOKU_TRIM_H

#include <stddef.h>
#include <stdint.h>

enum { TRIM_DELETE = INT32_MAX }; /* precedes a clause that a step deletes */

typedef enum {
    TRIM_DONE,
    TRIM_NO_REFUTATION, /* a step that is needed does not follow, or the end is no contradiction */
    TRIM_OVER_BUDGET,
    TRIM_MALFORMED,
    TRIM_NO_MEMORY,
    TRIM_STOPPED,
} trim_outcome;

typedef struct {
    int64_t budget;               /* clauses that may be visited */
    int (*poll)(void *context);   /* asked now and then; not 0 stops */
    void *context;
} trim_limits;

typedef struct {
    uint8_t *used;    /* by clause of the formula: whether it is needed */
    size_t clauses;
    int32_t *steps;   /* what is left of the steps, each with a 0 at its end */
    size_t length;
} trim_result;

/* Cuts a refutation down. The clauses and the steps are their literals, each with a 0 at its end.
 * What the result points to is to be freed by `trim_free`, whatever the outcome. */
trim_outcome trim_proof(int32_t variables, const int32_t *clauses, size_t clauses_length,
                        const int32_t *proof, size_t proof_length, trim_limits limits,
                        trim_result *result);

void trim_free(trim_result *result);

#endif
