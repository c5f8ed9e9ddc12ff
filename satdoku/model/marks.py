"""The pencil marks with which a person starts to solve a puzzle.

Invariant: a digit is missing from a cell's marks only if a single given, or a clue by itself,
excludes it there.
"""

from __future__ import annotations

from .constraints import RulesLike
from .grid import GridLike
from .puzzle import on_board


def pencil_marks(puzzle: GridLike, rules: RulesLike = "classic") -> tuple[frozenset[int], ...]:
    """For each cell, the digits that no given and no clue by itself excludes; a given cell has only
    its digit.

    The marks include every digit that a solution has in the cell. `satdoku.candidates` gives
    exactly those digits.
    """
    grid, constraints = on_board(puzzle, rules)
    size = constraints.board.choices
    given = {size * cell + digit - 1 for cell, digit in enumerate(grid) if digit}
    exclusions = constraints.exclusions
    struck = {b for a, b in exclusions if a in given} | {a for a, b in exclusions if b in given}
    struck |= {a for a, b in constraints.pairs if a == b}
    struck -= given
    return tuple(
        frozenset(digit + 1 for digit in range(size) if size * cell + digit not in struck)
        for cell in range(constraints.board.cells)
    )
