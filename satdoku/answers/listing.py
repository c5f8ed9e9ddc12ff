"""All solutions of a puzzle as arrays: by the engine, in ascending order, or by a session.

Invariant: both list the same set, each solution once and verified. The engine lists in ascending
order of the digits, row by row; a session lists as its solver finds them, so its order may change
with the solver. A session lists the cubes that are hard for the engine, one by one, so no solution
comes twice and the order stays.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import engine
from ..cnf.encodings import DEFAULT_ENCODING
from ..engine.listing import ROOM, Grids
from ..engine.single import LISTED_CELLS
from ..files.one import PuzzleLike, Rules, asked
from ..model.constraints import Constraints
from ..model.grid import Grid, GridLike, as_grid
from ..model.puzzle import Puzzle
from ..runtime import limits
from ..runtime.errors import BudgetError, SatdokuError, Status, WitnessError, no_such
from ..witness.verify import solves_many
from .session import Session, shared_session
from .solver import DEFAULT_SOLVER, NO_BUDGET
from .turns import is_usual

BACKENDS = ("auto", "engine", "session")
CONFLICTS = 200  # of a solver's call for a cube that the engine found hard
# Nodes of the engine in which the first solutions are found at once: of clues, where each node
# costs more, and of houses.
FEW_NODES, MORE_NODES = 5_000, 50_000
LONGEST_PAUSE = 64  # such cubes that are split unasked, where solvers did not help before


def iter_solutions(
    puzzle: PuzzleLike,
    rules: Rules = None,
    *,
    limit: int | None = None,
    after: GridLike | None = None,
    backend: str = BACKENDS[0],
    solver: str = DEFAULT_SOLVER,
    encoding: str = DEFAULT_ENCODING,
    timeout: float | None = None,
) -> Iterator[Grids]:
    """All solutions of a puzzle, at most `limit`, as arrays (k, cells) uint8 of any length k > 0.

    They hold digits, or positions (from 1) in `board.digits` where these are others than 1 to n.

    backend: `engine` lists in ascending order of the cells, row by row; `session` in the order of a
    SAT solver; `auto` takes the engine, unless a solver or an encoding is named, the board is
    larger than 16x16, or there are clues and no C kernel. after: a full grid, not from `session`;
    only solutions behind it are listed. Raises `BudgetError` after `timeout` seconds; the solutions
    listed by then are verified.
    """
    with limits.within(timeout):
        named = asked(puzzle, rules)
        session, left = shared_session(named.constraints, solver, encoding), limits.left()
    return listed(named, session, limit=limit, after=after, backend=backend, timeout=left)


def listed(
    puzzle: Puzzle,
    session: Session,
    *,
    limit: int | None = None,
    after: GridLike | None = None,
    backend: str = BACKENDS[0],
    timeout: float | None = None,
) -> Iterator[Grids]:
    """`iter_solutions` of a puzzle that was read, under the rules of a session, which is restricted
    to its pencil marks."""
    chosen = chosen_backend(backend, session)
    if chosen == "session" and after is not None:
        raise SatdokuError("a session lists in no order: only the engine goes on behind a grid")
    if chosen == "session":
        blocks = _by_session(puzzle, session, limit, timeout)
    else:
        last = (
            None
            if after is None
            else np.frombuffer(as_grid(after, puzzle.grid.board).cells, np.uint8)
        )
        blocks = _by_engine(puzzle, session, last, timeout)
    blocks = _first(blocks, limit)
    return blocks if puzzle.marks is None else _restricted(session, puzzle, blocks)


def _restricted(session: Session, puzzle: Puzzle, blocks: Iterator[Grids]) -> Iterator[Grids]:
    with session.restricted(puzzle.mark_bytes):
        yield from blocks


def at_most(limit: int, puzzle: Puzzle, session: Session, timeout: float) -> tuple[Grids, bool]:
    """At most so many solutions, in any order, and whether there may be more: by the engine if it
    takes few nodes, else as many as the time allows."""
    if not session.constraints.needs_session:
        few = _few(limit + 1, puzzle, session.constraints)
        if (number := int(few.grids[0])) > limit or few.status[0] == Status.NONE:
            grids = few.solutions[0, :number]
            check(grids, as_asked(puzzle), session.constraints)
            return grids[:limit], number > limit
    blocks, more = [np.zeros((0, puzzle.grid.board.cells), np.uint8)], False
    try:
        for block in listed(puzzle, session, limit=limit + 1, timeout=timeout):
            blocks.append(block)
    except BudgetError:
        more = True
    grids = np.concatenate(blocks)
    return grids[:limit], more or len(grids) > limit


def _few(room: int, puzzle: Puzzle, constraints: Constraints) -> engine.Listed:
    """So many solutions by the engine, or those that it finds within few nodes."""
    budget = FEW_NODES if constraints.is_wide else MORE_NODES
    room = min(room, engine.MOST_LISTED)
    return engine.listed(as_asked(puzzle)[None], constraints, room, node_budget=budget)


def as_asked(puzzle: Puzzle) -> NDArray[Any]:
    """The puzzle as the engine takes it: (cells,) uint8 digits, or (variables,) bool marks."""
    marks = puzzle.mark_bytes
    return np.frombuffer(marks or puzzle.grid.cells, np.bool_ if marks else np.uint8)


def chosen_backend(backend: str, session: Session) -> str:
    """The engine or a session, by what is known before anything is searched."""
    if backend not in BACKENDS:
        raise SatdokuError(no_such("backend", backend, BACKENDS))
    if backend != "auto":
        return backend
    constraints = session.constraints
    named = not is_usual(session.solver, session.formula.encoding)
    slow = constraints.is_wide and engine.active() == engine.NUMPY
    slow |= constraints.needs_session
    return "session" if named or slow or constraints.board.cells > LISTED_CELLS else "engine"


def _first(blocks: Iterator[Grids], limit: int | None) -> Iterator[Grids]:
    """The blocks as far as the limit."""
    left = inf if limit is None else limit
    if left <= 0:
        return
    for block in blocks:
        yield block if len(block) <= left else block[: int(left)]
        left -= len(block)
        if left <= 0:
            return


def _by_session(
    puzzle: Puzzle, session: Session, limit: int | None, timeout: float | None
) -> Iterator[Grids]:
    for found in session.solutions(puzzle.grid, limit=limit, timeout=timeout):
        yield np.frombuffer(found.cells, np.uint8)[None]


def _by_engine(
    puzzle: Puzzle, session: Session, after: Grids | None, timeout: float | None
) -> Iterator[Grids]:
    end = limits.until(timeout)
    asked = as_asked(puzzle)

    def in_time() -> None:
        if time.monotonic() > end:
            raise limits.late(timeout)

    hard = None if session.solver in NO_BUDGET else _HardCubes(session)
    with limits.within(timeout):  # the tables of clues are made here
        blocks = engine.enumerate_grids(
            asked, session.constraints, after=after, hard=hard, poll=in_time
        )
    for block in blocks:
        if session.verify:
            check(block, asked, session.constraints)
        yield block
        in_time()


def check(block: Grids, asked: NDArray[Any], constraints: Constraints) -> None:
    """Raise `WitnessError` unless every grid of the block solves the puzzle."""
    board, puzzles = constraints.board, np.broadcast_to(asked, (len(block), len(asked)))
    good = solves_many(block, puzzles, constraints.rules, board)
    if not good.all():
        wrong = Grid(block[good.argmin()].tobytes(), board)
        raise WitnessError(f"{wrong} is no solution under {constraints.name}")


class _HardCubes:
    """Cubes that took the engine too many nodes, listed by a session. The longer that has not
    helped, the fewer of them it gets."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.pause, self.wait = 1, 0  # cubes until the next one is asked about

    def __call__(self, cube: NDArray[np.uint8]) -> Grids | None:
        if self.wait:
            self.wait -= 1
            return None
        found = self._ask(cube)
        self.pause = 1 if found is not None else min(2 * self.pause, LONGEST_PAUSE)
        self.wait = self.pause - 1
        return found

    def _ask(self, cube: NDArray[np.uint8]) -> Grids | None:
        """The solutions in order; None if they are too many, or take too many conflicts."""
        cells = self.session.constraints.board.cells
        marks, givens = None, cube.tobytes()
        if cube.dtype == np.bool_:
            marks, givens = givens, bytes(cells)
        try:
            with self.session.restricted(marks):
                found = self.session.solutions(givens, limit=ROOM + 1, conflicts=CONFLICTS)
                rows = sorted(grid.cells for grid in found)
        except BudgetError:
            return None
        if len(rows) > ROOM:
            return None
        return np.frombuffer(b"".join(rows), np.uint8).reshape(-1, cells)
