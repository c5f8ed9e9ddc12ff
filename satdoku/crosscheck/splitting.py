"""A puzzle split into puzzles with one more given each.

Invariant: the parts are disjoint and together the puzzle: each of its solutions is one of exactly
one part.
"""

from __future__ import annotations

from ..model.constraints import Constraints
from ..model.grid import Grid
from ..model.marks import pencil_marks


def split(puzzle: Grid, constraints: Constraints) -> list[Grid]:
    """The puzzle with each digit of the cell that has the fewest left, at least two.

    A digit is left unless a given excludes it. No part if a cell has no digit left; the puzzle
    itself if every cell has one.
    """
    digits = pencil_marks(puzzle, constraints)
    if not all(digits):
        return []
    choices = [(len(each), cell) for cell, each in enumerate(digits) if len(each) > 1]
    if not choices:
        return [puzzle]
    _, cell = min(choices)
    return [_with_given(puzzle, cell, digit) for digit in sorted(digits[cell])]


def _with_given(puzzle: Grid, cell: int, digit: int) -> Grid:
    cells = bytearray(puzzle.cells)
    cells[cell] = digit
    return Grid(bytes(cells), puzzle.board)
