"""Symmetric patterns of givens."""

from __future__ import annotations

import numpy as np
import pytest
from generator_cases import NINE, assert_unique

import satdoku
from satdoku import Wish
from satdoku.errors import Status
from satdoku.generator import (
    generate,
)
from satdoku.generator.shapes import SYMMETRIES, orbits_of


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
