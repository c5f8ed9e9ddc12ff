/* Collections in the plainest notation: lines of digits and dots to cells, and answers to lines;
 * and rows of any text, joined from their fields.
 *
 * Invariant: what is no such line is refused as a whole, before anybody uses the cells; what is
 * written fits its buffer. `collection.plain` and `spans` say what the arguments mean. */
#include "../../runtime/buffers.h"

#include <stdlib.h>

enum { MAX_SIZE = 9, STATUSES = 8 };

static int check_size(int size)
{
    if (size >= 1 && size <= MAX_SIZE) return 1;
    PyErr_Format(PyExc_ValueError, "size: expected 1 to %d", MAX_SIZE);
    return 0;
}

/* The cells of a line; 0 if a character is none of `.`, `0`, ... up to the size. */
static int read_line(const uint8_t *line, Py_ssize_t width, uint8_t size, uint8_t *cells)
{
    uint8_t bad = 0;
    for (Py_ssize_t i = 0; i < width; i++) {
        uint8_t digit = (uint8_t)(line[i] - '0'), dot = line[i] == '.' ? 0xFF : 0;
        cells[i] = digit & (uint8_t)~dot;
        bad |= cells[i] > size;
    }
    return !bad;
}

static PyObject *read_lines(PyObject *module, PyObject *args)
{
    PyObject *text, *cells, *result = NULL;
    Py_buffer views[2] = {{0}};
    int size, good = 1;
    (void)module;
    if (!PyArg_ParseTuple(args, "OiO", &text, &size, &cells)) return NULL;
    if (!check_size(size)) return NULL;
    Py_ssize_t width = (Py_ssize_t)size * size;
    if (take_buffer(text, input("text", UINT8, ANY, width + 1), views)
        && take_buffer(cells, output("cells", UINT8, views[0].shape[0], width), views + 1)) {
        const uint8_t *line = views[0].buf;
        uint8_t *to = views[1].buf;
        Py_BEGIN_ALLOW_THREADS
        for (Py_ssize_t i = 0; good && i < views[0].shape[0]; i++, line += width + 1, to += width)
            good = read_line(line, width, (uint8_t)size, to) && line[width] == '\n';
        Py_END_ALLOW_THREADS
        result = PyBool_FromLong(good);
    }
    release_buffers(views, 2);
    return result;
}

typedef struct {
    char *text[STATUSES];
    Py_ssize_t length[STATUSES];
    Py_ssize_t longest;
    int count;
} Words;

/* The words for the statuses; 0 with an error set if they are no such words. */
static int take_words(PyObject *tuple, Words *words)
{
    Py_ssize_t count = PyTuple_Check(tuple) ? PyTuple_Size(tuple) : 0;
    if (count < 1 || count > STATUSES) {
        PyErr_Format(PyExc_ValueError, "words: expected a tuple of 1 to %d", STATUSES);
        return 0;
    }
    words->count = (int)count;
    for (int i = 0; i < words->count; i++) {
        PyObject *word = PyTuple_GetItem(tuple, i); /* borrowed; the caller keeps the tuple */
        if (!word || PyBytes_AsStringAndSize(word, words->text + i, words->length + i)) return 0;
        if (words->length[i] > words->longest) words->longest = words->length[i];
    }
    return 1;
}

static uint8_t *put(uint8_t *to, const void *from, Py_ssize_t length)
{
    memcpy(to, from, (size_t)length);
    return to + length;
}

/* One answer; returns its end. A grid whose first cell is empty is none. */
static uint8_t *write_line(uint8_t *to, const Words *words, int status, const uint8_t *solution,
                           Py_ssize_t width)
{
    to = put(to, words->text[status], words->length[status]);
    if (*solution) {
        *to++ = ' ';
        for (Py_ssize_t i = 0; i < width; i++) to[i] = (uint8_t)(solution[i] + '0');
        to += width;
    }
    *to++ = '\n';
    return to;
}

static PyObject *write_lines(PyObject *module, PyObject *args)
{
    PyObject *tuple, *statuses, *solutions, *text, *result = NULL;
    Py_buffer views[3] = {{0}};
    Words words = {.count = 0};
    int size;
    (void)module;
    if (!PyArg_ParseTuple(args, "OiOOO", &tuple, &size, &statuses, &solutions, &text)) return NULL;
    if (!check_size(size) || !take_words(tuple, &words)) return NULL;
    Py_ssize_t width = (Py_ssize_t)size * size;
    if (take_buffer(statuses, input("statuses", UINT8, ANY, FLAT), views)
        && take_buffer(solutions, input("solutions", UINT8, views[0].shape[0], width), views + 1)
        && take_buffer(text, output("text", UINT8, ANY, FLAT), views + 2)) {
        const uint8_t *status = views[0].buf, *solution = views[1].buf;
        Py_ssize_t count = views[0].shape[0];
        uint8_t *begin = views[2].buf, *end = begin;
        Py_ssize_t longest = words.longest + 1 + width + 1;
        if (views[2].shape[0] / longest < count)
            PyErr_Format(PyExc_ValueError, "text: expected room for %zd lines of %zd bytes", count,
                         longest);
        else {
            int known = 1;
            Py_BEGIN_ALLOW_THREADS
            for (Py_ssize_t i = 0; i < count; i++, solution += width) {
                int code = status[i];
                if (!(known = code < words.count)) break;
                end = write_line(end, &words, code, solution, width);
            }
            Py_END_ALLOW_THREADS
            if (known) result = PyLong_FromSsize_t(end - begin);
            else PyErr_Format(PyExc_ValueError, "statuses: expected codes below %d", words.count);
        }
    }
    release_buffers(views, 3);
    return result;
}

/* What stands in each row: the bytes from begins[row] to stops[row] of a text, or the whole text if
 * there are no begins. */
typedef struct {
    const uint8_t *text;
    Py_ssize_t length;
    const int64_t *begins, *stops;
} Part;

typedef struct {
    uint8_t *text;
    size_t used, room;
} Output;

enum { GOOD, OUTSIDE, NO_MEMORY };

/* Room for so many bytes more. It is called without the interpreter lock. */
static int make_room(Output *out, size_t more)
{
    if (out->room - out->used >= more) return 1;
    size_t room = 2 * out->room + more;
    uint8_t *text = realloc(out->text, room);
    if (!text) return 0;
    out->text = text;
    out->room = room;
    return 1;
}

/* Whether a field of CSV must stand between quotes. */
static int is_special(const uint8_t *field, Py_ssize_t length, int separator)
{
    uint8_t found = 0;
    for (Py_ssize_t i = 0; i < length; i++) {
        uint8_t c = field[i];
        found |= (c == '"') | (c == separator) | (c == '\n') | (c == '\r');
    }
    return found;
}

static void write_quoted(Output *out, const uint8_t *field, Py_ssize_t length)
{
    uint8_t *to = out->text + out->used;
    *to++ = '"';
    for (Py_ssize_t i = 0; i < length; i++) {
        if (field[i] == '"') *to++ = '"';
        *to++ = field[i];
    }
    *to++ = '"';
    out->used = (size_t)(to - out->text);
}

/* Write a part of a row: a field is quoted if it must be and there is a separator of CSV, and one
 * that is alone in its row also if it is empty. */
static int write_part(Output *out, const Part *part, Py_ssize_t row, int separator, int is_alone)
{
    int64_t begin = part->begins ? part->begins[row] : 0;
    int64_t stop = part->begins ? part->stops[row] : part->length;
    if (stop < begin) stop = begin; /* no value */
    if (begin < 0 || stop > part->length) return OUTSIDE;
    const uint8_t *field = part->text + begin;
    Py_ssize_t length = (Py_ssize_t)(stop - begin);
    if (!make_room(out, 2 * (size_t)length + 2)) return NO_MEMORY;
    if (part->begins && separator && (!length ? is_alone : is_special(field, length, separator)))
        write_quoted(out, field, length);
    else {
        memcpy(out->text + out->used, field, (size_t)length);
        out->used += (size_t)length;
    }
    return GOOD;
}

static int write_rows(Output *out, const Part *parts, Py_ssize_t count, Py_ssize_t rows,
                      int separator)
{
    for (Py_ssize_t row = 0; row < rows; row++)
        for (Py_ssize_t i = 0; i < count; i++) {
            int found = write_part(out, parts + i, row, separator, count == 2);
            if (found != GOOD) return found;
        }
    return GOOD;
}

/* One of the parts, whose views follow at `views`; 0 with an error set if it is none. */
static int take_part(PyObject *item, Py_ssize_t rows, Py_buffer *views, Part *part)
{
    PyObject *text = item, *begins = NULL, *stops = NULL;
    if (PyTuple_Check(item) && !PyArg_ParseTuple(item, "OOO", &text, &begins, &stops)) return 0;
    if (!take_buffer(text, input("text", UINT8, ANY, FLAT), views)) return 0;
    *part = (Part){views[0].buf, views[0].len, NULL, NULL};
    if (!begins) return 1;
    if (!take_buffer(begins, input("begins", INT64, rows, FLAT), views + 1)
        || !take_buffer(stops, input("stops", INT64, rows, FLAT), views + 2))
        return 0;
    part->begins = views[1].buf;
    part->stops = views[2].buf;
    return 1;
}

static PyObject *join_parts(const Part *parts, Py_ssize_t count, Py_ssize_t rows, int separator)
{
    PyObject *result = NULL;
    Output out = {0};
    int found;
    Py_BEGIN_ALLOW_THREADS
    found = write_rows(&out, parts, count, rows, separator);
    Py_END_ALLOW_THREADS
    if (found == OUTSIDE) PyErr_SetString(PyExc_ValueError, "parts: a field outside its text");
    else if (found == NO_MEMORY) PyErr_NoMemory();
    else result = PyBytes_FromStringAndSize((char *)out.text, (Py_ssize_t)out.used);
    free(out.text);
    return result;
}

static PyObject *join(PyObject *module, PyObject *args)
{
    PyObject *tuple, *result = NULL;
    Py_ssize_t rows;
    int separator;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!ni", &PyTuple_Type, &tuple, &rows, &separator)) return NULL;
    Py_ssize_t count = PyTuple_Size(tuple), taken = 0;
    Part *parts = PyMem_Calloc((size_t)count + 1, sizeof *parts);
    Py_buffer *views = PyMem_Calloc(3 * (size_t)count + 1, sizeof *views);
    if (!parts || !views) PyErr_NoMemory();
    else {
        while (taken < count
               && take_part(PyTuple_GetItem(tuple, taken), rows, views + 3 * taken, parts + taken))
            taken++;
        if (taken == count) result = join_parts(parts, count, rows, separator);
        release_buffers(views, 3 * (int)count);
    }
    PyMem_Free(parts);
    PyMem_Free(views);
    return result;
}

static PyMethodDef methods[] = {
    {"read", read_lines, METH_VARARGS, "read(text, size, cells) -> whether all lines are puzzles"},
    {"write", write_lines, METH_VARARGS, "write(words, size, statuses, solutions, text) -> length"},
    {"join", join, METH_VARARGS, "join(parts, rows, separator) -> the rows, one after the other"},
    {NULL, NULL, 0, NULL},
};

EXTENSION(_lines, "Lines of puzzles in, lines of answers and rows out.", 1)
