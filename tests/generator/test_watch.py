from math import inf

import pytest

from satdoku.generator.watch import begin, deadline, watched
from satdoku.runtime import limits
from satdoku.runtime.errors import OutOfTime


def test_a_question_may_take_as_long_as_it_likes_unless_time_is_limited():
    assert deadline() == inf
    with watched(str):
        assert deadline() == inf


def test_the_time_that_is_left_is_that_of_the_limits(monkeypatch):
    monkeypatch.setattr("time.monotonic", lambda: 7.0)
    with limits.within(3.0):
        assert deadline() == 10.0
    with limits.within(-1.0), pytest.raises(OutOfTime, match="timed out"):
        deadline()
    assert deadline() == inf


def test_whoever_watches_hears_what_is_asked():
    heard = []
    with watched(heard.append):
        begin("waiting")
        deadline()
        with watched(lambda words: heard.append(f"inner {words}")):
            begin("looking")
            deadline()
        deadline()
    deadline()
    assert heard == ["waiting, question 1", "inner looking, question 1", "waiting, question 2"]
