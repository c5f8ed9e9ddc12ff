"""Implied sums: true of every solution, and stronger than the clues one by one."""

import random
from itertools import count

import pytest
from clue_examples import keeps, random_clue
from examples import CLASSIC_SOLUTION, FOUR
from pysat.solvers import Solver

from satdoku.cnf.encodings import build
from satdoku.cnf.encodings.formula import ClauseFamily, Formula
from satdoku.cnf.implied import houses_of, left_by_houses, peers_of, reduced, strengthened
from satdoku.model.board import Board
from satdoku.model.clue import read_clue
from satdoku.model.constraints import constraints_for
from satdoku.model.kinds import KINDS
from satdoku.model.shapes import Sum
from satdoku.sat.session import Session

SUMS = sorted(name for name, kind in KINDS.items() if kind.sums)
SOLUTION = [int(digit) for digit in CLASSIC_SOLUTION]


def strong(constraints):
    formula = build(constraints)
    fresh = count(formula.variables + 1).__next__
    clauses = tuple(strengthened(formula, fresh))
    return Formula(constraints, "strong", (ClauseFamily("all", clauses),), fresh() - 1)


def holds(said, digits):
    cells = zip(said.cells, said.weights, strict=True)
    return sum(weight * digits[cell] for cell, weight in cells) == said.total


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


def cages(rng, share=0.9):
    """Cages true of the solution, as random runs of up to four cells in rows and columns."""
    free, texts = set(range(81)), []
    while free:
        first, step, length = rng.choice(sorted(free)), rng.choice((1, 9)), rng.randint(2, 4)
        cells = [first + step * i for i in range(length)]
        line = {cell // 9 if step == 1 else cell % 9 for cell in cells}
        if len(line) > 1 or not free.issuperset(cells):
            cells = [first]
        free -= {*cells}
        if rng.random() < share:
            names = ",".join(f"r{c // 9 + 1}c{c % 9 + 1}" for c in cells)
            texts.append(f"cage={sum(SOLUTION[c] for c in cells)}:{names}")
    return texts


def test_implied_sums_are_true():
    rng = random.Random(1)
    few = 0
    for _ in range(3):
        constraints = constraints_for(";".join(cages(rng)))
        houses = houses_of(constraints)
        for said in left_by_houses(constraints, houses):
            assert holds(said, SOLUTION)
            few += 1
        for _ in range(20):
            cells = tuple(rng.sample(range(81), rng.randint(1, 80)))
            weights = tuple(rng.choice((1, 1, 1, -1, 10)) for _ in cells)
            total = sum(w * SOLUTION[c] for c, w in zip(cells, weights, strict=True))
            less = reduced(Sum(cells, weights, total), houses, 9)
            assert holds(less, SOLUTION)
            assert len(less.cells) <= len(cells)
    assert few > 20


def test_cages_leave_few_cells_of_houses():
    """Row 1 without its cages is r1c9; boxes 1 and 4 with theirs are two cells too many."""
    row = "cage=11:r1c1,r1c2;cage=12:r1c3,r1c4;cage=9:r1c5,r1c6;cage=10:r1c7,r1c8"
    constraints = constraints_for(row)
    assert [*left_by_houses(constraints, houses_of(constraints))] == [Sum((8,), (1,), 3)]
    boxes = ";".join(
        f"cage={total}:r{r}c1,r{r}c2,r{r}c3" + ",r4c4" * (r == 4) for r, total in
        ((1, 10), (2, 15), (3, 20), (4, 16), (5, 15), (6, 18))
    )  # fmt: skip
    constraints = constraints_for(boxes)
    found = [*left_by_houses(constraints, houses_of(constraints))]
    assert Sum((30,), (1,), 4) in found


def test_a_long_sum_loses_its_houses():
    houses = houses_of(constraints_for("diagonal"))
    assert len(houses) == 29
    cells = tuple(cell for cell in range(27) if cell not in (5, 6))
    assert reduced(Sum(cells, (1,) * 25, 120), houses, 9) == Sum((5, 6), (1, 1), 15)
    assert reduced(Sum((0, 0, 3), (1, -1, 1), 4), houses, 9) == Sum((3,), (1,), 4)


def test_cells_that_differ_under_a_clue():
    """Only cells that may never hold the same digit are peers: of two that add up to 10, both may
    hold 5."""
    constraints = constraints_for("sum=10:r1c1,r5c5;distinct:r1c1-r9c9;difference=1:r1c2,r5c7")
    assert tuple(range(0, 81, 10)) in houses_of(constraints)
    peers = peers_of(constraints)
    assert peers[0] >> 40 & 1 and peers[1] >> 42 & 1
    assert not peers_of(constraints_for("sum=10:r1c1,r5c5"))[0] >> 40 & 1


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
