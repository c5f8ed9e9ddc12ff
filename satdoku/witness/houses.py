"""Whole grids against their houses: complete, with all givens, and every house holds every digit.

Invariant: C, numpy and plain Python give the same answers. The C extension is optional: without a
compiler at install time numpy checks collections, and Python checks single grids.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING

from ..model.board import MAX_SIZE, Board, Cells

try:
    from . import _houses
except ImportError:  # built without a compiler
    AVAILABLE = False
else:
    AVAILABLE = True

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BLOCK = 4096  # grids that numpy checks at once, so that their bits stay in the cache


class Houses:
    """The houses of a board, each of as many cells as there are digits."""

    def __init__(self, board: Board, houses: Iterable[Cells]) -> None:
        self.board, self.cells = board, tuple(houses)
        self._compiles = AVAILABLE and board.size <= MAX_SIZE  # which is what the C code holds
        if self._compiles:
            members = array("i", chain.from_iterable(self.cells))
            self._compiled = _houses.houses(board.size, members)

    def kept(self, solutions: bytes | bytearray, puzzles: bytes | bytearray) -> bool:
        """Whether every solution, one grid after the other, is complete, has all givens of its
        puzzle, and every digit in every house."""
        cells = self.board.cells
        count = len(solutions) // cells
        if not (AVAILABLE and self._compiles):
            parts = (slice(start, start + cells) for start in range(0, len(solutions), cells))
            return all(self._kept(solutions[part], puzzles[part]) for part in parts)
        good = bytearray(count)
        asked, found = (
            memoryview(grids).cast("B", (count, cells)) for grids in (puzzles, solutions)
        )
        _houses.check(self._compiled, asked, found, good)
        return 0 not in good

    def _kept(self, solution: bytes | bytearray, puzzle: bytes | bytearray) -> bool:
        """The same for one grid, in Python."""
        digits = set(range(1, self.board.size + 1))
        return (
            digits.issuperset(solution)
            and all(given in (0, digit) for given, digit in zip(puzzle, solution, strict=True))
            and all(digits.issubset(itemgetter(*house)(solution)) for house in self.cells)
        )

    def kept_by(
        self, solutions: NDArray[np.uint8], puzzles: NDArray[np.uint8]
    ) -> NDArray[np.bool_]:
        """`kept` for arrays: takes (N, cells) uint8 solutions and puzzles and returns (N,) bool."""
        import numpy as np

        if not (AVAILABLE and self._compiles):
            return self._kept_by(solutions, puzzles)
        good = np.empty(len(solutions), np.uint8)
        asked, found = np.ascontiguousarray(puzzles), np.ascontiguousarray(solutions)
        _houses.check(self._compiled, asked, found, good)
        return good.view(np.bool_)

    def _kept_by(
        self, solutions: NDArray[np.uint8], puzzles: NDArray[np.uint8]
    ) -> NDArray[np.bool_]:
        """The same in numpy."""
        import numpy as np

        good = np.empty(len(solutions), dtype=np.bool_)
        for start in range(0, len(solutions), BLOCK):
            part = slice(start, start + BLOCK)
            good[part] = self._filled(solutions[part])
            lost = (puzzles[part] != solutions[part]) & (puzzles[part] != 0)
            if lost.any():  # rare, so skip the slow reduction by rows
                good[part] &= ~lost.any(axis=1)
        return good

    def _filled(self, solutions: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Whether each grid of a block is complete and has every digit in every house, (N,) bool.

        Each row of the transposed array holds one cell of all grids, so each step is one long
        operation on all grids. A house is good if the union of its digits, as bits, is all digits.
        """
        import numpy as np

        size = self.board.size
        digits = solutions.T.copy()  # `ascontiguousarray` would not copy that of a single row
        digits[digits > size] = 0  # bit 0 is not a digit
        bits = np.left_shift(1, digits, dtype=np.uint32 if size > 15 else np.uint16)
        good: NDArray[np.bool_] = np.all(digits, axis=0)
        for house in self.cells:
            union = bits[house[0]].copy()
            for cell in house[1:]:
                union |= bits[cell]
            good &= union == (1 << (size + 1)) - 2
        return good
