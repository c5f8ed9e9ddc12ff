"""The measurements as Markdown and as one page that loads nothing.

Invariant: the report computes nothing that `figures` does not, puts wrong answers first, and
escapes every word that comes from a file.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping, Sequence
from math import inf
from pathlib import Path
from typing import NamedTuple

from ..render.markup import Html, document, escape, join, table, tag
from ..runtime.errors import counted
from .figures import (
    LEAST,
    LEVEL,
    MEASURES,
    RESAMPLES,
    TOO_FEW,
    Comparison,
    Contestant,
    Duel,
    Figure,
    Interval,
    comparisons,
    duels,
    figures,
)
from .instances import MODES
from .phases import Point, place_of, points
from .plots import write_plots
from .results import WRONG, ResultsError, Row
from .selection import TASKS

TITLE = "Encodings and solvers, measured"
MARKDOWN, PAGE = "report.md", "report.html"
FIGURE_COLUMNS = (
    "contestant", "kind", "answered", "build s", "solve s", "total s", "PAR-2 s", "total x",
    "solving x", "variables", "clauses",
)  # fmt: skip


class Table(NamedTuple):
    """A title, a remark, column names and rows of text.

    The first `words` columns hold words, aligned left; the others hold numbers, aligned right.
    """

    title: str
    remark: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]
    words: int


def write_report(rows: Sequence[Row], folder: Path, versus: Contestant | None = None) -> list[Path]:
    """Write tables, plots and the page into the folder; returns the paths of the two texts.

    versus: see `figures`. Raises `ResultsError` if there is no row, or none of that contestant,
    `PlotError` without matplotlib.
    """
    if not rows:
        raise ResultsError(f"{folder}: no measurement to report")
    known = {Contestant(row.backend, row.encoding) for row in rows}
    if versus and versus not in known:
        names = ", ".join(sorted(contestant.label for contestant in known))
        raise ResultsError(f"{folder}: no measurement of {versus.label}: choose from {names}")
    rows = sorted(rows, key=_place)
    some_duels = {measure: duels(rows, measure) for measure in MEASURES}
    pictures = write_plots(rows, some_duels, folder)
    tables = list(_tables(rows, some_duels, versus))
    markdown, page = folder / MARKDOWN, folder / PAGE
    markdown.write_text(_markdown(rows, tables, pictures), encoding="utf-8")
    page.write_text(_page(rows, tables, pictures), encoding="utf-8")
    return [markdown, page]


def _place(row: Row) -> tuple[bool, int, str, int]:
    """Known tasks in their order, then files; modes in their order. Rows come shuffled."""
    known, modes = list(TASKS), list(MODES)
    task = known.index(row.task) if row.task in known else len(known)
    mode = modes.index(row.mode) if row.mode in modes else len(modes)
    return row.task not in known, task, row.task, mode


# Tables -------------------------------------------------------------------------------------------


def _tables(
    rows: Sequence[Row], some_duels: Mapping[str, Sequence[Duel]], versus: Contestant | None
) -> Iterable[Table]:
    wrong = [row for row in rows if row.status == WRONG]
    if wrong:
        yield _wrong_table(wrong)
    found = [comparison for some in some_duels.values() for comparison in comparisons(some)]
    if found:
        yield _comparison_table(sorted(found, key=lambda c: c.measure == "solving"))
    by_part: dict[tuple[str, str], list[Figure]] = {}
    for figure in figures(rows, versus):
        by_part.setdefault((figure.task, figure.mode), []).append(figure)
    yield _instance_table(rows)
    if some_points := points(rows):
        yield _phase_table(some_points, [f for part in by_part.values() for f in part])
    for (task, mode), part in by_part.items():
        if place_of(task) is None:
            yield _figure_table(task, mode, part)


def _wrong_table(rows: Sequence[Row]) -> Table:
    return Table(
        f"WRONG ANSWERS: {len(rows)}",
        "These count in no time below.",
        ("backend", "encoding", "task", "instance", "mode", "what is wrong"),
        [(r.backend, r.encoding, r.task, r.instance, r.mode, r.note) for r in rows],
        6,
    )


def _comparison_table(found: Sequence[Comparison]) -> Table:
    return Table(
        "Boolean against integer",
        "The best contestant of each kind in the same library, on the same instances: building "
        "and solving (total), and solving alone. Factor: seconds of the integer one divided by "
        "those of the boolean one.",
        (
            "task", "mode", "library", "of", "boolean", "integer", "quicker", "factor",
            "instances", "only boolean", "only integer", "neither",
        ),
        [
            (
                c.task, c.mode, c.library, c.measure, c.boolean.label, c.integer.label, c.verdict,
                _interval(c.factor),
                *map(str, (c.factor.instances, c.only_boolean, c.only_integer, c.neither)),
            )
            for c in found
        ],
        7,
    )  # fmt: skip


def verdicts(rows: Sequence[Row]) -> list[str]:
    """One line for each comparison of two kinds in the rows: which is quicker, or why not."""
    return [_told(one) for measure in MEASURES for one in comparisons(duels(rows, measure))]


def _told(comparison: Comparison) -> str:
    """A comparison as a line of text, which names the quicker kind or says why not."""
    c = comparison
    place = f"{c.task}, {c.mode}, {c.library}, {c.measure}"
    if not c.factor.differs:
        return f"{place}: {c.verdict} ({counted(c.factor.instances, 'instance')})"
    quick, slow, factor = c.boolean.label, c.integer.label, c.factor
    if factor.value < 1:
        quick, slow = slow, quick
        factor = Interval(factor.instances, 1 / factor.value, 1 / factor.high, 1 / factor.low)
    known = f"95 % interval {_number(factor.low)} to {_number(factor.high)}"
    times = f"{_number(factor.value)} times as long as {quick} ({known})"
    return f"{place}: {c.verdict} are quicker: {slow} takes {times}"


def _instance_table(rows: Sequence[Row]) -> Table:
    instances: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        instances.setdefault((row.task, row.source), set()).add(row.instance)
    return Table(
        "Instances",
        "Where they come from.",
        ("task", "source", "instances"),
        [(task, source, str(len(names))) for (task, source), names in instances.items()],
        2,
    )


def _figure_table(task: str, mode: str, part: Sequence[Figure]) -> Table:
    return Table(
        f"{task}, {mode}",
        f"Asked for {MODES.get(mode, mode)}. x: times the seconds of {part[0].unit.label}.",
        FIGURE_COLUMNS,
        [
            (
                f.contestant.label,
                f.kind,
                f"{f.answered}/{f.measured}" + (f", {f.wrong} WRONG" if f.wrong else ""),
                *map(_number, (f.build, f.solve, f.total, f.par2)),
                *_slower(f),
                *map(_count, (f.variables, f.clauses)),
            )
            for f in part
        ],
        2,
    )


def _slower(figure: Figure) -> tuple[str, str]:
    if figure.contestant == figure.unit:
        return "1", "1"
    return _interval(figure.slower), _interval(figure.slower_solving)


def _phase_table(some: Sequence[Point], known: Iterable[Figure]) -> Table:
    figure_of = {(figure.task, figure.contestant): figure for figure in known}
    return Table(
        "Phase diagram",
        "Grids with balanced holes. Share answered within the limit, with Wilson's interval; "
        "medians of conflicts and of seconds of solving, with bootstrap intervals. Solving x: "
        "times the seconds of the contestant whose x is 1.",
        (
            "contestant", "board", "holes", "instances", "answered", "conflicts", "solve s",
            "solving x",
        ),
        [
            (
                p.contestant.label,
                f"{p.place.size}x{p.place.size}",
                f"{p.place.percent} %",
                str(p.answered.instances),
                *map(_interval, (p.answered, p.conflicts, p.seconds)),
                _slower(figure_of[p.place.task, p.contestant])[1],
            )
            for p in some
        ],
        1,
    )  # fmt: skip


def _number(value: float | None) -> str:
    """Three significant digits without an exponent; a dash for None."""
    if value is None:
        return "–"
    if value == inf:
        return "over limit"
    if value >= 100:
        return f"{value:,.0f}"
    if value >= 0.001 or not value:
        return f"{value:.3g}"
    return f"{value:.6f}"


def _interval(value: Interval | None) -> str:
    """The value with its interval, if there are instances enough; a dash for None."""
    if value is None:
        return "–"
    if not value.enough:
        return TOO_FEW
    return f"{_number(value.value)} [{_number(value.low)}, {_number(value.high)}]"


def _count(value: float | None) -> str:
    return "–" if value is None else f"{value:,.0f}"


def _introduction(rows: Sequence[Row]) -> list[str]:
    """What was measured, on which processor, by which versions."""
    answered = sum(row.answered for row in rows)
    limits = ", ".join(f"{s:g} s" for s in sorted({row.timeout_s for row in rows}))
    return [
        f"{counted(len(rows), 'measurement')}, {answered:,} answered, "
        f"{sum(row.status == WRONG for row in rows)} wrong; limit {limits}.",
        "Every answer was checked. Seconds are processor time (of the wall clock in the mode "
        "parallel); contestants took turns on each instance. Medians: build (everything up to the "
        "search), solve, total (both; over limit if half or more were not answered). PAR-2: mean "
        "of the total, twice the limit without an answer.",
        "Factors are ratios of geometric means over the same instances, twice the limit without "
        f"an answer, with {LEVEL} % intervals: percentile bootstrap over instances, "
        f"{RESAMPLES:,} resamples. With fewer than {LEAST} instances nothing is said; where the "
        "interval holds 1 no difference is shown.",
        *_unfinished(rows),
        f"Processor: {', '.join(sorted({row.cpu for row in rows}))}.",
        f"Versions: {' | '.join(sorted({row.versions for row in rows}))}.",
    ]


def _unfinished(rows: Sequence[Row]) -> Iterable[str]:
    """A warning if contestants were not measured equally often on a task."""
    parts: dict[tuple[str, str], list[Figure]] = {}
    for figure in figures(rows):
        parts.setdefault((figure.task, figure.mode), []).append(figure)
    for (task, mode), part in parts.items():
        most = max(figure.measured for figure in part)
        few = [f"{f.contestant.label} ({f.measured})" for f in part if f.measured < most]
        if few:
            yield (
                f"NOT COMPLETE: {task}, {mode} has {counted(most, 'measurement')} of each "
                f"contestant, but not of {', '.join(few)}. Their medians and PAR-2 are of other "
                "instances; factors are of the same."
            )


# Markdown -----------------------------------------------------------------------------------------


def _markdown(rows: Sequence[Row], tables: Sequence[Table], pictures: Sequence[Path]) -> str:
    parts = [f"# {TITLE}", *_introduction(rows)]
    parts += [f"![{path.stem}]({path.name})" for path in pictures]
    for part in tables:
        parts += [f"## {_in_table(part.title)}", part.remark, _markdown_table(part)]
    return "\n\n".join(parts) + "\n"


def _markdown_table(part: Table) -> str:
    rule = ["---" if i < part.words else "---:" for i in range(len(part.columns))]
    lines = [part.columns, rule, *part.rows]
    return "\n".join("| " + " | ".join(map(_in_table, line)) + " |" for line in lines)


def _in_table(text: str) -> str:
    """Text that stays in its cell and is not markup."""
    return escape(text).replace("|", "\\|")


# Page ---------------------------------------------------------------------------------------------


def _page(rows: Sequence[Row], tables: Sequence[Table], pictures: Sequence[Path]) -> str:
    parts = [_html_table(part) for part in tables]
    loud = sum(part.title.startswith("WRONG") for part in tables)
    return document(
        TITLE,
        tag("h1", TITLE),
        *(tag("p", line) for line in _introduction(rows)),
        *(tag("div", part, class_="verdict unsound") for part in parts[:loud]),
        *map(_html_picture, pictures),
        *parts[loud:],
    )


def _html_table(part: Table) -> Html:
    def line(name: str, cells: Sequence[str]) -> list[Html]:
        texts = [tag(name, cell) for cell in cells[: part.words]]
        return texts + [tag(name, cell, class_="n") for cell in cells[part.words :]]

    rows = (line("td", cells) for cells in part.rows)
    grid = table([join(line("th", part.columns))], rows)
    return join([tag("h2", part.title), tag("p", part.remark), grid])


def _html_picture(path: Path) -> Html:
    """The picture's bytes in the page itself, on white because its lines are black."""
    data = base64.b64encode(path.read_bytes()).decode("ascii")
    source = f"data:image/svg+xml;base64,{data}"
    style = "max-width: 100%; background: #fff; margin: 1rem 0"
    return Html(f'<img alt="{escape(path.stem)}" style="{style}" src="{source}">')
