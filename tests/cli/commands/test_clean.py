"""`satdoku clean`: counts that add up, exit codes, files that appear whole."""

from __future__ import annotations

import json
import os

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, PUZZLES

OTHER = (PUZZLES / "generated-1000.txt").read_text().split("\n")[5]
WRONG = f"{CLASSIC_SOLUTION[1::-1]}{CLASSIC_SOLUTION[2:]}"
TABLE = (
    "quizzes,solutions,note\n"
    f"{CLASSIC},{WRONG},a\n{OTHER},,b\nbad,,c\n{CLASSIC[27:]}{CLASSIC[:27]},,d\n"
)


def test_sound_rows_on_standard_output_and_counts_on_standard_error(run, file):
    code, out, err = run("clean", file(TABLE), "-w", "1")
    assert code == 0
    assert out == f"quizzes,solutions,note\n{OTHER},,b\n{CLASSIC[27:]}{CLASSIC[:27]},,d\n"
    assert err == "read 4 = kept 2 + dropped 2: malformed-row 1, wrong-answer 1\n"
    assert run("clean", file(TABLE), "-q")[1:] == (out, "")


def test_everything_that_can_be_asked_for(run, file, tmp_path):
    out, gone = tmp_path / "out.jsonl.gz", tmp_path / "gone.csv"
    train = file(f"{OTHER}\n", "train.txt")
    code, _, err = run(
        "clean", file(TABLE), "-o", out, "--dropped", gone, "--repair", "answers",
        "--against", train, "--allow", "symmetric-duplicate",
    )  # fmt: skip
    assert code == 0
    assert err == ("read 4 = kept 2 (2 answers repaired) + dropped 2: malformed-row 1, leak 1\n")
    code, kept, _ = run("clean", out, "-f", "jsonl", "--no-symmetry")
    assert json.loads(kept.splitlines()[0])["solutions"] == CLASSIC_SOLUTION
    told = gone.read_text().splitlines()
    assert told[0] == "quizzes,solutions,note,file,line,reason,detail"
    assert told[1].endswith(f",leak,{train}: line 1") and ",malformed-row," in told[2]


def test_counts_as_json(run, file, tmp_path):
    path = file(TABLE)
    code, out, err = run("clean", path, "-o", tmp_path / "o.csv", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["dropped"] == {"malformed-row": 1, "wrong-answer": 1}
    code, out, err = run("clean", path, "--json")
    assert (code, out) == (2, "") and "--json needs an output file" in err


def test_exit_code_1_if_no_row_is_sound(run, file, tmp_path):
    code, out, err = run("clean", file(f"puzzle\n{'.' * 81}\n"))
    assert (code, out) == (1, "puzzle\n")
    assert err == "read 1 = kept 0 + dropped 1: several-solutions 1\n"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--allow", "leek"], "no finding 'leek'"),
        (["-o", "out.npz"], "out.npz: ending .npz: expected .txt"),
        (["--against", "nowhere.txt"], "nowhere.txt: No such file"),
        (["--dropped", "puzzles.txt"], "would be input and output at once"),
        (["-o", "x.csv", "--dropped", "x.csv"], "would be another output and output at once"),
        (["-f", "parquet"], "parquet cannot be written to standard output"),
    ],
)
def test_bad_input_writes_nothing(run, file, monkeypatch, tmp_path, options, said):
    monkeypatch.chdir(tmp_path)
    file(TABLE)
    code, out, err = run("clean", "puzzles.txt", *options)
    assert (code, out) == (2, "") and said in err
    assert os.listdir() == ["puzzles.txt"]


def test_columns_of_later_files_that_are_left_out_are_told(run, file, tmp_path):
    later = file(f"x,puzzle\n1,{OTHER}\n", "b.csv")
    code, _, err = run("clean", file(f"{CLASSIC}\n"), later, "-o", tmp_path / "o.csv")
    assert code == 0
    assert "satdoku: the first rows have no x: left out; jsonl takes them all" in err


def test_rows_without_a_canonical_form_are_told(run, file, tmp_path):
    marks = "".join(map(str, range(1, 10))) * 81
    code, _, err = run("clean", file(f"{marks}\n"), "--allow", "several-solutions")
    assert code == 0
    assert "some rows have no canonical form: only equal puzzles count as equal" in err
