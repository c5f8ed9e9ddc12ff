/* Nets as a Python extension.
 *
 * Invariant: no argument of any caller makes the code read or write outside an array. A net is
 * checked when it is opened (`net.h`), candidates left are copied, and what a net
 * remembers serves one call at a time, all else is a call's own, so that threads may call at once;
 * the interpreter lock is released while it works, but for a look now and then at whether time is
 * over. */
#include "../../../runtime/caller.h"

#include "links.h"
#include "places.h"

static const char *NAME = "satdoku.explain.logic._net";

static void forget(PyObject *capsule)
{
    Net *net = PyCapsule_GetPointer(capsule, NAME);
    close_store(net->store);
    close_net(net);
}

static PyObject *open_(PyObject *module, PyObject *numbers)
{
    Py_ssize_t count;
    (void)module;
    int32_t *copy = copy_items(numbers, input("numbers", INT32, ANY, FLAT), &count);
    if (!copy) return NULL;
    Net *net = open_net(copy, (size_t)count);
    PyMem_Free(copy);
    if (!net) return PyErr_Format(PyExc_ValueError, "numbers: expected a net");
    return PyCapsule_New(net, NAME, forget);
}

/* A byte for each candidate, 0 or 1, from bits; NULL with an error set. */
static uint8_t *take_candidates(const Net *net, PyObject *object, const char *name)
{
    Py_ssize_t count;
    uint8_t *bits = copy_items(object, input(name, UINT8, ANY, FLAT), &count);
    if (!bits) return NULL;
    uint8_t *candidates = PyMem_Malloc((size_t)net->variables);
    if (!candidates)
        PyErr_NoMemory();
    else
        for (int32_t c = 0; c < net->variables; c++)
            candidates[c] = c / 8 < count && bits[c / 8] >> c % 8 & 1;
    PyMem_Free(bits);
    return candidates;
}

/* The nodes one after the other: candidate, holds, unit, number of parents, parents, and how many
 * nodes are behind it that are its case. */
static PyObject *numbers_of(const Chain *chains)
{
    size_t count = 5 * (size_t)chains->count + (size_t)chains->used, used = 0;
    int32_t *numbers = PyMem_Malloc((count + 1) * sizeof *numbers);
    if (!numbers) return PyErr_NoMemory();
    for (int32_t n = 0; n < chains->count; n++) {
        const Node *node = &chains->nodes[n];
        numbers[used++] = node->candidate;
        numbers[used++] = node->holds;
        numbers[used++] = node->unit;
        numbers[used++] = node->count;
        for (int32_t k = 0; k < node->count; k++) numbers[used++] = chains->pool[node->first + k];
        numbers[used++] = node->cases;
    }
    PyObject *found = PyBytes_FromStringAndSize((const char *)numbers, (Py_ssize_t)(used * sizeof *numbers));
    PyMem_Free(numbers);
    return found;
}

typedef enum { CHAINS, REFUTE, BY_CASES } Task;

/* What one of the searches finds with what the net remembers; NULL with an error set. */
static PyObject *search(Store *store, const uint8_t *live, const uint8_t *tried, Task task, int most,
                        PyObject *check)
{
    Caller caller = {check, NULL};
    Chain chains = {0};
    int ok = 0;
    store->is_over = has_to_end;
    store->asked = &caller;
    store->has_ended = 0;
    caller.thread = PyEval_SaveThread();
    enter(store, live);
    if (task == CHAINS) ok = find_chains(store, tried, &chains);
    if (task == REFUTE) ok = refute(store, tried, most, &chains);
    if (task == BY_CASES) ok = refute_by_cases(store, tried, most, &chains);
    PyEval_RestoreThread(caller.thread);
    PyObject *found = store->has_ended ? NULL : ok ? numbers_of(&chains) : PyErr_NoMemory();
    close_chain(&chains);
    return found;
}

/* The same of Python's arguments; `most`: rounds, or candidates of a group that is asked. */
static PyObject *found(PyObject *args, Task task)
{
    PyObject *capsule, *live_bits, *tried_bits, *check, *found = NULL;
    int most = 0;
    const char *format = task == CHAINS ? "OOOO" : "OOOOi";
    if (!PyArg_ParseTuple(args, format, &capsule, &live_bits, &tried_bits, &check, &most)) return NULL;
    Net *net = PyCapsule_GetPointer(capsule, NAME);
    if (!net) return NULL;
    uint8_t *live = take_candidates(net, live_bits, "live");
    uint8_t *tried = live ? take_candidates(net, tried_bits, "tried") : NULL;
    if (tried) {
        Store *store = net->store ? net->store : open_store(net);
        net->store = NULL; /* ours: the interpreter lock is held */
        found = store ? search(store, live, tried, task, most, check) : PyErr_NoMemory();
        if (net->store)
            close_store(store);
        else
            net->store = store;
    }
    PyMem_Free(live);
    PyMem_Free(tried);
    return found;
}

static PyObject *refute_(PyObject *module, PyObject *args)
{
    (void)module;
    return found(args, REFUTE);
}

static PyObject *chains_(PyObject *module, PyObject *args)
{
    (void)module;
    return found(args, CHAINS);
}

static PyObject *by_cases(PyObject *module, PyObject *args)
{
    (void)module;
    return found(args, BY_CASES);
}

static PyObject *struck_(PyObject *module, PyObject *args)
{
    PyObject *capsule, *live_bits;
    int number;
    (void)module;
    if (!PyArg_ParseTuple(args, "OiO", &capsule, &number, &live_bits)) return NULL;
    const Net *net = PyCapsule_GetPointer(capsule, NAME);
    uint8_t *live = net ? take_candidates(net, live_bits, "live") : NULL;
    if (!live) return NULL;
    size_t bytes = ((size_t)net->variables + 7) / 8;
    uint8_t *scratch = PyMem_Malloc(scratch_size(net)), *bits = PyMem_Calloc(bytes, 1);
    PyObject *found = NULL;
    if (!scratch || !bits)
        PyErr_NoMemory();
    else if (number < 0 || number >= net->parts)
        PyErr_Format(PyExc_ValueError, "part %d: there are %d", number, (int)net->parts);
    else {
        const Part *part = &net->part[number];
        for (int32_t k = 0; k < part->members; k++)
            if (live[part->member[k]]) bits[part->member[k] / 8] |= (uint8_t)(1 << part->member[k] % 8);
        strike(net, part, live, scratch);
        for (int32_t k = 0; k < part->members; k++)
            if (live[part->member[k]]) bits[part->member[k] / 8] &= (uint8_t)~(1 << part->member[k] % 8);
        found = PyBytes_FromStringAndSize((const char *)bits, (Py_ssize_t)bytes);
    }
    PyMem_Free(scratch);
    PyMem_Free(bits);
    PyMem_Free(live);
    return found;
}

static const char *PLACES = "satdoku.explain.logic._net.places";

static void forget_places(PyObject *capsule)
{
    close_places(PyCapsule_GetPointer(capsule, PLACES));
}

static PyObject *open_places_(PyObject *module, PyObject *numbers)
{
    Py_ssize_t count;
    (void)module;
    int32_t *copy = copy_items(numbers, input("numbers", INT32, ANY, FLAT), &count);
    if (!copy) return NULL;
    Places *places = open_places(copy, (size_t)count);
    PyMem_Free(copy);
    if (!places) return PyErr_Format(PyExc_ValueError, "numbers: expected groups and houses");
    return PyCapsule_New(places, PLACES, forget_places);
}

/* A set of candidates out of bits; NULL with an error set. */
static uint64_t *take_set(const Places *places, PyObject *object)
{
    Py_ssize_t count;
    uint8_t *bits = copy_items(object, input("live", UINT8, ANY, FLAT), &count);
    if (!bits) return NULL;
    uint64_t *set = PyMem_Calloc((size_t)places->words, sizeof(uint64_t));
    if (!set) PyErr_NoMemory();
    for (Py_ssize_t i = 0; set && i < count && i < 8 * (Py_ssize_t)places->words; i++)
        set[i / 8] |= (uint64_t)bits[i] << 8 * (i % 8);
    if (set && places->variables % 64)
        set[places->words - 1] &= (UINT64_C(1) << places->variables % 64) - 1;
    PyMem_Free(bits);
    return set;
}

static PyObject *asked_(PyObject *module, PyObject *args)
{
    PyObject *capsule, *live_bits, *found = NULL;
    int kind, count;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOii", &capsule, &live_bits, &kind, &count)) return NULL;
    const Places *places = PyCapsule_GetPointer(capsule, PLACES);
    if (!places) return NULL;
    if (kind < 0 || kind >= KINDS || count < 1 || count > MOST_SIZE)
        return PyErr_Format(PyExc_ValueError, "kind %d of %d: there are %d", kind, count, (int)KINDS);
    uint64_t *live = take_set(places, live_bits);
    if (!live) return NULL;
    size_t bytes = ((size_t)questions_of(places, (Kind)kind) + 7) / 8;
    uint8_t *asked = PyMem_Calloc(bytes + 1, 1);
    if (!asked || !find_asked(places, live, (Kind)kind, count, asked))
        PyErr_NoMemory();
    else
        found = PyBytes_FromStringAndSize((const char *)asked, (Py_ssize_t)bytes);
    PyMem_Free(asked);
    PyMem_Free(live);
    return found;
}

static PyObject *shortest(PyObject *module, PyObject *args)
{
    PyObject *capsule, *live_bits, *found = NULL;
    int digit;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOi", &capsule, &live_bits, &digit)) return NULL;
    const Places *places = PyCapsule_GetPointer(capsule, PLACES);
    if (!places) return NULL;
    if (digit < NONE || digit >= places->size)
        return PyErr_Format(PyExc_ValueError, "digit %d: there are %d", digit, (int)places->size);
    uint64_t *live = take_set(places, live_bits);
    if (!live) return NULL;
    int32_t *numbers = PyMem_Malloc((2 * (size_t)places->variables + 1) * sizeof(int32_t));
    int32_t count = numbers ? find_shortest(places, live, digit, numbers + 1, numbers) : NONE;
    if (count == NONE)
        PyErr_NoMemory();
    else
        found = PyBytes_FromStringAndSize((const char *)numbers, (count + 1) * (Py_ssize_t)sizeof(int32_t));
    PyMem_Free(numbers);
    PyMem_Free(live);
    return found;
}

static PyMethodDef methods[] = {
    {"open", open_, METH_O, "open(numbers) -> a net"},
    {"refute", refute_, METH_VARARGS, "refute(net, live, tried, check, rounds) -> int32 numbers as bytes"},
    {"by_cases", by_cases, METH_VARARGS, "by_cases(net, live, tried, check, few) -> int32 numbers as bytes"},
    {"chains", chains_, METH_VARARGS, "chains(net, live, tried, check) -> int32 numbers as bytes"},
    {"struck", struck_, METH_VARARGS, "struck(net, part, live) -> bits as bytes"},
    {"open_places", open_places_, METH_O, "open_places(numbers) -> groups, houses and lines"},
    {"asked", asked_, METH_VARARGS, "asked(places, live, kind, count) -> bits as bytes"},
    {"shortest", shortest, METH_VARARGS, "shortest(places, live, digit) -> int32 numbers as bytes"},
    {NULL, NULL, 0, NULL},
};

EXTENSION(_net, "Nets, in C.", 1)
