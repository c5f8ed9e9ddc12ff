"""Entries go and come, and the rest of the puzzle stays."""

from satdoku.files.one import as_puzzle
from satdoku.setting.entries import Entry, Suggestion, entries_of, with_entries, without

RULES = "classic,knight;thermo:r1c1,r1c2;odd:r5c5"


def test_all_entries_go_and_come_back():
    puzzle = as_puzzle("12" + "." * 79, RULES)
    entries = entries_of(puzzle)
    assert [entry.name for entry in entries] == ["r1c1=1", "r1c2=2", *puzzle.constraints.clue_texts]
    bare = without(puzzle, entries)
    assert not entries_of(bare) and bare.constraints.names == ("knight",)
    assert with_entries(bare, entries) == puzzle
    assert without(puzzle, entries[:1]).constraints is puzzle.constraints


def test_a_suggestion_as_plain_values():
    puzzle = as_puzzle("1...............")
    data = Suggestion("words", puzzle, added=("r1c1=1",)).as_data()
    assert data["puzzle"] == "1..............." and data["added"] == ["r1c1=1"]
    assert Entry("r1c1=1", 0, 1).clue == ""
