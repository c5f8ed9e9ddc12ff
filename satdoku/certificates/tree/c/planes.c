#include "../../../runtime/portable.h"

#include "planes.h"

#if HAS_VECTORS

/* Cells in places of two words: a band of three rows has 27 bits, and two bands lie in the first
 * word, 32 bits apart. Place 64 is the first of the second word. */
enum { SIDE = 9, CELLS = SIDE * SIDE, PLACES = 128, HOUSES = 3 * SIDE };

typedef uint64_t plane __attribute__((vector_size(16), aligned(8)));

static const plane ALL = {0x07FFFFFF07FFFFFF, 0x07FFFFFF}, /* the cells */
    ROWS = {0x0004020100040201, 0x00040201},               /* the first cells of rows */
    BOXES = {0x0000004900000049, 0x00000049},              /* of boxes */
    COLUMNS = {0x1FF, 0};                                  /* of columns */

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

static int is_empty(plane p) { return !(p[0] | p[1]); }

static int is_single(plane p)
{
    return p[0] ? !(p[1] | (p[0] & (p[0] - 1))) : p[1] && !(p[1] & (p[1] - 1));
}

/* The first place of some; PLACES if there is none. */
static uint32_t first_place(plane p)
{
    if (p[0]) return (uint32_t)__builtin_ctzll(p[0]);
    return 64 + (p[1] ? (uint32_t)__builtin_ctzll(p[1]) : 64);
}

static uint32_t size_of(plane p)
{
    const plane fives = {0x5555555555555555, 0x5555555555555555},
                threes = {0x3333333333333333, 0x3333333333333333},
                nibbles = {0x0F0F0F0F0F0F0F0F, 0x0F0F0F0F0F0F0F0F};
    p -= p >> 1 & fives;
    p = (p & threes) + (p >> 2 & threes);
    p = (p + (p >> 4)) & nibbles;
    return (uint32_t)((p[0] + p[1]) * 0x0101010101010101 >> 56);
}

static void put(plane *p, uint32_t cell)
{
    (*p)[place_of(cell) / 64] |= (uint64_t)1 << place_of(cell) % 64;
}

static int has(const plane *p, uint32_t cell)
{
    return (*p)[place_of(cell) / 64] >> place_of(cell) % 64 & 1;
}

/* A row, a column or a box. */
static plane house_of(uint32_t house)
{
    plane p = {0};
    const uint32_t kind = house / SIDE, number = house % SIDE;
    for (uint32_t cell = 0; cell < CELLS; cell++) {
        const uint32_t row = cell / SIDE, column = cell % SIDE;
        const uint32_t numbers[] = {row, column, row / 3 * 3 + column / 3};
        if (numbers[kind] == number) put(&p, cell);
    }
    return p;
}

/* The cells whose clauses have a bit in the row. */
static plane cells_in(const tree_row *row)
{
    plane p = {0};
    for (uint32_t i = 0; i < 2; i++)
        for (uint64_t bits = row->word[i]; bits; bits &= bits - 1) {
            const uint32_t clause = 64 * i + (uint32_t)__builtin_ctzll(bits);
            if (clause < CELLS) put(&p, clause);
        }
    return p;
}

/* Whether a variable excludes what it should; its peers, if it is of the first digit. The literal in
 * place k of a cell's clause is digit k. */
static int fill_peers(tree_planes *planes, const tree_formula *f, uint32_t variable)
{
    const uint32_t cell = variable / SIDE, own = variable % SIDE;
    plane *const peers = planes->peers + place_of(cell), struck[SIDE] = {{0}}, only = {0};
    put(&only, cell);
    for (uint32_t e = f->first[variable]; e < f->first[variable + 1]; e++)
        if (f->where[e] < SIDE) struck[f->where[e]] = cells_in(f->change + e);
    if (!own) *peers = struck[own];
    for (uint32_t digit = 0; digit < SIDE; digit++)
        if (!is_empty(struck[digit] ^ (digit == own ? *peers : only))) return 0;
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

/* Whether no row, column or box holds a digit twice. */
static int are_houses(const tree_planes *planes, const plane *houses)
{
    for (uint32_t house = 0; house < HOUSES; house++)
        for (uint32_t cell = 0; cell < CELLS; cell++) {
            plane others = houses[house] & ~planes->peers[place_of(cell)];
            if (has(houses + house, cell) && !is_single(others)) return 0;
        }
    return 1;
}

/* The clauses that are of no cell; 0 if one of a row, column or box is missing. */
static int fill_clauses(tree_planes *planes, const tree_formula *f)
{
    plane houses[HOUSES];
    uint32_t usual = 0;
    for (uint32_t house = 0; house < HOUSES; house++) houses[house] = house_of(house);
    if (!are_houses(planes, houses)) return 0;
    for (uint32_t i = 0; i < planes->clauses; i++) {
        sole *const s = planes->clause + i;
        uint32_t house = 0;
        if (!read_sole(f, CELLS + i, s)) return 0;
        while (house < HOUSES && !is_empty(houses[house] ^ s->cells)) house++;
        if (house < HOUSES)
            usual++;
        else
            planes->other[planes->others++] = i;
    }
    return usual == HOUSES * SIDE;
}

static int fill(tree_planes *planes, const tree_formula *f)
{
    for (uint32_t cell = 0; cell < CELLS; cell++) {
        if (f->start[cell + 1] - f->start[cell] != SIDE) return 0;
        for (uint32_t digit = 0; digit < SIDE; digit++)
            if (tree_is_left(f, f->all, cell, digit)) put(planes->begin + digit, cell);
    }
    for (uint32_t variable = 0; variable < f->variables; variable++)
        if (!fill_peers(planes, f, variable)) return 0;
    return fill_clauses(planes, f);
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

/* These cells hold this digit: it is struck from their peers. */
INLINE void strike(const tree_planes *planes, planes_state *s, uint32_t digit, plane cells)
{
    const plane before = s->left[digit];
    plane struck = {0};
    for (uint32_t i = 0; i < 2; i++)
        for (uint64_t bits = cells[i]; bits; bits &= bits - 1)
            struck |= planes->peers[64 * i + (uint32_t)__builtin_ctzll(bits)];
    s->known |= cells;
    s->left[digit] = before & ~struck;
    s->changed |= (uint32_t)!is_empty(before & struck) << digit;
}

/* They hold no other digit. Without branches: which digits these were is hard to predict. */
INLINE void decide(planes_state *s, uint32_t digit, plane cells)
{
    const plane own = s->left[digit];
    uint32_t changed = 0;
    for (uint32_t other = 0; other < SIDE; other++) {
        const plane lost = s->left[other] & cells;
        s->left[other] ^= lost;
        changed |= (uint32_t)!is_empty(lost) << other;
    }
    s->left[digit] = own;
    s->changed |= changed & ~(1u << digit);
}

/* Digits that are alone in their cells are struck from the peers of these; 0 if a cell has none. */
INLINE int settle_cells(const tree_planes *planes, planes_state *s)
{
    plane one = {0}, two = one;
    for (uint32_t digit = 0; digit < SIDE; digit++) {
        two |= one & s->left[digit];
        one |= s->left[digit];
    }
    if (!is_empty(ALL ^ one)) return 0;
    const plane single = ALL & ~(two | s->known);
    for (uint32_t digit = 0; !is_empty(single) && digit < SIDE; digit++) {
        const plane cells = s->left[digit] & single;
        if (!is_empty(cells)) strike(planes, s, digit, cells);
    }
    return 1;
}

/* What there is of houses whose three parts are so many bits apart: at the first bit of each whether
 * there is a cell, and whether there are two. */
typedef struct {
    plane one, two;
} parts;

INLINE parts join(parts p, int apart)
{
    const parts q = {p.one >> apart, p.two >> apart}, r = {p.one >> 2 * apart, p.two >> 2 * apart};
    const plane pair = p.one | q.one;
    return (parts){pair | r.one, p.two | q.two | r.two | (p.one & q.one) | (r.one & pair)};
}

/* The bands of columns: the second is beside the first in a word, the third in the other word. */
INLINE parts join_bands(parts p)
{
    const plane b = p.one >> 32, c = {p.one[1], p.one[0]}, other = {p.two[1], p.two[0]};
    const plane pair = p.one | b;
    return (parts){pair | c, p.two | p.two >> 32 | other | (p.one & b) | (c & pair)};
}

/* The cells of rows, columns and boxes where this digit has one place; 0 if it has none in a house. */
INLINE int single_cells(plane left, plane *found)
{
    const parts cells = {left, (plane){0}}, triads = join(cells, 1), rows = join(triads, 3),
                boxes = join(triads, 9), columns = join_bands(join(cells, 9));
    const plane row = ROWS & ~rows.two, box = BOXES & ~boxes.two, column = COLUMNS & ~columns.two,
                wide = (box << 3) - box, tall = column | column << 9 | column << 18;
    const uint64_t low = tall[0];
    *found = left & (((row << 9) - row) | wide | wide << 9 | wide << 18 | (plane){low | low << 32, low});
    return is_empty((ROWS & ~rows.one) | (BOXES & ~boxes.one) | (COLUMNS & ~columns.one));
}

/* The same for the other clauses of the digit. */
static int other_cells(const tree_planes *planes, const planes_state *s, uint32_t digit, plane *found)
{
    for (uint32_t i = 0; i < planes->others; i++) {
        const sole *clause = planes->clause + planes->other[i];
        if (clause->digit != digit) continue;
        const plane left = s->left[digit] & clause->cells;
        if (is_empty(left)) return 0;
        if (is_single(left)) *found |= left;
    }
    return 1;
}

static int settle_digit(const tree_planes *planes, planes_state *s, uint32_t digit)
{
    plane found;
    s->changed &= ~(1u << digit);
    if (!single_cells(s->left[digit], &found) || !other_cells(planes, s, digit, &found)) return 0;
    found &= ~s->known;
    if (!is_empty(found)) {
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

int planes_begin(const tree_planes *planes, tree_row *state, const uint8_t *digits)
{
    planes_state *const s = of(state);
    plane given[SIDE + 1] = {{0}};
    for (uint32_t cell = 0; cell < CELLS; cell++) put(given + digits[cell], cell);
    for (uint32_t digit = 0; digit < SIDE; digit++)
        s->left[digit] = planes->begin[digit] & (given[0] | given[digit + 1]);
    s->known = (plane){0};
    s->changed = (1u << SIDE) - 1;
    return 1;
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
    const uint32_t place = first_place(s->left[only->digit] & only->cells);
    return place < PLACES ? cell_in(place) * SIDE + only->digit : UINT32_MAX;
}

int planes_take(const tree_planes *planes, tree_row *rest, tree_row *child, uint32_t clause)
{
    planes_state *const s = of(rest), *const next = of(child);
    const uint32_t variable = first_left(planes, s, clause), digit = variable % SIDE;
    if (variable == UINT32_MAX) return 0;
    plane cell = {0};
    put(&cell, variable / SIDE);
    *next = *s;
    decide(next, digit, cell);
    s->left[digit] &= ~cell;
    s->changed |= 1u << digit;
    return 1;
}

int planes_digits(const tree_row *state, uint8_t *digits)
{
    const planes_state *const s = at(state);
    if (!is_empty(ALL ^ s->known)) return 0;
    for (uint32_t digit = 0; digit < SIDE; digit++)
        for (uint32_t i = 0; i < 2; i++)
            for (uint64_t bits = s->left[digit][i]; bits; bits &= bits - 1) {
                const uint32_t place = 64 * i + (uint32_t)__builtin_ctzll(bits);
                digits[cell_in(place)] = (uint8_t)(digit + 1);
            }
    return 1;
}

uint32_t planes_left(const tree_row *state, uint32_t cell)
{
    const planes_state *const s = at(state);
    uint32_t left = 0;
    for (uint32_t digit = 0; digit < SIDE; digit++) left += (uint32_t)has(s->left + digit, cell);
    return has(&s->known, cell) ? 0 : left;
}

uint32_t planes_open(const tree_planes *planes, const tree_row *state)
{
    const planes_state *const s = at(state);
    uint32_t open = 4 * (CELLS - size_of(s->known)); /* those of its cell, row, column and box */
    for (uint32_t i = 0; i < planes->others; i++) {
        const sole *const clause = planes->clause + planes->other[i];
        open += (uint32_t)is_empty(s->left[clause->digit] & s->known & clause->cells);
    }
    return open;
}

/* The digits left in a place, a bit each. */
INLINE uint32_t digits_at(const planes_state *s, uint32_t place)
{
    uint32_t digits = 0;
    for (uint32_t digit = 0; digit < SIDE; digit++)
        digits |= (uint32_t)(s->left[digit][place / 64] >> place % 64 & 1) << digit;
    return digits;
}

/* Of the cells with two digits left the one whose digits do most: how many of these cells lose a
 * digit if the one of it is true, times how many if the other is. */
static uint32_t strongest(const tree_planes *planes, const planes_state *s, plane pairs)
{
    uint32_t top = 0, best = 0;
    for (uint32_t i = 0; i < 2; i++)
        for (uint64_t bits = pairs[i]; bits; bits &= bits - 1) {
            const uint32_t place = 64 * i + (uint32_t)__builtin_ctzll(bits);
            const plane seen = planes->peers[place] & pairs;
            uint32_t product = 1;
            for (uint32_t two = digits_at(s, place); two; two &= two - 1)
                product *= 2 + size_of(s->left[__builtin_ctz(two)] & seen);
            if (product > top) top = product, best = cell_in(place);
        }
    return best;
}

/* Cells with exactly two digits left. */
static plane two_left(const planes_state *s)
{
    plane one = {0}, two = one, more = one;
    for (uint32_t digit = 0; digit < SIDE; digit++) {
        more |= two & s->left[digit];
        two |= one & s->left[digit];
        one |= s->left[digit];
    }
    return two & ~more;
}

uint32_t planes_choose(const tree_planes *planes, const tree_row *state)
{
    const planes_state *const s = at(state);
    const plane pairs = two_left(s);
    uint32_t fewest = UINT32_MAX, best = 0;
    if (!is_empty(pairs)) return strongest(planes, s, pairs);
    for (uint32_t i = 0; i < planes->clauses; i++) {
        const plane left = s->left[planes->clause[i].digit] & planes->clause[i].cells;
        if (size_of(left) == 2 && is_empty(left & s->known)) return CELLS + i;
    }
    for (uint32_t cell = 0; cell < CELLS; cell++) {
        const uint32_t left = planes_left(state, cell);
        if (left && left < fewest) fewest = left, best = cell;
    }
    return best;
}

#endif
