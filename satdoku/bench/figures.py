"""The numbers of the report, from rows alone, and how sure they are.

Invariant: a wrong answer has no time and is counted separately; an unanswered measurement counts as
longer than any answered one in medians, and as twice its limit in scores and ratios. All seconds
are building plus solving unless a name says otherwise.

Pairs are compared, never two samples, and nothing is said of fewer than LEAST pairs or of an
interval that holds 1. Intervals are percentile bootstraps over the instances (B. Efron, Bootstrap
methods, Annals of Statistics 7, 1979), with the same resamples on every machine; they are not
corrected for the number of comparisons.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from math import inf
from operator import attrgetter
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..crosscheck.backends import NO_ENCODING
from .results import WRONG, Row

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


Seconds = Callable[[Row], float]
MEASURES: dict[str, Seconds] = {
    "total": attrgetter("total_s"),  # building and solving
    "solving": attrgetter("search_s"),
}
KeyT = TypeVar("KeyT", bound=Hashable)
MICROSECOND = 1e-6  # the resolution of the CSV, below which a ratio means nothing


class Contestant(NamedTuple):
    """A backend with an encoding."""

    backend: str
    encoding: str

    @staticmethod
    def of(text: str) -> Contestant:
        """The one that is written SOLVER/ENCODING, or BACKEND if it has a model of its own."""
        backend, _, encoding = text.partition("/")
        return Contestant(backend, encoding or NO_ENCODING)

    @property
    def label(self) -> str:
        return self.backend if self.encoding == NO_ENCODING else f"{self.backend} {self.encoding}"

    @property
    def library(self) -> str:
        """The library whose kinds are compared: z3, or the solver."""
        return "z3" if self.backend.startswith("z3-") else self.backend


class Figure(NamedTuple):
    """One contestant on one task in one mode; times in seconds.

    build, solve: medians over the answered measurements, None if there are none; total: median over
    all, infinite if half or more are unanswered; par2: mean with twice the limit for the
    unanswered. slower, slower_solving: how many times the seconds of the contestant `unit`, None
    for that one. Wrong answers count in no time.
    """

    task: str
    mode: str
    contestant: Contestant
    kind: str
    measured: int
    answered: int
    wrong: int
    build: float | None
    solve: float | None
    total: float | None
    par2: float | None
    unit: Contestant
    slower: Interval | None
    slower_solving: Interval | None
    variables: float | None
    clauses: float | None


class Comparison(NamedTuple):
    """The best boolean against the best integer contestant of a library on one task and mode.

    measure: of MEASURES; the best have the lowest PAR-2 score in it. factor: how many times the
    seconds of the boolean one the integer one takes. The counts are of instances.
    """

    task: str
    mode: str
    library: str
    measure: str
    boolean: Contestant
    integer: Contestant
    factor: Interval
    only_boolean: int
    only_integer: int
    neither: int

    @property
    def verdict(self) -> str:
        """Who is quicker, in words; no one without instances enough and an interval without 1."""
        if not self.factor.enough:
            return TOO_FEW
        if not self.factor.differs:
            return NO_DIFFERENCE
        return "booleans" if self.factor.value > 1 else "integers"


class Duel(NamedTuple):
    """Both contestants of a comparison on one instance.

    Seconds (median over repetitions), infinite without an answer; limit: the time limit.
    """

    comparison: Comparison
    instance: str
    boolean: float
    integer: float
    limit: float


def figures(rows: Iterable[Row], versus: Contestant | None = None) -> list[Figure]:
    """A figure for each task, mode and contestant, best PAR-2 first within a task and mode.

    versus: the contestant whose seconds the others' are divided by, where it was measured; the
    first one otherwise.
    """
    found = []
    for (task, mode), group in _grouped(rows, lambda row: (row.task, row.mode)).items():
        parts = _by_contestant(group)
        some = [_figure(task, mode, contestant, part) for contestant, part in parts.items()]
        some.sort(key=lambda f: (_last(f.par2), _last(f.total), f.contestant))
        unit = versus if versus in parts else some[0].contestant
        for figure in some:
            if figure.contestant != unit:
                ours, theirs = parts[figure.contestant], parts[unit]
                total, solving = (_times(ours, theirs, s) for s in MEASURES.values())
                figure = figure._replace(slower=total, slower_solving=solving)
            found.append(figure._replace(unit=unit))
    return found


def _by_contestant(rows: Iterable[Row]) -> dict[Contestant, list[Row]]:
    return _grouped(rows, lambda row: Contestant(row.backend, row.encoding))


def _figure(task: str, mode: str, contestant: Contestant, rows: Sequence[Row]) -> Figure:
    right = [row for row in rows if row.status != WRONG]
    answered = [row for row in right if row.answered]
    return Figure(
        task=task,
        mode=mode,
        contestant=contestant,
        kind=rows[0].kind,
        measured=len(rows),
        answered=len(answered),
        wrong=len(rows) - len(right),
        build=_median(row.build_s for row in answered),
        solve=_median(row.solve_s for row in answered),
        total=_median(row.total_s for row in right),
        par2=statistics.fmean(map(par2, right)) if right else None,
        unit=contestant,
        slower=None,
        slower_solving=None,
        variables=_median(row.variables for row in rows),
        clauses=_median(row.clauses for row in rows),
    )


def par2(row: Row, seconds: Seconds = MEASURES["total"]) -> float:
    """Seconds of an answer; twice the limit if there is none."""
    return max(seconds(row), MICROSECOND) if row.answered else 2 * row.timeout_s


def scores(rows: Iterable[Row], seconds: Seconds = MEASURES["total"]) -> dict[str, float]:
    """The score of each instance, the median over repetitions; none where an answer was wrong."""
    some = _grouped(rows, lambda row: row.instance)
    return {
        instance: statistics.median(par2(row, seconds) for row in part)
        for instance, part in some.items()
        if all(row.status != WRONG for row in part)
    }


def _times(rows: Iterable[Row], others: Iterable[Row], seconds: Seconds) -> Interval | None:
    """How many times the seconds of the others, over the instances of both; None without any."""
    ours, theirs = scores(rows, seconds), scores(others, seconds)
    both = [instance for instance in theirs if instance in ours]
    return ratio([ours[i] for i in both], [theirs[i] for i in both]) if both else None


def _median(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


def _last(value: float | None) -> float:
    """For sorting: None comes last."""
    return inf if value is None else value


def duels(rows: Iterable[Row], measure: str = "total") -> list[Duel]:
    """All duels in that measure, comparison by comparison."""
    groups = _grouped(
        (row for row in rows if row.status != WRONG),
        lambda row: (row.task, row.mode, Contestant(row.backend, row.encoding).library),
    )
    return [duel for part in groups.values() for duel in _duels_of(part, measure)]


def _duels_of(rows: Sequence[Row], measure: str) -> list[Duel]:
    """Those of one task, mode and library; none without both kinds on the same instances."""
    seconds = MEASURES[measure]
    kinds = _grouped(rows, lambda row: row.kind)
    if len(kinds) < 2:
        return []
    boolean, ours = _best(kinds["boolean"], seconds)
    integer, theirs = _best(kinds["integer"], seconds)
    factor = _times(theirs, ours, seconds)
    if factor is None:
        return []
    left, right = _seconds(ours, seconds), _seconds(theirs, seconds)
    pairs = [(one, left[one], right[one]) for one in left if one in right]
    comparison = Comparison(
        rows[0].task, rows[0].mode, boolean.library, measure, boolean, integer, factor,
        sum(a < inf == b for _, a, b in pairs),
        sum(b < inf == a for _, a, b in pairs),
        sum(a == b == inf for _, a, b in pairs),
    )  # fmt: skip
    limit = max(row.timeout_s for row in rows)
    return [Duel(comparison, instance, a, b, limit) for instance, a, b in pairs]


def comparisons(some: Iterable[Duel]) -> list[Comparison]:
    """The comparisons that the duels belong to, in their order."""
    return list(dict.fromkeys(duel.comparison for duel in some))


def _best(rows: Sequence[Row], seconds: Seconds) -> tuple[Contestant, list[Row]]:
    """The contestant with the lowest PAR-2 score, of those measured on the most instances."""
    parts = _by_contestant(rows)
    most = max(len(scores(part)) for part in parts.values())

    def score(contestant: Contestant) -> float:
        return statistics.fmean(par2(row, seconds) for row in parts[contestant])

    whole = [contestant for contestant, part in parts.items() if len(scores(part)) == most]
    best = min(whole, key=lambda contestant: (score(contestant), contestant))
    return best, parts[best]


def _seconds(rows: Iterable[Row], seconds: Seconds) -> dict[str, float]:
    """Seconds for each instance, the median over repetitions, infinite if that has no answer."""
    some = _grouped(rows, lambda row: row.instance)
    return {i: max(statistics.median(map(seconds, part)), MICROSECOND) for i, part in some.items()}


ItemT = TypeVar("ItemT")


def _grouped(items: Iterable[ItemT], key: Callable[[ItemT], KeyT]) -> dict[KeyT, list[ItemT]]:
    """Items by key; keys in the order of their first item."""
    groups: defaultdict[KeyT, list[ItemT]] = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return dict(groups)
