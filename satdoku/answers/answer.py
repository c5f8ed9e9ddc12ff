"""The answer to one puzzle: of the kernel at once, or of the engine and a session in turn.

Invariant: a solution that is passed on is verified, and a puzzle whose givens clash is INVALID.
"""

from __future__ import annotations

from typing import NamedTuple

from ..answers.session import verified
from ..answers.solver import DEFAULT_SOLVER
from ..cnf.encodings import DEFAULT_ENCODING
from ..engine.single import solve_one
from ..model.constraints import Constraints
from ..model.grid import Grid
from ..runtime import limits
from ..runtime.errors import Status
from ..witness.verify import first_violation
from .turns import ENGINE, decide, is_usual


class Answer(NamedTuple):
    """A status, a verified solution if one is known, and what has decided the puzzle: `engine` or a
    solver's name, empty if nothing has, or if its givens clash."""

    status: Status
    solution: Grid | None
    by: str


def answer(
    grid: Grid,
    constraints: Constraints,
    *,
    marks: bytes | None = None,
    limit: int = 2,
    solver: str = DEFAULT_SOLVER,
    encoding: str = DEFAULT_ENCODING,
    conflicts: int | None = None,
    alone: bool = False,
) -> Answer:
    """`turns.decide` of a puzzle on the board of its constraints: verified, and INVALID if givens
    clash. marks: pencil marks that the solutions must keep to, one byte for each candidate."""
    found = None
    if is_usual(solver, encoding, conflicts) and not alone and marks is None:
        found = solve_one(grid.cells, constraints, limit)
    if found is not None:
        status, by = found[0], ENGINE
        cells = None if status is Status.NONE else found[1]
    else:
        status, cells, by, _ = decide(
            marks_with(grid, marks) if marks else grid.cells,
            constraints,
            limit=limit,
            solver=solver,
            encoding=encoding,
            conflicts=conflicts,
            alone=alone,
        )
    if status is Status.NONE and first_violation(grid, constraints.rules):
        return Answer(Status.INVALID, None, "")
    if cells is None:
        return Answer(status, None, by)
    return Answer(status, verified(Grid(cells, grid.board), grid, constraints, marks), by)


def solution_of(
    grid: Grid,
    constraints: Constraints,
    marks: bytes | None = None,
    *,
    timeout: float | None = None,
    solver: str = DEFAULT_SOLVER,
    alone: bool = False,
) -> Grid | None:
    """`answer` with a limit of 1: a solution or None; raises `BudgetError` after `timeout`."""
    with limits.within(timeout):
        found = answer(grid, constraints, marks=marks, limit=1, solver=solver, alone=alone)
    if found.status is Status.UNKNOWN:
        raise limits.late(timeout)
    return found.solution


def marks_with(grid: Grid, marks: bytes) -> bytes:
    """Pencil marks of which the cells that hold givens keep that digit alone."""
    size = grid.board.size
    kept = bytearray(marks)
    for cell, digit in enumerate(grid.cells):
        if digit:
            own = bytearray(size)
            own[digit - 1] = kept[size * cell + digit - 1]
            kept[size * cell : size * (cell + 1)] = own
    return bytes(kept)
