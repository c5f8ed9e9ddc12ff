"""Sums as the kernel runs them: true of the grid of a killer, and as told by hand."""

from __future__ import annotations

import random

import pytest
from killers import random_killer

from satdoku.engine.sums import Segments, beside, compiled, implied, of_family
from satdoku.model.constraints import constraints_for
from satdoku.model.implied import peers_of
from satdoku.model.shapes import DigitSets, Sum

# All of row 1 but its last cell; row 2 in cages of which one reaches into row 3.
PART = "cage=10:r1c1-r1c4;cage=30:r1c5-r1c8;cage=40:r2c1-r2c8;cage=11:r2c9,r3c9"


@pytest.mark.parametrize("seed", range(20))
def test_what_follows_from_a_killer_is_true_of_its_grid(seed):
    rules, grid = random_killer(random.Random(seed))
    found = list(implied(constraints_for(rules)))
    assert {type(said) for said in found} == {DigitSets, Segments}
    for said in found:
        if isinstance(said, DigitSets):
            assert frozenset(grid[cell] for cell in said.cells) in said.sets
        else:
            assert adds_up(said.listed, grid)


def test_where_few_sums_follow_they_may_have_more_cells():
    row, box = implied(constraints_for("cage=20:r1c1-r1c3"))
    assert row.listed == (25, 1, 0, 3, 3, 4, 5, 1, 0, 3, 6, 7, 8)
    assert box.listed == (25, 1, 0, 3, 9, 10, 11, 1, 0, 3, 18, 19, 20)


def adds_up(listed, grid):
    """Whether the segments of a grid have the total."""
    total, *rest = listed
    while rest:
        weight, mirrored, count, *rest = rest
        digits = [grid[cell] for cell in rest[:count]]
        total -= weight * sum(10 - digit if mirrored else digit for digit in digits)
        rest = rest[count:]
    return total == 0


def test_the_45_rule_within_a_house_and_beyond_it():
    said = implied(constraints_for(PART))
    found = {cage.cells: cage.sets for cage in said if isinstance(cage, DigitSets)}
    assert found[(8,)] == (frozenset({5}),)  # 45 less 10 and 30
    assert found[(17,)] == (frozenset({5}),)
    assert found[(26,)] == (frozenset({6}),)  # 40 and 11 less 45
    assert not list(implied(constraints_for("knight;thermo:r1c1,r1c2")))


def test_a_sum_becomes_a_cage_or_segments():
    peers = peers_of(constraints_for("classic"))
    assert compiled(Sum((9,), (1,), 5), peers, 9) == DigitSets((9,), (frozenset({5}),))
    said = compiled(Sum((0, 1, 2, 3, 40), (1, 1, 1, 1, -2), 3), peers, 9)
    assert said == Segments((23, 2, 1, 1, 40, 1, 0, 3, 0, 1, 2, 1, 0, 1, 3))
    assert compiled(Sum((0, 40), (1, -1), -9), peers, 9) == Segments((1, 1, 1, 1, 40, 1, 0, 1, 0))
    assert compiled(Sum((0, 40), (1, 300), 99), peers, 9) is None


def test_a_clue_that_states_a_long_sum_loses_its_houses():
    rules = constraints_for("sum=50:row1,r2c1")
    assert of_family(rules.families[-1], rules) == [DigitSets((9,), (frozenset({5}),))]
    for text in ("cage=6:r1c1,r1c2,r1c3", "ten-line:r1c1-r1c4"):  # no sum alone says it
        rules = constraints_for(text)
        assert of_family(rules.families[-1], rules) is None


def test_cells_beside_others():
    peers = peers_of(constraints_for("classic"))
    assert beside((0, 1), peers) == [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 18, 19, 20]
