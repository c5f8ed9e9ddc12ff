"""How many grids complete a puzzle: by symmetry, cubes and the engine, by listing, or in turn.

Invariant: a count is exact or says that it is a bound. All grids of a board under classic rules are
counted by bands (`bands`), other grids by cubes (`cubes`).

Nothing here needs numpy, which takes longer to load than the solutions of most puzzles to list.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from ..answers.api import blocks
from ..answers.solver import DEFAULT_SOLVER
from ..answers.turns import is_usual
from ..cnf.encodings import DEFAULT_ENCODING
from ..files.one import PuzzleLike, Rules, without_marks
from ..model.board import Board
from ..model.constraints import constraints_for, tells_board
from ..model.puzzle import Puzzle, empty_puzzle
from ..runtime import limits
from ..runtime.errors import BudgetError
from ..runtime.progress import Progress

if TYPE_CHECKING:
    from .estimates import Estimate
    from .layers import Forms

LISTED = 5000  # solutions that are listed, and verified, before search takes over
SOON = 0.5  # seconds in which the engine may list them, before CDCL is asked
TURN = 2.0  # seconds of the first turn of CDCL


class Count(NamedTuple):
    """How many grids: `grids` in all if `exact`, at least so many otherwise.

    estimate: about how many there are, with an interval; None if the number is exact, or if too
    little was found.
    """

    grids: int
    exact: bool
    estimate: Estimate | None = None

    def __str__(self) -> str:
        return str(self.grids) if self.exact else f">={self.grids}"


class SoFar(NamedTuple):
    """What is known so far: cubes counted, all cubes, grids found, and an estimate of all grids."""

    done: int
    cubes: int
    grids: int
    estimate: float


class Way(NamedTuple):
    """How grids are counted.

    symmetry: count equivalent puzzles once (`False` gives the same number the long way); also a
    function that gives equal forms to puzzles that have equally many grids. estimated: spend the
    last quarter of the time, at most a minute, on an estimate if the number is still open (not with
    the numpy engine). implementation: the engine that searches, for instance `numpy`, also in place
    of bands; None takes the best.

    listed: list solutions in turn with the search, each time for longer: for puzzles that may have
    few. limit: only list, and stop at so many, which is then a lower bound. backend, solver,
    encoding: who lists, as for `iter_solutions`.
    """

    symmetry: bool | Forms = True
    estimated: bool = True
    implementation: str | None = None
    listed: bool = False
    limit: int | None = None
    backend: str = "auto"
    solver: str = DEFAULT_SOLVER
    encoding: str = DEFAULT_ENCODING


USUAL = Way()


def count_exact(
    puzzle: PuzzleLike | None = None,
    rules: Rules = None,
    *,
    size: int = 9,
    way: Way = USUAL,
    workers: int = 1,
    timeout: float | None = None,
    progress: Progress = False,
    on_count: Callable[[SoFar], None] | None = None,
) -> Count:
    """The number of grids that complete a puzzle, or of all grids of a size if there is none.

    way: how they are counted. timeout: seconds after which the grids found so far are the answer, a
    lower bound; progress: True for a bar, or a function of (done, total) cubes; on_count: gets the
    count so far after each task.
    """
    end = limits.until(timeout)
    try:
        with limits.within(timeout):
            named = _asked(puzzle, rules, size)
    except BudgetError:
        return Count(0, False)
    if way.limit is not None:
        number, whole = _listed(named, way, way.limit, end)
        return Count(number, whole and number < way.limit)

    def search(way: Way, end: float) -> Count:
        from .cubes import count_cubes

        return count_cubes(
            named,
            way,
            workers=workers,
            timeout=None if end == inf else max(0.0, end - time.monotonic()),
            progress=progress,
            on_count=on_count,
        )

    if not way.listed:
        return search(way, end)
    return _in_turn(partial(_listed, named), search, way, end)


def _asked(puzzle: PuzzleLike | None, rules: Rules, size: int) -> Puzzle:
    if puzzle is not None:
        return Puzzle(*without_marks(puzzle, rules))
    rules = rules or "classic"
    board = None if tells_board(rules) else Board.of_size(size)
    return empty_puzzle(constraints_for(rules, board))


def _in_turn(
    list_: Callable[[Way, int, float], tuple[int, bool]],
    search: Callable[[Way, float], Count],
    way: Way,
    end: float,
) -> Count:
    """Listing and search in turn, each time for longer: one may take seconds where the other takes
    hours. (Of king,nonconsecutive 1,152 grids are soon found, but not that they are all; search
    without learning ends on 9x9, but not on every 16x16 puzzle with one solution.) The engine lists
    most puzzles far sooner than CDCL, so it has the first short turn."""
    turn, number, whole = TURN, 0, False
    if way.backend != "session" and is_usual(way.solver, way.encoding):
        number, whole = list_(way, LISTED, min(end, time.monotonic() + SOON))
    while True:
        if not whole:
            by_session = way._replace(backend="session")
            listed, whole = list_(by_session, LISTED, min(end, time.monotonic() + turn))
            number = max(number, listed)
        if whole and number < LISTED:
            return Count(number, True)
        now = time.monotonic()
        last = number == LISTED or end - now <= 4 * turn
        found = search(way._replace(estimated=last), end if last else now + 4 * turn)
        if found.exact:
            return found
        if last:
            return found._replace(grids=max(number, found.grids))
        turn *= 4


def _listed(puzzle: Puzzle, way: Way, limit: int, end: float) -> tuple[int, bool]:
    """How many solutions were found, at most `limit`, and whether time was enough for that."""
    found = blocks(
        puzzle,
        limit=limit,
        backend=way.backend,
        solver=way.solver,
        encoding=way.encoding,
        timeout=None if end == inf else end - time.monotonic(),
    )
    number = 0
    try:
        for block in found:
            number += len(block) // len(puzzle.grid)
    except BudgetError:
        return number, False
    return number, True
