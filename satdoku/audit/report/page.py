"""The HTML page of an audit: the verdict first, then tables, distributions and examples.

Invariant: the page is self-contained. It loads nothing and runs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from ...render.markup import (
    Html,
    breakable,
    document,
    frame,
    join,
    name,
    table,
    tag,
    unbroken,
)
from . import facts, words
from .facts import (
    ADVICE,
    OTHER_ADVICE,
    Measure,
    Place,
    Report,
)
from .plots import effort_plots, givens_plots, ratings_plots, require_matplotlib

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
    path = words.shorten(path, words.PATH_WIDTH)
    more = [tag("small", breakable(path))] if path != label else []
    return tag("th", name(breakable(label)), *more, scope="row")


def _cell(file: Report, measure: Measure, report: Report) -> Html:
    """A number; if it should be 0 and is not, with its share and in the warning colour."""
    number = facts.value(file, measure, report)
    if number is None:
        return tag("td", "–", class_="n soft")
    if not (measure.problem and number):
        return tag("td", f"{number:,}", class_="n" if number else "n soft")
    share = tag("small", words.percent(number, facts.base_of(file, measure)[0]))
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
    cells = [*counts, words.percent(place.hits, place.whole)]
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
        spread = f"{low} to {high} givens, median {words.median(givens)}"
        said.append(spread if low < high else f"{low} givens each")
    if effort:
        alone = sum(count for nodes, count in effort.items() if nodes <= 1)
        said.append(f"{words.percent(alone, sum(effort.values()))} need no guess (1 node)")
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
        yield tag("h3", words.capitalised(words.shorten(kind, words.HEADING_WIDTH)))
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
    summary = tag("summary", name(label), f": {words.plural(count, 'row')}{shown}")
    columns = [c for c in _EXAMPLE if any(example.get(c) is not None for example in examples)]
    heads = [_head(_EXAMPLE[c]) if c in _LINES else tag("th", _EXAMPLE[c]) for c in columns]
    rows = [[_said(example.get(c), c) for c in columns] for example in examples]
    return tag("details", summary, table([join(heads)], rows), open="")


def _said(value: object, column: str) -> Html:
    """A cell of the examples: a line number, or shortened text from the file."""
    if column in _LINES and isinstance(value, int):
        return tag("td", f"{value:,}", class_="n")
    width = words.ID_WIDTH if column == "id" else words.DETAIL_WIDTH
    return tag("td", name(words.shorten("–" if value is None else str(value), width)))
