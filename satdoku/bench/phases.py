"""The phase diagram of generalised Sudoku: what solving costs over the share of holes.

Invariant: a point is all instances of one board and share, with one limit; what was not answered is
beyond every answer, and a median of that kind is not drawn.

The instances are grids with balanced holes, so all have a solution; see `generator.holes` for the
papers that made them a standard. A task is named phase-SIZE-PERCENT.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf, isfinite
from typing import Any, NamedTuple

from .bootstrap import Interval, median, share
from .figures import Contestant
from .pictures import COLOURS, DASHES, Ending, log_axis, name_lines
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


SHARE, CONFLICTS, SECONDS = "share answered", "conflicts", "seconds of solving"
MEASURED: dict[str, Callable[[Point], Interval | None]] = {
    SHARE: lambda point: point.answered,
    CONFLICTS: lambda point: point.conflicts,
    SECONDS: lambda point: point.seconds,
}


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


def phase_picture(module: Any, some: Sequence[Point], contestants: Sequence[Contestant]) -> Any:
    """A column of panels for each size of board that has something to compare: answered, conflicts
    and seconds over the holes.
    """
    sizes = _sizes(some, contestants)
    figure = module.Figure(figsize=(1.5 + 4.9 * len(sizes), 9))
    grid = figure.subplots(len(MEASURED), len(sizes), squeeze=False)
    figure.subplots_adjust(wspace=0.95, hspace=0.28)
    for column, size in enumerate(sizes):
        own = [point for point in some if point.place.size == size]
        panels = [row[column] for row in grid]
        panels[0].set_title(f"{size}x{size}", fontsize=11)
        panels[-1].set_xlabel("holes, per cent of the cells")
        for panel, name in zip(panels, MEASURED, strict=True):
            if not column:
                panel.set_ylabel(name)
            _panel(panel, own, contestants, name)
    return figure


def _sizes(some: Sequence[Point], contestants: Sequence[Contestant]) -> list[int]:
    """The sizes that have something to compare: two contestants with a line of two points each.

    All sizes if none has.
    """
    lines = Counter((p.place.size, p.contestant) for p in some if p.contestant in contestants)
    compared = Counter(size for (size, _), points in lines.items() if points > 1)
    whole = [size for size, count in compared.items() if count > 1]
    return sorted(whole or {size for size, _ in lines})


def _panel(axes: Any, some: Sequence[Point], contestants: Sequence[Contestant], name: str) -> None:
    """The medians as lines, their intervals as bands; what is infinite is left out."""
    endings = []
    for number, contestant in enumerate(contestants):
        own = [(p.place.percent, MEASURED[name](p)) for p in some if p.contestant == contestant]
        drawn = [(x, y) for x, y in own if y is not None and isfinite(y.value)]
        if not drawn:
            continue
        across, values = [x for x, _ in drawn], [y.value for _, y in drawn]
        colour = COLOURS[number % len(COLOURS)]
        dashes = DASHES[number % len(DASHES)]
        axes.plot(across, values, color=colour, linestyle=dashes, linewidth=1.6, marker=".")
        tops = [y.high if isfinite(y.high) else 10 * y.value for _, y in drawn]
        axes.fill_between(
            across, [y.low for _, y in drawn], tops, color=colour, alpha=0.15, linewidth=0
        )
        endings.append(Ending(contestant.label, across[-1], values[-1], colour))
    if name == SHARE:
        axes.set_ylim(-0.04, 1.04)
    elif name == CONFLICTS:
        axes.set_yscale("symlog", linthresh=1)  # many instances take no conflict
        axes.set_ylim(bottom=0)
        axes.grid(True, axis="y", color="0.9", linewidth=0.8)
    else:
        log_axis(axes, "y")
        name_lines(axes, endings)
