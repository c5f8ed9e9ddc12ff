"""Certificates made: puzzles in, claims with their proofs out.

Invariant: every certificate is checked before it leaves, by `check`, which shares no code with what
made it.

Unit propagation reduces the formula, the engine decides what is left of the puzzle, and a solver
refutes the reduced formula. If unit propagation alone refutes it, the proof is the empty clause.
"""

from __future__ import annotations

from array import array
from dataclasses import replace
from functools import lru_cache
from importlib import metadata
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .. import __version__
from ..arrays.cells import PuzzlesLike, checked_cells
from ..batch.decide import decide
from ..cnf.encodings import encode
from ..errors import SatdokuError, Status, WitnessError
from ..files.one import PuzzleLike, Rules, without_marks
from ..model.constraints import Constraints
from ..model.grid import Grid
from ..progress import Progress, reporting
from ..sat.shared import shared_session
from ..sat.solver import DEFAULT_SOLVER
from .check import SectionChecker, formula_of
from .format import Certificate, Preamble, Proof
from .proof.formula import format_formula
from .proof.lrat import drat_to_lrat
from .proof.steps import parse_drat
from .prover import EMPTY, check_prover, refute
from .residual import Marks, residual_of

if TYPE_CHECKING:
    from .proof import Ints

MAX_SOLUTIONS = 10_000  # that `every` may list for one puzzle


class CertifyError(SatdokuError):
    """A puzzle or a sample that cannot be certified as requested."""


def certify(
    puzzle: PuzzleLike,
    rules: Rules = None,
    *,
    solver: str = DEFAULT_SOLVER,
    every: bool = False,
) -> tuple[Preamble, Certificate]:
    """`certify_batch` for one puzzle, with the preamble of its section."""
    grid, constraints = without_marks(puzzle, rules)
    return preamble_of(constraints), certify_batch(grid, constraints, solver=solver, every=every)[0]


def certify_batch(
    puzzles: PuzzlesLike,
    rules: str | Constraints = "classic",
    *,
    solver: str = DEFAULT_SOLVER,
    every: bool = False,
    check: bool = True,
    progress: Progress = False,
) -> list[Certificate]:
    """A certificate for each of N puzzles, in any form that `as_cells` reads.

    It claims "unique", "none" or "multiple". With `every` it claims "all" and holds every solution,
    at most MAX_SOLUTIONS. solver: one of `prover.PROVERS`. check: False skips the check, about a
    fifth of the time, and leaves it to the reader. progress: True for a bar, or a function of
    (done, total) puzzles.
    """
    check_prover(solver)
    digits, constraints = checked_cells(puzzles, rules)
    if digits.dtype == np.bool_:
        raise CertifyError("pencil marks: expected (N, cells) digits")
    beyond = digits.max(axis=1, initial=0) > constraints.board.size
    if beyond.any():
        raise CertifyError(f"row {np.argmax(beyond)}: a digit beyond {constraints.board.size}")
    marks, conflicts = residual_of(constraints).propagate(digits)
    marks[conflicts] = False  # they mean nothing there
    known = decide(marks, constraints)
    made = []
    with reporting(progress, len(digits)) as more:
        for row, cells in enumerate(digits):
            grid = Grid(cells.tobytes(), constraints.board)
            status = Status(known.statuses[row])
            claim, grids = _answer(grid, constraints, status, known.solutions[row], every)
            proof = None
            if claim != "multiple":
                left = None if conflicts[row] else marks[row]
                proof = Proof(_refute(constraints, grid, left, grids, solver))
            made.append(Certificate(grid, claim, grids, solver, proof))
            more(1)
    if check:
        _check(made, constraints)
    return made


def _answer(
    grid: Grid, constraints: Constraints, status: Status, found: NDArray[np.uint8], every: bool
) -> tuple[str, tuple[Grid, ...]]:
    """The claim of the puzzle's certificate, and the solutions in it."""
    if status is Status.MULTIPLE:
        limit = MAX_SOLUTIONS + 1 if every else 2
        grids = tuple(shared_session(constraints).solutions(grid, limit=limit))
        if len(grids) > MAX_SOLUTIONS:
            raise CertifyError(f"{grid} has more than {MAX_SOLUTIONS:,} solutions")
    else:
        grids = (Grid(found.tobytes(), constraints.board),) if status is Status.UNIQUE else ()
    if every:
        return "all", grids
    return ("none", "unique", "multiple")[len(grids)], grids


def _refute(
    constraints: Constraints,
    puzzle: Grid,
    marks: Marks | None,
    grids: tuple[Grid, ...],
    solver: str,
) -> str:
    """A proof that the candidates that are left, None after a conflict, allow no other solution."""
    if marks is None:
        return EMPTY
    if constraints.is_wide:
        clauses = _whole(constraints, puzzle, grids)
    else:
        clauses = residual_of(constraints).clauses(marks, (grid.cells for grid in grids))
    if [] in clauses:
        return EMPTY
    proof = refute(clauses, solver=solver)
    if proof is None:
        raise WitnessError(f"{solver} finds a solution beyond the {len(grids)} known")
    return proof


def _whole(constraints: Constraints, puzzle: Grid, grids: tuple[Grid, ...]) -> list[list[int]]:
    """The whole formula: the engine knows only a part of what clues on many cells say."""
    formula = encode(constraints)
    blocked = ([-literal for literal in formula.literals(grid.cells)] for grid in grids)
    given = ([literal] for literal in formula.literals(puzzle.cells))
    return [*map(list, formula.clauses), *given, *blocked]


def with_hints(preamble: Preamble, certificate: Certificate) -> Certificate:
    """The certificate with its DRAT proof turned into LRAT, which verified checkers read."""
    if certificate.proof is None or certificate.proof.format == "lrat":
        return certificate
    steps = parse_drat(certificate.proof.text)
    text = drat_to_lrat(*formula_of(preamble, certificate), steps)
    return replace(certificate, proof=Proof(text, "lrat"))


def _check(made: list[Certificate], constraints: Constraints) -> None:
    checker = _checker_of(constraints)
    for certificate in made:
        if reason := checker.refusal(certificate):
            raise WitnessError(f"certificate of {certificate.puzzle}: {reason}")


@lru_cache(maxsize=16)
def preamble_of(constraints: Constraints) -> Preamble:
    """The preamble of certificates under these constraints."""
    cnf = format_formula(encode(constraints).variables, _clauses_of(constraints))
    versions = {"satdoku": __version__, "python-sat": metadata.version("python-sat")}
    return Preamble(constraints.board, constraints.rules, cnf, versions)


@lru_cache(maxsize=16)
def _checker_of(constraints: Constraints) -> SectionChecker:
    return SectionChecker(preamble_of(constraints), _clauses_of(constraints))


@lru_cache(maxsize=16)
def _clauses_of(constraints: Constraints) -> Ints:
    """The encoder's clauses, each with a 0 at its end."""
    clauses = encode(constraints).clauses
    return array("i", chain.from_iterable((*clause, 0) for clause in clauses))
