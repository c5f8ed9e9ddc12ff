"""`satdoku split`: sizes that add up, exit codes, files that appear whole."""

from __future__ import annotations

import json
import os

import pytest
from examples import CLASSIC, PUZZLES

THOUSAND = PUZZLES / "generated-1000.txt"


@pytest.fixture(autouse=True)
def _here(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)


def test_sizes_and_strata_are_told(run):
    code, out, err = run(
        "split", THOUSAND, "-o", "train.txt", "test.txt.gz", "--stratify", "givens"
    )
    assert (code, out) == (0, "")
    lines = err.splitlines()
    assert lines[0] == "read 1,000 = 900 in train.txt + 100 in test.txt.gz"
    assert lines[1] == "  givens 21: 2 in train.txt, 0 in test.txt.gz"
    assert run("audit", "train.txt", "test.txt.gz", "-q")[0] == 0


def test_standard_input_more_parts_and_json(run, stdin):
    stdin(THOUSAND.read_text())
    code, out, err = run(
        "split", "-", "-o", "a", "b", "c", "--ratio", "8:1:1", "--seed", "3", "--by", "grid",
        "--exact", "--json",
    )  # fmt: skip
    assert (code, err) == (0, "")
    assert [part["rows"] for part in json.loads(out)["parts"]] == [800, 100, 100]


def test_rows_that_cannot_be_read_cost_no_other_and_give_exit_code_2(run, file):
    path = file(f"puzzle,n\n{CLASSIC},1\nbad,2\n{'.' * 81},3\n")
    code, out, err = run("split", path, "-o", "a.csv", "b.csv", "--ratio", "1:1", "--exact")
    assert (code, out) == (2, "")
    assert err.splitlines() == [
        "read 3 = 1 in a.csv + 1 in b.csv + 1 left out",
        "satdoku: 1 of them without exactly one solution; `clean` drops those",
        "satdoku: 1 left out: no puzzle that can be read; `audit` says which",
    ]


def test_many_strata_are_cut(run, file):
    lines = THOUSAND.read_text().split()[-30:]
    path = file("".join(f"{line},{number}\n" for number, line in enumerate(["puzzle", *lines])))
    code, _, err = run("split", path, "-o", "a", "b", "--stratify", "0")
    assert code == 0
    assert err.splitlines()[-1] == "  and 10 values more (--json prints all)"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "expected files to write: -o train.csv test.csv"),
        (["-o", "a", "b", "--ratio", "9-1"], "9-1: expected numbers such as 9:1"),
        (["-o", "a", "b", "--ratio", "1:2:3"], "ratio of 3 numbers for 2 outputs"),
        (["-o", "a", "-", "--json"], "--json needs an output file"),
        (["-o", "a", "puzzles.txt"], "would be input and output at once"),
        (["-o", "a", "b", "--stratify", "x"], "no column 'x' to stratify by"),
        (["-o", "a", "b.npy"], "b.npy: ending .npy: expected .txt"),
    ],
)
def test_bad_input_writes_nothing(run, file, options, said):
    path = file(f"{CLASSIC}\n")
    code, out, err = run("split", path, *options)
    assert (code, out) == (2, "") and said in err
    assert os.listdir() == ["puzzles.txt"]


def test_the_training_set_has_the_size_asked_for(run):
    code, _, err = run("split", THOUSAND, "-o", "a", "b", "--train-size", "123", "--seed", "2")
    assert (code, err) == (0, "read 1,000 = 123 in a + 877 in b\n")
    code, _, err = run("split", THOUSAND, "-o", "c", "d", "--train-size", "1000")
    assert code == 2 and "train size 1,000: expected 1 to 999, of 1,000 puzzles" in err
