"""What a clue strikes, as the words need it."""

from __future__ import annotations

from told_clues import told_of

from satdoku.model.board import bits


def test_what_goes_in_any_case_and_what_cells_lose_and_keep():
    told = told_of("thermo:r1c1-r1c3", {"r1c2": "234"})
    assert told.lost == {0: (4, 5, 6, 7, 8, 9), 2: (1, 2)}
    assert {candidate % 9 + 1 for candidate in bits(told.never) if candidate < 9} == {8, 9}
    assert (told.side(0), told.side(2)) == ("above", "below")
    assert told.digits(1) == (2, 3, 4)


def test_a_part_of_what_is_struck_is_a_case_of_its_own():
    told = told_of("thermo:r1c1-r1c3", {"r1c2": "234"})
    part = told.part(told.struck & told.never, told.live)
    assert part.lost == {0: (8, 9), 2: (1, 2)} and told_of("odd:r1c1").side(0) == ""
