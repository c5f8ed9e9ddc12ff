"""Tables written: what was read comes out as it went in."""

import gzip
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION
from hypothesis import given
from hypothesis import strategies as st

from satdoku.files.collection import read_chunks
from satdoku.files.collection.beside import ABSENT, Table
from satdoku.files.spans import spans_of
from satdoku.files.streams import STANDARD, FileError
from satdoku.files.tables import json_rows, open_table

P, A, E = CLASSIC, CLASSIC_SOLUTION, "." * 81


@pytest.fixture
def written(tmp_path):
    """The bytes that tables become; their writer."""

    def call(tables, form, name="out", **options):
        with open_table(str(tmp_path / name), form, **options) as write:
            for table in tables:
                write(table)
        return (tmp_path / name).read_bytes(), write

    return call


def copied(written, tmp_path, content, form, **options):
    """A file read and written again, in chunks of two rows."""
    (tmp_path / "in").write_bytes(content.encode() if isinstance(content, str) else content)
    chunks = read_chunks(str(tmp_path / "in"), size=2, keep=True)
    return written((chunk.beside for chunk in chunks), form, **options)[0]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (f'note,puzzle,x\n"a ""b"", c",{P},1\n,{E},2\nz,bad,3\n', "csv"),
        (f"note;puzzle\n1,5;{P}\n2,5;{E}\n", "csv"),
        (f"note;puzzle\n1,5;{P}\n2,5;{E}\n", "line"),
        (f"note\tpuzzle\n1,5\t{P}\n", "tsv"),
        (f"{P}\nbad\n{E} # three\n", "line"),
        (f"Easy 1 {P} 7\nVery Easy 2 {P} 8\n", "line"),
        (f"{P},{A},7\n{E},{A},8\n{E},{A},9\n", "line"),
        (
            f'{{"puzzle": "{P}", "n": 1.50, "no": null}}\n{{"puzzle": "{E}", "late": [1]}}\n',
            "jsonl",
        ),
    ],
)
def test_text_comes_out_as_it_went_in(written, tmp_path, text, form):
    found = copied(written, tmp_path, text, form).decode()
    if form == "jsonl":
        assert list(map(json.loads, found.splitlines())) == list(map(json.loads, text.splitlines()))
    else:
        assert found == text


def test_packed_as_the_ending_says(written, tmp_path):
    found = copied(written, tmp_path, f"a,puzzle\n1,{P}\n", "csv", name="out.csv.gz")
    assert gzip.decompress(found).decode() == f"a,puzzle\n1,{P}\n"


def test_kinds_of_arrow_come_out_as_they_went_in(written, tmp_path):
    table = pa.table(
        {
            "n": pa.array([1, None, 3], pa.int16()),
            "puzzle": [P, E, P],
            "tag": pa.array(["x", "y", "x"]).dictionary_encode(),
            "cells": pa.array([[1], None, []], pa.list_(pa.int8())),
        }
    )
    pq.write_table(table, tmp_path / "first")
    copied(written, tmp_path, (tmp_path / "first").read_bytes(), "parquet")
    assert pq.read_table(tmp_path / "out").cast(table.schema) == table
    lines = copied(written, tmp_path, (tmp_path / "first").read_bytes(), "jsonl").splitlines()
    assert list(map(json.loads, lines)) == table.to_pylist()


@pytest.mark.parametrize("kind", ["string_view", "binary_view", "run_end_encoded"])
def test_kinds_from_which_arrow_takes_no_rows_come_out_as_values(written, tmp_path, kind):
    notes = pa.array(["x", "x", None])
    notes = pa.compute.run_end_encode(notes) if "run" in kind else notes.cast(kind)
    with pa.ipc.new_file(tmp_path / "first", pa.schema({"puzzle": "string", "n": notes.type})) as f:
        f.write(pa.record_batch({"puzzle": [P, E, P], "n": notes}))
    (chunk,) = read_chunks(str(tmp_path / "first"), keep=True)
    found, _ = written([chunk.beside.take([2, 0])], "jsonl")
    values = [json.loads(line)["n"] for line in found.splitlines()]
    assert values == [None, "x"]


def test_values_become_fields_of_csv(written):
    values = ["a", None, ABSENT, 1, 1.5, True, [1, "x"], {"k": None}, b"\xff"]
    found, _ = written([Table(("v", "w"), [values, ["."] * 9], {})], "csv")
    fields = ["a", "", "", "1", "1.5", "true", '"[1, ""x""]"', '"{""k"": null}"', "\ufffd"]
    assert found.decode().splitlines() == ["v,w", *(f"{field},." for field in fields)]


TEXTS = st.lists(st.none() | st.text(max_size=4), min_size=1, max_size=5)


@given(TEXTS, st.sampled_from(["a", 'k"é']))
def test_json_is_what_the_standard_library_writes(texts, name):
    numbers = np.arange(len(texts)) - 1
    columns = [spans_of(texts), numbers, np.ma.array(numbers, mask=numbers < 1), texts]
    names = (name, "n", "m", "t")
    rows = zip(texts, numbers.tolist(), columns[2].tolist(), texts, strict=True)
    expected = [json.dumps(dict(zip(names, row, strict=True))) for row in rows]
    assert json_rows(names, columns).decode().splitlines() == expected
    kept = [json.dumps({} if text is None else {name: text}) for text in texts]
    assert json_rows((name,), columns[:1], sparse=(name,)).decode().splitlines() == kept


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_half_a_character_costs_no_other_value(written, tmp_path, form):
    """JSON can state one; UTF-8 cannot."""
    rows = [{"puzzle": P, "a": "\ud800", "b": ["\ud800"]}, {"puzzle": P, "a": "x", "b": ["y"]}]
    found = copied(written, tmp_path, "\n".join(map(json.dumps, rows)), form)
    if form == "parquet":
        values = [list(row.values()) for row in pq.read_table(tmp_path / "out").to_pylist()]
        assert values == [[P, "\\ud800", '["\\ud800"]'], [P, "x", '["y"]']]
    elif form == "jsonl":
        assert list(map(json.loads, found.splitlines())) == rows
    else:
        assert found.decode().splitlines()[2] == f'{P},x,"[""y""]"'


def test_formulas_are_quoted_as_text_where_that_is_asked_for(written):
    table = Table(("a", "=b"), [["=1", "x"], [-1, 2]], {})
    assert written([table], "csv", safe=True)[0] == b"a,'=b\n'=1,-1\nx,2\n"


def test_a_line_break_of_any_kind_stays_within_its_field(written, tmp_path):
    written([Table(("note", "puzzle"), [["a\rb", "c\nd"], [P, E]], {})], "csv")
    (chunk,) = read_chunks(str(tmp_path / "out"), keep=True)
    assert list(map(list, chunk.beside.columns)) == [["a\nb", "c\nd"], [P, E]]


def test_columns_that_come_late_are_left_out_but_of_json(written):
    tables = [Table(("a",), [[1]], {}), Table(("b", "a"), [[2], [3]], {}), Table(("b",), [[4]], {})]
    found, writer = written(tables, "csv")
    assert found == b'a\n1\n3\n""\n' and list(writer.left_out) == ["b"]
    found, writer = written(tables, "jsonl")
    assert found == b'{"a": 1}\n{"b": 2, "a": 3}\n{"b": 4}\n' and not writer.left_out


def test_values_of_several_kinds_are_texts_in_parquet(written, tmp_path):
    table = Table(("a", "b"), [[1, "x", None], [ABSENT, ABSENT, ABSENT]], {})
    written([table, Table(("a", "b"), [[[2]], ["late"]], {})], "parquet")
    found = pq.read_table(tmp_path / "out").to_pylist()
    assert [row["a"] for row in found] == ["1", "x", None, "[2]"]
    assert [row["b"] for row in found] == [None, None, None, "late"]


def test_a_column_of_parquet_keeps_the_kind_of_its_first_rows(written):
    tables = [Table(("a",), [[1]], {}), Table(("a",), [["x"]], {})]
    with pytest.raises(FileError, match=r"column .a. holds other values than int64"):
        written(tables, "parquet")


def test_parquet_is_no_stream():
    with pytest.raises(FileError, match="give a file with -o"), open_table(STANDARD, "parquet"):
        pass
