"""One call for each question: the kernel where it knows the answer at once, else sessions that
are kept; of many solutions the engine (`listing`).

Invariant: a call answers as a fresh session would; every solution is verified.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..engine.single import list_one, solve_one
from ..errors import Status
from ..model.constraints import Constraints
from ..model.grid import Grid, GridLike
from ..model.puzzle import as_puzzle
from ..witness.verify import first_violation
from .candidates import Candidates
from .session import Session, verified
from .shared import close_sessions as close_sessions
from .shared import shared_session as shared_session
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
    """All solutions of the puzzle, each once, at most `limit`; see `iter_solutions` for the order,
    and for many of them as arrays."""
    grid, constraints = as_puzzle(puzzle, rules)
    if (few := few_solutions(grid, constraints, solver)) is not None:
        yield from few[:limit]
        return
    from .listing import iter_solutions  # numpy takes longer to load than most puzzles

    for block in iter_solutions(grid, constraints, limit=limit, solver=solver):
        for row in block:
            yield Grid(row.tobytes(), constraints.board)


def count(
    puzzle: GridLike,
    rules: Rules = "classic",
    *,
    limit: int | None = None,
    solver: str = DEFAULT_SOLVER,
) -> int:
    """Number of solutions, or `limit` if there are at least that many."""
    grid, constraints = as_puzzle(puzzle, rules)
    if (few := few_solutions(grid, constraints, solver)) is not None:
        return len(few[:limit])
    from .listing import iter_solutions

    return sum(map(len, iter_solutions(grid, constraints, limit=limit, solver=solver)))


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


def few_solutions(
    grid: Grid, constraints: Constraints, solver: str = DEFAULT_SOLVER
) -> list[Grid] | None:
    """All solutions in ascending order, if the kernel may answer and finds that they are few."""
    found = list_one(grid.cells, constraints) if solver == DEFAULT_SOLVER else None
    if found is None:
        return None
    return [verified(Grid(cells, grid.board), grid, constraints) for cells in found]
