"""Present the result of an audit as an HTML page or as a summary for the terminal.

Invariant: plain data goes in, and text comes out. Nothing is counted again here. The summary states
the same facts as the page, in plain lines that fit a screen. Text from the audited files (paths,
ids, details) is not trusted: it is shortened, made printable and escaped.

The data is what `json` reads and writes. A missing count means 0:

    satdoku, rules   version and names of the rules, str; seconds: how long the audit took
    proof_seconds    processor time of the check of proofs, if it was requested
    sound            bool: whether nothing is wrong
    symmetry         str: the symmetries that make two puzzles equal; None: not looked for
    files            a list with one entry per file:
        path, rows   path as given; number of rows that should hold a puzzle
        layout       how the file is laid out, in words; empty for a puzzle a line
        sound        rows with nothing that is a fault
        statuses     name of a `Status` -> rows
        answers      stated -> puzzles with an answer; each of them also counts under right, wrong,
                     givens changed or unreadable
        proofs       checked -> rows whose status can be proved; each of them also counts under
                     proved or unproved; empty if not requested
        duplicates   exact -> rows that repeat an earlier row of the file; symmetric -> rows that do
                     so only up to symmetry
        grids        of the puzzles whose solution grid is known: known, their number; distinct and
                     classes, how many grids they have, exactly and up to symmetry; largest, how
                     many have the most frequent one (up to symmetry if possible); line, the first
                     of these; empty if no grid is known
        givens       number of givens (as str) -> puzzles
        effort       lower end of a power-of-two bin of search nodes (as str) -> puzzles; puzzles
                     with several solutions are omitted, because their nodes depend on chance
        ratings      ER (as str) -> puzzles; empty if not requested
        findings     a list: kind (see `ADVICE`), count, and examples: line, id or None, detail
    leaks            a list with one entry per pair of files: from, into (paths); exact, symmetric:
                     rows of `into` that `from` also holds; examples: line and id of `into`,
                     other_line, detail
    grid_leaks       the same for rows whose puzzle `from` does not hold, but another puzzle with
                     the same solution grid
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from . import facts
from .facts import ADVICE, Report
from .page import ReportError, report_page, require_matplotlib

__all__ = ["ADVICE", "Report", "ReportError", "report_page", "report_text", "require_matplotlib"]


def report_text(report: Report) -> str:
    """An audit's report (see the package's docstring) as lines of text, without a final newline."""
    problem_lines = list(_problems(report))
    praise_lines = [f"  {praise}" for praise in facts.praises(report)]
    told = praise_lines + problem_lines if report["sound"] else problem_lines + praise_lines
    told += [f"  {remark}" for remark in facts.remarks(report)]
    if problem_lines:
        told.append("  --rows OUT.csv lists all rows, each with what was found.")
    tables = [*_files(report), *_distributions(report), ""]
    return "\n".join([facts.headline(report), *told, "", *tables, facts.circumstances(report)])


def _problems(report: Report) -> Iterator[str]:
    for problem in facts.problems(report):
        places = "; ".join(
            f"{place.hits:,} {place.base} {place.where} {place.share}".rstrip()
            for place in problem.places[: facts.SHOWN]
        )
        yield f"  {problem.what}: {places}{facts.and_more(problem.places)}"


def _files(report: Report) -> list[str]:
    """The table of the files, without empty columns."""
    columns = [
        m for m in facts.measures(report) if any(facts.value(f, m, report) for f in report["files"])
    ]
    rows = [["file", "rows", "sound", *(column.column for column in columns)]]
    for file, name in zip(report["files"], facts.file_names(report), strict=True):
        numbers = [
            file["rows"],
            file["sound"],
            *(facts.value(file, column, report) for column in columns),
        ]
        rows.append([name, *("-" if n is None else f"{n:,}" for n in numbers)])
    return _aligned(rows)


def _distributions(report: Report) -> Iterator[str]:
    """The distributions of the files, without empty columns; nothing if all are empty."""
    files = report["files"]
    heads = [
        head for head, (section, _) in facts.DISTRIBUTIONS.items() if any(f[section] for f in files)
    ]
    rows = [["file", *heads]]
    for file, name in zip(files, facts.file_names(report), strict=True):
        rows.append([name, *(facts.distribution(file, head) for head in heads)])
    if heads:
        yield from ("", *(line.rstrip() for line in _aligned(rows, str.ljust)))


def _aligned(
    rows: Sequence[Sequence[str]], align: Callable[[str, int], str] = str.rjust
) -> list[str]:
    """Rows as lines: the first column is left-aligned, the others by default right-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join([row[0].ljust(widths[0]), *map(align, row[1:], widths[1:])]) for row in rows]
