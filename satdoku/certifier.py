"""Certificates made: puzzles in, what is so of them out, with the proof.

Law: no certificate leaves unchecked: each has passed `recheck`, which shares no code with what made
it.

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

from . import __version__
from .api import solutions
from .batch import solve_batch
from .certificate import Certificate, Preamble, Proof
from .encodings import encode
from .errors import SatdokuError, Status, WitnessError
from .grid import Grid
from .proof.formula import format_formula
from .proof.lrat import drat_to_lrat
from .proof.steps import parse_drat, parse_formula
from .prover import EMPTY, PROVERS, ProverError, refute
from .question import as_question
from .recheck import Judge, whole_formula
from .residual import Marks, residual_of
from .rules import Constraints
from .session import Puzzle
from .solver import DEFAULT_SOLVER

MAX_SOLUTIONS = 10_000  # of a puzzle whose every solution is to be certified


class CertifyError(SatdokuError):
    """A puzzle that cannot be certified as asked."""


def certify(
    puzzle: Puzzle,
    rules: str | Constraints = "classic",
    *,
    solver: str = DEFAULT_SOLVER,
    every: bool = False,
) -> tuple[Preamble, Certificate]:
    """`certify_many` for one puzzle, with the preamble of its section."""
    grid, law = as_question(puzzle, rules)
    cells = np.frombuffer(grid.cells, np.uint8).reshape(1, -1)
    return preamble_of(law), certify_many(cells, law, solver=solver, every=every)[0]


def certify_many(
    puzzles: NDArray[np.uint8],
    law: Constraints,
    *,
    solver: str = DEFAULT_SOLVER,
    every: bool = False,
    check: bool = True,
) -> list[Certificate]:
    """A certificate for each of (N, cells) puzzles, 0 for empty, on the board of `law`.

    It claims "unique", "none" or "multiple"; with `every` always "all", and then holds every
    solution (MAX_SOLUTIONS at most). solver: one of `prover.PROVERS`. `check` False leaves the
    check, about a fifth of the time, to who reads them.
    """
    if solver not in PROVERS:
        raise ProverError(f"no proofs by '{solver}': expected {', '.join(PROVERS)}")
    if puzzles.max(initial=0) > law.board.size:
        raise CertifyError(f"a digit beyond {law.board.size}")
    known = solve_batch(puzzles, law)
    marks, conflicts = residual_of(law).propagate(puzzles)
    made = []
    for row, cells in enumerate(puzzles):
        grid = Grid(cells.tobytes(), law.board)
        claim, grids = _answer(grid, law, Status(known.statuses[row]), known.solutions[row], every)
        proof = None
        if claim != "multiple":
            text = EMPTY if conflicts[row] else _refute(law, marks[row], grids, solver)
            proof = Proof(text)
        made.append(Certificate(grid, claim, grids, solver, proof))
    if check:
        _check(made, law)
    return made


def _answer(
    grid: Grid, law: Constraints, status: Status, found: NDArray[np.uint8], every: bool
) -> tuple[str, tuple[Grid, ...]]:
    """The claim and the solutions that a certificate of the puzzle holds."""
    if status is Status.MULTIPLE:
        grids = tuple(solutions(grid, law, limit=MAX_SOLUTIONS + 1 if every else 2))
        if len(grids) > MAX_SOLUTIONS:
            raise CertifyError(f"{grid} has more than {MAX_SOLUTIONS:,} solutions")
    else:
        grids = (Grid(found.tobytes(), law.board),) if status is Status.UNIQUE else ()
    if every:
        return "all", grids
    return ("none", "unique", "multiple")[len(grids)], grids


def _refute(law: Constraints, marks: Marks, grids: tuple[Grid, ...], solver: str) -> str:
    """A proof that the candidates allow no further solution."""
    clauses = residual_of(law).clauses(marks, (grid.cells for grid in grids))
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


def _check(made: list[Certificate], law: Constraints) -> None:
    judge = _judge(law)
    for certificate in made:
        if reason := judge.reject(certificate):
            raise WitnessError(f"certificate of {certificate.puzzle}: {reason}")


@lru_cache(maxsize=16)
def _judge(law: Constraints) -> Judge:
    return Judge(preamble_of(law))


@lru_cache(maxsize=16)
def preamble_of(law: Constraints) -> Preamble:
    """The preamble of certificates under these constraints."""
    clauses = encode(law).clauses
    flat = array("i", chain.from_iterable((*clause, 0) for clause in clauses))
    cnf = format_formula(law.variables, flat)
    names = tuple(name for name in law.rules if not name.startswith("jigsaw"))
    versions = {"satdoku": __version__, "python-sat": metadata.version("python-sat")}
    return Preamble(law.board, names, cnf, versions)
