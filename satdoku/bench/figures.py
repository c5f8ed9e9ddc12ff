"""The numbers of the report, from rows alone.

Invariant: a wrong answer has no time and is counted separately; an unanswered measurement counts as
longer than any answered one in medians, and as twice its limit in PAR-2. All seconds are building
plus solving unless a name says otherwise.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from math import exp, inf, log
from operator import attrgetter
from typing import NamedTuple, TypeVar

from .results import WRONG, Row

Seconds = Callable[[Row], float]
KeyT = TypeVar("KeyT", bound=Hashable)
MICROSECOND = 1e-6  # the resolution of the CSV, below which a ratio means nothing


class Contestant(NamedTuple):
    """A backend with an encoding."""

    backend: str
    encoding: str

    @property
    def label(self) -> str:
        return self.backend if self.encoding == "-" else f"{self.backend} {self.encoding}"

    @property
    def library(self) -> str:
        """The library whose kinds are compared: z3, or the solver."""
        return "z3" if self.backend.startswith("z3-") else self.backend


class Figure(NamedTuple):
    """One contestant on one task in one mode; times in seconds.

    build, solve: medians over the answered measurements, None if there are none; total: median over
    all, infinite if half or more are unanswered; par2: mean with twice the limit for the
    unanswered; ratio: par2 by the best of the task and mode. Wrong answers count in no time.
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
    ratio: float | None
    variables: float | None
    clauses: float | None


class Duel(NamedTuple):
    """The best boolean against the best integer time of one library on one instance and mode.

    Seconds of the quickest of each kind (median over repetitions), infinite if all of a kind
    failed; limit: the time limit.
    """

    task: str
    instance: str
    mode: str
    library: str
    boolean: float
    integer: float
    limit: float


class Factor(NamedTuple):
    """How many times longer integers take than booleans in the duels of a task, mode and library.

    factor: geometric mean over the duels that both kinds finished, None if there are none; the
    other fields count the duels that both, only one kind, or neither finished.
    """

    task: str
    mode: str
    library: str
    both: int
    factor: float | None
    only_boolean: int
    only_integer: int
    neither: int


def figures(rows: Iterable[Row]) -> list[Figure]:
    """A figure for each task, mode and contestant, best PAR-2 first within a task and mode."""
    found = []
    for (task, mode), group in _grouped(rows, lambda row: (row.task, row.mode)).items():
        by_contestant = _grouped(group, lambda row: Contestant(row.backend, row.encoding))
        some = [_figure(task, mode, contestant, part) for contestant, part in by_contestant.items()]
        best = min((figure.par2 for figure in some if figure.par2 is not None), default=None)
        some = [figure._replace(ratio=_ratio(figure.par2, best)) for figure in some]
        found += sorted(some, key=lambda f: (_last(f.par2), _last(f.total), f.contestant))
    return found


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
        ratio=None,
        variables=_median(row.variables for row in rows),
        clauses=_median(row.clauses for row in rows),
    )


def par2(row: Row) -> float:
    """Seconds of an answer; twice the limit if there is none."""
    return row.total_s if row.answered else 2 * row.timeout_s


def _median(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


def _ratio(value: float | None, best: float | None) -> float | None:
    return None if value is None or best is None else value / max(best, MICROSECOND)


def _last(value: float | None) -> float:
    """For sorting: None comes last."""
    return inf if value is None else value


def duels(rows: Iterable[Row], seconds: Seconds = attrgetter("total_s")) -> list[Duel]:
    """All duels: instances and modes that were measured in both kinds of a library.

    seconds: the time of a row that is compared, its `total_s` or its `search_s`.
    """
    right = [row for row in rows if row.status != WRONG]
    groups = _grouped(
        right,
        lambda r: (r.task, r.instance, r.mode, Contestant(r.backend, r.encoding).library),
    )
    found = []
    for (task, instance, mode, library), group in groups.items():
        best = {
            kind: min(
                statistics.median(map(seconds, part))
                for part in _grouped(some, lambda row: (row.backend, row.encoding)).values()
            )
            for kind, some in _grouped(group, lambda row: row.kind).items()
        }
        if len(best) == 2:
            limit = max(row.timeout_s for row in group)
            duel = Duel(task, instance, mode, library, best["boolean"], best["integer"], limit)
            found.append(duel)
    return found


def factors(some: Iterable[Duel]) -> list[Factor]:
    """A summary of the duels for each task, mode and library."""
    found = []
    for (task, mode, library), part in _grouped(
        some, lambda duel: (duel.task, duel.mode, duel.library)
    ).items():
        both = [log(d.integer / d.boolean) for d in part if max(d.boolean, d.integer) < inf]
        found.append(
            Factor(
                task,
                mode,
                library,
                len(both),
                exp(statistics.fmean(both)) if both else None,
                sum(d.boolean < inf == d.integer for d in part),
                sum(d.integer < inf == d.boolean for d in part),
                sum(d.boolean == d.integer == inf for d in part),
            )
        )
    return found


ItemT = TypeVar("ItemT")


def _grouped(items: Iterable[ItemT], key: Callable[[ItemT], KeyT]) -> dict[KeyT, list[ItemT]]:
    """Items by key; keys in the order of their first item."""
    groups: defaultdict[KeyT, list[ItemT]] = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return dict(groups)
