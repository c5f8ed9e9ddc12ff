"""Intervals against closed forms, and how often they hold the truth."""

import random
from math import exp, log
from statistics import NormalDist

import numpy as np
import pytest

from satdoku.bench import bootstrap
from satdoku.bench.bootstrap import LEAST, Interval, median, ratio, share


def test_a_ratio_is_of_geometric_means_over_pairs():
    ours, theirs = [2.0, 8.0, 1.0] * 5, [1.0, 1.0, 1.0] * 5
    found = ratio(ours, theirs)
    assert found.value == pytest.approx(16 ** (1 / 3))
    assert found.low < found.value < found.high
    back = ratio(theirs, ours)
    assert (back.value, back.low, back.high) == pytest.approx(
        (1 / found.value, 1 / found.high, 1 / found.low)
    )


def test_pairs_are_not_two_samples():
    hardness = [10.0**i for i in range(12)]
    found = ratio([1.5 * h for h in hardness], hardness)
    assert found[1:] == pytest.approx((1.5, 1.5, 1.5))


def test_the_interval_is_that_of_the_normal_approximation_where_there_are_many():
    random_ = random.Random(3)
    logs = [random_.gauss(0.4, 1.0) for _ in range(400)]
    found = ratio([exp(x) for x in logs], [1.0] * 400)
    half = NormalDist().inv_cdf(0.975) * np.std(logs) / 20
    assert log(found.low) == pytest.approx(np.mean(logs) - half, abs=0.01)
    assert log(found.high) == pytest.approx(np.mean(logs) + half, abs=0.01)


def test_intervals_hold_the_truth_about_as_often_as_they_say(monkeypatch):
    monkeypatch.setattr(bootstrap, "RESAMPLES", 1000)
    bootstrap._resamples.cache_clear()
    random_ = random.Random(1)
    samples = [[random_.lognormvariate(0.5, 1.0) for _ in range(30)] for _ in range(300)]
    ratios = [ratio(some, [1.0] * 30) for some in samples]
    assert 0.90 < np.mean([r.low <= exp(0.5) <= r.high for r in ratios]) < 0.98
    medians = [median(some) for some in samples]
    assert 0.90 < np.mean([m.low <= exp(0.5) <= m.high for m in medians]) < 0.99
    bootstrap._resamples.cache_clear()


def test_shares_near_the_ends_are_not_certain():
    assert share(30, 30)[1:] == pytest.approx((1.0, 0.8865, 1.0), abs=1e-3)
    assert share(0, 30)[1:] == pytest.approx((0.0, 0.0, 0.1135), abs=1e-3)
    assert share(15, 30)[1:] == pytest.approx((0.5, 0.3315, 0.6685), abs=1e-3)


@pytest.mark.parametrize(
    "instances, low, high, enough, differs",
    [
        (LEAST, 1.1, 2.0, True, True),
        (LEAST - 1, 1.1, 2.0, False, False),
        (LEAST, 0.9, 2.0, True, False),
        (LEAST, 0.2, 0.9, True, True),
    ],
)
def test_what_may_be_said(instances, low, high, enough, differs):
    interval = Interval(instances, 1.5, low, high)
    assert (interval.enough, interval.differs) == (enough, differs)
