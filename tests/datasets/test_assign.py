"""Parts by points and by quotas: sizes, strata, and what moves if rows are added."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satdoku.datasets.assign import by_points, by_quotas, points_of


def points(count, seed=0):
    keys = np.random.default_rng(5).integers(0, 1 << 63, (count, 2), np.uint64)
    return points_of(keys, seed)


def test_points_are_spread_evenly_and_by_the_seed_alone():
    found = points(40_000)
    assert found.min() >= 0 and found.max() < 1
    counts = np.bincount((found * 40).astype(int), minlength=40)
    assert abs(counts - 1000).max() < 150  # five standard deviations
    assert np.array_equal(found, points(40_000))
    other = points(40_000, seed=1)
    assert abs(np.corrcoef(found, other)[0, 1]) < 0.03
    # The same on every machine.
    assert points_of(np.array([[1, 2]], np.uint64), 7).tolist() == [0.131121054120227]


def test_parts_by_points_follow_the_ratio_and_do_not_depend_on_other_classes():
    found = points(20_000)
    parts = by_points(found, [7, 2, 1])
    assert abs(np.bincount(parts) / 20_000 - [0.7, 0.2, 0.1]).max() < 0.015
    assert np.array_equal(parts[::3], by_points(found[::3], [70, 20, 10]))


STRATA = st.lists(st.tuples(st.integers(0, 4), st.integers(1, 4)), max_size=60)


@settings(max_examples=50)
@given(STRATA, st.sampled_from([(1, 1), (9, 1), (8, 1, 1), (3, 2, 0.5)]))
def test_quotas_are_met_as_far_as_classes_allow(classes, ratio):
    numbers, rows = (np.array(column, np.int64) for column in zip(*classes, (0, 0), strict=False))
    numbers, rows = numbers[: len(classes)], rows[: len(classes)]
    parts = by_quotas(points(len(classes)), numbers, rows, ratio)
    total = sum(ratio)
    for part, share in enumerate(ratio):
        assert abs(rows[parts == part].sum() - rows.sum() * share / total) <= 2 * len(ratio)
        for stratum in range(5):
            here = numbers == stratum
            wanted = rows[here].sum() * share / total
            assert abs(rows[here & (parts == part)].sum() - wanted) <= 4 * len(ratio)


def test_strata_of_single_classes_are_divided_as_a_whole():
    parts = by_quotas(points(1000), np.arange(1000), np.ones(1000, np.int64), (8, 1, 1))
    assert np.bincount(parts).tolist() == [800, 100, 100]
    assert np.diff(np.flatnonzero(parts > 0)).max() <= 6  # evenly along the strata


@pytest.mark.parametrize("count", [1000, 1010])
def test_few_classes_move_if_some_are_added(count):
    found = points(count)
    before, after = (
        by_quotas(found[:n], np.zeros(n, np.int64), np.ones(n, np.int64), (9, 1))
        for n in (1000, count)
    )
    assert np.count_nonzero(before != after[:1000]) <= 10
