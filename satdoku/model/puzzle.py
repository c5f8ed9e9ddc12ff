"""A puzzle together with the constraints that its solutions must satisfy.

Invariant: the grid and the constraints have the same board.
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
    """A puzzle and a rule set as a `Puzzle`; the board is that of the rules if they fix one."""
    if tells_board(rules):
        constraints = constraints_for(rules)
        return Puzzle(as_grid(puzzle, constraints.board), constraints)
    grid = as_grid(puzzle)
    constraints = constraints_for(rules, grid.board)
    return Puzzle(as_grid(grid, constraints.board), constraints)
