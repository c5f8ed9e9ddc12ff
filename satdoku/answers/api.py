"""One call for each question: the kernel where it knows the answer at once, else the engine and a
session in turn (`turns`); of many solutions the engine (`listing`).

Invariant: a call answers as a fresh session would; every solution is verified.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..cnf.encodings import DEFAULT_ENCODING
from ..engine.single import list_one
from ..files.one import PuzzleLike, Rules, asked, without_marks
from ..model.grid import Grid
from ..model.puzzle import Puzzle
from ..runtime import limits
from ..runtime.errors import BudgetError, Status
from .answer import answer, solution_of
from .session import Candidates, shared_session, verified
from .solver import DEFAULT_SOLVER
from .turns import is_usual

if TYPE_CHECKING:
    from ..engine.listing import Grids


def solve(
    puzzle: PuzzleLike,
    rules: Rules = None,
    *,
    solver: str = DEFAULT_SOLVER,
    timeout: float | None = None,
) -> Grid | None:
    """A solution of the puzzle, or None if there is none. Raises `BudgetError` after `timeout`
    seconds.

    puzzle: whatever names one, here and in each function on one puzzle: a text in any format (a
    grid, pencil marks, a link, JSON, a text of another program), a `Puzzle`, a `Grid`, digits in a
    list or an array, pencil marks in an array of bool, or a file that holds one puzzle: a
    `pathlib.Path`, or its name, unless that is a grid itself.
    rules: those of a puzzle that states none, else they must contain all that it states. Raises
    `SatdokuError` for what is no puzzle, and for one that states a rule in words only.
    """
    with limits.within(timeout):
        return solution_of(asked(puzzle, rules), solver=solver)


def solutions(
    puzzle: PuzzleLike,
    rules: Rules = None,
    *,
    limit: int | None = None,
    solver: str = DEFAULT_SOLVER,
    timeout: float | None = None,
) -> Iterator[Grid]:
    """All solutions of the puzzle, each once, at most `limit`; see `iter_solutions` for the order,
    for many of them as arrays, and for `timeout`."""
    with limits.within(timeout):
        named = asked(puzzle, rules)
        found = _listed(named, limit, solver, timeout)
    if isinstance(found, list):
        yield from found
        return
    for block in found:
        for row in block:
            yield Grid(row.tobytes(), named.grid.board)


def count(
    puzzle: PuzzleLike,
    rules: Rules = None,
    *,
    limit: int | None = None,
    solver: str = DEFAULT_SOLVER,
    timeout: float | None = None,
) -> int:
    """Number of solutions, or `limit` if there are at least that many. Raises `BudgetError` after
    `timeout` seconds."""
    with limits.within(timeout):
        found = _listed(asked(puzzle, rules), limit, solver, timeout)
        return len(found) if isinstance(found, list) else sum(map(len, found))


def _listed(
    puzzle: Puzzle, limit: int | None, solver: str, timeout: float | None
) -> list[Grid] | Iterator[Grids]:
    """The solutions, in a list if they are few, else as blocks, within the time that is left."""
    if (few := few_solutions(puzzle, solver)) is not None:
        return few[:limit]
    from .listing import listed  # numpy takes longer to load than most puzzles

    session = shared_session(puzzle.constraints, solver)
    limits.check()
    left = None if timeout is None else limits.left()
    return listed(puzzle, session, limit=limit, timeout=left)


def classify(
    puzzle: PuzzleLike,
    rules: Rules = None,
    *,
    solver: str = DEFAULT_SOLVER,
    timeout: float | None = None,
) -> Status:
    """Status.UNIQUE, MULTIPLE, NONE, INVALID if two givens clash, UNKNOWN after `timeout`."""
    with limits.within(timeout):
        try:
            named = asked(puzzle, rules)
        except BudgetError:  # while clauses were made
            return Status.UNKNOWN
        return answer(named, solver=solver).status


def candidates(
    puzzle: PuzzleLike,
    rules: Rules = None,
    *,
    solver: str = DEFAULT_SOLVER,
    timeout: float | None = None,
) -> Candidates:
    """The true candidates: for each cell the digits that it has in some solution. Raises
    `BudgetError` after `timeout` seconds."""
    with limits.within(timeout):
        return true_candidates(asked(puzzle, rules), solver=solver)


def propagate(
    puzzle: PuzzleLike, rules: Rules = None, *, timeout: float | None = None
) -> Grid | None:
    """The grid with every cell that unit propagation alone fixes; None if it conflicts. Raises
    `BudgetError` after `timeout` seconds."""
    with limits.within(timeout):
        grid, constraints = without_marks(puzzle, rules)
        return shared_session(constraints).propagate(grid)


def true_candidates(
    puzzle: Puzzle,
    *,
    timeout: float | None = None,
    solver: str = DEFAULT_SOLVER,
    encoding: str = DEFAULT_ENCODING,
) -> Candidates:
    """`candidates` of a puzzle that was read; raises `BudgetError` after `timeout`."""
    with limits.within(timeout):
        found = answer(puzzle, solver=solver, encoding=encoding)
        constraints = puzzle.constraints
        if found.status in (Status.NONE, Status.INVALID):
            return Candidates([frozenset[int]()] * constraints.board.cells)
        if found.status is Status.UNIQUE and found.solution is not None:
            return Candidates(frozenset([digit]) for digit in found.solution)
        limits.check()
        session = shared_session(constraints, solver, encoding)
        if constraints.is_wide and is_usual(solver, encoding):
            from .tallies import Tallying  # with numpy

            table = Tallying(puzzle, session).candidates()
            return Candidates(frozenset((row.nonzero()[0] + 1).tolist()) for row in table)
        with session.restricted(puzzle.mark_bytes):
            return session.candidates(puzzle.grid, timeout=limits.left())


def few_solutions(puzzle: Puzzle, solver: str = DEFAULT_SOLVER) -> list[Grid] | None:
    """All solutions in ascending order, if the kernel may answer and finds that they are few."""
    grid, constraints = puzzle.grid, puzzle.constraints
    if solver != DEFAULT_SOLVER or puzzle.marks is not None:
        return None
    if (found := list_one(grid.cells, constraints)) is None:
        return None
    return [verified(Grid(cells, grid.board), grid, constraints) for cells in found]
