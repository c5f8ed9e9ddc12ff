/* Ratings as a Python extension.
 *
 * Invariant: no argument of any caller makes the code read or write outside an array. Puzzles and
 * ratings are buffers of the board's shape, and a puzzle's digits are copied and checked before they
 * are used. Each call has its own memory, so threads may call at once; the interpreter lock is
 * released while it works. */
#include "../../runtime/buffers.h"

#include "rate.h"

enum { PUZZLE = 81 };

/* A copy of the puzzles with nothing but digits: NULL with an error set if there is anything else. */
static uint8_t *copy_puzzles(PyObject *object, Py_ssize_t *count)
{
    Py_ssize_t items;
    uint8_t *puzzles = copy_items(object, input("puzzles", UINT8, ANY, PUZZLE), &items);
    if (!puzzles) return NULL;
    for (Py_ssize_t i = 0; i < items; i++)
        if (puzzles[i] > 9) {
            PyErr_Format(PyExc_ValueError, "puzzles: expected digits 0 to 9 in row %zd", i / PUZZLE);
            PyMem_Free(puzzles);
            return NULL;
        }
    *count = items / PUZZLE;
    return puzzles;
}

static PyObject *rate_copies(const uint8_t *puzzles, Py_ssize_t count, double seconds, PyObject *out)
{
    Py_buffer view = {0};
    int64_t done = -1;
    if (!take_buffer(out, output("ratings", INT32, count, SATDOKU_RATING_FIELDS), &view)) return NULL;
    Py_BEGIN_ALLOW_THREADS
    satdoku_rater *rater = satdoku_open_rater();
    if (rater) done = satdoku_rate(rater, count, puzzles, seconds, view.buf);
    satdoku_close_rater(rater);
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&view);
    return done < 0 ? PyErr_NoMemory() : PyLong_FromLongLong(done);
}

static PyObject *rate(PyObject *module, PyObject *args)
{
    PyObject *puzzles, *ratings;
    Py_ssize_t count;
    double seconds;
    (void)module;
    if (!PyArg_ParseTuple(args, "OdO", &puzzles, &seconds, &ratings)) return NULL;
    uint8_t *copies = copy_puzzles(puzzles, &count);
    if (!copies) return NULL;
    PyObject *result = rate_copies(copies, count, seconds, ratings);
    PyMem_Free(copies);
    return result;
}

static PyObject *steps(PyObject *module, PyObject *puzzle)
{
    Py_ssize_t count;
    const int32_t *numbers = NULL;
    int64_t length = -1;
    (void)module;
    uint8_t *copy = copy_puzzles(puzzle, &count);
    if (!copy) return NULL;
    if (count != 1) {
        PyMem_Free(copy);
        return PyErr_Format(PyExc_ValueError, "puzzles: expected one row, found %zd", count);
    }
    satdoku_rater *rater;
    Py_BEGIN_ALLOW_THREADS
    rater = satdoku_open_rater();
    if (rater) length = satdoku_steps(rater, copy, &numbers);
    Py_END_ALLOW_THREADS
    PyObject *result =
        length < 0 ? PyErr_NoMemory()
                   : PyBytes_FromStringAndSize((const char *)numbers, length * (Py_ssize_t)sizeof *numbers);
    satdoku_close_rater(rater);
    PyMem_Free(copy);
    return result;
}

static PyMethodDef methods[] = {
    {"rate", rate, METH_VARARGS, "rate(puzzles, seconds, ratings) -> how many are rated"},
    {"steps", steps, METH_O, "steps(puzzle) -> int32 numbers as bytes"},
    {NULL, NULL, 0, NULL},
};

EXTENSION(_ratings, "Ratings, in C.", (satdoku_fill_ratings(), 1))
