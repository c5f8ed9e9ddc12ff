"""Certificates made: puzzles in, claims with their proofs out.

Invariant: every certificate is checked before it leaves, by `check`, which shares no code with what
made it. A proof without the empty clause is an error at once.

Unit propagation reduces the formula, the engine decides what is left of the puzzle, and one of
PySAT's solvers refutes the reduced formula. If unit propagation alone refutes it, the proof is the
empty clause. A proof under assumptions does not reach the empty clause, so every formula is given
as clauses to a solver of its own. maplesat writes proofs as well, but they do not check.

Every clause of a `Residual` is a clause of the whole formula less the literals that its unit
propagation makes false; satisfied clauses are gone. So a lemma that is RUP here is RUP there, and a
refutation of the residual is one of the formula. (Loading 10,530 clauses takes a solver longer than
refuting even the hardest puzzles; some 1,500 are left of them.)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from importlib import metadata
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import engine
from ..answers.session import shared_session
from ..answers.solver import DEFAULT_SOLVER, FLOODED, open_solver, solve_in_slices
from ..batch.decide import BatchResult, decide
from ..batch.options import BatchOptions
from ..cnf.encodings import encode
from ..cnf.encodings.formula import Formula
from ..files.cells import PuzzlesLike, checked_cells
from ..files.one import PuzzleLike, Rules, without_marks
from ..model.constraints import Constraints, RulesLike
from ..model.grid import Grid, of_grids
from ..runtime import limits
from ..runtime.errors import SatdokuError, Status, WitnessError
from ..runtime.package import VERSION
from ..runtime.progress import Progress, reporting
from . import connected, counts
from .check import SectionChecker, formula_of
from .counts import CountCertificate
from .format import MAX_LINE, Certificate, Preamble, Proof
from .proof import Ints, parse_drat
from .proof.formula import flat, format_formula
from .proof.rup import drat_to_lrat
from .proof.sums import Derived
from .trim import trim

if TYPE_CHECKING:
    from ..cnf.clues import SumOf

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
        lines = proof_by(engine, solver)
    return None if lines is None else "\n".join(lines) + "\n"


def proof_by(engine: Any, solver: str) -> list[str] | None:
    """The lines of the proof of an opened solver; None if its clauses have a model."""
    found = solve_in_slices(engine, solver, [], limits.until(None))
    if found is None:
        raise limits.late()
    if found:
        return None
    lines: list[str] = engine.get_proof() or []
    if "0" not in lines:
        raise ProverError(f"{solver}'s proof has no empty clause")
    return lines


Marks = NDArray[np.bool_]
Clauses = list[list[int]]


class Residual:
    """The formula of some constraints as arrays, to be cut down puzzle by puzzle."""

    def __init__(self, constraints: Constraints) -> None:
        self.constraints = constraints
        self._groups = np.array(constraints.groups, np.int32)  # (groups, size) candidates
        pairs = np.array(constraints.exclusions, np.int32)
        self._first, self._second = np.ascontiguousarray(pairs.T)  # (pairs,) candidates each
        self._pairs: Clauses = (-1 - pairs).tolist()  # the same as clauses, made once

    def propagate(self, puzzles: NDArray[np.uint8]) -> tuple[Marks, Marks]:
        """Candidates left (N, variables) of (N, cells) puzzles, and conflicts (N,)."""
        constraints = self.constraints
        if constraints.is_beyond_steps:  # the engine knows less, or of ranks more
            constraints = constraints.without_clues
        return engine.propagate(puzzles, constraints, box_line=False)

    def clauses(self, marks: Marks, solutions: Iterable[bytes]) -> Clauses:
        """What is left under the candidates (variables,) of a puzzle, each solution blocked.

        An empty clause among them says that nothing is left to refute.
        """
        alive = marks[self._groups]  # (groups, size)
        counts = alive.sum(axis=1)
        undecided = marks.copy()
        undecided[self._groups[counts == 1][alive[counts == 1]]] = False
        kept = np.flatnonzero(undecided[self._first] & undecided[self._second])
        clauses = [self._pairs[index] for index in kept.tolist()]
        several = counts > 1
        literals = (self._groups[several][alive[several]] + 1).tolist()
        ends = np.cumsum(counts[several]).tolist()
        clauses += [literals[a:b] for a, b in zip([0, *ends], ends, strict=False)]
        return clauses + [self._blocking(undecided, solution) for solution in solutions]

    def _blocking(self, undecided: Marks, solution: bytes) -> list[int]:
        digits = np.frombuffer(solution, np.uint8).astype(np.int32)
        candidates = (
            self.constraints.board.choices * np.arange(len(digits), dtype=np.int32) + digits - 1
        )
        blocked: list[int] = (-1 - candidates[undecided[candidates]]).tolist()
        return blocked


residual_of = lru_cache(maxsize=16)(Residual)  # built once


MAX_PROOF = MAX_LINE - (1 << 20)  # bytes of its text in a line, which holds more
LONG = 100_000  # bytes of a proof that is cut down under any rules: ten times those of hard 9x9
MAX_SOLUTIONS = 10_000  # that `every` may list for one puzzle


class CertifyError(SatdokuError):
    """A puzzle or a sample that cannot be certified as requested."""


def certify(
    puzzle: PuzzleLike,
    rules: Rules = None,
    *,
    solver: str = DEFAULT_SOLVER,
    every: bool = False,
    timeout: float | None = None,
) -> tuple[Preamble, Certificate]:
    """`certify_batch` for one puzzle, with the preamble of its section.

    Raises `BudgetError` after `timeout` seconds.
    """
    with limits.within(timeout):
        grid, constraints = without_marks(puzzle, rules)
        (made,) = certify_batch(grid, constraints, solver=solver, every=every)
        return preamble_of(constraints), made


def certify_batch(
    puzzles: PuzzlesLike,
    rules: RulesLike = "classic",
    *,
    solver: str = DEFAULT_SOLVER,
    every: bool = False,
    check: bool = True,
    progress: Progress = False,
) -> list[Certificate]:
    """A certificate for each of N puzzles, in any form that `as_cells` reads.

    It claims "unique", "none" or "multiple". With `every` it claims "all" and holds every solution,
    at most MAX_SOLUTIONS. solver: one of `PROVERS`. check: False skips the check, about a
    fifth of the time, and leaves it to the reader. progress: True for a bar, or a function of
    (done, total) puzzles.
    """
    check_prover(solver)
    digits, constraints = checked_cells(puzzles, rules)
    if digits.dtype == np.bool_:
        raise CertifyError("pencil marks: expected (N, cells) digits")
    beyond = digits.max(axis=1, initial=0) > constraints.board.choices
    if beyond.any():
        raise CertifyError(f"row {np.argmax(beyond)}: a digit beyond {constraints.board.choices}")
    given = digits[:, constraints.board.grid_cells :].any(axis=1)
    if given.any():
        raise CertifyError(f"row {np.argmax(given)}: a given in a layer: expected digits alone")
    marks, conflicts, known = _known(digits, constraints)
    is_whole = constraints.is_wide or bool(constraints.board.layers)
    formula = _stated(constraints)[0] if is_whole else None
    prover = _prover_of(formula, solver)
    made = []
    with reporting(progress, len(digits)) as more:
        for row, cells in enumerate(digits):
            grid = Grid(cells.tobytes(), constraints.board)
            status = Status(known.statuses[row])
            if status is Status.UNKNOWN:
                raise limits.late()
            claim, grids = _answer(grid, constraints, status, known.solutions[row], every)
            proof = None
            if claim != "multiple":
                left = None if conflicts[row] else marks[row]
                proof = _refute(constraints, formula, grid, left, grids, prover)
            made.append(Certificate(grid, claim, grids, prover, proof))
            more(1)
    if check:
        _check(made, constraints)
    return made


def certify_count(puzzle: PuzzleLike, rules: Rules = None) -> CountCertificate:
    """How many solutions a puzzle has, with a proof that `check_certificates` checks.

    Raises `ProofError` if the proof would be too large, and under clues on three cells and more.
    """
    grid, constraints = without_marks(puzzle, rules)
    preamble = preamble_of(constraints)
    return counts.make(grid, preamble.rules, preamble.made_by)


def _known(
    puzzles: NDArray[np.uint8], constraints: Constraints
) -> tuple[Marks, Marks, BatchResult]:
    """Candidates left (N, variables) of (N, cells) puzzles, conflicts (N,), and what is decided;
    under layers, which the engine does not take, nothing is propagated."""
    if constraints.board.layers:
        marks = np.ones((len(puzzles), constraints.variables), np.bool_)
        return marks, np.zeros(len(puzzles), np.bool_), decide(puzzles, BatchOptions(constraints))
    marks, conflicts = residual_of(constraints).propagate(puzzles)
    marks[conflicts] = False  # they mean nothing there
    return marks, conflicts, decide(marks, BatchOptions(constraints))


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
    formula: Formula | None,
    puzzle: Grid,
    marks: Marks | None,
    grids: tuple[Grid, ...],
    solver: str,
) -> Proof:
    """A proof that the candidates that are left, None after a conflict, allow no other solution.

    formula: what is refuted where more than unit propagation by the engine is needed.
    """
    if marks is None:
        return Proof(EMPTY)
    if formula:
        clauses = _whole(formula, puzzle, grids)
    else:
        clauses = residual_of(constraints).clauses(marks, (grid.cells for grid in grids))
    if [] in clauses:
        return Proof(EMPTY)
    if formula and formula.areas:
        prove = None if solver == FLOODED else partial(refute, solver=solver)
        proof = connected.refute(formula, clauses, prove)
    else:
        text = refute(clauses, solver=solver)
        proof = None if text is None else Proof(text)
        if proof and (formula or len(proof.text) > LONG) and (trimmed := trim(clauses, proof.text)):
            proof = Proof(trimmed.text)
    if proof is None:
        raise WitnessError(f"{solver} finds a solution beyond the {len(grids)} known")
    if (length := len(proof.text) + proof.text.count("\n")) > MAX_PROOF:
        expected = f"expected at most {MAX_PROOF >> 20}, which a line of a certificate holds"
        raise CertifyError(f"{puzzle} has a proof of {length >> 20} MiB: {expected}")
    return proof


def _prover_of(formula: Formula | None, solver: str) -> str:
    """The solver that finds the proof: where cells must be connected, the default gives way to one
    that floods."""
    return FLOODED if solver == DEFAULT_SOLVER and formula and formula.areas else solver


def _whole(formula: Formula, puzzle: Grid, grids: tuple[Grid, ...]) -> list[list[int]]:
    """The whole formula: the engine knows only a part of what clues on many cells say, and nothing
    of layers."""
    board = formula.constraints.board
    digits = (of_grids(grid.cells[: board.grid_cells], board) for grid in grids)
    blocked = ([-literal for literal in formula.literals(grid.cells)] for grid in digits)
    given = ([literal] for literal in formula.literals(puzzle.cells))
    return [*map(list, formula.clauses), *given, *blocked]


def with_hints(preamble: Preamble, certificate: Certificate) -> Certificate:
    """The certificate with its DRAT proof turned into LRAT, which verified checkers read."""
    if certificate.proof is None or certificate.proof.format == "lrat":
        return certificate
    steps = parse_drat(certificate.proof.text)
    text = drat_to_lrat(*formula_of(preamble, certificate), steps)
    return replace(
        certificate, proof=replace(certificate.proof, text=text, format="lrat", sha256="")
    )


def _check(made: list[Certificate], constraints: Constraints) -> None:
    checker = _checker_of(constraints)
    for certificate in made:
        limits.check()
        if reason := checker.refusal(certificate):
            raise WitnessError(f"certificate of {certificate.puzzle}: {reason}")


@lru_cache(maxsize=16)
def preamble_of(constraints: Constraints) -> Preamble:
    """The preamble of certificates under these constraints."""
    formula, _ = _stated(constraints)
    cnf = format_formula(formula.variables, _clauses_of(constraints))
    versions = {"satdoku": VERSION, "python-sat": metadata.version("python-sat")}
    return Preamble(constraints.board, constraints.rules, cnf, versions, sums=sums_of(constraints))


def sums_of(constraints: Constraints) -> tuple[Derived, ...]:
    """The sums that stand in place of equations; what trees need beside board and rules."""
    derived = _stated(constraints)[1] if constraints.is_wide else ()
    number = {rule: place for place, rule in enumerate(constraints.rules)}
    return tuple(
        Derived(((said.times, number[said.clue]),), said.houses, said.segments) for said in derived
    )


@lru_cache(maxsize=16)
def _checker_of(constraints: Constraints) -> SectionChecker:
    return SectionChecker(preamble_of(constraints), _clauses_of(constraints))


@lru_cache(maxsize=16)
def _clauses_of(constraints: Constraints) -> Ints:
    """The encoder's clauses, each with a 0 at its end."""
    return flat(_stated(constraints)[0].clauses)


def _stated(constraints: Constraints) -> tuple[Formula, tuple[SumOf, ...]]:
    """The formula of board and rules that certificates state, and its sums."""
    if not constraints.is_wide:
        return encode(constraints), ()
    from ..cnf.clues import summed  # few puzzles have sums

    return summed(constraints)
