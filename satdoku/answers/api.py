"""One call for each question: the kernel if it answers at once, else the engine and a session in
turn (`turns`); the engine lists many solutions (`listing`).

Invariant: a call answers as a fresh session would; every solution is verified.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ..cnf.encodings import DEFAULT_ENCODING
from ..engine.single import list_one
from ..files.one import PuzzleLike, Rules, asked, without_marks
from ..model.grid import Grid, GridLike
from ..model.puzzle import Puzzle
from ..runtime import limits
from ..runtime.errors import BudgetError, SatdokuError, Status
from .answer import answer, solution_of
from .session import Candidates, shared_session, verified
from .solver import DEFAULT_SOLVER
from .turns import is_usual


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
    `SatdokuError` for anything else, and for a puzzle that states a rule in words only.
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
        left = None if timeout is None else limits.left()
    cells, board = len(named.grid.cells), named.grid.board
    for block in blocks(named, limit=limit, solver=solver, timeout=left):
        for start in range(0, len(block), cells):
            yield Grid(block[start : start + cells], board)


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
        named = asked(puzzle, rules)
        found = blocks(named, limit=limit, solver=solver, timeout=timeout)
        return sum(map(len, found)) // len(named.grid.cells)


def blocks(
    puzzle: Puzzle,
    *,
    limit: int | None = None,
    after: GridLike | None = None,
    backend: str = "auto",
    solver: str = DEFAULT_SOLVER,
    encoding: str = DEFAULT_ENCODING,
    timeout: float | None = None,
) -> Iterator[bytes]:
    """What `iter_solutions` lists, a byte a cell, grid after grid; without numpy, which takes
    longer to load than most puzzles, if the kernel may answer and finds that they are few."""
    by_kernel = backend == "engine" or (backend == "auto" and is_usual(solver, encoding))
    grid, constraints, few = puzzle.grid, puzzle.constraints, None
    if by_kernel and puzzle.marks is None and after is None:
        few = list_one(grid.cells, constraints)
    if few is not None:
        grids = (verified(Grid(cells, grid.board), grid, constraints) for cells in few)
        yield b"".join(found.cells for found in islice(grids, limit))
        return
    if constraints.board.is_large:
        if after is not None or backend == "engine":
            raise SatdokuError("a session lists a large board: in no order, no engine does")
        from .large.solve import LargeQuery

        deadline = limits.until(timeout)
        query = LargeQuery(puzzle, solver=solver, encoding=encoding, deadline=deadline)
        for cells in query.solutions(limit=limit):
            yield verified(Grid(cells, grid.board), grid, constraints).cells
        return
    from .listing import listed

    limits.check()
    session = shared_session(constraints, solver, encoding)
    for block in listed(
        puzzle, session, limit=limit, after=after, backend=backend, timeout=timeout
    ):
        yield block.tobytes()


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


def layers_in_several_ways(puzzle: Puzzle) -> tuple[str, ...]:
    """The names of the layers that are not determined: some cell has several values over all
    solutions. Status.UNIQUE speaks of the digits of the grids alone."""
    board = puzzle.constraints.board
    found = true_candidates(puzzle) if board.layers else ()
    cells = ((each.name, board.first_of[each.name]) for each in board.layers)
    return tuple(
        name
        for name, start in cells
        if any(len(values) > 1 for values in found[start : start + board.size_of(name)])
    )


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
        is_known = found.status is Status.UNIQUE and not constraints.board.layers
        if is_known and found.solution is not None:
            return Candidates(frozenset([digit]) for digit in found.solution)
        limits.check()
        session = shared_session(constraints, solver, encoding)
        if constraints.is_wide and is_usual(solver, encoding):
            from .tallies import Tallying  # with numpy

            table = Tallying(puzzle, session).candidates()
            return Candidates(frozenset((row.nonzero()[0] + 1).tolist()) for row in table)
        with session.restricted(puzzle.mark_bytes):
            return session.candidates(puzzle.grid, timeout=limits.left())
