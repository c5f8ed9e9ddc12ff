"""The command `orbits`: groups, classes and canonical forms."""

from __future__ import annotations

import json

import pytest
from command_cases import FOURS
from examples import CLASSIC, CLASSIC_SOLUTION

from satdoku.counting import burnside

SUDOKUS = 6_670_903_752_021_072_936_960


@pytest.mark.parametrize(
    ("options", "group", "sizes"),
    [
        ([], "group of order 16: 8 cell permutations (the square's)", [8, 16, 16, 16, 16]),
        (["--cells-only"], "group of order 8: ", [8] * 9),
    ],
)
def test_orbits_of_the_miracle_grids(lines_of, options, group, sizes):
    code, lines, err = lines_of("orbits", "--rules", "miracle", *options)
    assert (code, err) == (0, "")
    assert lines[0].startswith(group)
    assert lines[1] == f"grids: 72, orbits: {len(sizes)}"
    rows = [line.split() for line in lines[3:]]
    assert sorted(int(size) for size, _, _ in rows) == sizes
    order = 8 if options else 16
    assert all(int(size) * int(fixing) == order for size, fixing, _ in rows)


def test_canonical_forms(lines_of):
    turned = CLASSIC_SOLUTION[::-1].translate(str.maketrans("123456789", "987654321"))
    code, lines, _ = lines_of("orbits", "--canonical", CLASSIC_SOLUTION, turned)
    assert code == 0 and lines[0] == lines[1]
    assert lines_of("orbits", "--canonical", lines[0])[1] == lines[:1]


def test_orbits_of_many_grids_are_counted(lines_of):
    code, lines, err = lines_of("orbits", "--size", "6")
    assert (code, err) == (0, "")
    assert lines[0].startswith("group of order 2,488,320: ")
    assert lines[1:] == ["grids: 28200960, orbits: 49"]


def test_what_json_says_of_orbits(lines_of, monkeypatch):
    code, (line,), _ = lines_of("orbits", "--size", "4", "--json")
    listed = json.loads(line)
    monkeypatch.setattr("satdoku.counting.few_grids.FEW", 3)
    monkeypatch.setattr("satdoku.counting.few_grids.all_grids.__defaults__", (3,))
    code, (line,), _ = lines_of("orbits", "--size", "4", "--json", "-w", "1")
    counted = json.loads(line)
    assert listed.pop("orbits")
    assert code == 0 and counted == listed
    assert (counted["orbit_count"], counted["kind"], counted["grids"]) == (2, "exact", 288)


def test_time_for_some_of_the_symmetries_gives_a_lower_bound(lines_of, monkeypatch):
    """Without any but the identity: grids by the order of the group."""
    monkeypatch.setattr(
        burnside, "_fixed", lambda _, lines, *__: SUDOKUS if lines[-1] == 17 else None
    )
    code, lines, err = lines_of("orbits", "--timeout", "60")
    assert code == 1
    assert lines[1] == f"grids: {SUDOKUS}, orbits: >=5472447995"
    assert err.startswith("satdoku: timed out after 60 s: ")


def test_canonical_forms_of_all_grids_need_a_list(lines_of):
    code, lines, err = lines_of("orbits", "--canonical")
    assert code == 1 and lines[0].startswith("group of order 1,218,998,108,160: ")
    assert "more than 2000 grids" in err


def test_orbits_of_grids_that_take_too_long_still_tell_the_group(lines_of):
    code, lines, err = lines_of("orbits", "--rules", "king,nonconsecutive", "--timeout", "0.5")
    assert code == 1
    assert lines == [
        "group of order 16: 8 cell permutations (the square's) x 2 digit permutations "
        "(reversal d -> 10-d)"
    ]
    assert err == "satdoku: timed out after 0.5 s (--timeout changes it)\n"


def test_orbits_of_boards_of_two_sizes(lines_of):
    code, lines, _ = lines_of("orbits", *FOURS, CLASSIC)
    assert code == 0
    assert [line for line in lines if line.startswith("grids")] == [
        "grids: 2, orbits: 2", "grids: 1, orbits: 1"
    ]  # fmt: skip
