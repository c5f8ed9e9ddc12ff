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
from satdoku.model.board import Board


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
])  # fmt: skip
def test_boards_come_back(board):
    assert read_board(board_fields(board)) == board
