"""How much longer one contestant takes than another on the same instances, and how sure that is.

Invariant: pairs are compared, never two samples, and nothing is said of fewer than LEAST pairs or
of an interval that holds 1. Intervals are percentile bootstraps over the instances (B. Efron,
Bootstrap methods, Annals of Statistics 7, 1979), with the same resamples on every machine; they are
not corrected for the number of comparisons.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

LEAST = 10  # pairs; an interval from fewer is often too short
RESAMPLES = 10_000
LEVEL = 95  # per cent
TOO_FEW, NO_DIFFERENCE = "too few instances", "no difference shown"


class Interval(NamedTuple):
    """A value with the ends of its interval, from that many instances."""

    instances: int
    value: float
    low: float
    high: float

    @property
    def enough(self) -> bool:
        """Whether there are instances enough to say anything."""
        return self.instances >= LEAST

    @property
    def differs(self) -> bool:
        """Whether there are enough, and the interval excludes 1."""
        return self.enough and not self.low <= 1 <= self.high


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> Interval:
    """Geometric mean of ours[i] / theirs[i], all of them above 0."""
    logs = np.log(ours) - np.log(theirs)
    means = logs[_resamples(len(logs))].mean(axis=1)
    return Interval(len(logs), float(np.exp(logs.mean())), *map(float, np.exp(_ends(means))))


def median(values: Sequence[float]) -> Interval:
    """The median of the values, which may be infinite."""
    some = np.asarray(values, dtype=float)
    medians = np.median(some[_resamples(len(some))], axis=1)
    return Interval(len(some), float(np.median(some)), *map(float, _ends(medians)))


def share(hits: int, of: int) -> Interval:
    """A share of successes, by E. B. Wilson's score interval (JASA 22, 1927).

    A bootstrap would say that 30 successes of 30 are certain.
    """
    z = 1.959964  # of the normal distribution at LEVEL
    found = hits / of
    middle = (found + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * (found * (1 - found) / of + z * z / (4 * of * of)) ** 0.5
    return Interval(of, found, max(0.0, middle - half), min(1.0, middle + half))


@lru_cache(maxsize=4)
def _resamples(size: int) -> NDArray[np.intp]:
    """(RESAMPLES, size) positions, drawn with replacement."""
    return np.random.default_rng(1).integers(size, size=(RESAMPLES, size))


def _ends(statistics: NDArray[np.float64]) -> NDArray[np.float64]:
    between = [(100 - LEVEL) / 2, (100 + LEVEL) / 2]
    return np.percentile(statistics, between, method="nearest")  # no mean of infinite ones
