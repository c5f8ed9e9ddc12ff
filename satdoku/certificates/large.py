"""Proofs about large puzzles, as a formula and a DRAT proof for outside checkers.

Invariant: the formula follows from the givens without propagation: it has a variable for each
digit that no given of a house excludes, the groups, and a clause that excludes the solution. Every
proof is checked by `proof` before it is handed out.

The preamble of a certificate states all candidates of a board; those of 225x225 would be 11 million
variables. So large puzzles have no certificates, but these two files.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

import numpy as np

from ..answers.large.dimacs import clause_lines
from ..answers.large.formula import LargeFormula, formula_of
from ..answers.large.propagate import Candidates, Digits, open_candidates
from ..answers.large.solve import LargeQuery, loaded
from ..answers.session import verified
from ..answers.solver import DEFAULT_SOLVER
from ..model.grid import Grid
from ..runtime.errors import Status, WitnessError
from .make import EMPTY, check_prover, proof_by
from .proof import parse_drat
from .proof.rup import Checker


@dataclass(frozen=True)
class LargeProof:
    """That a puzzle has at most one solution, or none.

    status: UNIQUE or NONE. blocking: the clause that excludes the solution, empty without one.
    """

    status: Status
    formula: LargeFormula
    blocking: tuple[int, ...]
    drat: str

    def cnf(self) -> Iterator[str]:
        """The refuted formula as DIMACS, in large pieces."""
        more = [np.array([self.blocking], np.int32)] if self.blocking else []
        yield f"p cnf {self.formula.variables} {self.formula.clause_count + len(more)}\n"
        yield from clause_lines(chain(self.formula.clauses(), more))


def prove(query: LargeQuery, *, solver: str = DEFAULT_SOLVER) -> LargeProof | None:
    """The checked proof that a puzzle has one solution or none; None if it has several.

    The givens must not clash. solver: one of `make.PROVERS`.
    """
    check_prover(solver)
    start = open_candidates(query.cells, query.puzzle.constraints)
    found, grid = query.solve(), query.puzzle.grid
    if found is not None:
        verified(Grid(found, grid.board), grid, query.puzzle.constraints)
    solution = None if found is None else np.frombuffer(found, grid.digits_type)
    formula = formula_of(start)
    blocking = () if solution is None else tuple((-formula.true_in(solution)).tolist())
    drat = EMPTY
    if not query.propagated.conflict and query.propagated.count:
        refuted = _refuted(query, solution, start, solver)
        if refuted is None:
            return None
        drat = refuted
    proof = LargeProof(Status.NONE if solution is None else Status.UNIQUE, formula, blocking, drat)
    _check(proof)
    return proof


def _refuted(
    query: LargeQuery, solution: Digits | None, start: Candidates, solver: str
) -> str | None:
    """The proof over the variables of `start`, None if there is another solution."""
    numbers = _numbers(query.propagated, start)
    with loaded(query.formula, solver, with_proof=True) as engine:
        if solution is not None:
            engine.add_clause((-query.formula.true_in(solution)).tolist())
        lines = proof_by(engine, solver)
    if lines is None:
        return None
    return "".join(f"{' '.join(numbers[word] for word in line.split())}\n" for line in lines)


def _numbers(left: Candidates, start: Candidates) -> dict[str, str]:
    """Each word of a proof over the candidates that are left, as it is over all of the start."""
    size = int(start.digits.max()) + 1
    places = np.searchsorted(start.cells * size + start.digits, left.cells * size + left.digits) + 1
    words = {"0": "0", "d": "d"}
    for number, place in enumerate(places.tolist(), 1):
        words[f"{number}"], words[f"-{number}"] = f"{place}", f"-{place}"
    return words


def _check(proof: LargeProof) -> None:
    clauses, extra = array("i"), array("i")
    for block in proof.formula.clauses():
        clauses.frombytes(np.pad(block, ((0, 0), (0, 1))).astype(np.intc).tobytes())
    extra.extend([*proof.blocking, 0] if proof.blocking else [])
    verdict = Checker(proof.formula.variables, clauses).check(extra, parse_drat(proof.drat))
    if not verdict.good:
        raise WitnessError(f"proof of a large puzzle: {verdict.describe()}")
