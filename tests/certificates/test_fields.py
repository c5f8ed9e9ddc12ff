"""Lines of certificates: JSON objects of an exact shape, and boards as they state them."""

from __future__ import annotations

import pytest

from satdoku.certificates.fields import (
    CertificateError,
    board_fields,
    expect_keys,
    get_field,
    parse_json,
    read_board,
)
from satdoku.model.board import Board, Layer
from satdoku.runtime.errors import SatdokuError


@pytest.mark.parametrize(("text", "message"), [
    (b"[1]", "not a JSON object"), (b'{"a":1,"a":2}', "same key twice"), (b'{"a":1.5}', "whole"),
    (b'{"a":12345678901}', "9 digits"), (b"{", "not JSON"), (b'{"a":"\\ud800"}', "half"),
    (b'{"a":[' + b"1," * (1 << 20) + b"1]}", "values in a line"),
])  # fmt: skip
def test_lines_that_are_refused(text, message):
    with pytest.raises(CertificateError, match=message):
        parse_json(text)


def test_fields_are_of_their_type_and_no_others_are_there():
    assert get_field({"a": 1}, "a", int) == 1
    for wrong in ({"a": True}, {"a": "1"}, {}):
        with pytest.raises(CertificateError, match="'a' is missing or not a number"):
            get_field(wrong, "a", int)
    expect_keys({"a": 1, "b": 2}, ["a"], optional="b")
    with pytest.raises(CertificateError, match="unknown field 'c'"):
        expect_keys({"c": 1}, ["a"])


@pytest.mark.parametrize("board", [
    Board.of_size(9), Board.of_size(6), Board.latin(5),
    Board(4, regions=(0, 0, 0, 0) + (1,) * 4 + (2,) * 4 + (3,) * 4),
    Board.of_shape(2, 3), Board.of_shape(4, 6, (0, 1, 2, 3, 4, 8)),
    Board(4, 2, 2, without=("rows",)),
    Board(4, 2, 2, corners=((0, 0), (2, 2)), holes=((0, 3), (5, 5))),
    Board(3, regions=(0, 0, 0, -1, 1, 1, 1, -1, -1), digits=(-1, 0, 1, 2)),
])  # fmt: skip
def test_boards_come_back(board):
    assert read_board(board_fields(board)) == board


@pytest.mark.parametrize(("more", "message"), [
    ({"height": True}, "'height' is missing or not a number"),
    ({"digits": [1, 2, "3"]}, "'digits' holds something that is not a number"),
    ({"digits": [2, 1, 3]}, "ascending"), ({"without": [1]}, "not a text"),
    ({"corners": [[0]]}, r"\[row, column\]"), ({"corners": [[1, 0]]}, "first row"),
    ({"corners": []}, "99 rows"), ({"corners": [[0, 0], [0, 99]]}, "99 rows"),
    ({"holes": [[9, 9]]}, "places of the grids"), ({"holes": [[0, 1], [0, 0]]}, "places"),
    ({"more": 1}, "unknown field 'more'"), ({"height": 3}, "stated in another way"),
    ({"box_rows": 2, "box_columns": 1}, "stated in another way"),
    ({"regions": [0, 0, True, 1, 1, 1]}, "'regions' holds"),
])  # fmt: skip
def test_other_boards_are_stated_in_one_way(more, message):
    with pytest.raises(SatdokuError, match=message):
        read_board(board_fields(Board.of_shape(2, 3)) | more)


@pytest.mark.parametrize("fields", [
    {"size": 6, "box_rows": 2, "box_columns": 2}, {"size": 2, "regions": "0.1."},
])  # fmt: skip
def test_a_size_is_that_of_a_usual_board(fields):
    with pytest.raises(SatdokuError, match="expected height, width and the rest"):
        read_board(fields)


def test_boards_with_layers_have_no_certificates():
    with pytest.raises(CertificateError, match="without layers"):
        board_fields(Board(4, 2, 2, layers=(Layer("shade", (0, 1), 0),)))
