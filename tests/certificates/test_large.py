"""Proofs about large puzzles."""

from __future__ import annotations

import numpy as np
import pytest

import satdoku
from satdoku.answers.large.propagate import open_candidates
from satdoku.answers.large.solve import LargeQuery
from satdoku.certificates.large import prove
from satdoku.certificates.make import ProverError
from satdoku.generator.holes import puzzles_with_holes
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import as_grid
from satdoku.model.puzzle import Puzzle
from satdoku.runtime.errors import Status


@pytest.mark.parametrize(("size", "holes"), [(9, 46), (16, 100)])
def test_what_is_proved_is_what_a_session_says(size, holes):
    found = set()
    puzzles = puzzles_with_holes(12, size=size, holes=holes, seed=4)
    puzzles[::3] = _without_solution(puzzles[::3])
    for puzzle in puzzles:
        query = _query(puzzle)
        if satdoku.classify(puzzle) is not Status.INVALID:
            proof = prove(query)
            status = Status.MULTIPLE if proof is None else proof.status
            found.add(status)
            assert status == satdoku.classify(puzzle)
    assert found >= {Status.UNIQUE, Status.MULTIPLE}


def _without_solution(puzzles):
    """Puzzles with one more digit that no house excludes, and that is not the one of a solution."""
    changed = puzzles.copy()
    for puzzle in changed:
        query = _query(puzzle)
        start = open_candidates(query.cells, query.puzzle.constraints)
        wrong = np.argmax(start.digits != np.frombuffer(query.solve(), np.uint8)[start.cells])
        puzzle[start.cells[wrong]] = start.digits[wrong]
    return changed


def test_the_formula_has_no_model_and_has_one_without_the_blocking_clause():
    puzzle = puzzles_with_holes(1, size=16, holes=100, seed=1, unique=True)[0]
    proof = prove(_query(puzzle))
    assert proof.status is Status.UNIQUE
    assert len(proof.blocking) == (puzzle == 0).sum()
    header, *lines = "".join(proof.cnf()).splitlines()
    assert header == f"p cnf {proof.formula.variables} {len(lines)}"
    assert lines[-1] == " ".join(map(str, proof.blocking)) + " 0"


def test_solvers_without_proofs_are_refused():
    with pytest.raises(ProverError):
        prove(_query(np.zeros(81, int)), solver="gluecard4")


def _query(puzzle):
    grid = as_grid(puzzle)
    return LargeQuery(Puzzle(grid, constraints_for("classic", grid.board)))
