"""Grids by bands: every grid of small boards alike, and the classes of bands of 9x9 as counted."""

from __future__ import annotations

from math import factorial

import numpy as np
import pytest
from generator_cases import SIX, chi_square

from satdoku.counting.bands import Bands
from satdoku.generator.banded import banded_grids
from satdoku.generator.dice import ExactDice
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.symmetry import automorphisms, canonical, group
from satdoku.witness.verify import solves_many

NINE = Board.of_size(9)
ONES = np.array([number.bit_count() for number in range(1 << 10)])


def counts_of_all_288(draws):
    grids = banded_grids(Board.of_size(4), draws, ExactDice(1))
    return np.unique(np.ascontiguousarray(grids).view("V16").ravel(), return_counts=True)[1]


def test_the_288_grids_are_drawn_alike():
    counts = counts_of_all_288(57_600)
    assert len(counts) == 288
    assert abs(chi_square(counts, [200] * 288)) < 3.5


@pytest.mark.slow
def test_ten_million_draws_hit_the_288_grids_alike():
    counts = counts_of_all_288(10_000_000)
    assert len(counts) == 288
    assert abs(chi_square(counts, [10_000_000 / 288] * 288)) < 3.5


@pytest.mark.parametrize("board", [Board(6, 2, 3), Board(6, 3, 2)])
def test_the_classes_of_6x6_are_drawn_by_their_sizes(board):
    constraints = constraints_for("classic", board)
    grids = banded_grids(board, 50_000, ExactDice(2))
    forms, counts = np.unique(canonical(grids, constraints), axis=0, return_counts=True)
    sizes = group(SIX).order / np.array(automorphisms(forms, constraints))
    assert len(forms) == 49 and sizes.sum() == 28_200_960
    assert abs(chi_square(counts, sizes * len(grids) / sizes.sum())) < 3.5


class Classes:
    """How many grids have bands of each kind: the 44 classes of Felgenhauer and Jarvis, told from
    each other by how many digits columns of different boxes share."""

    def __init__(self):
        bands = Bands(3, 3)
        self.shares = {}
        for first, size in bands.classes():
            boxes = [bands.boxes[i] for i in (0, *np.unravel_index(first, bands.fillings.shape))]
            form = self.forms(np.array([[sorted(c) for box in boxes for c in box]]))[0]
            grids = size * int(bands.fillings.ravel()[first]) * int(bands.below(first).sum())
            self.shares[form] = self.shares.get(form, 0) + grids
        whole = factorial(9) // 6**3 * 6**2
        assert whole * sum(self.shares.values()) == 6_670_903_752_021_072_936_960

    @staticmethod
    def forms(columns):
        """What no exchange of digits, boxes or columns changes, of bands (N, 9 columns, 3 digits):
        for each column how many digits it shares with each column of both other boxes."""
        sets = (np.int64(1) << columns).sum(2)
        shared = ONES[sets[:, :, None] & sets[:, None]].reshape(-1, 3, 3, 3, 3)
        others = [[1, 2], [0, 2], [0, 1]]
        rows = np.stack([shared[:, i][:, :, others[i]] for i in range(3)], 1)
        keys = np.sort(np.sort(rows, 4) @ np.array([1, 4, 16]), 3) @ np.array([1, 64])
        boxes = np.sort(keys, 2) @ np.array([1, 4096, 4096**2])
        return [tuple(sorted(row)) for row in boxes.tolist()]

    def deviation(self, grids):
        """Of the bands of the grids (N, 9, 9), in turn first, second and third."""
        band = np.arange(len(grids)) % 3
        rows = grids.reshape(-1, 3, 3, 9)[np.arange(len(grids)), band]
        found, counts = np.unique(
            np.array(self.forms(rows.transpose(0, 2, 1).astype(np.int64))),
            axis=0,
            return_counts=True,
        )
        expected = {form: share * len(grids) for form, share in self.shares.items()}
        total = sum(self.shares.values())
        seen = dict(zip(map(tuple, found.tolist()), counts.tolist(), strict=True))
        assert seen.keys() <= expected.keys()
        often = [form for form in expected if expected[form] / total > 20]
        return len(often), chi_square(
            [seen.get(form, 0) for form in often], [expected[form] / total for form in often]
        )


def assert_marginals(grids):
    """Bands and stacks by their classes, and each digit in each cell one time in nine."""
    classes = Classes()
    for turned in (grids, grids.transpose(0, 2, 1)):
        several, deviation = classes.deviation(turned)
        assert several > 15
        assert abs(deviation) < 3.5
    assert solves_many(grids.reshape(-1, 81), grids.reshape(-1, 81), (), NINE).all()
    counts = np.stack([(grids == digit).sum(0) for digit in range(1, 10)])
    spread = (counts - len(grids) / 9) / (len(grids) * 8 / 81) ** 0.5
    assert abs((spread**2).mean() - 1) < 0.3 and abs(spread).max() < 4.7


def test_bands_of_9x9_are_as_frequent_as_counted():
    assert_marginals(banded_grids(NINE, 30_000, ExactDice(3)).reshape(-1, 9, 9))


@pytest.mark.slow
def test_a_million_grids_of_9x9():
    assert_marginals(banded_grids(NINE, 1_000_000, ExactDice(4)).reshape(-1, 9, 9))


def test_8x8():
    board = Board.of_size(8)
    grids = banded_grids(board, 1000, ExactDice(5))
    assert solves_many(grids, grids, (), board).all()
    assert len(np.unique(grids, axis=0)) == 1000
    counts = np.stack([(grids == digit).sum(0) for digit in range(1, 9)])
    assert abs(((counts - 125) ** 2 / (125 * 7 / 8)).mean() - 1) < 0.3


def test_a_seed_gives_the_same_grid_everywhere():
    first = banded_grids(NINE, 2, ExactDice(1))[0]
    assert "".join(map(str, first[:27])) == "564217398283596174719384256"
