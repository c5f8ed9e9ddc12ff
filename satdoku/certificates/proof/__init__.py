"""Proofs of unsatisfiability: read, and checked without any solver.

Invariant: nothing here imports the encoder, the constraints or a solver. The formula is restated
from the board's geometry, and a lemma counts only after unit propagation has confirmed it.

Clauses and proofs are flat arrays of C ints (`Ints`): the literals of each clause, then 0.
"""

from __future__ import annotations

from array import array
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

from ...errors import SatdokuError

if TYPE_CHECKING:
    Ints = array[int]

DELETE = 2**31 - 1  # precedes a clause that a step deletes
# Clauses that the check of one proof may visit: a few seconds in C. The hardest 9x9 puzzles need
# about a hundred thousand.
DEFAULT_BUDGET = 2_000_000_000


class ProofError(SatdokuError):
    """A text that is not a proof or formula: what was found, what was expected, and where."""


class Outcome(IntEnum):
    """How the check of a proof ended."""

    VERIFIED = 0
    NOT_IMPLIED = 1
    NO_EMPTY_CLAUSE = 2
    MALFORMED = 3
    OVER_BUDGET = 4


_WORDS = {
    Outcome.VERIFIED: "verified",
    Outcome.NOT_IMPLIED: "the clause does not follow by unit propagation (RAT is not accepted)",
    Outcome.NO_EMPTY_CLAUSE: "the proof ends without the empty clause",
    Outcome.MALFORMED: "not a clause over the formula's variables, ended by 0",
    Outcome.OVER_BUDGET: "given up: the check costs more than allowed",
}


class Verdict(NamedTuple):
    """The outcome of a check, and the step of the proof (from 1) that decided it."""

    outcome: Outcome
    step: int

    @property
    def good(self) -> bool:
        return self.outcome is Outcome.VERIFIED

    def describe(self) -> str:
        """In words: `proof step 17: the clause does not follow ...`."""
        return f"proof step {self.step}: {_WORDS[self.outcome]}"
