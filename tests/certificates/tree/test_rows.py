"""Rows of a collection, row by row and column by column."""

from __future__ import annotations

import random
from array import array

from satdoku.certificates.tree.rows import Row, Rows, Verdict, columns

ROWS = [
    Row(ord("a"), b"\0\0", (b"\1\2", b"\2\1"), b"\7"),
    Row(ord("-"), b"\0\0", (), b""),
    Row(ord("u"), b"\1\0", (b"\1\2",), b""),
]


def test_columns_tell_the_rows() -> None:
    told = columns(ROWS)
    assert told == (b"a-u", b"\0\0\0\0\1\0", array("i", [2, 0, 1]), b"\1\2\2\1\1\2",
                    array("i", [1, 0, 0]), b"\7")  # fmt: skip
    assert [*told.each(2)] == ROWS and told.is_whole(2) and not told.is_whole(1)
    assert columns([]).is_whole(81)


def test_a_column_alone_cannot_change_its_size() -> None:
    draw, whole = random.Random(1), columns(ROWS)
    for name in Rows._fields:
        part = getattr(whole, name)
        assert not whole._replace(**{name: part[:-1]}).is_whole(2), name
        assert not whole._replace(**{name: part + part[:1]}).is_whole(2), name
    for name in ("counts", "lengths"):
        numbers = array("i", getattr(whole, name))
        numbers[draw.randrange(3)] -= 1
        assert not whole._replace(**{name: numbers}).is_whole(2)
        assert not whole._replace(**{name: array("i", [-1, 2, 0])}).is_whole(2)


def test_every_verdict_has_its_reason() -> None:
    assert len({verdict.reason for verdict in Verdict}) == len(Verdict)
