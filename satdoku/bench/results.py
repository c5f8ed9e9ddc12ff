"""The CSV of measurements, one row for each.

Invariant: a row is written once and whole. An existing file is continued; if its last line was cut
off, that line is dropped and measured again. What was not measured is an empty field, never 0.

To publish a folder, compress its file: `zstd -19 --rm measurements.csv`. What stands in
measurements.csv.zst is read too, and is not measured again.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable
from contextlib import AbstractContextManager
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from ..files.streams import FileError, read_text
from ..runtime.errors import SatdokuError, counted
from .instances import MODES

FILE_NAME = "measurements.csv"
PACKED = f"{FILE_NAME}.zst"
# The status of an answer, or of a measurement without one.
ANSWERED = ("unique", "multiple", "none", "solved")
UNANSWERED = ("timeout", "memory", "unknown", "error")
WRONG = "wrong"


class ResultsError(SatdokuError):
    """A file that does not hold measurements, or that cannot be written."""


class Row(NamedTuple):
    """One measurement; the fields are the columns, seconds for all that ends in _s.

    build_s: everything up to the search; in `incremental` 0 where an earlier row of the same
    process built the solver. build_s, solve_s and timeout_s are processor time, in the mode
    `parallel` wall-clock time. import_s: the library's import in that process, not part of the
    other two. propagations and the like: as the solver counts them, empty where it does not.
    repeat: from 1. source: where the task's instances come from. note: what went wrong.
    """

    task: str
    instance: str
    backend: str
    encoding: str
    mode: str
    status: str
    build_s: float | None
    solve_s: float | None
    conflicts: int | None
    decisions: int | None
    propagations: int | None
    variables: int | None
    clauses: int | None
    timeout_s: float
    seed: int
    versions: str
    cpu: str
    import_s: float | None
    kind: str
    repeat: int
    source: str
    note: str

    @property
    def key(self) -> Key:
        """What was measured: a row with the same key need not be measured again."""
        return Key(
            self.task, self.instance, self.backend, self.encoding, self.mode,
            self.timeout_s, self.seed, self.repeat,
        )  # fmt: skip

    @property
    def wrong(self) -> str:
        """One line on a wrong answer; empty for any other."""
        if self.status != WRONG:
            return ""
        what = f"{self.backend} {self.encoding} on {self.task} {self.instance} ({self.mode})"
        return f"WRONG ANSWER: {what}: {self.note}; excluded from all times"

    @property
    def answered(self) -> bool:
        return self.status in ANSWERED

    @property
    def total_s(self) -> float:
        """Seconds to the answer, building included; infinite if there is none."""
        if not self.answered or self.build_s is None or self.solve_s is None:
            return float("inf")
        return self.build_s + self.solve_s

    @property
    def search_s(self) -> float:
        """Seconds of solving alone; infinite if there is no answer."""
        return float("inf") if not self.answered or self.solve_s is None else self.solve_s


class Key(NamedTuple):
    """What identifies a measurement."""

    task: str
    instance: str
    backend: str
    encoding: str
    mode: str
    timeout_s: float
    seed: int
    repeat: int


_REAL = {"build_s", "solve_s", "timeout_s", "import_s"}
_WHOLE = {"conflicts", "decisions", "propagations", "variables", "clauses", "seed", "repeat"}
_CHOICES = {
    "mode": tuple(MODES),
    "kind": ("boolean", "integer"),
    "status": (*ANSWERED, *UNANSWERED, WRONG),
}
HEADER = ",".join(Row._fields)
_LONGEST = 200  # characters of an error, which may repeat a field


def folder_rows(folder: Path) -> list[Row]:
    """The rows of a folder, packed ones first; raises `ResultsError` if it has neither file."""
    paths = [path for path in (folder / PACKED, folder / FILE_NAME) if path.exists()]
    return [row for path in paths or [folder / FILE_NAME] for row in read_rows(path)]


def read_rows(path: Path) -> list[Row]:
    """All whole rows of the file; raises `ResultsError` with the line of the first bad one."""
    try:
        text = read_text(str(path))
    except FileError as error:
        raise ResultsError(str(error)) from None
    whole = text[: text.rfind("\n") + 1]
    lines = csv.reader(StringIO(whole))
    try:
        if next(lines, None) != list(Row._fields):
            raise ResultsError(f"{path}: line 1: expected the header {HEADER}")
        return [_row(values, f"{path}: line {lines.line_num}") for values in lines]
    except csv.Error as error:  # a field beyond all bounds, a line break of another kind
        raise ResultsError(f"{path}: line {lines.line_num}: {str(error)[:_LONGEST]}") from None


def _row(values: list[str], place: str) -> Row:
    if len(values) != len(Row._fields):
        raise ResultsError(
            f"{place}: found {counted(len(values), 'field')}, expected {len(Row._fields)}"
        )
    fields = dict(zip(Row._fields, values, strict=True))
    try:
        return Row(**{name: _value(name, text) for name, text in fields.items()})  # type: ignore[arg-type]
    except ValueError as error:
        raise ResultsError(f"{place}: {str(error)[:_LONGEST]}") from None


def _value(name: str, text: str) -> str | float | int | None:
    if name in _REAL:
        return float(text) if text else None
    if name in _WHOLE:
        return int(text) if text else None
    if name in _CHOICES and text not in _CHOICES[name]:
        raise ValueError(f"found {name} {text!r}, expected one of {', '.join(_CHOICES[name])}")
    return text


def _text(row: Row) -> str:
    out = StringIO()
    texts = ("" if v is None else f"{v:.6f}" if isinstance(v, float) else v for v in row)
    csv.writer(out, lineterminator="\n").writerow(" ".join(str(t).split("\n")) for t in texts)
    return out.getvalue()


class Results(AbstractContextManager["Results"]):
    """A results file open for writing; `done` holds the keys of the rows that its folder has."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE_NAME
        try:
            folder.mkdir(parents=True, exist_ok=True)
            rows = self._prepare()
            self._stream = self.path.open("a", encoding="utf-8", newline="")
        except OSError as error:
            raise ResultsError(f"{self.path}: {error.strerror}") from None
        self.done = {row.key for row in rows}

    def _prepare(self) -> list[Row]:
        """The rows of the file, which then holds whole lines only, at least a header."""
        if not self.path.exists() or b"\n" not in self.path.read_bytes():
            self.path.write_text(HEADER + "\n", encoding="utf-8")
        rows = folder_rows(self.path.parent)
        whole = self.path.read_bytes().rfind(b"\n") + 1
        os.truncate(self.path, whole)
        return rows

    def write(self, rows: Iterable[Row]) -> None:
        """Append rows; they are in the file when this returns."""
        for row in rows:
            self._stream.write(_text(row))
        self._stream.flush()

    def __exit__(self, *_: object) -> None:
        self._stream.close()
