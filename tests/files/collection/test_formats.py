"""Every format round trips: puzzles, answers, ids, rules and line numbers, packed or not."""

import csv
import io
import sys

import numpy as np
import pytest
from collection_cases import (
    CELLS,
    FULL,
    IDS,
    MARKS,
    PACK,
    RULES,
    WORDS,
    Row,
    array,
    arrow,
    gsf,
    lines,
    npy,
    npz,
    numbers,
    objects,
    parquet,
    read,
    records,
    rows,
    sdk,
    table,
    text,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from soak import share

from satdoku.files.collection import FORMATS, read_chunks
from satdoku.runtime.errors import SatdokuError

ANSWERS = st.just("") | FULL
PLAIN = rows()
SOLVED = rows(answer=ANSWERS)
NAMED = rows(answer=ANSWERS, id=IDS)
WHOLE = rows(answer=ANSWERS, id=IDS, rules=RULES)
# For each format: rows it can hold, how to write them, and the line of the first row.
CASES = {
    "lines": (PLAIN, lines, 1),
    "lines, zeros, CRLF": (PLAIN, lambda some: lines(some, "0", "\r\n"), 1),
    "lines with BOM": (PLAIN, lambda some: b"\xef\xbb\xbf" + lines(some), 1),
    "gsf": (PLAIN, gsf, 2),
    "pencil marks": (rows(cells=MARKS), lines, 1),
    "records": (rows(id=WORDS), records, 1),
    "csv puzzle,solution": (SOLVED, lambda some: table(some, "puzzle,solution"), 2),
    "csv quizzes,solutions": (SOLVED, lambda some: table(some, "quizzes,solutions"), 2),
    "csv id first": (NAMED, lambda some: table(some, "id,puzzle,solution,clues,difficulty"), 2),
    "csv with sources": (SOLVED, lambda some: table(some, "source,question,answer,rating"), 2),
    "csv all quoted": (
        WHOLE,
        lambda some: table(some, "Rules,x,Answer,ID,Puzzle", quoting=csv.QUOTE_ALL),
        2,
    ),
    "csv with rules": (WHOLE, lambda some: table(some, "x,id,puzzle,rules,solution"), 2),
    "tsv": (WHOLE, lambda some: table(some, "puzzle,solution,id,rules", delimiter="\t"), 2),
    "semicolons": (WHOLE, lambda some: table(some, "puzzle,x,id,rules,answer", delimiter=";"), 2),
    **{
        f"jsonl {shape}": (WHOLE, lambda some, shape=shape: objects(some, shape), 1)
        for shape in ("text", "flat", "rows")
    },
    **{
        f"parquet {shape}": (WHOLE, lambda some, shape=shape: parquet(some, shape), 1)
        for shape in ("text", "flat", "fixed", "rows", "category")
    },
    "arrow": (WHOLE, lambda some: arrow(some, "text"), 1),
    "arrow lists": (WHOLE, lambda some: arrow(some, "fixed"), 1),
    "arrow stream": (WHOLE, lambda some: arrow(some, "flat", stream=True), 1),
    "npy uint8": (PLAIN, lambda some: npy(array(some)), 1),
    "npy int64": (PLAIN, lambda some: npy(array(some, np.int64)), 1),
    "npy big endian": (PLAIN, lambda some: npy(array(some, ">i2")), 1),
    "npy (N, 9, 9)": (PLAIN, lambda some: npy(array(some).reshape(-1, 9, 9)), 1),
    "npy Fortran": (PLAIN, lambda some: npy(np.asfortranarray(array(some, np.int32))), 1),
    "npy Fortran (N, 9, 9)": (
        PLAIN,
        lambda some: npy(np.asfortranarray(array(some).reshape(-1, 9, 9))),
        1,
    ),
    "npy marks": (rows(cells=MARKS), lambda some: npy(array(some, np.bool_)), 1),
    "npy marks Fortran": (
        rows(cells=MARKS),
        lambda some: npy(np.asfortranarray(array(some, np.bool_).reshape(-1, 81, 9))),
        1,
    ),
    "npy S81": (PLAIN, lambda some: npy(np.array([r.cells for r in some], "S81")), 1),
    "npy U81": (PLAIN, lambda some: npy(np.array([r.cells for r in some])), 1),
    "npy big endian U81": (
        PLAIN,
        lambda some: npy(np.array([r.cells for r in some], ">U81")),
        1,
    ),
    "npz": (
        rows(answer=FULL, id=IDS, rules=RULES),
        lambda some: npz(
            puzzles=array(some),
            solutions=np.array([numbers(r.answer) for r in some]).reshape(-1, 9, 9),
            id=np.array([r.id for r in some]),
            rules=np.array([r.rules for r in some]),
        ),
        1,
    ),
    "npz quizzes, numbers as ids": (
        rows(id=st.integers(0, 99).map(str)),
        lambda some: npz(quizzes=array(some), id=np.array([int(r.id) for r in some]), other=1.5),
        1,
    ),
}


MARKED = [name for name in CASES if "marks" in name]


@pytest.fixture(scope="module")
def target(tmp_path_factory):
    return tmp_path_factory.mktemp("formats") / "collection"


@pytest.mark.parametrize("case", CASES)
@settings(max_examples=share(20), deadline=None)
@given(data=st.data())
def test_what_was_written_is_read(target, case, data):
    strategy, write, first = CASES[case]
    some = data.draw(strategy)
    packed = PACK[data.draw(st.sampled_from(sorted(PACK)))](write(some))
    size = data.draw(st.sampled_from([1, 2, 5, 4096]))
    target.write_bytes(packed)
    assert read(target, size=size) == list(enumerate(some, first))


@settings(max_examples=share(30), deadline=None)
@given(st.lists(CELLS, min_size=1, max_size=4))
def test_sdk_files_hold_a_puzzle_and_the_play_so_far(target, some):
    target.write_bytes(sdk([Row(cells) for cells in some]))
    assert read(target) == [(4 + 22 * i, Row(cells)) for i, cells in enumerate(some)]


@pytest.mark.parametrize("case", ["lines", "csv id first", "jsonl text", "parquet text", "npz"])
@pytest.mark.parametrize("packing", PACK)
def test_standard_input_gives_the_same(target, monkeypatch, case, packing):
    _, write, first = CASES[case]
    some = [Row(".123456789" * 8 + ".", "123456789" * 9, "7")] * 3
    if case == "lines":
        some = [Row(row.cells) for row in some]
    data = PACK[packing](write(some))
    pipe = io.BufferedReader(_Pipe(data))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(pipe))
    assert read("-") == list(enumerate(some, first))


class _Pipe(io.RawIOBase):
    """Bytes that come in pieces and cannot be wound back."""

    def __init__(self, data):
        self.data = io.BytesIO(data)

    def readable(self):
        return True

    def readinto(self, buffer):
        piece = self.data.read(min(len(buffer), 1000))
        buffer[: len(piece)] = piece
        return len(piece)


@pytest.mark.parametrize("format", FORMATS)
def test_a_format_that_is_given_is_the_one_that_is_told(target, format):
    """Given or told, the same rows; given wrongly, a `SatdokuError` or rows that are errors."""
    some = [Row(".123456789" * 8 + ".")] * (1 if format == "whole" else 2)
    writers = {
        "lines": lines, "csv": lambda rows: table(rows, "puzzle,x"), "rows": sdk, "marks": lines,
        "jsonl": lambda rows: objects(rows, "flat"), "parquet": lambda rows: parquet(rows, "text"),
        "json": lambda rows: b"[" + b",".join(objects(rows, "flat").splitlines()) + b"]",
        "arrow": lambda rows: arrow(rows, "text"),
        "npy": lambda rows: npy(array(rows)),
        "npz": lambda rows: npz(puzzles=array(rows)), "whole": lines,
    }  # fmt: skip
    if format == "marks":
        some = [Row("1.3.5.7.9" * 81)] * 2
    target.write_bytes(writers[format](some))
    assert read(target) == read(target, format=format)
    assert [row for _, row in read(target, format=format)] == some


@pytest.mark.parametrize("size", [4, 6, 12, 16, 25])
@pytest.mark.parametrize(
    "form", ["lines", "csv", "jsonl", "nested", "npy", "parquet", "texts", "arrow"]
)
def test_boards_of_other_sizes_are_told_by_the_first_puzzle(target, size, form):
    some = [Row(text(7 * i % (size + 1) for i in range(size * size)))] * 3
    writers = {
        "lines": lines, "csv": lambda rows: table(rows, "puzzle,x"),
        "jsonl": lambda rows: objects(rows, "flat"), "nested": lambda rows: objects(rows, "rows"),
        "parquet": lambda rows: parquet(rows, "flat"), "arrow": lambda rows: arrow(rows, "rows"),
        "npy": lambda rows: npy(array(rows)), "texts": lambda rows: parquet(rows, "text"),
    }  # fmt: skip
    target.write_bytes(writers[form](some))
    first = 2 if form == "csv" else 1
    assert read(target) == list(enumerate(some, first))


def test_the_file_is_read_as_a_stream(tmp_path):
    """The first chunk is there when hardly anything was read."""
    path = tmp_path / "long.txt"
    path.write_bytes(lines([Row("." * 81)] * 100_000))
    files = []
    chunks = read_chunks(str(path), size=1000, on_open=files.append)
    next(chunks)
    assert files[0].tell() < 3 << 20 < path.stat().st_size
    chunks.close()
    assert files[0].closed


# Any bytes ----------------------------------------------------------------------------------------

SAMPLE = [Row(".123456789" * 8 + ".", "123456789" * 9, "7", "king")] * 3
EDITS = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 9), st.binary(max_size=6) | st.just(b"\xff" * 8)),
    min_size=1,
    max_size=4,
)


def edited(data, edits):
    """The data with a few places cut out and overwritten."""
    for place, length, new in edits:
        at = int(place * len(data))
        data = data[:at] + new + data[at + length :]
    return data


def read_or_refuse(target, data, **options):
    """The rows; None where the file as a whole is refused, which is the only way to fail."""
    target.write_bytes(data)
    try:
        return read(target, allow_bad_answers=True, **options)
    except SatdokuError as error:
        assert str(error)
        return None


@pytest.mark.parametrize("case", CASES)
@settings(max_examples=share(20), deadline=None)
@given(data=st.data())
def test_a_damaged_file_is_rows_and_errors_or_refused(target, case, data):
    _, write, _ = CASES[case]
    some = [Row("1.3.5.7.9" * 81)] * 3 if case in MARKED else SAMPLE
    whole = write(some)
    cut = data.draw(st.integers(0, len(whole)) | st.just(len(whole)))
    broken = edited(whole[:cut], data.draw(EDITS))
    found = read_or_refuse(target, broken)
    if found is not None:
        assert read_or_refuse(target, broken, size=1) == found


@settings(max_examples=share(100), deadline=None)
@given(
    st.sampled_from([b"", b"PAR1", b"ARROW1", b"\xff\xff\xff\xff", b"\x93NUMPY\1\0", b"PK\3\4"])
    | st.sampled_from([b"{", b'{"puzzle":', b"#!sudoku -c", b"\x1f\x8b", b"[Puzzle]\n", b"grid\n"]),
    st.binary(max_size=200),
    st.sampled_from([None, *FORMATS]),
)
def test_any_bytes_are_rows_and_errors_or_refused(target, magic, data, format):
    read_or_refuse(target, magic + data, format=format)
