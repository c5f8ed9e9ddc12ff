"""Clues that are switched on one by one, against brute force by what each kind says."""

import random

import pytest
from clue_examples import keeps, random_clue
from examples import FOUR
from pysat.solvers import Solver

from satdoku.cnf.switches import switched
from satdoku.model.clue import ClueError
from satdoku.model.constraints import constraints_for
from satdoku.model.kinds import KINDS, clue_of

KEPT_OUT = {"entropic", "entropy"}  # whose digits fall into three classes: not on 4x4


@pytest.mark.parametrize("kind", sorted(k for k in KINDS.keys() - KEPT_OUT if not KINDS[k].denies))
def test_the_clues_that_are_switched_on_hold_and_no_others(kind, four_by_four):
    rng = random.Random(kind)
    try:
        constraints = constraints_for(";".join(random_clue(rng, kind, 4) for _ in range(2)), FOUR)
    except ClueError:
        pytest.skip("two random clues are none")
    base, clauses, switches = switched(constraints)
    assert switches.keys() == {*constraints.clue_texts}
    with Solver("glucose4", clauses) as solver:
        for number in range(len(switches) + 1):
            on = constraints.clue_texts[:number]
            clues = [clue_of(text, FOUR) for text in on]
            for grid in four_by_four:
                assumed = [*base.literals(grid), *(switches[text] for text in on)]
                said = all(keeps(grid, clue, constraints.clues, 4) for clue in clues)
                assert solver.solve(assumed) == said, (on, grid)


def test_a_clue_that_a_rule_says_too_has_a_switch_of_its_own():
    constraints = constraints_for("diagonal;region:falling", FOUR)
    _, clauses, switches = switched(constraints)
    (switch,) = switches.values()
    assert sum(-switch in clause for clause in clauses) == 4 + 4 * 6


def test_sums_of_the_same_cells_hold_one_without_the_other(four_by_four):
    texts = "sum=11:r1c1-r1c3,r3c4,r4c4;sum=12:r1c1-r1c3,r2c4,r3c3"
    base, clauses, switches = switched(constraints_for(texts, FOUR))
    with Solver("glucose4", clauses) as solver:
        for text, cells, total in zip(
            switches, ((0, 1, 2, 11, 15), (0, 1, 2, 7, 10)), (11, 12), strict=True
        ):
            for grid in four_by_four:
                said = sum(grid[cell] for cell in cells) == total
                assert solver.solve([*base.literals(grid), switches[text]]) == said
