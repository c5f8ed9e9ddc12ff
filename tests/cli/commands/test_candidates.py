"""The command `candidates`: each cell's digits over all solutions."""

import json

import pytest
from command_cases import NONE


def test_candidates_are_a_row_a_line(run):
    lines = ["1    2    34   34", "34   34   12   12", "234  134  1234 1234", "234  134  1234 1234"]
    assert run("candidates", "12" + "." * 14) == (0, "\n".join(lines) + "\n", "")
    assert run("candidates", NONE)[0] == 1


def test_counts_of_solutions(run):
    code, out, err = run("candidates", "12" + "." * 14, "--count", "20")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "r1c1: 1:20+" and lines[8] == "r3c1: 2:12 3:6 4:6" and len(lines) == 16
    record = json.loads(run("candidates", "12" + "." * 14, "--count", "20", "--json")[1])
    assert record["counts"][8] == {"2": 12, "3": 6, "4": 6} and record["limit"] == 20
    assert record["candidates"][8] == [2, 3, 4]
    code, out, _ = run("candidates", NONE, "--count", "5")
    assert code == 1 and {line.partition(": ")[2] for line in out.splitlines()} == {"-"}


@pytest.mark.parametrize("number", ["0", "x"])
def test_the_limit_of_counts_is_a_number(run, number):
    assert run("candidates", "." * 16, "--count", number)[0] == 2


def test_pencil_marks_restrict_the_counts(run):
    marks = [[1], *[[1, 2, 3, 4]] * 15]
    puzzle = {"format": "satdoku-puzzle", "version": 1, "puzzle": "." * 16, "candidates": marks}
    code, out, _ = run("candidates", json.dumps(puzzle), "--count", "100")
    assert code == 0 and out.splitlines()[0] == "r1c1: 1:72"


def test_candidates_are_digits_in_the_places_of_their_cells(run):
    rules = "shape=2x2,latin,digits=0-2;holes:r1c1"
    code, out, _ = run("candidates", "0..", "--rules", rules)
    assert (code, out) == (0, "    0\n012 12\n")
    code, out, _ = run("candidates", "0..", "--rules", rules, "--count", "9", "--json")
    assert json.loads(out)["counts"] == [{"0": 4}, {"0": 2, "1": 1, "2": 1}, {"1": 2, "2": 2}]
