"""The few combinations and sequences that a clue still accepts, and what it needs."""

from __future__ import annotations

from told_clues import told_of

from satdoku.explain.combinations import because, combinations, needed, needs, ways


def test_combinations_are_those_of_the_candidates_left():
    assert combinations(told_of("cage=14:r1c1,r1c2")) == "14 cage r1c1-r1c2 is 5+9 or 6+8"
    left = combinations(told_of("cage=14:r1c1,r1c2", {"r1c1": "123456"}))
    assert left == ""  # 9 and 8 stand in r1c2 alone: that is no matter of combinations
    assert combinations(told_of("product=35:r1c1,r1c2")) == "35 product r1c1-r1c2 is 5×7"
    assert combinations(told_of("little-killer=30:r1c2-r4c5")) == ""  # there are too many


def test_a_digit_that_a_clue_needs():
    text = "quadruple=1,2,9:r1c1,r1c2,r2c1,r2c2"
    left = {"r1c1": "345", "r1c2": "1345", "r2c1": "1234"}
    assert needs(told_of(text, left | {"r1c2": "135", "r2c1": "123", "r1c1": "123"})) == (
        "quadruple 1,2,9 at r1c1 needs 9, which only r2c2 can hold"
    )
    told = told_of(text, dict.fromkeys(("r1c1", "r1c2", "r2c1", "r2c2"), "12345678"))
    assert needed(told.units, told.unit, told.live) == 9
    assert needed(told.units, told.unit, told.units.every) is None


def test_few_sequences_are_listed_and_few_cells_named():
    three = ways(told_of("count=5x2:r1c1,r1c2,r1c3", {"r1c1": "1"}))
    assert three == "r1c1-r1c2-r1c3 can only be 1-5-5 (count 5x2 at r1c1-r1c3)"
    ends = because(told_of("between:r1c1-r1c4", {"r1c1": "12", "r1c4": "56"}))
    assert ends == "r1c1 is 1 or 2 and r1c4 is 5 or 6 (between line r1c1-r1c4)"
