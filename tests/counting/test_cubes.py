"""Cubes: split again and again, and given up with those who wait for them."""

from __future__ import annotations

import os
import signal

import pytest
from process_groups import processor_seconds

from satdoku import engine
from satdoku.answers.session import Session
from satdoku.counting import Way, count_exact, cubes
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.runtime import limits

IMPLEMENTATIONS = tuple(dict.fromkeys([engine.implementations()[0], engine.NUMPY]))
SIX = Board.of_size(6)


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
@pytest.mark.parametrize("workers", [1, 2])
def test_cubes_that_are_split_again_and_again(monkeypatch, implementation, workers):
    monkeypatch.setattr(cubes, "CUBES", 5)
    monkeypatch.setattr(cubes, "CUBES_PER_TASK", 2)
    monkeypatch.setattr(cubes, "NODES", 7)
    monkeypatch.setattr(cubes, "PARTS", 3)
    seen, told = [], []
    found = count_exact(
        None,
        "diagonal,nonconsecutive",
        size=6,
        way=Way(symmetry=False, implementation=implementation),
        workers=workers,
        progress=lambda done, total: told.append((done, total)),
        on_count=seen.append,
    )
    with Session(constraints_for("diagonal,nonconsecutive", SIX)) as session:
        assert found.grids == session.count(bytes(36))
    assert found.exact and found.estimate is None
    assert seen[-1].estimate == found.grids
    assert [p.grids for p in seen] == sorted(p.grids for p in seen)
    assert seen[-1].done == seen[-1].cubes
    assert told == [(known.done, known.cubes) for known in seen]


def test_what_was_found_before_time_ended_a_call_of_the_engine_is_kept(monkeypatch):
    whole, calls, found = engine.count, [], []

    def ended(*args, **named):
        if len(calls) == 3:
            raise limits.late(1)
        calls.append(whole(*args, **named))
        return calls[-1]

    monkeypatch.setattr(cubes, "CUBES", 5)
    monkeypatch.setattr(cubes, "CUBES_PER_TASK", 2)
    monkeypatch.setattr(engine, "count", ended)
    way = Way(symmetry=False, estimated=False)
    counted = count_exact(None, "diagonal", size=4, way=way, on_count=found.append)
    assert not counted.exact
    assert counted.grids == sum(int(one.grids.sum()) for one in calls) > 0


def test_a_call_of_the_engine_has_no_more_time_than_the_count(monkeypatch):
    whole, left = engine.count, []

    def timed(*args, **named):
        left.append(limits.left())
        return whole(*args, **named)

    monkeypatch.setattr(cubes, "CUBES", 5)
    monkeypatch.setattr(engine, "count", timed)
    assert count_exact(None, "diagonal", size=4, way=Way(symmetry=False), timeout=0.9).grids
    assert left and max(left) < 0.9


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
def test_an_interrupt_ends_workers_whose_cubes_never_end(implementation):
    def interrupt(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 1)
    start = processor_seconds()
    try:
        with pytest.raises(KeyboardInterrupt):
            count_exact(workers=2, timeout=30, way=Way(implementation=implementation))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert processor_seconds() - start < 15
