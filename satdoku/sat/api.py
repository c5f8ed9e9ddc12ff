"""One call for each question: the kernel for one classic puzzle, else sessions that are kept.

Invariant: a call answers as a fresh session would; every solution is verified.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator

from ..cnf.encodings import DEFAULT_ENCODING
from ..engine.single import solve_one
from ..errors import Status
from ..model.constraints import Constraints
from ..model.grid import Grid, GridLike
from ..model.puzzle import as_puzzle
from ..witness.verify import first_violation
from .candidates import Candidates
from .session import Session, verified
from .solver import DEFAULT_SOLVER

Rules = str | Constraints


def solve(
    puzzle: GridLike, rules: Rules = "classic", *, solver: str = DEFAULT_SOLVER
) -> Grid | None:
    """A solution of the puzzle, or None if there is none."""
    grid, constraints = as_puzzle(puzzle, rules)
    if quick := _by_kernel(grid, constraints, 1, solver):
        return quick[1]
    return shared_session(constraints, solver).solve(grid)


def solutions(
    puzzle: GridLike,
    rules: Rules = "classic",
    *,
    limit: int | None = None,
    solver: str = DEFAULT_SOLVER,
) -> Iterator[Grid]:
    """All solutions of the puzzle, each once, as they are found; at most `limit`."""
    grid, session = _prepare(puzzle, rules, solver)
    yield from session.solutions(grid, limit=limit)


def count(
    puzzle: GridLike,
    rules: Rules = "classic",
    *,
    limit: int | None = None,
    solver: str = DEFAULT_SOLVER,
) -> int:
    """Number of solutions, or `limit` if there are at least that many."""
    return sum(1 for _ in solutions(puzzle, rules, limit=limit, solver=solver))


def classify(
    puzzle: GridLike,
    rules: Rules = "classic",
    *,
    solver: str = DEFAULT_SOLVER,
    seconds: float | None = None,
) -> Status:
    """Status.UNIQUE, MULTIPLE, NONE, INVALID if two givens clash, UNKNOWN beyond the seconds."""
    grid, constraints = as_puzzle(puzzle, rules)
    if quick := _by_kernel(grid, constraints, 2, solver):
        return quick[0]
    if first_violation(grid, constraints.rules):
        return Status.INVALID
    return shared_session(constraints, solver).classify(grid, seconds=seconds)


def candidates(
    puzzle: GridLike, rules: Rules = "classic", *, solver: str = DEFAULT_SOLVER
) -> Candidates:
    """The true candidates: for each cell the digits that it has in some solution."""
    grid, session = _prepare(puzzle, rules, solver)
    return session.candidates(grid)


def propagate(puzzle: GridLike, rules: Rules = "classic") -> Grid | None:
    """The grid with every cell that unit propagation alone fixes; None if it conflicts."""
    grid, session = _prepare(puzzle, rules, DEFAULT_SOLVER)
    return session.propagate(grid)


def _prepare(puzzle: GridLike, rules: Rules, solver: str) -> tuple[Grid, Session]:
    """The puzzle on the board of its rules, and this thread's session for them."""
    grid, constraints = as_puzzle(puzzle, rules)
    return grid, shared_session(constraints, solver)


def _by_kernel(
    grid: Grid, constraints: Constraints, limit: int, solver: str
) -> tuple[Status, Grid | None] | None:
    """Status and verified solution; None if a session has to answer, or was asked for by name."""
    found = solve_one(grid.cells, constraints, limit) if solver == DEFAULT_SOLVER else None
    if found is None:
        return None
    status, cells = found
    if status is Status.NONE:
        return (Status.INVALID if first_violation(grid, constraints.rules) else status), None
    return status, verified(Grid(cells, grid.board), grid, constraints)


MOST_SESSIONS = 128  # per thread, about 2 MB each: a file may state other rules in every row
_local = threading.local()


def shared_session(
    constraints: Constraints, solver: str = DEFAULT_SOLVER, encoding: str = DEFAULT_ENCODING
) -> Session:
    """This thread's session for the constraints, built on first use and kept while in use."""
    sessions: dict[tuple[Constraints, str, str], Session]
    sessions = _local.__dict__.setdefault("sessions", {})
    key = constraints, solver, encoding
    session = sessions.pop(key, None) or Session(constraints, solver=solver, encoding=encoding)
    while len(sessions) >= MOST_SESSIONS:
        del sessions[next(iter(sessions))]
    sessions[key] = session  # last: the first ones have not been used for longest
    return session


def close_sessions() -> None:
    """Free this thread's sessions with all they have learnt; the next call opens new ones."""
    _local.__dict__.clear()
