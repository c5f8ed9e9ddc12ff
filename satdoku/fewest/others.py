"""Other grids: which cells of a grid can be filled in another way, while its other cells stay.

Invariant: every set of cells that comes out is unavoidable: it is the difference between the grid
and another grid under the same rules.

A set of cells is a number whose bit i stands for cell i, or, where the C code is asked, 16 bytes.
"""

from __future__ import annotations

from functools import lru_cache, partial
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..answers.session import Session
from ..certificates.hitting import (
    MAX_CELLS,
    Ask,
    Sets,
    as_bytes,
    as_cells,
    as_number,
    as_sets,
    numbers,
)
from ..model.board import mask_of
from ..model.constraints import Constraints
from ..model.grid import Grid

try:
    from . import _others
except ImportError:  # built without a compiler: sessions are asked
    COMPILED = False
else:
    COMPILED = True

_LARGEST = 18  # cells of the sets that are collected at the start
_GRIDS = 2000  # other grids to look at in each region
_MAX_DIGITS = 16  # of the C code


class Others:
    """The other grids of one grid, which obeys the rules.

    compiled: ask the C code. It knows rules whose names `--rules` takes, and no clues; for clues
    and without a compiler a session is asked.
    """

    def __init__(self, grid: Grid, session: Session, *, compiled: bool = COMPILED) -> None:
        self.grid, self.session = grid, session
        self.constraints = session.constraints
        self._tables = None
        if compiled and serves(self.constraints):
            cells = np.frombuffer(grid.cells, np.uint8) - 1
            self._tables = _others.tables(grid.board.size, cells, *_tables(self.constraints))

    @property
    def ask(self) -> Ask:
        """A function for `hitting.search`: some givens, and a set that they do not hit."""
        if self._tables is None:
            return self._ask_session
        return partial(_others.other, self._tables)

    def within(self, region: int) -> list[int]:
        """Unavoidable sets in a region, not all of them minimal."""
        if self._tables is None:
            return self._within_by_session(region, _GRIDS // 10)
        return numbers(_others.within(self._tables, as_bytes(region), _LARGEST, _GRIDS))

    def filling(self, cells: int) -> Grid:
        """Other digits for the cells of an unavoidable set, all other cells empty."""
        if self._tables is not None:
            digits = _others.filling(self._tables, as_bytes(cells))
        else:
            digits = self._filling_by_session(cells)
        if digits is None:
            raise ValueError(f"{as_cells(cells)}: no unavoidable set")
        return Grid(digits, self.grid.board)

    # By a session

    @property
    def _whole(self) -> int:
        return (1 << len(self.grid.cells)) - 1

    def _ask_session(self, givens: bytes) -> bytes | None:
        """A minimal set: each cell in turn stays as it is, if the others can still change."""
        other, needed = self._first_within(self._whole & ~as_number(givens)), 0
        while other & ~needed:
            left = other & ~needed
            cell = left & -left
            smaller = self._first_within(other & ~cell)
            other, needed = (smaller, needed) if smaller else (other, needed | cell)
        return as_bytes(other) if other else None

    def _filling_by_session(self, cells: int) -> bytes | None:
        for other in self.session.solutions(kept(self.grid, self._whole & ~cells), limit=2):
            if other != self.grid:
                pairs = zip(other.cells, self.grid.cells, strict=True)
                return bytes(theirs * (theirs != mine) for theirs, mine in pairs)
        return None

    def _first_within(self, region: int) -> int:
        return next(iter(self._within_by_session(region, 2)), 0)

    def _within_by_session(self, region: int, limit: int) -> list[int]:
        found = self.session.solutions(kept(self.grid, self._whole & ~region), limit=limit)
        return [cells for cells in map(self._difference, found) if cells]

    def _difference(self, other: Grid) -> int:
        pairs = enumerate(zip(self.grid.cells, other.cells, strict=True))
        return sum(1 << cell for cell, (mine, theirs) in pairs if mine != theirs)


def small_sets(others: Others) -> Sets:
    """Minimal unavoidable sets of two or three digits, of two lines or boxes, and of thirds of the
    board. Others are found by asking; to collect larger ones first takes longer than
    it saves."""
    found = {cells for region in _regions(others.grid) for cells in others.within(region)}
    minimal: list[int] = []
    for cells in sorted(found, key=lambda cells: (cells.bit_count(), cells)):
        if all(known & ~cells for known in minimal):
            minimal.append(cells)
    return as_sets(minimal)


def thirds(grid: Grid, *, columns: bool) -> list[int]:
    """The third of the rows, or of the columns, in which each cell lies: 0 to 2."""
    size = grid.board.size
    return [3 * (cell % size if columns else cell // size) // size for cell in range(size * size)]


def _regions(grid: Grid) -> list[int]:
    board = grid.board
    digits = [mask_of(c for c, d in enumerate(grid.cells) if d == n) for n in set(grid.cells)]
    kinds = [list(map(mask_of, kind)) for kind in (board.rows, board.columns, board.boxes)]
    regions = [sum(three) for three in combinations(digits, 3)]
    for kind in (digits, *kinds):
        regions += [one | other for one, other in combinations(kind, 2)]
    for columns in (False, True):
        part = thirds(grid, columns=columns)
        regions += [mask_of(c for c, p in enumerate(part) if p == n) for n in range(3)]
    return regions


def kept(grid: Grid, cells: int) -> Grid:
    """The puzzle that gives these cells of a grid."""
    digits = bytes(d if cells >> c & 1 else 0 for c, d in enumerate(grid.cells))
    return Grid(digits, grid.board)


def serves(constraints: Constraints) -> bool:
    """Whether the C code knows these rules and has room for the board."""
    board = constraints.board
    small = board.cells <= MAX_CELLS and board.size <= _MAX_DIGITS
    return COMPILED and small and not constraints.clue_texts


@lru_cache(maxsize=16)
def _tables(
    constraints: Constraints,
) -> tuple[NDArray[np.int32], NDArray[np.uint8], NDArray[np.uint16], NDArray[np.uint8]]:
    """What the rules say, as `c/others.h` wants it: kill starts, cells and digits, and houses."""
    n, cells = constraints.board.size, constraints.board.cells
    kills = np.zeros((constraints.variables, cells), np.uint16)
    a, b = np.array(constraints.exclusions).T
    for one, other in ((a, b), (b, a)):
        np.bitwise_or.at(kills, (one, other // n), (1 << other % n).astype(np.uint16))
    candidates = np.arange(constraints.variables)
    kills[candidates, candidates // n] = 0
    candidate, cell = np.nonzero(kills)
    starts = np.searchsorted(candidate, np.arange(constraints.variables + 1))
    return (
        starts.astype(np.int32),
        cell.astype(np.uint8),
        kills[candidate, cell],
        _houses(constraints),
    )


def _houses(constraints: Constraints) -> NDArray[np.uint8]:
    """(H, size): cells that hold every digit once; digit 1 stands for all digits."""
    n = constraints.board.size
    first = {
        tuple(c // n for c in group)
        for group in constraints.groups
        if not any(c % n for c in group)
    }
    return np.array(sorted(cells for cells in first if len(set(cells)) == n), np.uint8).reshape(
        -1, n
    )
