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
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO, NamedTuple

from ..audit.files import Audit, audit_chunks, read_files
from ..audit.table import AuditRows
from ..files.collection import Chunk
from ..files.streams import STANDARD, FileError, check_inputs
from ..model.board import Board
from ..model.constraints import Constraints


class Inputs(NamedTuple):
    """Files, and how `audit_files` reads them; `more` gets the number of rows of each chunk."""

    paths: Sequence[str]
    rules: str | Constraints
    format: str | None
    columns: Mapping[str, str] | None
    ignore_ruleset: bool
    opened: Callable[[BinaryIO], None] | None
    more: Callable[[int], object]

    def audited(self, **options: Any) -> tuple[Audit, AuditRows, Board]:
        """The audit of all rows, and their board; options: those of `audit_chunks`."""
        boards = []

        def told(chunk: Chunk, _: object) -> None:
            boards.append(chunk.board)
            self.more(chunk.rows)

        audit = audit_chunks(self.files(), self.rules, rows=True, each=told, **options)
        assert audit.rows is not None
        return audit, audit.rows, boards[0]

    def files(
        self, first: int = 0, board: Board | None = None, *, keep: bool = False
    ) -> Iterator[tuple[str, Iterator[Chunk]]]:
        """The files from that one on, read from the beginning as `read_files` gives them."""
        if STANDARD in self.paths:
            sys.stdin.buffer.seek(0)
        return read_files(
            self.paths[first:], self.rules, board=board, format=self.format, columns=self.columns,
            ignore_ruleset=self.ignore_ruleset, opened=self.opened, keep=keep,
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
