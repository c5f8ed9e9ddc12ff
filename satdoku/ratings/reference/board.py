"""Cells, houses and peers of the classic board, the candidates that are left of a puzzle, and the
steps that take some away.

Invariant: houses 0-8 are boxes, 9-17 rows, 18-26 columns, each with its nine places in reading
order. Sets are ints: bit 9 r + c of a set of cells, bit d - 1 of a set of digits, bit i for place i
of a house. Candidate 9 * cell + digit - 1 says that a digit is in a cell. The three views that a
`State` keeps of its candidates say the same, and a cell with a digit has no candidates.

A step places one candidate, or strikes at least one, or both. Struck candidates are in the order in
which the pattern meets them, each cell once. Ratings are the published ones; where they are sums,
they are added as floats in the published order, because ties between ratings of different
techniques depend on their last bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import NamedTuple

from ...model.board import bits

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


class Technique(IntEnum):
    """Numbers of techniques, from the easiest on; `TECHNIQUES` has their words."""

    LAST_DIGIT = 0
    HIDDEN_SINGLE = 1
    DIRECT_POINTING = 2
    DIRECT_CLAIMING = 3
    DIRECT_HIDDEN_PAIR = 4
    NAKED_SINGLE = 5
    DIRECT_HIDDEN_TRIPLET = 6
    POINTING = 7
    CLAIMING = 8
    NAKED_PAIR = 9
    X_WING = 10
    HIDDEN_PAIR = 11
    NAKED_TRIPLET = 12
    SWORDFISH = 13
    HIDDEN_TRIPLET = 14
    SKYSCRAPER = 15
    TWO_STRING_KITE = 16
    STRONG_LINKS_2 = 17
    XY_WING = 18
    XYZ_WING = 19
    UNIQUE_RECTANGLE = 20
    UNIQUE_LOOP = 21
    NAKED_QUAD = 22
    JELLYFISH = 23
    HIDDEN_QUAD = 24
    STRONG_LINKS_3 = 25
    WXYZ_WING = 26
    BUG = 27
    STRONG_LINKS_4 = 28
    VWXYZ_WING = 29
    ALIGNED_PAIR = 30
    UVWXYZ_WING = 31
    X_CYCLE = 32
    Y_CYCLE = 33
    XY_CYCLE = 34
    FORCING_X_CHAIN = 35
    FORCING_CHAIN = 36
    TUVWXYZ_WING = 37
    ALIGNED_TRIPLET = 38
    NISHIO = 39
    CELL_FORCING = 40
    REGION_FORCING = 41
    DOUBLE_FORCING = 42
    CONTRADICTION = 43


class Cause(IntEnum):
    ASSUMED = 0
    CELL = 1
    BOX = 2
    ROW = 3
    COLUMN = 4
    PATTERN = 5


class ChainLink(NamedTuple):
    """A candidate of a chain that holds or leaves because of others; an assumption has none."""

    candidate: int
    holds: bool
    cause: Cause
    parents: tuple[int, ...]  # numbers of links of the same chain


Struck = tuple[tuple[int, int], ...]  # cells, and the digits that leave each


class Step(NamedTuple):
    technique: Technique
    rating: float
    level: int = 0  # chains: 0 plain to 4 nested dynamic; unique loops and BUG: their type, 1 to 4
    placed: int | None = None  # candidate
    struck: Struck = ()
    cells: int = 0  # of the pattern
    digits: int = 0
    houses: tuple[int, ...] = ()  # sets: the house; intersections and fish: base, cover in turn
    chains: tuple[tuple[ChainLink, ...], ...] = ()  # each from its end backwards

    def apply(self, state: State) -> None:
        for cell, digits in self.struck:
            state.strike_all(cell, digits)
        if self.placed is not None:
            state.place(self.placed)


def struck_in(cells: int, digit: int) -> Struck:
    """One digit (from 0) leaves cells."""
    return tuple((cell, 1 << digit) for cell in bits(cells))


def struck_together(parts: Iterable[Struck]) -> Struck:
    """Several conclusions as one: each cell once, where it is met first."""
    together: dict[int, int] = {}
    for cell, digits in (entry for part in parts for entry in part):
        together[cell] = together.get(cell, 0) | digits
    return tuple(together.items())
