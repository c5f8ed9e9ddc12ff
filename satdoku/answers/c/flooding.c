/* Flooding: the rules of `flooding.py` on words of 64 cells. */
#include "flooding.h"

#include <string.h>

typedef satdoku_flooding_set Set;
typedef satdoku_flooding_label Label;

static const Set EMPTY;

INLINE void add(Set *set, int cell) { set->word[cell / 64] |= UINT64_C(1) << cell % 64; }

INLINE void strike(Set *set, int cell) { set->word[cell / 64] &= ~(UINT64_C(1) << cell % 64); }

INLINE int has(const Set *set, int cell) { return set->word[cell / 64] >> cell % 64 & 1; }

INLINE int size(int words, const Set *set)
{
    int count = 0;
    for (int i = 0; i < words; i++) count += __builtin_popcountll(set->word[i]);
    return count;
}

/* The lowest cell from `from` on, or -1. */
INLINE int next_cell(int words, const Set *set, int from)
{
    for (int i = from / 64; i < words; i++) {
        uint64_t word = set->word[i];
        if (i == from / 64) word &= ~UINT64_C(0) << from % 64;
        if (word) return 64 * i + __builtin_ctzll(word);
    }
    return -1;
}

#define EACH_CELL(cell, words, set) \
    int cell = next_cell(words, set, 0); cell >= 0; cell = next_cell(words, set, cell + 1)

INLINE Set minus(int words, const Set *a, const Set *b)
{
    Set result;
    for (int i = 0; i < words; i++) result.word[i] = a->word[i] & ~b->word[i];
    return result;
}

INLINE Set both(int words, const Set *a, const Set *b)
{
    Set result;
    for (int i = 0; i < words; i++) result.word[i] = a->word[i] & b->word[i];
    return result;
}

/* Whether `more` brought anything new. */
INLINE int join(int words, Set *set, const Set *more)
{
    uint64_t new = 0;
    for (int i = 0; i < words; i++) {
        new |= more->word[i] & ~set->word[i];
        set->word[i] |= more->word[i];
    }
    return new != 0;
}

INLINE Set single(int cell)
{
    Set result = EMPTY;
    add(&result, cell);
    return result;
}

static Set around(const satdoku_flooding *f, const Set *cells)
{
    Set result = EMPTY;
    for (EACH_CELL(cell, f->words, cells)) join(f->words, &result, f->neighbours + cell);
    return result;
}

/* What is reached from a cell over cells that may have the label, and what stops it. */
static Set reach(const satdoku_flooding *f, const Label *label, int start, Set *border)
{
    Set cells = single(start), fresh = cells, beside = EMPTY;
    while (next_cell(f->words, &fresh, 0) >= 0) {
        Set more = around(f, &fresh);
        join(f->words, &beside, &more);
        more = minus(f->words, &more, &label->no);
        fresh = minus(f->words, &more, &cells);
        join(f->words, &cells, &fresh);
    }
    *border = minus(f->words, &beside, &cells);
    return cells;
}

/* Let `cells` grow over its neighbours in `within` as far as it can. */
static void grow(const satdoku_flooding *f, Set *cells, const Set *within)
{
    for (Set fresh = *cells; next_cell(f->words, &fresh, 0) >= 0;) {
        Set more = around(f, &fresh);
        more = both(f->words, &more, within);
        fresh = minus(f->words, &more, cells);
        join(f->words, cells, &fresh);
    }
}

/* Each of the cells has the label (or has it not) because of cells that have it and cells that do
 * not. The first that is otherwise is a conflict, and the result then 1. */
static int tell(satdoku_flooding *f, int number, const Set *which, int holds, const Set *yes,
                const Set *no)
{
    const Label *label = f->label + number;
    const Set *known = holds ? &label->yes : &label->no, *other = holds ? &label->no : &label->yes;
    Set cells = minus(f->words, which, known);
    cells = minus(f->words, &cells, &f->told);
    Set wrong = both(f->words, &cells, other);
    int conflict = next_cell(f->words, &wrong, 0);
    if (conflict >= 0) cells = single(conflict);
    join(f->words, &f->told, &cells);
    for (EACH_CELL(cell, f->words, &cells)) {
        int32_t place = number * f->cells + cell;
        f->reason[2 * place + holds] = (satdoku_flooding_reason){*yes, *no};
        f->found[f->found_count++] = holds ? f->literal[place] : -f->literal[place];
    }
    return conflict >= 0;
}

/* The components of what may have the label among `cells`: those out of reach of `first`, whose
 * border is given, or, if that is -1, those of too few cells. */
static int components(satdoku_flooding *f, int number, const Set *cells, int first,
                      const Set *border)
{
    const Label *label = f->label + number;
    Set left = minus(f->words, cells, &label->no), from = first < 0 ? EMPTY : single(first);
    for (int start; (start = next_cell(f->words, &left, 0)) >= 0;) {
        Set own, found = reach(f, label, start, &own);
        left = minus(f->words, &left, &found);
        if (first < 0 && size(f->words, &found) >= label->least) continue;
        int shorter = first >= 0 && size(f->words, border) <= size(f->words, &own);
        if (tell(f, number, &found, 0, &from, shorter ? border : &own)) return 1;
    }
    return 0;
}

/* What can be reached from a part over as many new cells, and the cells beside that do not have the
 * label. */
static Set near_cells(const satdoku_flooding *f, const Label *label, const Set *part, int steps,
                      Set *beside)
{
    Set near = *part;
    *beside = EMPTY;
    for (; steps > 0; steps--) {
        Set more = around(f, &near), stopped = both(f->words, &more, &label->no);
        join(f->words, beside, &stopped);
        more = minus(f->words, &more, &label->no);
        if (!join(f->words, &near, &more)) break;
        grow(f, &near, &label->yes);
    }
    return near;
}

/* What each connected part of the cells that have the label can and must grow to. */
static int parts(satdoku_flooding *f, int number, const Set *reached)
{
    const Label *label = f->label + number;
    int words = f->words, steps = label->most - size(words, &label->yes);
    Set left = label->yes;
    for (int first; (first = next_cell(words, &left, 0)) >= 0;) {
        Set part = single(first), from = part;
        grow(f, &part, &label->yes);
        left = minus(words, &left, &part);
        Set more = around(f, &part);
        Set beside = minus(words, &more, &part), exits = minus(words, &beside, &label->no);
        beside = both(words, &beside, &label->no);
        if (size(words, &part) < label->least && size(words, &exits) == 1
            && tell(f, number, &exits, 1, &from, &beside))
            return 1;
        Set near = near_cells(f, label, &part, steps, &beside);
        Set far = minus(words, reached, &near);
        if (tell(f, number, &far, 0, &label->yes, &beside)) return 1;
    }
    return 0;
}

/* All rules for one label: 1 at a conflict. */
static int flood(satdoku_flooding *f, int number)
{
    const Label *label = f->label + number;
    int words = f->words, first = next_cell(words, &label->yes, 0);
    Set all = EMPTY;
    for (int cell = 0; cell < f->cells; cell++) add(&all, cell);
    f->told = EMPTY;
    if (first < 0) return components(f, number, &all, -1, NULL);
    Set from = single(first), border, reached = reach(f, label, first, &border);
    int count = size(words, &reached);
    if (count < label->least) return tell(f, number, &from, 0, &EMPTY, &border);
    Set others = minus(words, &all, &reached);
    if (components(f, number, &others, first, &border)) return 1;
    if (count == label->least) return tell(f, number, &reached, 1, &from, &border);
    if (size(words, &label->yes) > label->most) {
        others = minus(words, &label->yes, &from);
        return tell(f, number, &from, 0, &others, &EMPTY);
    }
    return parts(f, number, &reached);
}

void satdoku_flooding_assign(satdoku_flooding *f, int32_t literal, int fixed)
{
    int64_t variable = literal < 0 ? -(int64_t)literal : literal;
    int32_t place = variable > f->variables ? -1 : f->place[variable];
    if (place < 0) return;
    if (fixed) f->fixed[place] = 1;
    Label *label = f->label + place / f->cells;
    int cell = place % f->cells;
    if (has(&label->yes, cell) || has(&label->no, cell)) return;
    add(literal > 0 ? &label->yes : &label->no, cell);
    label->changed = 1;
    f->trail[f->trailed++] = place;
}

int satdoku_flooding_level(satdoku_flooding *f)
{
    if (f->levels == f->level_room) {
        int32_t room = 2 * f->level_room + 64;
        int32_t *level = realloc(f->level, (size_t)room * sizeof *level);
        if (!level) return 0;
        f->level = level, f->level_room = room;
    }
    f->level[f->levels++] = f->trailed;
    return 1;
}

void satdoku_flooding_backtrack(satdoku_flooding *f, int32_t to)
{
    if (to < 0 || to >= f->levels) return;
    int32_t kept = f->level[to];
    for (int32_t i = kept; i < f->trailed; i++) {
        int32_t place = f->trail[i];
        if (f->fixed[place]) {
            f->trail[kept++] = place;
            continue;
        }
        Label *label = f->label + place / f->cells;
        strike(&label->yes, place % f->cells);
        strike(&label->no, place % f->cells);
        label->changed = 1;
    }
    f->trailed = kept, f->levels = to;
}

void satdoku_flooding_propagate(satdoku_flooding *f)
{
    f->found_count = 0;
    for (int number = 0; number < f->labels; number++) {
        if (!f->label[number].changed) continue;
        int before = f->found_count, conflict = flood(f, number);
        f->label[number].changed = f->found_count > before;
        if (conflict) return;
    }
}

int satdoku_flooding_clause(const satdoku_flooding *f, int32_t literal, int32_t *clause)
{
    int64_t variable = literal < 0 ? -(int64_t)literal : literal;
    int32_t place = variable > f->variables ? -1 : f->place[variable];
    if (place < 0) return 0;
    const satdoku_flooding_reason *reason = f->reason + 2 * place + (literal > 0);
    const int32_t *own = f->literal + place / f->cells * f->cells;
    int length = 0, cell = place % f->cells;
    clause[length++] = literal;
    for (EACH_CELL(c, f->words, &reason->yes))
        if (c != cell) clause[length++] = -own[c];
    for (EACH_CELL(c, f->words, &reason->no))
        if (c != cell) clause[length++] = own[c];
    return length;
}
