/* Layered automata: by steps that Python takes, of automata that are read at once, and as an engine
 * runs them.
 *
 * Invariant: each function gives what its twin in Python gives: `built` is `shapes.built`, `joined` is
 * `automata.joined_in_python`, `summed` is `automata.summed`, `ways` is `tables.ways_of`; `walked` and
 * `by_sets` are `shapes.automaton` with the steps that `automata.retraced` and `regular.by_sets` take.
 * `clauses` and `states` are those of `cnf.encodings.shapes`. Numbers are checked where they are read. */
#include "../../runtime/buffers.h"
#include "../../runtime/portable.h"

enum { LOST = -1, MAX_STATES = 1 << 28 };

/* Different rows of numbers, which are numbered as they come. */
typedef struct {
    int width, count, room, slots; /* slots: a power of two, more than twice the room */
    int32_t *items, *slot;         /* slot: the number of a row, or LOST */
} Rows;

static int32_t *row_at(const Rows *rows, int number)
{
    return rows->items + (size_t)number * (size_t)rows->width;
}

static size_t row_bytes(const Rows *rows) { return (size_t)rows->width * sizeof(int32_t); }

static void free_rows(Rows *rows)
{
    PyMem_Free(rows->items);
    PyMem_Free(rows->slot);
    *rows = (Rows){0};
}

static unsigned slot_of(const Rows *rows, const int32_t *row)
{
    uint64_t mixed = 0;
    for (int i = 0; i < rows->width; i++) {
        mixed = (mixed ^ (uint32_t)row[i]) * UINT64_C(0x9E3779B97F4A7C15);
        mixed ^= mixed >> 29;
    }
    unsigned mask = (unsigned)rows->slots - 1, at = (unsigned)(mixed >> 20) & mask;
    while (rows->slot[at] != LOST && memcmp(row_at(rows, rows->slot[at]), row, row_bytes(rows)))
        at = (at + 1) & mask;
    return at;
}

/* Room for more rows; 0 with an error set. */
static int grow_rows(Rows *rows)
{
    int room = rows->room ? 2 * rows->room : 16;
    size_t each = row_bytes(rows) ? row_bytes(rows) : 1;
    int32_t *items = room > MAX_STATES ? NULL : PyMem_Realloc(rows->items, (size_t)room * each);
    if (items) rows->items = items;
    int32_t *slot = items ? PyMem_Realloc(rows->slot, 4 * (size_t)room * sizeof *slot) : NULL;
    if (!slot) return PyErr_NoMemory(), 0;
    rows->slot = slot, rows->room = room, rows->slots = 4 * room;
    memset(slot, 0xFF, 4 * (size_t)room * sizeof *slot);
    for (int i = 0; i < rows->count; i++) slot[slot_of(rows, row_at(rows, i))] = i;
    return 1;
}

/* The number of a row; LOST with an error set. */
static int number_of(Rows *rows, const int32_t *row)
{
    if (rows->count == rows->room && !grow_rows(rows)) return LOST;
    unsigned at = slot_of(rows, row);
    if (rows->slot[at] == LOST) {
        memcpy(row_at(rows, rows->count), row, row_bytes(rows));
        rows->slot[at] = rows->count++;
    }
    return rows->slot[at];
}

/* The states before a cell, and where each digit leads. */
typedef struct {
    int digits, states, room;
    int32_t *after; /* by state and digit */
} Layer;

/* A row for one state more; NULL with an error set. */
static int32_t *next_state(Layer *layer)
{
    if (layer->states == layer->room) {
        int room = layer->room ? 2 * layer->room : 16;
        size_t bytes = (size_t)room * (size_t)(layer->digits + 1) * sizeof *layer->after;
        int32_t *after = room > MAX_STATES ? NULL : PyMem_Realloc(layer->after, bytes);
        if (!after) return PyErr_NoMemory(), NULL;
        layer->after = after, layer->room = room;
    }
    return layer->after + (size_t)layer->states++ * (size_t)layer->digits;
}

static Layer *new_layers(Py_ssize_t count)
{
    Layer *layers = PyMem_Calloc((size_t)count + 1, sizeof *layers);
    if (!layers) PyErr_NoMemory();
    return layers;
}

static void free_layers(Layer *layers, Py_ssize_t count)
{
    for (Py_ssize_t i = 0; layers && i < count; i++) PyMem_Free(layers[i].after);
    PyMem_Free(layers);
}

/* Edges for Python ------------------------------------------------------------------------------ */

/* One more of a layer; a list that cannot take it is gone, with an error set. */
static void add_edge(PyObject **edges, int before, int digit, int after)
{
    PyObject *edge = Py_BuildValue("(iii)", before, digit, after);
    if (!edge || PyList_Append(*edges, edge)) Py_CLEAR(*edges);
    Py_XDECREF(edge);
}

/* The layer that a list of edges is, if there is one; the list is gone. */
static PyObject *as_layer(PyObject *edges)
{
    PyObject *all = edges ? PyList_AsTuple(edges) : NULL;
    Py_XDECREF(edges);
    return all;
}

/* The smallest automaton ------------------------------------------------------------------------ */

/* Of each state before a cell its class, those alike being one; LOST where the end is out of reach.
 * number: the classes behind the cell, and then before it. */
static int classify(const Layer *layer, Rows *classes, int32_t **number)
{
    int32_t *row = PyMem_Malloc((size_t)(layer->digits + 1) * sizeof *row);
    int32_t *before = PyMem_Malloc((size_t)(layer->states + 1) * sizeof *before);
    int done = row && before;
    if (!done) PyErr_NoMemory();
    classes->width = layer->digits;
    for (int s = 0; done && s < layer->states; s++) {
        const int32_t *after = layer->after + (size_t)s * (size_t)layer->digits;
        int goes_on = 0;
        for (int d = 0; d < layer->digits; d++) {
            row[d] = after[d] == LOST ? LOST : (*number)[after[d]];
            goes_on |= row[d] != LOST;
        }
        before[s] = goes_on ? number_of(classes, row) : LOST;
        done = !goes_on || before[s] != LOST;
    }
    PyMem_Free(row);
    PyMem_Free(*number);
    *number = before;
    return done;
}

/* The edges of a layer, its classes in the order in which they were reached; order: these, and then
 * those behind the cell. */
static PyObject *edges_of(const Rows *classes, int32_t **order, int *count, int behind)
{
    int32_t *number = PyMem_Malloc((size_t)(behind + 1) * sizeof *number);
    int32_t *reached = PyMem_Malloc((size_t)(behind + 1) * sizeof *reached);
    PyObject *edges = number && reached ? PyList_New(0) : PyErr_NoMemory();
    int found = 0;
    for (int c = 0; c < behind && edges; c++) number[c] = LOST;
    for (int s = 0; edges && s < *count; s++) {
        const int32_t *row = row_at(classes, (*order)[s]);
        for (int d = 0; edges && d < classes->width; d++) {
            if (row[d] == LOST) continue;
            if (number[row[d]] == LOST) number[row[d]] = found, reached[found++] = row[d];
            add_edge(&edges, s, d + 1, number[row[d]]);
        }
    }
    PyMem_Free(number);
    PyMem_Free(*order);
    *order = reached, *count = found;
    return as_layer(edges);
}

/* The smallest automaton as tuples; number: 0 for each last state that accepts, LOST for others, which
 * is freed. NULL with an error set. */
static PyObject *reduced(const Layer *layers, int count, int32_t *number)
{
    Rows *classes = PyMem_Calloc((size_t)count + 1, sizeof *classes);
    PyObject *all = classes ? PyTuple_New(count) : PyErr_NoMemory();
    int done = all != NULL, states = 1;
    for (int i = count; done && i-- > 0;) done = classify(&layers[i], &classes[i], &number);
    if (done && count && number[0] != LOST) number[0] = 0;
    else states = 0;
    for (int i = 0; done && i < count; i++) {
        int behind = i + 1 < count ? classes[i + 1].count : 1;
        PyObject *edges = edges_of(&classes[i], &number, &states, behind);
        done = edges && !PyTuple_SetItem(all, i, edges);
    }
    for (int i = 0; classes && i < count; i++) free_rows(&classes[i]);
    PyMem_Free(classes);
    PyMem_Free(number);
    if (!done) Py_CLEAR(all);
    return all;
}

/* So many moves are looked at next, which `check` may refuse; 0 with an error set. */
static int counted(PyObject *check, int states, Py_ssize_t digits)
{
    PyObject *moves = PyLong_FromSsize_t(states * digits);
    PyObject *result = moves ? PyObject_CallFunctionObjArgs(check, moves, NULL) : NULL;
    Py_XDECREF(moves);
    Py_XDECREF(result);
    return result != NULL;
}

/* By steps -------------------------------------------------------------------------------------- */

/* States that Python knows, and their numbers. */
typedef struct {
    PyObject *list, *numbers;
} Known;

static void forget(Known *known)
{
    Py_CLEAR(known->list);
    Py_CLEAR(known->numbers);
}

static int no_state(Known *known)
{
    known->list = PyList_New(0), known->numbers = PyDict_New();
    return known->list && known->numbers;
}

/* The number of a state, or LOST; with an error set if `is_new`, else if it is not known. */
static int number_of_state(const Known *known, PyObject *state, int is_new)
{
    PyObject *number = PyDict_GetItemWithError(known->numbers, state);
    if (number) return (int)PyLong_AsLong(number);
    if (PyErr_Occurred() || !is_new) return LOST;
    Py_ssize_t count = PyList_Size(known->list);
    number = count < MAX_STATES ? PyLong_FromSsize_t(count) : PyErr_NoMemory();
    int failed = !number || PyDict_SetItem(known->numbers, state, number) ||
                 PyList_Append(known->list, state);
    Py_XDECREF(number);
    return failed ? LOST : (int)count;
}

/* Where a digit leads from a state; 0 with an error set. */
static int stepped(PyObject *step, PyObject *at, PyObject *state, PyObject *digit, Known *behind,
                   int32_t *number)
{
    PyObject *after = PyObject_CallFunctionObjArgs(step, at, state, digit, NULL);
    if (!after) return 0;
    *number = after == Py_None ? LOST : number_of_state(behind, after, 1);
    int done = after == Py_None || *number != LOST;
    Py_DECREF(after);
    return done;
}

/* One layer; last: that before, if a step there is the same from the same state, whose states are
 * in `old` and led to those of `before`. 0 with an error set. */
static int read_layer(Layer *layer, int position, PyObject *digits, PyObject *step,
                      const Known *before, Known *behind, const Layer *last, const Known *old)
{
    PyObject *at = PyLong_FromLong(position);
    Py_ssize_t states = PyList_Size(before->list);
    int done = at != NULL;
    layer->digits = (int)PyTuple_Size(digits);
    for (Py_ssize_t s = 0; done && s < states; s++) {
        PyObject *state = PyList_GetItem(before->list, s);
        int known = last ? number_of_state(old, state, 0) : LOST;
        int32_t *after = PyErr_Occurred() ? NULL : next_state(layer);
        done = after != NULL;
        for (int d = 0; done && d < layer->digits; d++) {
            if (known == LOST)
                done = stepped(step, at, state, PyTuple_GetItem(digits, d), behind, &after[d]);
            else {
                int32_t same = last->after[(size_t)known * (size_t)last->digits + (size_t)d];
                PyObject *to = same == LOST ? NULL : PyList_GetItem(before->list, same);
                after[d] = to ? number_of_state(behind, to, 1) : LOST;
                done = !to || after[d] != LOST;
            }
        }
    }
    Py_XDECREF(at);
    return done;
}

/* Of each state whether it is accepted, as `reduced` takes it; NULL with an error set. */
static int32_t *accepted(PyObject *states, PyObject *accepts)
{
    Py_ssize_t count = PyList_Size(states);
    int32_t *number = PyMem_Malloc((size_t)(count + 1) * sizeof *number);
    if (!number) return (int32_t *)PyErr_NoMemory();
    for (Py_ssize_t s = 0; s < count; s++) {
        PyObject *said = PyObject_CallFunctionObjArgs(accepts, PyList_GetItem(states, s), NULL);
        int is_true = said ? PyObject_IsTrue(said) : -1;
        Py_XDECREF(said);
        if (is_true < 0) {
            PyMem_Free(number);
            return NULL;
        }
        number[s] = is_true ? 0 : LOST;
    }
    return number;
}

static PyObject *built(PyObject *module, PyObject *args)
{
    PyObject *domains, *start, *step, *accepts, *check, *found = NULL, *digits = NULL;
    int anywhere;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!OOOOp", &PyList_Type, &domains, &start, &step, &accepts, &check,
                          &anywhere))
        return NULL;
    int count = (int)PyList_Size(domains);
    Layer *layers = new_layers(count);
    Known old = {0}, before = {0}, behind = {0};
    int done = layers && no_state(&before) && number_of_state(&before, start, 1) != LOST;
    for (int i = 0; done && i < count; i++) {
        PyObject *own = PySequence_Tuple(PyList_GetItem(domains, i));
        int same = own && anywhere && digits ? PyObject_RichCompareBool(own, digits, Py_EQ) : 0;
        done = own && same >= 0 && no_state(&behind) &&
               counted(check, (int)PyList_Size(before.list), PyTuple_Size(own)) &&
               read_layer(&layers[i], i, own, step, &before, &behind,
                          same > 0 ? &layers[i - 1] : NULL, &old);
        Py_XDECREF(digits);
        digits = own;
        forget(&old);
        old = before, before = behind, behind = (Known){0};
    }
    int32_t *number = done ? accepted(before.list, accepts) : NULL;
    if (number) found = reduced(layers, count, number);
    Py_XDECREF(digits);
    forget(&old);
    forget(&before);
    free_layers(layers, count);
    return found;
}

/* Edges of Python ------------------------------------------------------------------------------- */

typedef struct {
    int32_t before, digit, after; /* digits from 0 */
} Edge;

/* The edges of a layer; NULL with an error set. */
static Edge *read_edges(PyObject *layer, int digits, Py_ssize_t *count)
{
    *count = PyTuple_Check(layer) ? PyTuple_Size(layer) : -1;
    Edge *edges = *count < 0 ? NULL : PyMem_Malloc((size_t)(*count + 1) * sizeof *edges);
    if (!edges && *count >= 0) PyErr_NoMemory();
    int right = edges != NULL;
    for (Py_ssize_t i = 0; right && i < *count; i++) {
        PyObject *edge = PyTuple_GetItem(layer, i);
        int32_t read[3] = {0};
        right = PyTuple_Check(edge) && PyTuple_Size(edge) == 3;
        for (int k = 0; right && k < 3; k++) {
            long number = PyLong_AsLong(PyTuple_GetItem(edge, k));
            right = number >= 0 && number < MAX_STATES;
            read[k] = (int32_t)number;
        }
        right &= 1 <= read[1] && read[1] <= digits;
        edges[i] = (Edge){read[0], read[1] - 1, read[2]};
    }
    if (right) return edges;
    PyMem_Free(edges);
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "layers: expected tuples of edges");
    return NULL;
}

/* The states and ways of edges of Python; 0 with an error set. */
static int fill_layer(Layer *layer, PyObject *said, int digits)
{
    Py_ssize_t count;
    Edge *edges = read_edges(said, digits, &count);
    if (!edges) return 0;
    for (Py_ssize_t e = 0; e < count; e++)
        if (edges[e].before >= layer->states) layer->states = edges[e].before + 1;
    layer->digits = digits;
    size_t bytes = ((size_t)layer->states * (size_t)digits + 1) * sizeof *layer->after;
    layer->after = PyMem_Malloc(bytes);
    if (layer->after) {
        memset(layer->after, 0xFF, bytes);
        for (Py_ssize_t e = 0; e < count; e++)
            layer->after[(size_t)edges[e].before * (size_t)digits + (size_t)edges[e].digit] =
                edges[e].after;
    } else PyErr_NoMemory();
    PyMem_Free(edges);
    return layer->after != NULL;
}

/* Where a digit leads from a state of a layer. */
static int32_t led(const Layer *layer, int32_t state, int digit)
{
    if (state == LOST || state >= layer->states) return LOST;
    return layer->after[(size_t)state * (size_t)layer->digits + (size_t)digit];
}

/* Several at once ------------------------------------------------------------------------------- */

/* One of the automata: of each of its cells the layer; of each cell of all which it is, or LOST. */
typedef struct {
    Layer *layers;
    Py_ssize_t count;
    int32_t *place;
} Part;

static int read_part(Part *part, PyObject *pair, int cells, int size)
{
    PyObject *layers, *places;
    if (!PyArg_ParseTuple(pair, "O!O!", &PyTuple_Type, &layers, &PyTuple_Type, &places)) return 0;
    Py_ssize_t count = PyTuple_Size(layers);
    part->place = PyMem_Malloc((size_t)(cells + 1) * sizeof *part->place);
    part->layers = new_layers(count);
    if (!part->place || !part->layers) return PyErr_NoMemory(), 0;
    part->count = count;
    for (int i = 0; i < cells; i++) part->place[i] = LOST;
    for (Py_ssize_t i = 0; i < count; i++) {
        Layer *layer = &part->layers[i];
        long at = i < PyTuple_Size(places) ? PyLong_AsLong(PyTuple_GetItem(places, i)) : -1;
        if (at < 0 || at >= cells) {
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "places: expected all cells");
            return 0;
        }
        part->place[at] = (int32_t)i;
        if (!fill_layer(layer, PyTuple_GetItem(layers, i), size)) return 0;
    }
    return 1;
}

/* Where a digit of a cell leads from the states; whether that is kept. */
static int onward(const Part *parts, int count, int cell, int digit, const int32_t *states,
                  int32_t *after, int need_all)
{
    int alive = 0;
    for (int i = 0; i < count; i++) {
        int place = parts[i].place[cell];
        after[i] = states[i];
        if (place != LOST) after[i] = led(&parts[i].layers[place], states[i], digit);
        alive += after[i] != LOST;
    }
    return need_all ? alive == count : alive > 0;
}

static int join_layer(Layer *layer, const Part *parts, int count, int cell, int need_all,
                      const Rows *before, Rows *behind, int32_t *row)
{
    for (int s = 0; s < before->count; s++) {
        int32_t *after = next_state(layer);
        if (!after) return 0;
        for (int d = 0; d < layer->digits; d++) {
            int kept = onward(parts, count, cell, d, row_at(before, s), row, need_all);
            after[d] = kept ? number_of(behind, row) : LOST;
            if (kept && after[d] == LOST) return 0;
        }
    }
    return 1;
}

static PyObject *joined(PyObject *module, PyObject *args)
{
    PyObject *read, *check, *found = NULL;
    int need_all, cells, size;
    (void)module;
    if (!PyArg_ParseTuple(args, "pO!iiO", &need_all, &PyList_Type, &read, &cells, &size, &check))
        return NULL;
    if (cells < 0 || size < 0)
        return PyErr_Format(PyExc_ValueError, "cells, size: expected no negative number");
    int count = (int)PyList_Size(read), done = 1;
    Part *parts = PyMem_Calloc((size_t)count + 1, sizeof *parts);
    int32_t *row = PyMem_Calloc((size_t)count + 1, sizeof *row);
    Layer *layers = new_layers(cells);
    Rows before = {.width = count}, behind = {.width = count};
    if (!parts || !row) PyErr_NoMemory();
    done = parts && row && layers && number_of(&before, row) != LOST;
    for (int i = 0; done && i < count; i++)
        done = read_part(&parts[i], PyList_GetItem(read, i), cells, size);
    for (int i = 0; done && i < cells; i++) {
        layers[i].digits = size;
        done = counted(check, before.count, size) &&
               join_layer(&layers[i], parts, count, i, need_all, &before, &behind, row);
        free_rows(&before);
        before = behind, behind = (Rows){.width = count};
    }
    int32_t *number = done ? PyMem_Calloc((size_t)before.count + 1, sizeof *number) : NULL;
    if (number) found = reduced(layers, cells, number);
    else if (done) PyErr_NoMemory();
    free_rows(&before);
    free_rows(&behind);
    free_layers(layers, cells);
    for (int i = 0; parts && i < count; i++) {
        PyMem_Free(parts[i].place);
        free_layers(parts[i].layers, parts[i].count);
    }
    PyMem_Free(parts);
    PyMem_Free(row);
    return found;
}

/* Cells that may come again --------------------------------------------------------------------- */

/* Sets of the states of a machine, which are found as they are asked for. */
typedef struct {
    int states, symbols, most, expanded;
    int32_t *first, *behind; /* behind: where each state and symbol leads, from `first` on */
    int32_t *ends;           /* of each state whether it may be the last */
    int32_t *row;
    Rows sets;
    Layer after; /* of each set and symbol: another set, LOST if it is empty, or UNKNOWN */
} Subsets;

enum { UNKNOWN = -2, FAILED = -3 };

/* What is read: at each position a cell, one of those that come first in this order, and either a
 * layer or, if there is one, the sets of a machine, behind a break or not. */
typedef struct {
    int positions, cells;
    int32_t *cell, *first, *last; /* of each position; of each cell its positions */
    int32_t *held;                /* what each cell holds, a symbol */
    int32_t *counts, **symbols;   /* of each cell its digits, as symbols */
    Layer *layers;                /* of each position; one without digits reads nothing */
    Subsets *sets;
    uint8_t *breaks;
} Walk;

/* The set behind a set, which may be new; FAILED with an error set. */
static int32_t next_set(Subsets *s, int32_t set, int symbol)
{
    int32_t *known = s->after.after + (size_t)set * (size_t)s->symbols;
    if (known[symbol] != UNKNOWN) return known[symbol];
    int is_new = 1;
    for (int i = 0; i < s->symbols; i++) is_new &= known[i] == UNKNOWN;
    if (is_new && s->expanded++ == s->most) return PyErr_SetNone(PyExc_OverflowError), FAILED;
    memset(s->row, 0, row_bytes(&s->sets));
    int is_empty = 1;
    for (int state = 0; state < s->states; state++) {
        if (!((uint32_t)row_at(&s->sets, set)[state / 32] >> state % 32 & 1)) continue;
        size_t at = (size_t)state * (size_t)s->symbols + (size_t)symbol;
        for (int32_t i = s->first[at]; i < s->first[at + 1]; i++) {
            s->row[s->behind[i] / 32] |= (int32_t)(UINT32_C(1) << s->behind[i] % 32);
            is_empty = 0;
        }
    }
    int32_t number = is_empty ? LOST : number_of(&s->sets, s->row);
    if (number == LOST && !is_empty) return FAILED;
    while (s->after.states < s->sets.count) {
        int32_t *more = next_state(&s->after);
        if (!more) return FAILED;
        for (int i = 0; i < s->symbols; i++) more[i] = UNKNOWN;
    }
    return s->after.after[(size_t)set * (size_t)s->symbols + (size_t)symbol] = number;
}

/* The state behind a position; FAILED with an error set. */
static int32_t walk_on(Walk *w, int position, int32_t state)
{
    int symbol = w->held[w->cell[position]];
    if (!w->sets) return w->layers[position].digits ? led(&w->layers[position], state, symbol) : state;
    if (w->breaks[position]) state = next_set(w->sets, state, w->sets->symbols - 1);
    return state < 0 ? state : next_set(w->sets, state, symbol);
}

/* The cells that are known before some position and come again from there on; their number. */
static int kept_cells(const Walk *w, int before, int position, int32_t *kept)
{
    int count = 0;
    for (int c = 0; c < before; c++)
        if (w->last[c] >= position) kept[count++] = c;
    return count;
}

/* One layer: its cell is read where it comes first, and what is known wherever it follows. */
static int walk_layer(Walk *w, int cell, Layer *layer, const Rows *before, Rows *behind,
                      int32_t *kept, int32_t *row)
{
    int until = cell + 1 < w->cells ? w->first[cell + 1] : w->positions;
    int known = kept_cells(w, cell, w->first[cell], kept);
    int after = kept_cells(w, cell + 1, until, kept + known);
    layer->digits = w->counts[cell];
    behind->width = 1 + after;
    for (int s = 0; s < before->count; s++) {
        int32_t *next = next_state(layer);
        if (!next) return 0;
        for (int k = 0; k < known; k++) w->held[kept[k]] = row_at(before, s)[1 + k];
        for (int d = 0; d < layer->digits; d++) {
            int32_t state = row_at(before, s)[0];
            w->held[cell] = w->symbols[cell][d];
            for (int at = w->first[cell]; state >= 0 && at < until; at++) state = walk_on(w, at, state);
            row[0] = state;
            for (int k = 0; k < after; k++) row[1 + k] = w->held[kept[known + k]];
            next[d] = state >= 0 ? number_of(behind, row) : LOST;
            if (state == FAILED || (state >= 0 && next[d] == LOST)) return 0;
        }
    }
    return 1;
}

/* Whether one of the states of a set may be the last. */
static int may_end(const Subsets *s, int32_t set)
{
    for (int state = 0; state < s->states; state++)
        if (s->ends[state] && (uint32_t)row_at(&s->sets, set)[state / 32] >> state % 32 & 1) return 1;
    return 0;
}

static PyObject *walk_all(Walk *w, PyObject *check)
{
    Layer *layers = new_layers(w->cells);
    int32_t *kept = PyMem_Malloc((2 * (size_t)w->cells + 1) * sizeof *kept);
    int32_t *row = PyMem_Calloc((size_t)w->cells + 2, sizeof *row);
    Rows before = {.width = 1}, behind = {0};
    if (layers && !(kept && row)) PyErr_NoMemory();
    int done = layers && kept && row && number_of(&before, row) != LOST;
    for (int c = 0; done && c < w->cells; c++) {
        done = counted(check, before.count, w->counts[c]) &&
               walk_layer(w, c, &layers[c], &before, &behind, kept, row);
        free_rows(&before);
        before = behind, behind = (Rows){0};
    }
    PyObject *found = NULL;
    int32_t *number = done ? PyMem_Calloc((size_t)before.count + 1, sizeof *number) : NULL;
    for (int i = 0; number && w->sets && i < before.count; i++)
        if (!may_end(w->sets, row_at(&before, i)[0])) number[i] = LOST;
    if (number) found = reduced(layers, w->cells, number);
    else if (done) PyErr_NoMemory();
    free_rows(&before);
    free_rows(&behind);
    free_layers(layers, w->cells);
    PyMem_Free(kept);
    PyMem_Free(row);
    return found;
}

/* Numbers from 0 to before a bound; 0 with an error set. */
static int read_numbers(PyObject *said, int32_t *numbers, Py_ssize_t count, long bound)
{
    for (Py_ssize_t i = 0; i < count; i++) {
        long number = PyLong_AsLong(PyTuple_GetItem(said, i));
        if (number < 0 || number >= bound) {
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "walk: a number is out of range");
            return 0;
        }
        numbers[i] = (int32_t)number;
    }
    return 1;
}

/* Which cell each position reads, those in order that come first, and their symbols. */
static int read_walk(Walk *w, PyObject *cells, PyObject *domains, int symbols)
{
    w->positions = (int)PyTuple_Size(cells), w->cells = (int)PyList_Size(domains);
    size_t room = (size_t)(w->positions > w->cells ? w->positions : w->cells) + 1;
    int32_t **parts[] = {&w->cell, &w->first, &w->last, &w->held, &w->counts};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!(*parts[i] = PyMem_Calloc(room, sizeof **parts[i]))) return PyErr_NoMemory(), 0;
    w->symbols = PyMem_Calloc(room, sizeof *w->symbols);
    w->breaks = PyMem_Calloc(room, 1);
    if (!w->symbols || !w->breaks) return PyErr_NoMemory(), 0;
    if (!read_numbers(cells, w->cell, w->positions, w->cells)) return 0;
    int seen = 0;
    for (int i = 0; i < w->positions; i++) {
        if (w->cell[i] == seen) w->first[seen++] = i;
        if (w->cell[i] >= seen) break;
        w->last[w->cell[i]] = i;
    }
    if (seen < w->cells)
        return PyErr_SetString(PyExc_ValueError, "walk: expected cells as they come"), 0;
    for (int c = 0; c < w->cells; c++) {
        PyObject *own = PyList_GetItem(domains, c);
        if (!PyTuple_Check(own)) return PyErr_SetString(PyExc_TypeError, "walk: expected tuples"), 0;
        w->counts[c] = (int32_t)PyTuple_Size(own);
        w->symbols[c] = PyMem_Calloc((size_t)w->counts[c] + 1, sizeof **w->symbols);
        if (!w->symbols[c]) return PyErr_NoMemory(), 0;
        if (!read_numbers(own, w->symbols[c], w->counts[c], symbols)) return 0;
    }
    return 1;
}

static void free_walk(Walk *w)
{
    int32_t *parts[] = {w->cell, w->first, w->last, w->held, w->counts};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) PyMem_Free(parts[i]);
    for (int c = 0; w->symbols && c < w->cells; c++) PyMem_Free(w->symbols[c]);
    PyMem_Free(w->symbols);
    PyMem_Free(w->breaks);
    free_layers(w->layers, w->positions);
}

static PyObject *walked(PyObject *module, PyObject *args)
{
    PyObject *layers, *cells, *domains, *check, *found = NULL;
    int size;
    Walk w = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O!O!iO", &PyList_Type, &layers, &PyTuple_Type, &cells, &PyList_Type,
                          &domains, &size, &check))
        return NULL;
    if (size < 1 || PyList_Size(layers) != PyTuple_Size(cells))
        return PyErr_Format(PyExc_ValueError, "walk: expected a layer or None for each position");
    int done = read_walk(&w, cells, domains, size) && (w.layers = new_layers(w.positions));
    for (int i = 0; done && i < w.positions; i++) {
        PyObject *layer = PyList_GetItem(layers, i);
        done = layer == Py_None || fill_layer(&w.layers[i], layer, size);
    }
    if (done) found = walk_all(&w, check);
    free_walk(&w);
    return found;
}

/* The ways of a machine, by state and symbol, and the set in which it begins. */
static int read_machine(Subsets *s, PyObject *ways, PyObject *starts, PyObject *ends)
{
    Py_ssize_t count;
    Edge *edges = read_edges(ways, s->symbols, &count);
    if (!edges) return 0;
    size_t keys = (size_t)s->states * (size_t)s->symbols;
    s->sets.width = (s->states + 31) / 32, s->after.digits = s->symbols;
    s->first = PyMem_Calloc(keys + 2, sizeof *s->first);
    s->behind = PyMem_Malloc(((size_t)count + 1) * sizeof *s->behind);
    s->ends = PyMem_Calloc((size_t)s->states + 1, sizeof *s->ends);
    s->row = PyMem_Calloc((size_t)s->sets.width + 1, sizeof *s->row);
    int right = s->first && s->behind && s->ends && s->row;
    if (!right) PyErr_NoMemory();
    for (Py_ssize_t i = 0; right && i < count; i++) {
        right = edges[i].before < s->states && edges[i].after < s->states;
        if (!right) PyErr_SetString(PyExc_ValueError, "walk: a state is out of range");
        else s->first[(size_t)edges[i].before * (size_t)s->symbols + (size_t)edges[i].digit + 2]++;
    }
    for (size_t key = 2; right && key < keys + 2; key++) s->first[key] += s->first[key - 1];
    for (Py_ssize_t i = 0; right && i < count; i++) {
        size_t key = (size_t)edges[i].before * (size_t)s->symbols + (size_t)edges[i].digit;
        s->behind[s->first[key + 1]++] = edges[i].after;
    }
    PyMem_Free(edges);
    PyObject *sets[] = {starts, ends};
    for (int k = 0; right && k < 2; k++)
        for (Py_ssize_t i = 0; right && i < PyTuple_Size(sets[k]); i++) {
            long state = PyLong_AsLong(PyTuple_GetItem(sets[k], i));
            right = state >= 0 && state < s->states;
            if (!right && !PyErr_Occurred())
                PyErr_SetString(PyExc_ValueError, "walk: a state is out of range");
            if (right && k) s->ends[state] = 1;
            if (right && !k) s->row[state / 32] |= (int32_t)(UINT32_C(1) << state % 32);
        }
    if (!right || number_of(&s->sets, s->row) == LOST) return 0;
    int32_t *after = next_state(&s->after);
    for (int i = 0; after && i < s->symbols; i++) after[i] = UNKNOWN;
    return after != NULL;
}

static PyObject *by_sets(PyObject *module, PyObject *args)
{
    PyObject *machine, *starts, *ends, *cells, *breaks, *domains, *check, *found = NULL;
    Subsets s = {0};
    Walk w = {.sets = &s};
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O!O!iiiO!O!O!O", &PyTuple_Type, &machine, &PyTuple_Type, &starts,
                          &PyTuple_Type, &ends, &s.states, &s.symbols, &s.most, &PyTuple_Type, &cells,
                          &PyTuple_Type, &breaks, &PyList_Type, &domains, &check))
        return NULL;
    if (s.states < 1 || s.symbols < 1 || (int64_t)s.states * s.symbols >= MAX_STATES)
        return PyErr_Format(PyExc_ValueError, "walk: states, symbols: out of range");
    int done = read_machine(&s, machine, starts, ends) && read_walk(&w, cells, domains, s.symbols);
    for (Py_ssize_t i = 0; done && i < PyTuple_Size(breaks); i++) {
        long at = PyLong_AsLong(PyTuple_GetItem(breaks, i));
        done = at >= 0 && at < w.positions;
        if (done) w.breaks[at] = 1;
        else if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "walk: a break is out of range");
    }
    if (done) found = walk_all(&w, check);
    free_walk(&w);
    free_rows(&s.sets);
    PyMem_Free(s.after.after);
    PyMem_Free(s.first);
    PyMem_Free(s.behind);
    PyMem_Free(s.ends);
    PyMem_Free(s.row);
    return found;
}

/* Sums ------------------------------------------------------------------------------------------ */

typedef struct {
    int32_t *weights, *number; /* of each sum its state behind the last cell, or LOST */
    uint8_t *open;             /* before each cell and behind the last, of each sum: reached, and open */
    int cells, size, lowest, most, total; /* of sums, which are counted from the lowest one */
} Sums;

enum { REACHED = 1, OPEN = 2, MAX_SUMS = 1 << 26 };

/* The range of sums; 0 with an error set. */
static int range_of_sums(Sums *s, PyObject *weights)
{
    int64_t low = 0, high = 0;
    for (int i = 0; i < s->cells; i++) {
        long weight = PyLong_AsLong(PyTuple_GetItem(weights, i));
        if (weight == -1 && PyErr_Occurred()) return 0;
        if (weight < -MAX_SUMS || weight > MAX_SUMS) low = MAX_SUMS;
        s->weights[i] = (int32_t)weight;
        *(weight < 0 ? &low : &high) += (weight < 0 ? -1 : 1) * (int64_t)weight * s->size;
    }
    int64_t total = low + s->total;
    if (low > MAX_SUMS || high > MAX_SUMS || (low + high + 1) * (s->cells + 1) > MAX_SUMS)
        return PyErr_SetString(PyExc_ValueError, "weights: out of range"), 0;
    s->lowest = (int)low, s->most = (int)(low + high);
    s->total = total < 0 || total > s->most ? LOST : (int)total;
    return 1;
}

/* Which sums are reached, and of these from which the total is. */
static void find_open(Sums *s)
{
    size_t wide = (size_t)s->most + 1;
    s->open[s->lowest] = REACHED;
    for (int i = 0; i < s->cells; i++)
        for (int sum = 0; sum <= s->most; sum++)
            for (int d = 1; s->open[i * wide + (size_t)sum] && d <= s->size; d++)
                s->open[(i + 1) * wide + (size_t)(sum + s->weights[i] * d)] = REACHED;
    if (s->total != LOST && s->open[s->cells * wide + (size_t)s->total])
        s->open[s->cells * wide + (size_t)s->total] |= OPEN;
    for (int i = s->cells; i-- > 0;)
        for (int sum = 0; sum <= s->most; sum++)
            for (int d = 1; s->open[i * wide + (size_t)sum] && d <= s->size; d++)
                s->open[i * wide + (size_t)sum] |=
                    s->open[(i + 1) * wide + (size_t)(sum + s->weights[i] * d)] & OPEN;
}

/* The edges of a layer; states: the sums before it in order, and then behind it. */
static PyObject *edges_of_sums(Sums *s, int cell, int32_t **states, int *count)
{
    size_t wide = (size_t)s->most + 1;
    int32_t *behind = PyMem_Malloc(wide * sizeof *behind);
    PyObject *edges = behind ? PyList_New(0) : PyErr_NoMemory();
    int found = 0;
    memset(s->number, 0xFF, wide * sizeof *s->number);
    for (int i = 0; edges && i < *count; i++)
        for (int d = 1; edges && d <= s->size; d++) {
            int64_t sum = (int64_t)(*states)[i] + (int64_t)s->weights[cell] * d;
            if (sum < 0 || sum > s->most || !(s->open[(cell + 1) * wide + (size_t)sum] & OPEN)) continue;
            if (s->number[sum] == LOST) s->number[sum] = found, behind[found++] = (int32_t)sum;
            add_edge(&edges, i, d, s->number[sum]);
        }
    PyMem_Free(*states);
    *states = behind, *count = found;
    return as_layer(edges);
}

static PyObject *summed(PyObject *module, PyObject *args)
{
    PyObject *weights, *all = NULL;
    Sums s = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "O!ii", &PyTuple_Type, &weights, &s.total, &s.size)) return NULL;
    if (s.size < 1 || s.size > MAX_SUMS)
        return PyErr_Format(PyExc_ValueError, "size: out of range");
    s.cells = (int)PyTuple_Size(weights);
    s.weights = PyMem_Malloc(((size_t)s.cells + 1) * sizeof *s.weights);
    if (!s.weights) return PyErr_NoMemory();
    if (range_of_sums(&s, weights)) {
        size_t wide = (size_t)s.most + 1;
        s.open = PyMem_Calloc(wide * ((size_t)s.cells + 1), 1);
        s.number = PyMem_Malloc(wide * sizeof *s.number);
        int32_t *states = PyMem_Malloc(wide * sizeof *states);
        int count = 1;
        if (s.open && s.number && states) {
            find_open(&s);
            states[0] = s.lowest;
            all = PyTuple_New(s.cells);
        } else PyErr_NoMemory();
        for (int i = 0; all && i < s.cells; i++) {
            PyObject *edges = edges_of_sums(&s, i, &states, &count);
            if (!edges || PyTuple_SetItem(all, i, edges)) Py_CLEAR(all);
        }
        PyMem_Free(states);
    }
    PyMem_Free(s.open);
    PyMem_Free(s.number);
    PyMem_Free(s.weights);
    return all;
}

/* As an engine runs it -------------------------------------------------------------------------- */

typedef struct {
    Edge **edges; /* of each layer */
    Py_ssize_t *counts;
    int *states, layers, digits, cells;
    int32_t *starts, *members;
    Py_ssize_t lists, total;
} Ways;

enum { BEHIND, DIGIT, BEFORE }; /* what edges are listed by */

/* A list for each key, of what else the edges of a layer tell. */
static int list_by(Ways *w, int layer, int by, int keys)
{
    int32_t *at = PyMem_Calloc((size_t)keys + 1, sizeof *at);
    if (!at) return PyErr_NoMemory(), 0;
    const Edge *edges = w->edges[layer];
    Py_ssize_t count = w->counts[layer];
    for (int pass = 0; pass < 2; pass++) {
        for (Py_ssize_t i = 0; i < count; i++) {
            Edge e = edges[i];
            int digit = e.digit * w->cells;
            int key = by == BEHIND ? e.after : by == DIGIT ? e.digit : e.before;
            if (pass) {
                w->members[at[key]++] = by == BEFORE ? digit : e.before;
                w->members[at[key]++] = by == BEHIND ? digit : e.after;
            } else at[key] += 2;
        }
        for (int key = 0; !pass && key < keys; key++) {
            int32_t length = at[key];
            at[key] = (int32_t)w->total;
            w->total += length;
            w->starts[++w->lists] = (int32_t)w->total;
        }
    }
    PyMem_Free(at);
    return 1;
}

static int list_ways(Ways *w)
{
    Py_ssize_t edges = 0, lists = 1;
    for (int i = 0; i < w->layers; i++) {
        edges += w->counts[i];
        lists += w->states[i] + w->digits + (i ? w->states[i - 1] : 0);
    }
    w->starts = PyMem_Calloc((size_t)lists + 1, sizeof *w->starts);
    w->members = PyMem_Malloc((6 * (size_t)edges + 1) * sizeof *w->members);
    int done = w->starts && w->members && edges < MAX_STATES / 8;
    if (!done) PyErr_NoMemory();
    for (int i = 0; done && i < w->layers; i++) done = list_by(w, i, BEHIND, w->states[i]);
    for (int i = w->layers; done && i-- > 0;)
        done = list_by(w, i, DIGIT, w->digits) &&
               (!i || list_by(w, i, BEFORE, w->states[i - 1]));
    return done;
}

/* The edges, and how many states are behind each layer, of which there is one behind the last. */
static int read_ways(Ways *w, PyObject *layers)
{
    int is_empty = 0;
    for (int i = 0; i < w->layers; i++) {
        w->edges[i] = read_edges(PyTuple_GetItem(layers, i), w->digits, &w->counts[i]);
        if (!w->edges[i]) return 0;
        is_empty |= !w->counts[i];
    }
    for (int i = 0; i < w->layers; i++) {
        if (is_empty) w->counts[i] = 0; /* nothing is accepted */
        for (Py_ssize_t e = 0; e < w->counts[i]; e++) {
            if (w->edges[i][e].after >= w->states[i]) w->states[i] = w->edges[i][e].after + 1;
            if (w->edges[i][e].before >= (i ? w->states[i - 1] : 1)) {
                PyErr_SetString(PyExc_ValueError, "layers: expected states that are reached");
                return 0;
            }
        }
    }
    if (w->layers) w->states[w->layers - 1] = 1;
    return 1;
}

static PyObject *ways(PyObject *module, PyObject *args)
{
    PyObject *layers, *found = NULL;
    Ways w = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "O!ii", &PyTuple_Type, &layers, &w.cells, &w.digits)) return NULL;
    if (w.cells < 1 || w.digits < 1 || (int64_t)w.cells * w.digits >= MAX_STATES)
        return PyErr_Format(PyExc_ValueError, "cells, digits: out of range");
    w.layers = (int)PyTuple_Size(layers);
    w.edges = PyMem_Calloc((size_t)w.layers + 1, sizeof *w.edges);
    w.counts = PyMem_Calloc((size_t)w.layers + 1, sizeof *w.counts);
    w.states = PyMem_Calloc((size_t)w.layers + 1, sizeof *w.states);
    if (!w.edges || !w.counts || !w.states) PyErr_NoMemory();
    else if (read_ways(&w, layers) && list_ways(&w)) {
        PyObject *states = PyTuple_New(w.layers);
        for (int i = 0; states && i < w.layers; i++) {
            PyObject *number = PyLong_FromLong(w.states[i]);
            if (!number || PyTuple_SetItem(states, i, number)) Py_CLEAR(states);
        }
        if (states)
            found = Py_BuildValue("Ny#y#", states, (const char *)w.starts,
                                  (Py_ssize_t)((size_t)(w.lists + 1) * sizeof *w.starts),
                                  (const char *)w.members,
                                  (Py_ssize_t)((size_t)w.total * sizeof *w.members));
    }
    for (int i = 0; w.edges && i < w.layers; i++) PyMem_Free(w.edges[i]);
    PyMem_Free(w.edges);
    PyMem_Free(w.counts);
    PyMem_Free(w.states);
    PyMem_Free(w.starts);
    PyMem_Free(w.members);
    return found;
}

/* As clauses ------------------------------------------------------------------------------------ */

/* The variables of edges in groups: those of group g are variables[starts[g]] to before
 * variables[starts[g + 1]], in their order. */
typedef struct {
    int32_t *starts, *variables;
    int count;
} Groups;

static void free_groups(Groups *groups)
{
    PyMem_Free(groups->starts);
    PyMem_Free(groups->variables);
    *groups = (Groups){0};
}

enum { BY_BEFORE, BY_DIGIT, BY_AFTER };

static int32_t key_of(const Edge *edge, int by)
{
    return by == BY_BEFORE ? edge->before : by == BY_DIGIT ? edge->digit : edge->after;
}

/* Edges by one of their numbers, which is below a bound; 0 with an error set. */
static int group_edges(Groups *groups, const Edge *edges, const int32_t *variables, Py_ssize_t count,
                       int by, int bound)
{
    groups->count = bound;
    groups->starts = PyMem_Calloc((size_t)bound + 2, sizeof *groups->starts);
    groups->variables = PyMem_Malloc(((size_t)count + 1) * sizeof *groups->variables);
    if (!groups->starts || !groups->variables) return PyErr_NoMemory(), 0;
    for (Py_ssize_t i = 0; i < count; i++) groups->starts[key_of(&edges[i], by) + 2]++;
    for (int g = 2; g < bound + 2; g++) groups->starts[g] += groups->starts[g - 1];
    for (Py_ssize_t i = 0; i < count; i++)
        groups->variables[groups->starts[key_of(&edges[i], by) + 1]++] = variables[i];
    return 1;
}

/* One more clause: a literal and the variables of a group; 0 with an error set. */
static int add_clause(PyObject *clauses, int32_t literal, const Groups *groups, int group)
{
    int32_t first = groups->starts[group], count = groups->starts[group + 1] - first;
    PyObject *clause = PyTuple_New(1 + (Py_ssize_t)count);
    int done = clause != NULL;
    for (int32_t i = 0; done && i <= count; i++) {
        PyObject *number = PyLong_FromLong(i ? groups->variables[first + i - 1] : literal);
        done = number && !PyTuple_SetItem(clause, i, number);
    }
    done = done && !PyList_Append(clauses, clause);
    Py_XDECREF(clause);
    return done;
}

static int add_pair(PyObject *clauses, int32_t one, int32_t other)
{
    PyObject *clause = Py_BuildValue("(ii)", one, other);
    int done = clause && !PyList_Append(clauses, clause);
    Py_XDECREF(clause);
    return done;
}

/* A new variable; 0 with an error set. */
static int32_t new_variable(PyObject *fresh)
{
    PyObject *number = PyObject_CallFunctionObjArgs(fresh, NULL);
    long variable = number ? PyLong_AsLong(number) : 0;
    Py_XDECREF(number);
    if (variable > 0 && variable <= INT32_MAX) return (int32_t)variable;
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "variables: out of range");
    return 0;
}

/* A state between two cells: each of its edges implies it, and it implies one on either side. */
static int add_state(PyObject *clauses, PyObject *fresh, const Groups *entered, const Groups *left,
                     int state)
{
    const Groups *sides[] = {entered, left};
    int32_t variable = new_variable(fresh);
    int done = variable != 0 && state < left->count;
    if (variable && !done) PyErr_SetString(PyExc_KeyError, "a state that is not left");
    for (int k = 0; done && k < 2; k++)
        for (int32_t i = sides[k]->starts[state]; done && i < sides[k]->starts[state + 1]; i++)
            done = add_pair(clauses, -sides[k]->variables[i], variable);
    return done && add_clause(clauses, -variable, entered, state) &&
           add_clause(clauses, -variable, left, state);
}

/* The clauses of one cell; entered: the edges by the states before it, and then behind it. */
static int add_layer(PyObject *clauses, PyObject *fresh, PyObject *layer, int cell, int size,
                     Groups *entered)
{
    Py_ssize_t count;
    Edge *edges = read_edges(layer, size, &count);
    int32_t *variables = edges ? PyMem_Malloc(((size_t)count + 1) * sizeof *variables) : NULL;
    if (edges && !variables) PyErr_NoMemory();
    int done = variables != NULL, before = 1, behind = 1;
    for (Py_ssize_t i = 0; done && i < count; i++) {
        done = (variables[i] = new_variable(fresh)) != 0;
        if (edges[i].before >= before) before = edges[i].before + 1;
        if (edges[i].after >= behind) behind = edges[i].after + 1;
    }
    Groups left = {0}, digits = {0}, led = {0};
    done = done && group_edges(&left, edges, variables, count, BY_BEFORE, before) &&
           group_edges(&digits, edges, variables, count, BY_DIGIT, size) &&
           group_edges(&led, edges, variables, count, BY_AFTER, behind);
    for (Py_ssize_t i = 0; done && i < count; i++)
        done = add_pair(clauses, -variables[i], size * cell + edges[i].digit + 1);
    for (int state = 0; done && state < entered->count; state++)
        if (entered->starts[state] < entered->starts[state + 1])
            done = add_state(clauses, fresh, entered, &left, state);
    for (int digit = 0; done && digit < size; digit++)
        done = add_clause(clauses, -(size * cell + digit + 1), &digits, digit);
    free_groups(entered);
    *entered = led;
    free_groups(&left);
    free_groups(&digits);
    PyMem_Free(variables);
    PyMem_Free(edges);
    return done;
}

static PyObject *clauses(PyObject *module, PyObject *args)
{
    PyObject *layers, *cells, *fresh;
    int size;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O!iO", &PyTuple_Type, &layers, &PyTuple_Type, &cells, &size, &fresh))
        return NULL;
    if (size < 1 || PyTuple_Size(layers) != PyTuple_Size(cells))
        return PyErr_Format(PyExc_ValueError, "clauses: expected a cell for each layer");
    PyObject *all = PyList_New(0);
    Groups entered = {0};
    for (Py_ssize_t i = 0; all && i < PyTuple_Size(layers); i++) {
        long cell = PyLong_AsLong(PyTuple_GetItem(cells, i));
        int right = cell >= 0 && cell < MAX_STATES / size;
        if (!right && !PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "cells: out of range");
        if (!right || !add_layer(all, fresh, PyTuple_GetItem(layers, i), (int)cell, size, &entered))
            Py_CLEAR(all);
    }
    free_groups(&entered);
    return all;
}

/* By states alone, for sessions. A clause is gathered in a row. */
typedef struct {
    PyObject *clauses;
    int32_t *row;
    Py_ssize_t length;
} Writer;

static void put(Writer *writer, int32_t literal) { writer->row[writer->length++] = literal; }

/* The clause is complete; 0 with an error set. */
static int complete(Writer *writer)
{
    PyObject *clause = PyTuple_New(writer->length);
    int done = clause != NULL;
    for (Py_ssize_t i = 0; done && i < writer->length; i++) {
        PyObject *number = PyLong_FromLong(writer->row[i]);
        done = number && !PyTuple_SetItem(clause, i, number);
    }
    done = done && !PyList_Append(writer->clauses, clause);
    Py_XDECREF(clause);
    writer->length = 0;
    return done;
}

/* A cell between states. known, behind: the variables of the states on either side, none before the
 * first cell and behind the last; edges: by state and digit. */
typedef struct {
    Edge *edges;
    Py_ssize_t count;
    int32_t *known, *behind;
    int before, after, size;
    int32_t first; /* the variable of the first digit */
} Between;

/* Where the edges of the state of an edge end, among those at some places. */
static Py_ssize_t run_of(const Between *cell, const int32_t *places, Py_ssize_t at, Py_ssize_t end)
{
    int32_t before = cell->edges[places ? places[at] : at].before;
    while (at < end && cell->edges[places ? places[at] : at].before == before) at++;
    return at;
}

/* A state and a digit lead to a state, or exclude each other. */
static int write_moves(Writer *writer, const Between *cell)
{
    int done = 1;
    for (Py_ssize_t i = 0, end; done && i < cell->count; i = end) {
        const Edge *edges = cell->edges;
        int32_t before = edges[i].before;
        end = run_of(cell, NULL, i, cell->count);
        int is_sure = cell->behind && end - i == cell->size;
        for (Py_ssize_t k = i; is_sure && k < end; k++) is_sure = edges[k].after == edges[i].after;
        if (is_sure) {
            if (cell->known) put(writer, -cell->known[before]);
            put(writer, cell->behind[edges[i].after]);
            done = complete(writer);
            continue;
        }
        Py_ssize_t next = i;
        for (int digit = 0; done && digit < cell->size; digit++) {
            int leads = next < end && edges[next].digit == digit;
            next += leads;
            if (leads && !cell->behind) continue;
            if (cell->known) put(writer, -cell->known[before]);
            put(writer, -(cell->first + digit));
            if (leads) put(writer, cell->behind[edges[next - 1].after]);
            done = complete(writer);
        }
    }
    return done;
}

/* A state comes from others, each by some digits; places: its edges. */
static int write_state(Writer *writer, const Between *cell, int state, const int32_t *places,
                       Py_ssize_t count)
{
    int32_t own = -cell->behind[state];
    int done = 1;
    if (cell->known) {
        put(writer, own);
        for (Py_ssize_t i = 0; i < count; i = run_of(cell, places, i, count))
            put(writer, cell->known[cell->edges[places[i]].before]);
        done = complete(writer);
    }
    uint32_t digits = 0;
    for (Py_ssize_t i = 0; i < count; i++) digits |= UINT32_C(1) << cell->edges[places[i]].digit;
    if (digits != (UINT32_C(1) << cell->size) - 1) {
        put(writer, own);
        for (int digit = 0; digit < cell->size; digit++)
            if (digits >> digit & 1) put(writer, cell->first + digit);
        done = done && complete(writer);
    }
    for (Py_ssize_t i = 0, end; cell->known && done && i < count; i = end) {
        end = run_of(cell, places, i, count);
        if (end - i == cell->size) continue;
        put(writer, own);
        put(writer, -cell->known[cell->edges[places[i]].before]);
        for (Py_ssize_t k = i; k < end; k++)
            put(writer, cell->first + cell->edges[places[k]].digit);
        done = complete(writer);
    }
    return done;
}

/* All clauses of a cell; places: its edges, in order. 0 with an error set. */
static int write_cell(Writer *writer, const Between *cell, const int32_t *places)
{
    Groups led = {0}, digits = {0};
    int done = group_edges(&led, cell->edges, places, cell->count, BY_AFTER, cell->after) &&
               group_edges(&digits, cell->edges, places, cell->count, BY_DIGIT, cell->size) &&
               write_moves(writer, cell);
    for (int state = 0; cell->behind && done && state < cell->after; state++)
        done = write_state(writer, cell, state, led.variables + led.starts[state],
                           led.starts[state + 1] - led.starts[state]);
    for (int digit = 0; cell->known && done && digit < cell->size; digit++) {
        int32_t start = digits.starts[digit], end = digits.starts[digit + 1];
        if (end - start == cell->before) continue;
        put(writer, -(cell->first + digit));
        for (int32_t i = start; i < end; i++)
            put(writer, cell->known[cell->edges[digits.variables[i]].before]);
        done = complete(writer);
    }
    free_groups(&led);
    free_groups(&digits);
    return done;
}

/* Reads the edges, which stand in order and leave each of the states before, and makes variables of
 * the states behind unless the cell is the last; 0 with an error set. */
static int read_cell(Between *cell, PyObject *layer, PyObject *fresh, int is_last)
{
    cell->edges = read_edges(layer, cell->size, &cell->count);
    if (!cell->edges) return 0;
    const Edge *edges = cell->edges;
    int right = cell->count > 0 && edges[0].before == 0, runs = 1;
    for (Py_ssize_t i = 0; right && i < cell->count; i++) {
        if (edges[i].after >= cell->after) cell->after = edges[i].after + 1;
        if (!i) continue;
        int step = edges[i].before - edges[i - 1].before;
        right = step == 1 || (step == 0 && edges[i].digit > edges[i - 1].digit);
        runs += step;
    }
    if (!right || runs != cell->before) {
        PyErr_SetString(PyExc_ValueError, "layers: expected edges of every state, in order");
        return 0;
    }
    if (is_last) return 1;
    cell->behind = PyMem_Malloc((size_t)cell->after * sizeof *cell->behind);
    if (!cell->behind) return PyErr_NoMemory(), 0;
    for (int state = 0; state < cell->after; state++)
        if (!(cell->behind[state] = new_variable(fresh))) return 0;
    return 1;
}

/* The clauses of one cell behind those before it; its states are known to the next. */
static int add_cell(Writer *writer, Between *cell, PyObject *layer, PyObject *fresh, int is_last)
{
    int done = read_cell(cell, layer, fresh, is_last);
    size_t room = (size_t)(cell->before > cell->size ? cell->before : cell->size) + 4;
    writer->row = done ? PyMem_Malloc(room * sizeof *writer->row) : NULL;
    int32_t *places =
        done ? PyMem_Malloc(((size_t)cell->count + 1) * sizeof *places) : NULL;
    if (done && !(writer->row && places)) PyErr_NoMemory(), done = 0;
    for (Py_ssize_t i = 0; done && i < cell->count; i++) places[i] = (int32_t)i;
    done = done && write_cell(writer, cell, places);
    PyMem_Free(places);
    PyMem_Free(writer->row);
    PyMem_Free(cell->edges);
    PyMem_Free(cell->known);
    cell->known = cell->behind, cell->before = cell->after;
    cell->behind = NULL, cell->after = 0, cell->edges = NULL;
    return done;
}

static PyObject *states(PyObject *module, PyObject *args)
{
    PyObject *layers, *cells, *fresh;
    Between cell = {.before = 1};
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O!iO", &PyTuple_Type, &layers, &PyTuple_Type, &cells, &cell.size,
                          &fresh))
        return NULL;
    Py_ssize_t count = PyTuple_Size(layers);
    if (cell.size < 1 || cell.size > 31 || count != PyTuple_Size(cells))
        return PyErr_Format(PyExc_ValueError, "states: expected a cell for each layer");
    Writer writer = {.clauses = PyList_New(0)};
    for (Py_ssize_t i = 0; writer.clauses && i < count; i++) {
        long number = PyLong_AsLong(PyTuple_GetItem(cells, i));
        int right = number >= 0 && number < MAX_STATES / cell.size;
        if (!right && !PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "cells: out of range");
        cell.first = right ? (int32_t)number * cell.size + 1 : 0;
        PyObject *layer = PyTuple_GetItem(layers, i);
        if (!right || !add_cell(&writer, &cell, layer, fresh, i == count - 1))
            Py_CLEAR(writer.clauses);
    }
    PyMem_Free(cell.known);
    return writer.clauses;
}

static PyMethodDef methods[] = {
    {"built", built, METH_VARARGS,
     "built(domains, start, step, accepts, check, anywhere) -> layers"},
    {"joined", joined, METH_VARARGS, "joined(all, automata, cells, size, check) -> layers"},
    {"walked", walked, METH_VARARGS, "walked(layers, cells, domains, size, check) -> layers"},
    {"by_sets", by_sets, METH_VARARGS,
     "by_sets(ways, starts, ends, states, symbols, most, cells, breaks, domains, check) -> layers"},
    {"summed", summed, METH_VARARGS, "summed(weights, total, size) -> layers"},
    {"clauses", clauses, METH_VARARGS, "clauses(layers, cells, size, fresh) -> clauses"},
    {"states", states, METH_VARARGS, "states(layers, cells, size, fresh) -> clauses"},
    {"ways", ways, METH_VARARGS, "ways(layers, cells, digits) -> states, starts, members"},
    {NULL, NULL, 0, NULL},
};

EXTENSION(_automata, "Layered automata, made smallest, and as an engine runs them.", 1)
