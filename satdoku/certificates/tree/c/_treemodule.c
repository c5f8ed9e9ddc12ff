/* Proof trees as a Python extension: made and checked for many puzzles in one call.
 *
 * Invariant: no argument of any caller makes it read or write outside an array. What is checked is
 * only what `tree.c` checks; claims and files are the business of Python. */
#include "../../../runtime/portable.h"

#include "../../../runtime/caller.h"

#include <stdlib.h>

#include "count.h"
#include "make.h"

static const char NAME[] = "satdoku tree formula";

/* Its context are the planes of the formula, if there are any. */
static void free_formula(PyObject *capsule)
{
#if HAS_VECTORS
    tree_planes_free(PyCapsule_GetContext(capsule));
#endif
    tree_free(PyCapsule_GetPointer(capsule, NAME));
}

static PyObject *capsule_of(tree_formula *formula)
{
    PyObject *capsule = PyCapsule_New(formula, NAME, free_formula);
    if (!capsule) tree_free(formula);
#if HAS_VECTORS
    if (capsule) PyCapsule_SetContext(capsule, tree_planes_of(formula));
#endif
    return capsule;
}

static PyObject *load(PyObject *module, PyObject *args)
{
    unsigned variables, cells, digits;
    PyObject *clauses_object, *pairs_object;
    Py_ssize_t clauses_length, pairs_length;
    (void)module;
    if (!PyArg_ParseTuple(args, "IIIOO", &variables, &cells, &digits, &clauses_object,
                          &pairs_object))
        return NULL;
    uint32_t *pairs = NULL, *clauses = copy_items(
        clauses_object, input("clauses", INT32, ANY, FLAT), &clauses_length);
    if (clauses) pairs = copy_items(pairs_object, input("pairs", INT32, ANY, FLAT), &pairs_length);
    tree_formula *formula =
        pairs ? tree_load(variables, cells, digits, clauses, (size_t)clauses_length, pairs,
                          (size_t)pairs_length)
              : NULL;
    PyMem_Free(clauses);
    PyMem_Free(pairs);
    if (formula) return capsule_of(formula);
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "no formula that trees can refute");
    return NULL;
}

/* The rows of one call: columns, of which some go on behind what is read. */
typedef struct {
    const tree_formula *formula;
    const uint8_t *puzzles, *claims, *solutions, *trees;
    const uint32_t *counts, *lengths;
    size_t rows;
} block;

static int adds_up(const uint32_t *items, size_t count, size_t total)
{
    for (; count && *items <= total; count--) total -= *items++;
    return !count && !total;
}

static void check_rows(block *b, tree_row *stack, uint8_t *verdicts)
{
    const size_t cells = b->formula->cells;
    for (size_t row = 0; row < b->rows; row++) {
        const tree_claim claim = {.claim = (char)b->claims[row],
                                  .puzzle = b->puzzles + row * cells,
                                  .solutions = b->solutions,
                                  .count = b->counts[row],
                                  .tree = b->trees,
                                  .length = b->lengths[row]};
        verdicts[row] = (uint8_t)tree_check(b->formula, stack, &claim);
        b->solutions += claim.count * cells;
        b->trees += claim.length;
    }
}

static int belongs(const block *b, const Py_buffer *views)
{
    const size_t cells = b->formula->cells;
    return (size_t)views[1].len == b->rows * cells &&
           (size_t)views[2].len == b->rows * sizeof *b->counts &&
           (size_t)views[4].len == b->rows * sizeof *b->lengths &&
           (size_t)views[3].len % cells == 0 &&
           adds_up(b->counts, b->rows, (size_t)views[3].len / cells) &&
           adds_up(b->lengths, b->rows, (size_t)views[5].len);
}

static PyObject *verdicts_of(block *b)
{
    PyObject *answer = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)b->rows);
    tree_row *stack = PyMem_Malloc(tree_stack(b->formula) * sizeof *stack);
    if (answer && stack) {
        uint8_t *verdicts = (uint8_t *)PyBytes_AsString(answer);
        Py_BEGIN_ALLOW_THREADS
        check_rows(b, stack, verdicts);
        Py_END_ALLOW_THREADS
    } else {
        Py_CLEAR(answer);
        PyErr_NoMemory();
    }
    PyMem_Free(stack);
    return answer;
}

static PyObject *check(PyObject *module, PyObject *args)
{
    PyObject *capsule, *objects[6], *answer = NULL;
    Py_buffer views[6] = {0};
    int taken = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOOOOO", &capsule, objects, objects + 1, objects + 2,
                          objects + 3, objects + 4, objects + 5))
        return NULL;
    const tree_formula *formula = PyCapsule_GetPointer(capsule, NAME);
    if (!formula) return NULL;
    const Wanted wanted[] = {input("claims", UINT8, ANY, FLAT), input("puzzles", UINT8, ANY, FLAT),
                             input("counts", INT32, ANY, FLAT),
                             input("solutions", UINT8, ANY, FLAT),
                             input("lengths", INT32, ANY, FLAT), input("trees", UINT8, ANY, FLAT)};
    while (taken < 6 && take_buffer(objects[taken], wanted[taken], views + taken)) taken++;
    if (taken == 6) {
        block b = {.formula = formula,
                   .rows = (size_t)views[0].len,
                   .claims = views[0].buf,
                   .puzzles = views[1].buf,
                   .counts = views[2].buf,
                   .solutions = views[3].buf,
                   .lengths = views[4].buf,
                   .trees = views[5].buf};
        if (belongs(&b, views))
            answer = verdicts_of(&b);
        else
            PyErr_SetString(PyExc_ValueError, "columns that do not belong together");
    }
    release_buffers(views, taken);
    return answer;
}

/* Memory for at least one more row is always free. */
static int grow(const tree_formula *f, tree_harvest *h)
{
    h->solutions_size = 2 * h->solutions_size + h->most + h->rows + 1;
    h->trees_size = 2 * h->trees_size + h->room + 8 * h->rows;
    uint8_t *solutions = PyMem_Realloc(h->solutions, h->solutions_size * f->cells);
    if (solutions) h->solutions = solutions;
    uint8_t *trees = PyMem_Realloc(h->trees, h->trees_size);
    if (trees) h->trees = trees;
    return solutions && trees;
}

static PyObject *harvest_of(const tree_maker *m, const tree_target *target, tree_row *memory,
                            const uint8_t *puzzles, tree_harvest *h)
{
    const tree_formula *const f = m->formula;
    h->claims = PyMem_Calloc(h->rows + 1, 1);
    h->counts = PyMem_Calloc(h->rows + 1, sizeof *h->counts);
    h->lengths = PyMem_Calloc(h->rows + 1, sizeof *h->lengths);
    if (!memory || !h->claims || !h->counts || !h->lengths) return PyErr_NoMemory();
    do {
        if (!grow(f, h)) return PyErr_NoMemory();
        Py_BEGIN_ALLOW_THREADS
        target->make(m, memory, puzzles, h);
        Py_END_ALLOW_THREADS
    } while (h->done < h->rows);
    const Py_ssize_t items = (Py_ssize_t)(h->rows * sizeof *h->counts);
    return Py_BuildValue("y#y#y#y#y#", h->claims, (Py_ssize_t)h->rows, h->counts, items,
                         h->solutions, (Py_ssize_t)(h->solved * f->cells), h->lengths, items,
                         h->trees, (Py_ssize_t)h->written);
}

static int are_puzzles(const tree_formula *f, const uint8_t *cells, size_t length)
{
    for (size_t at = 0; at < length; at++)
        if (cells[at] > f->digits) return 0;
    return length % f->cells == 0;
}

static PyObject *make(PyObject *module, PyObject *args)
{
    PyObject *capsule, *puzzles_object;
    Py_buffer view = {0};
    unsigned most, room;
    int every, is_short;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOIpIp", &capsule, &puzzles_object, &most, &every, &room,
                          &is_short))
        return NULL;
    const tree_formula *formula = PyCapsule_GetPointer(capsule, NAME);
    if (!formula || !take_buffer(puzzles_object, input("puzzles", UINT8, ANY, FLAT), &view))
        return NULL;
    const tree_maker maker = {formula, PyCapsule_GetContext(capsule)};
    static const tree_target *target; /* asked once: in a virtual machine that takes long */
    if (!target) target = tree_target_at(0);
    tree_row *const memory = TAKE_ALIGNED(sizeof(tree_row), target->rows(&maker) * sizeof *memory);
    tree_harvest h = {.rows = (size_t)view.len / formula->cells, .most = most, .room = room,
                      .every = every, .is_short = is_short};
    PyObject *answer = NULL;
    if (are_puzzles(formula, view.buf, (size_t)view.len))
        answer = harvest_of(&maker, target, memory, view.buf, &h);
    else
        PyErr_SetString(PyExc_ValueError, "a puzzle of another size or with other digits");
    PyMem_Free(h.claims);
    PyMem_Free(h.counts);
    PyMem_Free(h.solutions);
    PyMem_Free(h.lengths);
    PyMem_Free(h.trees);
    FREE_ALIGNED(memory);
    release_buffers(&view, 1);
    return answer;
}

/* A graph read or, without one, written: its verdict, its bytes and the number of solutions. */
static PyObject *count(PyObject *module, PyObject *args)
{
    PyObject *capsule, *puzzle_object, *graph_object, *answer = NULL;
    Caller caller = {0};
    Py_buffer views[2] = {0};
    unsigned most;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOIO", &capsule, &puzzle_object, &graph_object, &most,
                          &caller.check))
        return NULL;
    const tree_formula *f = PyCapsule_GetPointer(capsule, NAME);
    const int reads = graph_object != Py_None;
    if (!f || !take_buffer(puzzle_object, input("puzzle", UINT8, f->cells, FLAT), views)) return NULL;
    if (!reads || take_buffer(graph_object, input("graph", UINT8, ANY, FLAT), views + 1)) {
        tree_nodes nodes = {0};
        tree_graph graph = {.bytes = views[1].buf, .length = (size_t)views[1].len};
        tree_row *stack = PyMem_Malloc(tree_stack(f) * sizeof *stack);
        count_verdict verdict = COUNT_NO_MEMORY;
        uint64_t number = 0;
        if (stack) {
            const count_watch watch = {has_to_end, &caller};
            caller.thread = PyEval_SaveThread();
            verdict = reads
                          ? count_check(f, stack, views[0].buf, &graph, &nodes, watch, &number)
                          : count_make(f, stack, views[0].buf, most, &graph, &nodes, watch, &number);
            PyEval_RestoreThread(caller.thread);
        }
        if (verdict != COUNT_ENDED)
            answer =
                Py_BuildValue("iy#K", (int)verdict, reads || !graph.bytes ? "" : (char *)graph.bytes,
                              reads ? 0 : (Py_ssize_t)graph.length, number);
        PyMem_Free(stack);
        tree_free_nodes(&nodes);
        if (!reads) free(graph.bytes);
    }
    release_buffers(views, 2);
    return answer;
}

static PyMethodDef methods[] = {
    {"load", load, METH_VARARGS, "load(variables, cells, digits, clauses, pairs) -> formula"},
    {"check", check, METH_VARARGS,
     "check(formula, claims, puzzles, counts, solutions, lengths, trees) -> verdicts"},
    {"make", make, METH_VARARGS,
     "make(formula, puzzles, most, every, room, short) -> claims, counts, solutions, lengths, trees"},
    {"count", count, METH_VARARGS,
     "count(formula, puzzle, graph or None, most, check) -> verdict, graph, number of solutions; "
     "check is called now and then, and ends the call by raising"},
    {NULL, NULL, 0, NULL},
};

EXTENSION(_tree, "Proof trees, in C.", 1)
