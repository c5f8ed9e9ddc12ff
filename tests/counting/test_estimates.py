"""Estimates from random walks: their intervals hold known numbers as often as they say."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from satdoku import counting, engine
from satdoku.counting import Way, count_exact, estimates
from satdoku.counting.estimates import RUNS, Estimate, of_runs, one_pass
from satdoku.counting.layers import Layer, split
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for

DIAGONAL = 55_613_393_399_531_520  # grids of 9x9 with diagonals
CASES = [("classic", 4, 288), ("knight", 6, 11_520), ("latin=5", 5, 161_280)]
MORE = [("classic", 6, 28_200_960), ("king", 6, 74_160), ("latin=6", 6, 812_851_200)]
# One in twenty may miss; three standard deviations more or fewer of them are chance.
TOLERANCE = 3 * (0.05 * 0.95) ** 0.5
BY_KERNEL = pytest.mark.skipif(
    engine.implementations()[0] == engine.NUMPY, reason="numpy takes minutes"
)


def start(rules, size):
    """All grids under the rules as one open puzzle."""
    constraints = constraints_for(rules, Board.of_size(size))
    return Layer(np.zeros((1, size * size), np.uint8), [1]), constraints


def held(rules, size, grids, estimated, *, lanes=4, nodes=0):
    """The share of so many intervals that hold the number; walks go to their ends."""
    layer, constraints = start(rules, size)
    found = [
        of_runs(one_pass(layer, constraints, lanes, seed=seed, nodes=nodes))
        for seed in range(estimated)
    ]
    return sum(low <= grids <= high for _, low, high in found) / estimated


@pytest.mark.parametrize(("rules", "size", "grids"), CASES)
def test_19_of_20_intervals_hold_the_number(rules, size, grids):
    assert abs(held(rules, size, grids, 60) - 0.95) < TOLERANCE / 60**0.5


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "size", "grids"), CASES + MORE)
def test_that_of_a_thousand_intervals(rules, size, grids):
    assert abs(held(rules, size, grids, 1000) - 0.95) < 0.02 + TOLERANCE / 1000**0.5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "grids"),
    [("classic", 6_670_903_752_021_072_936_960), ("diagonal", DIAGONAL)],
)
def test_intervals_of_9x9_where_the_engine_counts_the_rest(rules, grids):
    share = held(rules, 9, grids, 200, lanes=32, nodes=estimates.NODES)
    assert abs(share - 0.95) < 0.02 + TOLERANCE / 200**0.5


@BY_KERNEL
def test_the_time_ends_with_a_bound_and_an_estimate(monkeypatch):
    monkeypatch.setattr(estimates, "LANES", 16)
    monkeypatch.setattr(estimates, "FIRST", 60)
    found = count_exact(None, "diagonal", timeout=1)
    assert not found.exact and found.grids < DIAGONAL
    assert found.grids <= found.estimate.low < found.estimate.grids < found.estimate.high
    assert DIAGONAL / 4 < found.estimate.grids < DIAGONAL * 4
    assert count_exact(None, "diagonal", timeout=0.5, way=Way(estimated=False)).estimate is None


def test_what_is_counted_is_not_estimated(monkeypatch):
    """Half the cubes of 6x6 are whole: the estimate is of the others, and beside their grids."""
    layer, constraints = start("classic", 6)
    while len(layer.weights) < 20:
        layer = split(layer, constraints)
    half = layer.rows(slice(10))
    whole = engine.count(layer.rows(slice(10, None)).puzzles, constraints, node_budget=2**31)
    counted = sum(map(int.__mul__, layer.weights[10:], whole.grids.tolist()))
    found = of_runs(one_pass(half, constraints, 8), counted)
    assert counted < found.low < 28_200_960 < found.high
    assert found.high - found.low < 0.2 * (28_200_960 - counted)


@BY_KERNEL
def test_puzzles_with_givens_and_clues():
    for text in ("cage=7:r1c1,r1c2", "thermo:r1c1,r2c1,r3c1"):
        constraints = constraints_for(text, Board.of_size(6))
        puzzle = np.zeros((1, 36), np.uint8)
        puzzle[0, 35] = 4
        grids = int(engine.count(puzzle, constraints, node_budget=2**31).grids[0])
        found = estimates.estimate(Layer(puzzle, [1]), constraints, 0.3)
        assert found.low <= grids <= found.high, (text, grids, found)


def test_few_grids_are_counted_by_the_engine():
    layer, constraints = start("classic", 4)
    assert estimates.estimate(layer, constraints, 1) == Estimate(288, 288, 288)


def test_weights_and_totals_beyond_any_float():
    layer, constraints = start("classic", 4)
    heavy = layer._replace(weights=[10**400])
    assert of_runs(one_pass(heavy, constraints, 2)) == Estimate(*[288 * 10**400] * 3)
    assert of_runs(np.full(RUNS, log(7)), 5) == Estimate(12, 12, 12)


def test_too_few_runs_that_find_a_grid_are_no_estimate():
    logs = np.where(np.arange(RUNS) < estimates.FEWEST, 1.0, -np.inf)
    assert of_runs(logs) is not None
    logs[0] = -np.inf
    assert of_runs(logs) is None
    layer, constraints = start("knight,king", 4)
    assert estimates.estimate(layer, constraints, 0.05) is None


@BY_KERNEL
def test_a_pass_that_is_over_has_no_totals():
    layer, constraints = start("classic", 9)
    assert one_pass(layer, constraints, 2, until=0) is None
    assert estimates.estimate(layer, constraints, 0) is not None  # the first pass may end


def test_the_same_walks_from_the_same_seed_in_any_portions(monkeypatch):
    layer, constraints = start("classic", 6)
    assert np.array_equal(*(one_pass(layer, constraints, 2, seed=3) for _ in "ab"))
    together = of_runs(one_pass(layer, constraints, 2))
    monkeypatch.setattr(estimates, "MEMORY", 5 * 2 * constraints.variables)
    apart = of_runs(one_pass(layer, constraints, 2))
    assert apart != together and apart.low < together.high and together.low < apart.high


def test_skewness_moves_the_interval_to_the_right():
    sample = np.log(np.random.default_rng(1).lognormal(0, 1.5, RUNS))
    found = of_runs(sample + log(1e6))
    assert found.high - found.grids > 1.2 * (found.grids - found.low)


def test_counting_leaves_an_exact_number_alone():
    found = count_exact(None, "classic", size=4, timeout=60, way=Way(symmetry=False))
    assert found == counting.Count(288, True, None)
