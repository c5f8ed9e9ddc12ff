"""Few grids are drawn uniformly."""

from __future__ import annotations

from collections import Counter

from generator_cases import LITTLE, SIX, chi_square

from satdoku.generator.dice import Dice
from satdoku.generator.grids import few_grids, random_grids
from satdoku.model.constraints import constraints_for


def test_few_grids_are_drawn_uniformly(four_by_four):
    assert [bytes(grid) for grid in few_grids(LITTLE)] == sorted(four_by_four)
    drawn = random_grids(28_800, LITTLE, Dice(1))
    counts = Counter(map(bytes, drawn))
    assert len(counts) == 288
    assert abs(chi_square(list(counts.values()), [100] * 288)) < 4
    assert len(few_grids(constraints_for("miracle"))) == 72
    assert few_grids(SIX) is None
