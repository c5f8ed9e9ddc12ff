"""Refutations by PySAT's solvers, as DRAT proofs.

Invariant: nothing here is trusted. `proof` checks every proof, and a proof without the empty clause
is an error at once.

A proof under assumptions does not reach the empty clause, so every formula is given as clauses to a
solver of its own. maplesat writes proofs as well, but they do not check.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import SatdokuError
from ..sat.solver import DEFAULT_SOLVER, open_solver, solve_in_slices

# PySAT's solvers whose proofs check, fastest first.
PROVERS = (
    "cadical153",
    "cadical195",
    "cadical103",
    "glucose3",
    "glucose4",
    "glucose42",
    "lingeling",
)
EMPTY = "0\n"  # the proof if unit propagation alone refutes the formula


class ProverError(SatdokuError):
    """A solver that writes no usable proofs, or one whose proof is incomplete."""


def check_prover(solver: str) -> None:
    """Raise `ProverError` unless the solver is one of PROVERS."""
    if solver not in PROVERS:
        raise ProverError(f"no usable proofs by '{solver}': expected {', '.join(PROVERS)}")


def refute(clauses: Sequence[Sequence[int]], *, solver: str = DEFAULT_SOLVER) -> str | None:
    """A DRAT proof, as text, that the clauses have no model; None if they have one."""
    check_prover(solver)
    with open_solver(solver, clauses, with_proof=True) as engine:
        if solve_in_slices(engine, solver, []):
            return None
        lines: list[str] = engine.get_proof() or []
    if "0" not in lines:
        raise ProverError(f"{solver}'s proof has no empty clause")
    return "\n".join(lines) + "\n"
