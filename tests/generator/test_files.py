"""Generated puzzles in files: every form has the same rows, which an audit finds sound."""

import io
import json
import os
import subprocess
import sys

import numpy as np
import pyarrow.parquet
import pytest

import satdoku
from satdoku.batch.results.columns import ResultsError
from satdoku.files.streams import FileError
from satdoku.generator.files import COLUMNS, FORMS, Made, columns_for, table_of
from satdoku.generator.holes import HolesOptions, puzzles_with_holes
from satdoku.model.constraints import constraints_for

N, SEED = 6, 11
GRIDS = satdoku.generate(N, seed=SEED)
TEXTS = ["".join(map(str, row)).replace("0", ".") for row in GRIDS]


def rows_of(path):
    return [
        ("".join(map(str, puzzle.grid)).replace("0", "."), puzzle.constraints.name, puzzle.answer)
        for puzzle in satdoku.read_puzzles(path)
    ]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_has_the_puzzles_of_the_seed(form, tmp_path):
    path = tmp_path / ("out" if form == "line" else f"out.{form}")
    assert satdoku.generate_file(path, N, seed=SEED) == {"puzzles": N, "seed": SEED}
    assert [row[:2] for row in rows_of(path)] == [(text, "classic") for text in TEXTS]
    assert satdoku.audit_files(path)["sound"]


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet", "npz"])
def test_solutions_stand_beside_their_puzzles(form, tmp_path):
    path = tmp_path / f"out.{form}"
    satdoku.generate_file(path, N, seed=SEED, fields=["puzzle", "solution", "givens", "er"])
    wanted = [str(satdoku.solve(text)) for text in TEXTS]
    assert [str(answer) for _, _, answer in rows_of(path)] == wanted
    found = satdoku.audit_files(path)
    assert found["sound"] and found["files"][0]["answers"]["right"] == N


def test_all_columns_are_what_the_puzzle_alone_has(tmp_path):
    path = tmp_path / "out.jsonl"
    satdoku.generate_file(path, N, seed=SEED, fields=COLUMNS)
    for text, line in zip(TEXTS, path.read_text().splitlines(), strict=True):
        rating = satdoku.rate(text)
        assert json.loads(line) == {
            "puzzle": text, "solution": str(satdoku.solve(text)), "rules": "classic", "seed": SEED,
            "status": "unique", "givens": 81 - text.count("."), "er": rating.er, "ep": rating.ep,
            "ed": rating.ed, "technique": rating.technique,
        }  # fmt: skip


@pytest.mark.parametrize(("name", "several"), [
    ("a.csv", 2), ("a.csv", "thread:2"), ("a.parquet", "thread:2"), ("a.npz", "thread:2"),
    ("a.npy", "thread:2"), ("a.jsonl.gz", "thread:2"), ("a.tsv.xz", "thread:2"),
])  # fmt: skip
def test_the_bytes_depend_on_the_seed_alone(name, several, tmp_path):
    made = []
    for number, workers in enumerate((1, several)):
        path = tmp_path / f"{number}{name}"
        fields = ["puzzle"] if name == "a.npy" else ["puzzle", "solution"]
        satdoku.generate_file(path, 20, seed=SEED, fields=fields, workers=workers)
        made.append(path.read_bytes())
    assert made[0] == made[1]


def test_columns_have_the_kinds_of_a_batch(tmp_path):
    path = tmp_path / "a.parquet"
    satdoku.generate_file(path, N, seed=SEED, fields=["puzzle", "givens", "er", "seed"])
    table = pyarrow.parquet.read_table(path)
    assert list(map(str, table.schema.types)) == ["string", "int32", "double", "int64"]


def test_a_file_that_is_open_gets_the_rows_and_stays_open():
    out = io.BytesIO()
    satdoku.generate_file(out, N, seed=SEED)
    assert out.getvalue().decode().split() == TEXTS
    out.name = "some.npy"
    out.seek(0)
    out.truncate()
    satdoku.generate_file(out, N, seed=SEED)
    out.seek(0)
    assert np.array_equal(np.load(out), GRIDS)


@pytest.mark.parametrize(
    "name, fields, error, message",
    [
        ("a.xlsx", [], FileError, r"a\.xlsx: ending \.xlsx: expected \.txt, "),
        ("a.npy", ["puzzle", "givens"], FileError, "npy holds one column, not 2: choose npz"),
        ("a.npz", ["rules"], ResultsError, "no column 'rules' in npz"),
        ("a.csv", ["soluton"], ResultsError, "did you mean 'solution'"),
        ("a.csv", ["holes"], ResultsError, "no column 'holes' in csv"),
        ("a.txt", ["solution"], ResultsError, "no column 'solution' in line"),
        ("a.npz.gz", [], FileError, r"npz files are not packed: leave out \.gz"),
    ],
)
def test_what_a_form_cannot_hold_is_refused(name, fields, error, message, tmp_path):
    with pytest.raises(error, match=message):
        satdoku.generate_file(tmp_path / name, 2, seed=1, fields=fields)
    assert not list(tmp_path.iterdir())


def test_a_puzzle_with_several_solutions_has_none_beside_it():
    """Which one a solver finds is not promised."""
    options = HolesOptions(constraints_for("classic"), 70, seed=2)
    puzzles = puzzles_with_holes(2, holes=70, seed=2)
    table = table_of(
        Made(puzzles, options.constraints, 2, {"holes": [70] * len(puzzles)}),
        ("status", "solution", "holes"),
        "csv",
    )
    assert table.column("status").tolist() == ["multiple"] * 2
    assert [text or "" for text in table.column("solution")] == ["", ""]
    assert table.column("holes") == [70, 70]


def test_boards_beyond_25x25_are_numbers_in_lines_and_arrays():
    puzzles = puzzles_with_holes(1, size=36, holes=0.3, seed=1)
    made = Made(puzzles, constraints_for("classic", satdoku.Board.of_size(36)), 1, {"holes": [388]})
    (text,) = table_of(made, ("puzzle",), "line").column("puzzle")
    assert list(map(int, text.split())) == puzzles[0].tolist()
    assert table_of(made, ("puzzle",), "npy").column("puzzle") is puzzles
    with pytest.raises(ResultsError, match="no column 'solution'"):
        columns_for("csv", ["solution"], large=True)


def test_usual_columns_tell_how_json_lines_were_made():
    assert columns_for("line") == columns_for("npy") == ("puzzle",)
    assert columns_for("csv") == columns_for("parquet") == ("puzzle", "rules")
    assert columns_for("jsonl", own=("holes",)) == ("puzzle", "rules", "seed", "holes")
    assert columns_for("jsonl", rated=True)[-4:] == ("er", "ep", "ed", "technique")


def test_numpy_writes_the_bytes_of_the_kernel(tmp_path):
    """In a process of its own: the environment chooses once."""
    fields = ["puzzle", "solution", "givens"]
    for name in ("a.csv", "a.parquet", "a.npz"):
        satdoku.generate_file(tmp_path / name, 6, "shape=2x2", seed=SEED, fields=fields)
        line = f"import satdoku; satdoku.generate_file({str(tmp_path / 'b')!r} + {name[1:]!r}, 6, "
        line += f"'shape=2x2', seed={SEED}, fields={fields})"
        environ = {**os.environ, "SATDOKU_SIMD": "numpy"}
        subprocess.run([sys.executable, "-c", line], env=environ, check=True)
        assert (tmp_path / f"b{name[1:]}").read_bytes() == (tmp_path / name).read_bytes()
