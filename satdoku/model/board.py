"""Geometry of a board: which cells share a row, a column, a box, or a chess move.

Invariant: everything here follows from three numbers (size, box height, box width) or from a region
map. This module knows no digits and no rules. Cells are 0-based and row-major. Where a set of small
numbers (cells, candidates, states) is the bits of an integer, bit k stands for the number k.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations, product
from math import isqrt

from ..runtime.errors import SatdokuError

Cells = tuple[int, ...]
CellPair = tuple[int, int]

MIN_SIZE, MAX_SIZE = 2, 25
LARGEST = 256  # of boards that have houses alone, which only some parts take: `Board.is_large`
# Why other boards are refused; docs/RULES.md ("Boards") says more.
NOT_SQUARE = "a board has as many columns as rows, and each holds every digit once"
FROM_ZERO = "digits begin with 1, as 0 is an empty cell: add 1 to each, and n to a sum of n cells"
OTHER_DIGITS = "a board has as many digits as rows, and each row holds every digit once"
REGION_LABELS = "0123456789abcdefghijklmnopqrstuvwxyz"  # the labels of the region maps we write


class BoardError(SatdokuError):
    """A board that cannot exist: no boxes fit its size, or its region map is not a partition."""


@dataclass(frozen=True)
class Board:
    """A size x size board cut into boxes of box_rows x box_columns cells, or into regions.

    `regions` holds the region index (0..size-1) of each cell, row-major. If it is set (jigsaw), the
    regions replace the boxes, and box_rows and box_columns are ignored. Boxes of one row or column
    would repeat the rows or columns: such a board has no boxes, and its grids are Latin squares.
    All boards of a size without boxes are equal.
    """

    size: int = 9
    box_rows: int = 3
    box_columns: int = 3
    regions: Cells | None = None

    def __post_init__(self) -> None:
        if not MIN_SIZE <= self.size <= LARGEST:
            raise BoardError(f"board size {self.size}: expected {MIN_SIZE} to {LARGEST}")
        if self.regions is None:
            sides = self.box_rows, self.box_columns
            if min(sides) < 1 or self.box_rows * self.box_columns != self.size:
                raise BoardError(f"boxes of {self.box_shape} cells do not hold {self.size} digits")
            if self.box_columns == 1:
                object.__setattr__(self, "box_rows", 1)
                object.__setattr__(self, "box_columns", self.size)
            return
        if self.is_large:
            raise BoardError(f"{self.in_words}: expected regions up to {MAX_SIZE}x{MAX_SIZE} only")
        if len(self.regions) != self.cells:
            raise BoardError(f"region map of {len(self.regions)} cells: expected {self.cells}")
        for region in range(self.size):
            count = self.regions.count(region)
            if count != self.size:
                raise BoardError(f"region {region + 1} has {count} cells: expected {self.size}")

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle only the four fields, not the values computed from them."""
        return type(self), (self.size, self.box_rows, self.box_columns, self.regions)

    @staticmethod
    def of_size(size: int) -> Board:
        """The usual board of a size: boxes as square as possible, never taller than wide.

        No boxes if none of two rows or more fit (5x5, 7x7). Raises `BoardError` for a size out of
        range.
        """
        return _usual_board(size)

    @staticmethod
    def latin(size: int) -> Board:
        """The board of a size without boxes; raises `BoardError`."""
        return Board(size, 1, size)

    @staticmethod
    def of_map(region_map: str) -> Board:
        """The board of a region map, which has one character per cell and one label per region.

        Regions are numbered in the order of their first cells. Raises `BoardError`.
        """
        size = round(len(region_map) ** 0.5)
        if size * size != len(region_map):
            found = f"region map of {len(region_map)} characters"
            raise BoardError(f"{found}: expected one for each cell")
        index = {label: i for i, label in enumerate(dict.fromkeys(region_map))}
        if len(index) != size:
            raise BoardError(f"region map with {len(index)} regions: expected {size}")
        return Board(size, regions=tuple(index[label] for label in region_map))

    @property
    def region_map(self) -> str:
        """The map that `of_map` reads back, one label per cell; empty if the board has boxes."""
        return "".join(REGION_LABELS[region] for region in self.regions or ())

    @property
    def box_shape(self) -> str:
        """Rows x columns of a box: `3x3`."""
        return f"{self.box_rows}x{self.box_columns}"

    @property
    def with_boxes(self) -> Board:
        """The board of boxes whose cells the regions are, or itself if no boxes are so."""
        n = self.size
        shapes = (Board(n, height, n // height) for height in range(2, n) if n % height == 0)
        return next((board for board in shapes if {*board.boxes} == {*self.boxes}), self)

    @property
    def in_words(self) -> str:
        """For messages: `a board of 9x9 with boxes of 3x3`."""
        boxes = f"with boxes of {self.box_shape}"
        rest = "with regions" if self.regions else boxes if self.has_boxes else "without boxes"
        return f"a board of {self.size}x{self.size} {rest}"

    @property
    def is_large(self) -> bool:
        """Whether it is beyond 25x25: then digits and cells do not fit into the words of most
        parts, which refuse it (`too_large`)."""
        return self.size > MAX_SIZE

    @property
    def cells(self) -> int:
        """Number of cells, size squared."""
        return self.size * self.size

    @property
    def variables(self) -> int:
        """Number of candidates (cell, digit), size cubed."""
        return self.size**3

    @property
    def has_boxes(self) -> bool:
        """Whether there are boxes, or regions in their place."""
        return self.regions is not None or self.box_rows > 1

    @cached_property
    def rows(self) -> tuple[Cells, ...]:
        n = self.size
        return tuple(tuple(range(n * r, n * r + n)) for r in range(n))

    @cached_property
    def columns(self) -> tuple[Cells, ...]:
        n = self.size
        return tuple(tuple(range(c, n * n, n)) for c in range(n))

    @cached_property
    def boxes(self) -> tuple[Cells, ...]:
        """The boxes, left to right and top to bottom; with a region map, the regions by index.

        Empty if there are none.
        """
        if not self.has_boxes:
            return ()
        members: list[list[int]] = [[] for _ in range(self.size)]
        for cell in range(self.cells):
            members[self.box_of(cell)].append(cell)
        return tuple(map(tuple, members))

    @cached_property
    def houses(self) -> tuple[Cells, ...]:
        """Rows, columns and boxes, in this order (27 on the 9x9 board)."""
        return self.rows + self.columns + self.boxes

    @cached_property
    def peers(self) -> tuple[frozenset[int], ...]:
        """For each cell, the other cells that share a house with it (20 on the 9x9 board)."""
        peers: list[set[int]] = [set() for _ in range(self.cells)]
        for house in self.houses:
            for a, b in combinations(house, 2):
                peers[a].add(b)
                peers[b].add(a)
        return tuple(map(frozenset, peers))

    def box_of(self, cell: int) -> int:
        """Index of the box (or region) that holds the cell; 0 for every cell if there are none."""
        if self.regions is not None:
            return self.regions[cell]
        if not self.has_boxes:
            return 0
        row, column = divmod(cell, self.size)
        return row // self.box_rows * self.box_rows + column // self.box_columns

    def leaps(self, steps: Iterable[tuple[int, int]]) -> tuple[CellPair, ...]:
        """Pairs of cells (low, high) that are one of the (down, right) steps apart, each pair once.

        Give each step in one direction only: downwards, or rightwards within a row.
        """
        n = self.size
        return tuple(
            (n * row + column, n * (row + down) + column + right)
            for row in range(n)
            for column in range(n)
            for down, right in steps
            if row + down < n and 0 <= column + right < n
        )

    @cached_property
    def knight_pairs(self) -> tuple[CellPair, ...]:
        """Pairs a chess knight's move apart (224 on the 9x9 board)."""
        return self.leaps(((1, -2), (1, 2), (2, -1), (2, 1)))

    @cached_property
    def king_pairs(self) -> tuple[CellPair, ...]:
        """Pairs that touch at a corner only (128 on the 9x9 board)."""
        return self.leaps(((1, -1), (1, 1)))

    @cached_property
    def adjacent_pairs(self) -> tuple[CellPair, ...]:
        """Pairs that share an edge (144 on the 9x9 board)."""
        return self.leaps(((0, 1), (1, 0)))

    def name_of(self, cell: int) -> str:
        """The cell as a person reads it, 1-based: r5c3."""
        return _names(self.size)[cell]

    @property
    def cell_named(self) -> dict[str, int]:
        """Each cell by its `name_of`."""
        return _cells_by_name(self.size)


@cache
def _names(size: int) -> tuple[str, ...]:
    return tuple(f"r{row}c{column}" for row, column in product(range(1, size + 1), repeat=2))


@cache
def _cells_by_name(size: int) -> dict[str, int]:
    return {name: cell for cell, name in enumerate(_names(size))}


@cache
def _usual_board(size: int) -> Board:
    return Board(size, *usual_box(size))


def usual_box(size: int) -> tuple[int, int]:
    """Rows and columns of the box as square as possible, never taller than wide; one row if no
    other fits."""
    height = max((h for h in range(2, isqrt(max(size, 0)) + 1) if size % h == 0), default=1)
    return height, size // height


def board_for(cells: int) -> Board | None:
    """The usual board with that many cells, or None if there is none.

    A board without boxes has to be asked for: 25 or 49 characters are seldom meant as one.
    """
    size = round(cells**0.5)
    if size * size != cells or not 4 <= size <= MAX_SIZE:
        return None
    board = Board.of_size(size)
    return board if board.has_boxes else None


def too_large(board: Board) -> BoardError:
    """What is said of a large board where only others are taken."""
    found, most = f"a board of {board.size}x{board.size}", f"{MAX_SIZE}x{MAX_SIZE}"
    return BoardError(f"{found}: expected at most {most} here (docs/LARGE.md says what takes it)")


def mask_of(members: Iterable[int]) -> int:
    """The set of these numbers."""
    mask = 0
    for member in members:
        mask |= 1 << member
    return mask


def bits(mask: int) -> Iterator[int]:
    """The members of a set, ascending."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
