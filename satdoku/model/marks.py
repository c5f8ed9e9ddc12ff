"""The pencil marks with which a person starts to solve a puzzle.

Invariant: a digit is missing from a cell's marks only if a single given, or a clue by itself,
excludes it there.
"""

from __future__ import annotations

from collections.abc import Iterable

from .constraints import Constraints
from .grid import Grid, GridLike
from .puzzle import as_puzzle


def pencil_marks(
    puzzle: GridLike, rules: str | Constraints = "classic"
) -> tuple[frozenset[int], ...]:
    """For each cell, the digits that no given and no clue by itself excludes; a given cell has only
    its digit.

    The marks include every digit that a solution has in the cell. `satdoku.candidates` gives
    exactly those digits.
    """
    grid, constraints = as_puzzle(puzzle, rules)
    size = constraints.board.size
    given = {size * cell + digit - 1 for cell, digit in enumerate(grid) if digit}
    exclusions = constraints.exclusions
    struck = {b for a, b in exclusions if a in given} | {a for a, b in exclusions if b in given}
    struck |= {a for a, b in constraints.pairs if a == b}
    struck -= given
    return tuple(
        frozenset(digit + 1 for digit in range(size) if size * cell + digit not in struck)
        for cell in range(constraints.board.cells)
    )


def mark_bytes(grid: Grid, marks: Iterable[frozenset[int]]) -> bytes:
    """A byte a candidate (cell-major, digit 1 first), 0 where givens or marks exclude it.

    marks: for each cell the digits that it may hold. A given that its cell's marks lack leaves the
    cell no digit, so that the puzzle has no solution.
    """
    digits = range(1, grid.board.size + 1)
    cells = zip(grid, marks, strict=True)
    return bytes(d in allowed and given in (0, d) for given, allowed in cells for d in digits)
