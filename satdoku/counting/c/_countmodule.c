/* Counting as a Python extension.
 *
 * Law: as for the engine's kernel: arrays are passed by address, checked and kept alive by the
 * caller (`kernel.py`); the limited API of Python 3.10; no interpreter lock while it works.
 */
#define Py_LIMITED_API 0x030A0000
#include <Python.h>

#include "count.h"

typedef unsigned long long Address;
#define AT(type, address) ((type *)(uintptr_t)(address))

static PyObject *count(PyObject *module, PyObject *args)
{
    satdoku_count_law law;
    long long puzzles_count;
    unsigned long long budget;
    Address a[5], puzzles, grids, nodes;
    (void)module;
    if (!PyArg_ParseTuple(args, "(iiiiKKKKK)LKKKK", &law.digits, &law.cells, &law.words,
                          &law.groups, a, a + 1, a + 2, a + 3, a + 4, &puzzles_count, &puzzles,
                          &budget, &grids, &nodes))
        return NULL;
    law.group_digit = AT(const uint8_t, a[0]);
    law.group_cells = AT(const uint64_t, a[1]);
    law.kill_start = AT(const int32_t, a[2]);
    law.kill_digit = AT(const uint8_t, a[3]);
    law.kill_cells = AT(const uint64_t, a[4]);
    Py_BEGIN_ALLOW_THREADS
    satdoku_count(&law, puzzles_count, AT(const uint8_t, puzzles), budget, AT(uint64_t, grids),
                  AT(uint64_t, nodes));
    Py_END_ALLOW_THREADS
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"count", count, METH_VARARGS, "count(law, count, puzzles, budget, grids, nodes)"},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_count", "Counting grids, in C.", 0, methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__count(void)
{
    return PyModule_Create(&definition);
}
