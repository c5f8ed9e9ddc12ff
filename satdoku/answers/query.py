"""The protocol of a query: to the engine, a session, a program or another solver.

Invariant: a query answers in cells and candidates; it neither checks nor looks at a clock.

    query.solve(), list(query.solutions(limit=2)), query.candidates()
    while (status := query.advance(0.01)) is None: ...      # or let others take turns
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from math import isqrt

from ..model.puzzle import Puzzle
from ..runtime.errors import Status


def candidates_of(solution: bytes, choices: int | None = None) -> Iterator[int]:
    """The candidates (0-based) that hold in a solution; each cell has so many, as many as a row
    has cells unless given."""
    size = choices or isqrt(len(solution))
    return (size * cell + digit - 1 for cell, digit in enumerate(solution))


class Query(ABC):
    """A loaded puzzle that can be queried: in a solver, an engine or a program.

    `under` adds givens and marks for one question only. If the query was opened with some, `under`
    repeats them and adds more. Every method raises `BudgetError` where a budget ends before the
    answer. A question without `under` may use the query up.

    name: of what it is; variables, clauses: their numbers, if known. For turns: limit: the
    solutions that `advance` looks for, 1 or 2; solution: one, if it has found it; nodes: of the
    engine; done: its work until now, in seconds; due: that of the next turn before anything is
    searched.
    """

    name = ""
    variables: int | None = None
    clauses: int | None = None
    limit = 2
    solution: bytes | None = None
    nodes = 0
    done = due = 0.0
    _rest: Iterator[bytes] | None = None

    @abstractmethod
    def solutions(
        self, under: Puzzle | None = None, *, limit: int | None = None
    ) -> Iterator[bytes]:
        """All solutions, a digit for each cell, each once; at most `limit`."""

    def advance(self, work: float) -> Status | None:
        """Search on for about so many seconds of work: NONE, SOLVED (with limit 1), UNIQUE or
        MULTIPLE once it is known, UNKNOWN if it never will be, else None.

        Who cannot pause looks for the next solution, however long that takes.
        """
        if self._rest is None:
            self._rest = self.solutions(limit=self.limit)
        found = next(self._rest, None)
        if found is None:
            return Status.NONE if self.solution is None else Status.UNIQUE
        if self.solution is not None:
            return Status.MULTIPLE
        self.solution = found
        return Status.SOLVED if self.limit == 1 else None

    def solve(self, under: Puzzle | None = None) -> bytes | None:
        """A solution, or None."""
        return next(iter(self.solutions(under, limit=1)), None)

    def count(self, under: Puzzle | None = None, *, limit: int | None = None) -> int:
        """The number of solutions, or `limit` if there are more."""
        return sum(1 for _ in self.solutions(under, limit=limit))

    def candidates(self, under: Puzzle | None = None) -> frozenset[int]:
        """The candidates (0-based) that hold in some solution."""
        return frozenset(c for found in self.solutions(under) for c in candidates_of(found))

    def status(self, under: Puzzle | None = None, *, limit: int = 2) -> Status | None:
        """Its own word for a puzzle, limit 1 or 2; None if it has no such word."""
        return None

    def counters(self) -> dict[str, int]:
        """Conflicts, decisions and propagations since the query was opened, as far as known."""
        return {}

    def close(self) -> None:  # noqa: B027  most have nothing to do
        """Free what the query holds."""
