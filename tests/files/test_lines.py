"""Lines and rows of CSV are those of the text, however it is cut into blocks."""

import csv
import gzip
import io
import re
from itertools import pairwise

import pytest
from collection_cases import good, read
from examples import CLASSIC, CLASSIC_SOLUTION
from hypothesis import given, settings
from hypothesis import strategies as st
from record_cases import read_both

from satdoku.files.collection import read_chunks
from satdoku.files.lines import block_lines, split_lines, whole_lines
from satdoku.files.puzzles import read_puzzles
from satdoku.files.streams import MAX_LINE_BYTES
from satdoku.model.board import Board
from satdoku.model.grid import Grid

EMPTY = "." * 81
ENDS = re.compile(r"\r*\n|\r")


def cut(data, places):
    """The data in blocks that end at these places."""
    edges = [0, *sorted(places), len(data)]
    return [data[a:b] for a, b in pairwise(edges)]


@given(st.text("ab\r\n", max_size=40), st.lists(st.integers(0, 40), max_size=5))
def test_every_line_end_ends_a_line_wherever_the_blocks_end(text, places):
    lines = ENDS.split(text)
    if not lines[-1]:
        del lines[-1]
    blocks = cut(text.encode(), [min(place, len(text)) for place in places])
    assert list(block_lines(blocks)) == lines


@given(st.binary(max_size=60), st.lists(st.integers(0, 60), max_size=5))
def test_blocks_of_whole_lines_hold_all_bytes(data, places):
    whole = list(whole_lines(cut(data, [min(place, len(data)) for place in places])))
    assert all(block.endswith(b"\n") and b"\r" not in block for block in whole)
    assert len(b"".join(whole).split(b"\n")) == sum(map(len, map(split_lines, whole))) + 1


def test_no_end_and_no_text():
    assert list(whole_lines([])) == list(whole_lines([b"", b""])) == []
    assert list(whole_lines([b"a", b"b"])) == [b"ab\n"]
    assert list(whole_lines([b"a\r", b"\nb\r"])) == [b"a\n", b"b\n"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_bad_line_is_named_whatever_ends_the_lines(tmp_path, end):
    """With a lone carriage return as the end every error was on line 1."""
    path = tmp_path / "file"
    path.write_bytes(end.join([CLASSIC, EMPTY, "9" * 80, CLASSIC, ""]).encode())
    found = read_both(path, Board())
    assert [seen.line for seen in found] == [1, 2, 3, 4]
    assert found[2].puzzle[:3] == (3, 81, "80 cells")


def test_line_ends_may_be_mixed(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(f"{CLASSIC}\r{EMPTY}\n#\r\n{CLASSIC}\r\r{EMPTY[1:]}\r\r\n{EMPTY}".encode())
    found = [(seen.line, seen.puzzle) for seen in read_both(path)]
    assert [line for line, _ in found] == [1, 2, 4, 6, 7]
    assert [grid for _, grid in found[:3]] == [CLASSIC, EMPTY, CLASSIC]
    assert found[3][1][:3] == (6, 81, "80 cells")


def test_rows_may_end_in_a_carriage_return(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"\r".join(CLASSIC[i : i + 9].encode() for i in range(0, 81, 9)))
    assert [(seen.line, seen.puzzle) for seen in read_both(path)] == [(1, CLASSIC)]


@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_tells_the_coding(tmp_path, coding):
    """Windows writes UTF-16 where a command's output goes to a file."""
    path = tmp_path / "file"
    path.write_bytes(f"id,quiz\r\né,{CLASSIC}\r\nb,{EMPTY[1:]}\r\n".encode(coding))
    first, second = read_both(path)
    assert (first.line, first.id, first.puzzle) == (2, "é", CLASSIC)
    assert second.puzzle[:3] == (3, 83, "80 cells")


@pytest.mark.parametrize("coding", ["utf-16-le", "utf-16-be"])
def test_utf16_is_known_without_its_mark(tmp_path, coding):
    path = tmp_path / "file"
    path.write_bytes(f"{CLASSIC}\n{EMPTY}\n".encode(coding))
    assert [seen.puzzle for seen in read_both(path)] == [CLASSIC, EMPTY]


def test_an_endless_line_stays_bounded_in_memory(tmp_path):
    path = tmp_path / "endless.gz"
    path.write_bytes(gzip.compress(bytes(8 << 20), 1))
    ((line, error, *_),) = read_both(path)
    assert (line, error[:3]) == (1, (1, 1, f"a line of {MAX_LINE_BYTES} characters"))


P, A = CLASSIC, CLASSIC_SOLUTION
ROWS = "\n".join(P[at : at + 9] for at in range(0, 81, 9))


@pytest.fixture
def rows(tmp_path):
    """Lines of the good rows of a text, and the errors of the others, read in both ways."""

    def call(text):
        path = tmp_path / "file"
        path.write_bytes(text.encode())
        found = read(path)
        one_by_one = [
            (r.line, True if isinstance(r.grid, Grid) else str(r.grid))
            for r in read_puzzles(str(path))
        ]
        both = [(line, row if isinstance(row, str) else True) for line, row in found]
        assert both == one_by_one
        return [line for line, _ in good(found)], [e for e in found if isinstance(e.row, str)]

    return call


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (f'note,puzzle\n"a\nb",{P}\nx,{P}\n', [2, 4]),
        (f'note,puzzle\r\n"a\r\n\r\nb",{P}\r\nx,{P}\r\n', [2, 5]),
        (f'puzzle,note\n{P},"one ""two"", three\n# four"\n{P},"x"\n', [2, 4]),
        (f'a,puzzle,b\n"1\n2",{P},"3\n4"\n5,{P},6\n', [2, 5]),
        (f'puzzle\n"{ROWS}"\n{P}\n', [2, 11]),
        (f'puzzle;note\n{P};"a\n{P}"\n{P};b\n', [2, 4]),  # a puzzle alone is no row
        (f'{P},{A},"a\nb"\n{P},{A},c\n', [1, 3]),  # without a header
    ],
)
def test_a_row_may_have_several_lines(rows, text, lines):
    assert rows(text) == (lines, [])


@pytest.mark.parametrize(
    ("text", "lines", "wrong"),
    [
        (f'id,puzzle,note\n1,{P},"open\n2,{P},x\n3,{P},"a\nb"\n', [3, 4], [2]),
        (f'id,puzzle,note\n1,{P},"open\n2,{P},"open\n3,{P},"x"\n', [4], [2, 3]),
        (f'id,puzzle,note\n1,{P},x\n2,{P},"open', [2], [3]),
        (f'id,puzzle,note\n1,{P},x\n2,{P},"open\n\n\n', [2], [3]),
        (f'id,puzzle,note\n1,{P},5" tall\n2,{P},x\n', [2, 3], []),
    ],
)
def test_a_quote_that_is_never_closed_costs_its_line(rows, text, lines, wrong):
    found, errors = rows(text)
    assert found == lines and [line for line, _ in errors] == wrong
    assert all("a quote that is never closed" in error for _, error in errors)


def test_errors_name_the_line_of_the_file(rows):
    found, errors = rows(f'note,puzzle\n"a\nb\nc",{P}\nx,{P[:-1]}\n"\n",{P}\n')
    assert found == [2, 6]
    assert [line for line, _ in errors] == [5] and "line 5, column 83: found 80" in errors[0].row


def test_rows_may_span_the_blocks_that_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr("satdoku.files.streams.BLOCK_BYTES", 400)
    text = "note,puzzle\n" + f'"{ROWS}",{P}\n' * 40
    (tmp_path / "file").write_text(text)
    found = [line for line, _ in good(read(tmp_path / "file"))]
    assert found == list(range(2, 2 + 9 * 40, 9))


FIELD = st.text(st.sampled_from('ab,;" \n\r#x1.'), max_size=12)


@settings(max_examples=60)
@given(st.lists(st.tuples(FIELD, FIELD), min_size=1, max_size=6), st.booleans())
def test_whatever_the_csv_module_writes_is_read(tmp_path_factory, notes, quoted):
    stream = io.StringIO()
    quoting = csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL
    writer = csv.writer(stream, quoting=quoting)
    writer.writerows([("one", "puzzle", "two"), *((a, P, b) for a, b in notes)])
    path = tmp_path_factory.mktemp("any") / "file"
    path.write_bytes(stream.getvalue().encode())
    tables = [chunk.beside for chunk in read_chunks(str(path), keep=True)]
    expected = [tuple(re.sub(r"\r+\n|\r", "\n", text) for text in row) for row in notes]
    found = [
        row
        for table in tables
        for row in zip(table.column("one"), table.column("two"), strict=True)
    ]
    assert found == expected
