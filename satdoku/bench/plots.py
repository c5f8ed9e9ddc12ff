"""Pictures of the measurements: cactus plots, and boolean against integer.

Invariant: a picture shows what the tables say and no more; time axes are logarithmic, and what was
not answered is drawn at the limit and marked as such. Needs matplotlib (extra `bench`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from importlib import import_module
from math import inf
from pathlib import Path
from typing import Any

from ..errors import SatdokuError
from .figures import Contestant, Duel
from .results import WRONG, Row

MOST_LINES = 12  # of a cactus plot; more cannot be told apart
LEAST_ANSWERS = 3  # of some contestant; with fewer the table says it better than a cactus plot
# Colours of Okabe and Ito, which colour-blind people can tell apart, then markers and dashes.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = "os^Dv<>P*Xhd"
FORMATS = ("png", "svg")


class PlotError(SatdokuError):
    """matplotlib is not installed."""


def load_matplotlib() -> Any:
    """The module matplotlib, set up for files; raises `PlotError` if it is not installed."""
    try:
        matplotlib = import_module("matplotlib")
    except ImportError:
        raise PlotError("plots need the extra: pip install 'satdoku[bench]'") from None
    matplotlib.rcParams.update({"svg.hashsalt": "satdoku", "font.size": 10})
    return import_module("matplotlib.figure")


def write_plots(rows: Sequence[Row], some_duels: Sequence[Duel], folder: Path) -> list[Path]:
    """All pictures, each as PNG and SVG; the paths of the SVG files."""
    module = load_matplotlib()
    paths = []
    for mode in dict.fromkeys(row.mode for row in rows):
        some = [row for row in rows if row.mode == mode]
        if max((len(times) for _, times in curves(some)), default=0) >= LEAST_ANSWERS:
            paths.append(_save(cactus(module, some, mode), folder / f"cactus-{mode}"))
    if some_duels:
        paths.append(_save(scatter(module, some_duels), folder / "boolean-integer"))
    return paths


def _save(figure: Any, stem: Path) -> Path:
    for form in FORMATS:
        metadata = {"Date": None} if form == "svg" else None
        figure.savefig(f"{stem}.{form}", dpi=150, bbox_inches="tight", metadata=metadata)
    return stem.with_name(f"{stem.name}.svg")


def cactus(module: Any, rows: Sequence[Row], mode: str) -> Any:
    """How many measurements each contestant answers within a time, the best MOST_LINES."""
    figure = module.Figure(figsize=(8, 5))
    axes = figure.add_subplot()
    lines = curves(rows)
    asked = Counter(Contestant(row.backend, row.encoding) for row in rows)
    for number, (contestant, times) in enumerate(lines[:MOST_LINES]):
        axes.plot(
            range(1, len(times) + 1),
            times,
            label=_plain(f"{contestant.label} ({len(times)}/{asked[contestant]})"),
            color=COLOURS[number % len(COLOURS)],
            linestyle=("-", "--")[number // len(COLOURS) % 2],
            marker=MARKERS[number % len(MARKERS)],
            markersize=4,
            linewidth=1.2,
        )
    left_out = len(lines) - MOST_LINES
    axes.set_title(_plain(f"{mode}: answered within a time{_beyond(left_out)}"), fontsize=11)
    axes.set_xlabel("measurements answered, quickest first")
    axes.set_ylabel("seconds, building and solving")
    most = max((len(times) for _, times in lines), default=1)
    axes.set_xlim(0.5, most + 0.5)
    _whole_numbers(axes.xaxis)
    _log_axis(axes, "y")
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize=9)
    return figure


def _plain(text: str) -> str:
    """Text that matplotlib does not take for a formula."""
    return text.replace("$", r"\$")


def _beyond(left_out: int) -> str:
    return f" (best {MOST_LINES}, {left_out} others left out)" if left_out > 0 else ""


def curves(rows: Sequence[Row]) -> list[tuple[Contestant, list[float]]]:
    """For each contestant the seconds of its answers, ascending; most answers first, then the
    least time for all of them.
    """
    times: dict[Contestant, list[float]] = {}
    for row in rows:
        some = times.setdefault(Contestant(row.backend, row.encoding), [])
        if row.answered and row.status != WRONG:
            some.append(row.total_s)
    lines = [(contestant, sorted(some)) for contestant, some in times.items() if some]
    return sorted(lines, key=lambda line: (-len(line[1]), sum(line[1]), line[0]))


def scatter(module: Any, some_duels: Sequence[Duel]) -> Any:
    """A point for each instance: the best boolean time across, the best integer time upwards."""
    figure = module.Figure(figsize=(6.5, 6))
    axes = figure.add_subplot()
    limit = max(duel.limit for duel in some_duels)
    finite = [t for d in some_duels for t in (d.boolean, d.integer) if t < inf]
    low, high = 0.6 * min([*finite, limit]), 2.2 * limit
    for number, library in enumerate(sorted({duel.library for duel in some_duels})):
        points = [d for d in some_duels if d.library == library]
        axes.scatter(
            [min(d.boolean, limit) for d in points],
            [min(d.integer, limit) for d in points],
            label=_plain(library),
            color=COLOURS[number % len(COLOURS)],
            marker=MARKERS[number % len(MARKERS)],
            s=28,
            alpha=0.7,
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
    axes.set_title("Above the diagonal booleans win", fontsize=11, pad=20)
    axes.set_xlabel("best boolean time, seconds")
    axes.set_ylabel("best integer time, seconds")
    _log_axis(axes, "x")
    _log_axis(axes, "y")
    axes.set_aspect("equal")
    axes.legend(loc="lower right", fontsize=9)
    return figure


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


def _log_axis(axes: Any, which: str) -> None:
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


def _whole_numbers(axis: Any) -> None:
    axis.set_major_locator(import_module("matplotlib.ticker").MaxNLocator(integer=True))
