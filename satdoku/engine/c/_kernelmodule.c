/* The kernel as a Python extension.
 *
 * Invariant: no argument of any caller makes the kernel read or write outside an array. A plan is
 * copied, checked once and never changed; puzzles and answers are buffers whose shapes the plan
 * dictates. The interpreter lock is released while the kernel runs. */
#include "../../runtime/caller.h"

#include "kernel.h"

static const char *PLAN = "satdoku.engine.plan";

static void free_lists(satdoku_lists *lists)
{
    PyMem_Free((void *)lists->start);
    PyMem_Free((void *)lists->member);
}

/* The lists of a plan, in the order in which their arrays come. */
enum { PARTS = 15 };
static satdoku_lists *part(satdoku_plan *plan, int number)
{
    satdoku_lists *const parts[PARTS] = {
        &plan->groups, &plan->pairs, &plan->overlaps, &plan->relations, &plan->tables,
        &plan->clauses, &plan->cages, &plan->rests, &plan->sets, &plan->sums, &plan->bounds,
        &plan->automata, &plan->machines, &plan->ways, &plan->ranks,
    };
    return parts[number];
}

static void free_plan(satdoku_plan *plan)
{
    for (int i = 0; i < PARTS; i++) free_lists(part(plan, i));
    PyMem_Free(plan);
}

static void free_capsule(PyObject *capsule) { free_plan(PyCapsule_GetPointer(capsule, PLAN)); }

/* Lists of candidates from their two arrays; 0 with an error set if they are no such arrays. */
static int copy_lists(PyObject *const arrays[2], const char *const names[2], satdoku_lists *lists)
{
    Py_ssize_t starts = 0, members = 0;
    lists->start = copy_items(arrays[0], input(names[0], INT32, ANY, FLAT), &starts);
    if (!lists->start) return 0;
    lists->member = copy_items(arrays[1], input(names[1], INT32, ANY, FLAT), &members);
    if (!lists->member) return 0;
    if (starts < 1 || starts > INT32_MAX) {
        PyErr_Format(PyExc_ValueError, "%s: expected one offset at least", names[0]);
        return 0;
    }
    lists->lists = (int32_t)(starts - 1);
    lists->members = members;
    return 1;
}

static int copy_plan(PyObject *const arrays[2 * PARTS], satdoku_plan *plan)
{
    static const char *const names[] = {
        "group starts",    "group members",    "pair starts",    "pair members",
        "overlap starts",  "overlap members",  "relation starts", "relation members",
        "table starts",    "table members",    "clause starts",  "clause members",
        "cage starts",     "cage members",     "rest starts",    "rest members",
        "set starts",      "set members",      "sum starts",     "sum members",
        "bound starts",    "bound members",    "automata starts", "automata members",
        "machine starts",  "machine members",  "way starts",     "way members",
        "rank starts",     "rank members",
    };
    for (int i = 0; i < PARTS; i++)
        if (!copy_lists(arrays + 2 * i, names + 2 * i, part(plan, i))) return 0;
    const char *fault = satdoku_plan_fault(plan);
    if (fault) PyErr_SetString(PyExc_ValueError, fault);
    return !fault;
}

static PyObject *make_plan(PyObject *module, PyObject *args)
{
    int cells, digits, classic;
    PyObject *arrays[2 * PARTS], *numbers = PyTuple_GetSlice(args, 0, 3);
    (void)module;
    int good = numbers && PyArg_ParseTuple(numbers, "iip", &cells, &digits, &classic);
    Py_XDECREF(numbers);
    if (!good) return NULL;
    if (PyTuple_Size(args) != 3 + 2 * PARTS)
        return PyErr_Format(PyExc_TypeError, "plan: expected %d arrays, found %zd", 2 * PARTS,
                            PyTuple_Size(args) - 3);
    for (int i = 0; i < 2 * PARTS; i++) arrays[i] = PyTuple_GetItem(args, 3 + i);
    satdoku_plan *plan = PyMem_Calloc(1, sizeof *plan);
    if (!plan) return PyErr_NoMemory();
    plan->cells = cells, plan->digits = digits, plan->classic = classic;
    PyObject *capsule = copy_plan(arrays, plan) ? PyCapsule_New(plan, PLAN, free_capsule) : NULL;
    if (!capsule) free_plan(plan);
    return capsule;
}

/* The puzzles of a job: rows of as many digits as cells, or of as many marks as candidates. */
static int take_puzzles(const satdoku_plan *plan, PyObject *object, satdoku_job *job,
                        Py_buffer *view)
{
    Py_ssize_t cells = plan->cells, variables = cells * plan->digits;
    if (!take_buffer(object, input("puzzles", UINT8, ANY, ANY), view)) return 0;
    if (view->shape[1] != cells && view->shape[1] != variables) {
        PyErr_Format(PyExc_ValueError, "puzzles: expected %zd or %zd columns, found %zd", cells,
                     variables, view->shape[1]);
        return 0;
    }
    job->count = view->shape[0];
    job->puzzles = view->buf;
    job->marks = view->shape[1] == variables;
    return 1;
}

static int check_target(int target)
{
    if (target >= 0 && target < SATDOKU_TARGETS && satdoku_supported(target)) return 1;
    PyErr_Format(PyExc_ValueError, "target %d: expected one of targets()", target);
    return 0;
}

/* Keep the budget; both must be in their ranges. */
static int take_limits(satdoku_job *job, long long budget, int least, int most)
{
    job->budget = (uint32_t)budget;
    if (job->limit >= least && job->limit <= most && budget == job->budget) return 1;
    PyErr_Format(PyExc_ValueError,
                 "limit %d, budget %lld: expected limit %d to %d, budget 0 to 4294967295",
                 job->limit, budget, least, most);
    return 0;
}

/* A call, and what the search asks in between. */
typedef struct {
    Caller caller;
    satdoku_watch watch;
} Call;

static void begin_call(Call *call, satdoku_job *job, PyObject *check)
{
    *call = (Call){.caller.check = check,
                   .watch = {.ends = has_to_end, .context = &call->caller}};
    job->watch = &call->watch;
    call->caller.thread = PyEval_SaveThread();
}

/* Returns 0 with an error set if the call has been ended, or memory ran out. */
static int end_call(Call *call, satdoku_job *job, int failed)
{
    PyEval_RestoreThread(call->caller.thread);
    job->watch = NULL;
    if (!call->watch.ended && failed) PyErr_NoMemory();
    return !call->watch.ended && !failed;
}

static PyObject *run(const satdoku_plan *plan, satdoku_job *job, int target, PyObject *check)
{
    Call call;
    begin_call(&call, job, check);
    if (!end_call(&call, job, satdoku_solve(plan, job, target))) return NULL;
    Py_RETURN_NONE;
}

static PyObject *solve(PyObject *module, PyObject *args)
{
    PyObject *capsule, *puzzles, *status, *solutions, *nodes, *check = NULL, *result = NULL;
    satdoku_job job = {0};
    Py_buffer views[4] = {{0}};
    long long budget;
    int target;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOiLOOOi|O", &capsule, &puzzles, &job.limit, &budget, &status,
                          &solutions, &nodes, &target, &check))
        return NULL;
    const satdoku_plan *plan = PyCapsule_GetPointer(capsule, PLAN);
    if (!plan || !check_target(target) || !take_limits(&job, budget, 1, 2)) return NULL;
    Py_ssize_t cells = plan->cells;
    if (take_puzzles(plan, puzzles, &job, views)
        && take_buffer(status, output("status", UINT8, job.count, FLAT), views + 1)
        && take_buffer(solutions, output("solutions", UINT8, job.count, cells), views + 2)
        && take_buffer(nodes, output("nodes", UINT32, job.count, FLAT), views + 3)) {
        job.status = views[1].buf, job.solutions = views[2].buf, job.nodes = views[3].buf;
        result = run(plan, &job, target, check);
    }
    release_buffers(views, 4);
    return result;
}

/* Count all solutions; or list them, where there is an array for so many of each puzzle. */
static PyObject *count(PyObject *module, PyObject *args)
{
    PyObject *capsule, *puzzles, *status, *grids, *nodes, *solutions, *check = NULL, *result = NULL;
    satdoku_job job = {0};
    Py_buffer views[5] = {{0}};
    long long budget;
    int target;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOiLOOOOi|O", &capsule, &puzzles, &job.limit, &budget, &status,
                          &grids, &nodes, &solutions, &target, &check))
        return NULL;
    const satdoku_plan *plan = PyCapsule_GetPointer(capsule, PLAN);
    if (!plan || !check_target(target)) return NULL;
    if (!take_limits(&job, budget, 0, SATDOKU_MOST_LISTED)) return NULL;
    Py_ssize_t row = (Py_ssize_t)job.limit * plan->cells;
    if (take_puzzles(plan, puzzles, &job, views)
        && take_buffer(status, output("status", UINT8, job.count, FLAT), views + 1)
        && take_buffer(grids, output("grids", UINT64, job.count, FLAT), views + 2)
        && take_buffer(nodes, output("nodes", UINT32, job.count, FLAT), views + 3)
        && (!job.limit
            || take_buffer(solutions, output("solutions", UINT8, job.count, row), views + 4))) {
        job.status = views[1].buf, job.grids = views[2].buf, job.nodes = views[3].buf;
        job.solutions = views[4].buf;
        result = run(plan, &job, target, check);
    }
    release_buffers(views, 5);
    return result;
}

/* A search that pauses, with copies of all that it reads and writes. */
typedef struct {
    PyObject *plan; /* the capsule */
    satdoku_search *search;
    satdoku_job job;
    uint8_t *puzzle;
    uint8_t status;
    uint32_t nodes;
    uint64_t work;
    int running; /* in a thread without the interpreter lock */
} Search;

static const char *SEARCH = "satdoku.engine.search";

static void free_search(Search *s)
{
    if (s->search) satdoku_close(s->search);
    Py_XDECREF(s->plan);
    PyMem_Free(s->puzzle);
    PyMem_Free(s->job.solutions);
    PyMem_Free(s);
}

static void free_search_capsule(PyObject *capsule)
{
    free_search(PyCapsule_GetPointer(capsule, SEARCH));
}

/* Keep a copy of the puzzle, which `view` holds, and make room for the answer. */
static int fill_search(Search *s, const satdoku_plan *plan, const Py_buffer *view)
{
    size_t cells = (size_t)plan->cells;
    s->puzzle = PyMem_Malloc((size_t)view->len);
    s->job.solutions = PyMem_Malloc(cells);
    if (!s->puzzle || !s->job.solutions) return 0;
    memcpy(s->puzzle, view->buf, (size_t)view->len);
    s->job.puzzles = s->puzzle;
    s->job.budget = UINT32_MAX;
    s->job.status = &s->status;
    s->job.nodes = &s->nodes;
    s->job.work = &s->work;
    return 1;
}

/* The puzzle's search by that plan; NULL with an error set. */
static Search *make_search(PyObject *capsule, PyObject *puzzle, int limit, int target)
{
    const satdoku_plan *plan = PyCapsule_GetPointer(capsule, PLAN);
    Py_buffer view = {0};
    Search *s = plan ? PyMem_Calloc(1, sizeof *s) : NULL;
    if (!s) return plan ? (Search *)PyErr_NoMemory() : NULL;
    s->job.limit = limit;
    Py_INCREF(capsule);
    s->plan = capsule;
    int good = check_target(target) && take_limits(&s->job, 0, 1, 2)
               && take_puzzles(plan, puzzle, &s->job, &view);
    if (good && s->job.count != 1) {
        PyErr_Format(PyExc_ValueError, "puzzles: expected one, found %zd", (Py_ssize_t)s->job.count);
        good = 0;
    }
    if (good && fill_search(s, plan, &view)) s->search = satdoku_open(plan, &s->job, target);
    if (good && !s->search) PyErr_NoMemory();
    release_buffers(&view, 1);
    if (s->search) return s;
    free_search(s);
    return NULL;
}

static PyObject *open_search(PyObject *module, PyObject *args)
{
    PyObject *capsule, *puzzle, *result;
    int limit, target;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOii", &capsule, &puzzle, &limit, &target)) return NULL;
    Search *s = make_search(capsule, puzzle, limit, target);
    if (!s) return NULL;
    result = PyCapsule_New(s, SEARCH, free_search_capsule);
    if (!result) free_search(s);
    return result;
}

static PyObject *advance(PyObject *module, PyObject *args)
{
    PyObject *capsule, *check = NULL, *result = NULL;
    unsigned long long work;
    int left;
    Call call;
    (void)module;
    if (!PyArg_ParseTuple(args, "OK|O", &capsule, &work, &check)) return NULL;
    Search *s = PyCapsule_GetPointer(capsule, SEARCH);
    if (!s) return NULL;
    if (s->running) {
        PyErr_SetString(PyExc_ValueError, "the search is advanced by another thread");
        return NULL;
    }
    s->running = 1;
    Py_INCREF(capsule);
    begin_call(&call, &s->job, check);
    left = satdoku_advance(s->search, work);
    int good = end_call(&call, &s->job, left < 0);
    s->running = 0;
    const satdoku_plan *plan = PyCapsule_GetPointer(s->plan, PLAN);
    Py_ssize_t cells = plan->cells;
    if (good)
        result = Py_BuildValue("Oiy#IK", left ? Py_False : Py_True, s->status,
                               (char *)s->job.solutions, cells, s->nodes,
                               (unsigned long long)s->work);
    Py_DECREF(capsule);
    return result;
}

static PyObject *propagate(PyObject *module, PyObject *args)
{
    PyObject *capsule, *puzzles, *candidates, *conflict, *check = NULL, *result = NULL;
    satdoku_job job = {0};
    Py_buffer views[3] = {{0}};
    int target;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOOOi|O", &capsule, &puzzles, &candidates, &conflict, &target,
                          &check))
        return NULL;
    const satdoku_plan *plan = PyCapsule_GetPointer(capsule, PLAN);
    if (!plan || !check_target(target)) return NULL;
    Py_ssize_t variables = (Py_ssize_t)plan->cells * plan->digits;
    if (take_puzzles(plan, puzzles, &job, views)
        && take_buffer(candidates, output("candidates", UINT8, job.count, variables),
                       views + 1)
        && take_buffer(conflict, output("conflict", UINT8, job.count, FLAT), views + 2)) {
        Call call;
        begin_call(&call, &job, check);
        int failed = satdoku_propagate(plan, &job, views[1].buf, views[2].buf, target);
        result = end_call(&call, &job, failed) ? Py_NewRef(Py_None) : NULL;
    }
    release_buffers(views, 3);
    return result;
}

/* The targets that this machine can run, as {name: number}, best first. */
static PyObject *targets(PyObject *module, PyObject *args)
{
    (void)module, (void)args;
    PyObject *result = PyDict_New();
    for (int place = 0; result && place < SATDOKU_TARGETS; place++) {
        int target = satdoku_ranked(place);
        if (!satdoku_supported(target)) continue;
        PyObject *number = PyLong_FromLong(target);
        if (!number || PyDict_SetItemString(result, satdoku_target_name(target), number))
            Py_CLEAR(result);
        Py_XDECREF(number);
    }
    return result;
}

static PyMethodDef methods[] = {
    {"plan", make_plan, METH_VARARGS, "plan(cells, digits, classic, group_starts, ...) -> capsule"},
    {"solve", solve, METH_VARARGS,
     "solve(plan, puzzles, limit, budget, status, solutions, nodes, target, check=None)"},
    {"count", count, METH_VARARGS,
     "count(plan, puzzles, limit, budget, status, grids, nodes, solutions, target, check=None)"},
    {"search", open_search, METH_VARARGS, "search(plan, puzzle, limit, target) -> capsule"},
    {"advance", advance, METH_VARARGS,
     "advance(search, work, check=None) -> (final, status, solution, nodes, work)"},
    {"propagate", propagate, METH_VARARGS,
     "propagate(plan, puzzles, candidates, conflict, target, check=None)"},
    {"targets", targets, METH_NOARGS, "targets() -> {name: number} of what this machine can run"},
    {NULL, NULL, 0, NULL},
};

EXTENSION(_kernel, "The bit-parallel engine's C kernel.", 1)
