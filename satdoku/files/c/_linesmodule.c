/* Collections in the plainest notation: lines of digits and dots to cells, and answers to lines.
 *
 * Invariant: what is no such line is refused as a whole, before anybody uses the cells; what is
 * written fits its buffer. `collection.plain` says what the arguments mean. */
#include "../../buffers.h"

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

static PyMethodDef methods[] = {
    {"read", read_lines, METH_VARARGS, "read(text, size, cells) -> whether all lines are puzzles"},
    {"write", write_lines, METH_VARARGS, "write(words, size, statuses, solutions, text) -> length"},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_lines", "Lines of puzzles in, lines of answers out.", 0, methods,
    NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__lines(void)
{
    return PyModule_Create(&definition);
}
