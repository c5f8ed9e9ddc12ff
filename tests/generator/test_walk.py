"""Walks on grids reach all of them alike."""

from __future__ import annotations

from collections import Counter

import numpy as np
from generator_cases import LITTLE, SIX, chi_square

from satdoku.generator.dice import Dice
from satdoku.generator.grids import few_grids, random_grids
from satdoku.generator.walk import (
    filled_grids,
    scrambled,
    step,
    walked_grids,
)
from satdoku.symmetry import automorphisms, canonical, group
from satdoku.witness.verify import solves_many


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
