"""The command `count`: by listing, by search, to a limit or within a time."""

from __future__ import annotations

import importlib.util
import json

import pytest
from command_cases import EMPTY, NONE
from examples import CLASSIC
from process_groups import processor_seconds

from satdoku import counting
from satdoku.answers.session import Session


@pytest.mark.parametrize(
    ("arguments", "printed", "code"),
    [
        (["." * 16], "288", 0),
        (["." * 16, "--limit", "100"], ">=100", 0),
        (["." * 16, "--limit", "1000"], "288", 0),
        ([NONE], "0", 1),
        ([CLASSIC], "1", 0),
        (["--rules", "miracle", EMPTY], "72", 0),
    ],
)
def test_count(run, arguments, printed, code):
    assert run("count", *arguments) == (code, f"{printed}\n", "")


@pytest.mark.parametrize(
    ("arguments", "grids"),
    [
        (["--exact", "--size", "6"], 28_200_960),
        (["--size", "4", "--rules", "diagonal"], 48),
        (["--rules", "knight,king"], 1_451_520),
        (["--exact", CLASSIC], 1),
        (["--exact", "." * 16, "--workers", "1"], 288),
        (["1" + "." * 35], 4_700_160),  # too many to list: a sixth of all
        (["--size", "2"], 2),  # Latin squares: OEIS A002860
        (["--size", "3"], 12),
        (["--size", "4", "--rules", "latin"], 576),
        (["--size", "5"], 161_280),
        (["--rules", "latin=6"], 812_851_200),
        pytest.param(["--size", "7"], 61_479_419_904_000, marks=pytest.mark.slow),
    ],
)
def test_count_exactly(lines_of, arguments, grids):
    assert lines_of("count", *arguments) == (0, [str(grids)], "")


def test_what_is_listed_and_what_is_not_agree(lines_of, monkeypatch):
    listed = lines_of("count", "12" + "." * 14)
    monkeypatch.setattr(counting, "LISTED", 1)
    assert lines_of("count", "12" + "." * 14) == listed == (0, ["24"], "")
    assert lines_of("count", "--limit", "24", "12" + "." * 14) == (0, [">=24"], "")


def test_no_grid_is_exit_1(lines_of):
    assert lines_of("count", "--exact", "--size", "4", "--rules", "knight,king") == (1, ["0"], "")
    code, lines, _ = lines_of("count", "--exact", "11" + "." * 14)
    assert (code, lines) == (1, ["0"])


def test_a_lower_bound_says_so(lines_of):
    code, lines, err = lines_of("count", "--rules", "windoku", "--timeout", "0.3")
    assert code == 1 and lines[0].startswith(">=")
    assert err.startswith("satdoku: timed out after 0.3 s")


def test_a_lower_bound_has_an_estimate_beside_it(lines_of, monkeypatch):
    monkeypatch.setattr("satdoku.counting.estimates.FIRST", 60)
    monkeypatch.setattr(counting, "LISTED", 1)
    monkeypatch.setattr(counting, "SOON", 0.0)
    monkeypatch.setattr(counting, "TURN", 0.01)
    for what in (["--rules", "diagonal"], ["1" + "." * 80, "--rules", "diagonal"]):
        code, (line,), err = lines_of("count", *what, "--timeout", "1.5", "--json")
        data, words = json.loads(line), err.split()
        low, high = data["interval"]
        assert code == 1 and data["kind"] == "at least"
        assert data["count"] <= low < data["estimate"] < high
        assert 55_613_393_399_531_520 / 9 / 4 < data["estimate"] < 4 * 55_613_393_399_531_520
        assert err.startswith("satdoku: timed out after 1.5 s; an estimate is ")
        assert float(words[9].rstrip(",")) == pytest.approx(data["estimate"], rel=0.01)


def test_too_little_time_for_an_estimate(lines_of, monkeypatch):
    monkeypatch.setattr("satdoku.counting.cubes.estimate", lambda *_: None)
    code, (line,), err = lines_of("count", "--rules", "diagonal", "--timeout", "0.1", "--json")
    assert code == 1 and "estimate" not in json.loads(line)
    assert err == "satdoku: timed out after 0.1 s, too soon for an estimate\n"


def test_options_of_count_that_do_not_go_together(lines_of):
    assert lines_of("count", "--exact", "--limit", "3", "." * 16)[0] == 2
    assert lines_of("count", "--limit", "3")[0] == 2


@pytest.mark.skipif(not importlib.util.find_spec("pyganak"), reason="extra `count`")
def test_count_by_ganak(lines_of):
    assert lines_of("count", "--counter", "ganak", "." * 16) == (0, ["288"], "")


def test_a_timeout_ends_listing(lines_of):
    """These have billions of solutions, found one by one."""
    one_by_one = ["--limit", "1000000", "--backend", "session"]
    code, (line,), err = lines_of("count", "." * 81, *one_by_one, "--timeout", "0.5")
    assert code == 1 and 0 < int(line.removeprefix(">=")) < 1_000_000
    assert err == "satdoku: timed out after 0.5 s\n"


def test_listing_and_counting_take_turns(lines_of, monkeypatch):
    """By listing alone it takes minutes to find out that these are all."""
    monkeypatch.setattr(counting, "TURN", 0.1)
    start = processor_seconds()
    assert lines_of("count", "." * 81, "--rules", "king,nonconsecutive") == (0, ["1152"], "")
    assert processor_seconds() - start < 60


def test_the_engine_lists_unless_cdcl_is_asked_for(lines_of, monkeypatch):
    """One solution after the other, the many of the first puzzle would take minutes."""
    wide, few = "1" + "." * 80, "12" + "." * 14
    assert lines_of("count", wide, "--limit", "200000") == (0, [">=200000"], "")
    asked = []
    one_by_one = Session.solutions

    def solutions(self, *arguments, **options):
        asked.append(options)
        return one_by_one(self, *arguments, **options)

    monkeypatch.setattr(Session, "solutions", solutions)
    assert lines_of("count", few) == (0, ["24"], "") and not asked
    for option in (["--backend", "session"], ["--solver", "glucose4"]):
        assert lines_of("count", few, *option) == (0, ["24"], "")
        assert asked.pop() and not asked


def test_an_approximate_count_is_an_answer(lines_of, monkeypatch):
    monkeypatch.setattr("satdoku.counting.external.count_by", lambda *_, **__: 272)
    for what in (["--size", "4"], ["." * 16]):
        assert lines_of("count", *what, "--counter", "approxmc") == (0, ["~272"], "")
    monkeypatch.setattr("satdoku.counting.external.count_by", lambda *_, **__: None)
    for what in (["--size", "4"], ["." * 16]):
        code, lines, err = lines_of("count", *what, "--counter", "ganak", "--timeout", "1")
        assert (code, lines, err) == (1, [">=0"], "satdoku: no answer from ganak after 1 s\n")
