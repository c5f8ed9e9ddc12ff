"""Sums as the kernel runs them: true of the grid of a killer, and as told by hand."""

from __future__ import annotations

import random
from operator import mul

import pytest
from killers import random_killer

from satdoku.engine.sums import beside, by_segments, implied, without_houses
from satdoku.model.constraints import constraints_for
from satdoku.model.peers import peers_of
from satdoku.model.shapes import DigitSets, Sum

# All of row 1 but its last cell; row 2 in cages of which one reaches into row 3.
PART = "cage=10:r1c1-r1c4;cage=30:r1c5-r1c8;cage=40:r2c1-r2c8;cage=11:r2c9,r3c9"


@pytest.mark.parametrize("seed", range(20))
def test_what_follows_from_a_killer_is_true_of_its_grid(seed):
    rules, grid = random_killer(random.Random(seed))
    found = list(implied(constraints_for(rules)))
    assert {type(said) for said in found} == {DigitSets, Sum}
    for said in found:
        digits = [grid[cell] for cell in said.cells]
        if isinstance(said, DigitSets):
            assert frozenset(digits) in said.sets
        else:
            assert sum(map(mul, digits, said.weights)) == said.total


def test_the_45_rule_within_a_house_and_beyond_it():
    said = implied(constraints_for(PART))
    found = {cage.cells: cage.sets for cage in said if isinstance(cage, DigitSets)}
    assert found[(8,)] == (frozenset({5}),)  # 45 less 10 and 30
    assert found[(17,)] == (frozenset({5}),)
    assert found[(26,)] == (frozenset({6}),)  # 40 and 11 less 45
    assert not list(implied(constraints_for("knight;thermo:r1c1,r1c2")))


def test_a_long_sum_loses_its_houses_and_falls_into_segments():
    rules = constraints_for("classic")
    row = Sum(tuple(range(10)), (1,) * 10, 50)
    assert without_houses(row, rules) == DigitSets((9,), (frozenset({5}),))
    said = Sum((0, 1, 2, 3, 40), (1, 1, 1, 1, -2), 3)
    assert without_houses(said, rules) == said
    assert by_segments(said, rules) == [23, 2, 1, 1, 40, 1, 0, 3, 0, 1, 2, 1, 0, 1, 3]
    assert by_segments(Sum((0, 40), (1, -1), -9), rules) == [1, 1, 1, 1, 40, 1, 0, 1, 0]
    assert by_segments(Sum((0, 40), (1, 300), 99), rules) is None


def test_cells_beside_others():
    peers = peers_of(constraints_for("classic"))
    assert beside((0, 1), peers) == [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 18, 19, 20]
