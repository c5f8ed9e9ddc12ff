"""A puzzle together with the constraints it is to be solved under.

Law: both are on one board.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .grid import Grid, as_grid
from .rules import Constraints, constraints, tells_board


class Question(NamedTuple):
    """A puzzle and its constraints."""

    grid: Grid
    law: Constraints


def as_question(
    puzzle: str | Grid | Iterable[int], rules: str | Constraints = "classic"
) -> Question:
    """The question that a puzzle and a rule set ask; the rules tell the board if they have one."""
    if tells_board(rules):
        law = constraints(rules)
        return Question(as_grid(puzzle, law.board), law)
    grid = as_grid(puzzle)
    return Question(grid, constraints(rules, grid.board))
