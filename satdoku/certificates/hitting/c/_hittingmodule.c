/* The search for hitting sets as a Python extension.
 *
 * Invariant: no argument of any caller makes the search read or write outside an array. Arrays are
 * copied and checked. The interpreter lock is held: the search asks Python. */
#include "../../../runtime/buffers.h"

#include "hitting.h"

#include <stdlib.h>

/* What the search talks to: functions of Python, and the sets that they told. */
typedef struct {
    PyObject *ask, *found, *poll; /* `ask` may be None */
    satdoku_set *learnt;
    Py_ssize_t count, room;
} Talk;

static PyObject *as_bytes(satdoku_set set)
{
    return PyBytes_FromStringAndSize((const char *)set.word, sizeof set.word);
}

static int keep(Talk *talk, satdoku_set set)
{
    if (talk->count == talk->room) {
        Py_ssize_t room = talk->room ? 2 * talk->room : 64;
        satdoku_set *moved = realloc(talk->learnt, (size_t)room * sizeof set);
        if (!moved) return PyErr_NoMemory(), 0;
        talk->learnt = moved, talk->room = room;
    }
    talk->learnt[talk->count++] = set;
    return 1;
}

static int read_set(PyObject *answer, satdoku_set *set)
{
    char *text;
    Py_ssize_t length;
    if (PyBytes_AsStringAndSize(answer, &text, &length) < 0) return 0;
    if (length != sizeof set->word) {
        PyErr_Format(PyExc_ValueError, "set: expected 16 bytes, found %zd", length);
        return 0;
    }
    memcpy(set->word, text, sizeof set->word);
    return 1;
}

static int ask(void *context, satdoku_set givens, satdoku_set *unhit)
{
    Talk *talk = context;
    PyObject *cells = as_bytes(givens);
    if (!cells) return SATDOKU_STOPPED;
    PyObject *answer = PyObject_CallFunctionObjArgs(talk->ask, cells, NULL);
    Py_DECREF(cells);
    if (!answer) return SATDOKU_STOPPED;
    int told = 0;
    if (answer != Py_None) {
        told = read_set(answer, unhit) ? 1 : SATDOKU_STOPPED;
        for (int half = 0; told > 0 && half < 2; half++)
            if (unhit->word[half] & givens.word[half]) {
                PyErr_SetString(PyExc_ValueError, "ask: expected a set that is not hit");
                told = SATDOKU_STOPPED;
            }
        if (told > 0 && !keep(talk, *unhit)) told = SATDOKU_STOPPED;
    }
    Py_DECREF(answer);
    return told;
}

static int found(void *context, satdoku_set givens, satdoku_set barred)
{
    PyObject *answer = NULL, *cells = as_bytes(givens), *others = as_bytes(barred);
    if (cells && others)
        answer = PyObject_CallFunctionObjArgs(((Talk *)context)->found, cells, others, NULL);
    Py_XDECREF(cells);
    Py_XDECREF(others);
    Py_XDECREF(answer);
    return answer ? 0 : SATDOKU_STOPPED;
}

static int poll(void *context)
{
    PyObject *answer = PyObject_CallFunctionObjArgs(((Talk *)context)->poll, NULL);
    Py_XDECREF(answer);
    return answer ? 0 : SATDOKU_STOPPED;
}

static PyObject *results(int64_t nodes, Talk *talk)
{
    if (nodes == SATDOKU_NO_MEMORY) return PyErr_NoMemory();
    if (nodes < 0) return NULL;
    return Py_BuildValue("Ly#", (long long)nodes, talk->learnt ? (char *)talk->learnt : "",
                         talk->count * (Py_ssize_t)sizeof(satdoku_set));
}

static PyObject *search(PyObject *module, PyObject *args)
{
    PyObject *array, *parts, *given, *barred, *result = NULL;
    satdoku_set *sets = NULL;
    Py_ssize_t cells = 0, bytes = 0;
    Talk talk = {0};
    satdoku_hitting wanted = {.ask = ask, .found = found, .poll = poll, .context = &talk};
    (void)module;
    if (!PyArg_ParseTuple(args, "OOiiiOOOOO", &array, &parts, &wanted.size, wanted.strict,
                          wanted.strict + 1, &given, &barred, &talk.ask, &talk.found, &talk.poll))
        return NULL;
    if (!read_set(given, &wanted.given) || !read_set(barred, &wanted.barred)) return NULL;
    if (talk.ask == Py_None) wanted.ask = NULL;
    wanted.part = copy_items(parts, input("parts", UINT8, ANY, FLAT), &cells);
    if (!wanted.part) return NULL;
    wanted.cells = cells > SATDOKU_MOST_CELLS ? SATDOKU_MOST_CELLS : (int)cells;
    const char *fault = cells > SATDOKU_MOST_CELLS ? "parts: expected 128 cells at most"
                                                   : satdoku_hitting_fault(&wanted);
    if (fault)
        PyErr_SetString(PyExc_ValueError, fault);
    else if ((sets = copy_items(array, input("sets", UINT8, ANY, FLAT), &bytes)))
        result = results(satdoku_hit(&wanted, sets, bytes / (Py_ssize_t)sizeof *sets), &talk);
    PyMem_Free(sets);
    PyMem_Free((void *)wanted.part);
    free(talk.learnt);
    return result;
}

static PyMethodDef methods[] = {
    {"search", search, METH_VARARGS,
     "search(sets, parts, size, strict0, strict1, given, barred, ask, found, poll) -> nodes, sets"},
    {NULL, NULL, 0, NULL},
};

static int runs_here(void)
{
    if (satdoku_hitting_runs()) return 1;
    PyErr_SetString(PyExc_ImportError, "this processor has no popcnt");
    return 0;
}

EXTENSION(_hitting, "Hitting sets, in C.", runs_here())
