/* The kernel as a Python extension.
 *
 * Invariant: numbers in, numbers out; arrays are passed by address, checked and kept alive by the caller
 * (`kernel.py`), so that the limited API of Python 3.10 suffices and one binary serves all later
 * versions. The interpreter lock is released while the kernel runs.
 */
#define Py_LIMITED_API 0x030A0000
#include <Python.h>

#include "kernel.h"

typedef unsigned long long Address;

static int as_plan(PyObject *tuple, satdoku_plan *plan)
{
    Address a[6];
    if (!PyArg_ParseTuple(tuple, "iiiiKKKKKK", &plan->size, &plan->classic, &plan->groups,
                          &plan->overlaps, a, a + 1, a + 2, a + 3, a + 4, a + 5))
        return 0;
    const int32_t **fields[] = {&plan->group_start, &plan->group_member, &plan->pair_start,
                                &plan->pair_member, &plan->overlap_start,    &plan->overlap_member};
    for (int i = 0; i < 6; i++) *fields[i] = (const int32_t *)(uintptr_t)a[i];
    return 1;
}

static PyObject *finish(int failed)
{
    if (failed) return PyErr_NoMemory();
    Py_RETURN_NONE;
}

static PyObject *solve(PyObject *module, PyObject *args)
{
    PyObject *tuple;
    satdoku_plan plan;
    satdoku_job job = {0};
    Address puzzles, status, solutions, nodes;
    int target, failed;
    (void)module;
    if (!PyArg_ParseTuple(args, "OLKiiIKKKi", &tuple, &job.count, &puzzles, &job.marks, &job.limit,
                          &job.budget, &status, &solutions, &nodes, &target))
        return NULL;
    if (!as_plan(tuple, &plan)) return NULL;
    job.puzzles = (const uint8_t *)(uintptr_t)puzzles;
    job.status = (uint8_t *)(uintptr_t)status;
    job.solutions = (uint8_t *)(uintptr_t)solutions;
    job.nodes = (uint32_t *)(uintptr_t)nodes;
    Py_BEGIN_ALLOW_THREADS
    failed = satdoku_solve(&plan, &job, target);
    Py_END_ALLOW_THREADS
    return finish(failed);
}

static PyObject *propagate(PyObject *module, PyObject *args)
{
    PyObject *tuple;
    satdoku_plan plan;
    satdoku_job job = {0};
    Address puzzles, candidates, conflict;
    int target, failed;
    (void)module;
    if (!PyArg_ParseTuple(args, "OLKiKKi", &tuple, &job.count, &puzzles, &job.marks, &candidates,
                          &conflict, &target))
        return NULL;
    if (!as_plan(tuple, &plan)) return NULL;
    job.puzzles = (const uint8_t *)(uintptr_t)puzzles;
    Py_BEGIN_ALLOW_THREADS
    failed = satdoku_propagate(&plan, &job, (uint8_t *)(uintptr_t)candidates,
                               (uint8_t *)(uintptr_t)conflict, target);
    Py_END_ALLOW_THREADS
    return finish(failed);
}

/* The targets that this machine can run, as {name: number}, widest first. */
static PyObject *targets(PyObject *module, PyObject *args)
{
    (void)module, (void)args;
    PyObject *result = PyDict_New();
    for (int target = 0; result && target < SATDOKU_TARGETS; target++) {
        if (!satdoku_supported(target)) continue;
        PyObject *number = PyLong_FromLong(target);
        if (!number || PyDict_SetItemString(result, satdoku_target_name(target), number))
            Py_CLEAR(result);
        Py_XDECREF(number);
    }
    return result;
}

static PyMethodDef methods[] = {
    {"solve", solve, METH_VARARGS, "solve(plan, count, puzzles, marks, limit, budget, ...)"},
    {"propagate", propagate, METH_VARARGS, "propagate(plan, count, puzzles, marks, ...)"},
    {"targets", targets, METH_NOARGS, "targets() -> {name: number} of what this machine can run"},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_kernel", "The bit-parallel engine's C kernel.", 0, methods,
    NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__kernel(void)
{
    return PyModule_Create(&definition);
}
