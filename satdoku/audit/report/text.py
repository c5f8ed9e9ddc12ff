"""The summary of an audit for the terminal.

Invariant: it states the same facts as the page, in plain lines that fit a screen. Text from the
files reaches the terminal only as printable characters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from .facts import (
    DISTRIBUTIONS,
    SHOWN,
    Report,
    and_more,
    circumstances,
    distribution,
    file_names,
    headline,
    measures,
    praises,
    problems,
    remarks,
    value,
)


def report_text(report: Report) -> str:
    """An audit's report (see the package's docstring) as lines of text, without a final newline."""
    problem_lines = list(_problems(report))
    praise_lines = [f"  {praise}" for praise in praises(report)]
    told = praise_lines + problem_lines if report["sound"] else problem_lines + praise_lines
    told += [f"  {remark}" for remark in remarks(report)]
    if problem_lines:
        told.append("  --rows OUT.csv lists all rows, each with what was found.")
    tables = [*_files(report), *_distributions(report), ""]
    return "\n".join([headline(report), *told, "", *tables, circumstances(report)])


def _problems(report: Report) -> Iterator[str]:
    for problem in problems(report):
        places = "; ".join(
            f"{place.hits:,} {place.base} {place.where} {place.share}".rstrip()
            for place in problem.places[:SHOWN]
        )
        yield f"  {problem.what}: {places}{and_more(problem.places)}"


def _files(report: Report) -> list[str]:
    """The table of the files, without empty columns."""
    columns = [m for m in measures(report) if any(value(f, m, report) for f in report["files"])]
    rows = [["file", "rows", "sound", *(column.column for column in columns)]]
    for file, name in zip(report["files"], file_names(report), strict=True):
        numbers = [
            file["rows"],
            file["sound"],
            *(value(file, column, report) for column in columns),
        ]
        rows.append([name, *("-" if n is None else f"{n:,}" for n in numbers)])
    return _aligned(rows)


def _distributions(report: Report) -> Iterator[str]:
    """The distributions of the files, without empty columns; nothing if all are empty."""
    files = report["files"]
    heads = [head for head, (section, _) in DISTRIBUTIONS.items() if any(f[section] for f in files)]
    rows = [["file", *heads]]
    for file, name in zip(files, file_names(report), strict=True):
        rows.append([name, *(distribution(file, head) for head in heads)])
    if heads:
        yield from ("", *(line.rstrip() for line in _aligned(rows, str.ljust)))


def _aligned(
    rows: Sequence[Sequence[str]], align: Callable[[str, int], str] = str.rjust
) -> list[str]:
    """Rows as lines: the first column is left-aligned, the others by default right-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join([row[0].ljust(widths[0]), *map(align, row[1:], widths[1:])]) for row in rows]
