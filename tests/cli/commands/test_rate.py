"""`satdoku rate`: scales, files of ratings, bad lines."""

import csv
import json
import os

import pyarrow.parquet
import pytest
from examples import CLASSIC

import satdoku

CHAIN = "000000501010008040005096000009000450000309000064000700000850300030900010506000000"
CLASH = "55" + "." * 79
LINES = f"{CLASSIC}\nnonsense\n{CHAIN}\n{'.' * 81}\n{CLASH}\n"
RATINGS = ["2.8 (EP 1.2, ED 1.2): claiming", "7.1 (EP 1.2, ED 1.2): forcing chain"]
NO_SCALE = "Sudoku Explainer rates classic 9x9 only"


def test_a_line_a_puzzle_and_a_bad_line_costs_no_other(run, file):
    name = file(LINES)
    code, out, err = run("rate", name)
    assert (code, out.splitlines()) == (2, [*RATINGS, "multiple", "invalid"])
    assert f"{name}: line 2" in err and "r1c1=5 and r1c2=5 break the row rule" in err
    assert run("rate", file(LINES.replace("nonsense\n", "")))[0] == 1


@pytest.mark.parametrize("workers", [1, 2])
def test_many_puzzles_are_rated_in_order(run, file, workers):
    code, out, _ = run("rate", file(f"{CLASSIC}\n{CHAIN}\n" * 40), "-w", workers)
    assert (code, out.splitlines()) == (0, RATINGS * 40)


def test_json_says_on_which_scale(run):
    code, out, _ = run("rate", CHAIN, "--json")
    assert (code, json.loads(out)) == (0, {
        "puzzle": CHAIN.replace("0", "."), "rules": "classic", "status": "unique", "scale": "se",
        "er": 7.1, "ep": 1.2, "ed": 1.2, "technique": "forcing chain",
    })  # fmt: skip
    code, out, _ = run("rate", CLASSIC, "--json", "--scale", "mus")
    data = json.loads(out)
    assert (code, data["scale"], data["word"], data["complete"]) == (0, "mus", "medium", True)


def test_our_own_scale_on_request(run):
    code, out, err = run("rate", CLASSIC, "--scale", "mus")
    assert (code, err) == (0, "")
    assert out.startswith("4.") and " medium: 67 steps, 10 beyond singles" in out


def test_other_rules_and_sizes_are_rated_on_the_extended_scale_and_that_is_said(run):
    four = "1.....2....3.4.."
    code, out, err = run("rate", four, four)
    assert (code, len(out.splitlines())) == (0, 2)
    assert err.count(NO_SCALE) == 1
    for words in ([four], [CLASSIC, "--clue", "sum=9:r1c1,r1c2"], [CLASSIC, "-r", "diagonal"]):
        code, out, err = run("rate", *words, "--scale", "se")
        assert (code, out) == (2, "")
        assert f"{NO_SCALE}: choose --scale logic" in err


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_ratings_in_a_file(run, file, tmp_path, form):
    out = str(tmp_path / f"out.{form}")
    code, text, err = run("rate", file(LINES), "-o", out)
    assert (code, text) == (2, "")
    assert "line 2" in err and "5 puzzles: 2 unique, 1 multiple, 2 invalid" in err
    if form == "parquet":
        rows = pyarrow.parquet.read_table(out).to_pylist()
    else:
        with open(out) as stream:
            rows = list(csv.DictReader(stream) if form == "csv" else map(json.loads, stream))
    assert [row["line"] for row in rows] in ([1, 2, 3, 4, 5], ["1", "2", "3", "4", "5"])
    assert [str(row.get("er") or "") for row in rows] == ["2.8", "", "7.1", "", ""]
    assert [row.get("technique") or "" for row in rows] == ["claiming", "", "forcing chain", "", ""]
    assert "break the row rule" in rows[4]["reason"]


def test_a_file_of_ratings_that_cannot_be(run, file, tmp_path):
    name = file(CLASSIC)
    for words, problem in (
        (["-o", "x.txt"], "x.txt: ending .txt: expected .csv, .tsv, .jsonl or .parquet"),
        (["-o", "x.csv", "--scale", "mus"], "-o takes the ratings of --scale logic"),
        (["-o", "x.csv", "-r", "knight", "--scale", "se"], NO_SCALE),
    ):
        code, _, err = run("rate", name, *words)
        assert (code, problem in err) == (2, True)
        assert not os.path.exists(words[1])


def test_batch_has_columns_of_ratings_and_resumes_them(run, file, tmp_path):
    out = str(tmp_path / "out.csv")
    words = ["batch", file(LINES), "-o", out, "--columns", "line,er,technique", "--resume", "-q"]
    assert run(*words)[0] == 2
    with open(out) as stream:
        rows = list(csv.reader(stream))
    assert rows[1:] == [
        ["1", "2.8", "claiming"], ["2", "", ""], ["3", "7.1", "forcing chain"], ["4", "", ""],
        ["5", "", ""],
    ]  # fmt: skip


VARIANT = ".7........1.4...2.6......4.......7..1.......2...53..1..63..7...........5...294..."


def test_a_puzzle_of_other_rules_in_each_command(run, file, tmp_path):
    code, out, _ = run("rate", VARIANT, "-r", "diagonal", "--json")
    data = json.loads(out)
    assert (code, data["scale"], data["version"], data["complete"]) == (0, "logic", 2, True)
    rating = satdoku.rate(VARIANT, "diagonal")
    er = f"{rating.er:.1f}"
    technique = data["technique"]
    assert data["er"] == rating.er and technique in ("forcing chain", "contradiction")
    assert sum(data["counts"].values()) > data["counts"]["hidden single"] > 40
    code, out, _ = run("rate", VARIANT, "-r", "diagonal")
    assert (code, out.split(";")[0]) == (0, f"{er} (EP 1.2, ED 1.2): {technique}")
    name, results = file(f"{VARIANT}\n"), str(tmp_path / "out.csv")
    for command in (["rate"], ["batch", "--columns", "er,technique"]):
        assert run(*command, name, "-r", "diagonal", "-o", results, "-w", 2, "-q")[0] == 0
        with open(results) as stream:
            (row,) = csv.DictReader(stream)
        assert (row["er"], row["technique"]) == (er, technique)
    code, out, _ = run("audit", name, "-r", "diagonal", "--ratings", "--json")
    assert f'"{er}": 1' in out
