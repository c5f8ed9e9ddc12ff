"""How many solutions each candidate has, up to a limit: the engine counts for all of them at once.

Invariant: every count is that of different, verified solutions; one below the limit is exact, or
marked as a lower bound.

Each candidate is a puzzle of its own, with one more given. The engine searches hundreds of these
together, a bit for each, so all candidates of a puzzle cost little more than one. A session counts
the candidates that the engine does not finish within its nodes.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from math import inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import engine
from ..files.one import PuzzleLike, Rules, asked
from ..model.constraints import Constraints
from ..model.grid import Grid
from ..model.puzzle import Puzzle
from ..runtime import limits
from ..runtime.errors import BudgetError, Status
from .answer import solution_of
from .listing import as_asked, check
from .session import Session, shared_session

NODES = 300, 5_000  # of the engine for a candidate, first and then
FIRST, TOGETHER = 64, 512  # candidates that are searched at once: a few settle most others
ROOM_BYTES = 1 << 24  # for solutions that are listed at once

Grids = NDArray[np.uint8]
Table = NDArray[np.int64]


def engine_serves(constraints: Constraints) -> bool:
    """Whether the engine answers sooner than a session: without a compiler only if each of its
    searches is short."""
    if constraints.needs_session:
        return False
    is_small = constraints.board.choices <= 9 and not constraints.is_wide
    return is_small or engine.active() != engine.NUMPY


class Tally(NamedTuple):
    """The solutions of each candidate.

    counts (cells, size) int64: how many, at most the limit; exact (cells, size) bool: False where
    the time was over before the limit was reached, and there may be more.
    """

    counts: Table
    exact: NDArray[np.bool_]


def candidate_counts(
    puzzle: PuzzleLike,
    rules: Rules = None,
    *,
    limit: int = 100,
    timeout: float | None = None,
) -> Tally:
    """For each cell and digit the number of solutions with that digit there, at most `limit`.

    A count of 0 means that no solution has the digit there; the others are the true candidates.
    After `timeout` seconds, counts may be lower bounds.
    """
    with limits.within(timeout):
        named = asked(puzzle, rules)
        session, left = shared_session(named.constraints), limits.left()
    return Tallying(named, session, left).counts(limit)


class Tallying:
    """Questions about the candidates of one puzzle; each solution found serves all of them.

    true (cells, size): what is known to be true so far; found: the solutions that show it.
    """

    def __init__(self, puzzle: Puzzle, session: Session, timeout: float | None = None) -> None:
        self.puzzle, self.session, self.constraints = puzzle, session, session.constraints
        self.size, self._cells = puzzle.grid.board.choices, puzzle.grid.board.cells
        self.asked = as_asked(puzzle)
        self.end = limits.until(timeout)
        self.true = np.zeros((self._cells, self.size), np.bool_)
        self.found: list[Grids] = []
        self._open = np.ones_like(self.true)
        self._is_narrow = False  # whether unit propagation has struck candidates

    def candidates(self) -> NDArray[np.bool_]:
        """The true candidates (cells, size). Raises `BudgetError` when the time is over."""
        if (self._open & ~self.true).any():
            self._narrow()
        if not engine_serves(self.constraints):
            return self._candidates_by_session()
        hard, most = np.zeros_like(self.true), FIRST
        while len(left := np.flatnonzero((self._open & ~self.true & ~hard).ravel())):
            self._in_time()
            some = left[:: max(1, len(left) // most)][:most]
            most = TOGETHER
            found = engine.solve(self._with(some), self.constraints, limit=1, node_budget=NODES[0])
            solved = found.solutions[found.status == Status.SOLVED]
            self.check(solved)
            self.note(solved)
            self._open.ravel()[some[found.status == Status.NONE]] = False
            hard.ravel()[some[found.status == Status.UNKNOWN]] = True
        for candidate in np.flatnonzero(hard.ravel()).tolist():
            if not self.true.ravel()[candidate]:
                found_one = solution_of(
                    self._supposing(candidate),
                    timeout=self._left(),
                    alone=not self.constraints.is_wide,  # an open session finds it at once
                )
                if found_one is not None:
                    self.note(np.array([list(found_one)], np.uint8))
        self._open = self.true.copy()
        return self.true

    def _candidates_by_session(self) -> NDArray[np.bool_]:
        wanted = set(np.flatnonzero(self._open & ~self.true).tolist())
        with self.session.restricted(self.puzzle.mark_bytes):
            for grid in self.session.covering(self.puzzle.grid, wanted, timeout=self._left()):
                self.note(np.array([list(grid)], np.uint8))
        self._open = self.true.copy()
        return self.true

    def counts(self, limit: int) -> Tally:
        """The number of solutions of each candidate, at most the limit."""
        counts = np.zeros((len(self.true), self.size), np.int64)
        exact = np.ones_like(self.true)
        self._narrow()
        left = np.flatnonzero(self._open.ravel())
        for nodes in () if self.constraints.needs_session else NODES:
            left = self._counted(left, limit, nodes, counts.ravel())
        for candidate in left.tolist():
            number = 0
            try:
                for _ in self._by_session(candidate, limit):
                    number += 1
            except BudgetError:
                exact.ravel()[candidate] = False
            counts.ravel()[candidate] = max(number, counts.ravel()[candidate])
        return Tally(counts, exact)

    def note(self, solutions: Grids) -> None:
        """Verified solutions (k, cells) make their candidates true."""
        if len(solutions):
            self.true[np.arange(self._cells), solutions - 1] = True
            self.found.append(solutions)

    def strike(self, impossible: NDArray[np.bool_]) -> None:
        """Candidates (cells, size) that are known to be in no solution."""
        self._open &= ~impossible

    def check(self, solutions: Grids) -> None:
        """Raise `WitnessError` unless all are solutions."""
        if len(solutions):
            check(solutions, self.asked, self.constraints)

    def _counted(
        self, candidates: NDArray[np.intp], limit: int, nodes: int, counts: Table
    ) -> NDArray[np.intp]:
        """Count for some candidates; returns those that take more nodes."""
        most = max(1, min(TOGETHER, ROOM_BYTES // (limit * self._cells)))
        left = []
        for first in range(0, len(candidates), most):
            some = candidates[first : first + most]
            try:
                self._in_time()
                found = engine.listed(self._with(some), self.constraints, limit, node_budget=nodes)
            except BudgetError:
                left.append(some)
                continue
            there = np.arange(limit) < found.grids[:, None]
            self.check(found.solutions[there])
            counts[some] = found.grids
            left.append(some[(found.status == Status.UNKNOWN) & (found.grids < limit)])
        return np.concatenate([np.zeros(0, np.intp), *left])

    # Inside ------------------------------------------------------------------------------------

    def _narrow(self) -> None:
        """Strike the candidates that unit propagation excludes."""
        if not (self._is_narrow or self.constraints.needs_session):
            marks, conflict = engine.propagate(self.asked[None], self.constraints)
            self._open &= (marks[0] & ~conflict[0]).reshape(self._open.shape)
        self._is_narrow = True

    def _with(self, candidates: NDArray[np.intp]) -> NDArray[Any]:
        """The puzzle with each candidate true."""
        rows = np.repeat(self.asked[None], len(candidates), axis=0)
        at = np.arange(len(candidates))
        cell, digit = np.divmod(candidates, self.size)
        if self.puzzle.marks is None:
            rows[at, cell] = digit + 1
            return rows
        cells = rows.reshape(len(rows), -1, self.size)
        cells[at, cell] = False
        cells[at, cell, digit] = True
        return rows

    def _by_session(self, candidate: int, limit: int) -> Iterator[Grid]:
        """Solutions with a candidate; raises `BudgetError` when the time is over."""
        self._in_time()
        supposed = self._supposing(candidate)
        with self.session.restricted(supposed.mark_bytes):
            yield from self.session.solutions(supposed.grid, limit=limit, timeout=self._left())

    def _supposing(self, candidate: int) -> Puzzle:
        """The puzzle with the candidate as a given."""
        cell, digit = divmod(candidate, self.size)
        cells = bytearray(self.puzzle.grid.cells)
        cells[cell] = digit + 1
        return replace(self.puzzle, grid=Grid(bytes(cells), self.puzzle.grid.board))

    def _left(self) -> float | None:
        """Seconds that are left, None without a limit."""
        return None if self.end == inf else self.end - time.monotonic()

    def _in_time(self) -> None:
        if time.monotonic() > self.end:
            raise limits.late()
