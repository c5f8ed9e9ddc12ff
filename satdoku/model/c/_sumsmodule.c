/* Sums that follow by the 45 rule, and what an engine makes of clues; sets of cells are bits.
 *
 * Invariant: each function gives what its twin in Python gives, in the same order: `left` is
 * `implied.left_by_areas`, `segments` is `tables.segmented`, `apart` is `implied.apart_of`, `ragged` is
 * `tables.Ragged.of`, `tables` is `tables.listed_in_python`; of those of frames.h see there. Cells are
 * checked where they are read. */
#include "../../runtime/buffers.h"
#include "../../runtime/portable.h"

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

static int size_of(const Word *set, int words)
{
    int count = 0;
    for (int w = 0; w < words; w++) count += __builtin_popcountll(set[w]);
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
        if (rest) return 64 * w + __builtin_ctzll(rest);
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
    int sums, most, disjoint;
    Word *sets;       /* of each sum */
    int *sizes, *least; /* its cells; the fewest in an area from which it is taken */
    int64_t *totals;
    int16_t *left;    /* of each area */
    uint16_t *held;   /* for each sum and area how many of its cells the area contains */
    Word *known;      /* sets more and less, and the total: of the sums, then of what was found */
    int entries, stated;
    int *slots;       /* a table of numbers of `known`, from 1 */
    int mask;
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

/* Note what is left, if it is not known: its lowest cell is added. */
static void note(Work *work, const Word *area, const Word *taken, int64_t total)
{
    int words = work->areas->words, sign = 0;
    Word *more = work->known + (size_t)work->entries * (size_t)(2 * words + 1), *less = more + words;
    for (int w = 0; w < words; w++) {
        Word differs = area[w] ^ taken[w];
        if (!sign && differs) sign = differs & (~differs + 1) & area[w] ? 1 : -1;
        more[w] = differs & (sign < 0 ? taken[w] : area[w]);
        less[w] = differs & (sign < 0 ? area[w] : taken[w]);
    }
    more[2 * words] = (Word)(sign * total);
    is_new(work);
}

static int meets(const Word *a, const Word *b, int words)
{
    Word met = 0;
    for (int w = 0; w < words; w++) met |= a[w] & b[w];
    return met != 0;
}

/* Take from an area each sum of which it contains enough, unless one before it has some of its
 * cells; note what is left if that is little. */
static void take(Work *work, int place, Word *taken)
{
    const Areas *areas = work->areas;
    int words = areas->words, any = 0, left = 0;
    const Word *area = areas->masks + (size_t)place * (size_t)words;
    const uint16_t *held = work->held + place;
    int64_t total = areas->totals[place];
    memset(taken, 0, (size_t)words * sizeof *taken);
    for (int i = 0; i < work->sums; i++, held += areas->count) {
        const Word *sum = work->sets + (size_t)i * (size_t)words;
        if (*held < work->least[i] || (!work->disjoint && meets(sum, taken, words))) continue;
        for (int w = 0; w < words; w++) taken[w] |= sum[w];
        total -= work->totals[i], any = 1;
    }
    for (int w = 0; any && w < words && left <= work->most; w++) left += __builtin_popcountll(area[w] ^ taken[w]);
    if (left >= 1 && left <= work->most) note(work, area, taken, total);
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

/* What is left of all areas. */
static void take_all(Work *work)
{
    int words = work->areas->words, cells = 0;
    Word *taken = work->sets + (size_t)work->sums * (size_t)words;
    for (int i = 0; i < work->sums; i++) {
        cells += work->sizes[i];
        for (int w = 0; w < words; w++) taken[w] |= work->sets[(size_t)i * (size_t)words + (size_t)w];
    }
    work->disjoint = size_of(taken, words) == cells;
    for (int way = 0; way < 3; way++) {
        for (int i = 0; i < work->sums; i++) work->least[i] = least_of(way, work->sizes[i]);
        if (work->disjoint) count_left(work);
        for (int a = 0; a < work->areas->count; a++)
            if (!work->disjoint || (work->left[a] > 0 && work->left[a] <= work->most)) take(work, a, taken);
    }
}

/* Note a sum, which is known then. */
static void note_sum(Work *work, int place, const Word *set, int64_t total)
{
    size_t words = (size_t)work->areas->words;
    Word *key = work->known + (size_t)work->entries * (2 * words + 1);
    memcpy(work->sets + (size_t)place * words, set, words * sizeof *set);
    work->sizes[place] = size_of(set, work->areas->words);
    work->totals[place] = total;
    memcpy(key, set, words * sizeof *key);
    memset(key + words, 0, words * sizeof *key);
    key[2 * words] = (Word)total;
    is_new(work);
    work->stated = work->entries;
}

/* Read the sums; 0 with an error set. */
static int read_sums(Work *work, PyObject *sums)
{
    Word *set = PyMem_Malloc((size_t)work->areas->words * sizeof *set);
    int good = set != NULL;
    if (!good) PyErr_NoMemory();
    for (int i = 0; good && i < work->sums; i++) {
        PyObject *sum = PyList_GetItem(sums, i), *cells = sum ? PyTuple_GetItem(sum, 0) : NULL;
        memset(set, 0, (size_t)work->areas->words * sizeof *set);
        good = cells && add_all(cells, work->areas->cells, set);
        long total = good ? number_at(sum, 1) : 0;
        good = good && !PyErr_Occurred();
        if (good) note_sum(work, i, set, total);
    }
    PyMem_Free(set);
    return good;
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
    work->known = PyMem_Malloc(entries * (2 * words + 1) * sizeof *work->known);
    work->slots = PyMem_Calloc(slots, sizeof *work->slots);
    if (work->sets && work->sizes && work->totals && work->left && work->held && work->known
        && work->slots)
        return 1;
    PyErr_NoMemory();
    return 0;
}

static void free_work(Work *work)
{
    PyMem_Free(work->sets);
    PyMem_Free(work->sizes);
    PyMem_Free(work->totals);
    PyMem_Free(work->left);
    PyMem_Free(work->held);
    PyMem_Free(work->known);
    PyMem_Free(work->slots);
}

/* Find what is left of the areas by the sums that are noted. */
static void find_left(Work *work)
{
    count_held(work);
    take_all(work);
}

/* Something found, as its cells and their weights; how many. */
static int weighed(const Work *work, int entry, int *cells, long *weights, int64_t *total)
{
    int words = work->areas->words, count = 0;
    const Word *more = work->known + (size_t)entry * (size_t)(2 * words + 1), *less = more + words;
    for (int c = -1; (c = next_of(more, words, c + 1)) >= 0;) cells[count] = c, weights[count++] = 1;
    for (int c = -1; (c = next_of(less, words, c + 1)) >= 0;) cells[count] = c, weights[count++] = -1;
    *total = (int64_t)more[2 * words];
    return count;
}

/* What was found as a tuple for `left`; NULL with an error set. */
static PyObject *told(const Work *work, int entry, int *cells, long *weights)
{
    int64_t total;
    int count = weighed(work, entry, cells, weights, &total);
    PyObject *first = tuple_of(cells, count), *sum = NULL;
    for (int i = 0; i < count; i++) cells[i] = (int)weights[i];
    PyObject *second = tuple_of(cells, count);
    if (first && second) sum = Py_BuildValue("(OOL)", first, second, (long long)total);
    Py_XDECREF(first);
    Py_XDECREF(second);
    return sum;
}

static PyObject *left(PyObject *module, PyObject *args)
{
    PyObject *capsule, *sums, *found = NULL;
    Work work = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "OOi", &capsule, &sums, &work.most)) return NULL;
    work.areas = PyCapsule_GetPointer(capsule, AREAS);
    Py_ssize_t count = work.areas ? PyList_Size(sums) : -1;
    if (count < 0) return NULL;
    if (count > MAX_CELLS) return PyErr_Format(PyExc_ValueError, "sums: expected at most %d", MAX_CELLS);
    work.sums = (int)count;
    size_t cells = (size_t)work.areas->cells + 1;
    int *members = PyMem_Malloc(cells * sizeof *members);
    long *weights = PyMem_Malloc(cells * sizeof *weights);
    if (!members || !weights) PyErr_NoMemory();
    else if (make_room(&work) && read_sums(&work, sums)) {
        find_left(&work);
        found = PyList_New(0);
        for (int i = work.stated; found && i < work.entries; i++)
            if (!append(found, told(&work, i, members, weights))) Py_CLEAR(found);
    }
    PyMem_Free(members);
    PyMem_Free(weights);
    free_work(&work);
    return found;
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

enum { LONGEST = 25 }; /* cells of a segment */

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

enum { IS_CAGE = -1, TOO_LARGE = 0 };

/* List the total and the segments of a sum; how many numbers, or one of the above. */
static int list_sum(Peers *p, int count, long total, const Limits *limits)
{
    int alike = count > 0 && count <= limits->caged, at = 1, segments = 0;
    long most = 0;
    for (int i = 0; i < count; i++) {
        alike &= p->weights[i] == 1;
        most += 9 * labs(p->weights[i]);
        if (p->weights[i] < 0) total -= 10 * p->weights[i];
    }
    if (alike && all_differ(p, count)) return IS_CAGE;
    if (!count || most >= limits->totals || total < 0 || total >= limits->totals) return TOO_LARGE;
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
    if (segments > limits->segments) return TOO_LARGE;
    p->listed[0] = (int)total;
    return at;
}

/* True for a cage, None for a sum that is too large, else the total and its segments. */
static PyObject *segmented(Peers *p, int count, long total, const Limits *limits)
{
    int listed = list_sum(p, count, total, limits);
    if (listed == IS_CAGE) return Py_NewRef(Py_True);
    return listed == TOO_LARGE ? Py_NewRef(Py_None) : tuple_of(p->listed, listed);
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

/* ---- Cells that differ ---- */

/* Tell the cells of a set apart in `peers`; whether `known` does not say it all. */
static int tell_apart(const Peers *known, Word *peers, const Word *set)
{
    int is_new = 0;
    for (int cell = -1; (cell = next_of(set, known->words, cell + 1)) >= 0;)
        for (int w = 0; w < known->words; w++) {
            Word others = set[w] & ~(cell / 64 == w ? (Word)1 << cell % 64 : 0);
            is_new |= (others & ~peers_of(known, cell)[w]) != 0;
            peers[(size_t)cell * (size_t)known->words + (size_t)w] |= others;
        }
    return is_new;
}

/* The sets of all cells as bytes, the lowest cell first. */
static PyObject *apart_bytes(const Peers *p, const Word *peers)
{
    Py_ssize_t size = 8 * (Py_ssize_t)p->cells * p->words;
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, size);
    if (!bytes) return NULL;
    char *kept = PyBytes_AsString(bytes);
    for (Py_ssize_t i = 0; i < size; i++) kept[i] = (char)(peers[i / 8] >> 8 * (i % 8));
    return bytes;
}

static PyObject *apart(PyObject *module, PyObject *args)
{
    PyObject *sets, *bytes, *found = NULL;
    Peers known = {0}, peers = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "OiO", &sets, &known.cells, &bytes)) return NULL;
    peers.cells = known.cells;
    Py_ssize_t count = PyList_Size(sets);
    if (count >= 0 && read_peers(&known, bytes) && read_peers(&peers, bytes)) {
        int good = 1;
        for (Py_ssize_t i = 0; good && i < count; i++) {
            memset(known.rest, 0, (size_t)known.words * sizeof *known.rest);
            good = add_all(PyList_GetItem(sets, i), known.cells, known.rest);
            if (good) tell_apart(&known, peers.peers, known.rest);
        }
        if (good) found = apart_bytes(&known, peers.peers);
    }
    free_peers(&known);
    free_peers(&peers);
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

/* ---- What clues are to an engine ---- */

typedef struct {
    int32_t *items;
    Py_ssize_t count, room;
} Numbers;

/* Lists of numbers; each stands there once if it is added by `settle`. */
typedef struct {
    Numbers starts, members;
    int32_t *slots; /* a table of numbers of lists, from 1 */
    Py_ssize_t mask;
} Lists;

/* 0 with an error set, as all that follow where nothing else is said. */
static int push(Numbers *numbers, long item)
{
    if (numbers->count == numbers->room) {
        Py_ssize_t room = numbers->room ? 2 * numbers->room : 64;
        int32_t *items = room > INT32_MAX / 8 ? NULL
                       : PyMem_Realloc(numbers->items, (size_t)room * sizeof *items);
        if (!items) {
            PyErr_NoMemory();
            return 0;
        }
        numbers->items = items, numbers->room = room;
    }
    numbers->items[numbers->count++] = (int32_t)item;
    return 1;
}

static void free_lists(Lists *lists)
{
    PyMem_Free(lists->starts.items);
    PyMem_Free(lists->members.items);
    PyMem_Free(lists->slots);
}

/* End the list whose members were pushed last. */
static int end_list(Lists *lists)
{
    return (lists->starts.count || push(&lists->starts, 0)) && push(&lists->starts, lists->members.count);
}

static Py_ssize_t count_lists(const Lists *lists) { return lists->starts.count ? lists->starts.count - 1 : 0; }

/* The slot of the list that begins there, or of one like it. */
static int32_t *slot_of(const Lists *lists, int32_t start, int32_t size)
{
    const int32_t *own = lists->members.items + start, *starts = lists->starts.items;
    uint32_t hash = (uint32_t)size;
    for (int32_t i = 0; i < size; i++) hash = (hash ^ (uint32_t)own[i]) * 0x9E3779B1u, hash ^= hash >> 15;
    for (Py_ssize_t slot = hash & lists->mask;; slot = (slot + 1) & lists->mask) {
        int32_t list = lists->slots[slot] - 1;
        if (list < 0) return lists->slots + slot;
        if (starts[list + 1] - starts[list] == size
            && !memcmp(lists->members.items + starts[list], own, (size_t)size * sizeof *own))
            return lists->slots + slot;
    }
}

/* Make room for one more slot. */
static int make_slots(Lists *lists)
{
    Py_ssize_t slots = lists->slots ? lists->mask + 1 : 0, count = count_lists(lists);
    if (2 * (count + 1) <= slots) return 1;
    PyMem_Free(lists->slots);
    slots = slots ? 2 * slots : 64;
    lists->slots = PyMem_Calloc((size_t)slots, sizeof *lists->slots);
    lists->mask = slots - 1;
    if (!lists->slots) {
        PyErr_NoMemory();
        return 0;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        const int32_t *start = lists->starts.items + i;
        *slot_of(lists, start[0], start[1] - start[0]) = (int32_t)i + 1;
    }
    return 1;
}

/* End the list whose members were pushed last, and forget it if it stands there already; its number,
 * -1 with an error set. */
static int settle(Lists *lists)
{
    Py_ssize_t count = count_lists(lists);
    int32_t start = count ? lists->starts.items[count] : 0;
    if (!make_slots(lists)) return -1;
    int32_t *slot = slot_of(lists, start, (int32_t)lists->members.count - start);
    if (*slot) lists->members.count = start;
    else if (end_list(lists)) *slot = (int32_t)count + 1;
    else return -1;
    return *slot - 1;
}

/* A form as numbers, which `tables.numbered` writes. */
typedef struct {
    const char *at, *end;
} Form;

/* The next number; 0 with an error set if there is none. */
static int32_t next_number(Form *form)
{
    int32_t number = 0;
    if (form->end - form->at < (Py_ssize_t)sizeof number) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "forms: expected more numbers");
        return 0;
    }
    memcpy(&number, form->at, sizeof number);
    form->at += sizeof number;
    return number;
}

/* All that is listed, and what it is made from. */
typedef struct {
    Peers known, peers; /* by the rules; and by clues as well */
    Lists relations, tables, cages, rests, sets, sums;
    Lists stated;       /* totals, each before its cells */
    int *at, places;    /* the cells of a clue */
    const Areas *areas; /* NULL: no sums follow */
    int digits, deep, summed, few, summed_of_few;
    Limits limits;
} Tables;

/* The cell of the place that a form tells next; -1 with an error set. */
static int next_cell(Tables *t, Form *form)
{
    int32_t place = next_number(form);
    if (place >= 0 && place < t->places) return t->at[place];
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "forms: expected places of the clue");
    return -1;
}

/* Push the cells that a form tells next, behind how many they are. */
static int push_cells(Tables *t, Form *form, Numbers *numbers)
{
    for (int32_t left = next_number(form); left > 0; left--) {
        int cell = next_cell(t, form);
        if (cell < 0 || !push(numbers, cell)) return 0;
    }
    return !PyErr_Occurred();
}

/* The number of the list that a form tells next, behind its length; -1 with an error set. */
static int next_list(Form *form, Lists *lists)
{
    for (int32_t left = next_number(form); left > 0; left--)
        if (!push(&lists->members, next_number(form)) || PyErr_Occurred()) return -1;
    return PyErr_Occurred() ? -1 : settle(lists);
}

/* Tell cells apart; whether the rules do not, -1 with an error set. */
static int list_apart(Tables *t, Form *form)
{
    int is_new = 0;
    Word *set = t->known.rest;
    for (int32_t sets = next_number(form); sets > 0; sets--) {
        memset(set, 0, (size_t)t->known.words * sizeof *set);
        for (int32_t left = next_number(form); left > 0; left--) {
            int cell = next_cell(t, form);
            if (cell < 0) return -1;
            add(set, cell);
        }
        is_new |= tell_apart(&t->known, t->peers.peers, set);
    }
    return PyErr_Occurred() ? -1 : is_new;
}

/* List what a clue says of each two cells, unless the rules say it anyway. */
static int list_relations(Tables *t, Form *form, const char *start, int is_wanted)
{
    for (int32_t left = next_number(form); left > 0; left--) {
        Form masks = {start, form->end};
        int32_t offset = next_number(form), only_differ = next_number(form);
        int first = next_cell(t, form), second = next_cell(t, form);
        if (first < 0 || second < 0) return 0;
        if (!is_wanted || (only_differ && has(peers_of(&t->known, first), second))) continue;
        if (offset < 0 || offset > (masks.end - start) / (Py_ssize_t)sizeof offset) {
            PyErr_SetString(PyExc_ValueError, "forms: expected tables in them");
            return 0;
        }
        masks.at += offset * (Py_ssize_t)sizeof offset;
        int table = next_list(&masks, &t->tables);
        Numbers *members = &t->relations.members;
        if (table < 0 || !push(members, table) || !push(members, first) || !push(members, second)
            || !end_list(&t->relations))
            return 0;
    }
    return !PyErr_Occurred();
}

/* List what a clue says by sets of digits, and note the totals that it states. */
static int list_sets(Tables *t, Form *form)
{
    Numbers *members = &t->cages.members;
    for (int32_t left = next_number(form); left > 0; left--) {
        int set = next_list(form, &t->sets);
        if (set < 0 || !push(members, set) || !push_cells(t, form, members) || settle(&t->cages) < 0)
            return 0;
    }
    members = &t->stated.members;
    for (int32_t left = next_number(form); left > 0; left--)
        if (!push(members, next_number(form)) || !push_cells(t, form, members) || !end_list(&t->stated))
            return 0;
    return !PyErr_Occurred();
}

/* List a clue: its form, and its cells. */
static int list_clue(Tables *t, PyObject *clue)
{
    char *start;
    Py_ssize_t size;
    PyObject *form = PyTuple_GetItem(clue, 0), *cells = form ? PyTuple_GetItem(clue, 1) : NULL;
    Py_ssize_t count = cells ? PyTuple_Size(cells) : -1;
    if (count < 0 || PyBytes_AsStringAndSize(form, &start, &size)) return 0;
    if (count > t->known.cells) {
        PyErr_Format(PyExc_ValueError, "cells: expected at most %d", t->known.cells);
        return 0;
    }
    t->places = (int)count;
    for (int i = 0; i < t->places; i++)
        if ((t->at[i] = cell_at(cells, i, t->known.cells)) < 0) return 0;
    Form rest = {start, start + size};
    int is_new = list_apart(t, &rest);
    int is_distinct = next_number(&rest);
    return is_new >= 0 && list_relations(t, &rest, start, is_new || !is_distinct) && list_sets(t, &rest);
}

/* Find what follows from the totals that are stated and leaves so few cells. */
static int follow(Tables *t, int most, Work *work)
{
    int words = t->areas->words;
    *work = (Work){.areas = t->areas, .most = most, .sums = (int)count_lists(&t->stated)};
    if (!make_room(work)) return 0;
    for (int i = 0; i < work->sums; i++) {
        const int32_t *start = t->stated.starts.items + i, *members = t->stated.members.items;
        memset(t->known.rest, 0, (size_t)words * sizeof *t->known.rest);
        for (int32_t k = start[0] + 1; k < start[1]; k++) add(t->known.rest, members[k]);
        note_sum(work, i, t->known.rest, members[start[0]]);
    }
    find_left(work);
    return 1;
}

/* Push the sets of so many digits, from `low` (0-based) on, that add up to a total, in ascending order,
 * each beside the digits of `set`. */
static int push_sets(Tables *t, int count, int64_t total, int low, int32_t set)
{
    if (!count) return total || push(&t->sets.members, set);
    for (int digit = low; digit < t->digits && digit < total; digit++)
        if (!push_sets(t, count - 1, total - digit - 1, digit + 1, set | 1 << digit)) return 0;
    return 1;
}

/* List a cage: its cells are the members of `peers`. */
static int list_cage(Tables *t, int count, int64_t total)
{
    int set = push_sets(t, count, total, 0, 0) ? settle(&t->sets) : -1;
    if (set < 0 || !push(&t->cages.members, set)) return 0;
    for (int i = 0; i < count; i++)
        if (!push(&t->cages.members, t->peers.members[i])) return 0;
    return settle(&t->cages) >= 0;
}

/* List a sum that was found. */
static int list_found(Tables *t, const Work *work, int entry)
{
    int64_t total;
    int count = weighed(work, entry, t->peers.members, t->peers.weights, &total);
    int listed = list_sum(&t->peers, count, (long)total, &t->limits);
    if (listed == IS_CAGE) return list_cage(t, count, total);
    for (int i = 0; i < listed; i++)
        if (!push(&t->sums.members, t->peers.listed[i])) return 0;
    return listed == TOO_LARGE || settle(&t->sums) >= 0;
}

/* List all that follows from the totals; more of it where little does. */
static int list_implied(Tables *t)
{
    Work work = {0};
    if (!t->areas || !count_lists(&t->stated)) return 1;
    int good = follow(t, t->summed, &work);
    if (good && work.entries - work.stated < t->few) {
        free_work(&work);
        good = follow(t, t->summed_of_few, &work);
    }
    for (int i = work.stated; good && i < work.entries; i++) good = list_found(t, &work, i);
    free_work(&work);
    return good;
}

/* List for each cage the cells that differ from all of its own. */
static int list_rests(Tables *t)
{
    int words = t->peers.words;
    Word *rest = t->peers.rest;
    for (Py_ssize_t i = 0; t->deep && i < count_lists(&t->cages); i++) {
        const int32_t *start = t->cages.starts.items + i;
        for (int w = 0; w < words; w++) rest[w] = start[1] - start[0] > 1 ? ~(Word)0 : 0;
        for (int32_t k = start[0] + 1; k < start[1]; k++)
            for (int w = 0; w < words; w++) rest[w] &= peers_of(&t->peers, t->cages.members.items[k])[w];
        for (int c = -1; (c = next_of(rest, words, c + 1)) >= 0 && c < t->peers.cells;)
            if (!push(&t->rests.members, c)) return 0;
        memset(rest, 0, (size_t)words * sizeof *rest);
        if (!end_list(&t->rests)) return 0;
    }
    return 1;
}

/* The lists as their offsets and their members, both bytes; NULL with an error set. */
static PyObject *listed(const Lists *lists)
{
    static const int32_t none = 0;
    const Numbers *starts = &lists->starts, *members = &lists->members;
    int any = starts->count > 0;
    return Py_BuildValue("(y#y#)", any ? starts->items : &none,
                         (any ? starts->count : 1) * (Py_ssize_t)sizeof none,
                         members->items ? members->items : &none,
                         members->count * (Py_ssize_t)sizeof none);
}

/* Take over sums that were listed before. */
static int list_sums(Tables *t, PyObject *sums)
{
    Py_ssize_t count = PyList_Size(sums);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *sum = PyList_GetItem(sums, i);
        Py_ssize_t size = PyTuple_Size(sum);
        for (Py_ssize_t k = 0; k < size; k++) {
            long number = number_at(sum, k);
            if (PyErr_Occurred() || !push(&t->sums.members, number)) return 0;
        }
        if (size < 0 || settle(&t->sums) < 0) return 0;
    }
    return count >= 0;
}

static int list_all(Tables *t, PyObject *clues, PyObject *sums)
{
    Py_ssize_t count = PyList_Size(clues);
    for (Py_ssize_t i = 0; i < count; i++)
        if (!list_clue(t, PyList_GetItem(clues, i))) return 0;
    return count >= 0 && list_sums(t, sums) && list_implied(t) && list_rests(t);
}

static PyObject *all_listed(const Tables *t)
{
    const Lists *const parts[] = {&t->relations, &t->tables, &t->cages, &t->rests, &t->sets, &t->sums};
    PyObject *all = PyTuple_New(6);
    for (int i = 0; all && i < 6; i++) {
        PyObject *each = listed(parts[i]);
        if (!each || PyTuple_SetItem(all, i, each)) Py_CLEAR(all);
    }
    return all;
}

/* The areas; NULL for None, or with an error set. */
static const Areas *areas_of(PyObject *capsule, int cells)
{
    const Areas *areas = capsule == Py_None ? NULL : PyCapsule_GetPointer(capsule, AREAS);
    if (!areas || areas->cells == cells) return areas;
    PyErr_Format(PyExc_ValueError, "areas: expected those of %d cells", cells);
    return NULL;
}

static PyObject *tables(PyObject *module, PyObject *args)
{
    PyObject *clues, *sums, *bytes, *capsule, *found = NULL;
    Tables t = {0};
    Limits *limits = &t.limits;
    int cells;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOiOOi(iiii)(iii)p", &clues, &sums, &cells, &bytes, &capsule,
                          &t.digits, &limits->caged, &limits->segment, &limits->segments,
                          &limits->totals, &t.summed, &t.few, &t.summed_of_few, &t.deep))
        return NULL;
    if (limits->segment < 1 || limits->segment > LONGEST)
        return PyErr_Format(PyExc_ValueError, "limits: expected segments of 1 to %d", LONGEST);
    if (t.digits < 1 || t.digits > 30) return PyErr_Format(PyExc_ValueError, "digits: expected 1 to 30");
    t.known.cells = t.peers.cells = cells;
    t.areas = areas_of(capsule, cells);
    if (!PyErr_Occurred() && read_peers(&t.known, bytes) && read_peers(&t.peers, bytes)) {
        t.at = PyMem_Malloc((size_t)cells * sizeof *t.at);
        if (!t.at) PyErr_NoMemory();
        else if (list_all(&t, clues, sums)) found = all_listed(&t);
    }
    Lists *const parts[] = {&t.relations, &t.tables, &t.cages, &t.rests, &t.sets, &t.sums, &t.stated};
    for (int i = 0; i < 7; i++) free_lists(parts[i]);
    PyMem_Free(t.at);
    free_peers(&t.known);
    free_peers(&t.peers);
    return found;
}

#include "frames.h"

static PyMethodDef methods[] = {
    {"areas", make_areas, METH_VARARGS, "areas(cells, masks, totals) -> capsule"},
    {"left", left, METH_VARARGS, "left(areas, sums, most) -> list"},
    {"segments", segments, METH_VARARGS, "segments(sums, cells, peers, limits) -> list"},
    {"apart", apart, METH_VARARGS, "apart(sets, cells, peers) -> peers"},
    {"ragged", ragged, METH_O, "ragged(lists) -> starts, members"},
    {"tables", tables, METH_VARARGS,
     "tables(clues, sums, cells, peers, areas, digits, limits, follow, deep) -> starts and members"},
    {"frame", frame, METH_VARARGS, "frame(groups, pairs, cells, digits, known, deep) -> starts and members"},
    {"by_rules", by_rules, METH_VARARGS, "by_rules(groups, pairs, cells, digits, each) -> houses, pairs"},
    {NULL, NULL, 0, NULL},
};

EXTENSION(_sums, "Sums that follow from others and from houses, and clues as an engine takes them.", 1)
