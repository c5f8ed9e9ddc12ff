"""Quoted fields with line breaks: a row is read whole, and an open quote costs its own line."""

import csv
import io
import re

import pytest
from collection_cases import good, read
from examples import CLASSIC, CLASSIC_SOLUTION
from hypothesis import given, settings
from hypothesis import strategies as st

from satdoku.files.collection import read_chunks
from satdoku.files.puzzles import read_puzzles
from satdoku.model.grid import Grid

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
