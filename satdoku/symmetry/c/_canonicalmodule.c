/* Canonical forms as a Python extension.
 *
 * Invariant: no argument of any caller makes the code read or write outside an array. A listing is
 * copied, checked once and never changed; puzzles and forms are buffers whose shapes the board
 * dictates, and a puzzle is copied before its digits are used. The interpreter lock is released
 * while it works. */
#include "../../runtime/buffers.h"

#include "canonical.h"

static const char *LISTING = "satdoku.symmetry.listing";

/* Puzzles, forms and one row of `columns` items for each puzzle; the views are zero. */
static int take_arrays(PyObject *const arrays[3], int cells, Wanted rows, Py_buffer views[3])
{
    if (!take_buffer(arrays[0], input("puzzles", UINT8, ANY, cells), views)) return 0;
    rows.rows = views[0].shape[0];
    return take_buffer(arrays[1], output("forms", UINT8, rows.rows, cells), views + 1)
           && take_buffer(arrays[2], rows, views + 2);
}

/* `done` puzzles of `count` have their forms: the next one, if there is one, is at fault. */
static PyObject *finish(int64_t done, int64_t count, int size)
{
    if (done == count) Py_RETURN_NONE;
    return PyErr_Format(PyExc_ValueError, "puzzles: expected digits 0 to %d in row %lld", size,
                        (long long)done);
}

static PyObject *by_lines(PyObject *module, PyObject *args)
{
    satdoku_board board;
    Py_buffer views[3] = {{0}};
    PyObject *a[3], *result = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "(iiipp)OOO", &board.size, &board.box_rows, &board.box_columns,
                          &board.transposable, &board.free_digits, a, a + 1, a + 2))
        return NULL;
    const char *fault = satdoku_board_fault(&board);
    if (fault) return PyErr_Format(PyExc_ValueError, "%s", fault);
    Wanted orbits = output("orbits", UINT8, ANY, 2 * board.size + 1);
    if (take_arrays(a, board.size * board.size, orbits, views)) {
        int64_t done, count = views[0].shape[0];
        Py_BEGIN_ALLOW_THREADS
        done = satdoku_by_lines(&board, count, views[0].buf, views[1].buf, views[2].buf);
        Py_END_ALLOW_THREADS
        result = finish(done, count, board.size);
    }
    release_buffers(views, 3);
    return result;
}

static void free_listing(satdoku_listing *listing)
{
    PyMem_Free((void *)listing->source);
    PyMem_Free((void *)listing->renamed);
    PyMem_Free((void *)listing->class_of);
    PyMem_Free(listing);
}

static void free_capsule(PyObject *capsule)
{
    free_listing(PyCapsule_GetPointer(capsule, LISTING));
}

static int copy_listing(PyObject *const arrays[3], satdoku_listing *g)
{
    Py_ssize_t sources, renamings, classes, cells = g->cells, digits = g->size + 1;
    g->source = copy_items(arrays[0], input("sources", UINT16, ANY, cells), &sources);
    if (!g->source) return 0;
    g->renamed = copy_items(arrays[1], input("renamings", UINT8, ANY, digits), &renamings);
    if (!g->renamed) return 0;
    g->class_of = copy_items(arrays[2], input("class_of", UINT8, digits, FLAT), &classes);
    if (!g->class_of) return 0;
    if (sources / cells > INT32_MAX || renamings / digits > INT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "sources, renamings: too many");
        return 0;
    }
    g->permutations = (int32_t)(sources / cells);
    g->representatives = (int32_t)(renamings / digits);
    const char *fault = satdoku_finish_listing(g);
    if (fault) PyErr_SetString(PyExc_ValueError, fault);
    return !fault;
}

static PyObject *make_listing(PyObject *module, PyObject *args)
{
    int size, cells = 0;
    PyObject *a[3];
    (void)module;
    if (!PyArg_ParseTuple(args, "iOOO|i", &size, a, a + 1, a + 2, &cells)) return NULL;
    if (size < 1 || size > SATDOKU_MAX_SIZE)
        return PyErr_Format(PyExc_ValueError, "size %d: expected 1 to %d", size, SATDOKU_MAX_SIZE);
    if (!cells) cells = size * size;
    if (cells < 1 || cells > SATDOKU_MAX_CELLS)
        return PyErr_Format(PyExc_ValueError, "cells %d: expected 1 to %d", cells,
                            SATDOKU_MAX_CELLS);
    satdoku_listing *listing = PyMem_Calloc(1, sizeof *listing);
    if (!listing) return PyErr_NoMemory();
    listing->size = size;
    listing->cells = cells;
    PyObject *capsule = NULL;
    if (copy_listing(a, listing)) capsule = PyCapsule_New(listing, LISTING, free_capsule);
    if (!capsule) free_listing(listing);
    return capsule;
}

static PyObject *by_list(PyObject *module, PyObject *args)
{
    Py_buffer views[3] = {{0}};
    PyObject *capsule, *a[3], *result = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOO", &capsule, a, a + 1, a + 2)) return NULL;
    const satdoku_listing *listing = PyCapsule_GetPointer(capsule, LISTING);
    if (!listing) return NULL;
    Wanted fixing = output("fixing", UINT32, ANY, FLAT);
    if (take_arrays(a, listing->cells, fixing, views)) {
        int64_t done, count = views[0].shape[0];
        Py_BEGIN_ALLOW_THREADS
        done = satdoku_by_list(listing, count, views[0].buf, views[1].buf, views[2].buf);
        Py_END_ALLOW_THREADS
        result = finish(done, count, listing->size);
    }
    release_buffers(views, 3);
    return result;
}

static PyObject *images(PyObject *module, PyObject *args)
{
    satdoku_moves moves;
    Py_buffer v[4] = {{0}};
    PyObject *a[4], *result = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "(iii)OOOO", &moves.height, &moves.width, &moves.size, a, a + 1,
                          a + 2, a + 3))
        return NULL;
    int longest = moves.height > moves.width ? moves.height : moves.width;
    if (moves.height < 1 || moves.width < 1 || longest > SATDOKU_MAX_SIZE || moves.size < 1
        || moves.size > SATDOKU_MAX_SIZE)
        return PyErr_Format(PyExc_ValueError, "board: expected sides and digits from 1 to %d",
                            SATDOKU_MAX_SIZE);
    moves.points = 2 * longest;
    int cells = moves.height * moves.width;
    if (take_buffer(a[0], input("puzzles", UINT8, ANY, cells), v)) {
        int64_t done, count = v[0].shape[0];
        if (take_buffer(a[1], input("lines", UINT8, count, moves.points), v + 1)
            && take_buffer(a[2], input("digits", UINT8, count, moves.size + 1), v + 2)
            && take_buffer(a[3], output("images", UINT8, count, cells), v + 3)) {
            Py_BEGIN_ALLOW_THREADS
            done = satdoku_images(&moves, count, v[0].buf, v[1].buf, v[2].buf, v[3].buf);
            Py_END_ALLOW_THREADS
            if (done == count)
                result = Py_NewRef(Py_None);
            else
                PyErr_Format(PyExc_ValueError, "row %lld: expected a puzzle and lines of the board",
                             (long long)done);
        }
    }
    release_buffers(v, 4);
    return result;
}

static PyMethodDef methods[] = {
    {"images", images, METH_VARARGS,
     "images((height, width, size), puzzles, lines, digits, images)"},
    {"by_lines", by_lines, METH_VARARGS, "by_lines(board, puzzles, forms, orbits)"},
    {"listing", make_listing, METH_VARARGS,
     "listing(size, sources, renamings, class_of, cells=size**2) -> capsule"},
    {"by_list", by_list, METH_VARARGS, "by_list(listing, puzzles, forms, fixing)"},
    {NULL, NULL, 0, NULL},
};

EXTENSION(_canonical, "Canonical forms, in C.", 1)
