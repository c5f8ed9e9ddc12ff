"""Unit propagation of a formula, by a solver that knows nothing of Sudoku."""

from __future__ import annotations

import numpy as np
from pysat.solvers import Solver


def solver_for(formula):
    """A solver for propagation; its unit clauses depend on an assumption, because PySAT does not
    report consequences of plain unit clauses."""
    always = formula.variables + 1
    return Solver(
        "glucose4",
        bootstrap_with=[(*c, -always) if len(c) == 1 else c for c in formula.clauses],
    )


def fixpoint(formula, puzzle, solver=None):
    """The candidates that unit propagation leaves, from givens or marks; None on a conflict."""
    if puzzle.dtype == np.bool_:
        literals = [literal for (literal,) in formula.struck(bytes(puzzle))]
    else:
        literals = formula.literals(bytes(puzzle))
    solver = solver or solver_for(formula)
    consistent, implied = solver.propagate([formula.variables + 1, *literals])
    if not consistent:
        return None
    known = set(implied)
    return [
        candidate
        for candidate in range(formula.constraints.variables)
        if not any(-literal in known for literal in formula.says(candidate))
    ]
