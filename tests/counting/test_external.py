"""Model counters of others, and what is said if one is slow, not there, or dies."""

from __future__ import annotations

import importlib.util
import sys

import pytest
from examples import FOUR
from process_groups import processor_seconds

import satdoku
from satdoku.counting import count_exact, external
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import empty_grid

SIX = Board.of_size(6)


@pytest.mark.skipif(not importlib.util.find_spec("pyganak"), reason="extra `count`")
@pytest.mark.parametrize(("rules", "grids"), [("classic", 288), ("diagonal", 48)])
def test_ganak_agrees(rules, grids):
    constraints = constraints_for(rules, FOUR)
    assert external.count_by(empty_grid(FOUR), "ganak", constraints) == grids
    assert count_exact(None, constraints).grids == grids


@pytest.mark.skipif(not importlib.util.find_spec("pyapproxmc"), reason="extra `count`")
def test_approxmc_comes_near():
    constraints = constraints_for("classic", FOUR)
    assert 288 / 1.8 <= external.count_by(empty_grid(FOUR), "approxmc", constraints) <= 288 * 1.8


@pytest.mark.skipif(not importlib.util.find_spec("pyganak"), reason="extra `count`")
def test_a_counter_that_takes_too_long_is_ended():
    start = processor_seconds()
    constraints = constraints_for("classic", SIX)
    assert external.count_by(empty_grid(SIX), "ganak", constraints, timeout=2) is None
    assert processor_seconds() - start < 15


def test_a_counter_that_is_not_there(monkeypatch):
    constraints = constraints_for("classic", FOUR)
    with pytest.raises(external.CounterError, match="no counter 'abacus': choose from ganak"):
        external.count_by(empty_grid(FOUR), "abacus", constraints)
    monkeypatch.setitem(external.MODULES, "ganak", "no_such_module")
    with pytest.raises(external.CounterError, match=r"pip install 'satdoku\[count\]'"):
        external.count_by(empty_grid(FOUR), "ganak", constraints)


def test_a_counter_that_dies_says_how(monkeypatch, tmp_path):
    (tmp_path / "pyganak.py").write_text(
        "import os, signal\n"
        "class Counter:\n"
        "    def add_clauses(self, clauses): pass\n"
        "    def count(self): os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "pyganak", raising=False)
    with pytest.raises(external.CounterError, match="ganak: killed by SIGKILL"):
        external.count_by(empty_grid(FOUR), "ganak", constraints_for("classic", FOUR), timeout=60)


def test_a_counter_takes_whatever_names_a_puzzle(monkeypatch, tmp_path):
    """The number of its clauses, from a counter that does nothing else."""
    (tmp_path / "pyganak.py").write_text(
        "class Counter:\n"
        "    def add_clauses(self, clauses): self.clauses = clauses\n"
        "    def count(self): return len(self.clauses)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "pyganak", raising=False)
    empty = satdoku.count_by("." * 16, "ganak")
    assert satdoku.count_by("12" + "." * 14, "ganak") == empty + 2
    assert satdoku.count_by([[1, 2, 0, 0], *[[0] * 4] * 3], "ganak", "classic") == empty + 2
    assert satdoku.count_by("." * 16, "ganak", "diagonal") > empty
