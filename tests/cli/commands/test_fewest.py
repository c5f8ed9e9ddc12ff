"""The command `fewest`: bounds and proofs."""

from __future__ import annotations

import json
from itertools import pairwise

from command_cases import FOURS
from examples import CLASSIC_SOLUTION


def test_fewest_of_all_miracle_grids(lines_of):
    code, lines, err = lines_of("fewest", "--rules", "miracle")
    assert (code, err) == (0, "")
    assert lines[0] == "72 grids"
    assert [tuple(map(int, line.split())) for line in lines[2:]] == [
        (1, 8, 729), (2, 1, 87408), (2, 2, 61128), (2, 4, 5904)
    ]  # fmt: skip


def test_fewest_with_so_many_givens(lines_of):
    code, lines, _ = lines_of("fewest", "--rules", "miracle", "--givens", "1", "--json")
    assert code == 1  # none has one solution
    assert json.loads(lines[0]) == {
        "rules": "knight,king,nonconsecutive", "grids": 72, "puzzles": {"1": {"8": 729}}
    }  # fmt: skip


def test_fewest_of_some_grids(lines_of):
    code, lines, err = lines_of("fewest", *FOURS, "-w", "2")
    assert (code, err) == (0, "")
    for grid, line in zip(FOURS, lines, strict=True):
        number, puzzle = line.split()
        assert number == "4" and len(puzzle.replace(".", "")) == 4
        assert all(p in (".", d) for p, d in zip(puzzle, grid, strict=True))


def test_fewest_tells_how_its_bounds_improve(lines_of):
    code, (line,), err = lines_of("fewest", CLASSIC_SOLUTION, "--timeout", "2")
    low, high = map(int, line.split()[0].split(".."))
    assert code == 1 and low < high
    said = [tuple(map(int, text.split()[1].split(".."))) for text in err.splitlines()]
    assert all(a[0] <= b[0] and a[1] >= b[1] and a != b for a, b in pairwise(said))
    assert said[-1] == (low, high)


def test_fewest_as_json(lines_of):
    code, (line,), err = lines_of("fewest", FOURS[0], "--json", "-q")
    found = json.loads(line)
    assert (code, err, found["low"], found["high"], found["proven"]) == (0, "", 4, 4, True)
    assert all(found["unavoidable_sets"])


def test_fewest_of_what_has_many_solutions(lines_of):
    code, lines, err = lines_of("fewest", "." * 16, FOURS[0], "11" + "." * 14, "-w", "1")
    assert (code, [line.split()[0] for line in lines], err) == (1, ["multiple", "4", "invalid"], "")
    code, lines, _ = lines_of("fewest", "." * 16, "--json", "-q")
    assert (code, json.loads(lines[0])) == (
        1,
        {"puzzle": "." * 16, "rules": "classic", "status": "multiple"},
    )
    assert lines_of("fewest", "1234", "." * 16, "-q")[0] == 2  # bad input outweighs "no"
    assert lines_of("fewest")[0] == 2  # more classic grids than can be listed


def test_every_puzzle_with_so_many_givens_and_its_certificate(lines_of, tmp_path):
    out = str(tmp_path / "c.jsonl.gz")
    code, lines, err = lines_of("fewest", FOURS[0], "--all", "4", "--certificate", out)
    assert (code, err) == (0, "")
    assert lines[0] == f"{len(lines) - 1} puzzles with 4 givens" and len(lines) > 2
    for puzzle in lines[1:]:
        assert all(p in (".", d) for p, d in zip(puzzle, FOURS[0], strict=True))
    assert lines_of("check", *lines[1:4])[1] == ["unique"] * 3
    code, (line,), _ = lines_of("verify", out)
    assert code == 0 and f"no puzzle with 4 givens but {len(lines) - 1} {FOURS[0]}" in line
    code, (line,), _ = lines_of("fewest", FOURS[0], "--all", "3", "--json")
    found = json.loads(line)
    assert (code, found["puzzles"], found["complete"], found["givens"]) == (0, [], True, 3)


def test_time_that_runs_out_leaves_a_part_of_the_list(lines_of):
    code, lines, _ = lines_of("fewest", CLASSIC_SOLUTION, "--all", "20", "--timeout", "0.2")
    assert code == 1 and " so far, " in lines[0]


def test_a_list_of_puzzles_can_be_resumed(lines_of, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    journal = str(tmp_path / "journal")
    first = lines_of("fewest", FOURS[0], "--all", "4", "--resume", journal)
    assert first == lines_of("fewest", FOURS[0], "--all", "4", "--resume", journal)
    code, _, err = lines_of("fewest", FOURS[0], "--all", "5", "--resume", journal)
    assert code == 2 and "not a journal of the same task" in err


def test_what_does_not_go_together_is_refused(lines_of):
    for arguments in (
        (FOURS[0], "--resume", "x"), (FOURS[0], "--certificate", "x"),
        (FOURS[0], "--all", "4", "--givens", "4"), (FOURS[0][:-1] + ".", "--all", "4"),
        (*FOURS, "--all", "4", "--resume", "x"),
    ):  # fmt: skip
        assert lines_of("fewest", *arguments, "-q")[0] == 2
