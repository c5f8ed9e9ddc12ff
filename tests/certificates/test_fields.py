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
    read_solution,
    solution_text,
)
from satdoku.model.board import Board, Layer
from satdoku.model.grid import Grid
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
    Board(4, 2, 2, layers=(Layer("shade", (0, 1)), Layer("a", (-3, 7), 2))),
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


WITH_LAYER = Board(4, 2, 2, layers=(Layer("shade", (0, 5)),))


@pytest.mark.parametrize(("layers", "message"), [
    ([], "stated in another way"), ({}, "not a list"), ([[]], "not an object"),
    ([{"name": "a", "digits": [0]}], "'free' is missing"),
    ([{"name": "a", "digits": [0], "free": 0, "x": 1}], "unknown field 'x'"),
    ([{"name": "a", "digits": [True], "free": 0}], "not a number"),
    ([{"name": "a", "digits": [1, 0], "free": 0}], "ascending"),
    ([{"name": "a", "digits": [0], "free": False}], "'free' is missing or not"),
    ([{"name": "a.b", "digits": [0], "free": 0}], "of letters"),
])  # fmt: skip
def test_layers_are_stated_in_one_way(layers, message):
    with pytest.raises(SatdokuError, match=message):
        read_board(board_fields(WITH_LAYER) | {"layers": layers})


def test_a_solution_has_the_numbers_of_layers():
    solution = Grid(bytes([1, 2, 3, 4] * 4 + [1, 2] * 8), WITH_LAYER)
    text = " ".join(["1 2 3 4"] * 4 + ["0 5"] * 8)
    assert solution_text(solution) == text
    assert read_solution(text, WITH_LAYER) == solution
    for wrong in (text[:-2], text + " 0", text[:-1] + "1", text[:-1] + "05", text[:-1] + "."):
        with pytest.raises(CertificateError, match="solution"):
            read_solution(wrong, WITH_LAYER)
    assert solution_text(Grid(bytes([1, 2, 3, 4] * 4), Board(4, 2, 2))) == "1234" * 4
