/* Other grids as a Python extension.
 *
 * Invariant: no argument of any caller makes the search read or write outside an array. Tables are
 * copied, checked once and never changed; a set of cells is 16 bytes. */
#include "../../runtime/buffers.h"

#include "others.h"

static const char *TABLES = "satdoku.fewest.others";

enum { MOST_GRIDS = 1 << 20 }; /* that `within` looks at */

static void free_tables(satdoku_others *t)
{
    PyMem_Free((void *)t->grid);
    PyMem_Free((void *)t->kill_start);
    PyMem_Free((void *)t->kill_cell);
    PyMem_Free((void *)t->kill_digits);
    PyMem_Free((void *)t->house);
    PyMem_Free(t);
}

static void free_capsule(PyObject *capsule) { free_tables(PyCapsule_GetPointer(capsule, TABLES)); }

static int copy_tables(PyObject *const a[5], satdoku_others *t)
{
    Py_ssize_t found, cells, kills;
    t->grid = copy_items(a[0], input("grid", UINT8, ANY, FLAT), &cells);
    if (!t->grid) return 0;
    t->cells = cells > SATDOKU_MOST_CELLS ? 0 : (int)cells; /* 0 is refused */
    t->kill_start = copy_items(
        a[1], input("kill_starts", INT32, (Py_ssize_t)t->cells * t->digits + 1, FLAT), &found);
    if (!t->kill_start) return 0;
    t->kill_cell = copy_items(a[2], input("kill_cells", UINT8, ANY, FLAT), &kills);
    if (!t->kill_cell) return 0;
    t->kill_digits = copy_items(a[3], input("kill_digits", UINT16, kills, FLAT), &kills);
    if (!t->kill_digits) return 0;
    t->house = copy_items(a[4], input("houses", UINT8, ANY, t->digits), &found);
    if (!t->house) return 0;
    t->kills = kills, t->houses = found / t->digits;
    const char *fault = satdoku_others_fault(t);
    if (fault) PyErr_SetString(PyExc_ValueError, fault);
    return !fault;
}

static PyObject *make_tables(PyObject *module, PyObject *args)
{
    int digits;
    PyObject *a[5];
    (void)module;
    if (!PyArg_ParseTuple(args, "iOOOOO", &digits, a, a + 1, a + 2, a + 3, a + 4)) return NULL;
    if (digits < 1 || digits > SATDOKU_MOST_DIGITS)
        return PyErr_Format(PyExc_ValueError, "%d digits: expected 1 to 16", digits);
    satdoku_others *tables = PyMem_Calloc(1, sizeof *tables);
    if (!tables) return PyErr_NoMemory();
    tables->digits = digits;
    PyObject *capsule = copy_tables(a, tables) ? PyCapsule_New(tables, TABLES, free_capsule) : NULL;
    if (!capsule) free_tables(tables);
    return capsule;
}

/* The two arguments that each function begins with; NULL with an error set if they are none. */
static const satdoku_others *read_arguments(PyObject *capsule, PyObject *bytes, satdoku_set *set)
{
    char *text;
    Py_ssize_t length;
    const satdoku_others *tables = PyCapsule_GetPointer(capsule, TABLES);
    if (!tables || PyBytes_AsStringAndSize(bytes, &text, &length) < 0) return NULL;
    if (length != sizeof set->word)
        return PyErr_Format(PyExc_ValueError, "cells: expected 16 bytes, found %zd", length), NULL;
    memcpy(set->word, text, sizeof set->word);
    return tables;
}

static PyObject *other(PyObject *module, PyObject *args)
{
    PyObject *capsule, *bytes;
    satdoku_set givens, found;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO", &capsule, &bytes)) return NULL;
    const satdoku_others *tables = read_arguments(capsule, bytes, &givens);
    if (!tables) return NULL;
    if (!satdoku_other(tables, givens, &found)) return Py_NewRef(Py_None);
    return PyBytes_FromStringAndSize((const char *)found.word, sizeof found.word);
}

static PyObject *within(PyObject *module, PyObject *args)
{
    PyObject *capsule, *bytes, *result;
    satdoku_set region;
    int largest, limit;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOii", &capsule, &bytes, &largest, &limit)) return NULL;
    const satdoku_others *tables = read_arguments(capsule, bytes, &region);
    if (!tables) return NULL;
    if (limit < 0 || limit > MOST_GRIDS)
        return PyErr_Format(PyExc_ValueError, "limit %d: expected 0 to %d", limit, MOST_GRIDS);
    satdoku_set *sets = PyMem_Malloc(((size_t)limit + 1) * sizeof *sets);
    if (!sets) return PyErr_NoMemory();
    int64_t count = satdoku_within(tables, region, largest, limit, sets);
    result = PyBytes_FromStringAndSize((const char *)sets, (Py_ssize_t)(count * (int64_t)sizeof *sets));
    PyMem_Free(sets);
    return result;
}

static PyObject *filling(PyObject *module, PyObject *args)
{
    PyObject *capsule, *bytes;
    satdoku_set cells;
    uint8_t digits[SATDOKU_MOST_CELLS];
    (void)module;
    if (!PyArg_ParseTuple(args, "OO", &capsule, &bytes)) return NULL;
    const satdoku_others *tables = read_arguments(capsule, bytes, &cells);
    if (!tables) return NULL;
    if (!satdoku_filling(tables, cells, digits)) return Py_NewRef(Py_None);
    return PyBytes_FromStringAndSize((const char *)digits, tables->cells);
}

static PyMethodDef methods[] = {
    {"tables", make_tables, METH_VARARGS, "tables(digits, grid, kill_starts, ...) -> capsule"},
    {"other", other, METH_VARARGS, "other(tables, givens) -> cells or None"},
    {"within", within, METH_VARARGS, "within(tables, region, largest, limit) -> cells of each set"},
    {"filling", filling, METH_VARARGS, "filling(tables, cells) -> digits or None"},
    {NULL, NULL, 0, NULL},
};

EXTENSION(_others, "Other grids, in C.", 1)
