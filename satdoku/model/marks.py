"""The pencil marks that a solver by hand starts with.

Invariant: a digit is struck from a cell only because some given alone excludes it there.
"""

from __future__ import annotations

from .constraints import Constraints
from .grid import GridLike
from .puzzle import as_puzzle


def pencil_marks(
    puzzle: GridLike, rules: str | Constraints = "classic"
) -> tuple[frozenset[int], ...]:
    """For each cell the digits that no given excludes; a given's cell has that digit only.

    The true candidates, what solutions have there, are among them: `satdoku.candidates`.
    """
    grid, constraints = as_puzzle(puzzle, rules)
    size = constraints.board.size
    given = {size * cell + digit - 1 for cell, digit in enumerate(grid) if digit}
    exclusions = constraints.exclusions
    struck = {b for a, b in exclusions if a in given} | {a for a, b in exclusions if b in given}
    struck -= given
    return tuple(
        frozenset(digit + 1 for digit in range(size) if size * cell + digit not in struck)
        for cell in range(constraints.board.cells)
    )
