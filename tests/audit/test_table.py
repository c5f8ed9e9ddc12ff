"""The rows of an audit: what was planted in a row is told of that row alone, in every form."""

from __future__ import annotations

import csv
import json
import math
from random import Random

import numpy as np
import pyarrow.parquet
import pytest
from audit_oracle import chunked, generated, some_files
from hypothesis import given
from hypothesis import strategies as st

import satdoku
from satdoku import Checks
from satdoku.audit.files import AuditError, audit_chunks, audit_files
from satdoku.audit.table import ROWS, Texts, columns_of, open_rows
from satdoku.audit.tally import KINDS
from satdoku.batch.solve import solve_batch
from satdoku.files.collection import Answers, Chunk
from satdoku.files.collection.chunk import parts
from satdoku.files.streams import FileError, open_source


def kinds_of(rows, row):
    """The names of the kinds of findings of a row."""
    return {kind for bit, kind in enumerate(KINDS) if rows.kinds[row] >> bit & 1}


@pytest.fixture(scope="module")
def planted():
    """Two files of 20 and 12 rows; what is planted is told in the tests."""
    train, test = generated()[:20].copy(), generated()[20:32].copy()
    answers = [solve_batch(puzzles).solutions for puzzles in (train, test)]
    train[5] = train[2]
    train[7] = np.roll(train[3], 27)
    train[9] = 0
    train[11, :2] = 5
    answers[0][13] = answers[0][14]
    dug = answers[0][4].copy()  # another puzzle of the same grid
    dug[:3] = 0
    test[0] = dug
    test[1] = train[6]
    test[2] = np.roll(train[8].reshape(9, 9), 3, axis=1).ravel()
    test[3] = np.roll(answers[0][10].reshape(9, 9), 3, axis=1).ravel()
    test[4] = train[6]
    return train, test, answers


def files_of(planted, size=1000):
    train, test, answers = planted
    for name, puzzles, cells in zip(("train", "test"), (train, test), answers, strict=True):
        count = len(puzzles)
        chunk = Chunk(
            np.arange(101, 101 + count),
            puzzles,
            {17: satdoku.GridError("x", "y")} if name == "train" else {},
            [f"{name}{row}" for row in range(count)] if name == "test" else None,
            Answers(cells, np.ones(count, np.bool_), {}) if name == "train" else None,
            source=name,
        )
        yield name, parts(chunk, size)


@pytest.mark.parametrize("ways", [{}, {"workers": 2}])
def test_every_planted_fault_is_told_of_its_row(planted, ways):
    audit = audit_chunks(files_of(planted, 7 if ways else 1000), rows=True, **ways)
    rows = audit.rows
    assert {row: kinds_of(rows, row) for row in range(32) if kinds_of(rows, row)} == {
        5: {"exact duplicate", "givens changed"},
        7: {"symmetric duplicate", "givens changed"},
        9: {"several solutions"},
        11: {"clashing givens", "givens changed"},
        13: {"givens changed"},
        17: {"malformed row"},
        20: {"grid leak"},
        21: {"leak"},
        22: {"leak"},
        23: {"grid leak"},
        24: {"leak", "exact duplicate"},
    }
    assert [(file["rows"], file["sound"]) for file in audit["files"]] == [(20, 14), (12, 7)]
    assert rows.file.tolist() == [0] * 20 + [1] * 12
    assert rows.line.tolist() == [*range(101, 121), *range(101, 113)]
    assert rows.ids[:] == [""] * 20 + [f"test{row}" for row in range(12)]
    own = np.arange(32)
    assert {row: int(other) for row, other in enumerate(rows.duplicate_of) if other >= 0} == {
        5: 2, 21: 6, 24: 6,
    }  # fmt: skip
    others = {row: int(other) for row, other in enumerate(rows.cluster) if other != own[row]}
    assert others == {5: 2, 7: 3, 17: -1, 21: 6, 22: 8, 24: 6}
    others = {row: int(other) for row, other in enumerate(rows.grid_of) if other != own[row]}
    assert others == {5: 2, 11: -1, 17: -1, 20: 4, 21: 6, 24: 6}
    others = {row: int(other) for row, other in enumerate(rows.grid_cluster) if other != own[row]}
    assert others == {5: 2, 7: 3, 11: -1, 17: -1, 20: 4, 21: 6, 22: 8, 23: 10, 24: 6}


def test_allowed_kinds_are_no_faults_and_facts_are_if_forbidden(planted):
    everything = [kind for kind in KINDS if kind != "grid leak"]
    audit = audit_chunks(files_of(planted), checks=Checks(allow=everything))
    assert [file["sound"] for file in audit["files"]] == [20, 10]
    assert not audit["sound"]
    assert audit_chunks(files_of(planted), checks=Checks(allow=KINDS))["sound"]
    puzzles = planted[0][:1].repeat(2, axis=0)
    puzzles[1] = planted[2][0][0]  # the solution of the first
    file = [("a", [Chunk(np.arange(1, 3), puzzles, {})])]
    audit = audit_chunks(file, rows=True)
    assert audit["sound"] and not audit["files"][0]["findings"]
    assert kinds_of(audit.rows, 1) == {"repeated grid"}
    assert audit["files"][0]["grids"] == {
        "known": 2, "distinct": 1, "classes": 1, "largest": 2, "line": 1,
    }  # fmt: skip
    audit = audit_chunks(file, checks=Checks(forbid=["repeated-grid"]))
    (finding,) = audit["files"][0]["findings"]
    assert (audit["sound"], finding["kind"], finding["count"]) == (False, "repeated grid", 1)
    with pytest.raises(AuditError, match="no finding 'leak': choose from repeated-grid"):
        audit_chunks(file, checks=Checks(forbid=["leak"]))


def test_columns_do_not_depend_on_chunks_and_agree_with_the_report(grids):
    files = some_files(Random(3), grids, 3, sizes=(25, 30))
    audit = audit_chunks(chunked(files, 1000), rows=True)
    again = audit_chunks(chunked(files, 4), rows=True).rows
    for name, column in audit.rows._asdict().items():
        if name == "ids":
            column, other = column[:], again.ids[:]
        else:
            other = getattr(again, name)
        assert np.array_equal(column, other), name
    for number, file in enumerate(audit["files"]):
        told = audit.rows.kinds[audit.rows.file == number]
        for finding in file["findings"]:
            bit = KINDS.index(finding["kind"])
            assert np.count_nonzero(told >> bit & 1) == finding["count"], finding["kind"]
    assert audit_chunks(chunked(files, 4)).rows is None


@given(st.lists(st.none() | st.lists(st.text(max_size=4), min_size=1, max_size=3)))
def test_texts_are_a_list_of_texts(chunks):
    texts, expected = Texts(), []
    for chunk in chunks:
        texts.add(chunk, 2 if chunk is None else len(chunk))
        expected += ["", ""] if chunk is None else chunk
    assert list(texts) == texts[:] == expected
    assert [texts[-i - 1] for i in range(len(expected))] == expected[::-1]
    with pytest.raises(IndexError):
        texts[len(expected)]


NAMES = [
    "row", "file", "line", "id", "status", "answer", "kinds", "givens", "nodes", "er", "ep", "ed",
    "technique", "duplicate", "duplicate_file", "duplicate_line", "cluster", "grid_cluster",
    "puzzle_hash", "canonical_hash", "grid_hash", "canonical_grid_hash",
]  # fmt: skip


@pytest.fixture(scope="module")
def audit(tmp_path_factory):
    folder = tmp_path_factory.mktemp("audit")
    puzzles = generated()[:6].copy()
    puzzles[2], puzzles[3] = puzzles[0], np.roll(puzzles[1], 27)
    texts = ["".join(map(str, row)) for row in puzzles.tolist()]
    (folder / "a.csv").write_text(f"id,puzzle\none,{texts[0]}\ntwo,{texts[1]}\n")
    (folder / "b.txt").write_text("\n".join([*texts[2:], "12", "." * 81]))
    paths = [str(folder / name) for name in ("a.csv", "b.txt")]
    return paths, audit_files(paths, rows=True, ratings=True)


def test_a_line_a_row_with_what_is_known_of_it(audit):
    paths, report = audit
    columns = report.rows.columns()
    for kind in ("pandas", "polars", "pyarrow"):
        frame = report.rows.as_frame(kind)
        names = frame.column_names if kind == "pyarrow" else frame.columns
        assert list(names) == list(columns) and len(frame) == len(columns["row"])
    assert list(columns) == NAMES
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    assert [(row["row"], row["file"], row["line"], row["id"]) for row in rows] == [
        (1, paths[0], 2, "one"), (2, paths[0], 3, "two"),
        *((3 + i, paths[1], 1 + i, None) for i in range(6)),
    ]  # fmt: skip
    kinds = [None, None, "leak", "leak", None, None, "malformed-row", "several-solutions"]
    assert columns["kinds"] == kinds
    assert columns["duplicate"] == [None, None, "exact", "symmetric", *[None] * 4]
    assert columns["duplicate_file"][:4] == [None, None, paths[0], paths[0]]
    assert columns["duplicate_line"][:4] == [None, None, 2, 3]
    assert columns["cluster"] == [1, 2, 1, 2, 5, 6, None, 8]
    assert columns["grid_cluster"] == [1, 2, 1, 2, 5, 6, None, None]
    for row, first in ((2, 0), (3, 1)):
        for name in ("canonical_hash", "canonical_grid_hash"):
            assert rows[row][name] == rows[first][name]
    assert rows[2]["puzzle_hash"] == rows[0]["puzzle_hash"] != rows[3]["puzzle_hash"]
    er = satdoku.rate_batch(generated()[:1]).er[0]
    assert (rows[0]["er"], rows[6]["er"], rows[7]["technique"]) == (er, None, None)


def test_hashes_are_the_same_on_every_machine(tmp_path):
    """Known answers: whoever has stored hashes finds them again."""
    puzzle = "...1.5...14....67..8...24...63.7..1.9.......3.1..9.52...72...8..26....35...4.9..."
    (tmp_path / "a.txt").write_text(f"{puzzle}\n")
    columns = audit_files(str(tmp_path / "a.txt"), rows=True).rows.columns()
    assert {name: column[0] for name, column in columns.items() if name.endswith("hash")} == {
        "puzzle_hash": "ab819beb14637d7688a5034b38f48318",
        "canonical_hash": "0f9add2cf7eea7196601898a6864726a",
        "grid_hash": "730545177fbb3579ad85be806cddba03",
        "canonical_grid_hash": "2c77a7e1737cfca770d159dbe29a5f07",
    }


@pytest.mark.parametrize("name", ["r.csv", "r.tsv.gz", "r.jsonl", "r.parquet"])
def test_every_form_holds_the_same(audit, tmp_path, name, monkeypatch):
    monkeypatch.setattr("satdoku.audit.table.ROWS", 3)
    expected = audit[1].rows.columns()
    path = str(tmp_path / name)
    with open_rows(path) as write:
        write(audit[1].rows)
    if name.endswith("parquet"):
        found = pyarrow.parquet.read_table(path).to_pydict()
    else:
        with open_source(path) as source:
            text = b"".join(source.text_blocks()).decode()
        if ".jsonl" in name:
            rows = [json.loads(line) for line in text.splitlines()]
        else:
            separator = "\t" if ".tsv" in name else ","
            rows = list(csv.DictReader(text.splitlines(), delimiter=separator))
            expected = {n: ["" if v is None else str(v) for v in c] for n, c in expected.items()}
        found = {column: [row[column] for row in rows] for column in rows[0]}
    assert {n: list(c) for n, c in found.items()} == {n: list(c) for n, c in expected.items()}


def test_parts_make_up_the_whole(audit):
    rows = audit[1].rows
    whole = columns_of(rows)
    parts = [columns_of(rows, slice(start, start + 3)) for start in (0, 3, 6)]
    for name, column in whole.items():
        assert list(column) == [value for part in parts for value in part[name]]
    assert ROWS > 3
    assert not any(isinstance(v, float) and math.isnan(v) for v in whole["er"])


def test_other_endings_are_refused(tmp_path):
    with (
        pytest.raises(FileError, match=r"r\.xls: ending \.xls: expected \.csv, \.tsv"),
        open_rows(str(tmp_path / "r.xls")),
    ):
        pass
