"""The protocol of all that can be asked about puzzles, ours or not.

Invariant: a query answers in cells and candidates; it neither measures nor checks.

    query.solve(), list(query.solutions(limit=2)), query.candidates()
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from math import isqrt

from ..model.puzzle import Puzzle
from ..runtime.errors import Status


def candidates_of(solution: bytes) -> Iterator[int]:
    """The candidates (0-based) that hold in a solution."""
    size = isqrt(len(solution))
    return (size * cell + digit - 1 for cell, digit in enumerate(solution))


class Query(ABC):
    """One that can be asked, loaded: a solver, an engine, a program.

    `under` adds givens and marks for one question only. If the query was opened with some, `under`
    repeats them and adds more. Every method raises `BudgetError` where a budget ends before the
    answer. A question without `under` may use the query up.
    """

    variables: int | None = None
    clauses: int | None = None

    @abstractmethod
    def solutions(
        self, under: Puzzle | None = None, *, limit: int | None = None
    ) -> Iterator[bytes]:
        """All solutions, a digit for each cell, each once; at most `limit`."""

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
        """The backend's own word for a puzzle, limit 1 or 2; None if it has no such word."""
        return None

    def counters(self) -> dict[str, int]:
        """Conflicts, decisions and propagations since the query was opened, as far as known."""
        return {}

    def close(self) -> None:  # noqa: B027  most have nothing to do
        """Free the solver."""
