"""Cells, houses and peers of the classic board, and the candidates that are left of a puzzle.

Invariant: houses 0-8 are boxes, 9-17 rows, 18-26 columns, each with its nine places in reading
order. Sets are ints: bit 9 r + c of a set of cells, bit d - 1 of a set of digits, bit i for place i
of a house. Candidate 9 * cell + digit - 1 says that a digit is in a cell. The three views that a
`State` keeps of its candidates say the same, and a cell with a digit has no candidates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

BOX, ROW, COLUMN = KINDS = range(3)
ALL = 0x1FF  # nine digits, or nine places
BOARD = (1 << 81) - 1


def _cell_at(house: int, place: int) -> int:
    kind, line = divmod(house, 9)
    if kind == COLUMN:
        return 9 * place + line
    if kind == ROW:
        return 9 * line + place
    return 9 * (line // 3 * 3 + place // 3) + line % 3 * 3 + place % 3


def _places_of(cell: int) -> tuple[tuple[int, int], ...]:
    return tuple((house, CELL[house].index(cell)) for house in range(27) if cell in CELL[house])


def _peers_of(cell: int) -> int:
    return (CELLS[HOUSE[cell][BOX]] | CELLS[HOUSE[cell][ROW]] | CELLS[HOUSE[cell][COLUMN]]) & ~(
        1 << cell
    )


CELL = [[_cell_at(house, place) for place in range(9)] for house in range(27)]
CELLS = [sum(1 << cell for cell in cells) for cells in CELL]
WHERE = [_places_of(cell) for cell in range(81)]  # house and place of each kind
HOUSE = [tuple(house for house, _ in where) for where in WHERE]
PLACE = [tuple(place for _, place in where) for where in WHERE]
PEERS = [_peers_of(cell) for cell in range(81)]
# Entry [a][b]: the places of house a that are in house b, too.
COMMON = [
    [sum(1 << place for place in range(9) if CELLS[b] >> CELL[a][place] & 1) for b in range(27)]
    for a in range(27)
]
BITS = [tuple(i for i in range(9) if mask >> i & 1) for mask in range(512)]
SUBSETS = [[mask for mask in range(512) if mask.bit_count() == size] for size in range(10)]


def bits(mask: int) -> Iterator[int]:
    """The positions of the bits of a set, in increasing order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def lowest(mask: int) -> int:
    """The position of the lowest bit of a set that is not empty."""
    return (mask & -mask).bit_length() - 1


def is_single(mask: int) -> bool:
    return mask != 0 and not mask & (mask - 1)


def cells_at(house: int, places: int) -> int:
    """The cells at places of a house."""
    cells = 0
    for place in BITS[places]:
        cells |= 1 << CELL[house][place]
    return cells


def seen_by_all(cells: int) -> int:
    """The cells that are peers of each cell of a set; all cells if it is empty."""
    seen = BOARD
    for cell in bits(cells):
        seen &= PEERS[cell]
    return seen


def see(a: int, b: int) -> bool:
    """Whether two cells are peers."""
    return bool(PEERS[a] >> b & 1)


class State:
    """Candidates by cell, by digit, and by house and digit (entry 9 * house + digit - 1: places);
    besides, how many cells of each house are empty and how many hold each digit."""

    def __init__(self) -> None:
        self.of_cell = [ALL] * 81
        self.of_digit = [BOARD] * 9
        self.of_house = [ALL] * 243
        self.empty = [9] * 27
        self.placed = [0] * 9
        self.unsolved = 81

    @classmethod
    def of(cls, puzzle: Sequence[int]) -> State:
        """The state of 81 digits, 0 for an empty cell."""
        state = cls()
        for cell, digit in enumerate(puzzle):
            if digit:
                state.place(9 * cell + digit - 1)
        return state

    def copy(self) -> State:
        """A copy whose candidates can be struck without changing this; it cannot be placed into."""
        other = State.__new__(State)
        other.of_cell = self.of_cell.copy()
        other.of_digit = self.of_digit.copy()
        other.of_house = self.of_house.copy()
        other.empty, other.placed, other.unsolved = self.empty, self.placed, self.unsolved
        return other

    def has(self, candidate: int) -> bool:
        return bool(self.of_cell[candidate // 9] >> candidate % 9 & 1)

    def strike(self, cell: int, digit: int) -> None:
        """Strike a candidate; `digit` counts from 0."""
        self.of_cell[cell] &= ~(1 << digit)
        self.of_digit[digit] &= ~(1 << cell)
        for house, place in WHERE[cell]:
            self.of_house[9 * house + digit] &= ~(1 << place)

    def strike_all(self, cell: int, digits: int) -> None:
        for digit in BITS[digits & self.of_cell[cell]]:
            self.strike(cell, digit)

    def place(self, candidate: int) -> None:
        cell, digit = divmod(candidate, 9)
        self.strike_all(cell, ALL)
        for peer in bits(PEERS[cell] & self.of_digit[digit]):
            self.strike(peer, digit)
        for house in HOUSE[cell]:
            self.empty[house] -= 1
        self.placed[digit] += 1
        self.unsolved -= 1
