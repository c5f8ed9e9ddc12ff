"""Codings of arrays: each is told by the numbers, decoded to the digits, or refused with both."""

from __future__ import annotations

import numpy as np
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION

from satdoku.files.coding import PLAIN, CodingError, coding_of, codings_of
from satdoku.model.board import Board

PUZZLES = np.array([[int(c) for c in CLASSIC.replace(".", "0")]] * 4, np.uint8)
GRIDS = np.array([[int(c) for c in CLASSIC_SOLUTION]] * 4, np.uint8)
HOT = np.eye(10, dtype=np.uint8)


def decoded(rows, **ways):
    coding = coding_of(rows, **ways)
    return coding.words, coding.decoded(rows).tolist()


@pytest.mark.parametrize("kind", [np.uint8, np.int32, np.int64, float])
def test_digits_stay_and_shifted_ones_are_shifted_back(kind):
    rows = PUZZLES.astype(kind)
    assert coding_of(rows).decoded(rows) is rows
    assert decoded(rows + 1) == ("digits shifted by one", PUZZLES.tolist())
    assert decoded((rows + 1).reshape(-1, 9, 9)) == ("digits shifted by one", PUZZLES.tolist())
    grids = GRIDS.astype(kind)
    assert decoded(grids, answers=True) == ("", GRIDS.tolist())
    assert decoded(grids + 1, answers=True) == ("digits shifted by one", GRIDS.tolist())
    assert decoded(grids - 1, answers=True) == ("digits counted from 0", GRIDS.tolist())
    assert decoded(grids) == ("", GRIDS.tolist())  # whole grids are puzzles, too


HOTS = {
    "9 planes": HOT[PUZZLES][..., 1:],
    "9 planes of bool": HOT[PUZZLES][..., 1:].astype(bool),
    "9 planes, flat": HOT[PUZZLES][..., 1:].reshape(-1, 729),
    "9 planes of rows": HOT[PUZZLES][..., 1:].reshape(-1, 9, 9, 9),
    "9 planes before cells": HOT[PUZZLES][..., 1:].transpose(0, 2, 1),
    "9 planes before rows": HOT[PUZZLES][..., 1:].transpose(0, 2, 1).reshape(-1, 9, 9, 9),
    "10 planes": HOT[PUZZLES].astype(float),
    "10 planes before rows": HOT[PUZZLES].transpose(0, 2, 1).reshape(-1, 10, 9, 9),
    "10 planes, empty last": np.roll(HOT[PUZZLES], -1, axis=2),
}


@pytest.mark.parametrize("rows", HOTS.values(), ids=HOTS)
def test_one_hot_arrays_of_any_shape(rows):
    words, digits = decoded(rows)
    assert words == f"one-hot, {9 if words[9] == '9' else 10} numbers a cell"
    assert digits == PUZZLES.tolist()


@pytest.mark.parametrize(
    "planes", [HOT[GRIDS], np.roll(HOT[GRIDS], -1, axis=2), HOT[GRIDS][..., 1:]]
)
def test_of_whole_grids_the_plane_that_is_never_1_is_that_of_empty_cells(planes):
    assert decoded(planes)[1] == GRIDS.tolist()


def test_pencil_marks_are_not_one_hot():
    marks = np.ones((4, 729), np.bool_)
    assert coding_of(marks) == coding_of(marks.reshape(-1, 81, 9)) == PLAIN
    singles = HOT[GRIDS][..., 1:].astype(bool)
    singles[0, 0] = False  # a contradiction, not an empty cell
    assert coding_of(singles) == PLAIN


def test_a_broken_row_changes_no_other():
    rows = np.repeat(PUZZLES + 1, 2, axis=0)
    rows[1, 3] = 77
    words, digits = decoded(rows)
    assert words and digits[0] == PUZZLES[0].tolist() and digits[1][3] == 76
    hot = np.repeat(HOT[PUZZLES], 2, axis=0)
    hot[1, 3] = 1
    digits = decoded(hot)[1]
    assert digits[0] == PUZZLES[0].tolist() and digits[1][3] == -1


def test_what_can_be_read_in_two_ways_is_refused_with_both():
    both = np.concatenate((PUZZLES, PUZZLES + 1))
    with pytest.raises(
        CodingError, match=r"first 8 rows 4 look like the former, 4 like the latter"
    ):
        coding_of(both)
    some = PUZZLES.copy()
    some[some == 9] = 0  # 1 is the empty cell, or a digit that repeats
    with pytest.raises(
        CodingError, match=r"first 4 rows 0 look like the former, 4 like the latter"
    ):
        coding_of(some + 1)
    few = HOT[GRIDS].copy()
    few[:, :9], few[:, 9:12] = HOT[0], HOT[9]
    few[:, 12:] = HOT[1]
    with pytest.raises(CodingError, match="the first or the last may be that of empty cells"):
        coding_of(few)
    with pytest.raises(CodingError, match="data: puzzles: numbers that may be digits"):
        codings_of({"puzzle": both}, None, "data")


def test_other_arrays_are_left_alone():
    assert coding_of(np.array(["x"])) == coding_of(np.zeros((3, 82))) == PLAIN
    assert coding_of(PUZZLES, Board.of_shape(9, 9, tuple(range(9)))) == PLAIN
    assert coding_of(PUZZLES[:0]) == PLAIN


def test_documented_numbers_are_digits_and_bools_are_marks():
    for rows in (np.full((3, 16), 1), np.full((3, 16), 5), np.zeros((1, 64), np.bool_)):
        assert coding_of(rows, documented=True).decoded(rows) is rows
    with pytest.raises(CodingError):
        coding_of(np.full((3, 16), 1))
