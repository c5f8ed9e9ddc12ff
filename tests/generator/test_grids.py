"""Random grids: classic ones and few ones are uniform, and walks reach all of them alike."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
from generator_cases import LITTLE, NINE, SIX, chi_square

from satdoku.generator import grids as crosses
from satdoku.generator.dice import Dice
from satdoku.generator.grids import (
    few_grids,
    filled_grids,
    random_grids,
    scrambled,
    step,
    walked_grids,
)
from satdoku.generator.oracle import completions
from satdoku.model.constraints import constraints_for
from satdoku.symmetry import automorphisms, canonical, group
from satdoku.witness.verify import solves_many


def test_few_grids_are_drawn_uniformly(four_by_four):
    assert [bytes(grid) for grid in few_grids(LITTLE)] == sorted(four_by_four)
    drawn = random_grids(28_800, LITTLE, Dice(1))
    counts = Counter(map(bytes, drawn))
    assert len(counts) == 288
    assert abs(chi_square(list(counts.values()), [100] * 288)) < 4
    assert len(few_grids(constraints_for("miracle"))) == 72
    assert few_grids(SIX) is None


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


def classes_of_six(grids):
    """Chi-square of the 49 classes of 6x6 grids: the size of each is the group's order divided by
    the automorphisms, and together they are all 28,200,960 grids."""
    forms, counts = np.unique(canonical(grids, SIX), axis=0, return_counts=True)
    sizes = group(SIX).order / np.array(automorphisms(forms, SIX))
    return len(forms), sizes.sum(), chi_square(counts, sizes * len(grids) / 28_200_960)


def test_walks_make_six_by_six_uniform():
    begun = filled_grids(3000, SIX, Dice(2))
    biased = classes_of_six(begun)[2]
    number, total, walked = classes_of_six(walked_grids(3000, SIX, Dice(3)))
    assert (number, total) == (49, 28_200_960)
    assert biased > 12
    assert abs(walked) < 4


def test_a_step_leaves_uniform_grids_uniform():
    """From each of the 288 grids 100 times; 4 cells are kept, of many completions none is looked
    at where they are more than `MOST`."""
    grids = np.repeat(few_grids(LITTLE), 100, axis=0)
    moved = step(grids, 4, LITTLE, Dice(6))
    assert 0.2 < (moved != grids).any(axis=1).mean() < 1
    counts = Counter(map(bytes, moved))
    assert abs(chi_square([counts[bytes(g)] for g in few_grids(LITTLE)], [100] * 288)) < 4


def test_scrambled_grids_are_images():
    grids = np.repeat(random_grids(1, SIX, Dice(1)), 50, axis=0)
    images = scrambled(grids, SIX, Dice(2))
    assert len({bytes(image) for image in images}) == 50
    assert len(np.unique(canonical(images, SIX), axis=0)) == 1
    assert solves_many(images, np.zeros_like(images), (), SIX.board).all()
