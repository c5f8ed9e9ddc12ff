/* Canonical forms as a Python extension.
 *
 * Invariant: as for the engine's kernel: arrays are passed by address, checked and kept alive by the
 * caller (`kernel.py`); the limited API of Python 3.10; no interpreter lock while it works.
 */
#define Py_LIMITED_API 0x030A0000
#include <Python.h>

#include "canonical.h"

typedef unsigned long long Address;
#define AT(type, address) ((type *)(uintptr_t)(address))

static PyObject *by_lines(PyObject *module, PyObject *args)
{
    satdoku_board board;
    long long count;
    Address puzzles, forms, orbits;
    (void)module;
    if (!PyArg_ParseTuple(args, "(iiiii)LKKK", &board.size, &board.box_rows, &board.box_columns,
                          &board.transposable, &board.free_digits, &count, &puzzles, &forms,
                          &orbits))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    satdoku_by_lines(&board, count, AT(const uint8_t, puzzles), AT(uint8_t, forms),
                     AT(uint8_t, orbits));
    Py_END_ALLOW_THREADS
    Py_RETURN_NONE;
}

static PyObject *by_list(PyObject *module, PyObject *args)
{
    satdoku_listing g;
    long long count;
    Address a[5], puzzles, forms, fixing;
    (void)module;
    if (!PyArg_ParseTuple(args, "(iiiKKKKK)LKKK", &g.size, &g.permutations, &g.representatives, a,
                          a + 1, a + 2, a + 3, a + 4, &count, &puzzles, &forms, &fixing))
        return NULL;
    g.cells = g.size * g.size;
    g.source = AT(const uint16_t, a[0]);
    g.renamed = AT(const uint8_t, a[1]);
    g.class_of = AT(const uint8_t, a[2]);
    g.members = AT(const uint8_t, a[3]);
    g.start = AT(const uint8_t, a[4]);
    Py_BEGIN_ALLOW_THREADS
    satdoku_by_list(&g, count, AT(const uint8_t, puzzles), AT(uint8_t, forms),
                    AT(uint32_t, fixing));
    Py_END_ALLOW_THREADS
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"by_lines", by_lines, METH_VARARGS, "by_lines(board, count, puzzles, forms, orbits)"},
    {"by_list", by_list, METH_VARARGS, "by_list(listing, count, puzzles, forms, fixing)"},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_canonical", "Canonical forms, in C.", 0, methods,
    NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__canonical(void)
{
    return PyModule_Create(&definition);
}
