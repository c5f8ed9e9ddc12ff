"""Classic grids are uniform."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
from generator_cases import NINE, chi_square

from satdoku.generator import classic as crosses
from satdoku.generator.dice import Dice
from satdoku.generator.grids import random_grids
from satdoku.generator.oracle import completions
from satdoku.witness.verify import solves_many


def test_bands_are_uniform():
    """Which digits of the first box stand in which row of the second: 56 ways, all alike likely."""
    first = np.tile(np.arange(1, 10, dtype=np.uint8).reshape(1, 3, 3), (28_000, 1, 1))
    bands = crosses._bands(first, Dice(1))
    assert (np.sort(bands, axis=2) == np.arange(1, 10)).all()
    rows = np.sort(bands[:, :, 3:6], axis=2).reshape(-1, 9)
    ways, counts = np.unique(rows, axis=0, return_counts=True)
    assert len(ways) == 56
    assert abs(chi_square(counts, [500] * 56)) < 4
    orders = Counter(tuple(np.argsort(row)) for row in bands[:, 0, 3:6])
    assert len(orders) == len(list(permutations(range(3))))
    assert abs(chi_square(list(orders.values()), [28_000 / 6] * 6)) < 4


def test_thinned_crosses_count_the_grids_of_the_world():
    """Completions times choices are, on average, the 6.67e21 grids divided by the crosses: the
    estimate is 6.6e21 to 6.8e21 at three standard errors, so that no choice is missed."""
    puzzles, weights = crosses.thinned_crosses(30_000, Dice(3))
    found = completions(puzzles[weights > 0], NINE, 1000)
    values = np.zeros(len(puzzles))
    values[weights > 0] = found.counts * weights[weights > 0]
    error = values.std() / len(values) ** 0.5
    assert abs(values.mean() - crosses.MEAN) < 3 * error
    assert error / crosses.MEAN < 0.012
    assert (values > crosses.BOUND).mean() < 1e-3


def test_classic_grids_are_grids_and_digits_are_uniform():
    grids = random_grids(900, NINE, Dice(4))
    assert solves_many(grids, np.zeros_like(grids), (), NINE.board).all()
    counts = np.stack([(grids == digit).sum(axis=0) for digit in range(1, 10)])
    expected = np.full(counts.size, 100)
    assert abs(chi_square(counts.ravel(), expected)) < 5
