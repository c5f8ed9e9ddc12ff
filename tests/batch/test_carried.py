"""Results behind the columns of their input: `batch --keep`."""

import csv
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION

from satdoku.cli import main
from satdoku.files.puzzle_json import format_puzzle_json
from satdoku.model.grid import as_grid

P, A = CLASSIC, CLASSIC_SOLUTION


@pytest.fixture
def run(tmp_path, monkeypatch, capfd):
    """`batch --keep` in a folder of these files: (exit code, what it says)."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments, **files):
        for name, text in files.items():
            (tmp_path / name).write_text(text)
        code = main(["batch", *map(str, arguments), "-q"])
        return code, capfd.readouterr().err

    return call


def test_all_columns_come_first_in_their_order(run, tmp_path):
    text = f'rating,question,note,answer\n3,{P},"a, b",{A}\n4,12,c\n'
    code, said = run("in", "--keep", "all", "-o", "out.csv", **{"in": text})
    rows = list(csv.reader((tmp_path / "out.csv").read_text().splitlines()))
    assert rows[0] == ["rating", "question", "note", "answer", "status", "solution", "reason"]
    assert rows[1] == ["3", P, "a, b", A, "unique", A, ""]
    assert rows[2][:5] == ["4", "12", "c", "", "invalid"] and "2 cells" in rows[2][6]
    assert code == 2 and "line 3" in said


@pytest.mark.parametrize("options", [["--keep", "all"], []])
@pytest.mark.parametrize("count", [1, 2])
def test_pencil_marks_beside_givens_come_with_the_puzzle(run, tmp_path, options, count):
    """The givens alone are another puzzle, with another answer."""
    solution = as_grid(A)
    marks = [{digit, 1 + digit % 9} if cell else {digit} for cell, digit in enumerate(solution)]
    text = format_puzzle_json("." * 81, candidates=marks)
    run("in", "-f", "csv", *options, "-o", "out.csv", **{"in": f"{text}\n" * count})
    found = list(csv.DictReader((tmp_path / "out.csv").read_text().splitlines()))
    assert [(row["status"], row["solution"]) for row in found] == [("unique", A)] * count
    wanted = ["".join(str(d) if d in c else "." for c in marks for d in range(1, 10))] * count
    assert [row["puzzle"] for row in found] == wanted
    run("out.csv", "-f", "csv", "-o", "again.csv")
    again = list(csv.DictReader((tmp_path / "again.csv").read_text().splitlines()))
    assert [(row["puzzle"], row["solution"]) for row in again] == [(w, A) for w in wanted]


def test_a_result_whose_name_is_taken_gets_another(run, tmp_path):
    text = f"puzzle,solution,satdoku_status,status\n{P},x,1,2\n"
    run("in", "--keep", "all", "-o", "out.csv", "--columns", "solution,status", **{"in": text})
    head, row = csv.reader((tmp_path / "out.csv").read_text().splitlines())
    assert head[4:] == ["satdoku_solution", "satdoku_satdoku_status"]
    assert row == [P, "x", "1", "2", A, "unique"]


def test_named_columns_come_in_the_order_of_the_names(run, tmp_path):
    objects = [{"n": 1, "puzzle": P, "tags": [1, None]}, {"puzzle": P, "n": None}]
    text = "\n".join(map(json.dumps, objects))
    run("in", "--keep", "tags, n", "--columns", "status", "-o", "out.jsonl", **{"in": text})
    assert (tmp_path / "out.jsonl").read_text() == (
        '{"tags": [1, null], "n": 1, "status": "unique"}\n{"n": null, "status": "unique"}\n'
    )


def test_kinds_survive_in_parquet(run, tmp_path):
    table = pa.table({"n": pa.array([1, None], pa.uint8()), "quiz": [P, "x"]})
    pq.write_table(table, tmp_path / "in.parquet")
    columns = ("--columns", "status,er,givens")
    run("in.parquet", "--keep", "all", *columns, "-o", "out.parquet")
    found = pq.read_table(tmp_path / "out.parquet")
    assert found.select(["n", "quiz"]) == table
    assert str(found.schema.field("er").type) == "double"
    assert found.to_pylist()[1] == {
        "n": None, "quiz": "x", "status": "invalid", "er": None, "givens": 0,
    }  # fmt: skip


def test_rows_of_further_files_have_the_columns_of_the_first(run, tmp_path):
    first, second = f"a,puzzle\n1,{P}\n", f"puzzle,b,a\n{P},2,3\n"
    code, said = run("x", "y", "--keep", "all", "-o", "out.csv", x=first, y=second)
    rows = list(csv.reader((tmp_path / "out.csv").read_text().splitlines()))
    assert [row[:3] for row in rows] == [["a", "puzzle", "file"], ["1", P, "x"], ["3", P, "y"]]
    assert code == 0 and "left out, as the first rows do not have them: b" in said


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--keep", "b", "-o", "out.csv"], "no column 'b' to keep: there are a, puzzle"),
        (["--keep", "all", "-o", "out.txt"], "choose from csv, tsv, jsonl, parquet"),
        (["--keep", "all", "-o", "out.npz"], "choose from csv, tsv, jsonl, parquet"),
        (["--keep", "all", "-o", "o.csv", "--columns", "x"], "no column 'x' in csv"),
        (["--keep", "all", "-o", "o.jsonl", "--csv-safe"], "--csv-safe is for csv"),
    ],
)
def test_what_cannot_be_kept_is_said(run, tmp_path, options, message):
    code, said = run("in", *options, **{"in": f"a,puzzle\n1,{P}\n"})
    assert code == 2 and message in said
    assert [path.name for path in tmp_path.iterdir()] == ["in"]
