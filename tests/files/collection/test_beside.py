"""All columns of a file beside its puzzles, as the file states them."""

import csv
import io
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from collection_cases import reading_of
from examples import CLASSIC, CLASSIC_SOLUTION
from hypothesis import given, settings
from hypothesis import strategies as st
from soak import share

from satdoku.files.collection import read_chunks
from satdoku.files.collection.beside import ABSENT, Table, unique_names

P, A, E = CLASSIC, CLASSIC_SOLUTION, "." * 81


@pytest.fixture
def tables(tmp_path):
    """The tables of a file."""

    def call(content, **options):
        path = tmp_path / "file"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        found = []
        for chunk in read_chunks(str(path), keep=True, **reading_of(options)):
            assert chunk.beside is not None and chunk.beside.rows == chunk.rows
            found.append(chunk.beside)
        return found

    return call


def rows_of(table):
    return [list(row) for row in zip(*table.columns, strict=True)]


def test_nothing_is_beside_unless_it_is_asked_for(tmp_path):
    (tmp_path / "file").write_text(f"note,puzzle\nx,{P}\n")
    assert [chunk.beside for chunk in read_chunks(str(tmp_path / "file"))] == [None]


def test_fields_of_a_csv_stand_as_they_do_there(tables):
    text = (
        "source,question,answer,rating,note\n"
        f"x,{P},{A}, 3,hi\n"
        f'"q,""",{P},,4,"n"\n'  # quotes
        f"y,{P[:-1]},{A}\n"  # no puzzle, and too few fields
        f"z,{P},{A},5,one,two\n"  # too many
        f'u,{P},"{A},6,open\n'  # a quote that is never closed
    )
    table, last = tables(text)
    assert table.names == ("source", "question", "answer", "rating", "note")
    assert table.roles == {"puzzle": "question", "answer": "answer"}
    assert rows_of(table) + rows_of(last) == [
        ["x", P, A, " 3", "hi"],
        ['q,"', P, "", "4", "n"],
        ["y", P[:-1], A, "", ""],
        ["z", P, A, "5", "one,two"],
        ["u", P, f'"{A}', "6", "open"],
    ]


FIELD = st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), max_size=5)


@settings(max_examples=share(30))
@given(st.lists(st.tuples(FIELD, FIELD), min_size=1, max_size=9), st.sampled_from(",;\t|"))
def test_any_fields_come_through_any_separator(tmp_path_factory, fields, separator):
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=separator, lineterminator="\n")
    writer.writerows([("one", "puzzle", "two"), *((a, P, b) for a, b in fields)])
    path = tmp_path_factory.mktemp("any") / "file"
    path.write_text(stream.getvalue())
    found = [chunk.beside for chunk in read_chunks(str(path), keep=True)]
    assert rows_of(found[0]) == [[a, P, b] for a, b in fields]


def test_lines_without_a_header_stand_as_they_are(tables):
    grid = "\n".join(P[at : at + 9] for at in range(0, 81, 9))
    (table,) = tables(f"{P}\n{P.replace('.', '0')}\nbad\n{grid}\n{P} # two\n")
    assert table.names == ("puzzle",) and not table.headed
    zeros = P.replace(".", "0")
    assert list(table.columns[0]) == [P, zeros, "bad", P, f"{P} # two"]


def test_names_before_puzzles_are_one_field(tables):
    (table,) = tables(f"Easy 01 {P} {A}\nVery Easy 02 {P} {A}\n03 {P}\n")
    assert table.names == ("id", "puzzle", "solution") and table.separator == " "
    assert rows_of(table) == [["Easy 01", P, A], ["Very Easy 02", P, A], ["03", P, ""]]


def test_fields_without_names_get_some(tables):
    (table,) = tables(f"{P},{A},7\n{P},{A}\n")
    assert table.names == ("puzzle", "solution", "column3")
    assert rows_of(table) == [[P, A, "7"], [P, A, ""]]


def test_values_of_json_keep_their_kinds(tables):
    rows = [
        {"puzzle": P, "n": 1, "none": None, "some": [1, {"a": True}]},
        {"quiz": E, "puzzle": E, "late": 1.5},
    ]
    bad = '{"puzzle": '
    (table,) = tables("\n".join([json.dumps(rows[0]), bad, json.dumps(rows[1])]))
    found = [
        {n: v for n, v in zip(table.names, row, strict=True) if v is not ABSENT}
        for row in rows_of(table)
    ]
    assert found == [rows[0], {"puzzle": bad}, rows[1]]
    assert table.roles["puzzle"] == "puzzle"


def columns():
    return {
        "n": pa.array([1, None], pa.int16()),
        "quiz": pa.array([P, "x"]).dictionary_encode(),
        "when": pa.array([0, 1], pa.timestamp("ms")),
        "deep": pa.array([{"a": [1]}, None]),
    }


def parquet():
    stream = io.BytesIO()
    pq.write_table(pa.table(columns()), stream)
    return stream.getvalue()


def arrow():
    stream = io.BytesIO()
    with pa.ipc.new_file(stream, pa.table(columns()).schema) as writer:
        writer.write_table(pa.table(columns()))
    return stream.getvalue()


@pytest.mark.parametrize("make", [parquet, arrow])
def test_kinds_of_arrow_survive(tables, make):
    (table,) = tables(make())
    assert dict(zip(table.names, table.columns, strict=True)) == columns()
    assert table.roles == {"puzzle": "quiz"}
    assert [column.to_pylist()[0] for column in table.take([1]).columns][:2] == [None, "x"]


def test_texts_of_arrow_that_are_no_utf8_cost_only_themselves(tables):
    broken = pa.array([b"a\xff", b"b"]).cast(pa.binary()).view(pa.string())
    stream = io.BytesIO()
    pq.write_table(pa.table({"puzzle": [P, E], "note": broken}), stream)
    (table,) = tables(stream.getvalue())
    assert table.column("note").to_pylist() == ["a\ufffd", "b"]


def test_arrays_stand_beside_if_they_have_a_row_for_each_puzzle(tables):
    digits = np.array([list(P.replace(".", "0")), list(E.replace(".", "0"))]).astype(int)
    wrong = digits.copy()
    wrong[1, 5] = 17
    stream = io.BytesIO()
    arrays = {"rating": np.array([1.5, 2]), "puzzles": wrong, "other": np.zeros(3)}
    np.savez(stream, **arrays, tag=np.array([b"a", b"b"]))
    (table,) = tables(stream.getvalue())
    assert table.names == ("rating", "puzzles", "tag")
    assert table.column("rating").tolist() == [1.5, 2]
    assert table.column("puzzles") == [P, wrong[1].tolist()]
    assert table.column("tag") == ["a", "b"]


@pytest.mark.parametrize("size", [1, 2, 3])
def test_tables_are_cut_as_their_chunks_are(tables, size):
    found = tables("n,puzzle\n" + "".join(f"{n},{P}\n" for n in range(5)), size=size)
    assert [table.rows for table in found] == [min(size, 5 - at) for at in range(0, 5, size)]
    assert [n for table in found for n in table.column("n")] == list("01234")


def test_a_table_gives_rows_and_columns():
    table = Table(("a", "b"), [[1, 2, 3], np.array([4, 5, 6])], {"puzzle": "a"})
    assert rows_of(table.take([2, 0])) == [[3, 6], [1, 4]]
    assert rows_of(table.take(np.array([False, True, False]))) == [[2, 5]]
    assert table.select(["b"]).names == ("b",) and table.select(["b"]).roles == {}
    assert table.put("a", [7, 8, 9]).columns[0] == [7, 8, 9]
    assert table.put("c", [0, 0, 0]).names == ("a", "b", "c")


def test_names_that_stand_twice_are_told_apart():
    assert unique_names(["a", "a", "a.1", "a", ""]) == ("a", "a.1", "a.1.1", "a.2", "")
