"""Refutations by PySAT's solvers, in the DRAT format.

Invariant: this module only brings proofs home. Nothing is believed of them: `proof` checks each,
and a proof without its empty clause is not even handed on.

Traps: a proof under assumptions does not reach the empty clause, so everything is a clause here and
every proof has a solver of its own; maplesat writes proofs too, but they do not check.
"""

from __future__ import annotations

from collections.abc import Sequence

from pysat.solvers import Solver

from ..errors import SatdokuError
from ..sat.solver import DEFAULT_SOLVER, solve_in_slices

# Solvers of PySAT whose proofs hold, quickest first.
PROVERS = (
    "cadical153",
    "cadical195",
    "cadical103",
    "glucose3",
    "glucose4",
    "glucose42",
    "lingeling",
)
EMPTY = "0\n"  # the proof where unit propagation alone refutes


class ProverError(SatdokuError):
    """A solver that writes no proofs, or one that had none for this formula."""


def refute(clauses: Sequence[Sequence[int]], *, solver: str = DEFAULT_SOLVER) -> str | None:
    """A DRAT proof, as text, that the clauses have no model; None if they have one."""
    if solver not in PROVERS:
        raise ProverError(f"no proofs by '{solver}': expected {', '.join(PROVERS)}")
    with Solver(solver, bootstrap_with=clauses, with_proof=True) as engine:
        if solve_in_slices(engine, solver, []):
            return None
        lines: list[str] = engine.get_proof() or []
    if "0" not in lines:
        raise ProverError(f"{solver}'s proof has no empty clause")
    return "\n".join(lines) + "\n"
