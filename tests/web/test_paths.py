"""Paths of steps that go on where they were left."""

import pytest
from web_client import CLASSIC

import satdoku
from satdoku.files.one import as_puzzle
from satdoku.runtime.errors import BudgetError
from satdoku.web import paths

RULES = (
    "shape=4x4;thermo:r2c2,r1c2,r1c1;thermo:r2c4,r2c3;thermo:r3c4,r3c3,r4c3;difference=1:r3c1,r4c1"
)


@pytest.fixture(params=[(CLASSIC, "classic"), ("." * 16, RULES)])
def puzzle(request):
    paths.path_of.cache_clear()
    return as_puzzle(*request.param)


def words(steps):
    return [step.words for step in steps]


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
        found += words([*path.behind(number, 60)][:1])
    assert found == wanted == words(asked)


def test_what_is_not_kept_is_found_again(puzzle):
    wanted = words(satdoku.explain_steps(puzzle, named=True))
    path = paths.path_of(puzzle.grid, puzzle.constraints, False)
    assert words(path.behind(5, 60)) == wanted[5:]
    assert words(path.behind(0, 60)) == wanted
    assert not [*path.behind(len(wanted) + 9, 60)]


def test_after_the_time_a_path_is_begun_anew(puzzle):
    path = paths.path_of(puzzle.grid, puzzle.constraints, False)
    first = next(path.behind(0, 60))
    with pytest.raises(BudgetError):
        list(path.behind(0, 0))
    again = paths.path_of(puzzle.grid, puzzle.constraints, False)
    assert again is not path and next(again.behind(0, 60)).words == first.words


def test_the_limit_of_one_question_does_not_end_the_next(puzzle, monkeypatch):
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    path = paths.path_of(puzzle.grid, puzzle.constraints, False)
    assert next(path.behind(0, 50))
    now[0] = 3600.0  # somebody thinks for an hour
    assert [*path.behind(1, 50)]
