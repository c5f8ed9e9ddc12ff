/* Sums that follow by the 45 rule, and what an engine makes of a sum; sets of cells are bits.
 *
 * Invariant: each function gives what its twin in Python gives, in the same order: `left` is
 * `implied.left_by_areas`, `segments` is `tables.segmented`, `beside` is `tables.beside_one`, `apart`
 * is `implied.apart_of`, `ragged` is `tables.Ragged.of`. Cells are checked where they are read. */
#include "../../runtime/buffers.h"

#include <stdlib.h>

enum { MAX_CELLS = 1 << 14, MAX_AREAS = 1 << 16 };

static const char *AREAS = "satdoku.model.areas";

typedef uint64_t Word;

typedef struct {
    int cells, words, count; /* words of a set of cells */
    Word *masks;             /* of each area */
    int32_t *totals;         /* what the cells of its houses add up to */
    int16_t *sizes;
    uint16_t *holding;       /* for each cell and area 1 if that contains it */
} Areas;

static void free_areas(Areas *areas)
{
    PyMem_Free(areas->masks);
    PyMem_Free(areas->totals);
    PyMem_Free(areas->sizes);
    PyMem_Free(areas->holding);
    PyMem_Free(areas);
}

static void free_capsule(PyObject *capsule) { free_areas(PyCapsule_GetPointer(capsule, AREAS)); }

static int count_of(Word word)
{
    int count = 0;
    for (; word; word &= word - 1) count++;
    return count;
}

static int lowest_of(Word word)
{
    int place = 0;
    while (!(word & 255)) word >>= 8, place += 8;
    while (!(word & 1)) word >>= 1, place++;
    return place;
}

static int size_of(const Word *set, int words)
{
    int count = 0;
    for (int w = 0; w < words; w++) count += count_of(set[w]);
    return count;
}

static void add(Word *set, int cell) { set[cell / 64] |= (Word)1 << cell % 64; }
static int has(const Word *set, int cell) { return set[cell / 64] >> cell % 64 & 1; }

/* The lowest cell from one on; -1 if there is none. */
static int next_of(const Word *set, int words, int from)
{
    for (int w = from / 64; w < words; w++) {
        Word rest = set[w];
        if (w == from / 64) rest &= ~(Word)0 << from % 64;
        if (rest) return 64 * w + lowest_of(rest);
    }
    return -1;
}

/* A set of bytes of each cell or area, the lowest cell first, as words; NULL with an error set. */
static Word *read_sets(PyObject *bytes, const char *name, int words, Py_ssize_t *count)
{
    Py_ssize_t items = 0;
    uint8_t *kept = copy_items(bytes, input(name, UINT8, ANY, FLAT), &items);
    if (!kept) return NULL;
    *count = items / (8 * words);
    Word *sets = PyMem_Calloc((size_t)(items / 8 + 1), sizeof *sets);
    if (items % (8 * words)) {
        PyErr_Format(PyExc_ValueError, "%s: expected sets of %d bytes", name, 8 * words);
        PyMem_Free(sets);
        sets = NULL;
    } else if (!sets) PyErr_NoMemory();
    else
        for (Py_ssize_t i = 0; i < items; i++) sets[i / 8] |= (Word)kept[i] << 8 * (i % 8);
    PyMem_Free(kept);
    return sets;
}

static int check_cells(int cells)
{
    if (cells >= 1 && cells <= MAX_CELLS) return 1;
    PyErr_Format(PyExc_ValueError, "cells: expected 1 to %d", MAX_CELLS);
    return 0;
}

/* Note for each cell the areas that contain it; 0 with an error set. */
static int note_holding(Areas *areas)
{
    size_t count = (size_t)areas->count;
    areas->holding = PyMem_Calloc((size_t)areas->cells * count + 1, sizeof *areas->holding);
    areas->sizes = PyMem_Calloc(count + 1, sizeof *areas->sizes);
    if (!areas->holding || !areas->sizes) {
        PyErr_NoMemory();
        return 0;
    }
    for (size_t a = 0; a < count; a++)
        areas->sizes[a] = (int16_t)size_of(areas->masks + a * (size_t)areas->words, areas->words);
    for (int c = 0; c < areas->cells; c++)
        for (size_t a = 0; a < count; a++)
            areas->holding[(size_t)c * count + a] =
                (uint16_t)has(areas->masks + a * (size_t)areas->words, c);
    return 1;
}

static PyObject *make_areas(PyObject *module, PyObject *args)
{
    int cells;
    Py_ssize_t count = 0, numbers = 0;
    PyObject *masks, *totals, *capsule = NULL;
    (void)module;
    if (!PyArg_ParseTuple(args, "iOO", &cells, &masks, &totals)) return NULL;
    if (!check_cells(cells)) return NULL;
    Areas *areas = PyMem_Calloc(1, sizeof *areas);
    if (!areas) return PyErr_NoMemory();
    areas->cells = cells, areas->words = (cells + 63) / 64;
    areas->masks = read_sets(masks, "masks", areas->words, &count);
    if (areas->masks) areas->totals = copy_items(totals, input("totals", INT32, count, FLAT), &numbers);
    if (areas->totals && count > MAX_AREAS)
        PyErr_Format(PyExc_ValueError, "masks: expected at most %d", MAX_AREAS);
    else if (areas->totals) {
        areas->count = (int)count;
        if (note_holding(areas)) capsule = PyCapsule_New(areas, AREAS, free_capsule);
    }
    if (!capsule) free_areas(areas);
    return capsule;
}

/* The number of an object; -1 with an error set if it is none. Only an int is taken, so that no code
 * in Python runs that could change the lists that are read. */
static long number_of(PyObject *item)
{
    if (item && !PyLong_Check(item)) PyErr_SetString(PyExc_TypeError, "expected integers");
    return item && PyLong_Check(item) ? PyLong_AsLong(item) : -1;
}

static long number_at(PyObject *tuple, Py_ssize_t place)
{
    return number_of(PyTuple_GetItem(tuple, place));
}

/* The cell that a number tells, NULL with an error set; -1 with an error set if there is none. */
static int cell_of(PyObject *item, int cells)
{
    long cell = number_of(item);
    if (cell >= 0 && cell < cells) return (int)cell;
    if (!PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "cells: expected 0 to %d", cells - 1);
    return -1;
}

static int cell_at(PyObject *tuple, Py_ssize_t place, int cells)
{
    return cell_of(PyTuple_GetItem(tuple, place), cells);
}

/* Add the cells of a tuple to a set; 0 with an error set. */
static int add_all(PyObject *tuple, int cells, Word *set)
{
    Py_ssize_t count = PyTuple_Size(tuple);
    for (Py_ssize_t i = 0; i < count; i++) {
        int cell = cell_at(tuple, i, cells);
        if (cell < 0) return 0;
        add(set, cell);
    }
    return count >= 0;
}

/* A tuple of numbers; NULL with an error set. */
static PyObject *tuple_of(const int *numbers, int count)
{
    PyObject *tuple = PyTuple_New(count);
    for (int i = 0; tuple && i < count; i++) {
        PyObject *number = PyLong_FromLong(numbers[i]);
        if (!number || PyTuple_SetItem(tuple, i, number)) Py_CLEAR(tuple);
    }
    return tuple;
}

/* Add an object to a list, which takes it over; 0 with an error set. */
static int append(PyObject *list, PyObject *item)
{
    int good = item && !PyList_Append(list, item);
    Py_XDECREF(item);
    return good;
}

/* ---- What disjoint sums leave of areas ---- */

typedef struct {
    const Areas *areas;
    int sums, most;
    Word *sets;       /* of each sum */
    int *sizes, *least; /* its cells; the fewest in an area from which it is taken */
    int64_t *totals;
    int16_t *left;    /* of each area */
    uint16_t *held;   /* for each sum and area how many of its cells the area contains */
    Word *known;      /* sets more and less, and the total, of what was found */
    int entries;
    int *slots;       /* a table of numbers of `known`, from 1 */
    int mask;
    int *cells;       /* of one that was found, then their weights */
    PyObject *found;
} Work;

static uint64_t hashed(const Word *key, int words)
{
    uint64_t hash = 0;
    for (int w = 0; w < words; w++) hash = (hash ^ key[w]) * 0x9E3779B97F4A7C15u, hash ^= hash >> 29;
    return hash;
}

/* Whether the last entry is new, which is kept then. */
static int is_new(Work *work)
{
    int words = 2 * work->areas->words + 1;
    const Word *key = work->known + (size_t)work->entries * (size_t)words;
    int slot = (int)(hashed(key, words) & (uint64_t)work->mask);
    for (; work->slots[slot]; slot = (slot + 1) & work->mask) {
        const Word *other = work->known + (size_t)(work->slots[slot] - 1) * (size_t)words;
        if (!memcmp(other, key, (size_t)words * sizeof *key)) return 0;
    }
    work->slots[slot] = ++work->entries;
    return 1;
}

/* Tell what is left, if it was not told: its lowest cell is added. 0 with an error set. */
static int tell(Work *work, const Word *area, const Word *taken, int64_t total)
{
    int words = work->areas->words, count = 0, added, sign = 0;
    Word *more = work->known + (size_t)work->entries * (size_t)(2 * words + 1), *less = more + words;
    for (int w = 0; w < words; w++) {
        Word differs = area[w] ^ taken[w];
        if (!sign && differs) sign = differs & (~differs + 1) & area[w] ? 1 : -1;
        more[w] = differs & (sign < 0 ? taken[w] : area[w]);
        less[w] = differs & (sign < 0 ? area[w] : taken[w]);
    }
    more[2 * words] = (Word)(sign * total);
    if (!is_new(work)) return 1;
    for (int c = -1; (c = next_of(more, words, c + 1)) >= 0;) work->cells[count++] = c;
    added = count;
    for (int c = -1; (c = next_of(less, words, c + 1)) >= 0;) work->cells[count++] = c;
    for (int i = 0; i < count; i++) work->cells[count + i] = i < added ? 1 : -1;
    PyObject *cells = tuple_of(work->cells, count), *weights = tuple_of(work->cells + count, count);
    PyObject *told = NULL;
    if (cells && weights) told = Py_BuildValue("(OOL)", cells, weights, (long long)(sign * total));
    Py_XDECREF(cells);
    Py_XDECREF(weights);
    return append(work->found, told);
}

/* Take from an area each sum of which it contains enough, unless one before it has some of its
 * cells; tell what is left if that is little. 0 with an error set. */
static int take(Work *work, int place, Word *taken)
{
    const Areas *areas = work->areas;
    int words = areas->words, any = 0, left = 0;
    const Word *area = areas->masks + (size_t)place * (size_t)words;
    const uint16_t *held = work->held + place;
    int64_t total = areas->totals[place];
    memset(taken, 0, (size_t)words * sizeof *taken);
    for (int i = 0; i < work->sums; i++, held += areas->count) {
        const Word *sum = work->sets + (size_t)i * (size_t)words;
        Word met = 0;
        if (*held < work->least[i]) continue;
        for (int w = 0; w < words; w++) met |= sum[w] & taken[w];
        if (met) continue;
        for (int w = 0; w < words; w++) taken[w] |= sum[w];
        total -= work->totals[i], any = 1;
    }
    for (int w = 0; any && w < words && left <= work->most; w++) left += count_of(area[w] ^ taken[w]);
    return left < 1 || left > work->most || tell(work, area, taken, total);
}

/* The fewest cells of a sum in an area from which it is taken: all, one, or most of them. */
static int least_of(int way, int size) { return way == 0 ? size : way == 1 ? 1 : size / 2 + 1; }

/* How many cells are left of each area, if no two sums share one: in steps on all areas at once. */
static void count_left(Work *work)
{
    int areas = work->areas->count;
    int16_t *left = work->left;
    for (int a = 0; a < areas; a++) left[a] = work->areas->sizes[a];
    for (int i = 0; i < work->sums; i++) {
        const uint16_t *held = work->held + (size_t)i * (size_t)areas;
        int16_t size = (int16_t)work->sizes[i], least = (int16_t)work->least[i];
        for (int a = 0; a < areas; a++) {
            int16_t some = (int16_t)held[a], more = (int16_t)(size - 2 * some);
            left[a] = (int16_t)(left[a] + (some >= least ? more : 0));
        }
    }
}

/* What is left of all areas; 0 with an error set. */
static int take_all(Work *work)
{
    int words = work->areas->words, cells = 0;
    Word *taken = work->sets + (size_t)work->sums * (size_t)words;
    for (int i = 0; i < work->sums; i++) {
        cells += work->sizes[i];
        for (int w = 0; w < words; w++) taken[w] |= work->sets[(size_t)i * (size_t)words + (size_t)w];
    }
    int disjoint = size_of(taken, words) == cells;
    for (int way = 0; way < 3; way++) {
        for (int i = 0; i < work->sums; i++) work->least[i] = least_of(way, work->sizes[i]);
        if (disjoint) count_left(work);
        for (int a = 0; a < work->areas->count; a++)
            if ((!disjoint || (work->left[a] > 0 && work->left[a] <= work->most))
                && !take(work, a, taken))
                return 0;
    }
    return 1;
}

/* Read the sums, and note them as known; 0 with an error set. */
static int read_sums(Work *work, PyObject *sums)
{
    int words = work->areas->words;
    for (int i = 0; i < work->sums; i++) {
        PyObject *sum = PyList_GetItem(sums, i), *cells = sum ? PyTuple_GetItem(sum, 0) : NULL;
        Word *set = work->sets + (size_t)i * (size_t)words;
        if (!cells || !add_all(cells, work->areas->cells, set)) return 0;
        work->sizes[i] = size_of(set, words);
        work->totals[i] = number_at(sum, 1);
        if (PyErr_Occurred()) return 0;
        Word *key = work->known + (size_t)work->entries * (size_t)(2 * words + 1);
        memcpy(key, set, (size_t)words * sizeof *key);
        memset(key + words, 0, (size_t)words * sizeof *key);
        key[2 * words] = (Word)work->totals[i];
        is_new(work);
    }
    return 1;
}

static void count_held(Work *work)
{
    int words = work->areas->words, areas = work->areas->count;
    for (int i = 0; i < work->sums; i++) {
        uint16_t *held = work->held + (size_t)i * (size_t)areas;
        const Word *sum = work->sets + (size_t)i * (size_t)words;
        for (int c = -1; (c = next_of(sum, words, c + 1)) >= 0;) {
            const uint16_t *holding = work->areas->holding + (size_t)c * (size_t)areas;
            for (int a = 0; a < areas; a++) held[a] = (uint16_t)(held[a] + holding[a]);
        }
    }
}

static int make_room(Work *work)
{
    size_t words = (size_t)work->areas->words, sums = (size_t)work->sums;
    size_t areas = (size_t)work->areas->count, entries = sums + 3 * areas + 1, slots = 64;
    while (slots < 2 * entries) slots *= 2;
    work->mask = (int)(slots - 1);
    work->sets = PyMem_Calloc(sums * words + words, sizeof *work->sets); /* the last: cells taken */
    work->sizes = PyMem_Calloc(2 * sums + 1, sizeof *work->sizes);
    work->least = work->sizes ? work->sizes + sums : NULL;
    work->totals = PyMem_Calloc(sums + 1, sizeof *work->totals);
    work->left = PyMem_Calloc(areas + 1, sizeof *work->left);
    work->held = PyMem_Calloc(sums * areas + 1, sizeof *work->held);
    work->known = PyMem_Calloc(entries * (2 * words + 1), sizeof *work->known);
    work->slots = PyMem_Calloc(slots, sizeof *work->slots);
    work->cells = PyMem_Calloc(128 * words, sizeof *work->cells);
    work->found = PyList_New(0);
    if (work->sets && work->sizes && work->totals && work->left && work->held && work->known && work->slots
        && work->cells && work->found)
        return 1;
    if (!PyErr_Occurred()) PyErr_NoMemory();
    return 0;
}

static PyObject *left(PyObject *module, PyObject *args)
{
    PyObject *capsule, *sums;
    Work work = {0};
    int good = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOi", &capsule, &sums, &work.most)) return NULL;
    work.areas = PyCapsule_GetPointer(capsule, AREAS);
    Py_ssize_t count = work.areas ? PyList_Size(sums) : -1;
    if (count < 0) return NULL;
    if (count > MAX_CELLS) return PyErr_Format(PyExc_ValueError, "sums: expected at most %d", MAX_CELLS);
    work.sums = (int)count;
    if (make_room(&work) && read_sums(&work, sums)) {
        count_held(&work);
        good = take_all(&work);
    }
    PyMem_Free(work.sets);
    PyMem_Free(work.sizes);
    PyMem_Free(work.totals);
    PyMem_Free(work.left);
    PyMem_Free(work.held);
    PyMem_Free(work.known);
    PyMem_Free(work.slots);
    PyMem_Free(work.cells);
    if (!good) Py_CLEAR(work.found);
    return work.found;
}

/* ---- What an engine makes of a sum ---- */

typedef struct {
    int cells, words;
    Word *peers;     /* of each cell those that differ from it */
    Word *rest;      /* a set, and another one */
    int *members;    /* of a sum, */
    long *weights;   /* and what they are taken times */
    int *listed;
} Peers;

static void free_peers(Peers *p)
{
    PyMem_Free(p->peers);
    PyMem_Free(p->rest);
    PyMem_Free(p->members);
    PyMem_Free(p->weights);
    PyMem_Free(p->listed);
}

static int read_peers(Peers *p, PyObject *bytes)
{
    Py_ssize_t count = 0;
    if (!check_cells(p->cells)) return 0;
    p->words = (p->cells + 63) / 64;
    p->peers = read_sets(bytes, "peers", p->words, &count);
    if (!p->peers) return 0;
    if (count != p->cells) {
        PyErr_Format(PyExc_ValueError, "peers: expected %d sets", p->cells);
        return 0;
    }
    p->rest = PyMem_Calloc(2 * (size_t)p->words, sizeof *p->rest);
    p->members = PyMem_Calloc((size_t)p->cells, sizeof *p->members);
    p->weights = PyMem_Calloc((size_t)p->cells, sizeof *p->weights);
    p->listed = PyMem_Calloc(4 * (size_t)p->cells + 1, sizeof *p->listed);
    if (p->rest && p->members && p->weights && p->listed) return 1;
    PyErr_NoMemory();
    return 0;
}

static const Word *peers_of(const Peers *p, int cell)
{
    return p->peers + (size_t)cell * (size_t)p->words;
}

static int all_differ(const Peers *p, int count)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            if (i != j && p->members[i] != p->members[j]
                && !has(peers_of(p, p->members[i]), p->members[j]))
                return 0;
    return 1;
}

/* A cell, and as many others of a set as differ from it and from each other, at most so many. */
static int grown(const Peers *p, int first, int most, int *cells)
{
    Word *among = p->rest + p->words;
    int count = 1;
    cells[0] = first;
    for (int w = 0; w < p->words; w++) among[w] = p->rest[w] & peers_of(p, first)[w];
    for (int c; count < most && (c = next_of(among, p->words, 0)) >= 0;) {
        cells[count++] = c;
        for (int w = 0; w < p->words; w++) among[w] &= peers_of(p, c)[w];
    }
    for (int i = 1; i < count; i++) /* all but the first ascend */
        for (int j = i; j > 0 && cells[j] < cells[j - 1]; j--) {
            int kept = cells[j];
            cells[j] = cells[j - 1], cells[j - 1] = kept;
        }
    return count;
}

enum { LONGEST = 8 }; /* cells of a segment */

/* List the cells of the first set in segments of at most so many, with a weight; returns how many
 * numbers are listed then. */
static int list_segments(Peers *p, long weight, int most, int at, int *segments)
{
    for (int left; (left = size_of(p->rest, p->words)) > 0; ++*segments) {
        int goal = left < most ? left : most, best = 0, tried[LONGEST];
        int *kept = p->listed + at + 3;
        for (int c = -1; best < goal && (c = next_of(p->rest, p->words, c + 1)) >= 0;) {
            int count = grown(p, c, goal, tried);
            if (count > best) memcpy(kept, tried, (size_t)(best = count) * sizeof *kept);
        }
        p->listed[at] = (int)labs(weight), p->listed[at + 1] = weight < 0, p->listed[at + 2] = best;
        for (int i = 0; i < best; i++) p->rest[kept[i] / 64] &= ~((Word)1 << kept[i] % 64);
        at += 3 + best;
    }
    return at;
}

typedef struct {
    int caged, segment, segments, totals;
} Limits;

/* True for a cage, None for a sum that is too large, else the total and its segments. */
static PyObject *segmented(Peers *p, int count, long total, const Limits *limits)
{
    int alike = count > 0 && count <= limits->caged, at = 1, segments = 0;
    long most = 0;
    for (int i = 0; i < count; i++) {
        alike &= p->weights[i] == 1;
        most += 9 * labs(p->weights[i]);
        if (p->weights[i] < 0) total -= 10 * p->weights[i];
    }
    if (alike && all_differ(p, count)) return Py_NewRef(Py_True);
    if (!count || most >= limits->totals || total < 0 || total >= limits->totals)
        return Py_NewRef(Py_None);
    for (long weight = 0, last = -limits->totals;; last = weight) {
        int some = 0;
        for (int i = 0; i < count; i++)
            if (p->weights[i] > last && (!some || p->weights[i] < weight))
                weight = p->weights[i], some = 1;
        if (!some) break;
        for (int i = 0; i < count; i++)
            if (p->weights[i] == weight) add(p->rest, p->members[i]);
        at = list_segments(p, weight, limits->segment, at, &segments);
    }
    if (segments > limits->segments) return Py_NewRef(Py_None);
    p->listed[0] = (int)total;
    return tuple_of(p->listed, at);
}

/* Read cells, weights and total of a sum; how many cells it has, -1 with an error set. */
static Py_ssize_t read_sum(Peers *p, PyObject *sum, long *total)
{
    PyObject *cells = PyTuple_GetItem(sum, 0), *weights = cells ? PyTuple_GetItem(sum, 1) : NULL;
    Py_ssize_t count = weights ? PyTuple_Size(cells) : -1;
    if (count > p->cells) {
        PyErr_Format(PyExc_ValueError, "sums: expected at most %d cells", p->cells);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        p->members[i] = cell_at(cells, i, p->cells);
        p->weights[i] = number_at(weights, i);
        if (PyErr_Occurred()) return -1;
    }
    *total = count < 0 ? 0 : number_at(sum, 2);
    return PyErr_Occurred() ? -1 : count;
}

static PyObject *segments(PyObject *module, PyObject *args)
{
    PyObject *sums, *bytes, *found = NULL;
    Peers p = {0};
    Limits limits;
    (void)module;
    if (!PyArg_ParseTuple(args, "OiO(iiii)", &sums, &p.cells, &bytes, &limits.caged, &limits.segment,
                          &limits.segments, &limits.totals))
        return NULL;
    if (limits.segment < 1 || limits.segment > LONGEST)
        return PyErr_Format(PyExc_ValueError, "limits: expected segments of 1 to %d", LONGEST);
    Py_ssize_t count = PyList_Size(sums);
    if (count >= 0 && read_peers(&p, bytes)) found = PyList_New(0);
    for (Py_ssize_t i = 0; found && i < count; i++) {
        long total;
        PyObject *sum = PyList_GetItem(sums, i);
        Py_ssize_t cells = sum ? read_sum(&p, sum, &total) : -1;
        if (cells < 0 || !append(found, segmented(&p, (int)cells, total, &limits))) Py_CLEAR(found);
    }
    free_peers(&p);
    return found;
}

/* Write the cells that differ from all of a cage, behind its number; how many, -1 with an error set. */
static int write_beside(Peers *p, PyObject *cage, int32_t *members)
{
    Py_ssize_t size = PyTuple_Size(cage);
    int count = 0;
    for (int w = 0; w < p->words; w++) p->rest[w] = size > 1 ? ~(Word)0 : 0;
    for (Py_ssize_t j = 1; j < size; j++) {
        int cell = cell_at(cage, j, p->cells);
        if (cell < 0) return -1;
        for (int w = 0; w < p->words; w++) p->rest[w] &= peers_of(p, cell)[w];
    }
    for (int c = -1; (c = next_of(p->rest, p->words, c + 1)) >= 0 && c < p->cells;)
        members[count++] = c;
    return size < 0 ? -1 : count;
}

static PyObject *beside(PyObject *module, PyObject *args)
{
    PyObject *cages, *bytes, *found = NULL;
    Peers p = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "OiO", &cages, &p.cells, &bytes)) return NULL;
    Py_ssize_t count = PyList_Size(cages);
    if (count >= 0 && read_peers(&p, bytes)) {
        int32_t *starts = PyMem_Calloc((size_t)count + 1, sizeof *starts);
        int32_t *members = PyMem_Calloc((size_t)count * (size_t)p.cells + 1, sizeof *members);
        int good = starts && members;
        if (!good) PyErr_NoMemory();
        for (Py_ssize_t i = 0; good && i < count; i++) {
            int some = write_beside(&p, PyList_GetItem(cages, i), members + starts[i]);
            good = some >= 0;
            starts[i + 1] = starts[i] + some;
        }
        if (good)
            found = Py_BuildValue("(y#y#)", starts, (count + 1) * (Py_ssize_t)sizeof *starts, members,
                                  starts[count] * (Py_ssize_t)sizeof *members);
        PyMem_Free(starts);
        PyMem_Free(members);
    }
    free_peers(&p);
    return found;
}

/* ---- Cells that differ ---- */

/* Tell the cells of one tuple apart in `peers`; whether `known` does not say it all, -1 with an error
 * set. */
static int tell_apart(const Peers *known, Word *peers, PyObject *cells, Word *set)
{
    int is_new = 0;
    memset(set, 0, (size_t)known->words * sizeof *set);
    if (!add_all(cells, known->cells, set)) return -1;
    for (int cell = -1; (cell = next_of(set, known->words, cell + 1)) >= 0;)
        for (int w = 0; w < known->words; w++) {
            Word others = set[w] & ~(cell / 64 == w ? (Word)1 << cell % 64 : 0);
            is_new |= (others & ~peers_of(known, cell)[w]) != 0;
            peers[(size_t)cell * (size_t)known->words + (size_t)w] |= others;
        }
    return is_new;
}

/* The sets of all cells as bytes, the lowest cell first, and a byte for each tuple. */
static PyObject *apart_bytes(const Peers *p, const Word *peers, const char *news, Py_ssize_t count)
{
    Py_ssize_t size = 8 * (Py_ssize_t)p->cells * p->words;
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, size);
    if (!bytes) return NULL;
    char *kept = PyBytes_AsString(bytes);
    for (Py_ssize_t i = 0; i < size; i++) kept[i] = (char)(peers[i / 8] >> 8 * (i % 8));
    return Py_BuildValue("(Ny#)", bytes, news, count);
}

static PyObject *apart(PyObject *module, PyObject *args)
{
    PyObject *sets, *bytes, *found = NULL;
    Peers p = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "OiO", &sets, &p.cells, &bytes)) return NULL;
    Py_ssize_t count = PyList_Size(sets), size = 0;
    if (count >= 0 && read_peers(&p, bytes)) {
        size = (Py_ssize_t)p.cells * p.words * (Py_ssize_t)sizeof(Word);
        Word *peers = PyMem_Malloc((size_t)size);
        char *news = PyMem_Malloc((size_t)count + 1);
        int good = peers && news;
        if (!good) PyErr_NoMemory();
        else memcpy(peers, p.peers, (size_t)size);
        for (Py_ssize_t i = 0; good && i < count; i++) {
            int is_new = tell_apart(&p, peers, PyList_GetItem(sets, i), p.rest);
            good = is_new >= 0;
            news[i] = (char)is_new;
        }
        if (good) found = apart_bytes(&p, peers, news, count);
        PyMem_Free(peers);
        PyMem_Free(news);
    }
    free_peers(&p);
    return found;
}

/* ---- Lists of different lengths as two arrays ---- */

/* How many items a list or a tuple has; -1 with an error set. */
static Py_ssize_t length_of(PyObject *some)
{
    return some && PyList_Check(some) ? PyList_Size(some) : PyTuple_Size(some);
}

/* Write the numbers of a list or a tuple; 0 with an error set. */
static int write_numbers(PyObject *some, Py_ssize_t count, int32_t *members)
{
    int is_list = PyList_Check(some);
    for (Py_ssize_t i = 0; i < count; i++) {
        long number = number_of(is_list ? PyList_GetItem(some, i) : PyTuple_GetItem(some, i));
        if (number == -1 && PyErr_Occurred()) return 0;
        if (number < INT32_MIN || number > INT32_MAX) {
            PyErr_SetString(PyExc_OverflowError, "expected numbers of 32 bits");
            return 0;
        }
        members[i] = (int32_t)number;
    }
    return 1;
}

static PyObject *ragged(PyObject *module, PyObject *lists)
{
    Py_ssize_t count = PyList_Size(lists), total = 0;
    (void)module;
    for (Py_ssize_t i = 0; i < count; i++) {
        Py_ssize_t size = length_of(PyList_GetItem(lists, i));
        if (size < 0) return NULL;
        total += size;
    }
    if (count < 0) return NULL;
    if (total > INT32_MAX) return PyErr_NoMemory();
    PyObject *starts = PyBytes_FromStringAndSize(NULL, (count + 1) * (Py_ssize_t)sizeof(int32_t));
    PyObject *members = PyBytes_FromStringAndSize(NULL, total * (Py_ssize_t)sizeof(int32_t));
    int good = starts && members;
    if (good) {
        int32_t *ends = (int32_t *)PyBytes_AsString(starts), *kept = (int32_t *)PyBytes_AsString(members);
        int32_t at = ends[0] = 0;
        for (Py_ssize_t i = 0; good && i < count; i++) {
            PyObject *some = PyList_GetItem(lists, i);
            Py_ssize_t size = length_of(some);
            good = write_numbers(some, size, kept + at);
            at = ends[i + 1] = at + (int32_t)size;
        }
    }
    PyObject *found = good ? PyTuple_Pack(2, starts, members) : NULL;
    Py_XDECREF(starts);
    Py_XDECREF(members);
    return found;
}

static PyMethodDef methods[] = {
    {"areas", make_areas, METH_VARARGS, "areas(cells, masks, totals) -> capsule"},
    {"left", left, METH_VARARGS, "left(areas, sums, most) -> list"},
    {"segments", segments, METH_VARARGS, "segments(sums, cells, peers, limits) -> list"},
    {"beside", beside, METH_VARARGS, "beside(cages, cells, peers) -> starts, members"},
    {"apart", apart, METH_VARARGS, "apart(sets, cells, peers) -> peers, news"},
    {"ragged", ragged, METH_O, "ragged(lists) -> starts, members"},
    {NULL, NULL, 0, NULL},
};

EXTENSION(_sums, "Sums that follow from others and from houses.", 1)
