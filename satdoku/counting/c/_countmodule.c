/* Counting as a Python extension.
 *
 * Invariant: no argument of any caller makes the code read or write outside an array. Tables are
 * copied, checked once and never changed; puzzles and counts are buffers whose shapes the tables
 * dictate. The interpreter lock is released while it works. */
#include "../../buffers.h"

#include "count.h"

static const char *TABLES = "satdoku.counting.tables";

static void free_tables(satdoku_count_tables *tables)
{
    PyMem_Free((void *)tables->group_digit);
    PyMem_Free((void *)tables->group_cells);
    PyMem_Free((void *)tables->kill_start);
    PyMem_Free((void *)tables->kill_digit);
    PyMem_Free((void *)tables->kill_cells);
    PyMem_Free(tables);
}

static void free_capsule(PyObject *capsule) { free_tables(PyCapsule_GetPointer(capsule, TABLES)); }

static int copy_tables(PyObject *const a[5], satdoku_count_tables *t)
{
    Py_ssize_t groups, kills, items, starts = (Py_ssize_t)t->cells * t->digits + 1;
    t->words = t->cells > 128 ? 4 : 2;
    t->group_digit = copy_items(a[0], input("group_digits", UINT8, ANY, FLAT), &groups);
    if (!t->group_digit) return 0;
    t->group_cells = copy_items(a[1], input("group_cells", UINT64, groups, t->words), &items);
    if (!t->group_cells) return 0;
    t->kill_start = copy_items(a[2], input("kill_starts", INT32, starts, FLAT), &items);
    if (!t->kill_start) return 0;
    t->kill_digit = copy_items(a[3], input("kill_digits", UINT8, ANY, FLAT), &kills);
    if (!t->kill_digit) return 0;
    t->kill_cells = copy_items(a[4], input("kill_cells", UINT64, kills, t->words), &items);
    if (!t->kill_cells) return 0;
    t->groups = groups, t->kills = kills;
    const char *fault = satdoku_count_fault(t);
    if (fault) PyErr_SetString(PyExc_ValueError, fault);
    return !fault;
}

static PyObject *make_tables(PyObject *module, PyObject *args)
{
    int digits, cells;
    PyObject *a[5];
    (void)module;
    if (!PyArg_ParseTuple(args, "iiOOOOO", &digits, &cells, a, a + 1, a + 2, a + 3, a + 4))
        return NULL;
    if (digits < 1 || digits > SATDOKU_MAX_DIGITS || cells < 1 || cells > SATDOKU_MAX_CELLS)
        return PyErr_Format(PyExc_ValueError, "%d digits, %d cells: expected 1 to %d, 1 to %d",
                            digits, cells, SATDOKU_MAX_DIGITS, SATDOKU_MAX_CELLS);
    satdoku_count_tables *tables = PyMem_Calloc(1, sizeof *tables);
    if (!tables) return PyErr_NoMemory();
    tables->digits = digits, tables->cells = cells;
    PyObject *capsule = copy_tables(a, tables) ? PyCapsule_New(tables, TABLES, free_capsule) : NULL;
    if (!capsule) free_tables(tables);
    return capsule;
}

static PyObject *count(PyObject *module, PyObject *args)
{
    PyObject *capsule, *puzzles, *grids, *nodes, *result = NULL;
    Py_buffer views[3] = {{0}};
    long long budget;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOLOO", &capsule, &puzzles, &budget, &grids, &nodes)) return NULL;
    const satdoku_count_tables *tables = PyCapsule_GetPointer(capsule, TABLES);
    if (!tables) return NULL;
    if (budget < 0)
        return PyErr_Format(PyExc_ValueError, "budget %lld: expected 0 or more", budget);
    if (take_buffer(puzzles, input("puzzles", UINT8, ANY, tables->cells), views)
        && take_buffer(grids, output("grids", UINT64, views->shape[0], FLAT), views + 1)
        && take_buffer(nodes, output("nodes", UINT64, views->shape[0], FLAT), views + 2)) {
        Py_BEGIN_ALLOW_THREADS
        satdoku_count(tables, views->shape[0], views[0].buf, (uint64_t)budget, views[1].buf,
                      views[2].buf);
        Py_END_ALLOW_THREADS
        result = Py_NewRef(Py_None);
    }
    release_buffers(views, 3);
    return result;
}

static PyMethodDef methods[] = {
    {"tables", make_tables, METH_VARARGS, "tables(digits, cells, group_digits, ...) -> capsule"},
    {"count", count, METH_VARARGS, "count(tables, puzzles, budget, grids, nodes)"},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_count", "Counting grids, in C.", 0, methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__count(void)
{
    return PyModule_Create(&definition);
}
