"""The files that a data set is made of: audited once, then read again with all columns.

Invariant: both times the same rows come in the same order, also from standard input. What cannot be
read twice is refused before the work begins.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from ..audit.files import ALL_CHECKS, Audit, Checks, audit_chunks, read_files
from ..audit.table import AuditRows
from ..files.collection import Chunk
from ..files.formats import AS_IT_IS, ReadOptions
from ..files.streams import STANDARD, FileError, check_inputs
from ..model.board import Board
from ..model.constraints import Constraints
from ..progress import Progress

if TYPE_CHECKING:
    from ..batch.workers import WorkersLike


class Inputs(NamedTuple):
    """Files, and how `audit_files` reads and audits them. on_open: gets each file as it lies on
    disk; progress counts each row twice."""

    paths: Sequence[str]
    rules: str | Constraints = "classic"
    checks: Checks = ALL_CHECKS
    reading: ReadOptions = AS_IT_IS
    workers: WorkersLike = 1
    progress: Progress = False
    on_open: Callable[[BinaryIO], None] | None = None

    def audited(
        self, more: Callable[[int], object], *, ratings: bool = False
    ) -> tuple[Audit, AuditRows, Board]:
        """The audit of all rows, and their board; `more` gets the number of rows of each chunk."""
        boards = []

        def note(chunk: Chunk, _: object) -> None:
            boards.append(chunk.board)
            more(chunk.rows)

        audit = audit_chunks(
            self.files(), self.rules, checks=self.checks, rows=True, ratings=ratings,
            workers=self.workers, on_chunk=note,
        )  # fmt: skip
        assert audit.rows is not None
        return audit, audit.rows, boards[0]

    def files(
        self, first: int = 0, board: Board | None = None, *, keep: bool = False
    ) -> Iterator[tuple[str, Iterator[Chunk]]]:
        """The files from that one on, read from the beginning as `read_files` gives them."""
        if STANDARD in self.paths:
            sys.stdin.buffer.seek(0)
        return read_files(
            self.paths[first:], self.rules, board=board, reading=self.reading,
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
        if path != STANDARD and not os.path.isfile(path):
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
