"""Large grids checked from the shape of the board alone."""

from __future__ import annotations

import numpy as np
import pytest

from satdoku.answers.large.board import large_rules
from satdoku.answers.large.check import _houses, clash, solves
from satdoku.generator.holes import puzzles_with_holes


@pytest.mark.parametrize("rules", ["", "boxes=2x8", "latin", "diagonal,windoku,disjoint"])
def test_its_houses_are_those_that_formulas_are_made_of(rules):
    asked = large_rules(rules, 16)
    cells = np.arange(256).reshape(16, 16)
    found = {tuple(sorted(house)) for _, part in _houses(cells, asked) for house in part.tolist()}
    assert found == {tuple(sorted(house)) for house in asked.houses.tolist()}


def test_each_fault_is_found():
    rules = large_rules("boxes=4x9", 36)
    grid = puzzles_with_holes(1, "boxes=4x9", size=36, holes=0, seed=1)[0]
    assert solves(grid, grid, rules)
    for change in ((0, 0), (0, 1 + grid[0] % 36), (35, 37)):
        wrong = grid.copy()
        wrong[change[0]] = change[1]
        assert not solves(wrong, np.zeros_like(grid), rules)
    other = grid.copy()
    other[0] = 1 + other[0] % 36
    assert not solves(grid, other, rules)


def test_a_clash_is_named():
    rules = large_rules("", 36)
    cells = np.zeros(1296, np.uint16)
    assert clash(cells, rules) == ""
    cells[[0, 37]] = 5
    assert clash(cells, rules) == "r1c1=5 and r2c2=5 break the box rule"
