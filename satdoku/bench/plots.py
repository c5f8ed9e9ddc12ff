"""Pictures of measurements: cactus plots, boolean against integer, and the phase diagram.

Invariant: a picture shows what the tables say and no more. Axes of time are logarithmic, and what
was not answered is drawn at the limit and marked as such, or left out as a median. A line is named
where it ends, in its colour, and has dashes of its own, so that nobody has to search a legend or
see colours. Needs matplotlib (extra `bench`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from math import isfinite, log
from pathlib import Path
from typing import Any, NamedTuple

from ..runtime.errors import SatdokuError
from .figures import MEASURES, MICROSECOND, Contestant, Duel, Interval, Seconds
from .phases import Point, pictures_of, place_of, points
from .results import WRONG, Row

# Colours of Okabe and Ito, which colour-blind people can tell apart; yellow is too pale for a line.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9")
DASHES: tuple[Any, ...] = (
    "-", (0, (5, 1.5)), (0, (1.2, 1.2)), (0, (6, 1.5, 1.2, 1.5)), (0, (3, 3)),
    (0, (8, 1.2, 1.2, 1.2, 1.2, 1.2)), (0, (2, 1, 4, 1)),
)  # fmt: skip
MARKERS = "os^Dv<>P*Xhd"
FORMATS = ("png", "svg")
_APART = 0.19  # inches between the names of two lines


class PlotError(SatdokuError):
    """matplotlib is not installed."""


class Ending(NamedTuple):
    """Where a line ends, and what it is called."""

    name: str
    x: float
    y: float
    colour: str


def load_matplotlib() -> Any:
    """The module matplotlib.figure, set up for files; raises `PlotError` without matplotlib."""
    try:
        matplotlib = import_module("matplotlib")
    except ImportError:
        raise PlotError("plots need the extra: pip install 'satdoku[bench]'") from None
    matplotlib.rcParams.update({"svg.hashsalt": "satdoku", "font.size": 10})
    return import_module("matplotlib.figure")


def save(figure: Any, stem: Path) -> Path:
    """Write the picture in FORMATS; returns the path of the SVG."""
    for form in FORMATS:
        metadata = {"Date": None} if form == "svg" else None
        figure.savefig(f"{stem}.{form}", dpi=110, bbox_inches="tight", metadata=metadata)
    return stem.with_name(f"{stem.name}.svg")


def plain(text: str) -> str:
    """Text that matplotlib does not take for a formula."""
    return text.replace("$", r"\$")


def log_axis(axes: Any, which: str) -> None:
    """Logarithmic, with ticks that read 0.01, 0.1, 1, 10 and a grid at them."""
    ticker = import_module("matplotlib.ticker")
    getattr(axes, f"set_{which}scale")("log")
    axis = getattr(axes, f"{which}axis")
    low, high = getattr(axes, f"get_{which}lim")()
    if high < 100 * low:  # powers of ten alone would be one tick or two
        axis.set_major_locator(ticker.LogLocator(subs=(1.0, 2.0, 5.0)))
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(ticker.NullFormatter())
    axes.grid(True, which="major", axis=which, color="0.9", linewidth=0.8)
    axes.set_axisbelow(True)


def name_lines(axes: Any, endings: Sequence[Ending]) -> None:
    """Each name right of the panel, at the height of its line's end, or as near as there is room.

    A thin line leads from the end to the name. The limits of the axes have to be set before.
    """
    across = axes.get_xlim()
    logarithmic = axes.get_yscale() == "log"
    apart = _APART / (axes.get_position().height * axes.figure.get_figheight())
    ends = sorted(endings, key=lambda ending: ending.y)
    heights = [_height(ending.y, axes.get_ylim(), logarithmic) for ending in ends]
    for ending, height, place in zip(ends, heights, spread(heights, apart), strict=True):
        start = (ending.x - across[0]) / (across[1] - across[0])
        axes.annotate(
            plain(ending.name),
            xy=(start, height),
            xytext=(1.04, place),
            xycoords="axes fraction",
            textcoords="axes fraction",
            color=ending.colour,
            fontsize=9,
            va="center",
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": ending.colour, "linewidth": 0.5, "alpha": 0.6},
        )


def _height(y: float, limits: tuple[float, float], logarithmic: bool) -> float:
    """The share of the panel's height at which y lies."""
    low, high = limits
    if logarithmic:
        y, low, high = log(y), log(low), log(high)
    return (y - low) / (high - low)


def spread(heights: Sequence[float], apart: float) -> list[float]:
    """Ascending heights moved apart by that much at least, around where they were."""
    groups: list[list[float]] = []  # of each group of neighbours the heights that they ask for

    def places(group: Sequence[float]) -> list[float]:
        middle = sum(group) / len(group)
        return [middle + apart * (i - (len(group) - 1) / 2) for i in range(len(group))]

    for height in heights:
        groups.append([height])
        while len(groups) > 1 and places(groups[-2])[-1] + apart > places(groups[-1])[0]:
            groups[-2:] = [groups[-2] + groups[-1]]
    return [place for group in groups for place in places(group)]


SHARE, CONFLICTS, SECONDS = "share answered", "conflicts", "seconds of solving"
MEASURED: dict[str, Callable[[Point], Interval | None]] = {
    SHARE: lambda point: point.answered,
    CONFLICTS: lambda point: point.conflicts,
    SECONDS: lambda point: point.seconds,
}


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
