"""The options of a batch.

Invariant: no numpy, so that a list of plain puzzles costs no import of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from .. import engine
from ..answers.solver import DEFAULT_SOLVER
from ..engine.single import NODE_BUDGET
from ..model.constraints import Constraints
from ..runtime.errors import SatdokuError, no_such

BACKENDS = ("engine", "session")
PROOF = "proof"  # the column of results for which answers are proved
PIECE = 64  # puzzles that a worker rates, or asks a session, in turn: some take seconds each


@dataclass(frozen=True)
class BatchOptions:
    """How to solve a batch: small and picklable, since every chunk takes it to its worker.

    limit: 1 for the first solution, 2 to tell unique from multiple; backend: "engine", or "session"
    for CDCL alone; conflicts: the budget of each CDCL call, beyond which a puzzle is UNKNOWN;
    rated: whether unique puzzles get their ratings.
    """

    constraints: Constraints
    limit: int = 2
    solver: str = DEFAULT_SOLVER
    conflicts: int | None = None
    backend: str = BACKENDS[0]
    node_budget: int = NODE_BUDGET
    rated: bool = False

    def __post_init__(self) -> None:
        if self.limit not in (1, 2):
            raise SatdokuError(f"limit {self.limit}: expected 1 (solve) or 2 (uniqueness)")
        if self.backend not in BACKENDS:
            raise SatdokuError(no_such("backend", self.backend, BACKENDS))

    @property
    def threads_suffice(self) -> bool:
        """Whether C, which releases the interpreter lock, does nearly all the work."""
        if self.constraints.needs_session:
            return False
        if self.rated:
            from ..ratings.scale import AVAILABLE, serves  # not above: a batch starts without it

            if not (AVAILABLE and serves(self.constraints)):
                return False
        return self.backend == "engine" and engine.active() != engine.NUMPY
