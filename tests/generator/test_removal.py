"""Givens taken away while one solution is left."""

from __future__ import annotations

import numpy as np
import pytest
from examples import CLASSIC
from generator_cases import NINE, SIX, assert_unique, number_of_solutions
from hypothesis import given, settings
from hypothesis import strategies as st

import satdoku
from satdoku.generator import minimize, removal
from satdoku.generator.dice import Dice
from satdoku.generator.errors import NotUniqueError
from satdoku.generator.grids import random_grids
from satdoku.generator.removal import is_minimal, taken_away
from satdoku.generator.shapes import SYMMETRIES, orbits_of


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32), symmetry=st.sampled_from(list(SYMMETRIES)))
def test_removal_is_that_of_one_orbit_after_the_other(seed, symmetry):
    dice = Dice(seed)
    grids = random_grids(3, SIX, dice)
    orbits = orbits_of(symmetry, SIX.board)
    orders = dice.orders(3, int(orbits.max()) + 1)
    least = dice.below(20, 3)
    expected = grids.copy()
    with satdoku.Session(SIX) as session:
        for row, puzzle in enumerate(expected):
            for orbit in orders[row]:
                less = np.where(orbits == orbit, 0, puzzle).astype(np.uint8)
                if (less > 0).sum() >= least[row] and number_of_solutions(session, less) == 1:
                    puzzle[:] = less
    assert np.array_equal(taken_away(grids, SIX, orbits, orders, least), expected)


def test_nothing_is_asked_that_is_known(monkeypatch):
    """Of 36 givens, tried in order, 2 and 5 must stay; what cannot go is not asked for again."""
    failed, asked = [], []

    def unique(trials, *_):
        gone = {*np.flatnonzero(trials[0] == 0).tolist()}
        assert not any(gone >= known for known in failed)
        asked.append(gone)
        if gone & {2, 5}:
            failed.append(gone)
        return np.array([not gone & {2, 5}])

    monkeypatch.setattr(removal, "unique", unique)
    full, orders = np.ones((1, 36), np.uint8), np.arange(36)[None]
    assert np.flatnonzero(taken_away(full, SIX, np.arange(36), orders)[0]).tolist() == [2, 5]
    assert (len(failed), len(asked)) == (5, 19)


def test_minimize():
    solution = np.asarray(satdoku.solve(CLASSIC))
    puzzles = np.stack([np.asarray(satdoku.parse_grid(CLASSIC)), solution])
    minimal = minimize(puzzles, seed=3)
    assert ((minimal == 0) | (minimal == puzzles)).all()
    assert_unique(minimal, minimal=True)
    assert np.array_equal(minimize(minimal, seed=9), minimal)
    assert is_minimal(minimal, NINE).all()
    assert is_minimal(puzzles, NINE).tolist() == [np.array_equal(minimal[0], puzzles[0]), False]


def test_minimize_needs_one_solution():
    puzzles = np.zeros((2, 81), np.uint8)
    puzzles[0] = np.asarray(satdoku.solve(CLASSIC))
    with pytest.raises(NotUniqueError, match="puzzle 2: multiple, expected one solution"):
        minimize(puzzles)
    puzzles[1, :2] = 5
    with pytest.raises(NotUniqueError, match="puzzle 2: invalid"):
        minimize(puzzles)
