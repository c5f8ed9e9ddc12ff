/* What rules say by groups of candidates and by pairs that cannot both be true, as an engine takes it.
 *
 * Invariant: `frame` gives what `plan.framed_in_python` gives, in the same order, and `by_rules` what
 * `implied.by_rules_in_python` gives, in any order. Candidates come cell-major (cell * digits +
 * digit); `frame` tells them digit-major (digit * cells + cell). All are checked when they are read. */
#ifndef SATDOKU_FRAMES_H
#define SATDOKU_FRAMES_H

typedef struct {
    int cells, digits, candidates;
    Lists groups;
    int32_t *first, *holding; /* of each candidate the groups that hold it, ascending */
} Frame;

static void free_frame(Frame *f)
{
    free_lists(&f->groups);
    PyMem_Free(f->first);
    PyMem_Free(f->holding);
}

static int place_of(const Frame *f, int candidate)
{
    return candidate % f->digits * f->cells + candidate / f->digits;
}

static const int32_t *group_at(const Frame *f, int group, int *size)
{
    const int32_t *start = f->groups.starts.items + group;
    *size = start[1] - start[0];
    return f->groups.members.items + start[0];
}

static int read_group(Frame *f, PyObject *group)
{
    Py_ssize_t size = PyTuple_Size(group);
    for (Py_ssize_t i = 0; i < size; i++) {
        int candidate = cell_at(group, i, f->candidates);
        if (candidate < 0 || !push(&f->groups.members, candidate)) return 0;
    }
    return size >= 0 && end_list(&f->groups);
}

/* Read the groups, and note which ones hold each candidate. */
static int read_frame(Frame *f, PyObject *groups)
{
    Py_ssize_t count = PyTuple_Size(groups);
    if (count < 0 || !check_cells(f->cells)) return 0;
    if (f->digits < 1 || f->digits > 32) {
        PyErr_SetString(PyExc_ValueError, "digits: expected 1 to 32");
        return 0;
    }
    f->candidates = f->cells * f->digits;
    for (Py_ssize_t i = 0; i < count; i++)
        if (!read_group(f, PyTuple_GetItem(groups, i))) return 0;
    Numbers members = f->groups.members;
    f->first = PyMem_Calloc((size_t)f->candidates + 2, sizeof *f->first);
    f->holding = PyMem_Malloc(((size_t)members.count + 1) * sizeof *f->holding);
    if (!f->first || !f->holding) {
        PyErr_NoMemory();
        return 0;
    }
    for (Py_ssize_t i = 0; i < members.count; i++) f->first[members.items[i] + 2]++;
    for (int c = 0; c < f->candidates; c++) f->first[c + 2] += f->first[c + 1];
    for (int group = 0, size; group < count; group++) {
        const int32_t *own = group_at(f, group, &size);
        for (int i = 0; i < size; i++) f->holding[f->first[own[i] + 1]++] = group;
    }
    return 1;
}

/* ---- Groups that overlap ---- */

typedef struct {
    int32_t lowest, a, b; /* the lowest candidate that they share, and the groups */
} Overlap;

static int compare_overlaps(const void *one, const void *other)
{
    const Overlap *x = one, *y = other;
    int32_t first = x->lowest - y->lowest, second = x->a - y->a;
    return first ? first : second ? second : x->b - y->b;
}

/* What one group shares with each group behind it. */
typedef struct {
    int32_t *shared, *lowest;
    Overlap *found;
    Py_ssize_t count, room;
} Meeting;

static int note_overlap(Meeting *m, int a, int b)
{
    if (m->count == m->room) {
        Py_ssize_t room = m->room ? 2 * m->room : 256;
        Overlap *found = PyMem_Realloc(m->found, (size_t)room * sizeof *found);
        if (!found) {
            PyErr_NoMemory();
            return 0;
        }
        m->found = found, m->room = room;
    }
    m->found[m->count++] = (Overlap){m->lowest[b], a, b};
    return 1;
}

/* Note the groups from `known` on that share two candidates or more with one before them, and not all. */
static int meet(const Frame *f, Meeting *m, int a, int known)
{
    int size, other_size, good = 1;
    const int32_t *own = group_at(f, a, &size);
    for (int i = 0; i < size; i++)
        for (int32_t at = f->first[own[i]]; at < f->first[own[i] + 1]; at++) {
            int32_t b = f->holding[at];
            if (b <= a || b < known) continue;
            if (!m->shared[b]++ || own[i] < m->lowest[b]) m->lowest[b] = own[i];
        }
    for (int i = 0; i < size; i++)
        for (int32_t at = f->first[own[i]]; at < f->first[own[i] + 1]; at++) {
            int32_t b = f->holding[at], shared = m->shared[b];
            m->shared[b] = 0;
            group_at(f, b, &other_size);
            if (good && shared > 1 && (shared < size || shared < other_size)) good = note_overlap(m, a, b);
        }
    return good;
}

static int push_group(const Frame *f, int group, const uint8_t *without, Lists *to)
{
    int size;
    const int32_t *own = group_at(f, group, &size);
    for (int i = 0; i < size; i++)
        if (!(without && without[own[i]]) && !push(&to->members, place_of(f, own[i]))) return 0;
    return end_list(to);
}

/* List a group without another one. */
static int push_side(const Frame *f, int group, int other, uint8_t *marked, Lists *sides)
{
    int size;
    const int32_t *others = group_at(f, other, &size);
    for (int i = 0; i < size; i++) marked[others[i]] = 1;
    int good = push_group(f, group, marked, sides);
    for (int i = 0; i < size; i++) marked[others[i]] = 0;
    return good;
}

/* List both sides of the groups from `known` on and those that they overlap. */
static int list_sides(const Frame *f, int known, Lists *sides)
{
    int count = (int)count_lists(&f->groups), good = 0;
    Meeting m = {PyMem_Calloc((size_t)count + 1, 4), PyMem_Calloc((size_t)count + 1, 4), NULL, 0, 0};
    uint8_t *marked = PyMem_Calloc((size_t)f->candidates, 1);
    if (!m.shared || !m.lowest || !marked) PyErr_NoMemory();
    else {
        good = 1;
        for (int a = 0; good && a < count; a++) good = meet(f, &m, a, known);
        if (m.count) qsort(m.found, (size_t)m.count, sizeof *m.found, compare_overlaps);
        for (Py_ssize_t i = 0; good && i < m.count; i++)
            good = push_side(f, m.found[i].a, m.found[i].b, marked, sides)
                && push_side(f, m.found[i].b, m.found[i].a, marked, sides);
    }
    PyMem_Free(m.shared);
    PyMem_Free(m.lowest);
    PyMem_Free(m.found);
    PyMem_Free(marked);
    return good;
}

/* ---- Pairs ---- */

/* Chains of numbers, one for each of some keys. */
typedef struct {
    int32_t *head, *tail; /* the first and the last entry of each key, from 1 */
    Numbers entries;      /* a number, what is noted beside it, and the next entry */
} Chains;

static int make_chains(Chains *chains, int keys)
{
    chains->head = PyMem_Calloc((size_t)keys, sizeof *chains->head);
    chains->tail = PyMem_Calloc((size_t)keys, sizeof *chains->tail);
    if (chains->head && chains->tail) return 1;
    PyErr_NoMemory();
    return 0;
}

static void free_chains(Chains *chains)
{
    PyMem_Free(chains->head);
    PyMem_Free(chains->tail);
    PyMem_Free(chains->entries.items);
}

static int32_t *find_entry(const Chains *chains, int key, int number)
{
    for (int32_t at = chains->head[key]; at; at = chains->entries.items[at + 1])
        if (chains->entries.items[at - 1] == number) return chains->entries.items + at;
    return NULL;
}

static int add_entry(Chains *chains, int key, int number, int32_t beside)
{
    Numbers *entries = &chains->entries;
    int32_t at = (int32_t)entries->count + 1;
    if (!push(entries, number) || !push(entries, beside) || !push(entries, 0)) return 0;
    if (chains->head[key]) entries->items[chains->tail[key] + 1] = at;
    else chains->head[key] = at;
    chains->tail[key] = at;
    return 1;
}

static int share_group(const Frame *f, int a, int b)
{
    for (int32_t i = f->first[a]; i < f->first[a + 1]; i++)
        for (int32_t k = f->first[b]; k < f->first[b + 1]; k++)
            if (f->holding[i] == f->holding[k]) return 1;
    return 0;
}

typedef int (*TakePair)(const Frame *, Chains *, int, int);

/* Give each pair, of all tuples of pairs, to a function. */
static int read_pairs(const Frame *f, PyObject *families, Chains *chains, TakePair take)
{
    Py_ssize_t count = PyList_Size(families);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *pairs = PyList_GetItem(families, i);
        Py_ssize_t size = PyTuple_Size(pairs);
        for (Py_ssize_t k = 0; k < size; k++) {
            PyObject *pair = PyTuple_GetItem(pairs, k);
            int a = cell_at(pair, 0, f->candidates), b = a < 0 ? -1 : cell_at(pair, 1, f->candidates);
            if (b < 0 || !take(f, chains, a, b)) return 0;
        }
        if (size < 0) return 0;
    }
    return count >= 0;
}

/* Note that each of two candidates excludes the other, unless a group says so. */
static int take_neighbours(const Frame *f, Chains *chains, int a, int b)
{
    int one = place_of(f, a), other = place_of(f, b);
    if (a == b || share_group(f, a, b) || find_entry(chains, one, other)) return 1;
    return add_entry(chains, one, other, 0) && add_entry(chains, other, one, 0);
}

/* List what each candidate excludes, or nothing if none does. */
static int list_neighbours(const Frame *f, const Chains *chains, Lists *to)
{
    if (!chains->entries.count) return 1;
    for (int c = 0; c < f->candidates; c++) {
        for (int32_t at = chains->head[c]; at; at = chains->entries.items[at + 1])
            if (!push(&to->members, chains->entries.items[at - 1])) return 0;
        if (!end_list(to)) return 0;
    }
    return 1;
}

static PyObject *frame(PyObject *module, PyObject *args)
{
    Frame f = {0};
    Chains chains = {0};
    Lists kept[3] = {{{0}}};
    PyObject *groups, *pairs, *found = NULL;
    int known, deep;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOiiip", &groups, &pairs, &f.cells, &f.digits, &known, &deep)) return NULL;
    int good = read_frame(&f, groups) && make_chains(&chains, f.candidates)
            && read_pairs(&f, pairs, &chains, take_neighbours) && list_neighbours(&f, &chains, &kept[1]);
    int count = (int)count_lists(&f.groups);
    for (int group = 0; good && group < count; group++)
        if (group < f.cells || group >= known) good = push_group(&f, group, NULL, &kept[0]);
    if (good && deep && known < count) good = list_sides(&f, known, &kept[2]);
    PyObject *each[3] = {NULL, NULL, NULL};
    for (int i = 0; good && i < 3; i++) good = (each[i] = listed(&kept[i])) != NULL;
    if (good) found = PyTuple_Pack(3, each[0], each[1], each[2]);
    for (int i = 0; i < 3; i++) {
        Py_XDECREF(each[i]);
        free_lists(&kept[i]);
    }
    free_chains(&chains);
    free_frame(&f);
    return found;
}

/* ---- Cells that differ ---- */

/* Note of two cells each digit that they cannot both hold. */
static int take_alike(const Frame *f, Chains *chains, int a, int b)
{
    int one = a / f->digits, other = b / f->digits, digit = a % f->digits;
    if (a == b || digit != b % f->digits) return 1;
    int32_t *known = find_entry(chains, one, other), bit = (int32_t)(1u << digit);
    if (known) *known |= bit;
    return known || add_entry(chains, one, other, bit);
}

/* The cells of a group, if all its candidates are of one digit, as a set; its digit, else -1. */
static int digit_of(const Frame *f, int group, Word *set, int words)
{
    int size;
    const int32_t *own = group_at(f, group, &size);
    memset(set, 0, (size_t)words * sizeof *set);
    for (int i = 0; i < size; i++) {
        if (own[i] % f->digits != own[0] % f->digits) return -1;
        add(set, own[i] / f->digits);
    }
    return size ? own[0] % f->digits : -1;
}

/* Sets of cells, and how many groups hold one digit in each. */
typedef struct {
    int words, count;
    Word *sets;
    int *times;
} Houses;

static void note_houses(const Frame *f, Houses *houses)
{
    for (int group = 0; group < count_lists(&f->groups); group++) {
        Word *set = houses->sets + (size_t)houses->count * (size_t)houses->words;
        if (digit_of(f, group, set, houses->words) < 0) continue;
        int at = houses->count - 1;
        while (at >= 0 && memcmp(houses->sets + (size_t)at * (size_t)houses->words, set,
                                 (size_t)houses->words * sizeof *set))
            at--;
        if (at < 0) houses->times[at = houses->count++] = 0;
        houses->times[at]++;
    }
}

/* Append the cells of each set in which each of so many digits stands once. */
static int append_houses(const Frame *f, const Houses *houses, int each, PyObject *list)
{
    int *cells = PyMem_Malloc((size_t)f->cells * sizeof *cells), good = cells != NULL;
    for (int i = 0; good && i < houses->count; i++) {
        const Word *set = houses->sets + (size_t)i * (size_t)houses->words;
        int count = 0;
        if (houses->times[i] != each || size_of(set, houses->words) != each) continue;
        for (int c = next_of(set, houses->words, 0); c >= 0; c = next_of(set, houses->words, c + 1))
            cells[count++] = c;
        good = append(list, tuple_of(cells, count));
    }
    PyMem_Free(cells);
    return good;
}

/* Append each two cells of which no digit can stand in both. */
static int append_alike(const Frame *f, const Chains *chains, int each, PyObject *list)
{
    for (int one = 0; one < f->cells; one++)
        for (int32_t at = chains->head[one]; at; at = chains->entries.items[at + 1])
            if (__builtin_popcount((uint32_t)chains->entries.items[at]) == each) {
                int cells[2] = {one, chains->entries.items[at - 1]};
                if (!append(list, tuple_of(cells, 2))) return 0;
            }
    return 1;
}

static PyObject *by_rules(PyObject *module, PyObject *args)
{
    Frame f = {0};
    Chains chains = {0};
    Houses houses = {0};
    PyObject *groups, *pairs;
    int each;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOiii", &groups, &pairs, &f.cells, &f.digits, &each)) return NULL;
    PyObject *whole = PyList_New(0), *two = PyList_New(0), *found = NULL;
    int good = whole && two && read_frame(&f, groups) && make_chains(&chains, f.cells)
            && read_pairs(&f, pairs, &chains, take_alike);
    if (good) {
        size_t count = (size_t)count_lists(&f.groups) + 1;
        houses.words = (f.cells + 63) / 64;
        houses.sets = PyMem_Malloc(count * (size_t)houses.words * sizeof *houses.sets);
        houses.times = PyMem_Malloc(count * sizeof *houses.times);
        if (!houses.sets || !houses.times) PyErr_NoMemory();
        else {
            note_houses(&f, &houses);
            if (append_houses(&f, &houses, each, whole) && append_alike(&f, &chains, each, two))
                found = PyTuple_Pack(2, whole, two);
        }
    }
    Py_XDECREF(whole);
    Py_XDECREF(two);
    PyMem_Free(houses.sets);
    PyMem_Free(houses.times);
    free_chains(&chains);
    free_frame(&f);
    return found;
}

#endif
