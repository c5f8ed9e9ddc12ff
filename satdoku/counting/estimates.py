"""How many grids there are about, where they are too many to count: weighted random walks.

Invariant: the expected total of a run is the number of grids. A walk fills one cell after another,
that with fewest candidates, with one of them at random, and multiplies its weight by their number
(Knuth). Once a few nodes of search are enough, the engine counts the rest, and weight times that
number joins the total. A run is a set of walks. If few of them carry most of its weight, walks are
drawn from them as often as they weigh, and share the weight alike; no step changes the expected
total. Runs know nothing of each other, so their totals are a sample, and give an interval.

The totals lean to the right: now and then a walk meets a part of the tree with far more grids than
its like. So the interval takes their skewness into account.

Sources: D. E. Knuth, Estimating the efficiency of backtrack programs, Mathematics of Computation 29
(1975); P. Del Moral, A. Doucet, A. Jasra, Sequential Monte Carlo samplers, Journal of the Royal
Statistical Society B 68 (2006), for drawing when the weights are uneven; P. Hall, On the removal of
skewness by transformation, same journal, B 54 (1992), for the interval.
"""

from __future__ import annotations

import time
from math import inf, log, log10
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import engine
from ..model.constraints import Constraints
from .layers import Layer

RUNS = 32
QUANTILE = 2.04  # of Student's t with 31 degrees of freedom, for 95 %
FEWEST = 24  # runs that must have found a grid
LANES = 2  # walks of a run in the first pass; each pass has twice as many as the one before
NODES = 200  # of search by which the engine may count the rest of a walk; 0: each goes to its end
TRIED = 16  # walks on which that is tried before all are counted
TRIED_AGAIN = 0.9  # of the open cells left since the last time
FIRST = 1.0  # seconds that the first pass may take, also if there is less time
PRECISE = 0.002  # half width of an interval, beside the estimate, that is narrow enough
MEMORY = 1 << 26  # bytes of candidates of the walks that go together
DIGITS = 6  # that are given of an estimate

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]


class Estimate(NamedTuple):
    """About how many grids there are, and an interval that holds their number 19 times in 20.

    Each has six significant digits; the rest are zeros.
    """

    grids: int
    low: int
    high: int


class Walks(NamedTuple):
    """Some walks, in the order of their runs.

    puzzles (N, cells) uint8: what is filled; runs (N,) intp; logs (N,): logarithms of the weights.
    """

    puzzles: NDArray[np.uint8]
    runs: Rows
    logs: Floats

    def rows(self, kept: NDArray[np.bool_]) -> Walks:
        """Some of them."""
        return Walks(self.puzzles[kept], self.runs[kept], self.logs[kept])


def estimate(
    layer: Layer, constraints: Constraints, seconds: float, implementation: str | None = None
) -> Estimate | None:
    """About how many grids a layer stands for, from passes with more and more walks.

    None if in these seconds too few walks come to an end. The passes count by their walks.
    """
    start = time.monotonic()
    found, lanes, walked, spent = None, LANES, np.full(RUNS, -np.inf), 0.0
    while layer.weights and 2 * spent <= max(seconds, 0):  # a pass takes as long as all before it
        until = start + (seconds if spent else max(seconds, FIRST))
        more = one_pass(layer, constraints, lanes, until, implementation=implementation)
        if more is None:
            break
        walked = np.logaddexp(walked, more + log(lanes))
        lanes, spent = 2 * lanes, time.monotonic() - start
        found = of_runs(walked - log(lanes - LANES), layer.counted)
        if found and found.high - found.low < 2 * PRECISE * found.grids:
            break
    return found


def one_pass(
    layer: Layer,
    constraints: Constraints,
    lanes: int,
    until: float = inf,
    *,
    seed: int = 0,
    nodes: int = NODES,
    implementation: str | None = None,
) -> Floats | None:
    """Logarithms of the totals of `RUNS` runs with so many walks each, -inf for a run that found
    no grid; None if it takes longer than `until`, a time of `time.monotonic`."""
    rng = np.random.default_rng((seed, lanes))
    together = max(1, MEMORY // (lanes * constraints.variables))
    totals = []
    for start in range(0, RUNS, together):
        runs = min(together, RUNS - start)
        some = _Runs(constraints, runs, lanes, rng, nodes, implementation)
        walks = some.begin(layer)
        while len(walks.runs):
            if time.monotonic() > until:
                return None
            walks = some.step(walks)
        totals.append(some.totals)
    return np.concatenate(totals)


def of_runs(logs: Floats, counted: int = 0) -> Estimate | None:
    """The estimate that the logarithms of totals give; None if too many runs found no grid."""
    if np.isfinite(logs).sum() < FEWEST:
        return None
    top = float(logs.max())
    mean, low, high = interval(np.exp(logs - top))
    return Estimate(*(counted + _number(value, top) for value in (mean, max(low, 0.0), high)))


def interval(values: Floats) -> tuple[float, float, float]:
    """The mean of a sample (N,), and the ends of its interval by the transformation of Hall."""
    mean, error = float(values.mean()), float(values.std(ddof=1)) / len(values) ** 0.5
    if error <= 1e-12 * mean:
        return mean, mean, mean
    skewness = float(((values - mean) ** 3).mean() / values.std() ** 3) / len(values) ** 0.5

    def studentised(quantile: float) -> float:
        """What the mean, in its errors, exceeds so rarely as a normal variable the quantile."""
        if abs(skewness) < 1e-6:
            return quantile
        cube = 1 + skewness * (quantile - skewness / 6)
        return float(3 / skewness * (np.cbrt(cube) - 1))

    return mean, mean - error * studentised(QUANTILE), mean - error * studentised(-QUANTILE)


def _number(value: float, top: float) -> int:
    """value * exp(top), which may be larger than any float, to a few digits."""
    if value == 0:
        return 0
    exponent, fraction = divmod(log10(value) + top / log(10), 1)
    places = int(exponent) - DIGITS + 1
    digits = 10 ** (fraction + DIGITS - 1)
    return round(digits) * 10**places if places >= 0 else round(digits * 10.0**places)


class _Runs:
    """Runs that go together; totals (runs,): logarithms of what they have found so far."""

    def __init__(
        self,
        constraints: Constraints,
        runs: int,
        lanes: int,
        rng: np.random.Generator,
        nodes: int,
        implementation: str | None,
    ) -> None:
        self.constraints, self.lanes, self.rng = constraints, lanes, rng
        self.nodes, self.implementation = nodes, implementation
        self.totals = np.full(runs, -np.inf)
        self.tried = np.inf  # open cells when the engine was last asked to count the rest

    def begin(self, layer: Layer) -> Walks:
        """Walks from the puzzles of a layer, drawn as often as they weigh."""
        logs = np.array([log(weight) for weight in layer.weights])
        runs = np.repeat(np.arange(len(self.totals)), len(logs))
        every = np.tile(logs, len(self.totals))
        rows, drawn = _drawn(runs, every, self.lanes, self.rng)
        return Walks(layer.puzzles[rows % len(logs)], runs[rows], drawn)

    def step(self, walks: Walks) -> Walks:
        """All walks one cell further; those that end are added to the totals of their runs."""
        n, cells = self.constraints.board.choices, self.constraints.board.cells
        marks, conflict = engine.propagate(
            walks.puzzles, self.constraints, implementation=self.implementation
        )
        walks, left = walks.rows(~conflict), marks[~conflict].reshape(-1, cells, n)
        fixed = left.sum(2, dtype=np.uint8) == 1
        walks.puzzles[:] = np.where(fixed, left.argmax(2) + 1, 0)
        grids = self._grids(walks)
        grids[fixed.all(1)] = 1
        some = grids > 0
        logs = walks.logs[some] + np.log(grids[some])
        np.logaddexp.at(self.totals, walks.runs[some], logs)
        open_ = grids < 0
        walks, rows = self._evened(walks.rows(open_))
        return self._branched(walks, left[open_][rows])

    def _grids(self, walks: Walks) -> NDArray[np.int64]:
        """How many grids complete each walk; -1 where that would take more than a few nodes, and
        everywhere while that is so for most walks."""
        unknown = np.full(len(walks.runs), -1)
        if not (self.nodes and len(unknown)):
            return unknown
        cells = (walks.puzzles == 0).mean()
        if cells > TRIED_AGAIN * self.tried:
            return unknown
        some = self.rng.permutation(len(unknown))[:TRIED]
        if self._counted(walks.puzzles[some]).whole.mean() < 0.5:
            self.tried = cells
            return unknown
        found = self._counted(walks.puzzles)
        return np.where(found.whole, found.grids.astype(np.int64), -1)

    def _counted(self, puzzles: NDArray[np.uint8]) -> engine.Counted:
        return engine.count(
            puzzles, self.constraints, node_budget=self.nodes, implementation=self.implementation
        )

    def _evened(self, walks: Walks) -> tuple[Walks, Rows]:
        """The walks with those of uneven runs drawn anew, and the row that each was."""
        every = np.arange(len(walks.runs))
        if self.lanes == 1 or not len(every):
            return walks, every
        shares, _ = _shares(walks.runs, walks.logs)
        uneven = (np.bincount(walks.runs, shares**2) > 2 / self.lanes)[walks.runs]
        if not uneven.any():  # all are worth half their lanes at least
            return walks, every
        rows, logs = _drawn(walks.runs[uneven], walks.logs[uneven], self.lanes, self.rng)
        rows = np.concatenate([every[~uneven], every[uneven][rows]])
        logs = np.concatenate([walks.logs[~uneven], logs])
        order = np.argsort(walks.runs[rows], kind="stable")
        rows = rows[order]
        return Walks(walks.puzzles[rows], walks.runs[rows], logs[order]), rows

    def _branched(self, walks: Walks, left: NDArray[np.bool_]) -> Walks:
        """Each walk with one cell more, by a random candidate of left (N, cells, n)."""
        every = np.arange(len(walks.runs))
        choices = left.sum(2, dtype=np.uint8)
        at = np.where(choices == 1, left.shape[2] + 1, choices).argmin(1)
        number = choices[every, at].astype(np.int64)
        chosen = (self.rng.random(len(every)) * number).astype(np.int64)
        digits = (left[every, at].cumsum(1) > chosen[:, None]).argmax(1)
        walks.puzzles[every, at] = digits + 1
        return walks._replace(logs=walks.logs + np.log(number))


def _drawn(runs: Rows, logs: Floats, lanes: int, rng: np.random.Generator) -> tuple[Rows, Floats]:
    """In each run `lanes` of its walks, as often as they weigh: rows, and their new logs.

    They are those at places of equal distance along a line on which each walk has its share
    (systematic resampling).
    """
    shares, totals = _shares(runs, logs)
    steps = (np.arange(lanes) + rng.random((len(totals), 1))) / lanes
    places = np.arange(len(totals))[:, None] + steps  # each run takes 1 of the line
    rows = np.searchsorted(np.cumsum(shares), places.ravel(), side="right")
    return np.minimum(rows, len(runs) - 1), np.repeat(totals - log(lanes), lanes)


def _shares(runs: Rows, logs: Floats) -> tuple[Floats, Floats]:
    """The share of each walk in the weight of its run, and the logarithm of the weight of each run
    that has walks."""
    starts = np.flatnonzero(np.diff(runs, prepend=-1))
    totals = np.logaddexp.reduceat(logs, starts)
    sizes = np.diff(starts, append=len(runs))
    return np.exp(logs - np.repeat(totals, sizes)), totals
