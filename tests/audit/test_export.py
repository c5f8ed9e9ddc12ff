"""The rows of an audit in files: the same facts in every form."""

from __future__ import annotations

import csv
import json
import math

import numpy as np
import pyarrow.parquet
import pytest
from audit_oracle import generated

import satdoku
from satdoku.audit.export import ROWS, open_rows
from satdoku.audit.files import audit_files
from satdoku.audit.table import columns_of
from satdoku.files.streams import FileError, open_source

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
    monkeypatch.setattr("satdoku.audit.export.ROWS", 3)
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
        pytest.raises(FileError, match=r"r\.xls: rows are written as \.csv"),
        open_rows(str(tmp_path / "r.xls")),
    ):
        pass
