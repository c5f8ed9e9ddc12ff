"""Draw distributions as inline SVG with matplotlib.

Invariant: the same numbers give the same bytes. A drawing contains only numbers and our own words;
the names of the files are in the HTML next to it.

The colours of text and bars are CSS variables of the page, so one drawing works in the light and
the dark theme.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...errors import SatdokuError
from ...render.markup import Html
from .words import compact

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Histogram = Mapping[int, int]  # value -> rows

# Placeholder colours; the finished drawing has the page's variables instead.
_INK, _LINE, _BAR = "#010203", "#040506", "#070809"
_VARIABLES = {_INK: "var(--soft)", _LINE: "var(--line)", _BAR: "var(--bar)"}
_SIZE = (4.7, 2.1)  # inches; the page scales the drawing, whose unit is a 72nd
_FOOT = 0.5  # lower end of the logarithmic axis, so that the bar of one puzzle has a height
_LEAST_SPAN = 10  # an axis shows at least this many values
_STYLE = {
    "svg.fonttype": "none",  # text stays text: small, selectable, in the page's font
    "svg.hashsalt": "satdoku",
    "font.size": 9,
    "axes.labelcolor": _INK,
    "axes.edgecolor": _LINE,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": _LINE,
    "xtick.color": _INK,
    "ytick.color": _INK,
}


class ReportError(SatdokuError):
    """The report cannot be drawn."""


def require_matplotlib() -> Any:
    """The module matplotlib; raises `ReportError` if it is missing. Call it before a long audit."""
    try:
        import matplotlib
    except ImportError:
        raise ReportError(
            "the HTML report draws with matplotlib: pip install 'satdoku[report]'"
        ) from None
    return matplotlib


def givens_plots(histograms: Sequence[Histogram]) -> list[Html]:
    """A plot for each histogram of numbers of givens, as shares; all plots have the same axes."""
    shares = [{x: n / sum(h.values()) for x, n in h.items() if n} for h in histograms]
    return [_drawing(f"givens{i}", _draw_givens, s, *_extent(shares)) for i, s in enumerate(shares)]


def effort_plots(histograms: Sequence[Histogram]) -> list[Html]:
    """A plot for each histogram of search nodes by powers of two; all plots have the same axes."""
    bins = [{nodes.bit_length(): n for nodes, n in h.items() if n} for h in histograms]
    return [_drawing(f"effort{i}", _draw_effort, b, *_extent(bins)) for i, b in enumerate(bins)]


def ratings_plots(histograms: Sequence[Histogram]) -> list[Html]:
    """A plot for each histogram of ER in tenths, as shares; all plots have the same axes."""
    shares = [{x: n / sum(h.values()) for x, n in h.items() if n} for h in histograms]
    return [_drawing(f"er{i}", _draw_ratings, s, *_extent(shares)) for i, s in enumerate(shares)]


def _extent(histograms: Sequence[Mapping[int, float]]) -> tuple[int, int, float]:
    """The smallest and largest value and the largest height over all histograms."""
    values = [x for histogram in histograms for x in histogram] or [0]
    heights = [y for histogram in histograms for y in histogram.values()] or [1]
    return min(values), max(values), max(heights)


def _sides(low: int, high: int) -> tuple[float, float]:
    """The ends of an axis for these values, far enough apart that a single bar looks like a bar."""
    margin = 0.7 + max(0, _LEAST_SPAN - (high - low)) / 2
    return low - margin, high + margin


def _draw_givens(axes: Axes, shares: Mapping[int, float], low: int, high: int, top: float) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.bar(list(shares), list(shares.values()), color=_BAR)
    axes.set(xlabel="givens", ylabel="share of puzzles")
    axes.set(xlim=_sides(low, high), ylim=(0, 1.05 * top))
    axes.xaxis.set_major_locator(MaxNLocator(12, integer=True, min_n_ticks=1, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_formatter(lambda y, _: f"{100 * y:.3g} %")


def _draw_ratings(axes: Axes, shares: Mapping[int, float], *extent: Any) -> None:
    _draw_givens(axes, shares, *extent)
    axes.set(xlabel="ER, the rating of the hardest step")
    axes.xaxis.set_major_formatter(lambda x, _: f"{x / 10:.1f}")


def _draw_effort(axes: Axes, bins: Mapping[int, float], low: int, high: int, top: float) -> None:
    from matplotlib.ticker import LogLocator, NullLocator

    axes.set_yscale("log")
    axes.bar(list(bins), [rows - _FOOT for rows in bins.values()], bottom=_FOOT, color=_BAR)
    axes.set(xlabel="search nodes (powers of two)", ylabel="puzzles")
    axes.set(xlim=_sides(low, high), ylim=(_FOOT, 2 * top))
    ticks = range(low, high + 1, 1 + (high - low) // 8)
    axes.set_xticks(list(ticks), [compact(1 << tick >> 1) for tick in ticks])
    axes.yaxis.set_major_locator(LogLocator(10, numticks=6))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(lambda y, _: compact(round(y)))


def _drawing(name: str, draw: Any, *numbers: Any) -> Html:
    """One figure as an SVG element; `name` keeps its ids different from those of other figures."""
    matplotlib = require_matplotlib()
    from matplotlib.figure import Figure

    with matplotlib.rc_context():
        matplotlib.rcdefaults()  # ignore the user's own style
        matplotlib.rcParams.update(_STYLE)
        figure = Figure(figsize=_SIZE, layout="constrained")
        axes = figure.subplots()
        draw(axes, *numbers)
        return _inline(name, f"{axes.get_ylabel()} by {axes.get_xlabel()}", figure)


def _inline(name: str, label: str, figure: Figure) -> Html:
    """The figure's SVG for use inside a page: no prologue and no date, our own ids and colours."""
    undated = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    written = io.StringIO()
    figure.savefig(written, format="svg", transparent=True, metadata=undated)
    svg = written.getvalue()
    svg = svg[svg.index("<svg") :].rstrip()
    svg = re.sub(r"<style.*?</style>", "", svg, flags=re.DOTALL)  # it would style the whole page
    svg = re.sub(r" font-family: [^;\"]*;", "", svg)
    svg = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{name}-", svg)
    for colour, variable in _VARIABLES.items():
        svg = svg.replace(colour, variable)
    return Html(svg.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1))
