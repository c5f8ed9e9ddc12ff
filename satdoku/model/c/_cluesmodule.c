/* Texts of clues: cut apart, and put on the cells that they name.
 *
 * Invariant: each function gives what its twin in Python gives, in the same order: `split` is
 * `clue.cut_in_python`, `placed` is `clue.placed_one` of each text. What is rare (spaces, ranges, names
 * of lines) is left to Python, which tells of every error. */
#include "../../runtime/buffers.h"

#include <stdlib.h>

enum { MAX_CELLS = 1 << 16, LONGEST = 256, LONGEST_TEXT = 4096 }; /* of a board; cells and text of a clue */

static const char *NAMES = "satdoku.model.names";

typedef struct {
    const char *at;
    Py_ssize_t size;
} Text;

static Text text_of(PyObject *object)
{
    Text text = {NULL, 0};
    if (object) text.at = PyUnicode_AsUTF8AndSize(object, &text.size);
    return text;
}

/* How many characters stand before one, or before the end. */
static Py_ssize_t before(Text text, char sign)
{
    const char *found = text.size ? memchr(text.at, sign, (size_t)text.size) : NULL;
    return found ? found - text.at : text.size;
}

static Text beyond(Text text, Py_ssize_t count) { return (Text){text.at + count, text.size - count}; }

/* ---- Rule sets cut apart ---- */

/* What `str.strip` takes away from texts of ASCII. */
static int is_blank(char sign) { return sign == ' ' || (sign >= 9 && sign <= 13) || (sign >= 28 && sign <= 31); }

static Text stripped(Text text)
{
    while (text.size && is_blank(*text.at)) text = beyond(text, 1);
    while (text.size && is_blank(text.at[text.size - 1])) text.size--;
    return text;
}

/* Whether a word begins as clues with cells do; -1 with an error set. The kind is looked up where it
 * is not that of the clue before. */
static int begins_clue(Text word, Py_ssize_t head, PyObject *kinds, Text *known)
{
    Text kind = {word.at, before((Text){word.at, head}, '=')};
    if (known->size == kind.size && !memcmp(known->at, kind.at, (size_t)kind.size)) return 1;
    PyObject *name = PyUnicode_FromStringAndSize(kind.at, kind.size);
    int found = name ? PyDict_Contains(kinds, name) : -1;
    Py_XDECREF(name);
    if (found > 0) *known = kind;
    return found;
}

/* Append the words of a rule set to a list, and for each whether it begins a clue; 0 with an error set. */
static int cut(Text rest, PyObject *kinds, PyObject *words, char *flags)
{
    Text known = {"", 0};
    for (int last = 0; !last;) {
        Py_ssize_t size = 0;
        while (size < rest.size && rest.at[size] != ';' && rest.at[size] != '\n') size++;
        Text word = stripped((Text){rest.at, size});
        Py_ssize_t head = before(word, ':');
        int is_clue = head < word.size ? begins_clue(word, head, kinds, &known) : 0;
        if (is_clue < 0) return 0;
        if (word.size) {
            PyObject *item = PyUnicode_FromStringAndSize(word.at, word.size);
            int good = item && !PyList_Append(words, item);
            Py_XDECREF(item);
            if (!good) return 0;
            *flags++ = (char)is_clue;
        }
        last = size == rest.size;
        if (!last) rest = beyond(rest, size + 1);
    }
    return 1;
}

static PyObject *split(PyObject *module, PyObject *args)
{
    PyObject *object, *kinds, *found = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "UO", &object, &kinds)) return NULL;
    Text text = text_of(object);
    if (!text.at) return NULL;
    PyObject *words = PyList_New(0);
    char *flags = PyMem_Malloc((size_t)text.size + 1);
    if (words && !flags) PyErr_NoMemory();
    if (words && flags && cut(text, kinds, words, flags))
        found = Py_BuildValue("(Oy#)", words, flags, PyList_Size(words));
    Py_XDECREF(words);
    PyMem_Free(flags);
    return found;
}

/* ---- Clues put on cells ---- */

typedef struct {
    int cells;
    PyObject *kept;           /* the names, which hold the texts; */
    PyObject *lines;          /* and those of whole lines, by their cells */
    Text *names;
    Py_ssize_t shortest, longest; /* cells of lines */
    int *slots, mask;         /* a table of cells by their names; from 1 */
} Names;

static void free_names(Names *names)
{
    Py_XDECREF(names->kept);
    Py_XDECREF(names->lines);
    PyMem_Free(names->names);
    PyMem_Free(names->slots);
    PyMem_Free(names);
}

static void free_capsule(PyObject *capsule) { free_names(PyCapsule_GetPointer(capsule, NAMES)); }

static unsigned hashed(Text name)
{
    unsigned hash = 0;
    for (Py_ssize_t i = 0; i < name.size; i++) hash = 31 * hash + (unsigned char)name.at[i];
    return hash ^ hash >> 7;
}

/* The slot of a name: its own, or an empty one. */
static int *slot_of(const Names *names, Text name)
{
    unsigned slot = hashed(name) & (unsigned)names->mask;
    for (;; slot = (slot + 1) & (unsigned)names->mask) {
        int cell = names->slots[slot];
        const Text *known = names->names + cell - 1;
        if (!cell || (known->size == name.size && !memcmp(known->at, name.at, (size_t)name.size)))
            return names->slots + slot;
    }
}

/* Note how long the lines are; 0 with an error set. */
static int note_lines(Names *names)
{
    PyObject *cells, *name;
    Py_ssize_t at = 0;
    names->shortest = PY_SSIZE_T_MAX;
    while (PyDict_Next(names->lines, &at, &cells, &name)) {
        Py_ssize_t size = PyTuple_Size(cells);
        if (size < 0 || !text_of(name).at) return 0;
        if (size < names->shortest) names->shortest = size;
        if (size > names->longest) names->longest = size;
    }
    return 1;
}

static int note_names(Names *names)
{
    int slots = 64;
    while (slots < 2 * names->cells) slots *= 2;
    names->mask = slots - 1;
    names->names = PyMem_Calloc((size_t)names->cells + 1, sizeof *names->names);
    names->slots = PyMem_Calloc((size_t)slots, sizeof *names->slots);
    if (!names->names || !names->slots) {
        PyErr_NoMemory();
        return 0;
    }
    for (int cell = 0; cell < names->cells; cell++) {
        Text name = names->names[cell] = text_of(PyTuple_GetItem(names->kept, cell));
        if (!name.at) return 0;
        *slot_of(names, name) = cell + 1;
    }
    return note_lines(names);
}

static PyObject *make_names(PyObject *module, PyObject *args)
{
    PyObject *kept, *lines, *capsule = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO", &kept, &lines)) return NULL;
    Py_ssize_t cells = PyTuple_Size(kept);
    if (cells < 0) return NULL;
    if (cells > MAX_CELLS) return PyErr_Format(PyExc_ValueError, "names: expected at most %d", MAX_CELLS);
    if (!PyDict_Check(lines)) return PyErr_Format(PyExc_TypeError, "lines: expected a dict");
    Names *names = PyMem_Calloc(1, sizeof *names);
    if (!names) return PyErr_NoMemory();
    names->cells = (int)cells, names->kept = Py_NewRef(kept), names->lines = Py_NewRef(lines);
    if (note_names(names)) capsule = PyCapsule_New(names, NAMES, free_capsule);
    if (!capsule) free_names(names);
    return capsule;
}

/* A clue as it is read: its head, and the cells of all its groups, one after the other. */
typedef struct {
    Text head;
    int cells[LONGEST], count;
    int starts[LONGEST + 1], groups; /* of groups */
} Read;

/* Read the cells of a group; 0 if there are other words than cells. */
static int read_group(const Names *names, Text group, Read *read)
{
    for (;;) {
        Py_ssize_t size = before(group, ',');
        int cell = *slot_of(names, (Text){group.at, size}) - 1;
        if (cell < 0 || read->count == LONGEST) return 0;
        read->cells[read->count++] = cell;
        if (size == group.size) return 1;
        group = beyond(group, size + 1);
    }
}

/* Read a clue of single cells, each of which it names once; 0 for all others. */
static int read_clue(const Names *names, Text text, Read *read)
{
    Py_ssize_t size = before(text, ':');
    read->head = (Text){text.at, size};
    read->count = read->groups = read->starts[0] = 0;
    if (size == text.size) return 0;
    for (text = beyond(text, size + 1);; text = beyond(text, size + 1)) {
        size = before(text, '>');
        if (!read_group(names, (Text){text.at, size}, read)) return 0;
        read->starts[++read->groups] = read->count;
        if (size == text.size) break;
    }
    for (int i = 1; i < read->count; i++)
        for (int j = 0; j < i; j++)
            if (read->cells[i] == read->cells[j]) return 0;
    return 1;
}

/* The form of the clue; NULL if none is known, or with an error set. */
static PyObject *form_of(const Read *read, PyObject *forms)
{
    char text[LONGEST_TEXT], *end = text;
    if (read->head.size > LONGEST_TEXT / 2) return NULL;
    memcpy(text, read->head.at, (size_t)read->head.size);
    end += read->head.size;
    for (int g = 0; g < read->groups; g++)
        end += snprintf(end, 6, g ? ">%d" : ":%d", read->starts[g + 1] - read->starts[g]);
    PyObject *key = PyUnicode_FromStringAndSize(text, end - text);
    PyObject *form = key ? PyDict_GetItemWithError(forms, key) : NULL;
    Py_XINCREF(form); /* other threads may forget forms */
    Py_XDECREF(key);
    return form;
}

static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* Put the cells of each group in the order in which all write them. */
static void put_in_order(Read *read, char order)
{
    for (int g = 0; g < read->groups; g++) {
        int *cells = read->cells + read->starts[g], count = read->starts[g + 1] - read->starts[g];
        if (order == 's') qsort(cells, (size_t)count, sizeof *cells, ascending);
        if (order != 'l' || cells[0] <= cells[count - 1]) continue;
        for (int i = 0; i < count / 2; i++) {
            int kept = cells[i];
            cells[i] = cells[count - 1 - i], cells[count - 1 - i] = kept;
        }
    }
}

static PyObject *tuple_of(const int *numbers, int count)
{
    PyObject *tuple = PyTuple_New(count);
    for (int i = 0; tuple && i < count; i++) {
        PyObject *number = PyLong_FromLong(numbers[i]);
        if (!number || PyTuple_SetItem(tuple, i, number)) Py_CLEAR(tuple);
    }
    return tuple;
}

/* The name of a whole line; none for other cells. 0 with an error set. */
static int name_line(const Names *names, const int *cells, int count, Text *name)
{
    name->at = NULL;
    if (count < names->shortest || count > names->longest) return 1;
    PyObject *tuple = tuple_of(cells, count);
    PyObject *found = tuple ? PyDict_GetItemWithError(names->lines, tuple) : NULL;
    Py_XDECREF(tuple);
    if (found) *name = text_of(found);
    return !PyErr_Occurred();
}

/* Where the clue is written; `room` ends it. */
typedef struct {
    char *at, *room;
} Writing;

static void write_text(Writing *writing, Text text)
{
    if (writing->room - writing->at < text.size) writing->at = writing->room = NULL;
    if (!writing->at) return;
    memcpy(writing->at, text.at, (size_t)text.size);
    writing->at += text.size;
}

/* Write a group cell by cell, or a whole line by its name; 0 with an error set. */
static int write_group(const Names *names, const int *cells, int count, Writing *writing)
{
    Text line;
    if (!name_line(names, cells, count, &line)) return 0;
    if (line.at) write_text(writing, line);
    for (int i = 0; i < count && !line.at; i++) {
        if (i) write_text(writing, (Text){",", 1});
        write_text(writing, names->names[cells[i]]);
    }
    return 1;
}

/* The clue as all write it; NULL with an error set, or if it is too long. */
static PyObject *canonical(const Names *names, const Read *read, PyObject *head)
{
    char text[LONGEST_TEXT];
    Writing writing = {text, text + sizeof text};
    Text first = text_of(head);
    if (!first.at) return NULL;
    write_text(&writing, first);
    for (int g = 0; g < read->groups; g++) {
        write_text(&writing, (Text){g ? ">" : ":", 1});
        int start = read->starts[g];
        if (!write_group(names, read->cells + start, read->starts[g + 1] - start, &writing)) return NULL;
    }
    return writing.at ? PyUnicode_FromStringAndSize(text, writing.at - text) : NULL;
}

/* The clue as all write it, what its form says, and its cells; NULL with an error set, or if it is too
 * long. */
static PyObject *put(const Names *names, Read *read, PyObject *form)
{
    PyObject *said = PyTuple_GetItem(form, 2), *found = NULL;
    Text order = said ? text_of(PyTuple_GetItem(form, 1)) : (Text){NULL, 0};
    if (!order.at) return NULL;
    put_in_order(read, *order.at);
    PyObject *name = canonical(names, read, PyTuple_GetItem(form, 0));
    PyObject *cells = name ? tuple_of(read->cells, read->count) : NULL;
    if (cells) found = PyTuple_Pack(3, name, said, cells);
    Py_XDECREF(name);
    Py_XDECREF(cells);
    return found;
}

/* What the cells hold, in place of them; 0 with an error set. */
static int look_up(Read *read, PyObject *grid)
{
    char *digits;
    Py_ssize_t size;
    if (PyBytes_AsStringAndSize(grid, &digits, &size)) return 0;
    for (int i = 0; i < read->count; i++) {
        if (read->cells[i] >= size) {
            PyErr_SetString(PyExc_ValueError, "grid: expected a byte for each cell");
            return 0;
        }
        read->cells[i] = (unsigned char)digits[read->cells[i]];
    }
    return 1;
}

/* The clue's form, and what its cells hold, as they are written. */
static PyObject *hold(Read *read, PyObject *said, PyObject *grid)
{
    PyObject *digits = said && look_up(read, grid) ? tuple_of(read->cells, read->count) : NULL;
    PyObject *found = digits ? PyTuple_Pack(2, said, digits) : NULL;
    Py_XDECREF(digits);
    return found;
}

/* The clue's text, what its form says, and its cells; with a grid, what these hold in place of text and
 * cells. None where Python has to read it. NULL with an error set. */
static PyObject *place(const Names *names, PyObject *object, PyObject *forms, PyObject *grid)
{
    Read read;
    Text text = text_of(object);
    if (!text.at) return NULL;
    PyObject *form = read_clue(names, text, &read) ? form_of(&read, forms) : NULL, *found = NULL;
    if (form) found = grid ? hold(&read, PyTuple_GetItem(form, 2), grid) : put(names, &read, form);
    Py_XDECREF(form);
    return found || PyErr_Occurred() ? found : Py_NewRef(Py_None);
}

static PyObject *placed(PyObject *module, PyObject *args)
{
    PyObject *capsule, *texts, *forms, *grid = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOO|O", &capsule, &texts, &forms, &grid)) return NULL;
    const Names *names = PyCapsule_GetPointer(capsule, NAMES);
    Py_ssize_t count = names ? PySequence_Size(texts) : -1;
    PyObject *found = count < 0 ? NULL : PyList_New(0);
    for (Py_ssize_t i = 0; found && i < count; i++) {
        PyObject *text = PySequence_GetItem(texts, i), *each = text ? place(names, text, forms, grid) : NULL;
        int good = each && !PyList_Append(found, each);
        Py_XDECREF(text);
        Py_XDECREF(each);
        if (!good) Py_CLEAR(found);
    }
    return found;
}

static PyMethodDef methods[] = {
    {"split", split, METH_VARARGS, "split(text, kinds) -> words, flags"},
    {"names", make_names, METH_VARARGS, "names(names, lines) -> capsule"},
    {"placed", placed, METH_VARARGS, "placed(names, texts, forms, grid=None) -> list"},
    {NULL, NULL, 0, NULL},
};

EXTENSION(_clues, "Texts of clues, cut apart and put on cells.", 1)
