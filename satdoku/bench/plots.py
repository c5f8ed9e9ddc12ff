"""Pictures of the measurements: cactus plots, and boolean against integer.

Invariant: a picture shows what the tables say and no more; time axes are logarithmic, and what was
not answered is drawn at the limit and marked as such.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from .figures import MEASURES, MICROSECOND, Contestant, Duel, Seconds
from .phases import phase_picture, pictures_of, place_of, points
from .pictures import (
    COLOURS,
    DASHES,
    MARKERS,
    Ending,
    load_matplotlib,
    log_axis,
    name_lines,
    plain,
    save,
)
from .results import WRONG, Row

MOST_LINES = 7  # of a cactus plot; more cannot be told apart
LEAST_ANSWERS = 3  # of some contestant; with fewer the table says it better than a cactus plot
TITLES = {"total": "building and solving", "solving": "solving alone"}


def write_plots(
    rows: Sequence[Row], some_duels: Mapping[str, Sequence[Duel]], folder: Path
) -> list[Path]:
    """All pictures, each as PNG and SVG; the paths of the SVG files."""
    module = load_matplotlib()
    paths = []
    some_points = points(rows)
    for name, contestants in pictures_of(some_points):
        paths.append(save(phase_picture(module, some_points, contestants), folder / name))
    rows = [row for row in rows if place_of(row.task) is None]
    for mode in dict.fromkeys(row.mode for row in rows):
        some = [row for row in rows if row.mode == mode]
        if max((len(times) for _, times in curves(some)), default=0) >= LEAST_ANSWERS:
            paths.append(save(cactus(module, some, mode), folder / f"cactus-{mode}"))
    if any(some_duels.values()):
        paths.append(save(scatter(module, some_duels), folder / "boolean-integer"))
    return paths


def cactus(module: Any, rows: Sequence[Row], mode: str) -> Any:
    """How many measurements each contestant answers within a time: the best of each library and
    kind, at most MOST_LINES, on what all of them were asked.
    """
    figure = module.Figure(figsize=(13, 5))
    both = figure.subplots(1, 2, sharey=True)
    figure.subplots_adjust(wspace=0.75)
    rows = _asked_of_all(rows, _best(rows)[:MOST_LINES])
    chosen = [contestant for contestant, _ in curves(rows)]
    asked = Counter(Contestant(row.backend, row.encoding) for row in rows)
    endings: dict[Any, list[Ending]] = {axes: [] for axes in both}
    for axes, (measure, seconds) in zip(both, MEASURES.items(), strict=True):
        lines = dict(curves(rows, seconds))
        for number, contestant in enumerate(chosen):
            times = lines[contestant]
            colour, dashes = COLOURS[number], DASHES[number]
            axes.plot(
                range(1, len(times) + 1), times, color=colour, linestyle=dashes, linewidth=1.6
            )
            name = f"{contestant.label} ({len(times)}/{asked[contestant]})"
            endings[axes].append(Ending(name, len(times), times[-1], colour))
        axes.set_title(f"{mode}: {TITLES[measure]}", fontsize=11)
        axes.set_xlabel("measurements answered, quickest first")
        axes.set_xlim(0.5, max((len(lines[c]) for c in chosen), default=1) + 0.5)
        axes.xaxis.set_major_locator(import_module("matplotlib.ticker").MaxNLocator(integer=True))
        axes.yaxis.set_tick_params(labelleft=True)
        log_axis(axes, "y")
    both[0].set_ylabel("seconds of processor time")
    for axes in both:  # whose limits the other panel may have moved
        name_lines(axes, endings[axes])
    return figure


def _best(rows: Sequence[Row]) -> list[Contestant]:
    """The best contestant of each library and kind, of those asked half as often as any or more."""
    kinds = {Contestant(row.backend, row.encoding): row.kind for row in rows}
    asked = Counter(Contestant(row.backend, row.encoding) for row in rows)
    best: dict[tuple[str, str], Contestant] = {}
    for contestant, _ in curves(rows):
        if 2 * asked[contestant] >= max(asked.values()):
            best.setdefault((contestant.library, kinds[contestant]), contestant)
    return list(best.values())


def _asked_of_all(rows: Sequence[Row], contestants: Sequence[Contestant]) -> list[Row]:
    """The rows of the contestants on the instances that all of them were asked."""
    own = [row for row in rows if Contestant(row.backend, row.encoding) in contestants]
    asked: dict[tuple[str, str], set[Contestant]] = {}
    for row in own:
        key = row.task, row.instance
        asked.setdefault(key, set()).add(Contestant(row.backend, row.encoding))
    return [row for row in own if len(asked[row.task, row.instance]) == len(contestants)]


def curves(
    rows: Sequence[Row], seconds: Seconds = MEASURES["total"]
) -> list[tuple[Contestant, list[float]]]:
    """For each contestant the seconds of its answers, ascending; most answers first, then the
    least time for all of them.
    """
    times: dict[Contestant, list[float]] = {}
    for row in rows:
        some = times.setdefault(Contestant(row.backend, row.encoding), [])
        if row.answered and row.status != WRONG:
            some.append(max(seconds(row), MICROSECOND))
    lines = [(contestant, sorted(some)) for contestant, some in times.items() if some]
    return sorted(lines, key=lambda line: (-len(line[1]), sum(line[1]), line[0]))


def scatter(module: Any, some_duels: Mapping[str, Sequence[Duel]]) -> Any:
    """A point for each instance and comparison: boolean seconds across, integer seconds upwards."""
    figure = module.Figure(figsize=(13, 6))
    libraries = sorted({d.comparison.library for some in some_duels.values() for d in some})
    for axes, (measure, some) in zip(figure.subplots(1, 2), some_duels.items(), strict=True):
        if some:
            _scattered(axes, some, libraries)
        axes.set_title(f"{TITLES[measure]}: above the diagonal booleans win", fontsize=11, pad=20)
    return figure


def _scattered(axes: Any, some: Sequence[Duel], libraries: Sequence[str]) -> None:
    limit = max(duel.limit for duel in some)
    points = [(min(duel.boolean, limit), min(duel.integer, limit)) for duel in some]
    low, high = 0.6 * min(min(point) for point in points), 2.2 * limit
    for number, library in enumerate(libraries):
        own = [p for p, d in zip(points, some, strict=True) if d.comparison.library == library]
        axes.scatter(
            [x for x, _ in own],
            [y for _, y in own],
            label=plain(library),
            color=COLOURS[number % len(COLOURS)],
            marker=MARKERS[number % len(MARKERS)],
            s=22,
            alpha=0.55,
            linewidths=0,
        )
    axes.set_xlim(low, high)
    axes.set_ylim(low, high)
    for factor, words in _diagonals(low, high):
        axes.plot([low, high], [factor * low, factor * high], color="0.7", linewidth=0.8, zorder=0)
        _name_diagonal(axes, factor, words, low, high)
    for line in (axes.axvline, axes.axhline):
        line(limit, color="0.35", linewidth=1.0, linestyle=":", zorder=0)
    words = f"not in {limit:g} s"
    axes.text(high * 1.05, limit, words, fontsize=9, color="0.35", va="center")
    axes.text(limit, high * 1.1, words, fontsize=9, color="0.35", ha="center")
    axes.set_xlabel("best boolean contestant, seconds")
    axes.set_ylabel("best integer contestant, seconds")
    log_axis(axes, "x")
    log_axis(axes, "y")
    axes.set_aspect("equal")
    axes.legend(loc="lower right", fontsize=9)


def _diagonals(low: float, high: float) -> Iterator[tuple[float, str]]:
    """Lines of equal ratio that the picture has room for."""
    yield 1.0, "equal"
    for factor in (10.0, 100.0, 1000.0):
        if factor < high / low / 3:
            yield factor, f"{factor:g} times"


def _name_diagonal(axes: Any, factor: float, words: str, low: float, high: float) -> None:
    x = low * (high / low / factor) ** 0.5  # the middle of the line's visible part
    axes.text(
        x,
        factor * x,
        words,
        rotation=45,
        rotation_mode="anchor",
        ha="center",
        va="bottom",
        fontsize=8,
        color="0.45",
    )
