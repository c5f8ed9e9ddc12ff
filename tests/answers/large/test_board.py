"""Boards beyond 25x25 and the rules that they take."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from satdoku.answers.large.board import LargeBoard, large_rules
from satdoku.model.board import Board, BoardError
from satdoku.model.constraints import constraints_for
from satdoku.model.rules import RuleError


@pytest.mark.parametrize(("rules", "size"), [("diagonal", 9), ("windoku,disjoint", 16), ("", 6)])
def test_houses_are_those_of_small_boards(rules, size):
    houses = large_rules(rules, size).houses
    board = constraints_for(rules or "classic", Board.of_size(size)).board
    assert houses[: 3 * size].tolist() == [list(house) for house in board.houses]
    assert len(houses) == {"diagonal": 29, "windoku,disjoint": 73, "": 18}[rules]


@pytest.mark.parametrize(
    ("rules", "size", "shape"),
    [("", 36, (6, 6)), ("", 37, (1, 37)), ("boxes=3x12", 36, (3, 12)), ("latin", 64, (1, 64))],
)
def test_boxes_are_as_square_as_possible_or_as_asked_for(rules, size, shape):
    asked = large_rules(rules, size)
    assert (asked.board.box_rows, asked.board.box_columns) == shape
    assert large_rules(asked.name, size) == asked
    assert len(asked.houses) == (3 if asked.board.has_boxes else 2) * size


def test_256_is_the_largest():
    assert large_rules("", 256).houses.max() == 65535
    with pytest.raises(BoardError, match="board size 257: expected 2 to 256"):
        large_rules("", 257)
    board = LargeBoard(36, 6, 6)
    assert pickle.loads(pickle.dumps(board)) == board
    assert large_rules("", 36).houses.dtype == np.int32


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("knight", "'knight': boards beyond 25x25 take only rules that are houses: diagonal"),
        ("boxes=6", "boxes=6: expected rows x columns"),
        ("latin=9", "'latin=9'"),
        ("thermo:r1c1,r1c2", "'thermo:r1c1'"),
    ],
)
def test_other_rules_are_refused(rules, message):
    with pytest.raises(RuleError, match=message):
        large_rules(rules, 36)


def test_boxes_that_do_not_fit():
    with pytest.raises(BoardError, match="boxes of 5x7 cells do not hold 36 digits"):
        large_rules("boxes=5x7", 36)
