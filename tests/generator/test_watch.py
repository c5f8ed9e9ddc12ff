from math import inf

import pytest

from satdoku.generator.watch import begin, deadline, watched
from satdoku.sat.solver import BudgetError


def test_a_question_may_take_as_long_as_it_likes_unless_somebody_watches():
    assert deadline() == inf
    with watched():
        assert deadline() == inf


def test_the_time_that_is_left_is_that_of_the_clock(monkeypatch):
    monkeypatch.setattr("time.time", lambda: 100.0)
    monkeypatch.setattr("time.monotonic", lambda: 7.0)
    with watched(end=103.0):
        assert deadline() == 10.0
    with watched(end=100.0), pytest.raises(BudgetError, match="timed out"):
        deadline()
    assert deadline() == inf


def test_a_watch_within_a_watch_ends_no_later_and_tells_the_same(monkeypatch):
    monkeypatch.setattr("time.time", lambda: 100.0)
    monkeypatch.setattr("time.monotonic", lambda: 0.0)
    heard = []
    with watched(end=105.0, on_step=heard.append):
        begin("waiting")
        assert deadline() == 5.0
        with watched(end=101.0):
            begin("looking")
            assert (deadline(), deadline()) == (1.0, 1.0)
        with watched():
            assert deadline() == 5.0
    assert heard == [
        "waiting, question 1",
        "looking, question 1",
        "looking, question 2",
        ", question 1",
    ]
