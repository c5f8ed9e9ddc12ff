"""The commands count, fewest and orbits: what they print, and their exit codes."""

from __future__ import annotations

import importlib.util
import json
import time
from itertools import pairwise

import pytest
from examples import CLASSIC, CLASSIC_SOLUTION

from satdoku.cli.commands import count as counting

FOURS = ["1234341221434321", "1234341223414123"]


@pytest.fixture
def run(run):
    """Run a command in this process: (exit code, stdout lines, stderr)."""

    def call(*arguments):
        code, out, err = run(*arguments)
        return code, out.splitlines(), err

    return call


# count


@pytest.mark.parametrize(
    ("arguments", "grids"),
    [
        (["--exact", "--size", "6"], 28_200_960),
        (["--size", "4", "--rules", "diagonal"], 48),
        (["--rules", "knight,king"], 1_451_520),
        (["--exact", CLASSIC], 1),
        (["--exact", "." * 16, "--workers", "1"], 288),
        (["1" + "." * 35], 4_700_160),  # too many to list: a sixth of all
    ],
)
def test_count_exactly(run, arguments, grids):
    assert run("count", *arguments) == (0, [str(grids)], "")


def test_what_is_listed_and_what_is_not_agree(run, monkeypatch):
    listed = run("count", "12" + "." * 14)
    monkeypatch.setattr(counting, "LISTED", 1)
    assert run("count", "12" + "." * 14) == listed == (0, ["24"], "")
    assert run("count", "--limit", "24", "12" + "." * 14) == (0, [">=24"], "")


def test_no_grid_is_exit_1(run):
    assert run("count", "--exact", "--size", "4", "--rules", "knight,king") == (1, ["0"], "")
    code, lines, _ = run("count", "--exact", "11" + "." * 14)
    assert (code, lines) == (1, ["0"])


def test_a_lower_bound_says_so(run):
    code, lines, err = run("count", "--rules", "windoku", "--timeout", "1")
    assert code == 1 and lines[0].startswith(">=")
    assert err.startswith("satdoku: timed out after 1 s")


def test_options_of_count_that_do_not_go_together(run):
    assert run("count", "--exact", "--limit", "3", "." * 16)[0] == 2
    assert run("count", "--limit", "3")[0] == 2


@pytest.mark.skipif(not importlib.util.find_spec("pyganak"), reason="extra `count`")
def test_count_by_ganak(run):
    assert run("count", "--counter", "ganak", "." * 16) == (0, ["288"], "")


# fewest


def test_fewest_of_all_miracle_grids(run):
    code, lines, err = run("fewest", "--rules", "miracle")
    assert (code, err) == (0, "")
    assert lines[0] == "72 grids"
    assert [tuple(map(int, line.split())) for line in lines[2:]] == [
        (1, 8, 729), (2, 1, 87408), (2, 2, 61128), (2, 4, 5904)
    ]  # fmt: skip


def test_fewest_with_so_many_givens(run):
    code, lines, _ = run("fewest", "--rules", "miracle", "--givens", "1", "--json")
    assert code == 1  # none has one solution
    assert json.loads(lines[0]) == {
        "rules": "knight,king,nonconsecutive", "grids": 72, "puzzles": {"1": {"8": 729}}
    }  # fmt: skip


def test_fewest_of_some_grids(run):
    code, lines, err = run("fewest", *FOURS, "-w", "2")
    assert (code, err) == (0, "")
    for grid, line in zip(FOURS, lines, strict=True):
        number, puzzle = line.split()
        assert number == "4" and len(puzzle.replace(".", "")) == 4
        assert all(p in (".", d) for p, d in zip(puzzle, grid, strict=True))


def test_fewest_tells_how_its_bounds_improve(run):
    code, (line,), err = run("fewest", CLASSIC_SOLUTION, "--timeout", "2")
    low, high = map(int, line.split()[0].split(".."))
    assert code == 1 and low < high
    said = [tuple(map(int, text.split()[1].split(".."))) for text in err.splitlines()]
    assert all(a[0] <= b[0] and a[1] >= b[1] and a != b for a, b in pairwise(said))
    assert said[-1] == (low, high)


def test_fewest_as_json(run):
    code, (line,), err = run("fewest", FOURS[0], "--json", "-q")
    found = json.loads(line)
    assert (code, err, found["low"], found["high"], found["proven"]) == (0, "", 4, 4, True)
    assert all(found["unavoidable_sets"])


def test_fewest_of_what_has_many_solutions(run):
    code, lines, err = run("fewest", "." * 16, FOURS[0], "11" + "." * 14, "-w", "1")
    assert (code, [line.split()[0] for line in lines], err) == (1, ["multiple", "4", "invalid"], "")
    code, lines, _ = run("fewest", "." * 16, "--json", "-q")
    assert (code, json.loads(lines[0])) == (
        1,
        {"puzzle": "." * 16, "rules": "classic", "status": "multiple"},
    )
    assert run("fewest", "1234", "." * 16, "-q")[0] == 2  # bad input outweighs "no"
    assert run("fewest")[0] == 2  # more classic grids than can be listed


# orbits


@pytest.mark.parametrize(
    ("options", "group", "sizes"),
    [
        ([], "group of order 16: 8 cell permutations (the square's)", [8, 16, 16, 16, 16]),
        (["--cells-only"], "group of order 8: ", [8] * 9),
    ],
)
def test_orbits_of_the_miracle_grids(run, options, group, sizes):
    code, lines, err = run("orbits", "--rules", "miracle", *options)
    assert (code, err) == (0, "")
    assert lines[0].startswith(group)
    assert lines[1] == f"grids: 72, orbits: {len(sizes)}"
    rows = [line.split() for line in lines[3:]]
    assert sorted(int(size) for size, _, _ in rows) == sizes
    order = 8 if options else 16
    assert all(int(size) * int(fixing) == order for size, fixing, _ in rows)


def test_canonical_forms(run):
    turned = CLASSIC_SOLUTION[::-1].translate(str.maketrans("123456789", "987654321"))
    code, lines, _ = run("orbits", "--canonical", CLASSIC_SOLUTION, turned)
    assert code == 0 and lines[0] == lines[1]
    assert run("orbits", "--canonical", lines[0])[1] == lines[:1]


def test_orbits_of_too_many_grids_still_tell_the_group(run):
    code, lines, err = run("orbits")
    assert code == 1 and lines[0].startswith("group of order 1,218,998,108,160: ")
    assert "more than 2000 grids" in err


def test_orbits_of_grids_that_take_too_long_still_tell_the_group(run):
    code, lines, err = run("orbits", "--rules", "king,nonconsecutive", "--timeout", "0.5")
    assert code == 1
    assert lines == [
        "group of order 16: 8 cell permutations (the square's) x 2 digit permutations "
        "(reversal d -> 10-d)"
    ]
    assert err == "satdoku: no answer within the time limit\n"


def test_orbits_of_boards_of_two_sizes(run):
    code, lines, _ = run("orbits", *FOURS, CLASSIC)
    assert code == 0
    assert [line for line in lines if line.startswith("grids")] == [
        "grids: 2, orbits: 2", "grids: 1, orbits: 1"
    ]  # fmt: skip


# Time limits: nobody knows whether there is such a grid.

UNDECIDED = ("--rules", "antiqueen,miracle", "--size", "16")


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["count", "." * 256, "--timeout", "0.5", *UNDECIDED], (1, [">=0"])),
        (["count", "." * 256, "--timeout", "0.5", "--limit", "9", *UNDECIDED], (1, [">=0"])),
        (["fewest", "--timeout", "0.5", *UNDECIDED], (2, [])),
        (["fewest", "." * 256, "--timeout", "0.5", "-q", *UNDECIDED], (1, ["unknown"])),
        (["rate", "." * 256, "--limit", "0.5", *UNDECIDED], (1, ["unknown"])),
    ],
)
def test_time_limits_hold_where_nothing_is_found(run, arguments, answer):
    start = time.monotonic()
    assert run(*arguments)[:2] == answer
    assert time.monotonic() - start < 20


def test_a_timeout_ends_listing(run):
    """These have billions of solutions, found one by one."""
    code, (line,), err = run("count", "." * 81, "--limit", "1000000", "--timeout", "0.5")
    assert code == 1 and 0 < int(line.removeprefix(">=")) < 1_000_000
    assert err == "satdoku: timed out after 0.5 s\n"


def test_listing_and_counting_take_turns(run, monkeypatch):
    """By listing alone it takes minutes to find out that these are all."""
    monkeypatch.setattr(counting, "TURN", 0.5)
    start = time.monotonic()
    assert run("count", "." * 81, "--rules", "king,nonconsecutive") == (0, ["1152"], "")
    assert time.monotonic() - start < 60


def test_an_approximate_count_is_an_answer(run, monkeypatch):
    monkeypatch.setattr("satdoku.counting.external.count_by", lambda *_, **__: 272)
    for what in (["--size", "4"], ["." * 16]):
        assert run("count", *what, "--counter", "approxmc") == (0, ["~272"], "")
    monkeypatch.setattr("satdoku.counting.external.count_by", lambda *_, **__: None)
    for what in (["--size", "4"], ["." * 16]):
        code, lines, err = run("count", *what, "--counter", "ganak", "--timeout", "1")
        assert (code, lines, err) == (1, [">=0"], "satdoku: no answer from ganak after 1 s\n")
