"""Wings: Sukaku Explainer's, and those that other rules allow."""

from __future__ import annotations

import pytest
from logic_cases import generated, only, state_of, states_before

from satdoku.explain.logic.bent import Almost
from satdoku.explain.logic.plain import Plain
from satdoku.explain.witness import proves
from satdoku.ratings.scale import AVAILABLE


def wings(state, cells):
    return Plain(state.units).wings(state, cells)


@pytest.mark.skipif(not AVAILABLE, reason="the reference takes long")
@pytest.mark.parametrize(
    ("technique", "cells"), [("XY-wing", 3), ("XYZ-wing", 3), ("WXYZ-wing", 4), ("VWXYZ-wing", 5)]
)
def test_the_easiest_has_the_rating_of_sudoku_explainer(technique, cells):
    met = 0
    for state, rating in states_before(technique, generated(0, 200)):
        found = list(wings(state, cells))
        assert min(finding.rating for finding in found) == rating
        easiest = next(finding for finding in found if finding.rating == rating)
        assert easiest.technique == technique
        named = [state.units.all[unit] for unit in easiest.units]
        assert proves(named, state.live, None, easiest.struck)
        met += 1
    assert met


def test_a_wing_by_a_move_of_a_knight():
    struck = only([1], "12") + only([2], "23") + only([3], "13", 2)
    for rules, is_found in (("latin", False), ("latin,knight", True)):
        state = state_of(rules, *struck)
        found = list(wings(state, 3))
        assert bool(found) == is_found
    assert found[0].technique == "XY-wing"
    assert found[0].why == (
        "r1c1 and r1c2 hold only 1, 2 and 3: if r2c3 is 1, they need a 3, else r2c3 is 3 (XY-wing)"
    )


def test_names():
    names = [Almost(None, (0,) * n, 3, ()).technique for n in (2, 3, 6)]
    assert names == ["XYZ-wing", "WXYZ-wing", "TUVWXYZ-wing"]
    assert Almost(None, (0, 1), 2, ()).technique == "XY-wing"
