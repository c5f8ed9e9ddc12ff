"""Givens: symmetric ones, those of a pattern, and those that go while one solution is left."""

from __future__ import annotations

import numpy as np
import pytest
from examples import CLASSIC, FOUR
from generator_cases import LITTLE, NINE, SIX, assert_unique, number_of_solutions
from hypothesis import given, settings
from hypothesis import strategies as st

import satdoku
from satdoku import Wish, engine
from satdoku.generator import GenerateOptions, generate, minimize
from satdoku.generator import givens as module
from satdoku.generator.dice import Dice
from satdoku.generator.givens import SYMMETRIES, is_minimal, orbits_of, pattern_of, taken_away
from satdoku.generator.grids import few_grids, random_grids
from satdoku.generator.oracle import GeneratorError, NotUniqueError
from satdoku.runtime.errors import Status


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_the_pattern_of_givens_is_symmetric(symmetry):
    puzzles = generate(3, seed=4, wish=Wish(symmetry=symmetry))
    squares = (puzzles > 0).reshape(-1, 9, 9)
    for move in SYMMETRIES[symmetry]:
        for square in squares:
            assert np.array_equal(move(square), square)
    assert_unique(puzzles)


def test_a_symmetric_puzzle_keeps_no_orbit_that_could_go():
    orbits = orbits_of("rot180", NINE.board)
    for puzzle in generate(3, seed=4, wish=Wish(symmetry="rot180")):
        for orbit in set(orbits[puzzle > 0].tolist()):
            less = np.where(orbits == orbit, 0, puzzle).astype(np.uint8)
            assert satdoku.classify(less.tobytes()) is Status.MULTIPLE


def test_symmetric_and_minimal():
    puzzles = generate(2, seed=4, wish=Wish(symmetry="rot180", minimal=True))
    assert np.array_equal(puzzles > 0, puzzles[:, ::-1] > 0)
    assert_unique(puzzles, minimal=True)


@pytest.mark.parametrize(
    ("name", "number"),
    [("none", 81), ("rot180", 41), ("rot90", 21), ("mirror", 45), ("flip", 45), ("diagonal", 45),
     ("antidiagonal", 45), ("mirrors", 25), ("diagonals", 25), ("full", 15)],
)  # fmt: skip
def test_orbits_of_cells(name, number):
    """The numbers are Burnside's."""
    assert orbits_of(name, NINE.board).max() + 1 == number


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

    monkeypatch.setattr(module, "unique", unique)
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


def test_a_pattern_is_kept_exactly():
    mask = "1." * 40 + "1"
    puzzles = generate(5, seed=1, wish=Wish(pattern=mask))
    assert (np.array([c == "1" for c in mask]) == (puzzles > 0)).all()
    assert_unique(puzzles)


def test_a_pattern_under_other_rules():
    mask = "1..1 .1.. ..1. 1..."
    puzzles = generate(4, size=4, seed=1, wish=Wish(pattern=mask))
    assert (pattern_of(mask, FOUR) == (puzzles > 0)).all()
    assert_unique(puzzles, LITTLE)


def test_every_refused_pattern_has_no_puzzle():
    """On 4x4 all patterns of 4 and 5 givens: what is refused has no unique puzzle at all."""
    grids = few_grids(LITTLE)
    refused = 0
    for seed in range(200):
        pattern = Dice(seed).orders(1, 16)[0] < 4 + seed % 2
        mask = "".join(".1"[int(given)] for given in pattern)
        try:
            GenerateOptions(LITTLE, wish=Wish(pattern=mask))
        except GeneratorError:
            refused += 1
            puzzles = np.where(pattern, grids, 0).astype(np.uint8)
            assert (engine.solve(puzzles, LITTLE).status == Status.MULTIPLE).all()
    assert refused > 10
