"""What unit propagation leaves of a puzzle's formula: all that a solver still has to be told.

Invariant: every clause here is a clause of the whole formula less the literals that its unit
propagation makes false; satisfied clauses are gone. So a lemma that is RUP here is RUP there, and a
refutation of the residual is one of the formula. (Loading 10,530 clauses takes a solver longer than
refuting even the hardest puzzles; some 1,500 are left of them.)
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from .. import engine
from ..model.constraints import Constraints

Marks = NDArray[np.bool_]
Clauses = list[list[int]]


class Residual:
    """The formula of some constraints as arrays, to be cut down puzzle by puzzle."""

    def __init__(self, constraints: Constraints) -> None:
        self.constraints = constraints
        self._groups = np.array(constraints.groups, np.int32)  # (groups, size) candidates
        pairs = np.array(constraints.exclusions, np.int32)
        self._first, self._second = np.ascontiguousarray(pairs.T)  # (pairs,) candidates each
        self._pairs: Clauses = (-1 - pairs).tolist()  # the same as clauses, made once

    def propagate(self, puzzles: NDArray[np.uint8]) -> tuple[Marks, Marks]:
        """Candidates left (N, variables) of (N, cells) puzzles, and conflicts (N,)."""
        return engine.propagate(puzzles, self.constraints, box_line=False)

    def clauses(self, marks: Marks, solutions: Iterable[bytes]) -> Clauses:
        """What is left under the candidates (variables,) of a puzzle, each solution blocked.

        An empty clause among them says that nothing is left to refute.
        """
        alive = marks[self._groups]  # (groups, size)
        counts = alive.sum(axis=1)
        undecided = marks.copy()
        undecided[self._groups[counts == 1][alive[counts == 1]]] = False
        kept = np.flatnonzero(undecided[self._first] & undecided[self._second])
        clauses = [self._pairs[index] for index in kept.tolist()]
        several = counts > 1
        literals = (self._groups[several][alive[several]] + 1).tolist()
        ends = np.cumsum(counts[several]).tolist()
        clauses += [literals[a:b] for a, b in zip([0, *ends], ends, strict=False)]
        return clauses + [self._blocking(undecided, solution) for solution in solutions]

    def _blocking(self, undecided: Marks, solution: bytes) -> list[int]:
        digits = np.frombuffer(solution, np.uint8).astype(np.int32)
        candidates = (
            self.constraints.board.size * np.arange(len(digits), dtype=np.int32) + digits - 1
        )
        blocked: list[int] = (-1 - candidates[undecided[candidates]]).tolist()
        return blocked


@lru_cache(maxsize=16)
def residual_of(constraints: Constraints) -> Residual:
    """The `Residual` of some constraints, built once."""
    return Residual(constraints)
