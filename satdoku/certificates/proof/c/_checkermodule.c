/* The proof checker as a Python extension.
 *
 * Invariant: bytes in, a code and a number out; every length is checked here, so that no bytes of any
 * caller can make the checker read past an end. The interpreter lock is released while it runs. */
#define Py_LIMITED_API 0x030A0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "checker.h"

static const char *NAME = "satdoku.proof.checker";
static const int MAX_VARIABLES = 1 << 24;

/* The words of a bytes argument in memory of their own, rightly aligned; NULL with an error set. */
static int32_t *words_of(const char *bytes, Py_ssize_t length)
{
    int32_t *words = PyMem_Malloc(length ? (size_t)length : 1);
    if (length % (Py_ssize_t)sizeof *words) {
        PyErr_SetString(PyExc_ValueError, "expected bytes of whole 32-bit integers");
        PyMem_Free(words);
        return NULL;
    }
    if (!words) return (int32_t *)PyErr_NoMemory();
    memcpy(words, bytes, (size_t)length);
    return words;
}

static void free_capsule(PyObject *capsule)
{
    checker_free(PyCapsule_GetPointer(capsule, NAME));
}

static PyObject *load(PyObject *module, PyObject *args)
{
    int variables;
    const char *bytes;
    Py_ssize_t length;
    (void)module;
    if (!PyArg_ParseTuple(args, "iy#", &variables, &bytes, &length)) return NULL;
    if (variables < 0 || variables > MAX_VARIABLES)
        return PyErr_Format(PyExc_ValueError, "%d variables", variables);
    int32_t *clauses = words_of(bytes, length);
    if (!clauses) return NULL;
    checker *loaded;
    Py_BEGIN_ALLOW_THREADS
    loaded = checker_load(variables, clauses, (size_t)length / sizeof *clauses);
    Py_END_ALLOW_THREADS
    PyMem_Free(clauses);
    if (!loaded) return PyErr_Format(PyExc_ValueError, "malformed clauses, or out of memory");
    PyObject *capsule = PyCapsule_New(loaded, NAME, free_capsule);
    if (!capsule) checker_free(loaded);
    return capsule;
}

static PyObject *check(PyObject *module, PyObject *args)
{
    PyObject *capsule;
    const char *extra_bytes, *proof_bytes;
    Py_ssize_t extra_length, proof_length;
    long long budget;
    int64_t step = 0;
    int outcome;
    (void)module;
    if (!PyArg_ParseTuple(args, "Oy#y#L", &capsule, &extra_bytes, &extra_length, &proof_bytes,
                          &proof_length, &budget))
        return NULL;
    const checker *loaded = PyCapsule_GetPointer(capsule, NAME);
    if (!loaded) return NULL;
    int32_t *extra = words_of(extra_bytes, extra_length);
    int32_t *proof = extra ? words_of(proof_bytes, proof_length) : NULL;
    if (!proof) {
        PyMem_Free(extra);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    outcome = checker_check(loaded, extra, (size_t)extra_length / sizeof *extra, proof,
                            (size_t)proof_length / sizeof *proof, budget, &step);
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

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_checker", "The proof checker in C.", 0, methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__checker(void)
{
    return PyModule_Create(&definition);
}
