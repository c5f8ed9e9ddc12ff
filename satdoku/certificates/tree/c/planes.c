#include "../../../runtime/portable.h"

#include <string.h>

#include "planes.h"

/* Cells in places of two words: a band of three rows has 27 bits, and two bands lie in the first
 * word, 32 bits apart. Place 64 is the first of the second word. */
enum { SIDE = 9, CELLS = SIDE * SIDE, PLACES = 128, HOUSES = 3 * SIDE };

static const uint64_t ALL[] = {0x07FFFFFF07FFFFFF, 0x07FFFFFF}, /* the cells */
    ROWS[] = {0x0004020100040201, 0x00040201},                  /* the first cells of rows */
    BOXES[] = {0x0000004900000049, 0x00000049};                 /* of boxes */
static const uint64_t COLUMNS = 0x1FF;                          /* of columns */

typedef struct {
    uint64_t word[2];
} plane;

/* A clause of one digit. */
typedef struct {
    uint32_t digit;
    plane cells;
} sole;

struct tree_planes {
    plane begin[SIDE];     /* where a digit may stand if nothing is known */
    plane peers[PLACES];   /* of the cell in that place: cells that do not hold its digit */
    uint32_t clauses, others;
    sole *clause;          /* clauses: of one digit, from clause CELLS on */
    uint32_t *other;       /* others: those that are not of a row, column or box */
};

typedef struct {
    plane left[SIDE]; /* where each digit may stand */
    plane known;      /* cells whose digit has been struck from their peers */
    uint32_t changed; /* digits whose clauses have to be looked at, a bit each */
} planes_state;

static planes_state *of(tree_row *state) { return (planes_state *)(void *)state; }
static const planes_state *at(const tree_row *state) { return (const planes_state *)(const void *)state; }

size_t planes_rows(void) { return (sizeof(planes_state) + sizeof(tree_row) - 1) / sizeof(tree_row); }

static uint32_t place_of(uint32_t cell)
{
    const uint32_t band = cell / 27;
    return 32 * band + cell % 27;
}

static uint32_t cell_in(uint32_t place) { return place / 32 * 27 + place % 32; }

static plane meet(const plane *a, const plane *b)
{
    return (plane){{a->word[0] & b->word[0], a->word[1] & b->word[1]}};
}

static int is_empty(const plane *p) { return !(p->word[0] | p->word[1]); }

static int is_single(const plane *p)
{
    const uint64_t a = p->word[0], b = p->word[1];
    return a ? !(b | (a & (a - 1))) : b && !(b & (b - 1));
}

/* The first place of some; PLACES if there is none. */
static uint32_t first_place(const plane *p)
{
    if (p->word[0]) return (uint32_t)__builtin_ctzll(p->word[0]);
    return 64 + (p->word[1] ? (uint32_t)__builtin_ctzll(p->word[1]) : 64);
}

static uint32_t size_of(const plane *p)
{
    uint32_t size = 0;
    for (int i = 0; i < 2; i++)
        for (uint64_t bits = p->word[i]; bits; bits &= bits - 1) size++;
    return size;
}

static void put(plane *p, uint32_t cell)
{
    p->word[place_of(cell) / 64] |= (uint64_t)1 << place_of(cell) % 64;
}

static int has(const plane *p, uint32_t cell)
{
    return p->word[place_of(cell) / 64] >> place_of(cell) % 64 & 1;
}

static int is_same(const plane *a, const plane *b)
{
    return a->word[0] == b->word[0] && a->word[1] == b->word[1];
}

/* Row, column or box number `house`. */
static plane house_of(uint32_t house)
{
    plane p = {{0}};
    const uint32_t kind = house / SIDE, number = house % SIDE;
    for (uint32_t cell = 0; cell < CELLS; cell++) {
        const uint32_t row = cell / SIDE, column = cell % SIDE;
        const uint32_t numbers[] = {row, column, row / 3 * 3 + column / 3};
        if (numbers[kind] == number) put(&p, cell);
    }
    return p;
}

/* The cells in which the variable excludes a digit: the bits of the cells' clauses, whose literal in
 * place k is digit k. */
static plane struck(const tree_formula *f, uint32_t variable, uint32_t digit)
{
    plane p = {{0}};
    for (uint32_t e = f->first[variable]; e < f->first[variable + 1]; e++)
        for (uint32_t cell = 0; f->where[e] == digit && cell < CELLS; cell++)
            if (tree_has(f->change + e, cell)) put(&p, cell);
    return p;
}

/* Whether a variable excludes what it should; its peers, if it is of the first digit. */
static int fill_peers(tree_planes *planes, const tree_formula *f, uint32_t variable)
{
    const uint32_t cell = variable / SIDE, own = variable % SIDE;
    plane *const peers = planes->peers + place_of(cell), only = {{0}};
    put(&only, cell);
    for (uint32_t digit = 0; digit < SIDE; digit++) {
        const plane here = struck(f, variable, digit);
        if (digit == own && !own) *peers = here;
        if (!is_same(&here, digit == own ? peers : &only)) return 0;
    }
    return !has(peers, cell);
}

/* A clause of one digit: 0 if it is of several. */
static int read_sole(const tree_formula *f, uint32_t clause, sole *s)
{
    s->digit = f->literal[f->start[clause]] % SIDE;
    for (uint32_t at = f->start[clause]; at < f->start[clause + 1]; at++) {
        if (f->literal[at] % SIDE != s->digit) return 0;
        put(&s->cells, f->literal[at] / SIDE);
    }
    return 1;
}

static int fill(tree_planes *planes, const tree_formula *f)
{
    uint32_t usual = 0;
    for (uint32_t cell = 0; cell < CELLS; cell++) {
        if (f->start[cell + 1] - f->start[cell] != SIDE) return 0;
        for (uint32_t digit = 0; digit < SIDE; digit++)
            if (tree_is_left(f, f->all, cell, digit)) put(planes->begin + digit, cell);
    }
    for (uint32_t variable = 0; variable < f->variables; variable++)
        if (!fill_peers(planes, f, variable)) return 0;
    for (uint32_t i = 0; i < planes->clauses; i++) {
        sole *const s = planes->clause + i;
        uint32_t house = 0;
        if (!read_sole(f, CELLS + i, s)) return 0;
        for (; house < HOUSES; house++) {
            const plane known = house_of(house);
            if (is_same(&known, &s->cells)) break;
        }
        if (house < HOUSES)
            usual++;
        else
            planes->other[planes->others++] = i;
    }
    return usual == HOUSES * SIDE;
}

tree_planes *tree_planes_of(const tree_formula *f)
{
    if (f->cells != CELLS || f->digits != SIDE || f->variables != CELLS * SIDE) return NULL;
    tree_planes *planes = calloc(1, sizeof *planes);
    if (!planes) return NULL;
    planes->clauses = f->clauses - CELLS;
    planes->clause = calloc((size_t)planes->clauses + 1, sizeof *planes->clause);
    planes->other = calloc((size_t)planes->clauses + 1, sizeof *planes->other);
    if (planes->clause && planes->other && fill(planes, f)) return planes;
    tree_planes_free(planes);
    return NULL;
}

void tree_planes_free(tree_planes *planes)
{
    if (planes) free(planes->clause), free(planes->other);
    free(planes);
}

/* Cells of this digit alone hold it: it is struck from their peers. */
INLINE void strike(const tree_planes *planes, planes_state *s, uint32_t digit, plane cells)
{
    plane *const left = s->left + digit;
    for (uint32_t i = 0; i < 2; i++) {
        s->known.word[i] |= cells.word[i];
        for (uint64_t bits = cells.word[i]; bits; bits &= bits - 1) {
            const plane *peers = planes->peers + 64 * i + (uint32_t)__builtin_ctzll(bits);
            left->word[0] &= ~peers->word[0];
            left->word[1] &= ~peers->word[1];
        }
    }
    s->changed |= 1u << digit;
}

/* Cells hold this digit: no other one. */
INLINE void decide(planes_state *s, uint32_t digit, plane cells)
{
    for (uint32_t other = 0; other < SIDE; other++) {
        plane *const left = s->left + other;
        const uint64_t a = left->word[0] & cells.word[0], b = left->word[1] & cells.word[1];
        if (other == digit || !(a | b)) continue;
        left->word[0] ^= a, left->word[1] ^= b;
        s->changed |= 1u << other;
    }
}

/* Cells with one digit left, and with two or more; 0 if a cell has none. */
INLINE int count_digits(const planes_state *s, plane *two)
{
    plane one = {{0}};
    *two = one;
    for (uint32_t digit = 0; digit < SIDE; digit++)
        for (int i = 0; i < 2; i++) {
            two->word[i] |= one.word[i] & s->left[digit].word[i];
            one.word[i] |= s->left[digit].word[i];
        }
    return one.word[0] == ALL[0] && one.word[1] == ALL[1];
}

/* Digits that are alone in their cells are struck from the peers of these. */
static int settle_cells(const tree_planes *planes, planes_state *s)
{
    plane two;
    if (!count_digits(s, &two)) return 0;
    const uint64_t a = ALL[0] & ~two.word[0] & ~s->known.word[0],
                   b = ALL[1] & ~two.word[1] & ~s->known.word[1];
    for (uint32_t digit = 0; (a | b) && digit < SIDE; digit++) {
        const plane cells = {{s->left[digit].word[0] & a, s->left[digit].word[1] & b}};
        if (!is_empty(&cells)) strike(planes, s, digit, cells);
    }
    return 1;
}

/* What a word holds of houses that have three parts so many bits apart: at the first bit of each
 * whether there is a cell, and whether there are two. */
typedef struct {
    uint64_t one, two;
} parts;

INLINE parts join(parts p, int apart)
{
    const parts q = {p.one >> apart, p.two >> apart}, r = {p.one >> 2 * apart, p.two >> 2 * apart};
    const uint64_t pair = p.one | q.one;
    return (parts){pair | r.one, p.two | q.two | r.two | (p.one & q.one) | (r.one & pair)};
}

/* The cells of rows, columns and boxes where this digit has one place; 0 if it has none in a house. */
INLINE int single_cells(const plane *left, plane *found)
{
    uint64_t empty = 0;
    parts columns[2];
    for (int i = 0; i < 2; i++) {
        const parts cells = {left->word[i], 0}, triads = join(cells, 1);
        const parts rows = join(triads, 3), boxes = join(triads, 9);
        const uint64_t row = ROWS[i] & ~rows.two, box = BOXES[i] & ~boxes.two;
        const uint64_t wide = (box << 3) - box;
        columns[i] = join(cells, 9);
        empty |= (ROWS[i] & ~rows.one) | (BOXES[i] & ~boxes.one);
        found->word[i] = ((row << 9) - row) | wide | wide << 9 | wide << 18;
    }
    const uint64_t a = columns[0].one, b = a >> 32, c = columns[1].one;
    const uint64_t two = columns[0].two | columns[0].two >> 32 | columns[1].two | (a & b) |
                         (c & (a | b));
    uint64_t column = COLUMNS & ~two;
    empty |= COLUMNS & ~(a | b | c);
    column |= column << 9 | column << 18;
    found->word[0] = left->word[0] & (found->word[0] | column | column << 32);
    found->word[1] = left->word[1] & (found->word[1] | column);
    return !empty;
}

/* The same for the other clauses of the digit. */
static int other_cells(const tree_planes *planes, const planes_state *s, uint32_t digit, plane *found)
{
    for (uint32_t i = 0; i < planes->others; i++) {
        const sole *clause = planes->clause + planes->other[i];
        if (clause->digit != digit) continue;
        const plane left = meet(s->left + digit, &clause->cells);
        if (is_empty(&left)) return 0;
        if (!is_single(&left)) continue;
        found->word[0] |= left.word[0], found->word[1] |= left.word[1];
    }
    return 1;
}

static int settle_digit(const tree_planes *planes, planes_state *s, uint32_t digit)
{
    plane found;
    s->changed &= ~(1u << digit);
    if (!single_cells(s->left + digit, &found) || !other_cells(planes, s, digit, &found)) return 0;
    found.word[0] &= ~s->known.word[0], found.word[1] &= ~s->known.word[1];
    if (!is_empty(&found)) {
        decide(s, digit, found);
        strike(planes, s, digit, found);
    }
    return 1;
}

int planes_propagate(const tree_planes *planes, tree_row *state)
{
    planes_state *const s = of(state);
    while (settle_cells(planes, s)) {
        if (!s->changed) return 1;
        for (uint32_t left = s->changed; left; left &= left - 1)
            if (!settle_digit(planes, s, (uint32_t)__builtin_ctz(left))) return 0;
    }
    return 0;
}

void planes_begin(const tree_planes *planes, tree_row *state, const uint8_t *digits)
{
    planes_state *const s = of(state);
    plane given[SIDE + 1] = {{{0}}};
    for (uint32_t cell = 0; cell < CELLS; cell++) put(given + digits[cell], cell);
    for (uint32_t digit = 0; digit < SIDE; digit++)
        for (int i = 0; i < 2; i++)
            s->left[digit].word[i] = planes->begin[digit].word[i] &
                                     (given[0].word[i] | given[digit + 1].word[i]);
    s->known = (plane){{0}};
    s->changed = (1u << SIDE) - 1;
}

/* The first variable of a clause that is not false; UINT32_MAX if there is none. */
static uint32_t first_left(const tree_planes *planes, const planes_state *s, uint32_t clause)
{
    if (clause < CELLS) {
        for (uint32_t digit = 0; digit < SIDE; digit++)
            if (has(s->left + digit, clause)) return clause * SIDE + digit;
        return UINT32_MAX;
    }
    const sole *const only = planes->clause + (clause - CELLS);
    const plane both = meet(s->left + only->digit, &only->cells);
    const uint32_t place = first_place(&both);
    return place < PLACES ? cell_in(place) * SIDE + only->digit : UINT32_MAX;
}

int planes_take(const tree_planes *planes, tree_row *rest, tree_row *child, uint32_t clause)
{
    planes_state *const s = of(rest), *const next = of(child);
    const uint32_t variable = first_left(planes, s, clause), digit = variable % SIDE;
    if (variable == UINT32_MAX) return 0;
    plane cell = {{0}};
    put(&cell, variable / SIDE);
    *next = *s;
    decide(next, digit, cell);
    s->left[digit].word[0] &= ~cell.word[0], s->left[digit].word[1] &= ~cell.word[1];
    s->changed |= 1u << digit;
    return 1;
}

int planes_digits(const tree_planes *planes, const tree_row *state, uint8_t *digits)
{
    const planes_state *const s = at(state);
    (void)planes;
    if (s->known.word[0] != ALL[0] || s->known.word[1] != ALL[1]) return 0;
    for (uint32_t digit = 0; digit < SIDE; digit++)
        for (uint32_t i = 0; i < 2; i++)
            for (uint64_t bits = s->left[digit].word[i]; bits; bits &= bits - 1) {
                const uint32_t place = 64 * i + (uint32_t)__builtin_ctzll(bits);
                digits[cell_in(place)] = (uint8_t)(digit + 1);
            }
    return 1;
}

uint32_t planes_left(const tree_planes *planes, const tree_row *state, uint32_t cell)
{
    const planes_state *const s = at(state);
    uint32_t left = 0;
    (void)planes;
    for (uint32_t digit = 0; digit < SIDE; digit++) left += (uint32_t)has(s->left + digit, cell);
    return has(&s->known, cell) ? 0 : left;
}

uint32_t planes_open(const tree_planes *planes, const tree_row *state)
{
    const planes_state *const s = at(state);
    uint32_t open = CELLS - size_of(&s->known);
    plane held[SIDE];
    for (uint32_t digit = 0; digit < SIDE; digit++) held[digit] = meet(s->left + digit, &s->known);
    for (uint32_t i = 0; i < planes->clauses; i++) {
        const plane both = meet(held + planes->clause[i].digit, &planes->clause[i].cells);
        open += (uint32_t)is_empty(&both);
    }
    return open;
}

/* Of the cells with two digits left the one whose digits do most: how many of these cells lose a
 * digit if the one of it is true, times how many if the other is. */
static uint32_t strongest(const tree_planes *planes, const planes_state *s, const plane *pairs)
{
    uint32_t top = 0, best = 0;
    plane within[SIDE], rest = *pairs;
    for (uint32_t digit = 0; digit < SIDE; digit++) within[digit] = meet(s->left + digit, pairs);
    for (uint32_t place; (place = first_place(&rest)) < PLACES;) {
        uint32_t product = 1;
        rest.word[place / 64] &= rest.word[place / 64] - 1;
        for (uint32_t digit = 0; digit < SIDE; digit++) {
            const plane lost = meet(within + digit, planes->peers + place);
            if (within[digit].word[place / 64] >> place % 64 & 1) product *= 2 + size_of(&lost);
        }
        if (product > top) top = product, best = cell_in(place);
    }
    return best;
}

/* Cells with exactly two digits left. */
static plane two_left(const planes_state *s)
{
    plane one = {{0}}, two = one, more = one;
    for (uint32_t digit = 0; digit < SIDE; digit++)
        for (int i = 0; i < 2; i++) {
            const uint64_t left = s->left[digit].word[i];
            more.word[i] |= two.word[i] & left;
            two.word[i] |= one.word[i] & left;
            one.word[i] |= left;
        }
    return (plane){{two.word[0] & ~more.word[0], two.word[1] & ~more.word[1]}};
}

uint32_t planes_choose(const tree_planes *planes, const tree_row *state)
{
    const planes_state *const s = at(state);
    const plane pairs = two_left(s);
    uint32_t fewest = UINT32_MAX, best = 0;
    if (!is_empty(&pairs)) return strongest(planes, s, &pairs);
    for (uint32_t i = 0; i < planes->clauses; i++) {
        const plane left = meet(s->left + planes->clause[i].digit, &planes->clause[i].cells);
        const plane held = meet(&left, &s->known);
        if (size_of(&left) == 2 && is_empty(&held)) return CELLS + i;
    }
    for (uint32_t cell = 0; cell < CELLS; cell++) {
        const uint32_t left = planes_left(planes, state, cell);
        if (left && left < fewest) fewest = left, best = cell;
    }
    return best;
}
