"""What the numbers of an audit say: columns, problems and good results, for page and terminal.

Invariant: every sentence follows from numbers of the report. Nothing is said to be good that was
not checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

from .words import (
    duration,
    percent,
    plural,
    shorten,
)

Report = Mapping[str, Any]  # see the package's docstring

LEAKED = "In another file too"
LEAK_KINDS = ("exact", "symmetric")
NAME_PARTS = 4  # of a path, at most, in a file's name
SHOWN = 3  # places of a problem that are named; the table lists all of them
# What to do about each kind of finding.
ADVICE = {
    LEAKED: "Take these rows out of one of the two files, or a test measures memory, not skill.",
    "malformed row": "Repair or drop these rows: a reader that skips them silently shifts every "
    "row after them.",
    "clashing givens": "Two givens break a rule, so these are no puzzles: look for a shifted "
    "column or the wrong rules.",
    "no solution": "Drop these puzzles, or look for a mistyped given; under other rules they may "
    "have a solution.",
    "several solutions": "Drop these puzzles or add givens: a solver may rightly answer with "
    "another solution than the stated one.",
    "undecided": "The search gave up first: audit these rows again with a larger budget.",
    "wrong answer": "Solve these puzzles again and replace the answers: they break the rules.",
    "givens changed": "The answer belongs to another puzzle: look for rows that are shifted "
    "against each other.",
    "unreadable answer": "Repair these answers: they are not grids of the puzzle's size.",
    "exact duplicate": "Keep one row of each: repeated puzzles weigh more in any average.",
    "symmetric duplicate": "The same puzzle, renamed or rotated: keep one of each, unless "
    "they are meant to augment the data.",
}
OTHER_ADVICE = "Look at these rows before you rely on the file."


class Measure(NamedTuple):
    """A number of a file's report: its place, its column and, if it should be 0, the problem."""

    section: str
    key: str
    column: str
    problem: str = ""
    rare: bool = False  # shown only if some file has it


MEASURES = (
    Measure("statuses", "unique", "unique"),
    Measure("statuses", "solved", "solved", rare=True),
    Measure("statuses", "multiple", "multiple", "More than one solution"),
    Measure("statuses", "none", "none", "No solution"),
    Measure("statuses", "invalid", "invalid", "Malformed, or givens clash"),
    Measure("statuses", "unknown", "unknown", "Not decided within the budget", rare=True),
    Measure("answers", "stated", "stated"),
    Measure("answers", "right", "right"),
    Measure("answers", "wrong", "wrong", "Stated answer is wrong"),
    Measure("answers", "givens changed", "givens changed", "Answer changes givens", rare=True),
    Measure("answers", "unreadable", "unreadable", "Stated answer is unreadable", rare=True),
    Measure("duplicates", "exact", "exact", "Repeats an earlier row exactly"),
    Measure("duplicates", "symmetric", "symmetric", "Repeats an earlier row up to symmetry"),
)


class Place(NamedTuple):
    """`hits` of the `whole` rows or answers in a file have a problem."""

    hits: int
    whole: int
    unit: str
    where: str
    note: str = ""

    @property
    def base(self) -> str:
        """The rows or answers that the hits are a part of."""
        return f"of {self.whole:,} {self.unit} in"

    @property
    def share(self) -> str:
        """The percentage and the note in brackets; empty if there is neither."""
        known = ", ".join(filter(None, [percent(self.hits, self.whole), self.note]))
        return f"({known})" if known else ""


class Problem(NamedTuple):
    """A kind of problem in words and the places that have it, in the order of the files."""

    what: str
    places: Sequence[Place]


def problems(report: Report) -> list[Problem]:
    """The problems by kind, leaks between files first; empty if there are none."""
    names = file_names(report)
    found = {LEAKED: [leaked(leak, report, names) for leak in report["leaks"]]}
    for measure in (m for m in MEASURES if m.problem):
        found[measure.problem] = [
            Place(value(file, measure, report) or 0, *base_of(file, measure), name)
            for file, name in zip(report["files"], names, strict=True)
        ]
    for file, name in zip(report["files"], names, strict=True):
        for finding in file["findings"]:
            if finding["kind"] not in ADVICE:  # so no measure counts it
                place = Place(finding["count"], file["rows"], "rows", name)
                found.setdefault(shorten(finding["kind"]), []).append(place)
    there = {what: [p for p in places if p.hits] for what, places in found.items()}
    return [Problem(what, places) for what, places in there.items() if places]


def and_more(places: Sequence[Place]) -> str:
    """The words for the places that are not named."""
    return f"; and in {len(places) - SHOWN:,} more" if len(places) > SHOWN else ""


def leaked(leak: Report, report: Report, names: Sequence[str]) -> Place:
    """How many rows of the one file are in the other."""
    source, target = leak_names(leak, report, names)
    exact, symmetric = (leak.get(kind, 0) for kind in LEAK_KINDS)
    note = f"{exact:,} exact, {symmetric:,} up to symmetry" if symmetric else ""
    rows = rows_of(leak["into"], report)
    return Place(size_of(leak), rows, "rows", f"{target}, shared with {source}", note)


def praises(report: Report) -> Iterator[str]:
    """What is good, one sentence per check; nothing about what was not checked."""
    files = report["files"]
    rows = sum(file["rows"] for file in files)
    statuses = {status for file in files for status, count in file["statuses"].items() if count}
    if rows and statuses <= {"unique"}:
        yield "Every row holds a well-formed puzzle with exactly one solution."
    elif rows and statuses <= {"unique", "solved"}:
        yield "Every row holds a puzzle with a solution; not all were searched for a second one."
    stated = sum(file["answers"].get("stated", 0) for file in files)
    if stated and stated == sum(file["answers"].get("right", 0) for file in files):
        yield f"All {stated:,} stated answers are right."
    elif not stated:
        yield "No answers are stated."
    how = ", exactly or up to symmetry" if report["symmetry"] else ""
    if not any(count for file in files for count in file["duplicates"].values()):
        yield f"No row repeats another of its file{how}."
    if len(files) > 1 and not any(map(size_of, report["leaks"])):
        yield f"No file holds a row of another{how}."


def measures(report: Report) -> list[Measure]:
    """The numbers worth a column in this report."""
    return [m for m in MEASURES if not m.rare or any(value(f, m, report) for f in report["files"])]


def value(file: Report, measure: Measure, report: Report) -> int | None:
    """A number of a file; None if it was not looked for or no answers are stated."""
    counts = file[measure.section]
    if measure.key == "symmetric" and not report["symmetry"]:
        return None
    if measure.section == "answers" and measure.key != "stated" and not counts.get("stated", 0):
        return None
    return int(counts.get(measure.key, 0))


def base_of(file: Report, measure: Measure) -> tuple[int, str]:
    """The whole that a file's number is a part of, and its unit."""
    if measure.section == "answers":
        return int(file["answers"].get("stated", 0)), "answers"
    return int(file["rows"]), "rows"


def size_of(finding: Report) -> int:
    """The rows of a finding or of a leak."""
    return int(
        finding["count"] if "count" in finding else sum(map(finding.get, LEAK_KINDS, (0, 0)))
    )


def rows_of(path: str, report: Report) -> int:
    """The number of rows of a file; 0 if the report has no such file."""
    return next((int(file["rows"]) for file in report["files"] if file["path"] == path), 0)


def file_names(report: Report) -> list[str]:
    """A short, distinct name for each file: the last part of its path, or a few parts."""
    paths = [file["path"] for file in report["files"]]
    parts = [PurePath(path).parts or (path,) for path in paths]
    for depth in range(1, 1 + NAME_PARTS):
        names = [shorten(str(PurePath(*part[-depth:]))) for part in parts]
        if len(set(names)) == len(names):
            return names
    return [f"{number}: {shorten(path)}" for number, path in enumerate(paths, start=1)]


def leak_names(leak: Report, report: Report, names: Sequence[str]) -> tuple[str, str]:
    """The short names of the two files: where the rows come from, and where they occur again.

    If one file was given twice, the first and the last of its names.
    """
    named = [(file["path"], name) for file, name in zip(report["files"], names, strict=True)]
    first, last = dict(reversed(named)), dict(named)
    source, target = leak["from"], leak["into"]
    return first.get(source, shorten(source)), last.get(target, shorten(target))


def headline(report: Report) -> str:
    """The verdict in a few words."""
    if report["sound"]:
        return "Sound"
    count = len(problems(report))
    return f"Not sound: {plural(count, 'kind')} of problem" if count else "Not sound"


def circumstances(report: Report) -> str:
    """What was checked, how long it took, and by which version."""
    rows = sum(file["rows"] for file in report["files"])
    looked_at = f"{plural(rows, 'row')} in {plural(len(report['files']), 'file')}"
    symmetry = report["symmetry"] or "not looked for"
    return (
        f"{looked_at}; rules: {report['rules']}; "
        f"{duration(report['seconds'])}; satdoku {report['satdoku']}; "
        f"duplicates up to symmetry: {symmetry}"
    )
