"""A puzzle together with the constraints it is to be solved under.

Invariant: both are on one board.
"""

from __future__ import annotations

from typing import NamedTuple

from .constraints import Constraints, constraints_for, tells_board
from .grid import Grid, GridLike, as_grid


class Puzzle(NamedTuple):
    """A puzzle and its constraints."""

    grid: Grid
    constraints: Constraints


def as_puzzle(puzzle: GridLike, rules: str | Constraints = "classic") -> Puzzle:
    """The question that a puzzle and a rule set ask; the rules tell the board if they have one."""
    if tells_board(rules):
        constraints = constraints_for(rules)
        return Puzzle(as_grid(puzzle, constraints.board), constraints)
    grid = as_grid(puzzle)
    return Puzzle(grid, constraints_for(rules, grid.board))
