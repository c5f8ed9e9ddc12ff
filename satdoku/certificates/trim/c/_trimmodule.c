/* The trimming of refutations as a Python extension.
 *
 * Invariant: no argument of any caller makes it read or write outside an array. Clauses are copied
 * and checked. The interpreter lock is held: it asks Python now and then whether to go on. */
#include "../../../runtime/buffers.h"

#include "trim.h"

static const int MAX_VARIABLES = 1 << 24;

static int poll(void *context)
{
    PyObject *answer = PyObject_CallFunctionObjArgs(context, NULL);
    Py_XDECREF(answer);
    return !answer;
}

static PyObject *answer_of(trim_outcome outcome, const trim_result *result)
{
    switch (outcome) {
    case TRIM_STOPPED:
        return NULL;
    case TRIM_NO_MEMORY:
        return PyErr_NoMemory();
    case TRIM_DONE:
        return Py_BuildValue("y#y#", (char *)result->used, (Py_ssize_t)result->clauses,
                             (char *)result->steps,
                             (Py_ssize_t)(result->length * sizeof *result->steps));
    default:
        Py_RETURN_NONE;
    }
}

static PyObject *trim(PyObject *module, PyObject *args)
{
    int variables;
    PyObject *clauses_object, *proof_object;
    Py_ssize_t clauses_length, proof_length;
    long long budget;
    trim_limits limits = {.poll = poll};
    (void)module;
    if (!PyArg_ParseTuple(args, "iOOLO", &variables, &clauses_object, &proof_object, &budget,
                          &limits.context))
        return NULL;
    if (variables < 0 || variables > MAX_VARIABLES)
        return PyErr_Format(PyExc_ValueError, "%d variables: expected 0 to %d", variables,
                            MAX_VARIABLES);
    limits.budget = budget;
    int32_t *proof = NULL;
    int32_t *clauses = copy_items(clauses_object, input("clauses", INT32, ANY, FLAT),
                                  &clauses_length);
    if (clauses) proof = copy_items(proof_object, input("proof", INT32, ANY, FLAT), &proof_length);
    PyObject *answer = NULL;
    if (proof) {
        trim_result result;
        trim_outcome outcome = trim_proof(variables, clauses, (size_t)clauses_length, proof,
                                          (size_t)proof_length, limits, &result);
        answer = answer_of(outcome, &result);
        trim_free(&result);
    }
    PyMem_Free(clauses);
    PyMem_Free(proof);
    return answer;
}

static PyMethodDef methods[] = {
    {"trim", trim, METH_VARARGS,
     "trim(variables, clauses, proof, budget, poll) -> used, steps; None if it cannot be done"},
    {NULL, NULL, 0, NULL},
};

EXTENSION(_trim, "The trimming of refutations, in C.", 1)
