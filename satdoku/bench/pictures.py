"""What the pictures share: matplotlib for files, lines that can be told apart, logarithmic axes.

Invariant: a line is named where it ends, in its colour, and has dashes of its own, so that nobody
has to search a legend or see colours. Needs matplotlib (extra `bench`).
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from math import log
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import SatdokuError

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
