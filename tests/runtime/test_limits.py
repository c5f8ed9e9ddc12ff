import pickle
import time
from contextvars import copy_context
from math import inf
from threading import Event, Thread

import pytest

from satdoku.runtime import limits
from satdoku.runtime.errors import BudgetError, OutOfTime


def test_without_a_limit_nothing_ends():
    limits.check()
    assert limits.left() is None
    assert limits.until(None) == inf
    things = [1, 2]
    assert limits.watched(things) is things


def test_an_inner_limit_can_only_end_sooner():
    with limits.within(1000):
        with limits.within(5000):
            assert limits.left() <= 1000
        with limits.within(1):
            assert limits.left() <= 1
            assert limits.left(0.5) <= 0.5
        assert limits.left() > 900
        assert limits.left(10) <= 10
    assert limits.left() is None


def test_work_ends_when_nobody_waits_for_it():
    given_up = Event()
    ours = copy_context()
    ours.run(limits.stop_when, given_up)
    ours.run(limits.check)
    given_up.set()
    with pytest.raises(OutOfTime, match=r"timed out$"):
        ours.run(limits.check)
    limits.check()


def test_work_ends_when_time_is_over():
    with limits.within(-1):
        with pytest.raises(BudgetError, match="timed out after"):
            limits.check()
        with pytest.raises(BudgetError):
            list(limits.watched(range(3)))
        assert limits.left() == 0
    limits.check()


def test_the_error_states_the_limit_that_ended_the_work():
    with limits.within(3), limits.within(5000):
        assert str(limits.late()) == "timed out after 3 s"
        assert str(limits.late(0.5)) == "timed out after 0.5 s"
    with limits.within(2.9, stated=3):  # a tenth was over before
        assert str(limits.late()) == "timed out after 3 s"
    assert str(limits.late()) == "timed out"


def test_things_are_watched_while_they_are_made():
    def slow():
        for number in range(3 * limits.EVERY):
            time.sleep(0.001 * (number % limits.EVERY == 0))
            yield number

    with limits.within(1000):
        assert list(limits.watched(range(limits.EVERY + 1))) == [*range(limits.EVERY + 1)]
    seen = []
    with pytest.raises(BudgetError), limits.within(0.001):
        seen.extend(limits.watched(slow()))
    assert len(seen) < 3 * limits.EVERY


def test_grace_lets_finish_what_was_found_in_time():
    with limits.within(-1):
        with limits.grace(1000):
            limits.check()
        with pytest.raises(BudgetError):
            limits.check()
    with limits.grace(1):
        assert limits.left() is None


def test_bounded_work_keeps_its_limit_in_other_threads_and_processes(monkeypatch):
    assert limits.bounded(len) is len
    with limits.within(5.0):
        bounded = limits.bounded(limits.left)
        sooner = limits.bounded(limits.left, 1.0)
    assert limits.left() is None
    assert 4 < bounded() <= 5 and sooner() <= 1
    with limits.within(2.0):
        assert bounded() <= 2
    packed = pickle.dumps(bounded)
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now - 1000)  # as another machine counts
    assert 4 < pickle.loads(packed)() <= 5


def test_bounded_work_that_is_late_states_the_limit():
    with limits.within(5.0):
        bounded = limits.bounded(limits.check, -1.0)
    with pytest.raises(OutOfTime, match=r"timed out after -1 s"):
        pickle.loads(pickle.dumps(bounded))()


def test_work_rests_until_it_is_wanted():
    wanted, over, looks = Event(), Event(), []

    def work():
        limits.stop_when(over)
        limits.rest_until(wanted)
        while True:
            looks.append(wanted.is_set())
            limits.check()

    def ended():
        with pytest.raises(OutOfTime):
            copy_context().run(work)

    thread = Thread(target=ended)
    thread.start()
    while not looks:
        time.sleep(0.001)
    time.sleep(0.02)
    assert looks == [False]
    wanted.set()
    while len(looks) < 3:
        time.sleep(0.001)
    over.set()
    thread.join(60)
    assert not thread.is_alive()
