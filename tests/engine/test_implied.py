"""Cages by the 45 rule: true of the grid that a killer was made from, and as told by hand."""

from __future__ import annotations

import random

import pytest
from killers import random_killer

from satdoku.cnf.implied import peers_of
from satdoku.engine.implied import beside, differ, implied_cages
from satdoku.model.constraints import constraints_for

# All of row 1 but its last cell; row 2 in cages of which one reaches into row 3.
PART = "cage=10:r1c1-r1c4;cage=30:r1c5-r1c8;cage=40:r2c1-r2c8;cage=11:r2c9,r3c9"


@pytest.mark.parametrize("seed", range(20))
def test_what_follows_from_a_killer_is_true_of_its_grid(seed):
    rules, grid = random_killer(random.Random(seed))
    found = list(implied_cages(constraints_for(rules)))
    assert found
    for cage in found:
        assert frozenset(grid[cell] for cell in cage.cells) in cage.sets


def test_the_45_rule_within_a_house_and_beyond_it():
    found = {cage.cells: cage.sets for cage in implied_cages(constraints_for(PART))}
    assert found[(8,)] == (frozenset({5}),)  # 45 less 10 and 30
    assert found[(17,)] == (frozenset({5}),)
    assert found[(26,)] == (frozenset({6}),)  # 40 and 11 less 45
    assert not list(implied_cages(constraints_for("knight;thermo:r1c1,r1c2")))


def test_cells_that_differ_and_those_beside_them():
    peers = peers_of(constraints_for("cage:r1c1,r5c5"))
    assert differ((0, 1, 9), peers)
    assert differ((0, 40), peers)
    assert not differ((0, 41), peers)
    assert beside((0, 1), peers) == [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 18, 19, 20]
