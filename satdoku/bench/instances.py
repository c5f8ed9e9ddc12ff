"""What bench asks: a puzzle with all its solutions, in a mode; and whether the answer is right.

Invariant: an instance knows all its solutions before a backend is timed on it, so no answer passes
unchecked: it is compared with them and checked by `verify`, and what a backend says of its own
answer is not read. This module loads no solver: a child that measures imports it.
"""

from __future__ import annotations

from typing import NamedTuple

from ..answers.query import candidates_of
from ..crosscheck.answers import Answer
from ..crosscheck.backends import Backend
from ..model.board import Board
from ..model.constraints import Constraints, constraints_for, whole
from ..model.grid import Grid
from ..model.puzzle import Puzzle, digits_of
from ..runtime.errors import SatdokuError, Status, counted
from ..witness.verify import solves

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
        return whole(constraints_for(self.rules, self.board))


def modes_of(backend: Backend) -> tuple[str, ...]:
    """The modes that mean something to the backend: some need a query that gains from another."""
    return tuple(MODES) if backend.incremental else _STATELESS_MODES


def status_of(mode: str, answer: Answer, constraints: Constraints) -> Status:
    """The answer in a word; true candidates tell it too: one a cell in a unique puzzle."""
    if answer.candidates is not None:
        found = len(answer.candidates) / constraints.board.cells
        return Status.NONE if not found else Status.UNIQUE if found == 1 else Status.MULTIPLE
    if mode in (ONESHOT, INCREMENTAL):
        return Status.SOLVED if answer.solutions else Status.NONE
    return (Status.NONE, Status.UNIQUE, Status.MULTIPLE)[min(len(answer.solutions), 2)]


def fault(mode: str, instance: Instance, constraints: Constraints, answer: Answer) -> str | None:
    """What is wrong with the answer, in words; None if it is right."""
    for cells in answer.solutions:
        if not solves(Grid(cells, constraints.board), instance.puzzle, constraints.rules):
            return f"{Grid(cells, constraints.board)} is no solution"
        if struck := _struck(cells, instance, constraints):
            return f"{Grid(cells, constraints.board)} holds {struck}, which is struck"
    if len(set(answer.solutions)) != len(answer.solutions):
        return "the same solution twice"
    if mode == CANDIDATES:
        return _wrong_candidates(instance, answer)
    return _wrong_number(mode, instance, len(answer.solutions))


def _struck(cells: bytes, instance: Instance, constraints: Constraints) -> str | None:
    n = constraints.board.size
    for candidate in instance.struck:
        cell, digit = divmod(candidate, n)
        if cells[cell] == digit + 1:
            return f"{constraints.board.name_of(cell)}={digit + 1}"
    return None


def _wrong_number(mode: str, instance: Instance, found: int) -> str | None:
    """Every solution found is one; so with the right number of them, they are the right ones."""
    if instance.solutions is None:
        wanted, words = (1, "1") if mode in (ONESHOT, INCREMENTAL) else (2, "2 or more")
    else:
        limit = {ONESHOT: 1, INCREMENTAL: 1}.get(mode, 2)
        exact = mode in (ENUMERATE, PARALLEL)
        wanted = len(instance.solutions) if exact else min(limit, len(instance.solutions))
        words = str(wanted)
    return None if found == wanted else f"{counted(found, 'solution')} found, {words} expected"


def _wrong_candidates(instance: Instance, answer: Answer) -> str | None:
    true = {c for solution in instance.solutions or () for c in candidates_of(solution)}
    claimed = answer.candidates or frozenset()
    if claimed == true:
        return None
    return f"{len(true - claimed)} true candidates missing, {len(claimed - true)} false ones"
