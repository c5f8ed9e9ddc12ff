/* Houses of whole grids, checked by themselves: no digit is compared with what a solver thought.
 *
 * Invariant: a grid is good if and only if each of its cells holds a digit, each given stands where
 * the puzzle has it, and each house holds every digit once. The houses come from `witness.rules`;
 * nothing here is shared with the engine. A house has as many cells as there are digits, so it is
 * enough that every digit is in it. */
#include "../../runtime/buffers.h"

enum { MAX_SIZE = 25, DIGITS = 32, MAX_HOUSES = 1 << 16, MAX_CELLS = 1 << 14 };

static const char *HOUSES = "satdoku.witness.houses";

typedef struct {
    int size, cells, words; /* words: 64-bit words for a set of houses */
    uint64_t *every;        /* all houses: a word each */
    uint64_t *through;      /* the houses of a cell: word w of cell c at w * cells + c */
} Houses;

static void free_houses(Houses *h)
{
    PyMem_Free(h->every);
    PyMem_Free(h->through);
    PyMem_Free(h);
}

static void free_capsule(PyObject *capsule) { free_houses(PyCapsule_GetPointer(capsule, HOUSES)); }

/* Note the houses, each a row of `size` cells; 0 with an error set if one has no such cell. */
static int fill(Houses *h, const int32_t *members, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; i < count * h->size; i++) {
        Py_ssize_t house = i / h->size;
        if (members[i] < 0 || members[i] >= h->cells) {
            PyErr_Format(PyExc_ValueError, "members: expected cells 0 to %d", h->cells - 1);
            return 0;
        }
        h->every[house / 64] |= (uint64_t)1 << house % 64;
        h->through[house / 64 * h->cells + members[i]] |= (uint64_t)1 << house % 64;
    }
    return 1;
}

static PyObject *make_houses(PyObject *module, PyObject *args)
{
    int size, cells;
    Py_ssize_t items = 0;
    PyObject *array, *capsule = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "iiO", &cells, &size, &array)) return NULL;
    if (size < 1 || size > MAX_SIZE)
        return PyErr_Format(PyExc_ValueError, "size: expected 1 to %d", MAX_SIZE);
    if (cells < 1 || cells > MAX_CELLS)
        return PyErr_Format(PyExc_ValueError, "cells: expected 1 to %d", MAX_CELLS);
    int32_t *members = copy_items(array, input("members", INT32, ANY, FLAT), &items);
    if (!members) return NULL;
    Houses *h = PyMem_Calloc(1, sizeof *h);
    Py_ssize_t count = items / size;
    if (items % size || count > MAX_HOUSES)
        PyErr_Format(PyExc_ValueError, "members: expected at most %d houses of %d cells",
                     MAX_HOUSES, size);
    else if (h) {
        h->size = size, h->cells = cells, h->words = (int)(count / 64 + 1);
        h->every = PyMem_Calloc((size_t)h->words, sizeof *h->every);
        h->through = PyMem_Calloc((size_t)h->words * (size_t)h->cells, sizeof *h->through);
        if (!h->every || !h->through) PyErr_NoMemory();
        else if (fill(h, members, count)) capsule = PyCapsule_New(h, HOUSES, free_capsule);
    } else PyErr_NoMemory();
    if (!capsule && h) free_houses(h);
    PyMem_Free(members);
    return capsule;
}

/* Whether the cells hold digits, the givens among them. */
static int keeps(const Houses *h, const uint8_t *puzzle, const uint8_t *solution)
{
    uint8_t size = (uint8_t)h->size, bad = 0;
    for (int c = 0; c < h->cells; c++) {
        uint8_t digit = solution[c], given = puzzle[c];
        bad |= (uint8_t)((digit == 0) | (digit > size) | ((given != 0) & (given != digit)));
    }
    return !bad;
}

/* Whether every digit is in all houses, of two grids at once: so one need not wait for the other's
 * memory, and both take three quarters of the time. */
static void fills(const Houses *h, const uint8_t *one, const uint8_t *two, int good[2])
{
    good[0] = good[1] = 1;
    for (int w = 0; w < h->words; w++) {
        const uint64_t *through = h->through + (size_t)w * (size_t)h->cells, every = h->every[w];
        uint64_t first[DIGITS] = {0}, second[DIGITS] = {0}, in_one = every, in_two = every;
        for (int c = 0; c < h->cells; c++) {
            uint64_t houses = through[c];
            first[one[c] % DIGITS] |= houses;
            second[two[c] % DIGITS] |= houses;
        }
        for (int d = 1; d <= h->size; d++) in_one &= first[d], in_two &= second[d];
        good[0] &= in_one == every, good[1] &= in_two == every;
    }
}

static void check_grids(const Houses *h, const uint8_t *puzzles, const uint8_t *solutions,
                        Py_ssize_t count, uint8_t *verdicts)
{
    for (Py_ssize_t i = 0; i < count; i += 2) {
        Py_ssize_t j = i + 1 < count ? i + 1 : i;
        const uint8_t *one = solutions + i * h->cells, *two = solutions + j * h->cells;
        int good[2];
        fills(h, one, two, good);
        verdicts[i] = good[0] && keeps(h, puzzles + i * h->cells, one);
        verdicts[j] = good[j - i] && keeps(h, puzzles + j * h->cells, two);
    }
}

static PyObject *check(PyObject *module, PyObject *args)
{
    PyObject *capsule, *puzzles, *solutions, *good, *result = NULL;
    Py_buffer views[3] = {{0}};
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOO", &capsule, &puzzles, &solutions, &good)) return NULL;
    const Houses *h = PyCapsule_GetPointer(capsule, HOUSES);
    if (!h) return NULL;
    if (take_buffer(puzzles, input("puzzles", UINT8, ANY, h->cells), views)
        && take_buffer(solutions, input("solutions", UINT8, views[0].shape[0], h->cells), views + 1)
        && take_buffer(good, output("good", UINT8, views[0].shape[0], FLAT), views + 2)) {
        Py_BEGIN_ALLOW_THREADS
        check_grids(h, views[0].buf, views[1].buf, views[0].shape[0], views[2].buf);
        Py_END_ALLOW_THREADS
        result = Py_NewRef(Py_None);
    }
    release_buffers(views, 3);
    return result;
}

static PyMethodDef methods[] = {
    {"houses", make_houses, METH_VARARGS, "houses(cells, size, members) -> capsule"},
    {"check", check, METH_VARARGS, "check(houses, puzzles, solutions, good)"},
    {NULL, NULL, 0, NULL},
};

EXTENSION(_houses, "Whole grids checked against their houses.", 1)
