"""Independent witnesses: Z3 with models of its own, beside every PySAT solver.

Invariant: only this package imports z3, and its models are built from the board as `verify`
restates it (`models` names the one exception). Where witnesses differ, one is wrong.

Building and checking are timed apart: Python's Z3 expressions often cost more than the search.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from ..cnf.dimacs import format_cnf
from ..errors import Status
from ..model.constraints import Constraints
from ..model.grid import Grid
from ..sat.session import Session
from ..sat.solver import SOLVERS, BudgetError, SolverError
from ..witness.verify import solves
from ..witness.z3.models import DIMACS_MODEL, Z3_MODELS, Cnf
from ..witness.z3.query import (
    WitnessMissing,
    Z3Query,
    Z3Unknown,
    load_z3,
)

__all__ = [
    "WITNESSES", "Z3_MODELS", "Findings", "WitnessMissing", "Z3Query", "Z3Unknown", "ask",
    "disagreements",
]  # fmt: skip


class Findings(NamedTuple):
    """What one witness says of a puzzle: its solutions up to a limit, and whether it got that far.

    complete is False where the witness ran out of time: then `solutions` is a lower bound.
    """

    witness: str
    solutions: frozenset[bytes]
    complete: bool
    build_seconds: float
    solve_seconds: float

    def status(self, limit: int) -> Status:
        """NONE, UNIQUE, MULTIPLE, or SOLVED where the limit is one; UNKNOWN if time ran out."""
        found = len(self.solutions)
        if found >= 2:
            return Status.MULTIPLE
        if not self.complete:
            return Status.UNKNOWN
        if found == 1:
            return Status.SOLVED if limit == 1 else Status.UNIQUE
        return Status.NONE


WITNESSES = (*SOLVERS, *Z3_MODELS)


def ask(
    witness: str,
    puzzle: Grid,
    constraints: Constraints,
    *,
    limit: int = 2,
    timeout: float | None = None,
) -> Findings:
    """Ask one witness for the puzzle's solutions, at most `limit`.

    `timeout` (seconds, for each call of the solver) binds Z3 only.
    """
    if witness in Z3_MODELS:
        return _ask_z3(witness, puzzle, constraints, limit, timeout)
    if witness in SOLVERS:
        return _ask_session(witness, puzzle, constraints, limit)
    raise WitnessMissing(f"no witness '{witness}': known are {', '.join(WITNESSES)}")


def _ask_session(solver: str, puzzle: Grid, constraints: Constraints, limit: int) -> Findings:
    start = time.perf_counter()
    try:
        session = Session(constraints, solver=solver)
        session.prepare()
    except SolverError as error:
        raise WitnessMissing(str(error)) from None
    built = time.perf_counter()
    found = set()
    complete = True
    try:
        for solution in session.solutions(puzzle, limit=limit):
            found.add(solution.cells)
    except BudgetError:
        complete = False
    session.close()
    end = time.perf_counter()
    return Findings(solver, frozenset(found), complete, built - start, end - built)


def _ask_z3(
    name: str, puzzle: Grid, constraints: Constraints, limit: int, timeout: float | None
) -> Findings:
    load_z3(name)
    start = time.perf_counter()
    query = Z3Query(
        name, constraints, cnf=_cnf(constraints) if name == DIMACS_MODEL else None, timeout=timeout
    )
    query.fix(puzzle.cells)
    built = time.perf_counter()
    found: set[bytes] = set()
    complete = True
    try:
        while len(found) < limit and (solution := query.find()) is not None:
            found.add(solution)
            query.forbid(solution)
    except Z3Unknown:
        complete = False
    end = time.perf_counter()
    return Findings(name, frozenset(found), complete, built - start, end - built)


def _cnf(constraints: Constraints) -> Cnf:
    formula = Session(constraints).formula
    says = tuple(map(formula.says, range(constraints.variables)))
    return Cnf("".join(format_cnf(formula)), says)


def disagreements(
    findings: Sequence[Findings], puzzle: Grid, constraints: Constraints, limit: int
) -> list[str]:
    """What does not fit, in words; empty where all agree. Unfinished witnesses only add bounds."""
    problems = []
    for said in findings:
        for cells in said.solutions:
            if not solves(Grid(cells, constraints.board), puzzle, constraints.rules):
                problems.append(f"{said.witness} gives a solution that breaks the rules")
    finished = [said for said in findings if said.complete]
    for first, other in combinations(finished, 2):
        mine, yours = len(first.solutions), len(other.solutions)
        if mine != yours:
            problems.append(f"{first.witness} finds {mine} solutions, {other.witness} {yours}")
        elif mine < limit and first.solutions != other.solutions:
            problems.append(f"{first.witness} and {other.witness} find different solutions")
    least = max((len(said.solutions) for said in findings), default=0)
    problems += [
        f"{said.witness} finds {len(said.solutions)} solutions, another at least {least}"
        for said in finished
        if len(said.solutions) < least and all(len(f.solutions) < least for f in finished)
    ]
    return problems
