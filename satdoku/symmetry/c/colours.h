/* Colours of lines and digits.
 *
 * Invariant: a colour is a 64-bit number, computed from the puzzle by sums and a mixing function in
 * a way that no symmetry changes. Lines (rows and columns) of different colours are different.
 * Colours that agree by accident cost time, never correctness.
 *
 * Lines are numbered rows first: row r is r, column c is n + c. */
#include "canonical.h"

#include <limits.h>

enum { MAX_CELLS = SATDOKU_MAX_SIZE * SATDOKU_MAX_SIZE };

/* Any odd or random numbers would do; the numpy reference uses the same ones. */
#define ROW UINT64_C(0x243F6A8885A308D3)
#define COLUMN UINT64_C(0x13198A2E03707344)
#define DIGIT UINT64_C(0xA4093822299F31D0)
#define CYCLE UINT64_C(0x082EFA98EC4E6C89)
#define CHOSEN UINT64_C(0x452821E638D01377)
#define FACTOR UINT64_C(0xD6E8FEB86659FD93)

typedef struct {
    uint64_t line[SATDOKU_MAX_LINES];
    uint64_t digit[SATDOKU_MAX_SIZE + 1];
} Colours;

typedef struct {
    uint8_t row, column, digit; /* column as a line */
} Given;

typedef uint8_t Lines[SATDOKU_MAX_LINES];

/* A puzzle and the board that it is on. */
typedef struct {
    int n, lines;
    int height[2]; /* rows of a band, columns of a stack */
    int transposable, free_digits;
    int givens;
    Given given[MAX_CELLS];
    uint8_t content[SATDOKU_MAX_LINES][SATDOKU_MAX_SIZE]; /* the digits along each line */
} Puzzle;

/* Copy a puzzle; 0 if it has a digit above n. */
static int load_puzzle(Puzzle *p, const uint8_t *cells)
{
    p->givens = 0;
    for (int r = 0; r < p->n; r++)
        for (int c = 0; c < p->n; c++) {
            uint8_t digit = cells[r * p->n + c];
            if (digit > p->n) return 0;
            p->content[r][c] = p->content[p->n + c][r] = digit;
            p->given[p->givens] = (Given){(uint8_t)r, (uint8_t)(p->n + c), digit};
            p->givens += digit != 0;
        }
    return 1;
}

static inline uint64_t mix(uint64_t x)
{
    x ^= x >> 32;
    x *= FACTOR;
    return x ^ x >> 32;
}

static uint64_t seed_of(const Puzzle *p, int line)
{
    return line < p->n || p->transposable ? ROW : COLUMN;
}

/* The line that crosses line `a` at its place `j`. */
static int crossing(const Puzzle *p, int a, int j)
{
    return a < p->n ? p->n + j : j;
}

static int is_full(const Puzzle *p, int line)
{
    uint32_t seen = 0;
    for (int j = 0; j < p->n; j++) seen |= UINT32_C(1) << p->content[line][j];
    return seen == (UINT32_C(2) << p->n) - 2;
}

/* Two full lines make a permutation of the digits. The length of each of its cycles goes into the
 * colours of what lies on the cycle and of the two lines; otherwise a full grid would look the same
 * everywhere. */
static void mark_cycles(const Puzzle *p, int a, int b, Colours *c)
{
    const uint8_t *upper = p->content[a], *lower = p->content[b];
    uint8_t place[SATDOKU_MAX_SIZE + 1], cycle[SATDOKU_MAX_SIZE];
    uint32_t seen = 0;
    uint64_t total = 0;
    for (int j = 0; j < p->n; j++) place[upper[j]] = (uint8_t)j;
    for (int first = 0; first < p->n; first++) {
        int length = 0;
        for (int j = first; !(seen >> j & 1); j = place[lower[j]]) {
            seen |= UINT32_C(1) << j;
            cycle[length++] = (uint8_t)j;
        }
        uint64_t mark = mix(CYCLE + seed_of(p, a) + (uint64_t)length);
        for (int i = 0; i < length; i++) {
            c->line[crossing(p, a, cycle[i])] += mark;
            c->digit[upper[cycle[i]]] += mark;
            total += 3 * mark;
        }
    }
    c->line[a] += total;
    c->line[b] += total;
}

static void start_colours(const Puzzle *p, Colours *c)
{
    int full[SATDOKU_MAX_LINES];
    for (int i = 0; i < p->lines; i++) c->line[i] = seed_of(p, i);
    for (int d = 0; d <= p->n; d++) c->digit[d] = DIGIT + (p->free_digits ? 0 : (uint64_t)d);
    for (int i = 0; i < p->lines; i++) full[i] = is_full(p, i);
    for (int a = 0; a < p->lines; a++) {
        int height = p->height[a >= p->n];
        for (int b = a + 1; b < p->lines && b % p->n % height; b++)
            if (full[a] && full[b]) mark_cycles(p, a, b, c);
    }
}

/* Every line and digit takes in the colours of its givens, then every line those of its band or
 * stack. */
static void refine_once(const Puzzle *p, Colours *c)
{
    uint64_t line[SATDOKU_MAX_LINES] = {0}, digit[SATDOKU_MAX_SIZE + 1] = {0};
    for (int i = 0; i < p->givens; i++) {
        Given g = p->given[i];
        uint64_t cell = mix(c->line[g.row] + c->line[g.column] + c->digit[g.digit]);
        line[g.row] += cell;
        line[g.column] += cell;
        digit[g.digit] += cell;
    }
    for (int d = 1; d <= p->n; d++) c->digit[d] = mix(c->digit[d] + 3 * digit[d]);
    for (int first = 0, height; first < p->lines; first += height) {
        uint64_t band = 0;
        height = p->height[first >= p->n];
        for (int i = first; i < first + height; i++)
            band += line[i] = mix(c->line[i] + 3 * line[i]);
        for (int i = first; i < first + height; i++) c->line[i] = mix(line[i] + 3 * band);
    }
}

/* How many pairs of rows, and of columns, have the same colour. */
static int count_ties(const Puzzle *p, const Colours *c)
{
    int ties = 0;
    for (int first = 0; first < p->lines; first += p->n)
        for (int i = first; i < first + p->n; i++)
            for (int j = first; j < i; j++) ties += c->line[i] == c->line[j];
    return ties;
}

/* Refine until no more ties break. Returns how many are left. */
static int refine(const Puzzle *p, Colours *c)
{
    int ties = INT_MAX, before;
    do {
        before = ties;
        refine_once(p, c);
        refine_once(p, c);
        ties = count_ties(p, c);
    } while (ties && ties < before);
    return ties;
}

/* A value of all colours together; fewer ties give a smaller one. */
static uint64_t key_of(const Puzzle *p, const Colours *c, int ties)
{
    uint64_t sum = 0;
    for (int i = 0; i < p->lines; i++) sum += c->line[i];
    for (int d = 1; d <= p->n; d++) sum += c->digit[d];
    return (uint64_t)ties << 48 | mix(sum) >> 16;
}

/* The largest class of lines that holds two rows or two columns; of equally large ones the one whose
 * colour is least. Returns its size. */
static int tied_class(const Puzzle *p, const Colours *c, uint8_t *member)
{
    int chosen = 0, most = 0, count = 0;
    for (int i = 0; i < p->lines; i++) {
        int alike[2] = {0, 0};
        for (int j = 0; j < p->lines; j++) alike[j >= p->n] += c->line[i] == c->line[j];
        int size = alike[0] + alike[1];
        if (alike[0] < 2 && alike[1] < 2) continue;
        if (size > most || (size == most && c->line[i] < c->line[chosen])) {
            most = size;
            chosen = i;
        }
    }
    for (int i = 0; i < p->lines; i++)
        if (c->line[i] == c->line[chosen]) member[count++] = (uint8_t)i;
    return count;
}
