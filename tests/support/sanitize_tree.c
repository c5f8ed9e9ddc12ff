/* Proof trees under sanitizers, without Python: random formulas, and claims with trees, most of them
 * wrong. What is accepted must be true by trying every grid, and what is made must be accepted.
 * Then all trees up to three bytes over all puzzles of a small formula. Built and run by
 * test_tree_sanitized.py; exit status 0 means that all is well. */
#include "../../../runtime/portable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "make.h"

#ifndef ROUNDS
#define ROUNDS 4000
#endif

enum { MOST_CELLS = 4, MOST_DIGITS = 3, MOST_GRIDS = 81, WORDS = 400, MOST_TREE = 64 };

typedef struct {
    uint32_t cells, digits, clauses[WORDS], pairs[WORDS];
    size_t clauses_length, pairs_length;
    uint8_t grids[MOST_GRIDS * MOST_CELLS]; /* that break no clause, in ascending order */
    size_t count;
} problem;

static uint32_t random_state = 1;

static uint32_t below(uint32_t n)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % n;
}

static int has(const problem *p, const uint8_t *grid, uint32_t variable)
{
    return grid[variable / p->digits] == variable % p->digits + 1;
}

static int is_model(const problem *p, const uint8_t *grid)
{
    for (size_t at = 0; at < p->clauses_length; at += 1 + p->clauses[at]) {
        int any = 0;
        for (uint32_t k = 1; k <= p->clauses[at]; k++) any |= has(p, grid, p->clauses[at + k]);
        if (!any) return 0;
    }
    for (size_t at = 0; at < p->pairs_length; at += 2)
        if (has(p, grid, p->pairs[at]) && has(p, grid, p->pairs[at + 1])) return 0;
    return 1;
}

static void list_grids(problem *p)
{
    uint8_t grid[MOST_CELLS];
    memset(grid, 1, sizeof grid);
    p->count = 0;
    for (uint32_t cell = 0; cell < p->cells;) {
        if (is_model(p, grid)) memcpy(p->grids + p->count++ * p->cells, grid, p->cells);
        for (cell = 0; cell < p->cells; cell++) {
            if (++grid[p->cells - 1 - cell] <= p->digits) break;
            grid[p->cells - 1 - cell] = 1;
        }
    }
}

static void add_pair(problem *p, uint32_t one, uint32_t other)
{
    p->pairs[p->pairs_length++] = one;
    p->pairs[p->pairs_length++] = other;
}

/* Cells that hold a digit, and other clauses and pairs at random. */
static void draw(problem *p, uint32_t others)
{
    p->clauses_length = p->pairs_length = 0;
    for (uint32_t cell = 0; cell < p->cells; cell++) {
        p->clauses[p->clauses_length++] = p->digits;
        for (uint32_t digit = 0; digit < p->digits; digit++) {
            p->clauses[p->clauses_length++] = cell * p->digits + digit;
            for (uint32_t lower = 0; lower < digit; lower++)
                add_pair(p, cell * p->digits + lower, cell * p->digits + digit);
        }
    }
    while (others--) {
        const uint32_t length = 1 + below(4);
        p->clauses[p->clauses_length++] = length;
        for (uint32_t k = 0; k < length; k++)
            p->clauses[p->clauses_length++] = below(p->cells * p->digits);
        for (int k = 0; k < 2; k++)
            add_pair(p, below(p->cells * p->digits), below(p->cells * p->digits));
    }
    list_grids(p);
}

static int fits(const problem *p, const uint8_t *puzzle, const uint8_t *grid)
{
    for (uint32_t cell = 0; cell < p->cells; cell++)
        if (puzzle[cell] && puzzle[cell] != grid[cell]) return 0;
    return 1;
}

/* Whether the listed solutions are some of the puzzle's in order, or all if the claim says so. */
static int is_true(const problem *p, const tree_claim *claim)
{
    size_t listed = 0, all = 0;
    for (size_t at = 0; at < p->count; at++) {
        const uint8_t *grid = p->grids + at * p->cells;
        if (!fits(p, claim->puzzle, grid)) continue;
        all++;
        if (listed < claim->count &&
            !memcmp(grid, claim->solutions + listed * p->cells, p->cells))
            listed++;
    }
    if (listed != claim->count) return 0;
    switch (claim->claim) {
    case 'u':
        return all == 1 && listed == 1;
    case 'n':
        return all == 0;
    case 'm':
        return listed == 2;
    default:
        return claim->claim == 'a' && listed == all;
    }
}

/* A claim in memory of its exact size, so that no step over its end is missed. */
static tree_verdict check(const tree_formula *f, tree_row *stack, const tree_claim *claim)
{
    uint8_t *puzzle = malloc(f->cells), *solutions = malloc(claim->count * f->cells + !claim->count);
    uint8_t *tree = malloc(claim->length + !claim->length);
    if (!puzzle || !solutions || !tree) exit(9);
    memcpy(puzzle, claim->puzzle, f->cells);
    memcpy(solutions, claim->solutions, claim->count * f->cells);
    memcpy(tree, claim->tree, claim->length);
    const tree_claim copy = {claim->claim, puzzle, solutions, tree, claim->count, claim->length};
    const tree_verdict verdict = tree_check(f, stack, &copy);
    free(puzzle), free(solutions), free(tree);
    return verdict;
}

static int falsify(const problem *p, const tree_formula *f, tree_row *stack, tree_claim *claim,
                   int *seen)
{
    uint8_t puzzle[MOST_CELLS], solutions[(MOST_GRIDS + 1) * MOST_CELLS], tree[MOST_TREE + 1];
    memcpy(puzzle, claim->puzzle, p->cells);
    memcpy(solutions, claim->solutions, claim->count * p->cells);
    memcpy(tree, claim->tree, claim->length);
    tree_claim wrong = {claim->claim, puzzle, solutions, tree, claim->count, claim->length};
    for (uint32_t changes = 1 + below(3); changes; changes--) switch (below(8)) {
        case 0:
            wrong.claim = "unma-UX"[below(7)];
            break;
        case 1:
            puzzle[below(p->cells)] = (uint8_t)below(p->digits + 2);
            break;
        case 2:
            if (wrong.count) solutions[below((uint32_t)wrong.count * p->cells)] = (uint8_t)below(5);
            break;
        case 3:
            if (wrong.count) wrong.count--;
            break;
        case 4:
            if (p->count && wrong.count < MOST_GRIDS)
                memcpy(solutions + wrong.count++ * p->cells,
                       p->grids + below((uint32_t)p->count) * p->cells, p->cells);
            break;
        case 5:
            if (wrong.length) wrong.length--;
            break;
        case 6:
            if (wrong.length < MOST_TREE) tree[wrong.length++] = (uint8_t)below(256);
            break;
        default:
            if (wrong.length) tree[below((uint32_t)wrong.length)] = (uint8_t)below(256);
        }
    const tree_verdict verdict = check(f, stack, &wrong);
    seen[verdict]++;
    return verdict != TREE_HOLDS || is_true(p, &wrong);
}

/* What at most MANY puzzles give. */
enum { MANY = 150, MOST_BYTES = 400 };

typedef struct {
    uint8_t claims[MANY], solutions[MANY * 10 * 81 + MOST_GRIDS * MOST_CELLS];
    uint8_t trees[(MANY + 1) * MOST_BYTES + MOST_TREE];
    uint32_t counts[MANY], lengths[MANY];
} harvested;

static int make(const tree_maker *m, const tree_target *target, const uint8_t *puzzles,
                tree_harvest *h, harvested *got)
{
    tree_row *memory = TAKE_ALIGNED(sizeof *memory, target->rows(m) * sizeof *memory);
    h->claims = got->claims, h->solutions = got->solutions, h->trees = got->trees;
    h->counts = got->counts, h->lengths = got->lengths;
    h->solutions_size = sizeof got->solutions / m->formula->cells;
    h->trees_size = sizeof got->trees;
    if (memory) target->make(m, memory, puzzles, h);
    FREE_ALIGNED(memory);
    return memory && h->done == h->rows;
}

static int try_random(int *seen)
{
    static problem p;
    p.cells = 2 + below(MOST_CELLS - 1), p.digits = 2 + below(MOST_DIGITS - 1);
    draw(&p, below(6));
    tree_formula *f = tree_load(p.cells * p.digits, p.cells, p.digits, p.clauses,
                                p.clauses_length, p.pairs, p.pairs_length);
    tree_row *stack = f ? malloc(tree_stack(f) * sizeof *stack) : NULL;
    if (!stack) return 0;
    int right = 1;
    for (int again = 0; right && again < 4; again++) {
        uint8_t puzzle[MOST_CELLS];
        for (uint32_t cell = 0; cell < p.cells; cell++)
            puzzle[cell] = (uint8_t)(below(3) ? 0 : 1 + below(p.digits));
        static harvested got;
        tree_harvest h = {.rows = 1, .most = MOST_GRIDS, .room = MOST_TREE, .every = 1};
        if (!make(&(tree_maker){f, NULL}, tree_target_at(0), puzzle, &h, &got)) return 0;
        if (got.claims[0] != 'a') continue;
        tree_claim claim = {'a', puzzle, got.solutions, got.trees, got.counts[0], got.lengths[0]};
        right = check(f, stack, &claim) == TREE_HOLDS && is_true(&p, &claim);
        for (int k = 0; right && k < 8; k++) right = falsify(&p, f, stack, &claim, seen);
    }
    free(stack), tree_free(f);
    return right;
}

/* All trees up to three bytes of a formula's numbers and some beyond, over all puzzles: no claim
 * with fewer or other solutions is accepted, and some tree proves each that is true. */
static int try_all(uint32_t cells, uint32_t others)
{
    static problem p;
    p.cells = cells, p.digits = 2;
    draw(&p, others);
    tree_formula *f = tree_load(2 * cells, cells, 2, p.clauses, p.clauses_length, p.pairs,
                                p.pairs_length);
    tree_row *stack = f ? malloc(tree_stack(f) * sizeof *stack) : NULL;
    if (!stack) return 0;
    const uint32_t bytes = f->clauses + 3; /* then 128, 129 and 255 */
    uint8_t puzzle[MOST_CELLS], none[1] = {0};
    int right = 1;
    uint32_t puzzles = 1;
    for (uint32_t cell = 0; cell < cells; cell++) puzzles *= 3;
    for (uint32_t number = 0; number < puzzles; number++) {
        uint32_t rest = number, proved = 0;
        for (uint32_t cell = 0; cell < cells; cell++, rest /= 3) puzzle[cell] = (uint8_t)(rest % 3);
        uint8_t fitting[MOST_GRIDS * MOST_CELLS];
        size_t count = 0;
        for (size_t at = 0; at < p.count; at++)
            if (fits(&p, puzzle, p.grids + at * cells))
                memcpy(fitting + count++ * cells, p.grids + at * cells, cells);
        for (uint32_t length = 0, trees = 1; length <= 3; length++, trees *= bytes)
            for (uint32_t k = 0; k < trees; k++) {
                uint8_t tree[3];
                for (uint32_t at = 0, left = k; at < length; at++, left /= bytes)
                    tree[at] = left % bytes < f->clauses ? (uint8_t)(left % bytes)
                                                         : "\200\201\377"[left % bytes - f->clauses];
                tree_claim claim = {'a', puzzle, fitting, tree, count, length};
                proved += check(f, stack, &claim) == TREE_HOLDS;
                claim.count = 0, claim.solutions = none, claim.claim = 'n';
                if (check(f, stack, &claim) == TREE_HOLDS && count) right = 0;
                claim.count = count ? count - 1 : 0, claim.solutions = fitting, claim.claim = 'a';
                if (check(f, stack, &claim) == TREE_HOLDS && count) right = 0;
            }
        if (count < 4 && !proved) right = 0;
    }
    free(stack), tree_free(f);
    return right;
}

enum { NINE = 9, GRID = NINE * NINE, LONG = 40000, KINDS = 4 };

/* Classic 9x9; with diagonals, with exclusions a knight's leap apart, or without an empty cell's 1. */
typedef struct {
    uint32_t clauses[LONG], pairs[2 * LONG];
    size_t clauses_length, pairs_length;
} nine;

static int share(uint32_t kind, uint32_t house, uint32_t cell)
{
    const uint32_t row = cell / NINE, column = cell % NINE, number = house % NINE;
    if (house < NINE) return row == number;
    if (house < 2 * NINE) return column == number;
    if (house < 3 * NINE) return row / 3 * 3 + column / 3 == number;
    return kind == 1 && (number ? row + column == NINE - 1 : row == column);
}

static void add_nine_pair(nine *p, uint32_t one, uint32_t other)
{
    p->pairs[p->pairs_length++] = one;
    p->pairs[p->pairs_length++] = other;
}

static void draw_nine(nine *p, uint32_t kind)
{
    p->clauses_length = p->pairs_length = 0;
    for (uint32_t cell = 0; cell < GRID; cell++) {
        p->clauses[p->clauses_length++] = NINE;
        for (uint32_t digit = 0; digit < NINE; digit++) {
            p->clauses[p->clauses_length++] = NINE * cell + digit;
            for (uint32_t other = 0; other < digit; other++)
                add_nine_pair(p, NINE * cell + other, NINE * cell + digit);
        }
    }
    for (uint32_t digit = 0; digit < NINE; digit++) {
        for (uint32_t house = 0; house < 3 * NINE + (kind == 1 ? 2 : 0); house++) {
            p->clauses[p->clauses_length++] = NINE;
            for (uint32_t cell = 0; cell < GRID; cell++) {
                if (!share(kind, house, cell)) continue;
                p->clauses[p->clauses_length++] = NINE * cell + digit;
                for (uint32_t other = 0; other < cell; other++)
                    if (share(kind, house, other))
                        add_nine_pair(p, NINE * other + digit, NINE * cell + digit);
            }
        }
        for (uint32_t cell = 0; kind == 2 && cell + 2 * NINE + 1 < GRID; cell++)
            if (cell % NINE < NINE - 1)
                add_nine_pair(p, NINE * cell + digit, NINE * (cell + 2 * NINE + 1) + digit);
    }
    if (kind == 3) add_nine_pair(p, NINE * GRID - NINE, NINE * GRID - NINE);
}

static tree_formula *load_nine(const nine *p)
{
    return tree_load(NINE * GRID, GRID, NINE, p->clauses, p->clauses_length, p->pairs,
                     p->pairs_length);
}

/* Searches of the same puzzles by rows, and by planes on each target, give the same bytes. */
static int are_alike(const tree_maker *m, const uint8_t *puzzles, size_t rows, int is_short,
                     size_t *made)
{
    static harvested by_rows, by_planes;
    const tree_harvest asked = {.rows = rows, .most = 9, .room = MOST_BYTES, .is_short = is_short};
    const tree_target *target;
    tree_harvest h = asked, other;
    if (!make(&(tree_maker){m->formula, NULL}, tree_target_at(0), puzzles, &h, &by_rows)) return 0;
    for (size_t place = 0; (target = tree_target_at(place)); place++) {
        other = asked;
        if (!make(m, target, puzzles, &other, &by_planes) || other.solved != h.solved ||
            other.written != h.written || memcmp(by_rows.claims, by_planes.claims, rows) ||
            memcmp(by_rows.solutions, by_planes.solutions, h.solved * GRID) ||
            memcmp(by_rows.lengths, by_planes.lengths, rows * sizeof *by_rows.lengths) ||
            memcmp(by_rows.trees, by_planes.trees, h.written))
            return 0;
    }
    *made += h.written;
    return 1;
}

/* Some digits of a solved grid, now and then a wrong one. */
static void draw_puzzle(uint8_t *puzzle, uint32_t givens)
{
    for (uint32_t cell = 0; cell < GRID; cell++) {
        const uint32_t row = cell / NINE, digit = row % 3 * 3 + row / 3 + cell % NINE + !below(150);
        puzzle[cell] = (uint8_t)(below(GRID) < givens ? digit % NINE + 1 : 0);
    }
}

static int try_planes(void)
{
    static nine p;
    static uint8_t puzzles[MANY * GRID];
    for (uint32_t kind = 0; kind < KINDS; kind++) {
        size_t made = 0;
        draw_nine(&p, kind);
        tree_formula *f = load_nine(&p);
        const tree_maker maker = {f, f ? tree_planes_of(f) : NULL};
        int right = f && !maker.planes == (kind == 3);
        for (size_t i = 0; i < MANY; i++)
            draw_puzzle(puzzles + i * GRID, (kind ? 20 : 30) + below(15));
        if (right && kind < 3) /* some fill the lanes of all targets, some of none, some are short */
            right = are_alike(&maker, puzzles, MANY, 0, &made) &&
                    are_alike(&maker, puzzles, 8, 0, &made) &&
                    are_alike(&maker, puzzles + 8 * GRID, 8, 1, &made);
        tree_planes_free((tree_planes *)maker.planes), tree_free(f);
        if (!right || (kind < 3 && !made)) return 0;
    }
    return 1;
}

/* Formulas that lack something of classic 9x9 have no planes. */
static int refuses_planes(void)
{
    static nine p;
    for (int what = 0; what < 3; what++) {
        draw_nine(&p, 0);
        if (what == 0) p.clauses_length -= NINE + 1;
        if (what == 1) p.pairs_length -= 2 * (NINE - 1); /* those of the last cell of the last box */
        if (what == 2) add_nine_pair(&p, 0, NINE * GRID - 1);
        tree_formula *f = load_nine(&p);
        tree_planes *planes = f ? tree_planes_of(f) : NULL;
        const int refused = f && !planes;
        tree_planes_free(planes), tree_free(f);
        if (!refused) return 0;
    }
    return 1;
}

int main(void)
{
    int seen[TREE_TOO_DEEP + 1] = {0};
    for (int round = 0; round < ROUNDS; round++)
        if (!try_random(seen)) return 1;
    for (uint32_t cells = 2; cells <= 4; cells++)
        for (uint32_t others = 0; others < 3; others++)
            if (!try_all(cells, others)) return 2;
    for (int verdict = 0; verdict < TREE_TOO_DEEP; verdict++) {
        printf("%d: %d\n", verdict, seen[verdict]);
        if (!seen[verdict]) return 3;
    }
    uint32_t wrong[] = {2, 0, 1, 2, 2, 9};
    if (tree_load(4, 2, 2, wrong, 6, wrong, 0) || tree_load(4, 2, 2, wrong, 5, wrong, 0) ||
        tree_load(4, 2, 2, wrong, 3, wrong, 0) || tree_load(4, 2, 0, wrong, 3, wrong, 0))
        return 4;
    if (!try_planes()) return 5;
    if (!refuses_planes()) return 6;
    return 0;
}
