"""What bench asks: a puzzle with all its solutions, in a mode.

Invariant: an instance knows all its solutions before a backend is timed on it, so no answer passes
unchecked. This module loads no solver: a child that measures imports it.
"""

from __future__ import annotations

from typing import NamedTuple

from ..crosscheck.backends.protocol import Backend
from ..errors import SatdokuError
from ..model.board import Board
from ..model.constraints import Constraints, constraints_for
from ..model.grid import Grid
from ..model.puzzle import Puzzle, digits_of

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
_STATELESS_MODES = (ONESHOT, UNIQUENESS, ENUMERATE)
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

    def under(self, constraints: Constraints) -> Puzzle:
        """The part of it that a backend gets."""
        struck = frozenset(self.struck)
        marks = bytes(i not in struck for i in range(constraints.variables))
        digits = digits_of(marks, constraints.board.size) if struck else None
        return Puzzle(self.puzzle, constraints, digits)

    def permits(self, mode: str) -> bool:
        """Whether the mode's answer can be checked: some modes ask for all solutions."""
        return self.solutions is not None or mode in (ONESHOT, INCREMENTAL, UNIQUENESS)


class Task(NamedTuple):
    """Puzzles of one rule set and board, and the modes that are worth measuring on them.

    source: how to get the same puzzles: how they were made, or the digest of their file.
    """

    name: str
    rules: str
    board: Board
    instances: tuple[Instance, ...]
    modes: tuple[str, ...]
    source: str = ""

    @property
    def constraints(self) -> Constraints:
        return constraints_for(self.rules, self.board)


def modes_of(backend: Backend) -> tuple[str, ...]:
    """The modes that mean something to the backend: some need a query that gains from another."""
    return tuple(MODES) if backend.incremental else _STATELESS_MODES
