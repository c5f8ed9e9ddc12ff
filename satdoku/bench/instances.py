"""What is asked in the lab: a puzzle with all its solutions, in a mode.

Invariant: an instance knows the whole truth about itself before anyone is timed on it, so that no
answer passes unchecked. This module loads no solver: a child that measures imports it.
"""

from __future__ import annotations

from typing import NamedTuple

from ..errors import SatdokuError
from ..model.board import Board
from ..model.constraints import Constraints, constraints_for
from ..model.grid import Grid

ONESHOT, INCREMENTAL, UNIQUENESS = "oneshot", "incremental", "uniqueness"
ENUMERATE, CANDIDATES, PARALLEL = "enumerate", "candidates", "parallel"
MODES = {
    ONESHOT: "a solution, by a solver built for the puzzle",
    INCREMENTAL: "a solution, by one solver for all puzzles, givens as assumptions",
    UNIQUENESS: "two solutions, or a proof that there are no two",
    ENUMERATE: "all solutions",
    CANDIDATES: "the true candidates: each cell's digits over all solutions",
    PARALLEL: "all solutions, cut into cubes over processes",
}
MOST_SOLUTIONS = 1000  # an instance with more does not list them


class TaskError(SatdokuError):
    """A task that is unknown, or a file that holds no puzzle for one."""


class Instance(NamedTuple):
    """One puzzle: givens, struck candidates (0-based), and all its solutions.

    solutions is None where there are more than MOST_SOLUTIONS.
    """

    name: str
    puzzle: Grid
    struck: tuple[int, ...]
    solutions: frozenset[bytes] | None

    def permits(self, mode: str) -> bool:
        """Whether the mode's answer can be told from a wrong one: some ask for all solutions."""
        return self.solutions is not None or mode in (ONESHOT, INCREMENTAL, UNIQUENESS)


class Task(NamedTuple):
    """Puzzles of one rule set and board, and the modes that are worth a look on them."""

    name: str
    rules: str
    board: Board
    instances: tuple[Instance, ...]
    modes: tuple[str, ...]

    @property
    def constraints(self) -> Constraints:
        return constraints_for(self.rules, self.board)


def marks_of(instance: Instance) -> bytes:
    """A byte a candidate, 0 where it is struck."""
    struck = frozenset(instance.struck)
    return bytes(candidate not in struck for candidate in range(instance.puzzle.board.variables))
