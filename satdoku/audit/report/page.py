"""The HTML page of an audit: the verdict first, then tables, distributions and examples.

Invariant: the page is self-contained. It loads nothing and runs nothing. The same numbers give the
same bytes. A drawing contains only numbers and our own words; the names of the files are in the
HTML next to it.

matplotlib draws the distributions as inline SVG. The colours of their text and bars are CSS
variables of the page, so one drawing works in the light and the dark theme.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ...render.markup import (
    Html,
    breakable,
    counted,
    document,
    frame,
    join,
    name,
    table,
    tag,
    unbroken,
)
from ...runtime.errors import SatdokuError
from . import facts
from .facts import ADVICE, OTHER_ADVICE, Measure, Place, Report

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_GROUPS = {"statuses": "solutions", "answers": "answers", "duplicates": "duplicates"}
# The fields of an example and the heads of their columns.
_EXAMPLE = {"line": "line", "other_line": "same as line", "id": "id", "detail": "detail"}
_LINES = ("line", "other_line")


def report_page(report: Report) -> str:
    """An audit's report (see the package's docstring) as one HTML page.

    Unprintable text from the files is shown as escapes, so the page is always valid UTF-8. Raises
    `ReportError` if matplotlib is missing.
    """
    require_matplotlib()
    names = facts.file_names(report)
    title = f"satdoku audit: {'sound' if report['sound'] else 'not sound'}"
    parts = (_verdict, _files, _leaks, _distributions, _findings)
    return document(title, *(section for part in parts for section in part(report, names)))


def report_display(report: Report) -> str:
    """The verdict, the files and the leaks, for a notebook."""
    names = facts.file_names(report)
    return frame(*(part for show in (_verdict, _files, _leaks) for part in show(report, names)))


def _verdict(report: Report, names: Sequence[str]) -> Iterator[Html]:
    sound = report["sound"]
    items = [_problem(problem) for problem in facts.problems(report)]
    praises = [tag("li", praise) for praise in facts.praises(report)]
    remarks = [tag("li", name(remark)) for remark in facts.remarks(report)]
    yield tag(
        "section",
        tag("h1", facts.headline(report)),
        tag("ul", *(praises + items if sound else items + praises), *remarks),
        tag("p", facts.circumstances(report), class_="soft"),
        class_="verdict sound" if sound else "verdict unsound",
    )


def _problem(problem: facts.Problem) -> Html:
    rest = facts.and_more(problem.places)
    places = [_place(place) for place in problem.places[: facts.SHOWN]]
    separated = [part for place in places for part in ("; ", place)][1:]
    return tag("li", f"{problem.what}: ", *separated, f"{rest}.")


def _place(place: Place) -> Html:
    count = tag("b", f"{place.hits:,}")
    return join([count, f" {place.base} ", name(place.where), unbroken(f" {place.share}".rstrip())])


def _files(report: Report, names: Sequence[str]) -> Iterator[Html]:
    columns = facts.measures(report)
    groups = [
        tag("th", _GROUPS[section], class_="g", colspan=str(len([*group])))
        for section, group in groupby(columns, key=lambda column: column.section)
    ]
    heads = [
        join([tag("th"), tag("th"), tag("th"), *groups]),
        join(
            [
                tag("th", "file"),
                _head("rows"),
                _head("sound"),
                *(_head(column.column) for column in columns),
            ]
        ),
    ]
    rows = (
        [_file_cell(file["path"], label)]
        + [tag("td", f"{file[key]:,}", class_="n") for key in ("rows", "sound")]
        + [_cell(file, column, report) for column in columns]
        for file, label in zip(report["files"], names, strict=True)
    )
    yield tag("h2", "Files")
    yield table(heads, rows)


def _head(text: str) -> Html:
    return tag("th", text, class_="n")


def _file_cell(path: str, label: str) -> Html:
    """The file's name and, if it differs, its path."""
    path = facts.shorten(path, facts.PATH_WIDTH)
    more = [tag("small", breakable(path))] if path != label else []
    return tag("th", name(breakable(label)), *more, scope="row")


def _cell(file: Report, measure: Measure, report: Report) -> Html:
    """A number; if it should be 0 and is not, with its share and in the warning colour."""
    number = facts.value(file, measure, report)
    if number is None:
        return tag("td", "–", class_="n soft")
    if not (measure.problem and number):
        return tag("td", f"{number:,}", class_="n" if number else "n soft")
    share = tag("small", facts.percent(number, facts.base_of(file, measure)[0]))
    return tag("td", f"{number:,}", share, class_="n bad")


def _leaks(report: Report, names: Sequence[str]) -> Iterator[Html]:
    titles = {"leaks": "Leakage", "grid_leaks": "Leakage of solution grids"}
    heads = ("exact", "up to symmetry", "share of the rows")
    head = join([tag("th", "rows of"), tag("th", "also in"), *map(_head, heads)])
    for section, title in titles.items():
        if report[section]:
            yield tag("h2", title)
            yield table([head], [_leak(leak, report, names) for leak in report[section]])


def _leak(leak: Report, report: Report, names: Sequence[str]) -> list[Html]:
    source, target = facts.leak_names(leak, report, names)
    place = facts.leaked(leak, report, names)
    counts = [f"{leak.get(kind, 0):,}" for kind in facts.LEAK_KINDS]
    cells = [*counts, facts.percent(place.hits, place.whole)]
    return [tag("td", name(target)), tag("td", name(source))] + [
        tag("td", cell, class_="n soft" if cell == "0" else "n bad") for cell in cells
    ]


def _distributions(report: Report, names: Sequence[str]) -> Iterator[Html]:
    givens = [_histogram(file["givens"]) for file in report["files"]]
    effort = [_histogram(file["effort"]) for file in report["files"]]
    ratings = [_histogram(file["ratings"], 10) for file in report["files"]]
    if not any(givens + effort):
        return
    title = "Givens, search effort and ratings" if any(ratings) else "Givens and search effort"
    yield tag("h2", title)
    plots = [givens_plots(givens), effort_plots(effort)]
    plots += [ratings_plots(ratings)] if any(ratings) else []
    for row, numbers in enumerate(zip(givens, effort, strict=True)):
        if any(numbers):
            drawn = [plot[row] for plot in plots]
            label = tag("h3", name(names[row]))
            yield tag("div", label, _caption(*numbers), *drawn, class_="plots")


def _histogram(counts: Mapping[str, int], scale: int = 1) -> dict[int, int]:
    """The counts by whole numbers: the entries times `scale`."""
    return {round(scale * float(entry)): count for entry, count in counts.items() if count}


def _caption(givens: Mapping[int, int], effort: Mapping[int, int]) -> Html:
    said = []
    if givens:
        low, high = min(givens), max(givens)
        spread = f"{low} to {high} givens, median {facts.median(givens)}"
        said.append(spread if low < high else f"{low} givens each")
    if effort:
        alone = sum(count for nodes, count in effort.items() if nodes <= 1)
        said.append(f"{facts.percent(alone, sum(effort.values()))} need no guess (1 node)")
        if max(effort) > 1:
            said.append(f"the hardest {max(effort):,} nodes or more")
    return tag("p", "; ".join(said), class_="soft")


def _findings(report: Report, names: Sequence[str]) -> Iterator[Html]:
    found: dict[str, list[tuple[str, Report]]] = {}
    for what, section in facts.BETWEEN.items():
        for leak in report[section]:
            source, target = facts.leak_names(leak, report, names)
            if leak["examples"]:
                found.setdefault(what, []).append((f"{target}, shared with {source}", leak))
    for file, label in zip(report["files"], names, strict=True):
        for finding in file["findings"]:
            found.setdefault(finding["kind"], []).append((label, finding))
    if found:
        yield tag("h2", "What to do, and examples")
    for kind, places in found.items():
        yield tag("h3", facts.capitalised(facts.shorten(kind, facts.HEADING_WIDTH)))
        yield tag("p", *_with_commands(ADVICE.get(kind, OTHER_ADVICE)))
        for label, finding in places:
            yield _examples(label, finding)


def _with_commands(text: str) -> list[Html | str]:
    """The text, what stands between backticks as code."""
    parts = text.split("`")
    return [tag("code", part) if at % 2 else part for at, part in enumerate(parts)]


def _examples(label: str, finding: Report) -> Html:
    """The examples of one kind in one file, under a line with their total number."""
    count = facts.size_of(finding)
    examples = finding["examples"]
    shown = (
        f", {len(examples)} of them here; --rows OUT.csv lists all" if len(examples) < count else ""
    )
    summary = tag("summary", name(label), f": {counted(count, 'row')}{shown}")
    columns = [c for c in _EXAMPLE if any(example.get(c) is not None for example in examples)]
    heads = [_head(_EXAMPLE[c]) if c in _LINES else tag("th", _EXAMPLE[c]) for c in columns]
    rows = [[_said(example.get(c), c) for c in columns] for example in examples]
    return tag("details", summary, table([join(heads)], rows), open="")


def _said(value: object, column: str) -> Html:
    """A cell of the examples: a line number, or shortened text from the file."""
    if column in _LINES and isinstance(value, int):
        return tag("td", f"{value:,}", class_="n")
    width = facts.ID_WIDTH if column == "id" else facts.DETAIL_WIDTH
    return tag("td", name(facts.shorten("–" if value is None else str(value), width)))


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
    axes.set_xticks(list(ticks), [facts.compact(1 << tick >> 1) for tick in ticks])
    axes.yaxis.set_major_locator(LogLocator(10, numticks=6))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(lambda y, _: facts.compact(round(y)))


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
