"""`satdoku augment`: counts, the way back, errors that write nothing."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from examples import CLASSIC, PUZZLES

import satdoku

THOUSAND = PUZZLES / "generated-1000.txt"


@pytest.fixture(autouse=True)
def _here(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)


def test_forms_are_written_and_undone(run):
    code, out, err = run("augment", THOUSAND, "-n", "3", "--seed", "1", "-o", "forms.csv")
    assert (code, out, err) == (0, "", "read 1,000, wrote 3,000\n")
    assert run("augment", "forms.csv", "--undo", "-o", "back.csv")[0] == 0
    lines = [line for line in THOUSAND.read_text().split("\n") if len(line) == 81]
    with open("back.csv") as file:
        found = [row.split(",")[0] for row in file][1:]
    assert found == [line for line in lines for _ in range(3)]


def test_a_pipe_is_read(run, monkeypatch):
    receiver, sender = os.pipe()
    os.write(sender, f"{CLASSIC}\n".encode())
    os.close(sender)
    with open(receiver, encoding="utf-8") as pipe:
        monkeypatch.setattr("sys.stdin", pipe)
        code, out, _ = run("augment", "-", "--keep")
    assert code == 0 and out.split("\n")[1].startswith(CLASSIC)


def test_bad_rows_are_left_out_and_few_forms_told(run, file):
    path = file(f"puzzle,n\n{'.' * 81},1\nbad,2\n{CLASSIC},3\n")
    code, out, err = run("augment", path, "-n", "2", "-o", "a.csv", "--json")
    assert code == 2 and json.loads(out)["written"] == 3
    assert "1 puzzle has fewer than 2 different forms" in err and "1 left out" in err


def test_rows_have_the_symmetries_of_their_own_rules(run, file):
    path = file(f"puzzle,rules\n{CLASSIC},classic\n{CLASSIC},no such rule\n{CLASSIC},diagonal\n")
    code, out, err = run("augment", path, "-n", "3", "-o", "a.csv", "--json")
    assert code == 2 and json.loads(out)["written"] == 6 and "1 left out" in err
    head, *rows = Path("a.csv").read_text().splitlines()
    assert head == "puzzle,rules,source,transform"
    made = [row.split(",") for row in rows]
    assert [row[2] for row in made] == ["1"] * 3 + ["3"] * 3
    for puzzle, rules, _, _ in made:
        assert (satdoku.canonical([puzzle], rules) == satdoku.canonical([CLASSIC], rules)).all()
    assert run("augment", "a.csv", "--undo", "-o", "b.csv", "-q")[0] == 0
    assert Path("b.csv").read_text().count(CLASSIC) == 6


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        (f"{CLASSIC}\n", ["-n", "0"], "0 forms: expected 1 to 1,048,576"),
        (f"{CLASSIC}\n", ["--undo"], "no column 'transform'"),
        (f"puzzle,transform\n{CLASSIC},x\n", [], "has a column 'transform' already"),
        (f"puzzle,transform\n{CLASSIC},x\n", ["--undo"], "line 2: transform 'x': expected R or T"),
    ],
)
def test_bad_input_writes_nothing(run, file, text, options, said):
    code, out, err = run("augment", file(text), "-o", "a.csv", *options)
    assert (code, out) == (2, "") and said in err
    assert os.listdir() == ["puzzles.txt"]
