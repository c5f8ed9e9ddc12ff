"""The files that a data set is made of: audited once, then read again with all columns.

Invariant: both times the same rows come in the same order, also from standard input, or it is an
error. What cannot be read twice is refused before the work begins. The tables that are written have
the rows of the audit; columns of one role have one name.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..audit.files import ALL_CHECKS, Audit, Checks, audit_chunks, read_files
from ..audit.table import AuditRows
from ..batch.options import BatchOptions
from ..batch.solve import options_on, solve_job
from ..files.cells import digits_of
from ..files.collection import Chunk
from ..files.collection.arrow import pyarrow
from ..files.collection.beside import Column, Table, grid_texts, unique_names
from ..files.formats import AS_IT_IS, ReadOptions
from ..files.streams import STANDARD, FileError, Opened, arrays_in, check_inputs
from ..files.tables import values_of
from ..model.board import Board
from ..model.constraints import RulesLike
from ..runtime.progress import Progress

if TYPE_CHECKING:
    from ..runtime.workers import WorkersLike

Flags = NDArray[np.bool_]


class Inputs(NamedTuple):
    """Files, and how `audit_files` reads and audits them. on_open: gets each file as it lies on
    disk; progress counts each row twice."""

    paths: Sequence[str]
    rules: RulesLike = "classic"
    checks: Checks = ALL_CHECKS
    reading: ReadOptions = AS_IT_IS
    workers: WorkersLike = 1
    progress: Progress = False
    on_open: Callable[[BinaryIO], None] | None = None

    def audited(
        self, more: Callable[[int], object], *, ratings: bool = False
    ) -> tuple[Audit, AuditRows, Board | None]:
        """The audit of all rows, and their usual board; `more` gets the rows of each chunk."""
        boards = []

        def note(chunk: Chunk, _: object) -> None:
            boards.append(chunk.usual_board)
            more(chunk.rows)

        audit = audit_chunks(
            self.files(), self.rules, checks=self.checks, rows=True, ratings=ratings,
            workers=self.workers, on_chunk=note,
        )  # fmt: skip
        assert audit.rows is not None
        return audit, audit.rows, boards[0]

    def files(
        self, first: int = 0, usual: Board | None = None, *, keep: bool = False
    ) -> Iterator[tuple[str, Iterator[Chunk]]]:
        """The files from that one on, read from the beginning as `read_files` gives them."""
        if STANDARD in self.paths and sys.stdin.seekable():  # as `read_twice` made it
            sys.stdin.buffer.seek(0)
        return read_files(
            self.paths[first:], self.rules, usual=usual, reading=self.reading,
            on_open=self.on_open, keep=keep,
        )  # fmt: skip


@contextmanager
def read_twice(paths: Sequence[str]) -> Iterator[None]:
    """Make sure that the paths can be read twice.

    Standard input is copied to a temporary file, which takes its place. Raises `FileError` for a
    pipe or a device, and for standard input that is named twice.
    """
    check_inputs(paths)
    for path in paths:
        if isinstance(path, Opened) and path.start is not None:
            continue
        if path != STANDARD and not os.path.isfile(path) and not arrays_in(path):
            raise FileError(f"{path}: is no file, and would be read twice: name - and pipe it in")
    if paths.count(STANDARD) > 1:
        raise FileError("standard input is named twice")
    if STANDARD not in paths:
        yield
        return
    given = sys.stdin
    with tempfile.TemporaryFile() as spool:
        shutil.copyfileobj(given.buffer, spool)
        spool.seek(0)
        raw = io.FileIO(spool.fileno(), closefd=False)
        sys.stdin = io.TextIOWrapper(io.BufferedReader(raw))
        try:
            yield
        finally:
            sys.stdin = given


class Copied(NamedTuple):
    """Some rows once more: the chunk, with all columns beside, and their numbers in the audit."""

    chunk: Chunk
    rows: slice

    @property
    def table(self) -> Table:
        """All columns of the file."""
        assert self.chunk.beside is not None
        return self.chunk.beside


def copied(files: Iterable[tuple[str, Iterable[Chunk]]], rows: range) -> Iterator[Copied]:
    """The chunks of the files, whose rows have these numbers; roles have the names of the first.

    Raises `FileError` if the files do not have so many rows any more.
    """
    start, changed = rows.start, "changed while it was read"
    roles: dict[str, str] = {}
    for path, chunks in files:
        for chunk in chunks:
            here = slice(start, start + chunk.rows)
            if here.stop > rows.stop:
                raise FileError(f"{path}: {changed}: it has more rows than before")
            assert chunk.beside is not None
            roles = {**chunk.beside.roles, **roles}
            yield Copied(chunk._replace(beside=renamed(chunk.beside, roles)), here)
            start = here.stop
    if start < rows.stop:
        raise FileError(f"{path}: {changed}: it has fewer rows than before")


def renamed(table: Table, roles: Mapping[str, str]) -> Table:
    """The table with the given names for its columns of these roles, as another file has them."""
    found = {name: roles.get(role, name) for role, name in table.roles.items()}
    others = [name for name in table.names if name not in found]
    unique = unique_names([*found.values(), *others])
    names = dict(zip([*found, *others], unique, strict=True))
    return table._replace(
        names=tuple(names[name] for name in table.names),
        roles={role: names[name] for role, name in table.roles.items()},
    )


def with_answers(part: Copied, wanted: Flags, options: BatchOptions) -> Table:
    """The table with their solutions as the answers of the wanted rows, which are unique."""
    chunk, table, rows = part.chunk, part.table, np.flatnonzero(wanted)
    if "answer" not in table.roles:
        table = _with_answer_column(table)
    if not len(rows):
        return table
    rules = [chunk.rules[row] for row in rows.tolist()] if chunk.rules is not None else None
    found = solve_job(chunk.puzzles[rows], options_on(chunk.board, options), rules).solutions
    name = table.roles["answer"]
    return table.put(name, _changed(table.column(name), rows, found, chunk.board))


def _with_answer_column(table: Table) -> Table:
    """The table with an empty column for answers."""
    name = unique_names([*table.names, "solution"])[-1]
    return table.put(name, [""] * table.rows)._replace(
        roles={**table.roles, "answer": name}, separator=table.separator or ","
    )


def _changed(
    column: Column, rows: NDArray[np.intp], cells: NDArray[np.uint8], board: Board
) -> Column:
    """The column with these grids (M, cells) in these rows, written as its other values are."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "uib":
        changed = column.copy()
        changed[rows] = digits_of(cells, board).reshape(len(rows), *column.shape[1:])
        return changed
    values = [*values_of(column)]
    kind = getattr(column, "type", None)  # of Arrow
    is_list = "list" in str(kind) or isinstance(next(filter(None, values), None), list)
    texts = grid_texts(cells, np.ones(len(rows), np.bool_), board)
    stated = digits_of(cells, board).tolist() if is_list else texts
    for row, value in zip(rows.tolist(), stated, strict=True):
        values[row] = value
    return values if kind is None else _of_kind(values, kind)


def _of_kind(values: list[Any], kind: Any) -> Column:
    """The values as an Arrow array of that kind; as they are if it cannot hold them."""
    try:
        return pyarrow().array(values, kind)
    except (pyarrow().ArrowException, TypeError):
        return values
