"""Minimal puzzles with weights, against all minimal puzzles of 4x4 and Berthier's of 9x9."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from generator_cases import LITTLE, NINE, assert_unique

from satdoku import engine, fair_puzzles
from satdoku.counting.few_grids import all_grids
from satdoku.generator import fair
from satdoku.generator.fair import FairSample


@pytest.fixture(scope="module")
def minimal():
    """The minimal puzzles of each grid of 4x4 as sets of cells, by brute force: those that meet
    every difference to another grid, but do not without any of their cells."""
    grids = all_grids(LITTLE)
    places = 1 << np.arange(16)
    every, found = np.arange(1 << 16), {}
    for grid in grids:
        differences = {int(d) for d in ((grids != grid) * places).sum(1) if d}
        least = [d for d in differences if all(e == d or e & d != e for e in differences)]
        tells = np.all([every & d != 0 for d in least], axis=0)
        spare = np.any([(every & p != 0) & tells[every & ~p] for p in places], axis=0)
        found[bytes(grid)] = set(np.flatnonzero(tells & ~spare).tolist())
    return found


def numbers(minimal):
    """How many minimal puzzles have so many givens."""
    sizes = Counter(cells.bit_count() for puzzles in minimal.values() for cells in puzzles)
    assert sizes[4] == 25_728  # OEIS A109252
    return sizes


def assert_tells(sample, minimal):
    """The sample tells how many puzzles a grid has, of each number of givens and in all."""
    sizes, givens = numbers(minimal), (sample.puzzles > 0).sum(1)
    number = sum(sizes.values())
    for n, puzzles in sizes.items():
        share = sample.mean(givens == n)
        assert share.low < puzzles / number < share.high
    low, high = sample.per_grid[1:]
    assert low < number / 288 < high and high - low < 0.08 * low
    low, high = sample.givens[1:]
    assert low < sum(n * puzzles for n, puzzles in sizes.items()) / number < high


def test_all_minimal_puzzles_of_4x4_weigh_the_same(minimal):
    sample = fair_puzzles(8000, size=4, seed=1)
    assert_tells(sample, minimal)
    cells = ((sample.puzzles > 0) * (1 << np.arange(16))).sum(1).tolist()
    everything = set().union(*minimal.values())
    assert set(cells) <= everything


def test_the_long_way_tells_the_same(minimal, monkeypatch):
    """Along paths to the end, and beyond a first look at puzzles that are too small."""
    monkeypatch.setattr(fair, "FEW", 0)
    assert_tells(fair_puzzles(6000, size=4, seed=2), minimal)
    monkeypatch.setattr(fair, "first_looked_at", lambda _: 6)
    assert_tells(fair_puzzles(8000, size=4, seed=3), minimal)
    monkeypatch.setattr(fair, "first_looked_at", lambda _: 3)  # none has one solution
    assert_tells(fair_puzzles(6000, size=4, seed=4), minimal)


def test_leaves_are_all_minimal_puzzles_inside(minimal):
    grids = all_grids(LITTLE)[[0, 100]]
    owners, leaves = fair._leaves(grids, np.ones((2, 16), np.bool_), LITTLE)
    for row, grid in enumerate(grids):
        cells = ((leaves[owners == row] > 0) * (1 << np.arange(16))).sum(1).tolist()
        assert len(cells) == len(set(cells))
        assert set(cells) == minimal[bytes(grid)]


def test_puzzles_of_9x9_are_minimal():
    sample = fair_puzzles(40, seed=1)
    assert_unique(sample.puzzles, NINE, minimal=True)
    assert (sample.weights > 0).all() and (sample.tries % fair.ORDERS == 0).all()
    assert "all minimal puzzles: 2" in sample.words
    assert fair_puzzles(0).words == "0 puzzles: too few for an estimate"


@pytest.mark.slow
def test_a_mean_of_berthier_s():
    """26.577 givens, and 3.1055e37 puzzles (0.065 %) of 6.67e21 grids."""
    sample = fair_puzzles(100_000, seed=1, workers=2)
    for found, published in ((sample.givens, 26.577), (sample.per_grid, 3.1055e37 / 6.67090e21)):
        assert found.low < published < found.high
        assert published - found.low < 0.05 * published  # a rare heavy puzzle widens the other side


PINNED = [
    ".371.....8...4.....1.......4.5..........271...6....9.852689..4......2....8..5...3",
    ".5.8...3....63.42..3....8..9...4..16.4..7...5.....62..5..1...7..6...75.....2.....",
]
WEIGHTS = [1871668924016401.0, 3.6019102856131316e16]


@pytest.mark.parametrize("name", engine.implementations())
def test_a_seed_means_the_same_for_every_engine(name, monkeypatch):
    monkeypatch.setenv("SATDOKU_SIMD", name)
    fair.first_looked_at.cache_clear()
    sample = fair_puzzles(2, seed=1)
    assert ["".join(map(str, puzzle)).replace("0", ".") for puzzle in sample.puzzles] == PINNED
    assert sample.weights.tolist() == WEIGHTS


def test_workers_and_longer_runs_change_nothing():
    whole = fair_puzzles(20, size=6, seed=3)
    shared = fair_puzzles(20, size=6, seed=3, workers=2)
    some = fair_puzzles(7, size=6, seed=3)
    for name in ("puzzles", "weights", "tries"):
        assert np.array_equal(getattr(shared, name), getattr(whole, name))
        assert np.array_equal(getattr(some, name), getattr(whole[:7], name))


def test_a_mean_has_the_weights_of_its_rows():
    sample = FairSample(np.eye(3, 16, dtype=np.uint8), np.array([1.0, 1, 2]), np.array([4, 4, 8]))
    assert sample.mean([0, 0, 1]).mean == 0.5
    assert sample.per_grid.mean == 0.25
    assert sample.effective == pytest.approx(16 / 6)
    assert len(sample[:2]) == 2
