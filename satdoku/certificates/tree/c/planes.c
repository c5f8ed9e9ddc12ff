#include "../../../runtime/portable.h"

#include "planes.h"

#if HAS_VECTORS

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

static void list_places(uint16_t *places, plane cells)
{
    for (uint32_t i = 0; i < 2; i++)
        for (uint64_t bits = cells[i]; bits; bits &= bits - 1)
            *places++ = (uint16_t)(64 * i + (uint32_t)__builtin_ctzll(bits));
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
    for (uint32_t house = 0; house < HOUSES; house++) {
        houses[house] = house_of(house);
        list_places(planes->house[house], houses[house]);
    }
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
    planes->is_plain = !planes->others;
    for (uint32_t cell = 0; cell < CELLS; cell++)
        planes->is_plain &= size_of(planes->peers[place_of(cell)]) == PEERS;
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

#endif
