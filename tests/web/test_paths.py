"""Paths of steps that go on where they were left."""

import time
from contextlib import suppress

import pytest
from web_client import CLASSIC

import satdoku
from satdoku.files.one import as_puzzle
from satdoku.runtime import limits
from satdoku.runtime.errors import BudgetError
from satdoku.web import paths

RULES = (
    "shape=4x4;thermo:r2c2,r1c2,r1c1;thermo:r2c4,r2c3;thermo:r3c4,r3c3,r4c3;difference=1:r3c1,r4c1"
)


@pytest.fixture(params=[(CLASSIC, "classic"), ("." * 16, RULES)])
def puzzle(request):
    for path in [*paths._paths.values()]:
        paths.forget(path)
    return as_puzzle(*request.param)


def words(steps):
    return [step.words for step in steps if step]


def test_a_path_goes_on_and_each_step_is_looked_for_once(puzzle, monkeypatch):
    asked = []
    real = paths.explain_steps

    def spied(*args, **told):
        for step in real(*args, **told):
            asked.append(step)
            yield step

    monkeypatch.setattr(paths, "explain_steps", spied)
    wanted = words(satdoku.explain_steps(puzzle, named=True))
    found = []
    for number in range(len(wanted) + 1):
        path = paths.path_of(puzzle.grid, puzzle.constraints, False)
        found += words(path.behind(number, 60))[:1]
    assert found == wanted == words(asked)


def test_what_is_not_kept_is_found_again(puzzle):
    wanted = words(satdoku.explain_steps(puzzle, named=True))
    path = paths.path_of(puzzle.grid, puzzle.constraints, False)
    assert words(path.behind(5, 60)) == wanted[5:]
    assert words(path.behind(0, 60)) == wanted
    assert not words(path.behind(len(wanted) + 9, 60))


def test_after_the_time_a_path_goes_on_where_it_is(puzzle, monkeypatch):
    begun = []
    real = paths.explain_steps

    def hard(*args, **told):
        begun.append(args)
        for number, step in enumerate(real(*args, **told)):
            for _ in range(20 * (number == 1)):
                time.sleep(0.01)
                limits.check()
            yield step

    monkeypatch.setattr(paths, "explain_steps", hard)
    wanted = words(satdoku.explain_steps(puzzle, named=True))
    for _ in range(1000):
        path = paths.path_of(puzzle.grid, puzzle.constraints, False)
        with suppress(BudgetError):
            words(path.behind(0, 0.05))
        if path.is_whole:
            break
    assert words(path.steps) == wanted and len(begun) == 1


def test_a_search_that_nobody_waits_for_stands_still(puzzle, monkeypatch):
    looks = []

    def endless(*_, **__):
        while True:
            time.sleep(0.001)
            limits.check()
            looks.append(time.monotonic())
        yield

    monkeypatch.setattr(paths, "explain_steps", endless)
    path = paths.path_of(puzzle.grid, puzzle.constraints, False)
    with pytest.raises(BudgetError):
        list(path.behind(0, 0.1))
    time.sleep(0.02)  # until it looks at the clock
    before = len(looks)
    time.sleep(0.1)
    assert len(looks) == before > 0
    thread = path._search._thread
    paths.forget(path)
    thread.join(60)
    assert not thread.is_alive()


def test_no_more_paths_are_kept_than_some(puzzle):
    grids = [as_puzzle("." * 15 + digit).grid for digit in "1234"] + [puzzle.grid]
    constraints = as_puzzle("." * 16).constraints
    first = paths.path_of(grids[0], constraints, False)
    for grid in grids[1:4]:
        paths.path_of(grid, constraints, False)
    paths.path_of(puzzle.grid, puzzle.constraints, False)
    assert len(paths._paths) == paths.KEPT
    first._search._thread.join(60)
    assert not first._search._thread.is_alive()


def test_the_limit_of_one_question_does_not_end_the_next(puzzle, monkeypatch):
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    path = paths.path_of(puzzle.grid, puzzle.constraints, False)
    assert next(filter(None, path.behind(0, 50)))
    now[0] = 3600.0  # somebody thinks for an hour
    assert words(path.behind(1, 50))
