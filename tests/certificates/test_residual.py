"""The residual formula has the models of the whole one, and its clauses are that one's, cut."""

from random import Random

import numpy as np
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION

from satdoku.certificates.residual import residual_of
from satdoku.cnf.encodings import encode
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import parse_grid
from satdoku.sat.solver import solve_clauses

SIX = Board.of_size(6)


def closure(clauses):
    """Literals that unit propagation makes true, by full scans; None on a conflict."""
    true = set()
    while True:
        new = set()
        for clause in clauses:
            if not true.intersection(clause):
                left = [literal for literal in clause if -literal not in true]
                if not left:
                    return None
                if len(left) == 1:
                    new.add(left[0])
        if not new:
            return true
        true |= new


@pytest.mark.parametrize("rules", ["classic", "diagonal", "knight", "nonconsecutive"])
def test_each_clause_is_a_clause_of_the_formula_without_its_false_literals(rules):
    constraints, random = constraints_for(rules, SIX), Random(4)
    checked = 0
    while checked < 3:
        cells = np.zeros((1, 36), np.uint8)
        cells[0, random.sample(range(36), 3)] = [random.randint(1, 6) for _ in range(3)]
        marks, conflicts = residual_of(constraints).propagate(cells)
        formula = encode(constraints)
        units = [(literal,) for literal in formula.literals(cells.tobytes())]
        true = closure([*formula.clauses, *units])
        assert conflicts[0] == (true is None)
        if true is None:
            continue
        checked += 1
        left = {
            frozenset(literal for literal in clause if -literal not in true)
            for clause in formula.clauses
            if not true.intersection(clause)
        }
        clauses = residual_of(constraints).clauses(marks[0], [])
        assert {frozenset(clause) for clause in clauses} == left
        assert (solve_clauses(clauses) is None) == (
            solve_clauses([*formula.clauses, *units]) is None
        )


def test_what_propagation_solves_leaves_the_empty_clause_once_the_solution_is_blocked():
    cells = bytearray(parse_grid(CLASSIC_SOLUTION).cells)
    cells[40] = 0
    marks, _ = residual_of(constraints_for()).propagate(
        np.frombuffer(cells, np.uint8).reshape(1, 81)
    )
    residual, solution = residual_of(constraints_for()), parse_grid(CLASSIC_SOLUTION).cells
    assert residual.clauses(marks[0], []) == []
    assert residual.clauses(marks[0], [solution]) == [[]]


def test_blocking_takes_away_just_the_one_solution():
    constraints, puzzle = constraints_for(), parse_grid(CLASSIC)
    marks, _ = residual_of(constraints).propagate(np.asarray(puzzle).reshape(1, 81))
    assert solve_clauses(residual_of(constraints).clauses(marks[0], [])) is not None
    blocked = residual_of(constraints).clauses(marks[0], [parse_grid(CLASSIC_SOLUTION).cells])
    assert solve_clauses(blocked) is None
