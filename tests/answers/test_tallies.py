"""Counts of candidates, against the counts of puzzles with one more given."""

from functools import cache

import numpy as np
import pytest
from examples import CLASSIC
from hypothesis import given, settings
from hypothesis import strategies as st
from soak import share

import satdoku
from satdoku import engine
from satdoku.answers import tallies
from satdoku.answers.session import shared_session
from satdoku.model.grid import Grid
from satdoku.model.puzzle import Puzzle
from satdoku.runtime import limits
from satdoku.runtime.errors import BudgetError


def by_one_more_given(puzzle, rules, limit):
    size = satdoku.parse_grid(puzzle).board.size
    table = np.zeros((len(puzzle), size), np.int64)
    for cell in range(len(puzzle)):
        for digit in range(1, size + 1):
            if puzzle[cell] in (".", str(digit)):
                text = f"{puzzle[:cell]}{digit}{puzzle[cell + 1 :]}"
                table[cell, digit - 1] = satdoku.count(text, rules, limit=limit)
    return table


@pytest.mark.parametrize("nodes", [tallies.NODES, (1, 2), ()])
@pytest.mark.parametrize(
    ("puzzle", "rules", "limit"),
    [
        ("12..............", "classic", 100),
        ("1...............", "classic", 7),
        ("." * 16, "king", 100),
        ("." * 16, "cage=7:r1c1,r1c2;thermo:r2c1,r3c1,r4c1", 100),
        ("11..............", "classic", 5),
    ],
)
def test_counts_are_those_with_one_more_given(monkeypatch, nodes, puzzle, rules, limit):
    """Whatever the engine leaves to the session."""
    monkeypatch.setattr(tallies, "NODES", nodes or (1,))
    counts, exact = satdoku.candidate_counts(puzzle, rules, limit=limit)
    assert (counts == by_one_more_given(puzzle, rules, limit)).all() and exact.all()


@settings(deadline=None, max_examples=share(20))
@given(st.text("....1234", min_size=16, max_size=16), st.sampled_from(["classic", "knight"]))
def test_any_small_puzzle(puzzle, rules):
    counts, _ = satdoku.candidate_counts(puzzle, rules, limit=3)
    assert (counts == by_one_more_given(puzzle, rules, 3)).all()


@cache
def candidates_of_a_session(puzzle, rules):
    return shared_session(satdoku.constraints_for(rules)).candidates(puzzle)


@pytest.mark.covering
@pytest.mark.parametrize("engine", ["", "numpy"])
@pytest.mark.parametrize("rules", ["classic", "knight,diagonal", "thermo:r1c1-r1c6", "windoku"])
def test_candidates_are_those_of_a_session(monkeypatch, rules, engine):
    monkeypatch.setenv("SATDOKU_SIMD", engine)
    solution = satdoku.solve("." * 40 + "1" + "." * 40, rules).cells
    puzzle = Grid(bytes(digit * (cell % 6 == 4) for cell, digit in enumerate(solution)))
    session = shared_session(satdoku.constraints_for(rules))
    true = tallies.Tallying(Puzzle(puzzle, session.constraints), session).candidates()
    found = tuple(frozenset((np.flatnonzero(row) + 1).tolist()) for row in true)
    assert found == candidates_of_a_session(puzzle, rules)


def test_pencil_marks_restrict():
    grid = satdoku.parse_grid("." * 16)
    marks = frozenset({1, 2}), *[frozenset({1, 2, 3, 4})] * 15
    session = shared_session(satdoku.constraints_for("classic", grid.board))
    tallying = tallies.Tallying(Puzzle(grid, session.constraints, marks), session)
    assert tallying.candidates()[0].tolist() == [True, True, False, False]
    assert tallying.counts(100).counts[0].tolist() == [72, 72, 0, 0]


def test_the_time_bounds_the_answer():
    grid = satdoku.parse_grid("." * 256)
    session = shared_session(satdoku.constraints_for("classic", grid.board))
    tallying = tallies.Tallying(Puzzle(grid, session.constraints), session, timeout=0)
    with pytest.raises(BudgetError):
        tallying.candidates()
    counts, exact = tallying.counts(5)
    assert not exact.all() and (counts[exact] == 5).all()


def test_what_was_counted_before_time_ended_a_call_of_the_engine_is_kept(monkeypatch):
    """The candidates of that call are counted by the session, as far as there is time for it."""
    grid = satdoku.parse_grid("." * 16)
    session = shared_session(satdoku.constraints_for("classic", grid.board))
    tallying = tallies.Tallying(Puzzle(grid, session.constraints), session)
    whole, calls = engine.listed, []

    def ended(*args, **named):
        calls.append(args)
        if len(calls) > 1:
            tallying.end = 0.0
            raise limits.late(1)
        return whole(*args, **named)

    monkeypatch.setattr(tallies, "TOGETHER", 10)
    monkeypatch.setattr(engine, "listed", ended)
    counts, exact = tallying.counts(100)
    assert exact.sum() == 10 and (counts[exact] == 72).all()
    assert (counts[~exact] < 72).all() and len(calls) == 2


def test_one_solution():
    counts, exact = satdoku.candidate_counts(CLASSIC)
    assert (counts.sum(axis=1) == 1).all() and exact.all()
    solution = np.asarray(satdoku.solve(CLASSIC))
    assert (counts.argmax(axis=1) + 1 == solution).all()
