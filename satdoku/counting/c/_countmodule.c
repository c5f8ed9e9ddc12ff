/* Counting as a Python extension.
 *
 * Invariant: as for the engine's kernel: arrays are passed by address, checked and kept alive by the
 * caller (`kernel.py`); the limited API of Python 3.10; no interpreter lock while it works.
 */
#define Py_LIMITED_API 0x030A0000
#include <Python.h>

#include "count.h"

typedef unsigned long long Address;
#define AT(type, address) ((type *)(uintptr_t)(address))

static PyObject *count(PyObject *module, PyObject *args)
{
    satdoku_count_tables tables;
    long long puzzles_count;
    unsigned long long budget;
    Address a[5], puzzles, grids, nodes;
    (void)module;
    if (!PyArg_ParseTuple(args, "(iiiiKKKKK)LKKKK", &tables.digits, &tables.cells, &tables.words,
                          &tables.groups, a, a + 1, a + 2, a + 3, a + 4, &puzzles_count, &puzzles,
                          &budget, &grids, &nodes))
        return NULL;
    tables.group_digit = AT(const uint8_t, a[0]);
    tables.group_cells = AT(const uint64_t, a[1]);
    tables.kill_start = AT(const int32_t, a[2]);
    tables.kill_digit = AT(const uint8_t, a[3]);
    tables.kill_cells = AT(const uint64_t, a[4]);
    Py_BEGIN_ALLOW_THREADS
    satdoku_count(&tables, puzzles_count, AT(const uint8_t, puzzles), budget, AT(uint64_t, grids),
                  AT(uint64_t, nodes));
    Py_END_ALLOW_THREADS
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"count", count, METH_VARARGS, "count(tables, count, puzzles, budget, grids, nodes)"},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_count", "Counting grids, in C.", 0, methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__count(void)
{
    return PyModule_Create(&definition);
}
