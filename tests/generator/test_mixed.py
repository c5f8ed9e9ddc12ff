"""Grids that are mixed out of a pattern."""

from __future__ import annotations

import numpy as np
import pytest

from satdoku.generator.dice import Dice
from satdoku.generator.mixed import mixed_grids, pattern
from satdoku.large.board import large_rules


@pytest.mark.parametrize(
    ("rules", "size"),
    [("", 4), ("", 6), ("boxes=3x2", 6), ("", 7), ("latin", 9), ("", 36), ("boxes=18x2", 36)],
)
def test_every_grid_keeps_its_houses(rules, size):
    asked = large_rules(rules, size)
    grids = mixed_grids(3, asked.board, Dice(1))
    assert (np.sort(grids[:, asked.houses], axis=2) == np.arange(1, size + 1)).all()


def test_all_grids_of_4x4_are_reached():
    """288, which are 12 up to the names of the digits."""
    grids = mixed_grids(150, large_rules("", 4).board, Dice(1))
    names = np.argsort(grids[:, :4], axis=1)
    assert len(np.unique(np.take_along_axis(names, grids - 1, axis=1), axis=0)) == 12


def test_what_is_regular_in_the_pattern_is_gone():
    """Two rows of a band of the pattern are shifts of each other, of a few different cycles."""
    board = large_rules("", 36).board
    mixed = mixed_grids(1, board, Dice(1))[0].reshape(36, 36) - 1
    assert _cycles(mixed) < 0.7 * _cycles(pattern(board))


def _cycles(square):
    """Cycles of the permutations from each row to the one below it."""
    found = 0
    for upper, lower in zip(square[:-1].tolist(), square[1:].tolist(), strict=True):
        follows = dict(zip(upper, lower, strict=True))
        while follows:
            digit = next(iter(follows))
            while digit in follows:
                digit = follows.pop(digit)
            found += 1
    return found
