/* Colours of lines and digits.
 *
 * Invariant: a colour is a 64-bit number, computed from the puzzle by sums and a mixing function in
 * a way that no symmetry changes. Lines (rows and columns) of different colours are different.
 * Colours that agree by accident cost time, never correctness.
 *
 * Lines are numbered rows first: row r is r, column c is n + c. All functions are inlined into their
 * callers, so that a board known at compile time costs no variables (see `satdoku_by_lines`). */
#include "../../runtime/portable.h"

#include "canonical.h"

#include <limits.h>
#include <string.h>

enum { MAX_CELLS = SATDOKU_MAX_SIZE * SATDOKU_MAX_SIZE };

/* Any odd or random numbers would do; the numpy reference uses the same ones. */
#define ROW UINT64_C(0x243F6A8885A308D3)
#define COLUMN UINT64_C(0x13198A2E03707344)
#define DIGIT UINT64_C(0xA4093822299F31D0)
#define BOX UINT64_C(0x082EFA98EC4E6C89)
#define CHOSEN UINT64_C(0x452821E638D01377)
#define FACTOR UINT64_C(0xD6E8FEB86659FD93)

/* What is counted of a line or digit: its givens, and times these its cells on cycles of two and of
 * three (`mark_cycles`). */
#define TWO (UINT64_C(1) << 16)
#define THREE (UINT64_C(1) << 32)
#define NAME 48 /* bits below the number of a digit that may not be renamed */

typedef satdoku_board Board;

typedef struct {
    uint64_t line[SATDOKU_MAX_LINES];
    uint64_t digit[SATDOKU_MAX_SIZE + 1];
} Colours;

typedef struct {
    uint16_t row, column, box, digit; /* column as a line; eight bytes are copied at once */
} Given;

typedef uint8_t Lines[SATDOKU_MAX_LINES];

typedef struct {
    uint8_t cells[MAX_CELLS + 63]; /* 0 after the last */
    int givens;
    Given given[MAX_CELLS];
    uint64_t box[MAX_CELLS]; /* colours, never refined; there are at most as many boxes as cells */
} Puzzle;

/* Where each cell is; the digits are left open. */
static void list_cells(Board b, Given *where)
{
    for (int i = 0; i < b.size * b.size; i++) {
        int r = i / b.size, c = i % b.size;
        where[i].row = (uint16_t)r;
        where[i].column = (uint16_t)(b.size + c);
        where[i].box = (uint16_t)(r / b.box_rows * (b.size / b.box_columns) + c / b.box_columns);
    }
}

/* Which of 64 bytes below 128 are not 0, byte i in bit i. */
INLINE uint64_t find_givens(const uint8_t *cells)
{
    uint64_t found = 0;
    for (int i = 0; i < 64; i += 8) {
        uint64_t word;
        memcpy(&word, cells + i, 8);
        word = LITTLE_ENDIAN_WORD(word);
        uint64_t high = (word + UINT64_C(0x7F7F7F7F7F7F7F7F)) & UINT64_C(0x8080808080808080);
        found |= (high >> 7) * UINT64_C(0x0102040810204080) >> 56 << i; /* gathers the high bits */
    }
    return found;
}

/* Copy a puzzle and list its givens; 0 if it has a digit above n. */
INLINE int load_puzzle(Board b, const Given *where, const uint8_t *cells, Puzzle *p)
{
    int n = b.size, most = 0, count = 0;
    memcpy(p->cells, cells, (size_t)(n * n));
    for (int i = 0; i < n * n; i++) most = p->cells[i] > most ? p->cells[i] : most;
    if (most > n) return 0;
    for (int first = 0; first < n * n; first += 64)
        for (uint64_t left = find_givens(p->cells + first); left; left &= left - 1) {
            int cell = first + __builtin_ctzll(left);
            p->given[count] = where[cell];
            p->given[count++].digit = p->cells[cell];
        }
    p->givens = count;
    return 1;
}

INLINE uint64_t mix(uint64_t x)
{
    x ^= x >> 32;
    x *= FACTOR;
    return x ^ x >> 32;
}

/* The digits along a line, and where each digit is. */
typedef struct {
    uint8_t digit[SATDOKU_MAX_SIZE], place[SATDOKU_MAX_SIZE + 1];
} Along;

/* Read a line with n givens; 0 if a digit is missing. */
INLINE int read_line(Board b, const Puzzle *p, int line, Along *along)
{
    const uint8_t *cell = p->cells + (line < b.size ? line * b.size : line - b.size);
    int step = line < b.size ? 1 : b.size;
    uint32_t seen = 0;
    for (int j = 0; j < b.size; j++, cell += step) {
        int digit = along->digit[j] = *cell;
        along->place[digit] = (uint8_t)j;
        seen |= UINT32_C(1) << digit;
    }
    return seen == (UINT32_C(2) << b.size) - 2;
}

/* Two full lines make a permutation of the digits. Its cycles of two and of three are counted for
 * the digits on them; otherwise a full grid would look the same everywhere. (Longer cycles tell
 * little more, and take longer to find.) Returns the sum, for the two lines. */
INLINE uint64_t mark_cycles(Board board, const Along *a, const Along *b, Colours *count)
{
    uint8_t next[SATDOKU_MAX_SIZE + 1];
    uint64_t total = 0;
    for (int d = 1; d <= board.size; d++) next[d] = b->digit[a->place[d]];
    for (int d = 1; d <= board.size; d++) {
        int second = next[next[d]];
        uint64_t mark = (second == d ? TWO : 0) + (next[second] == d ? THREE : 0);
        count->digit[d] += mark;
        total += mark;
    }
    return total;
}

/* The cycles of all pairs of full lines within a band or stack. */
INLINE void mark_full_lines(Board b, const Puzzle *p, Colours *count)
{
    Along along[SATDOKU_MAX_SIZE];
    int full[SATDOKU_MAX_SIZE];
    for (int first = 0, height; first < 2 * b.size; first += height) {
        uint64_t *line = count->line + first;
        height = first < b.size ? b.box_rows : b.box_columns;
        for (int k = 0; k < height; k++) {
            full[k] = line[k] % TWO == (uint64_t)b.size && read_line(b, p, first + k, &along[k]);
            for (int i = 0; i < k && full[k]; i++) {
                uint64_t total = full[i] ? mark_cycles(b, &along[i], &along[k], count) : 0;
                line[i] += total;
                line[k] += total;
            }
        }
    }
}

/* Before any refinement: how many givens there are of each digit and in each line and box, and the
 * cycles of full lines. */
INLINE void start_colours(Board b, Puzzle *p, Colours *c)
{
    int n = b.size, boxes = n / b.box_rows * (n / b.box_columns);
    Colours count = {{0}, {0}};
    memset(p->box, 0, (size_t)boxes * sizeof *p->box);
    for (int i = 0; i < p->givens; i++) {
        Given g = p->given[i];
        count.line[g.row]++, count.line[g.column]++, count.digit[g.digit]++, p->box[g.box]++;
    }
    uint64_t most = 0;
    for (int i = 0; i < 2 * n; i++) most = count.line[i] > most ? count.line[i] : most;
    if (most == (uint64_t)n) mark_full_lines(b, p, &count);
    for (int i = 0; i < 2 * n; i++)
        c->line[i] = mix((i < n || b.transposable ? ROW : COLUMN) + count.line[i]);
    for (int d = 1; d <= n; d++)
        c->digit[d] = mix(DIGIT + count.digit[d] + (b.free_digits ? 0 : (uint64_t)d << NAME));
    for (int i = 0; i < boxes; i++) p->box[i] = mix(BOX + p->box[i]);
}

INLINE uint64_t colour_of(const Puzzle *p, const Colours *c, Given g)
{
    return mix(c->line[g.row] + c->line[g.column] + c->digit[g.digit] + p->box[g.box]);
}

/* Every digit takes in the colours of its givens. */
INLINE void refine_digits(Board b, const Puzzle *p, Colours *c)
{
    uint64_t sum[SATDOKU_MAX_SIZE + 1] = {0};
    for (int i = 0; i < p->givens; i++) sum[p->given[i].digit] += colour_of(p, c, p->given[i]);
    for (int d = 1; d <= b.size; d++) c->digit[d] = mix(c->digit[d] + 3 * sum[d]);
}

/* Every line takes in the colours of its givens, and then those of its band or stack. */
INLINE void refine_lines(Board b, const Puzzle *p, Colours *c)
{
    uint64_t sum[SATDOKU_MAX_LINES] = {0};
    for (int i = 0; i < p->givens; i++) {
        uint64_t colour = colour_of(p, c, p->given[i]);
        sum[p->given[i].row] += colour;
        sum[p->given[i].column] += colour;
    }
    for (int first = 0, height; first < 2 * b.size; first += height) {
        uint64_t band = 0;
        height = first < b.size ? b.box_rows : b.box_columns;
        for (int i = first; i < first + height; i++)
            band += c->line[i] = mix(c->line[i] + 3 * sum[i]);
        for (int i = first; i < first + height; i++) c->line[i] += 3 * band;
    }
}

/* For each row how many rows, for each column how many columns, have a colour below its own. Returns
 * the number of pairs of rows, and of columns, that tie; if none do, `rank` is an order. */
INLINE int rank_lines(Board b, const Colours *c, uint8_t *rank)
{
    int n = b.size, ties = n * (n - 1);
    for (int first = 0; first < 2 * n; first += n)
        for (int i = first; i < first + n; i++) {
            int below = 0;
            for (int j = first; j < first + n; j++) below += c->line[j] < c->line[i];
            rank[i] = (uint8_t)below;
            ties -= below;
        }
    return ties;
}

/* Refine until no more ties break. Returns how many are left; if none are, `rank` is an order. */
INLINE int refine(Board b, const Puzzle *p, Colours *c, uint8_t *rank)
{
    refine_lines(b, p, c);
    int before = INT_MAX, ties = rank_lines(b, c, rank);
    while (ties && ties < before) {
        before = ties;
        refine_digits(b, p, c);
        refine_lines(b, p, c);
        ties = rank_lines(b, c, rank);
    }
    return ties;
}

/* A value of all colours together; fewer ties give a smaller one. */
static uint64_t key_of(Board b, const Colours *c, int ties)
{
    uint64_t sum = 0;
    for (int i = 0; i < 2 * b.size; i++) sum += c->line[i];
    return (uint64_t)ties << 48 | mix(sum) >> 16;
}

/* The largest class of lines that holds two rows or two columns; of equally large ones the one whose
 * colour is least. Returns its size. */
static int tied_class(Board b, const Colours *c, uint8_t *member)
{
    int chosen = 0, most = 0, count = 0;
    for (int i = 0; i < 2 * b.size; i++) {
        int alike[2] = {0, 0};
        for (int j = 0; j < 2 * b.size; j++) alike[j >= b.size] += c->line[i] == c->line[j];
        int size = alike[0] + alike[1];
        if (alike[0] < 2 && alike[1] < 2) continue;
        if (size > most || (size == most && c->line[i] < c->line[chosen])) {
            most = size;
            chosen = i;
        }
    }
    for (int i = 0; i < 2 * b.size; i++)
        if (c->line[i] == c->line[chosen]) member[count++] = (uint8_t)i;
    return count;
}
