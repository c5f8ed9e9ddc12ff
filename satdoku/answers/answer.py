"""The answer to one puzzle: by the kernel at once, by the engine and a session in turn, or by
another program.

Invariant: a returned solution is verified, and a puzzle whose givens clash is INVALID.
"""

from __future__ import annotations

from contextlib import closing
from typing import NamedTuple

from ..cnf.encodings import DEFAULT_ENCODING
from ..engine.single import solve_one
from ..model.grid import Grid
from ..model.puzzle import Puzzle
from ..runtime import limits
from ..runtime.errors import Status
from ..witness.verify import first_violation
from .query import Query
from .session import verified
from .sides import ENGINE
from .solver import DEFAULT_SOLVER
from .turns import decide, in_turn, is_usual


class Answer(NamedTuple):
    """A status, a verified solution if one is known, and what has decided the puzzle: `engine`, or
    the name of a solver or a program, empty if nothing has, or if its givens clash."""

    status: Status
    solution: Grid | None
    by: str


def answer(
    puzzle: Puzzle,
    *,
    limit: int = 2,
    solver: str = DEFAULT_SOLVER,
    encoding: str = DEFAULT_ENCODING,
    conflicts: int | None = None,
    alone: bool = False,
) -> Answer:
    """`turns.decide` of a puzzle: verified, and INVALID if givens clash."""
    found = None
    if is_usual(solver, encoding, conflicts) and not alone and puzzle.marks is None:
        found = solve_one(puzzle.grid.cells, puzzle.constraints, limit)
    if found is not None:
        return _checked(puzzle, found[0], None if found[0] is Status.NONE else found[1], ENGINE)
    status, cells, by, _ = decide(
        puzzle,
        limit=limit,
        solver=solver,
        encoding=encoding,
        conflicts=conflicts,
        alone=alone,
    )
    return _checked(puzzle, status, cells, by)


def answer_of(query: Query, puzzle: Puzzle) -> Answer:
    """`answer` by a query alone, which was opened with the puzzle and is closed."""
    with closing(query):
        status, cells, by, _ = in_turn([query])
    return _checked(puzzle, status, cells, by)


def _checked(puzzle: Puzzle, status: Status, cells: bytes | None, by: str) -> Answer:
    grid = puzzle.grid
    if status is Status.NONE and first_violation(grid, puzzle.constraints.rules):
        return Answer(Status.INVALID, None, "")
    if cells is None:
        return Answer(status, None, by)
    solution = Grid(cells, grid.board)
    return Answer(status, verified(solution, grid, puzzle.constraints, puzzle.mark_bytes, by), by)


def solution_of(
    puzzle: Puzzle,
    *,
    timeout: float | None = None,
    solver: str = DEFAULT_SOLVER,
    alone: bool = False,
) -> Grid | None:
    """`answer` with a limit of 1: a solution or None; raises `BudgetError` after `timeout`."""
    with limits.within(timeout):
        found = answer(puzzle, limit=1, solver=solver, alone=alone)
    if found.status is Status.UNKNOWN:
        raise limits.late(timeout)
    return found.solution
