"""The checker in C as seen from Python, and the choice between it and the one in Python.

Invariant: both give the same verdicts. A `Checker` loads the clauses that many proofs share once,
and checking does not change it, so threads may share one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import (
    DEFAULT_BUDGET,
    Outcome,
    ProofError,
    Verdict,
    rup,
)

if TYPE_CHECKING:
    from . import Ints

try:
    from . import _checker
except ImportError:  # built without a compiler: `rup` serves
    COMPILED = False
else:
    COMPILED = True


class Checker:
    """Checks DRAT proofs of one formula plus extra clauses; with `compiled` in C, if it is there.

    Raises `ProofError` for a clause with a literal out of range.
    """

    def __init__(self, variables: int, clauses: Ints, *, compiled: bool = COMPILED) -> None:
        self.variables, self.clauses = variables, clauses
        self._loaded = None
        if compiled and COMPILED:
            try:
                self._loaded = _checker.load(variables, clauses)
            except ValueError as error:
                raise ProofError(str(error)) from None

    def check(self, extra: Ints, proof: Ints, *, budget: int = DEFAULT_BUDGET) -> Verdict:
        """Whether the proof refutes the formula together with the `extra` clauses."""
        if self._loaded is None:
            return rup.check(self.variables, self.clauses + extra, proof, budget=budget)
        outcome, step = _checker.check(self._loaded, extra, proof, budget)
        return Verdict(Outcome(outcome), step)
