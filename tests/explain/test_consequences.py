"""What follows from candidates by some units, up to a contradiction."""

from __future__ import annotations

from satdoku.explain.consequences import consequences
from satdoku.explain.units import units_of
from satdoku.model.constraints import constraints_for


def follow(rules, named, *true):
    """The consequences of candidates (cell, digit) by the units of these labels."""
    units = units_of(constraints_for(rules))
    names = {u: u.label if u.digit is None else f"{u.label}={u.digit}" for u in units.all}
    chosen = [unit for unit, name in names.items() if name in named]
    assert len(chosen) == len(named)
    return consequences(units, chosen, units.every, [9 * cell + digit - 1 for cell, digit in true])


def test_the_last_phrase_tells_why_a_clue_breaks():
    dots = "white:r1c1,r1c2;white:r1c2,r1c3"
    named = ["white dot r1c1-r1c2", "white dot r1c2-r1c3"]
    assert follow(dots, named, (0, 1), (2, 5)) == ("but r1c2 cannot be 2 (white dot r1c1-r1c2)",)
    named = ["odd r1c2", "thermo r1c1-r1c3", "r1c2", "r1c3"]
    assert follow("thermo:r1c1-r1c3;odd:r1c2", named, (2, 3)) == (
        "r1c1=1 (thermo r1c1-r1c3)",
        "r1c2=2 (last in its cell)",
        "but r1c2 must be odd",
    )


def test_two_digits_that_exclude_each_other_are_both_named():
    """The boxes say nothing of it, so they are not told."""
    named = ["box 1=5", "row 1=5", "box 2=5"]
    assert follow("classic", named, (0, 5), (3, 5)) == (
        "row 1 does not allow r1c4=5 beside r1c1=5",
    )


def test_what_a_clue_strikes_is_told_with_its_reason():
    rules = "cage=7:r1c1,r1c2;cage=4:r1c3,r1c4"
    cages = ["7 cage r1c1-r1c2", "4 cage r1c3-r1c4"]
    told = follow(rules, ["row 1=1", "row 1=2", "row 1=3", *cages, "r1c2", "r1c3"], (0, 4))
    assert "(4 cage r1c3-r1c4 is 1+3)" in told[0]
    assert told[-1] == "and each of r1c3=1 and r1c3=3 leads to a contradiction"
