"""Bounds of sums, and where a sum may stand."""

from __future__ import annotations

from told_clues import told_of

from satdoku.explain.sum_words import bounds, stretches


def test_a_bound_names_only_cells_that_may_not_hold_anything():
    assert (
        bounds(told_of("arrow:r1c1>r1c2,r2c3", {"r1c1": "45"}))
        == "r1c1 is at most 5 (arrow at r1c1)"
    )
    known = bounds(told_of("arrow:r1c1>r1c2,r2c3", {"r1c1": "4"}))
    assert known == "r1c1 is 4 (arrow at r1c1)"
    both = bounds(told_of("region-sum:r1c2-r1c5", {"r1c2": "12", "r1c3": "34"}))
    assert both == "r1c2 and r1c3 add up to at most 6 (region sum line r1c2-r1c5)"


def test_digits_of_a_cage_differ_in_its_bounds():
    free = bounds(told_of("sum=25:r1c1,r2c2,r3c3"))
    assert free == "two cells add up to at most 18 (25 sum at r1c1)"
    different = bounds(told_of("cage=21:r1c1,r2c2,r3c3"))
    assert different == "two cells add up to at most 17 (21 cage at r1c1)"


def test_a_sandwich_of_two_cells_is_told():
    """It is read as pairs of candidates, not digit by digit."""
    assert stretches(told_of("shape=2x4;sandwich=0:col4")) == (
        "0 takes no cells between 1 and 4 (sandwich 0 at r1c4-r2c4)"
    )


def test_a_sandwich_takes_so_many_cells_or_stands_there():
    assert stretches(told_of("sandwich=35:row7")) == (
        "1 and 9 are in r7c1 and r7c9 (sandwich 35 in row 7)"
    )
    assert stretches(told_of("sandwich=33:row7")) == (
        "1 and 9 are in r7c1 and r7c8, or in r7c2 and r7c9 (sandwich 33 in row 7)"
    )
    assert stretches(told_of("x-sum=20:row3")) == (
        "20 takes three to five cells (x-sum 20 in row 3 from the left)"
    )
