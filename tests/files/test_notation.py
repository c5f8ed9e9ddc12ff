"""A field of a line as a grid, found quickly; and whether a text holds puzzles in numbers."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdoku.files.notation import (
    find_grid,
    format_marks,
    open_brackets,
    placed,
    read_grid,
    read_marks,
    read_value,
)
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import GridError, parse_grid
from satdoku.model.puzzle import digits_of
from satdoku.runtime.errors import SatdokuError


@given(
    st.sampled_from([Board.of_size(size) for size in (4, 9, 12)]),
    st.text("123456789.0-+x#ABab10\u00a0\ufeff|, ", max_size=8),
    st.integers(0, 3),
)
def test_a_field_that_is_a_whole_grid_is_one_that_can_be_parsed(board, noise, place):
    line = "." * (board.cells - len(noise))
    text = " ".join(("1." * 3, line[: place * 9] + noise + line[place * 9 :], "." * board.cells))
    wanted = None
    for field in re.finditer(r'[^ \t,;:|"]+', text):
        if len(field.group()) == board.cells and wanted is None:
            with suppress(GridError):
                wanted = (*field.span(), parse_grid(field.group(), board))
    assert find_grid(text, board) == wanted


def test_an_error_is_placed_where_its_text_begins():
    error = read_grid("12.\n4x.." + "." * 8 + "\n.", Board.of_size(4))
    assert (error.line, error.column, error.source) == (2, 2, None)
    moved = placed(error, 7, 5, "file")
    assert (moved.line, moved.column, moved.source) == (8, 2, "file")
    moved = placed(read_grid("1x..", Board.of_size(4)), 7, 5, "file")
    assert str(moved).startswith("file: line 7, column 6: found 4 cells, one of them 'x'")


def test_what_is_wrong_with_a_value_is_a_value():
    for value in (None, 7, {"a": 1}, [1, "x"], [[9] * 9] * 8, "12", [1e400] * 81):
        assert isinstance(read_value(value, Board()), GridError)


def test_brackets_within_texts_do_not_count():
    assert open_brackets('{"a": [1, {"b": "}]{\\"["}') == 2
    assert open_brackets('{"a": "{"}') == 0


@given(st.data(), st.sampled_from([4, 9, 16]))
def test_marks_that_are_written_are_read_back(data, size):
    digits = st.frozensets(st.integers(1, size), min_size=1)
    marks = data.draw(st.tuples(*[digits] * size**2))
    read = read_marks(format_marks(marks), Board.of_size(size))
    assert digits_of(read, size) == marks


@pytest.mark.parametrize(
    "marks, problem",
    [([{1}] * 15, "15 cells"), ([{1}] * 15 + [{5}], "pencil mark 5: expected digits 1 to 4")],
)
def test_marks_that_fit_no_board_are_refused(marks, problem):
    with pytest.raises(SatdokuError, match=problem):
        format_marks(marks)


def test_marks_show_the_digits_of_the_board():
    board = constraints_for("shape=1x2,latin,digits=0,5").board
    text = format_marks([{1, 2}, {1}], board)
    assert text == "050."
    assert read_marks(text, board) == bytes([1, 1, 1, 0])
    with pytest.raises(SatdokuError, match=r"digits -1-0: expected digits that are one character"):
        format_marks([{1}, {2}], constraints_for("shape=1x2,latin,digits=-1-0").board)
