/* Flooding as a Python extension: a propagator whose methods the solver calls.
 *
 * Invariant: no argument of any caller makes the code read or write outside an array. Arrays are
 * copied and checked once, when the propagator is made. */
#include "../../runtime/buffers.h"

#include "flooding.h"

#include <limits.h>

typedef struct {
    PyObject_HEAD
    satdoku_flooding f;
    int32_t *clause;  /* room for one */
    PyObject *lemmas; /* the clauses that the solver depends on */
    int wrong;        /* the model that was looked at last, by what was found last */
} Propagator;

static PyObject *list_of(const int32_t *numbers, Py_ssize_t count)
{
    PyObject *list = PyList_New(count);
    for (Py_ssize_t i = 0; list && i < count; i++) {
        PyObject *number = PyLong_FromLong(numbers[i]);
        if (!number) return Py_DECREF(list), NULL;
        PyList_SetItem(list, i, number);
    }
    return list;
}

static PyObject *on_assignment(Propagator *self, PyObject *args)
{
    int literal, fixed = 0;
    if (!PyArg_ParseTuple(args, "i|p", &literal, &fixed)) return NULL;
    satdoku_flooding_assign(&self->f, literal, fixed);
    Py_RETURN_NONE;
}

static PyObject *on_new_level(Propagator *self, PyObject *unused)
{
    (void)unused;
    if (!satdoku_flooding_level(&self->f)) return PyErr_NoMemory();
    Py_RETURN_NONE;
}

static PyObject *on_backtrack(Propagator *self, PyObject *to)
{
    long level = PyLong_AsLong(to);
    if (level == -1 && PyErr_Occurred()) return NULL;
    satdoku_flooding_backtrack(&self->f, level > INT_MAX ? INT_MAX : (int32_t)level);
    Py_RETURN_NONE;
}

static PyObject *reason_of(Propagator *self, int32_t literal)
{
    int length = satdoku_flooding_clause(&self->f, literal, self->clause);
    if (!length) return PyErr_Format(PyExc_KeyError, "%ld", (long)literal);
    PyObject *clause = list_of(self->clause, length);
    if (clause && PyList_Append(self->lemmas, clause)) Py_CLEAR(clause);
    return clause;
}

static PyObject *propagate(Propagator *self, PyObject *unused)
{
    (void)unused;
    satdoku_flooding_propagate(&self->f);
    /* Before any decision the solver believes without asking why. */
    for (int32_t i = 0; !self->f.levels && i < self->f.found_count; i++) {
        PyObject *clause = reason_of(self, self->f.found[i]);
        if (!clause) return NULL;
        Py_DECREF(clause);
    }
    return list_of(self->f.found, self->f.found_count);
}

static PyObject *provide_reason(Propagator *self, PyObject *literal)
{
    long number = PyLong_AsLong(literal);
    if (number == -1 && PyErr_Occurred()) return NULL;
    return reason_of(self, number > INT_MIN && number <= INT_MAX ? (int32_t)number : 0);
}

static PyObject *check_model(Propagator *self, PyObject *model)
{
    satdoku_flooding_propagate(&self->f);
    self->wrong = 0;
    if (self->f.found_count) {
        PyObject *denied = PyLong_FromLong(-(long)self->f.found[self->f.found_count - 1]);
        self->wrong = denied ? PySequence_Contains(model, denied) : -1;
        Py_XDECREF(denied);
        if (self->wrong < 0) return self->wrong = 0, NULL;
    }
    return PyBool_FromLong(!self->wrong);
}

static PyObject *decide(Propagator *self, PyObject *unused)
{
    (void)self, (void)unused;
    return PyLong_FromLong(0);
}

static PyObject *add_clause(Propagator *self, PyObject *unused)
{
    (void)unused;
    int wrong = self->wrong;
    self->wrong = 0;
    return wrong ? reason_of(self, self->f.found[self->f.found_count - 1]) : PyList_New(0);
}

static PyObject *get_lemmas(Propagator *self, void *unused)
{
    (void)unused;
    return Py_NewRef(self->lemmas);
}

/* What may be wrong with the numbers, and what follows from them. */
static int take_literals(satdoku_flooding *f)
{
    for (int32_t place = 0; place < f->cells * f->labels; place++) {
        if (f->literal[place] < 1) {
            PyErr_SetString(PyExc_ValueError, "literals: expected positive numbers");
            return 0;
        }
        if (f->literal[place] > f->variables) f->variables = f->literal[place];
    }
    f->place = PyMem_Malloc(((size_t)f->variables + 1) * sizeof *f->place);
    if (!f->place) return PyErr_NoMemory(), 0;
    for (int64_t i = 0; i <= f->variables; i++) f->place[i] = -1;
    for (int32_t place = 0; place < f->cells * f->labels; place++) {
        if (f->place[f->literal[place]] >= 0) {
            PyErr_SetString(PyExc_ValueError, "literals: expected each number once");
            return 0;
        }
        f->place[f->literal[place]] = place;
    }
    return 1;
}

static int take_edges(satdoku_flooding *f, PyObject *edges)
{
    Py_ssize_t items;
    int32_t *edge = copy_items(edges, input("edges", INT32, ANY, 2), &items);
    for (Py_ssize_t i = 0; edge && i < items; i++) {
        int32_t from = edge[i], to = edge[i ^ 1];
        if (from < 0 || from >= f->cells) {
            PyErr_Format(PyExc_ValueError, "edges: expected cells 0 to %d", f->cells - 1);
            PyMem_Free(edge);
            return 0;
        }
        if (to >= 0 && to < f->cells)
            f->neighbours[from].word[to / 64] |= UINT64_C(1) << to % 64;
    }
    PyMem_Free(edge);
    return edge != NULL;
}

static int take_sizes(satdoku_flooding *f, PyObject *sizes)
{
    Py_ssize_t items;
    int32_t *bounds = copy_items(sizes, input("sizes", INT32, f->labels, 2), &items);
    for (int i = 0; bounds && i < f->labels; i++) {
        f->label[i].least = bounds[2 * i], f->label[i].most = bounds[2 * i + 1];
        f->label[i].changed = 1;
    }
    PyMem_Free(bounds);
    return bounds != NULL;
}

static int take_memory(Propagator *self)
{
    satdoku_flooding *f = &self->f;
    size_t places = (size_t)f->cells * (size_t)f->labels;
    f->words = (f->cells + 63) / 64;
    f->neighbours = PyMem_Calloc((size_t)f->cells, sizeof *f->neighbours);
    f->label = PyMem_Calloc((size_t)f->labels, sizeof *f->label);
    f->fixed = PyMem_Calloc(places, 1);
    f->trail = PyMem_Calloc(places, sizeof *f->trail);
    f->reason = PyMem_Calloc(2 * places, sizeof *f->reason);
    f->found = PyMem_Calloc(places, sizeof *f->found);
    self->clause = PyMem_Calloc((size_t)f->cells + 1, sizeof *self->clause);
    self->lemmas = PyList_New(0);
    if (f->neighbours && f->label && f->fixed && f->trail && f->reason && f->found && self->clause
        && self->lemmas)
        return 1;
    return PyErr_NoMemory(), 0;
}

static void release(Propagator *self)
{
    satdoku_flooding *f = &self->f;
    PyMem_Free((void *)f->literal);
    PyMem_Free(f->place);
    PyMem_Free(f->neighbours);
    PyMem_Free(f->label);
    PyMem_Free(f->fixed);
    PyMem_Free(f->trail);
    PyMem_Free(f->reason);
    PyMem_Free(f->found);
    PyMem_Free(self->clause);
    free(f->level);
    Py_CLEAR(self->lemmas);
}

static void dealloc(Propagator *self)
{
    PyTypeObject *type = Py_TYPE((PyObject *)self);
    release(self);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyObject *make(PyTypeObject *type, PyObject *args, PyObject *names)
{
    PyObject *literals, *edges, *sizes;
    Py_buffer view = {0};
    Py_ssize_t items;
    (void)names;
    if (!PyArg_ParseTuple(args, "OOO", &literals, &edges, &sizes)) return NULL;
    if (!take_buffer(literals, input("literals", INT32, ANY, ANY), &view)) return NULL;
    Py_ssize_t labels = view.shape[0], cells = view.shape[1];
    PyBuffer_Release(&view);
    if (labels < 1 || labels > SATDOKU_FLOODING_CELLS || cells < 1 || cells > SATDOKU_FLOODING_CELLS)
        return PyErr_Format(PyExc_ValueError, "literals: expected 1 to %d labels, and as many cells",
                            SATDOKU_FLOODING_CELLS);
    Propagator *self = (Propagator *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!self) return NULL;
    memset(&self->f, 0, sizeof self->f);
    self->clause = NULL, self->lemmas = NULL, self->wrong = 0;
    self->f.labels = (int)labels, self->f.cells = (int)cells;
    self->f.literal = copy_items(literals, input("literals", INT32, labels, cells), &items);
    if (self->f.literal && take_memory(self) && take_literals(&self->f)
        && take_edges(&self->f, edges) && take_sizes(&self->f, sizes))
        return (PyObject *)self;
    Py_DECREF((PyObject *)self);
    return NULL;
}

static PyMethodDef calls[] = {
    {"on_assignment", (PyCFunction)on_assignment, METH_VARARGS, "on_assignment(lit, fixed=False)"},
    {"on_new_level", (PyCFunction)on_new_level, METH_NOARGS, "on_new_level()"},
    {"on_backtrack", (PyCFunction)on_backtrack, METH_O, "on_backtrack(to)"},
    {"check_model", (PyCFunction)check_model, METH_O, "check_model(model) -> bool"},
    {"decide", (PyCFunction)decide, METH_NOARGS, "decide() -> 0"},
    {"propagate", (PyCFunction)propagate, METH_NOARGS, "propagate() -> literals"},
    {"provide_reason", (PyCFunction)provide_reason, METH_O, "provide_reason(lit) -> clause"},
    {"add_clause", (PyCFunction)add_clause, METH_NOARGS, "add_clause() -> clause, or nothing"},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef attributes[] = {
    {"lemmas", (getter)get_lemmas, NULL, "The clauses that were asked for.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_new, make},
    {Py_tp_dealloc, dealloc},
    {Py_tp_methods, calls},
    {Py_tp_getset, attributes},
    {Py_tp_doc, "Propagator(literals, edges, sizes): see flooding.py."},
    {0, NULL},
};

static PyType_Spec specification = {
    "satdoku.answers._flooding.Propagator", sizeof(Propagator), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots,
};

static PyMethodDef methods[] = {{NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_flooding", "Flooding, in C.", 0, methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__flooding(void)
{
    PyObject *module = PyModule_Create(&definition), *type = PyType_FromSpec(&specification);
    if (module && type && !PyModule_AddObjectRef(module, "Propagator", type))
        return Py_DECREF(type), module;
    Py_XDECREF(module);
    Py_XDECREF(type);
    return NULL;
}
