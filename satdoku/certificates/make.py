"""Certificates made: puzzles in, what is so of them out, with the proof.

Invariant: no certificate leaves unchecked: each has passed `recheck`, which shares no code with
what made it.

The engine answers, unit propagation cuts the formula down, a solver refutes what is left, and where
nothing is left the proof is the empty clause alone.
"""

from __future__ import annotations

from array import array
from dataclasses import replace
from functools import lru_cache
from importlib import metadata
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from .. import __version__
from ..batch.solve import solve_batch
from ..cnf.encodings import encode
from ..errors import SatdokuError, Status, WitnessError
from ..model.constraints import Constraints
from ..model.grid import Grid, GridLike
from ..model.puzzle import as_puzzle
from ..sat.api import solutions
from ..sat.solver import DEFAULT_SOLVER
from .check import Judge, whole_formula
from .format import Certificate, Preamble, Proof
from .proof.formula import format_formula
from .proof.lrat import drat_to_lrat
from .proof.steps import parse_drat, parse_formula
from .prover import EMPTY, check_prover, refute
from .residual import Marks, residual_of

MAX_SOLUTIONS = 10_000  # of a puzzle whose every solution is to be certified


class CertifyError(SatdokuError):
    """A puzzle that cannot be certified as asked."""


def certify(
    puzzle: GridLike,
    rules: str | Constraints = "classic",
    *,
    solver: str = DEFAULT_SOLVER,
    every: bool = False,
) -> tuple[Preamble, Certificate]:
    """`certify_many` for one puzzle, with the preamble of its section."""
    grid, constraints = as_puzzle(puzzle, rules)
    cells = np.frombuffer(grid.cells, np.uint8).reshape(1, -1)
    return preamble_of(constraints), certify_many(cells, constraints, solver=solver, every=every)[0]


def certify_many(
    puzzles: NDArray[np.uint8],
    constraints: Constraints,
    *,
    solver: str = DEFAULT_SOLVER,
    every: bool = False,
    check: bool = True,
) -> list[Certificate]:
    """A certificate for each of (N, cells) puzzles, 0 for empty, on the board of `constraints`.

    It claims "unique", "none" or "multiple"; with `every` always "all", and then holds every
    solution (MAX_SOLUTIONS at most). solver: one of `prover.PROVERS`. `check` False leaves the
    check, about a fifth of the time, to who reads them.
    """
    check_prover(solver)
    if puzzles.max(initial=0) > constraints.board.size:
        raise CertifyError(f"a digit beyond {constraints.board.size}")
    known = solve_batch(puzzles, constraints)
    marks, conflicts = residual_of(constraints).propagate(puzzles)
    made = []
    for row, cells in enumerate(puzzles):
        grid = Grid(cells.tobytes(), constraints.board)
        claim, grids = _answer(
            grid, constraints, Status(known.statuses[row]), known.solutions[row], every
        )
        proof = None
        if claim != "multiple":
            text = EMPTY if conflicts[row] else _refute(constraints, marks[row], grids, solver)
            proof = Proof(text)
        made.append(Certificate(grid, claim, grids, solver, proof))
    if check:
        _check(made, constraints)
    return made


def _answer(
    grid: Grid, constraints: Constraints, status: Status, found: NDArray[np.uint8], every: bool
) -> tuple[str, tuple[Grid, ...]]:
    """The claim and the solutions that a certificate of the puzzle holds."""
    if status is Status.MULTIPLE:
        grids = tuple(solutions(grid, constraints, limit=MAX_SOLUTIONS + 1 if every else 2))
        if len(grids) > MAX_SOLUTIONS:
            raise CertifyError(f"{grid} has more than {MAX_SOLUTIONS:,} solutions")
    else:
        grids = (Grid(found.tobytes(), constraints.board),) if status is Status.UNIQUE else ()
    if every:
        return "all", grids
    return ("none", "unique", "multiple")[len(grids)], grids


def _refute(constraints: Constraints, marks: Marks, grids: tuple[Grid, ...], solver: str) -> str:
    """A proof that the candidates allow no further solution."""
    clauses = residual_of(constraints).clauses(marks, (grid.cells for grid in grids))
    if [] in clauses:
        return EMPTY
    proof = refute(clauses, solver=solver)
    if proof is None:
        raise WitnessError(f"{solver} finds a solution beyond the {len(grids)} known")
    return proof


def with_hints(preamble: Preamble, certificate: Certificate) -> Certificate:
    """The certificate with its DRAT proof made LRAT, for verified checkers that want hints."""
    if certificate.proof is None or certificate.proof.format == "lrat":
        return certificate
    formula = parse_formula(whole_formula(preamble, certificate))
    text = drat_to_lrat(*formula, parse_drat(certificate.proof.text))
    return replace(certificate, proof=Proof(text, "lrat"))


def _check(made: list[Certificate], constraints: Constraints) -> None:
    judge = _judge(constraints)
    for certificate in made:
        if reason := judge.reject(certificate):
            raise WitnessError(f"certificate of {certificate.puzzle}: {reason}")


@lru_cache(maxsize=16)
def _judge(constraints: Constraints) -> Judge:
    return Judge(preamble_of(constraints))


@lru_cache(maxsize=16)
def preamble_of(constraints: Constraints) -> Preamble:
    """The preamble of certificates under these constraints."""
    clauses = encode(constraints).clauses
    flat = array("i", chain.from_iterable((*clause, 0) for clause in clauses))
    cnf = format_formula(constraints.variables, flat)
    versions = {"satdoku": __version__, "python-sat": metadata.version("python-sat")}
    return Preamble(constraints.board, constraints.rules, cnf, versions)
