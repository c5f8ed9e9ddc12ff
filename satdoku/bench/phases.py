"""The phase diagram of generalised Sudoku: what solving costs over the share of holes.

Invariant: a point is all instances of one board and share, with one limit; what was not answered is
beyond every answer, and a median of that kind is not drawn.

The instances are grids with balanced holes, so all have a solution; see `generator.holes` for the
papers that made them a standard. A task is named phase-SIZE-PERCENT.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from math import inf
from typing import NamedTuple

from .figures import Contestant, Interval, median, share
from .results import WRONG, Row

# The shares of holes, in per cent, that a task phase-SIZE stands for.
POINTS: dict[int, tuple[int, ...]] = {
    16: (40, 50, 55, 60, 65, 70, 80),
    25: (40, 45, 50, 55, 60, 70),
    36: (35, 40, 45, 50),
}
_NAME = re.compile(r"phase-(\d{1,3})-(\d{1,3})")


class Place(NamedTuple):
    """A point of the diagram: the size of the board, and its holes in per cent of the cells."""

    size: int
    percent: int

    @property
    def task(self) -> str:
        return f"phase-{self.size}-{self.percent}"


class Point(NamedTuple):
    """A contestant at a place: the share that it answered, and medians with their intervals.

    seconds: of solving alone. Medians count what is unanswered as infinite.
    """

    place: Place
    contestant: Contestant
    answered: Interval
    conflicts: Interval | None
    seconds: Interval


def place_of(task: str) -> Place | None:
    """The place that a task is named after; None for other tasks."""
    found = _NAME.fullmatch(task)
    return Place(int(found[1]), int(found[2])) if found else None


def places(name: str) -> list[Place]:
    """The places that `phase-SIZE` or `phase-SIZE-PERCENT` stands for; none for other names."""
    for size, percents in POINTS.items():
        if name == f"phase-{size}":
            return [Place(size, percent) for percent in percents]
    place = place_of(name)
    return [place] if place else []


def points(rows: Iterable[Row]) -> list[Point]:
    """All points, by size, contestant and share of holes."""
    groups: dict[tuple[Place, Contestant], list[Row]] = {}
    for row in rows:
        if (place := place_of(row.task)) and row.status != WRONG:
            groups.setdefault((place, Contestant(row.backend, row.encoding)), []).append(row)
    order = sorted(groups, key=lambda key: (key[0].size, key[1], key[0].percent))
    return [_point(place, contestant, groups[place, contestant]) for place, contestant in order]


def _point(place: Place, contestant: Contestant, rows: Sequence[Row]) -> Point:
    answered = [row for row in rows if row.answered]
    counted = all(row.conflicts is not None for row in answered)
    return Point(
        place,
        contestant,
        share(len(answered), len(rows)),
        median([_conflicts(row) for row in rows]) if counted and answered else None,
        median([row.search_s for row in rows]),
    )


def _conflicts(row: Row) -> float:
    return inf if row.conflicts is None else row.conflicts


def pictures_of(some: Sequence[Point]) -> Iterator[tuple[str, list[Contestant]]]:
    """The pictures that the points give: a name, and the contestants whose lines it has.

    Solvers are compared on the encoding that most of them took, encodings in the solver that took
    most of them.
    """
    contestants = list(dict.fromkeys(point.contestant for point in some))
    if not contestants:
        return
    encoding = _commonest(contestant.encoding for contestant in contestants)
    backend = _commonest(contestant.backend for contestant in contestants)
    solvers = [c for c in contestants if c.encoding in (encoding, "-")]
    encodings = [c for c in contestants if c.backend == backend]
    yield "phase-solvers", solvers
    if len(encodings) > 1:
        yield "phase-encodings", encodings


def _commonest(names: Iterable[str]) -> str:
    known = list(names)
    return max(known, key=known.count)
