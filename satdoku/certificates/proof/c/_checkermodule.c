/* The proof checker as a Python extension.
 *
 * Invariant: clauses in, a code and a number out. Clauses are buffers of 32-bit integers. The checker
 * works on copies, so nothing that a caller passes, or changes meanwhile, makes it read beyond an
 * end. The interpreter lock is released while it runs. */
#include "../../../runtime/buffers.h"

#include "checker.h"

static const char *CHECKER = "satdoku.certificates.proof.checker";
static const int MAX_VARIABLES = 1 << 24;

/* A copy of some clauses; NULL with an error set if they are no array of 32-bit integers. */
static int32_t *copy_clauses(PyObject *object, const char *name, Py_ssize_t *length)
{
    return copy_items(object, input(name, INT32, ANY, FLAT), length);
}

static void free_capsule(PyObject *capsule)
{
    checker_free(PyCapsule_GetPointer(capsule, CHECKER));
}

static PyObject *load(PyObject *module, PyObject *args)
{
    int variables;
    PyObject *object;
    Py_ssize_t length;
    (void)module;
    if (!PyArg_ParseTuple(args, "iO", &variables, &object)) return NULL;
    if (variables < 0 || variables > MAX_VARIABLES)
        return PyErr_Format(PyExc_ValueError, "%d variables: expected 0 to %d", variables,
                            MAX_VARIABLES);
    int32_t *clauses = copy_clauses(object, "clauses", &length);
    if (!clauses) return NULL;
    checker *loaded;
    Py_BEGIN_ALLOW_THREADS
    loaded = checker_load(variables, clauses, (size_t)length);
    Py_END_ALLOW_THREADS
    PyMem_Free(clauses);
    if (!loaded) return PyErr_Format(PyExc_ValueError, "malformed clauses, or out of memory");
    PyObject *capsule = PyCapsule_New(loaded, CHECKER, free_capsule);
    if (!capsule) checker_free(loaded);
    return capsule;
}

static PyObject *check(PyObject *module, PyObject *args)
{
    PyObject *capsule, *extra_object, *proof_object;
    Py_ssize_t extra_length, proof_length;
    long long budget;
    int64_t step = 0;
    int outcome;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOL", &capsule, &extra_object, &proof_object, &budget))
        return NULL;
    const checker *loaded = PyCapsule_GetPointer(capsule, CHECKER);
    if (!loaded) return NULL;
    int32_t *extra = copy_clauses(extra_object, "extra", &extra_length);
    int32_t *proof = extra ? copy_clauses(proof_object, "proof", &proof_length) : NULL;
    if (!proof) {
        PyMem_Free(extra);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    outcome = checker_check(loaded, extra, (size_t)extra_length, proof, (size_t)proof_length,
                            budget, &step);
    Py_END_ALLOW_THREADS
    PyMem_Free(extra);
    PyMem_Free(proof);
    if (outcome == CHECKER_NO_MEMORY) return PyErr_NoMemory();
    return Py_BuildValue("iL", outcome, (long long)step);
}

static PyMethodDef methods[] = {
    {"load", load, METH_VARARGS, "load(variables, clauses) -> capsule"},
    {"check", check, METH_VARARGS, "check(capsule, extra, proof, budget) -> (outcome, step)"},
    {NULL, NULL, 0, NULL},
};

EXTENSION(_checker, "The proof checker in C.", 1)
