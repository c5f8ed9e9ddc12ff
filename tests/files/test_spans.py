"""Columns of texts in a buffer: the same as lists of strings, with C and without."""

import csv
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from soak import share

from satdoku.files import spans
from satdoku.files.spans import Spans, chosen, decimals, fixed, joined, rows_of, spans_of

TEXT = st.text(st.sampled_from('ab1,;"\n\ré\t '), max_size=6)
TEXTS = st.lists(st.none() | TEXT, max_size=8)


@given(TEXTS, st.randoms(use_true_random=False))
def test_a_column_is_the_sequence_of_its_texts(texts, random):
    column = spans_of(texts)
    assert list(column) == texts == column.tolist() and len(column) == len(texts)
    assert column.known.tolist() == [text is not None for text in texts]
    rows = random.sample(range(len(texts)), len(texts) // 2)
    assert column.take(np.array(rows, int)).tolist() == [texts[row] for row in rows]
    assert column[1:3].tolist() == texts[1:3]
    new = [None, "neu"] * len(rows)
    changed = column.replaced(np.array(rows, int), new[: len(rows)])
    for row, text in zip(rows, new, strict=False):
        texts[row] = text
    assert changed.tolist() == texts
    if texts:
        assert column[0] == column.tolist()[0]


@settings(max_examples=share(50))
@given(
    st.integers(1, 3).flatmap(
        lambda n: st.lists(st.lists(TEXT, min_size=n, max_size=n), min_size=1)
    )
)
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_rows_of_csv_are_those_of_the_standard_library(separator, rows):
    columns = [spans_of(column) for column in zip(*rows, strict=True)]
    expected = io.StringIO()
    writer = csv.writer(expected, delimiter=separator, lineterminator="\n")
    writer.writerows(rows)
    found = rows_of(columns, separator, quoted=True).decode()
    assert list(csv.reader(io.StringIO(found, newline=""), delimiter=separator)) == rows
    if "\r" not in found:  # which the library quotes from Python 3.13 on
        assert found == expected.getvalue()


@given(st.lists(st.tuples(st.none() | TEXT, TEXT), max_size=5), st.sampled_from(["", ",", ";"]))
def test_rows_are_the_same_without_c(rows, separator):
    pytest.importorskip("satdoku.files._lines")
    columns = [spans_of([row[at] for row in rows]) for at in range(2)]
    for parts in ([columns[0], b",;", columns[1], b'"\n'], [columns[0], b"\n"]):
        found = joined(parts, len(rows), separator)
        assert found == spans._joined(parts, len(rows), separator)


def test_bytes_that_are_no_text_stay_as_they_are():
    column = Spans(b"a\xffb", [0, 1], [1, 3])
    assert column.tolist() == ["a", "\ufffdb"]
    assert rows_of([column], ",", quoted=True) == b"a\n\xffb\n"
    assert rows_of([spans_of(["\udcff"])], ",", quoted=False) == b"\xff\n"


@given(st.lists(st.integers(-5, 12) | st.integers(-(2**63), 2**63 - 1)), st.booleans())
def test_numbers_are_written_as_python_does(numbers, positive):
    array = np.array([abs(n) % 2**63 if positive else n for n in numbers], np.int64)
    assert decimals(array).tolist() == list(map(str, array.tolist()))
    known = np.arange(len(array)) % 2 == 0
    expected = [str(n) if at % 2 == 0 else None for at, n in enumerate(array.tolist())]
    assert decimals(array, known).tolist() == expected


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.uint32, np.uint64, np.int8])
def test_numbers_of_any_width(kind):
    top = np.iinfo(kind).max
    assert decimals(np.array([0, top, 9, 10], kind)).tolist() == ["0", str(top), "9", "10"]


def test_texts_chosen_by_number_and_texts_of_one_width():
    assert chosen(np.array([2, 0, 0, 1], np.uint8), ["x", None, "zz"]).tolist() == [
        "zz", "x", "x", None,
    ]  # fmt: skip
    assert fixed(b"abcdef", 2).tolist() == ["ab", "cd", "ef"]
    assert fixed(b"abcdef", 3, np.array([True, False])).tolist() == ["abc", None]


def test_a_field_outside_its_text_is_refused():
    pytest.importorskip("satdoku.files._lines")
    for begin, stop in ((-1, 1), (0, 4), (4, 5)):
        with pytest.raises(ValueError, match="a field outside its text"):
            joined([Spans(b"abc", [begin], [stop])], 1)
