"""Implied sums: true of every solution, and stronger than the clues one by one."""

import random
from itertools import count

import pytest
from clue_examples import keeps, random_clue
from examples import FOUR
from pysat.solvers import Solver

from satdoku.answers.session import Session
from satdoku.cnf.encodings import build
from satdoku.cnf.encodings.formula import ClauseFamily, Formula
from satdoku.cnf.implied import strengthened
from satdoku.model.board import Board
from satdoku.model.clue import read_clue
from satdoku.model.constraints import constraints_for
from satdoku.model.kinds import KINDS

SUMS = sorted(name for name, kind in KINDS.items() if kind.sums)


def strong(constraints):
    formula = build(constraints)
    fresh = count(formula.variables + 1).__next__
    clauses = tuple(strengthened(formula, fresh))
    return Formula(constraints, "strong", (ClauseFamily("all", clauses),), fresh() - 1)


@pytest.mark.parametrize("kind", SUMS)
def test_each_solution_is_one_model(kind, four_by_four):
    rng = random.Random(kind)
    for _ in range(6):
        texts = constraints_for(";".join(random_clue(rng, k, 4) for k in (kind, "sum")), FOUR)
        clues = [read_clue(text, FOUR) for text in texts.clue_texts]
        formula = strong(texts)
        unused = {*range(1, formula.variables + 1)} - {abs(x) for c in formula.clauses for x in c}
        clauses = [*formula.clauses, *((variable,) for variable in unused)]
        with Solver("glucose4", bootstrap_with=clauses) as solver:
            models = sorted(map(formula.decode, solver.enum_models()))
        assert models == sorted(
            grid for grid in four_by_four if all(keeps(grid, c, clues, 4) for c in clues)
        )


def test_the_45_rule_removes_candidates():
    """r1c9 holds 3, which no clue says by itself."""
    texts = "cage=11:r1c1,r1c2;cage=12:r1c3,r1c4;cage=9:r1c5,r1c6;cage=10:r1c7,r1c8"
    constraints = constraints_for(texts)
    with Session(encoding=build(constraints)) as weak:
        assert weak.propagate("." * 81)[8] == 0
    with Session(encoding=strong(constraints)) as session:
        assert session.propagate("." * 81)[8] == 3


def test_contradictions_are_no_empty_clauses():
    six = Board.of_size(6)
    for text in ("sum=110:row1,row2,row3,row4,row5", "sum=22:row1", "equal-sum:r1c1>row2"):
        formula = strong(constraints_for(text, six))
        assert all(formula.clauses)
        with Session(encoding=formula, solver="glucose4") as session:
            assert session.solve("." * 36) is None
