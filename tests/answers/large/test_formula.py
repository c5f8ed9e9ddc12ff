"""Formulas of large puzzles, compared with the reduced encoding of small ones."""

from __future__ import annotations

import numpy as np

from satdoku.answers.large.formula import formula_of
from satdoku.answers.large.propagate import open_candidates
from satdoku.cnf.encodings import encode
from satdoku.generator.holes import puzzles_with_holes
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for


def test_before_propagation_it_is_the_reduced_encoding():
    """Both reduce by the givens alone, and number candidates in the same order."""
    for rules in ("classic", "diagonal"):
        puzzle = puzzles_with_holes(1, rules, holes=50, seed=1)[0]
        start = open_candidates(puzzle.astype(np.uint16), constraints_for(rules))
        ours = formula_of(start)
        theirs = encode(constraints_for(rules), "reduced", puzzle.tolist())
        clauses = [tuple(row) for block in ours.clauses() for row in block.tolist()]
        assert ours.variables == theirs.variables
        assert ours.clause_count == len(clauses)
        assert {tuple(sorted(c)) for c in clauses} == {tuple(sorted(c)) for c in theirs.clauses}


def test_a_grid_and_its_true_variables():
    rules = constraints_for("classic", Board.of_size(36))
    grid = puzzles_with_holes(1, size=36, holes=0, seed=1)[0]
    puzzle = np.where(np.arange(1296) % 3 == 0, 0, grid).astype(np.uint16)
    formula = formula_of(open_candidates(puzzle, rules))
    true = np.zeros(formula.variables, np.bool_)
    true[formula.true_in(grid) - 1] = True
    assert true.sum() == (puzzle == 0).sum()
    assert (formula.cells_of(true) == grid).all()
