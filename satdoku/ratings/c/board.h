/* Cells, houses and peers of the classic board.
 *
 * Invariant: house 0-8 are boxes, 9-17 rows, 18-26 columns, each with its nine places in reading
 * order; kind k of house (BOX, ROW, COLUMN) is house 9 k and on. A cell is one bit of a Cells, a
 * digit one bit of a Digits (digit 1 is bit 0), a place in a house one bit of a Places. The tables
 * are filled once, before the first puzzle, and then only read. */
#ifndef SATDOKU_RATINGS_BOARD_H
#define SATDOKU_RATINGS_BOARD_H

#include "../../runtime/portable.h"

#include <stdint.h>
#include <string.h>

enum { CELLS = 81, HOUSES = 27, CANDIDATES = 729, ALL = 0x1FF };
enum { BOX, ROW, COLUMN, KINDS };

typedef uint16_t Digits;
typedef uint16_t Places;
typedef struct { uint64_t low, high; } Cells;

static struct {
    uint8_t cell[HOUSES][9];      /* at each place */
    uint8_t house[CELLS][KINDS];  /* of each kind */
    uint8_t place[CELLS][KINDS];  /* in the house of each kind */
    Cells cells[HOUSES];          /* of a house */
    Cells peers[CELLS];
    Cells later[CELLS];           /* peers with a higher number */
    Places common[HOUSES][HOUSES]; /* places of the first house that are in the second, too */
    uint8_t cover[HOUSES][KINDS][3]; /* of a box the lines, of a line the boxes that cross it */
    Places subsets[5][126];       /* of 2 to 4 places, in increasing order */
    int subset_count[5];
    uint8_t bits[ALL + 1];        /* set in a number */
} board;

/* Of at most nine bits. */
static inline int count(unsigned bits) { return board.bits[bits]; }
static inline int lowest(unsigned bits) { return __builtin_ctz(bits); }
static inline int is_single(unsigned bits) { return bits && !(bits & (bits - 1)); }

static inline Cells both(Cells a, Cells b) { return (Cells){a.low & b.low, a.high & b.high}; }
static inline Cells either(Cells a, Cells b) { return (Cells){a.low | b.low, a.high | b.high}; }
static inline Cells without(Cells a, Cells b) { return (Cells){a.low & ~b.low, a.high & ~b.high}; }
static inline int some(Cells a) { return (a.low | a.high) != 0; }
static inline int size_of(Cells a) { return __builtin_popcountll(a.low) + __builtin_popcountll(a.high); }

static inline Cells only(int cell)
{
    return cell < 64 ? (Cells){1ull << cell, 0} : (Cells){0, 1ull << (cell - 64)};
}

/* Cells with lower numbers. */
static inline Cells below(int cell)
{
    return cell < 64 ? (Cells){(1ull << cell) - 1, 0} : (Cells){~0ull, (1ull << (cell - 64)) - 1};
}

static inline int contains(Cells a, int cell)
{
    return (int)((cell < 64 ? a.low >> cell : a.high >> (cell - 64)) & 1);
}

static inline int first_cell(Cells a)
{
    return a.low ? __builtin_ctzll(a.low) : 64 + __builtin_ctzll(a.high);
}

static inline Cells rest(Cells a)
{
    return a.low ? (Cells){a.low & (a.low - 1), a.high} : (Cells){0, a.high & (a.high - 1)};
}

#define EACH_CELL(cell, set) \
    for (Cells left_##cell = (set); some(left_##cell); left_##cell = rest(left_##cell)) \
        for (int cell = first_cell(left_##cell), once_##cell = 1; once_##cell; once_##cell = 0)

#define EACH_BIT(bit, set) \
    for (unsigned left_##bit = (set); left_##bit; left_##bit &= left_##bit - 1) \
        for (int bit = lowest(left_##bit), once_##bit = 1; once_##bit; once_##bit = 0)

/* Whether two cells are peers. */
static inline int see(int a, int b) { return contains(board.peers[a], b); }

static inline int kind_of(int house) { return house / 9; }

static int cell_at(int house, int place)
{
    int line = house % 9;
    if (house >= 18) return 9 * place + line;
    if (house >= 9) return 9 * line + place;
    return 9 * (line / 3 * 3 + place / 3) + line % 3 * 3 + place % 3;
}

static void fill_house(int house)
{
    for (int place = 0; place < 9; place++) {
        int cell = cell_at(house, place), kind = kind_of(house);
        board.cell[house][place] = (uint8_t)cell;
        board.house[cell][kind] = (uint8_t)house;
        board.place[cell][kind] = (uint8_t)place;
        board.cells[house] = either(board.cells[house], only(cell));
    }
}

static void fill_peers(int cell)
{
    Cells peers = {0, 0};
    for (int kind = 0; kind < KINDS; kind++)
        peers = either(peers, board.cells[board.house[cell][kind]]);
    board.peers[cell] = without(peers, only(cell));
    EACH_CELL(peer, board.peers[cell])
        if (peer > cell) board.later[cell] = either(board.later[cell], only(peer));
}

static void fill_covers(int house)
{
    for (int kind = 0; kind < KINDS; kind++) {
        int n = 0;
        if ((kind == BOX) == (kind_of(house) == BOX)) continue;
        for (int other = 9 * kind; other < 9 * kind + 9; other++)
            if (board.common[house][other]) board.cover[house][kind][n++] = (uint8_t)other;
    }
}

static void fill_board(void)
{
    for (int house = 0; house < HOUSES; house++) fill_house(house);
    for (int cell = 0; cell < CELLS; cell++) fill_peers(cell);
    for (int a = 0; a < HOUSES; a++)
        for (int place = 0; place < 9; place++)
            for (int kind = 0; kind < KINDS; kind++)
                board.common[a][board.house[board.cell[a][place]][kind]] |= (Places)(1 << place);
    for (int house = 0; house < HOUSES; house++) fill_covers(house);
    for (unsigned set = 1; set <= ALL; set++)
        board.bits[set] = (uint8_t)(board.bits[set / 2] + set % 2);
    for (unsigned set = 0; set <= ALL; set++)
        if (count(set) >= 2 && count(set) <= 4)
            board.subsets[count(set)][board.subset_count[count(set)]++] = (Places)set;
}

#endif
