"""Names of numbers, cells and clues."""

from __future__ import annotations

import pytest

from satdoku.explain.naming import (
    cells_named,
    clue_label,
    either,
    listed,
    noun_of,
    number,
    told_together,
)
from satdoku.model.board import Board
from satdoku.model.clue import read_cells
from satdoku.model.constraints import constraints_for
from satdoku.model.kinds import KINDS, clue_of

NINE = Board.of_size(9)


def named(cells, board=NINE):
    return cells_named(board, read_cells(cells, board))


def test_words_are_joined_as_people_do():
    assert [listed("a"), listed("ab"), listed("abc")] == ["a", "a and b", "a, b and c"]
    assert either([1, 2, 3]) == "1, 2 or 3"
    assert [number(0), number(5), number(12), number(13)] == ["no", "five", "twelve", "13"]


def test_cells_behind_one_another_are_named_by_their_ends():
    assert named("r1c1,r1c2") == "r1c1 and r1c2"
    assert named("r1c1,r1c2,r1c3,r1c5") == "r1c1-r1c3 and r1c5"
    assert named("r9c9,r1c1,r2c1,r3c1,r1c2") == "r1c1-r3c1, r1c2 and r9c9"
    assert named("r1c1,r1c2,r1c3,r1c4,r2c1,r3c1") == "r1c1-r1c4, r2c1 and r3c1"
    assert named("box1") == "r1c1-r1c3, r2c1-r2c3 and r3c1-r3c3"


def test_cells_of_layers_are_not_mixed_with_those_of_the_grid():
    board = constraints_for("shape=4x4;layer=shade:0-1;layer=a*3:1-4").board
    assert named("row1,shade.row1,a", board) == "r1c1-r1c4, shade.r1c1-r1c4, a.1, a.2 and a.3"


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("cage:r1c1,r1c2", "cage r1c1-r1c2"),
        ("sum=10:r1c1,r1c2", "X r1c1-r1c2"),
        ("sum=10:r1c1,r1c2,r1c3", "10 sum r1c1-r1c3"),
        ("no-sum=5", "all Vs given"),
        ("no-ratio=3", "all ratios of 3 given"),
        ("sandwich=0:-col4", "sandwich 0 in column 4"),
        ("x-sum=20:-row3", "x-sum 20 in row 3 from the right"),
        ("thermo:col1", "thermo r1c1-r9c1"),
        ("whisper=4:r1c1-r1c3", "whisper 4 at r1c1-r1c3"),
        ("quadruple=1,2:r1c1,r1c2,r2c1,r2c2", "quadruple 1,2 at r1c1"),
        ("or:(odd:r1c1),(x:r1c1,r2c1)", "odd r1c1 or X r1c1-r2c1"),
    ],
)
def test_clues_are_called_what_people_call_them(text, label):
    assert clue_label(clue_of(text, NINE), NINE) == label


@pytest.mark.parametrize("kind", [kind for kind in KINDS.values() if ":area" not in kind.example])
def test_every_kind_has_a_name_without_a_gap(kind):
    noun = noun_of(clue_of(kind.example, NINE), NINE) if not kind.joins else kind.name
    assert noun.strip() == noun != "" and "{" not in noun


def test_cells_of_which_the_same_is_said_come_together():
    said = ["r1c1 is odd", "r1c2 cannot be 1 or 4", "r1c3 is odd", "r1c4 cannot be 1 or 4"]
    assert told_together(said) == "r1c1 and r1c3 are both odd and r1c2 and r1c4 cannot be 1 or 4"
    assert told_together(["r1c3 is 3", "r1c2 is 3", "r1c1 is 3"]) == "r1c1, r1c2 and r1c3 are all 3"
    assert told_together(["r1c1 is 3", "r1c2 is 4"]) == "r1c1 is 3 and r1c2 is 4"
    assert told_together(["r1c1 is 3, 4 or 5", "r1c2 is 6"]) == "r1c1 is 3, 4 or 5, and r1c2 is 6"
