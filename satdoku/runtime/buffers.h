/* Arrays as arguments of the C extensions: Python buffers, checked before C touches them.
 *
 * Invariant: a view that `take_buffer` fills has the item type, the shape and the order in memory
 * that the extension asked for, and its memory stays in place until the view is released. Nothing
 * here looks at the values: other threads may change them at any time, so C copies the values that
 * it uses as indices, and checks the copy.
 *
 * Each extension includes this file once, before anything else. It sets the limited API of Python
 * 3.11, the first that has buffers, so that one binary serves all later versions. */
#ifndef SATDOKU_BUFFERS_H
#define SATDOKU_BUFFERS_H

#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef enum { UINT8, UINT16, INT32, UINT32, INT64, UINT64 } ItemType;

enum { ANY = -1, FLAT = -2 }; /* any number; no columns: the array has one dimension */

/* What an argument must be. */
typedef struct {
    const char *name; /* for the messages */
    ItemType type;
    int writable;
    Py_ssize_t rows;    /* or ANY */
    Py_ssize_t columns; /* or ANY, or FLAT */
} Wanted;

static inline Wanted input(const char *name, ItemType type, Py_ssize_t rows, Py_ssize_t columns)
{
    return (Wanted){name, type, 0, rows, columns};
}

static inline Wanted output(const char *name, ItemType type, Py_ssize_t rows, Py_ssize_t columns)
{
    return (Wanted){name, type, 1, rows, columns};
}

static const struct {
    const char *name;
    const char *codes; /* of the struct module; the item size tells them apart */
    Py_ssize_t size;
} ITEM_TYPES[] = {
    [UINT8] = {"uint8", "BHILQN", 1},   [UINT16] = {"uint16", "BHILQN", 2},
    [INT32] = {"int32", "bhilqn", 4},   [UINT32] = {"uint32", "BHILQN", 4},
    [INT64] = {"int64", "bhilqn", 8},   [UINT64] = {"uint64", "BHILQN", 8},
};

/* Whether a format of the struct module means one number of this type in native byte order. */
static int is_native(const char *format, ItemType type)
{
    static const union { uint16_t word; uint8_t low; } one = {1};
    const char *native = one.low ? "@=<" : "@=>!";
    if (!format) return type == UINT8;
    if (*format && strchr(native, *format)) format++;
    return *format && strchr(ITEM_TYPES[type].codes, *format) && !format[1];
}

static int check_type(const Py_buffer *view, const Wanted *wanted)
{
    const char *name = ITEM_TYPES[wanted->type].name;
    if (view->itemsize == ITEM_TYPES[wanted->type].size && is_native(view->format, wanted->type))
        return 1;
    PyErr_Format(PyExc_TypeError, "%s: expected an array of %s, found format '%s' of %zd bytes",
                 wanted->name, name, view->format ? view->format : "B", view->itemsize);
    return 0;
}

static int fits(Py_ssize_t found, Py_ssize_t wanted) { return wanted == ANY || found == wanted; }

/* A length for a message: `*` if any will do. */
static const char *as_text(Py_ssize_t length, char text[24])
{
    if (length == ANY) return "*";
    snprintf(text, 24, "%lld", (long long)length);
    return text;
}

static int check_shape(const Py_buffer *view, const Wanted *wanted)
{
    int flat = wanted->columns == FLAT;
    if (view->ndim == 2 - flat && fits(view->shape[0], wanted->rows)
        && (flat || fits(view->shape[1], wanted->columns)))
        return 1;
    char rows[24], columns[24], found[64] = "";
    for (int i = 0; i < view->ndim && i < 2; i++)
        snprintf(found + strlen(found), 24, "%s%lld", i ? ", " : "", (long long)view->shape[i]);
    if (flat)
        PyErr_Format(PyExc_ValueError, "%s: expected shape (%s,), found %d dimensions (%s%s)",
                     wanted->name, as_text(wanted->rows, rows), view->ndim, found,
                     view->ndim > 2 ? ", ..." : "");
    else
        PyErr_Format(PyExc_ValueError, "%s: expected shape (%s, %s), found %d dimensions (%s%s)",
                     wanted->name, as_text(wanted->rows, rows), as_text(wanted->columns, columns),
                     view->ndim, found, view->ndim > 2 ? ", ..." : "");
    return 0;
}

static int check_memory(const Py_buffer *view, const Wanted *wanted)
{
    if (wanted->writable && view->readonly) {
        PyErr_Format(PyExc_BufferError, "%s: expected a writable array", wanted->name);
        return 0;
    }
    int aligned = !view->len || (uintptr_t)view->buf % (uintptr_t)view->itemsize == 0;
    if (aligned && PyBuffer_IsContiguous(view, 'C')) return 1;
    PyErr_Format(PyExc_ValueError, "%s: expected a C-contiguous, aligned array", wanted->name);
    return 0;
}

/* Fill `view`, which must be zero. Returns 0 with an error set, and `view` zero, if the object is
 * not what was wanted. */
static int take_buffer(PyObject *object, Wanted wanted, Py_buffer *view)
{
    if (!PyObject_CheckBuffer(object)) {
        PyErr_Format(PyExc_TypeError, "%s: expected an array of %s, found %R", wanted.name,
                     ITEM_TYPES[wanted.type].name, Py_TYPE(object));
        return 0;
    }
    if (PyObject_GetBuffer(object, view, PyBUF_FULL_RO)) return 0;
    if (check_type(view, &wanted) && check_shape(view, &wanted) && check_memory(view, &wanted))
        return 1;
    PyBuffer_Release(view);
    memset(view, 0, sizeof *view);
    return 0;
}

/* Release views; those that hold nothing are zero. */
static inline void release_buffers(Py_buffer *views, int count)
{
    for (int i = 0; i < count; i++) PyBuffer_Release(views + i);
}

/* A copy of the items of an array, and how many there are: NULL with an error set if the object is
 * not what was wanted. Free it with PyMem_Free. */
static inline void *copy_items(PyObject *object, Wanted wanted, Py_ssize_t *items)
{
    Py_buffer view = {0};
    if (!take_buffer(object, wanted, &view)) return NULL;
    void *copy = PyMem_Malloc(view.len ? (size_t)view.len : 1);
    if (copy && view.len) memcpy(copy, view.buf, (size_t)view.len);
    if (!copy) PyErr_NoMemory();
    *items = view.len / view.itemsize;
    PyBuffer_Release(&view);
    return copy;
}

/* What makes an extension of the table `methods`: `about` is what it is for. Its import evaluates
 * `ready` first and fails if that is 0, which an error must then explain. */
#define EXTENSION(name, about, ready)                                               \
    static struct PyModuleDef definition = {                                        \
        PyModuleDef_HEAD_INIT, #name, about, 0, methods, NULL, NULL, NULL, NULL,    \
    };                                                                              \
                                                                                    \
    PyMODINIT_FUNC PyInit_##name(void)                                              \
    {                                                                               \
        return (ready) ? PyModule_Create(&definition) : NULL;                       \
    }

#endif
