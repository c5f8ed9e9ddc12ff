"""Which part of a data set each class of rows belongs to.

Invariant: a class lies in one part. Its place depends on its key, the seed and the ratio; under
quotas also on the other classes, but never on the order of the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..audit.rows import Keys, fingerprints

Places = NDArray[np.signedinteger[Any]]
Points = NDArray[np.float64]  # in [0, 1)

_AT_ONCE = 1 << 16  # keys whose copies are in memory together


def points_of(keys: Keys, seed: int) -> Points:
    """A point in [0, 1) for each key (N, 2), evenly spread and different for each seed."""
    points = np.empty(len(keys))
    for start in range(0, len(keys), _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        some = np.ascontiguousarray(keys[part], "<u8").view(np.uint8)
        points[part] = fingerprints(some, f"split {seed}")[:, 0] >> np.uint64(11)
    return points * 2.0**-53


def by_points(points: Points, ratio: Sequence[float]) -> Places:
    """The part (N,) of each class by its point alone: other classes do not matter."""
    bounds = np.cumsum(ratio)[:-1] / sum(ratio)
    return np.searchsorted(bounds, points, side="right").astype(np.int64)


def by_quotas(points: Points, strata: Places, rows: Places, ratio: Sequence[float]) -> Places:
    """The part (N,) of each class, so that every stratum is divided by the ratio.

    strata, rows: (N,), the number of each class's stratum and of its rows. The ratio is met as far
    as classes of several rows allow. Fractions of a row are passed on to the next stratum,
    so that the whole is divided by the ratio, too, even if each stratum holds one class.
    """
    parts = np.full(len(points), len(ratio) - 1)
    left = np.lexsort((points, strata))
    for part in range(len(ratio) - 1):
        taken = _taken(strata[left], rows[left], ratio[part] / sum(ratio[part:]))
        parts[left[taken]] = part
        left = left[~taken]
    return parts


def _taken(strata: Places, rows: Places, share: float) -> NDArray[np.bool_]:
    """The first classes of each stratum that together hold its share of the rows."""
    ends = np.cumsum(rows)
    middles = ends - rows / 2
    taken = np.zeros(len(rows), np.bool_)
    bounds = [0, *(np.flatnonzero(np.diff(strata)) + 1).tolist(), len(rows)]
    passed_on, done = 0.0, 0  # rows of the share that earlier strata lack; rows so far
    for start, stop in pairwise(bounds if len(rows) else []):
        wanted = passed_on + share * (int(ends[stop - 1]) - done)
        count = int(np.searchsorted(middles[start:stop], done + wanted))
        taken[start : start + count] = True
        passed_on = wanted - (int(ends[start + count - 1]) - done if count else 0)
        done = int(ends[stop - 1])
    return taken
