"""Collections made clean: the sound rows in one file, the others in another, with the reason.

Invariant: an audit of the output, with the same kinds allowed, finds nothing. Every row that is
read is kept or dropped, with all its columns; only answers that are to be repaired change. The
first sound row of each class stays: an unsound row never takes the place of a sound one that it
equals.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..audit.files import ALL_CHECKS, Checks
from ..audit.rows import AnswerCheck
from ..audit.table import AuditRows
from ..audit.tally import GRID_LEAK, KINDS, LEAK, OF_ANSWERS, OF_ROWS, bit_of, describe_answer
from ..batch.options import BatchOptions
from ..batch.solve import check_rules, describe_clash
from ..files.collection import Chunk
from ..files.collection.beside import Table, unique_names
from ..files.formats import AS_IT_IS, ReadOptions
from ..files.outputs import check_outputs
from ..files.streams import File, Files, files_named, named
from ..files.tables import open_table
from ..model.constraints import RulesLike, constraints_for
from ..runtime.errors import Status
from ..runtime.progress import Progress, reporting
from .inputs import Copied, Flags, Inputs, copied, read_twice, with_answers

if TYPE_CHECKING:
    from ..runtime.workers import WorkersLike


Codes = NDArray[np.uint8]
Places = NDArray[np.signedinteger[Any]]  # row numbers from 0, -1 for none

REASONS = ("", *KINDS)  # why a row is dropped, by code
REPEATED_GRID = "repeated grid"
EXACT, SYMMETRIC = "exact duplicate", "symmetric duplicate"


class Classes(NamedTuple):
    """For each of N rows the first row of its class, -1 for none.

    exact, symmetric: (N,), rows that hold the same puzzle, and the same up to symmetry (the exact
    ones if symmetry is not looked for). grids: (N,), rows whose puzzles have the same solution
    grid, likewise.
    """

    exact: Places
    symmetric: Places
    grids: Places


class Selection(NamedTuple):
    """The rows that are kept, and why the others are not.

    kept: (N,) bool. reasons: (N,) uint8, index into `REASONS`, 0 for rows that are kept or not
    asked for. others: (N,), the row that a dropped one repeats, -1 for none.
    """

    kept: Flags
    reasons: Codes
    others: Places

    def without(self, kind: str, others: Places) -> Selection:
        """The selection less the kept rows that repeat one of the others, which is the reason."""
        gone = self.kept & (others >= 0)
        reasons = np.where(gone, np.uint8(REASONS.index(kind)), self.reasons)
        return Selection(self.kept & ~gone, reasons, np.where(gone, others, self.others))


def select(faults: Codes, classes: Classes, asked: Flags, allowed: Collection[str]) -> Selection:
    """Keep the first row of each class among the rows that are `asked` for and have no fault.

    faults: (N,) uint8, index into `REASONS`: what is wrong with the row itself. The other rows are
    those whose puzzles and solution grids no kept row may repeat. Kinds that are `allowed` drop
    nothing. A row that equals another puzzle is no finding of the kinds about grids.
    """
    exact, symmetric, grids = classes
    nothing = np.full(len(faults), -1, exact.dtype)
    found = Selection(asked & (faults == 0), np.where(asked, faults, np.uint8(0)), nothing)
    leaks = first_of(symmetric, ~asked)
    if LEAK not in allowed:
        found = found.without(LEAK, leaks)
    if GRID_LEAK not in allowed:
        found = found.without(GRID_LEAK, np.where(leaks < 0, first_of(grids, ~asked), -1))
    # The widest classes first: what is dropped for a row that stays is named after that row alone.
    for kind, labels, alike in (
        (REPEATED_GRID, grids, symmetric),
        (SYMMETRIC, symmetric, exact),
        (EXACT, exact, np.arange(len(exact))),
    ):
        if kind not in allowed:
            first = first_of(labels, found.kept)
            found = found.without(kind, np.where(alike[first] == alike, -1, first))
    return found


def first_of(labels: Places, among: Flags) -> Places:
    """For each row (N,) the first row of its class `among` the marked ones, -1 if there is none."""
    first = np.full_like(labels, -1)
    marked = np.flatnonzero(among & (labels >= 0))[::-1]
    first[labels[marked]] = marked  # of several rows of a class the last that is assigned remains
    return np.where(labels >= 0, first[labels], -1).astype(labels.dtype)


_NAMES = [kind.replace(" ", "-") for kind in REASONS]  # as options have them


@dataclass(frozen=True)
class Cleaning:
    """What else than an audit decides which rows are kept, and how they are written.

    repair: replace missing and wrong answers of puzzles with one solution by it. against: files
    whose puzzles and solution grids are dropped, such as the training set for a test set. dropped:
    a file for all other rows, each with its file, line, reason and a detail. output_format: one of
    `TABLE_FORMS`; by default both files have the format of their endings.
    """

    repair: bool = False
    against: Files = ()
    dropped: File | None = None
    output_format: str | None = None


_PLAIN = Cleaning()


def clean_files(
    paths: Files,
    output: File,
    rules: RulesLike = "classic",
    *,
    cleaning: Cleaning = _PLAIN,
    checks: Checks = ALL_CHECKS,
    reading: ReadOptions = AS_IT_IS,
    workers: WorkersLike = 1,
    progress: Progress = False,
) -> dict[str, Any]:
    """Write the sound rows of files, with all their columns, to `output`; return the counts.

    A row is sound if an audit finds nothing wrong with it but kinds that `checks` allow: its puzzle
    is well-formed and has exactly one solution, its answer, if it states one, is right, and no
    earlier sound row holds the same puzzle, exactly or up to symmetry. If they forbid "repeated
    grid", none has the same solution grid, either. `cleaning` can repair answers, drop the rows of
    other files, and write the dropped rows.

    `progress` counts every row twice. All other arguments are those of `audit_files`. The result
    has the numbers of rows: "read", "kept", "repaired", and "dropped" by kind of finding; the
    "symmetry" in words; and "columns_left_out", which only later rows have.
    """
    return clean(
        Inputs(files_named(paths), rules, checks, reading, workers, progress), output, cleaning
    )


def clean(inputs: Inputs, output: File, cleaning: Cleaning = _PLAIN) -> dict[str, Any]:
    """`clean_files` for inputs."""
    against, repair = files_named(cleaning.against), cleaning.repair
    output, dropped = named(output), None if cleaning.dropped is None else named(cleaning.dropped)
    allowed = inputs.checks.allowed
    inputs = inputs._replace(paths=[*against, *inputs.paths])
    check_outputs([output, dropped], inputs.paths)
    with (
        reporting(inputs.progress, None, " rows") as more,
        read_twice(inputs.paths),
        open_table(output, cleaning.output_format) as write,
        open_table(dropped) if dropped else nullcontext() as note,
    ):
        audit, rows, board = inputs.audited(more)
        asked = rows.file >= len(against)
        repaired = asked & _repairable(rows) if repair else np.zeros_like(asked)
        found = select(_faults(rows, allowed, repaired), _classes(rows), asked, allowed)
        options = BatchOptions(
            constraints_for(inputs.rules, board), conflicts=inputs.checks.conflicts
        )
        first = int(np.count_nonzero(~asked))
        files = inputs.files(len(against), board, keep=True)
        for part in copied(files, range(first, len(asked))):
            kept = found.kept[part.rows]
            table = (
                with_answers(part, repaired[part.rows] & kept, options) if repair else part.table
            )
            write(table.take(kept))
            if note is not None:
                note(_told(part, table, found, rows, options))
            more(part.chunk.rows)
    return {
        "symmetry": audit["symmetry"],
        "columns_left_out": list(write.left_out),
        **_counts(found, asked, repaired),
    }


def _classes(rows: AuditRows) -> Classes:
    numbers = np.arange(len(rows.line), dtype=rows.cluster.dtype)
    exact = np.where(rows.duplicate_of < 0, numbers, rows.duplicate_of)
    return Classes(np.where(rows.cluster < 0, rows.cluster, exact), rows.cluster, rows.grid_cluster)


def _repairable(rows: AuditRows) -> Flags:
    """The rows whose puzzles have one solution, which is not their answer."""
    found: Flags = (rows.status == Status.UNIQUE) & (rows.answer != AnswerCheck.RIGHT)
    return found


def _faults(rows: AuditRows, allowed: Collection[str], repaired: Flags) -> Codes:
    """What is wrong with each row by itself, as `select` takes it, once answers are repaired."""
    faults = np.zeros(len(rows.line), np.uint8)
    for kind in reversed(OF_ROWS):
        if kind not in allowed:
            found = rows.kinds & bit_of(kind) != 0
            faults[found & ~repaired if kind in OF_ANSWERS else found] = REASONS.index(kind)
    return faults


def _told(
    part: Copied, table: Table, found: Selection, rows: AuditRows, options: BatchOptions
) -> Table:
    """The dropped rows of a table, and why."""
    gone = np.flatnonzero(~found.kept[part.rows])
    chunk = check_rules(part.chunk, options)
    codes = found.reasons[part.rows][gone].tolist()
    others = found.others[part.rows][gone].tolist()
    columns = {
        "file": [chunk.source] * len(gone),
        "line": chunk.lines[gone].tolist(),
        "reason": [_NAMES[code] for code in codes],
        "detail": [
            f"{rows.files[rows.file[other]]}: line {rows.line[other]}"
            if other >= 0
            else _detail(chunk, row, REASONS[code], options)
            for row, code, other in zip(gone.tolist(), codes, others, strict=True)
        ],
    }
    told = table.take(gone)
    for name, values in columns.items():
        told = told.put(unique_names([*table.names, name])[-1], values)
    return told._replace(separator=told.separator or ",", headed=True)


def _detail(chunk: Chunk, row: int, reason: str, options: BatchOptions) -> str:
    """What is wrong with a row by itself, as far as the reason leaves it open."""
    if reason in OF_ANSWERS:
        return describe_answer(chunk, row, options)
    return str(chunk.errors.get(row, "")) or describe_clash(chunk, row, options)


def _counts(found: Selection, asked: Flags, repaired: Flags) -> dict[str, Any]:
    counts = np.bincount(found.reasons, minlength=len(REASONS)).tolist()
    return {
        "read": int(np.count_nonzero(asked)),
        "kept": int(np.count_nonzero(found.kept)),
        "repaired": int(np.count_nonzero(repaired & found.kept)),
        "dropped": {
            _NAMES[code]: count for code, count in enumerate(counts) if REASONS[code] and count
        },
    }
