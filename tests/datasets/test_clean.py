"""`select` against its law, row by row in plain Python, on random classes.
`clean_files`: what is kept is what brute force keeps, and an audit finds nothing in it.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from random import Random

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from dataset_cases import as_csv, expected, some_rows
from examples import CLASSIC, CLASSIC_SOLUTION, FOUR, PUZZLES
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from soak import share

import satdoku
from satdoku.audit.files import AuditError
from satdoku.datasets.clean import REASONS, Classes, first_of, select
from satdoku.model.constraints import constraints_for
from satdoku.runtime.errors import SatdokuError

DUPLICATES = ("exact duplicate", "symmetric duplicate", "leak", "grid leak", "repeated grid")

# A row: its puzzle (None if it holds none; 2n and 2n+1 are images of each other, 4n to 4n+3 have
# one solution grid), whether something is wrong with it, whether it is asked for.
ROWS = st.lists(
    st.tuples(st.none() | st.integers(0, 15), st.booleans(), st.sampled_from([True, True, False]))
)


def labels(values):
    return np.array([-1 if v is None else values.index(v) for v in values], np.int32)


def selected(rows, allowed):
    puzzles = [puzzle for puzzle, _, _ in rows]
    classes = Classes(
        *(labels([p if p is None else p // alike for p in puzzles]) for alike in (1, 2, 4))
    )
    faults = np.array([wrong * 3 for _, wrong, _ in rows], np.uint8)
    return select(faults, classes, np.array([ours for *_, ours in rows], np.bool_), allowed)


@settings(max_examples=share(60))
@given(ROWS, st.sets(st.sampled_from(DUPLICATES)))
def test_what_is_kept_repeats_nothing_and_what_is_dropped_repeats_something(rows, allowed):
    found = selected(rows, allowed)
    kept, reference = [], [p for p, _, ours in rows if not ours and p is not None]

    def finding(puzzle):
        if any(puzzle // 2 == p // 2 for p in reference):
            if "leak" not in allowed:
                return "leak"
        elif any(puzzle // 4 == p // 4 for p in reference) and "grid leak" not in allowed:
            return "grid leak"
        if puzzle in kept and "exact duplicate" not in allowed:
            return "exact duplicate"
        images = {p for p in kept if p // 2 == puzzle // 2}
        if images - {puzzle} and "symmetric duplicate" not in allowed:
            return "symmetric duplicate"
        same_grid = {p // 2 for p in kept if p // 4 == puzzle // 4}
        if same_grid - {puzzle // 2} and "repeated grid" not in allowed:
            return "repeated grid"
        return ""

    for row, (puzzle, wrong, ours) in enumerate(rows):
        reason, other = REASONS[found.reasons[row]], int(found.others[row])
        expected = REASONS[3] if wrong else "" if puzzle is None else finding(puzzle)
        assert reason == (expected if ours else "")
        assert found.kept[row] == (ours and not expected)
        assert (other >= 0) == (reason in DUPLICATES)
        if other >= 0:
            alike = 4 if "grid" in reason else 2
            assert rows[other][0] // alike == puzzle // alike
            assert rows[other][2] == ("leak" not in reason)
        if found.kept[row] and puzzle is not None:
            kept.append(puzzle)


def test_a_row_with_a_wrong_answer_does_not_take_the_place_of_one_with_a_right_answer():
    found = selected([(0, True, True), (0, False, True), (1, False, True)], ())
    assert found.kept.tolist() == [False, True, False]
    assert found.others.tolist() == [-1, -1, 1]


@pytest.mark.parametrize("kind", [np.int32, np.int64])
def test_the_first_marked_row_of_each_class(kind):
    found = first_of(np.array([0, 0, -1, 3, 0, 3], kind), np.array([0, 1, 1, 0, 1, 0], np.bool_))
    assert found.dtype == kind
    assert found.tolist() == [1, 1, -1, -1, 1, -1]


RULES = constraints_for("classic", FOUR)
KINDS = ("exact duplicate", "symmetric duplicate", "wrong answer", "several solutions", "leak")
SWAPPED = CLASSIC[27:] + CLASSIC[:27]
OTHER = (PUZZLES / "generated-1000.txt").read_text().split("\n")[5]
quick = settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@quick
@given(
    seed=st.integers(0, 2**32),
    allowed=st.sets(st.sampled_from(KINDS)),
    repair=st.booleans(),
    against=st.booleans(),
)
def test_what_is_kept_is_what_brute_force_keeps(grids, file, seed, allowed, repair, against):
    rng = Random(seed)
    rows = some_rows(rng, grids, rng.choice((1, 8, 40)))
    reference = some_rows(rng, grids, 4) if against else []
    path, out, gone = file(as_csv(rows)), file("", "out.csv"), file("", "gone.csv")
    others = [file(as_csv(reference), "b.csv")] if against else []
    counts = satdoku.clean_files(
        path,
        out,
        RULES,
        checks=satdoku.Checks(allow=allowed),
        cleaning=satdoku.Cleaning(repair=repair, against=others, dropped=gone),
    )
    kept, reasons = expected(rows, reference, grids, allowed, repair)
    reasons = [reason.replace(" ", "-") for reason in reasons]
    with open(out, newline="") as stream:
        assert [tuple(row) for row in csv.reader(stream)][1:] == kept
    with open(gone, newline="") as stream:
        told = list(csv.DictReader(stream))
    assert [row["reason"] for row in told] == reasons
    assert [int(row["line"]) - 2 for row in told] == [
        number for number, row in enumerate(rows) if row.note not in {k[0] for k in kept}
    ]
    assert counts["dropped"] == Counter(reasons)
    assert counts["read"] == len(rows) == counts["kept"] + sum(counts["dropped"].values())
    if kept:
        report = satdoku.audit_files([*others, out], RULES, checks=satdoku.Checks(allow=allowed))
        assert report["files"][-1]["rows"] == len(kept)
        assert {finding["kind"] for finding in report["files"][-1]["findings"]} <= allowed
        assert "leak" in allowed or not report["leaks"]


def test_one_puzzle_of_each_grid(file):
    grid = "1234341221434321"
    path = file(f"{grid[:15]}.\n.{grid[1:]}\n{grid[:14]}..\n")
    checks = satdoku.Checks(forbid=["repeated-grid"])
    assert satdoku.clean_files(path, file("", "o"), RULES, checks=checks)["dropped"] == {
        "symmetric-duplicate": 1, "repeated-grid": 1,
    }  # fmt: skip


# Columns ------------------------------------------------------------------------------------------


def test_the_layout_of_sudoku_extreme_to_every_form_and_back(file, tmp_path):
    text = (
        "source,question,answer,rating\n"
        f'"a, ""b""",{CLASSIC},{CLASSIC_SOLUTION},7\n'
        f"x,{SWAPPED},{CLASSIC_SOLUTION},1\n"
        f"\u00fc,{OTHER},,\n"
    )
    path = file(text)
    for form in ("csv", "tsv", "jsonl", "parquet", "csv.gz", "jsonl.xz"):
        out, again = str(tmp_path / f"out.{form}"), str(tmp_path / "again.csv")
        assert satdoku.clean_files(path, out)["dropped"] == {"givens-changed": 1}
        assert (
            satdoku.clean_files(out, again, cleaning=satdoku.Cleaning(output_format="csv"))[
                "dropped"
            ]
            == {}
        )
        kept = (tmp_path / "again.csv").read_text().replace("\t", ",")
        rows = [list(csv.reader(some.splitlines())) for some in (text, kept)]
        assert rows[1] == rows[0][:2] + rows[0][3:]


def test_kinds_of_parquet_and_values_of_json_stay(tmp_path):
    table = pa.table(
        {
            "question": [CLASSIC, CLASSIC, OTHER],
            "rating": pa.array([1, None, 3], pa.int16()),
            "answer": pa.array([None, None, None], pa.list_(pa.int8())),
            "tag": pa.array(["x", "y", "x"]).dictionary_encode(),
        }
    )
    pq.write_table(table, tmp_path / "a.parquet")
    out = tmp_path / "out.parquet"
    counts = satdoku.clean_files(
        str(tmp_path / "a.parquet"), str(out), cleaning=satdoku.Cleaning(repair=True)
    )
    assert (counts["repaired"], counts["dropped"]) == (2, {"exact-duplicate": 1})
    found = pq.read_table(out)
    assert found.column("rating").to_pylist() == [1, 3]
    assert found.schema.field("rating").type == pa.int16()
    assert found.column("tag").to_pylist() == ["x", "x"]
    assert found.column("answer").to_pylist()[0] == list(map(int, CLASSIC_SOLUTION))
    objects = [{"puzzle": CLASSIC, "x": [1, {"y": None}], "z": 1.5}, {"puzzle": OTHER, "new": 1}]
    (tmp_path / "a.jsonl").write_text("".join(f"{json.dumps(o)}\n" for o in objects))
    satdoku.clean_files(str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl"))
    assert [json.loads(line) for line in (tmp_path / "b.jsonl").open()] == objects
    told = satdoku.clean_files(str(tmp_path / "a.jsonl"), str(tmp_path / "b.csv"))
    assert told["columns_left_out"] == []  # all keys of a chunk


def test_files_with_other_names_for_their_columns_come_under_those_of_the_first(file, tmp_path):
    kaggle = file(f"quizzes,solutions\n{CLASSIC},{CLASSIC_SOLUTION}\n")
    extreme = file(f"source,question,answer\nme,{OTHER},\n", "b.csv")
    out = tmp_path / "out.csv"
    counts = satdoku.clean_files([kaggle, extreme], str(out))
    assert counts["columns_left_out"] == ["source"]
    assert out.read_text() == f"quizzes,solutions\n{CLASSIC},{CLASSIC_SOLUTION}\n{OTHER},\n"


def test_a_plain_list_stays_one_and_gets_a_column_for_answers(file, tmp_path):
    path, out = file(f"{CLASSIC}\nbad\n{SWAPPED}\n", "a.txt"), tmp_path / "out.txt"
    satdoku.clean_files(path, str(out))
    assert out.read_text() == f"{CLASSIC}\n"
    satdoku.clean_files(path, str(out), cleaning=satdoku.Cleaning(repair=True))
    assert out.read_text() == f"{CLASSIC},{CLASSIC_SOLUTION}\n"


def test_dropped_rows_are_told_with_a_detail(file, tmp_path):
    clash = "5.....5" + "." * 74
    path = file(
        "puzzle,solution,line\n"
        f"{CLASSIC},,a\n{CLASSIC},{CLASSIC_SOLUTION[:-1]}9,b\n{CLASSIC[1:]},,c\n{clash},,d\n"
        f"{SWAPPED},,e\n"
    )
    gone = tmp_path / "gone.jsonl"
    satdoku.clean_files(path, str(tmp_path / "o.csv"), cleaning=satdoku.Cleaning(dropped=str(gone)))
    told = [json.loads(line) for line in gone.open()]
    assert [(row["line"], row["line.1"], row["reason"]) for row in told] == [
        ("b", 3, "wrong-answer"), ("c", 4, "malformed-row"), ("d", 5, "clashing-givens"),
        ("e", 6, "symmetric-duplicate"),
    ]  # fmt: skip
    details = [row["detail"] for row in told]
    assert details[0].startswith("in the answer r")
    assert "found 80 cells" in details[1]
    assert details[2] == "r1c1=5 and r1c7=5 break the row rule"
    assert details[3] == f"{path}: line 2"


# Errors -------------------------------------------------------------------------------------------


def test_a_kind_that_is_unknown_and_files_that_are_one(file):
    path = file(f"{CLASSIC}\n")
    with pytest.raises(AuditError, match="no finding 'leek'"):
        satdoku.clean_files(path, "out.csv", checks=satdoku.Checks(allow=["leek"]))
    with pytest.raises(SatdokuError, match="input and output at once"):
        satdoku.clean_files(path, path)
    with pytest.raises(SatdokuError, match=r"out\.npz: ending \.npz: expected \.txt, \.sdm, \.csv"):
        satdoku.clean_files(path, "out.npz")


def test_a_file_that_changes_in_between_is_noticed_and_nothing_is_written(file, tmp_path):
    path = file(f"{CLASSIC}\n{OTHER}\n")

    def change(*_):
        file(f"{CLASSIC}\n")

    with pytest.raises(SatdokuError, match="changed while it was read: it has fewer rows"):
        satdoku.clean_files(path, str(tmp_path / "out.txt"), progress=change)
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.csv"]


@pytest.mark.parametrize("form", ["txt", "csv"])
def test_rows_of_a_rectangle_are_cleaned_and_repaired(tmp_path, form):
    rules = "shape=6x7"
    first, second = (
        "6...7...53..62132.......6.54...3215.4..53.",
        "...243.1....746.4.7...1...5..75364..6.5...",
    )
    rows = [first, first[::-1], second, "1" + first[1:], second]
    path, out, dropped = (tmp_path / name for name in (f"in.{form}", f"out.{form}", "no.csv"))
    path.write_text(
        "\n".join(rows if form == "txt" else ["puzzle,solution", *(f"{r}," for r in rows)])
    )
    cleaning = satdoku.Cleaning(repair=form == "csv", dropped=str(dropped))
    counts = satdoku.clean_files(str(path), str(out), rules, cleaning=cleaning)
    assert counts["dropped"] == {
        "clashing-givens": 1,
        "exact-duplicate": 1,
        "symmetric-duplicate": 1,
    }
    kept = [first, second]
    if form == "csv":
        solved = [str(satdoku.solve(puzzle, rules)) for puzzle in kept]
        kept = ["puzzle,solution", *map(",".join, zip(kept, solved, strict=True))]
    assert out.read_text().splitlines() == kept
    said = list(csv.DictReader(dropped.open()))
    assert [(row["line"], row["reason"]) for row in said] == [
        (str(line + (form == "csv")), reason)
        for line, reason in (
            (2, "symmetric-duplicate"),
            (4, "clashing-givens"),
            (5, "exact-duplicate"),
        )
    ]


def test_rows_of_several_boards_are_cleaned_each_by_its_rules(tmp_path):
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    rows = [
        {"puzzle": "4..3.....2..03....5.....3...0..4..1.", "rules": "shape=6x6;digits=0-5"},
        {"puzzle": CLASSIC},
        {"puzzle": "5..4.....3..14....0.....4...1..5..2.", "rules": "digits=0-5;shape=6x6"},
        {"puzzle": "." * 81, "rules": ""},
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    counts = satdoku.clean_files(str(path), str(out), cleaning=satdoku.Cleaning(repair=True))
    assert counts["dropped"] == {"several-solutions": 1, "symmetric-duplicate": 1}
    found = [json.loads(line) for line in out.open()]
    assert [row["solution"] for row in found] == [
        str(satdoku.solve(row["puzzle"], row.get("rules", "classic"))) for row in rows[:2]
    ]
