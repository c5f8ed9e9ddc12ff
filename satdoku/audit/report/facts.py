"""Turn the numbers of an audit into columns, problems and good news for the page and the terminal.

Invariant: every sentence follows from numbers of the report. Nothing is called good that was not
checked. Rounding never hides anything: a share above 0 is never shown as 0 %, and a share below
100 % is never shown as 100 %.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

from ...render.markup import counted
from ...runtime.errors import shown

NAME_WIDTH, PATH_WIDTH, HEADING_WIDTH, ID_WIDTH, DETAIL_WIDTH = 40, 80, 60, 40, 200  # characters


_BARS = " ▁▂▃▄▅▆▇█"


def percent(part: int, whole: int) -> str:
    """`part` of `whole` in per cent, precise to two digits of its distance to 0 % or 100 %."""
    if whole <= 0:
        return ""
    least = min(part, whole - part)
    decimals = max(0, 1 - math.floor(math.log10(100 * least / whole))) if least > 0 else 0
    text = f"{100 * part / whole:.{decimals}f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) + " %"


def duration(seconds: float) -> str:
    """The time in seconds, minutes or hours, whichever fits best."""
    for unit, length in (("h", 3600.0), ("min", 60.0)):
        if seconds >= 2 * length:
            return f"{seconds / length:,.1f} {unit}"
    return f"{seconds:.1f} s"


def capitalised(text: str) -> str:
    """The text with a capital first letter; the rest is unchanged."""
    return text[:1].upper() + text[1:]


def compact(count: int) -> str:
    """A count for an axis label, rounded down: 8,192, 65 k, 1 M."""
    for unit, size in (("G", 10**9), ("M", 10**6), ("k", 10**3)):
        if count >= max(size, 10**4):
            return f"{count // size} {unit}"
    return f"{count:,}"


def shorten(text: str, width: int = NAME_WIDTH) -> str:
    """At most `width` visible characters; the middle of a longer text is cut out."""
    if len(text) > 2 * width:  # read only the ends of a very long text
        text = text[:width] + text[-width:]
    text = shown(text)
    tail = width // 2
    return text if len(text) <= width else f"{text[: width - tail - 1]}…{text[-tail:]}"


def bars(counts: Sequence[int]) -> str:
    """A character for each count, as high as its share of the largest; a blank only for 0."""
    top = max(counts, default=0)
    return "".join(_BARS[-(-(len(_BARS) - 1) * count // top)] if count else " " for count in counts)


def median(histogram: Mapping[int, int]) -> int:
    """The lower median of the rows; the histogram must not be empty."""
    middle = (sum(histogram.values()) + 1) // 2
    for entry in sorted(histogram):
        middle -= histogram[entry]
        if middle <= 0:
            return entry
    raise ValueError("an empty histogram has no median")


Report = Mapping[str, Any]  # see the package's docstring

LEAKED = "In another file too"
GRID_LEAKED = "Another puzzle of the same solution in another file"
REPEATED_GRID = "repeated grid"
UNSTATED = "unstated rules"
WITHOUT_MEASURE = (REPEATED_GRID, UNSTATED)  # kinds of findings that no `Measure` counts
# The sections of a report with what one file shares with another.
BETWEEN = {LEAKED: "leaks", GRID_LEAKED: "grid_leaks"}
LEAK_KINDS = ("exact", "symmetric")
NAME_PARTS = 4  # a file's name shows at most this many parts of its path
SHOWN = 3  # a problem names at most this many places; the table has all of them
# What to do about each kind of finding.
ADVICE = {
    LEAKED: "Remove these rows from one of the two files: a test must not measure memory.",
    "malformed row": "Repair or drop these rows: a reader that skips them silently shifts every "
    "row after them.",
    UNSTATED: "State these rules in clues (--stated), or check the rows by hand: nothing is known "
    "of their solutions.",
    "clashing givens": "Two givens break a rule: look for a shifted column or the wrong rules.",
    "no solution": "Drop these puzzles, or look for a mistyped given; under other rules they may "
    "have a solution.",
    "several solutions": "Drop these puzzles or add givens: a solver may rightly answer with "
    "another solution than the stated one.",
    "undecided": "The search ended without an answer: audit these rows again with a larger budget.",
    "wrong answer": "Solve these puzzles again and replace the answers: they break the rules.",
    "givens changed": "The answer belongs to another puzzle: look for answers in the wrong rows.",
    "unreadable answer": "Repair these answers: they are not grids of the puzzle's size.",
    "unproved": "Make these proofs again, as `satdoku batch --columns puzzle,solution,proof` does: "
    "they are missing, or about other grids.",
    "exact duplicate": "Keep one row of each puzzle: repeated puzzles weigh more in an average.",
    "symmetric duplicate": "The same puzzle, renamed or rotated: keep one of each, unless "
    "they are meant to augment the data.",
    GRID_LEAKED: "Keep all puzzles of a solution grid in one file, as `satdoku split --by grid` "
    "does: who has seen the grid knows the answer.",
    REPEATED_GRID: "Several puzzles of the file have this solution: keep one of each.",
}
OTHER_ADVICE = "Look at these rows before you rely on the file."


class Measure(NamedTuple):
    """A number in a file's report: where it is, its column and, if it should be 0, the problem."""

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
    Measure("proofs", "proved", "proved", rare=True),
    Measure("proofs", "unproved", "unproved", "Not proved", rare=True),
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
        """The total that the hits are part of."""
        return f"of {self.whole:,} {self.unit} in"

    @property
    def share(self) -> str:
        """The percentage and the note in brackets; empty if there is neither."""
        known = ", ".join(filter(None, [percent(self.hits, self.whole), self.note]))
        return f"({known})" if known else ""


class Problem(NamedTuple):
    """A kind of problem in words, and the places that have it in the order of the files."""

    what: str
    places: Sequence[Place]


def problems(report: Report) -> list[Problem]:
    """The problems by kind, leaks between files first; empty if there are none."""
    names = file_names(report)
    found = {
        what: [leaked(leak, report, names) for leak in report[section]]
        for what, section in BETWEEN.items()
    }
    for measure in (m for m in MEASURES if m.problem):
        found[measure.problem] = [
            Place(_hits(file, measure, report), *base_of(file, measure), name)
            for file, name in zip(report["files"], names, strict=True)
        ]
    for file, name in zip(report["files"], names, strict=True):
        for finding in file["findings"]:
            if finding["kind"] not in ADVICE or finding["kind"] in WITHOUT_MEASURE:
                place = Place(finding["count"], file["rows"], "rows", name)
                found.setdefault(capitalised(shorten(finding["kind"])), []).append(place)
    there = {what: [p for p in places if p.hits] for what, places in found.items()}
    return [Problem(what, places) for what, places in there.items() if places]


def _hits(file: Report, measure: Measure, report: Report) -> int:
    """The number that a measure has found, without what is a problem of its own."""
    apart = _found(file, UNSTATED) if measure.key == "invalid" else 0
    return (value(file, measure, report) or 0) - apart


def and_more(places: Sequence[Place]) -> str:
    """The words for the places that are not named."""
    return f"; and in {len(places) - SHOWN:,} more" if len(places) > SHOWN else ""


def leaked(leak: Report, report: Report, names: Sequence[str]) -> Place:
    """The number of rows of one file that the other one holds."""
    source, target = leak_names(leak, report, names)
    exact, symmetric = (leak.get(kind, 0) for kind in LEAK_KINDS)
    note = f"{exact:,} exact, {symmetric:,} up to symmetry" if symmetric else ""
    rows = rows_of(leak["into"], report)
    return Place(size_of(leak), rows, "rows", f"{target}, shared with {source}", note)


def praises(report: Report) -> Iterator[str]:
    """The good news, one sentence per check; nothing about checks that were not made."""
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
    if told := _proved(report, rows, stated):
        yield told
    how = ", exactly or up to symmetry" if report["symmetry"] else ""
    known = any(file["grids"] for file in files)
    if not any(count for file in files for count in file["duplicates"].values()):
        grid = ", or its solution grid" if known and not any(map(_has_clusters, files)) else ""
        yield f"No row repeats another of its file{grid}{how}."
    if len(files) > 1 and not any(map(size_of, report["leaks"])):
        grid = ", or its solution grid" if known and not report["grid_leaks"] else ""
        yield f"No file holds a row of another{grid}{how}."


def _proved(report: Report, rows: int, stated: int) -> str:
    """What the proofs prove, if they all hold."""
    counts: Counter[str] = Counter()
    for file in report["files"]:
        counts.update(file.get("proofs", {}))
    if not counts["checked"] or counts["unproved"]:
        return ""
    unique = sum(file["statuses"].get("unique", 0) for file in report["files"])
    checked = f"checked in {duration(report['proof_seconds'])} of processor time"
    if counts["checked"] == rows == stated == unique:
        return f"Every answer and every uniqueness is proved, {checked}."
    return f"All {counts['checked']:,} proofs hold, {checked}."


def remarks(report: Report) -> Iterator[str]:
    """What is neither good nor bad: how files are read, how many puzzles share a solution grid."""
    for file, name in zip(report["files"], file_names(report), strict=True):
        if file.get("layout"):
            yield f"Layout of {name}: {file['layout']}."
        if _has_clusters(file):
            grids = file["grids"]
            up_to = f", {grids['classes']:,} up to symmetry" if "classes" in grids else ""
            yield (
                f"Solution grids of {name}: {counted(grids['known'], 'puzzle')} with "
                f"{counted(grids['distinct'], 'grid')}{up_to}; the most frequent has "
                f"{counted(grids['largest'], 'puzzle')}, the first in line {grids['line']:,}."
            )


def _has_clusters(file: Report) -> bool:
    """Whether puzzles of a file share a solution grid."""
    return int(file["grids"].get("largest", 0)) > 1


def measures(report: Report) -> list[Measure]:
    """The numbers that get a column in this report."""
    return [m for m in MEASURES if not m.rare or any(value(f, m, report) for f in report["files"])]


def value(file: Report, measure: Measure, report: Report) -> int | None:
    """A file's number; None if it was not looked for or the file states no answers."""
    counts = file.get(measure.section, {})
    if measure.key == "symmetric" and not report["symmetry"]:
        return None
    if measure.section == "answers" and measure.key != "stated" and not counts.get("stated", 0):
        return None
    return int(counts.get(measure.key, 0))


def base_of(file: Report, measure: Measure) -> tuple[int, str]:
    """The total that a file's number is a part of, and the unit's name."""
    if measure.section == "answers":
        return int(file["answers"].get("stated", 0)), "answers"
    return int(file["rows"]), "rows"


def size_of(finding: Report) -> int:
    """The number of rows of a finding or a leak."""
    return int(
        finding["count"] if "count" in finding else sum(map(finding.get, LEAK_KINDS, (0, 0)))
    )


def rows_of(path: str, report: Report) -> int:
    """The number of rows of a file; 0 if the report has no such file."""
    return next((int(file["rows"]) for file in report["files"] if file["path"] == path), 0)


def file_names(report: Report) -> list[str]:
    """A short, unique name for each file: the last part of its path, or more parts if needed."""
    paths = [file["path"] for file in report["files"]]
    parts = [PurePath(path).parts or (path,) for path in paths]
    for depth in range(1, 1 + NAME_PARTS):
        names = [shorten(str(PurePath(*part[-depth:]))) for part in parts]
        if len(set(names)) == len(names):
            return names
    return [f"{number}: {shorten(path)}" for number, path in enumerate(paths, start=1)]


def leak_names(leak: Report, report: Report, names: Sequence[str]) -> tuple[str, str]:
    """The short names of two files: the one that the rows come from, and the one that repeats them.

    If a file was given twice, these are its first and its last name.
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
    return f"Not sound: {counted(count, 'kind')} of problem" if count else "Not sound"


def circumstances(report: Report) -> str:
    """What was audited, how long it took, and which version did it."""
    rows = sum(file["rows"] for file in report["files"])
    looked_at = f"{counted(rows, 'row')} in {counted(len(report['files']), 'file')}"
    symmetry = report["symmetry"] or "not looked for"
    sound = sum(file["sound"] for file in report["files"])
    unreadable = sum(map(_unreadable, report["files"]))
    return (
        f"{looked_at}: {rows - unreadable:,} read, {unreadable:,} unreadable; "
        f"{sound:,} sound, {rows - sound:,} with faults; rules: {report['rules']}; "
        f"{duration(report['seconds'])}; satdoku {report['satdoku']}; "
        f"duplicates up to symmetry: {symmetry}"
    )


def _unreadable(file: Report) -> int:
    """The rows of a file that hold no puzzle that can be read."""
    return _found(file, "malformed row") + _found(file, UNSTATED)


def _found(file: Report, kind: str) -> int:
    """How many findings of a kind a file has."""
    return int(next((f["count"] for f in file["findings"] if f["kind"] == kind), 0))


def distribution(file: Report, head: str) -> str:
    """One of `DISTRIBUTIONS` of a file: least value, a bar for each bin, largest value."""
    section, bin_of = DISTRIBUTIONS[head]
    heights: Counter[int] = Counter()
    for entry, count in file[section].items():
        heights[bin_of(float(entry))] += count
    if not heights:
        return "-"
    drawn = bars([heights[number] for number in range(min(heights), max(heights) + 1)])
    return f"{min(file[section], key=float)} {drawn} {max(file[section], key=float)}"


def _power(nodes: float) -> int:
    return int(nodes).bit_length()


# Head of a column -> the section of a file's report, and the bin of each of its numbers.
DISTRIBUTIONS: Mapping[str, tuple[str, Callable[[float], int]]] = {
    "givens": ("givens", int),
    "nodes": ("effort", _power),
    "ER": ("ratings", int),
}
