"""The command `batch` as it is used most: lines on standard output."""

import gzip
import json
import os

import pytest
from command_cases import CLASH, EMPTY, LETTER, NONE
from examples import CLASSIC, CLASSIC_SOLUTION


@pytest.fixture
def collection(file):
    return file(f"# mixed\n{CLASSIC}\n{EMPTY}\n{NONE}\n{CLASH}\n{LETTER}\n{CLASSIC} 7\n")


def test_batch_answers_every_puzzle_in_order_and_exits_2_for_a_bad_one(run, collection):
    code, out, err = run("batch", collection)
    statuses = [line.split()[0] for line in out.splitlines()]
    assert code == 2
    assert statuses == ["unique", "multiple", "none", "invalid", "invalid", "unique"]
    assert out.splitlines()[0] == out.splitlines()[5] == f"unique {CLASSIC_SOLUTION}"
    assert f"satdoku: {collection}: line 6, column 41: found 'x'" in err
    assert "6 puzzles: 1 none, 2 unique, 1 multiple, 2 invalid\n" in err


def test_batch_without_bad_lines_exits_0_and_may_be_quiet(run, file):
    name = file(f"{CLASSIC}\n{NONE}\n")
    assert run("batch", "-q", name) == (0, f"unique {CLASSIC_SOLUTION}\nnone\n", "")
    assert run("batch", "-q", "--limit", 1, name)[1] == f"solved {CLASSIC_SOLUTION}\nnone\n"


def test_batch_reads_standard_input_and_writes_a_file(run, stdin, tmp_path):
    stdin(f"{CLASSIC}\n" * 3)
    out = tmp_path / "out.gz"
    assert run("batch", "-q", "-", "-o", out) == (0, "", "")
    assert gzip.decompress(out.read_bytes()).decode() == f"unique {CLASSIC_SOLUTION}\n" * 3
    assert os.listdir(tmp_path) == ["out.gz"]


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_batch_formats_keep_line_numbers_and_reasons(run, collection, form):
    _, out, _ = run("batch", "-q", "-f", form, collection)
    lines = out.splitlines()[1:] if form == "csv" else out.splitlines()
    rows = [json.loads(x) for x in lines] if form == "jsonl" else [x.split(",", 4) for x in lines]
    numbers = [int(row["line"] if form == "jsonl" else row[0]) for row in rows]
    assert numbers == [2, 3, 4, 5, 6, 7]
    assert "line 6, column 41: found 'x'" in (rows[4]["reason"] if form == "jsonl" else rows[4][4])


def test_batch_solves_other_boards_and_rules(run, file):
    name = file("12..............\n3...............\n")
    assert run("batch", "-q", name)[1].split()[::2] == ["multiple", "multiple"]
    miracle = file("." * 38 + "1" + "." * 12 + "2" + "." * 29 + "\n", "miracle.txt")
    code, out, _ = run("batch", "-q", "--rules", "miracle", miracle)
    assert (code, out.split()[0]) == (0, "unique")


def test_batch_refuses_a_folder_before_it_works(run, collection, tmp_path):
    code, out, err = run("batch", collection, "-o", tmp_path)
    assert (code, out) == (2, "")
    assert "is a directory, expected a file" in err
