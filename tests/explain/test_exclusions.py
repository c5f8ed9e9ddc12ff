"""What cells lose, or keep, in as few words as possible."""

from __future__ import annotations

from satdoku.explain.exclusions import exclusions
from satdoku.explain.units import units_of
from satdoku.model.constraints import constraints_for

UNITS = units_of(constraints_for())


def candidates(*names):
    """The candidates of names such as r1c1=345."""
    found = 0
    for name in names:
        cell, _, digits = name.partition("=")
        row, column = int(cell[1]), int(cell[3])
        number = 9 * (row - 1) + column - 1
        found |= sum(1 << 9 * number + int(digit) - 1 for digit in digits)
    return found


def test_the_same_digits_of_the_same_cells_stand_together():
    one = candidates("r1c1=123", "r2c1=123")
    assert exclusions(UNITS, one) == "no 1, 2 or 3 in r1c1 and r2c1"
    two = candidates("r1c1=1", "r1c2=1", "r1c3=1", "r1c4=12", "r2c2=1")
    assert exclusions(UNITS, two) == "no 1 in r1c1-r1c4 and r2c2; no 2 in r1c4"
    three = candidates("r5c2=346", "r5c3=346", "r6c3=6")
    assert exclusions(UNITS, three) == "no 3, 4 or 6 in r5c2 and r5c3; no 6 in r6c3"


def test_cells_that_keep_less_than_they_lose_are_told_by_what_they_keep():
    lost = candidates("r1c1=12347", "r2c1=12347")
    assert exclusions(UNITS, lost, UNITS.every) == "r1c1 and r2c1 hold 5, 6, 8 or 9"
    assert exclusions(UNITS, lost) == "no 1, 2, 3, 4 or 7 in r1c1 and r2c1"
    last = candidates("r1c1=12345678", "r5c5=9")
    assert exclusions(UNITS, last, UNITS.every) == "r1c1 is 9; no 9 in r5c5"


def test_what_is_not_left_is_not_kept():
    live = UNITS.every & ~candidates("r1c1=56")
    assert exclusions(UNITS, candidates("r1c1=1234"), live) == "r1c1 holds 7, 8 or 9"
