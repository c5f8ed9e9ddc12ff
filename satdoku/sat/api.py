"""One call for each question, on sessions that are kept from call to call.

Invariant: nothing leaves here unverified: every solution has passed `verify`, which shares no code
with the encoder.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator

from ..cnf.encodings import DEFAULT_ENCODING
from ..errors import Status, WitnessError
from ..model.constraints import Constraints
from ..model.grid import Grid, GridLike
from ..model.puzzle import as_puzzle
from ..witness.verify import solves, violations
from .session import Session
from .solver import DEFAULT_SOLVER

Rules = str | Constraints


def solve(
    puzzle: GridLike, rules: Rules = "classic", *, solver: str = DEFAULT_SOLVER
) -> Grid | None:
    """A solution of the puzzle, or None if there is none."""
    grid, session = _prepare(puzzle, rules, solver)
    solution = session.solve(grid)
    return None if solution is None else verified(solution, grid, session.constraints)


def solutions(
    puzzle: GridLike,
    rules: Rules = "classic",
    *,
    limit: int | None = None,
    solver: str = DEFAULT_SOLVER,
) -> Iterator[Grid]:
    """All solutions of the puzzle, each once, as they are found; at most `limit`."""
    grid, session = _prepare(puzzle, rules, solver)
    for solution in session.solutions(grid, limit=limit):
        yield verified(solution, grid, session.constraints)


def count(
    puzzle: GridLike,
    rules: Rules = "classic",
    *,
    limit: int | None = None,
    solver: str = DEFAULT_SOLVER,
) -> int:
    """Number of solutions, or `limit` if there are at least so many."""
    return sum(1 for _ in solutions(puzzle, rules, limit=limit, solver=solver))


def classify(
    puzzle: GridLike,
    rules: Rules = "classic",
    *,
    solver: str = DEFAULT_SOLVER,
    seconds: float | None = None,
) -> Status:
    """Status.UNIQUE, MULTIPLE, NONE, INVALID where two givens clash, UNKNOWN beyond the seconds."""
    grid, session = _prepare(puzzle, rules, solver)
    if violations(grid, session.constraints.rules):
        return Status.INVALID
    status, solution = session.decide(grid, seconds=seconds)
    if solution is not None:
        verified(solution, grid, session.constraints)
    return status


def candidates(
    puzzle: GridLike, rules: Rules = "classic", *, solver: str = DEFAULT_SOLVER
) -> tuple[frozenset[int], ...]:
    """The true candidates: for each cell the digits that it has in some solution."""
    grid, session = _prepare(puzzle, rules, solver)
    return session.candidates(grid)


def propagate(puzzle: GridLike, rules: Rules = "classic") -> Grid | None:
    """The grid with every cell that unit propagation alone fixes; None if it conflicts."""
    grid, session = _prepare(puzzle, rules, DEFAULT_SOLVER)
    return session.propagate(grid)


def verified(solution: Grid, puzzle: Grid, constraints: Constraints) -> Grid:
    """The solution itself, once `verify` has agreed; raises `WitnessError` otherwise."""
    if not solves(solution, puzzle, constraints.rules):
        raise WitnessError(f"{solution} is no solution of {puzzle} under {constraints.name}")
    return solution


def _prepare(puzzle: GridLike, rules: Rules, solver: str) -> tuple[Grid, Session]:
    """The puzzle on the board of its rules, and this thread's session for them."""
    grid, constraints = as_puzzle(puzzle, rules)
    return grid, shared_session(constraints, solver)


MOST_SESSIONS = 32  # a thread keeps, some megabytes each; a file may state rules row by row
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
    sessions[key] = session  # behind those that were used before
    return session


def close_sessions() -> None:
    """Free this thread's sessions and all they have learnt; the next call starts afresh."""
    _local.__dict__.clear()
