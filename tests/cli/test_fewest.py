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
