"""Text of an input in messages, and errors that travel between processes."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satdoku.fewest import FewestError
from satdoku.model.grid import GridError
from satdoku.runtime.errors import (
    SatdokuError,
    Status,
    Unanswered,
    counted,
    no_such,
    shown,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("r1c1 über 数独 🙂", "r1c1 über 数独 🙂"),
        ("\x1b[31mred\x07", r"\x1b[31mred\x07"),
        ("a\nb\tc\r", r"a\nb\tc\r"),
        ("\u202egnp.exe", r"\u202egnp.exe"),
        ("\udcff.txt", r"\udcff.txt"),  # a byte of a file name that is no UTF-8
        ("zero\u200bwidth, no-break\xa0space", r"zero\u200bwidth, no-break\xa0space"),
        ("\ue000\u2028", r"\ue000\u2028"),
    ],
)
def test_what_a_terminal_acts_on_is_escaped(text, expected):
    assert shown(text) == str(SatdokuError(text)) == expected


@given(st.text(st.characters()))
def test_shown_text_is_printable_and_stays_as_it_is(text):
    once = shown(text)
    assert once.isprintable()
    assert shown(once) == once
    assert once == text or not text.isprintable()


@pytest.mark.parametrize(
    "error",
    [
        SatdokuError("a\x1bb"),
        GridError("\x1b", "a digit", line=3, column=4, source="evil\x07.txt"),
        FewestError("two \x1b solutions", Status.MULTIPLE),
        Unanswered("memory", "kissat\x1b: no answer within 5 MB"),
    ],
)
def test_errors_are_the_same_in_another_process(error):
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))
    assert "\x1b" not in str(error) and r"\x1b" in str(error)


def test_numbers_agree_with_their_nouns():
    assert [counted(n, "cell") for n in (0, 1, 2, 1000)] == [
        "0 cells", "1 cell", "2 cells", "1,000 cells",
    ]  # fmt: skip


def test_an_unknown_name_is_told_with_the_nearest_and_all_in_their_order():
    assert no_such("format", "cvs", ["tsv", "csv", "line"], " here") == (
        "no format 'cvs' here: did you mean 'csv'? choose from tsv, csv, line"
    )
    assert no_such("format", "quite another", ["b", "a"]) == (
        "no format 'quite another': choose from b, a"
    )
