"""Solutions out, by the thousand: lines, CSV, JSON lines, or one numpy array.

Invariant: no interruption tears a line: each write to a stream consists of whole lines that fit its
buffer. After an interrupt, the part of an array that was written is a whole array.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import BinaryIO

from ..model.grid import Grid, notation_of
from .outputs import form_of, open_output
from .streams import FileError

HEADER = 128  # bytes before an array
_HERE = "\0"  # where the solution goes in a record, which holds no NUL


class SolutionWriter:
    """Writes solutions of one puzzle after the other to an open file, one a line, between texts
    that are the same for all solutions of a puzzle."""

    before = b""
    after = b"\n"

    def __init__(self, out: BinaryIO) -> None:
        self.out = out

    def begin(self, puzzle: Grid, record: Callable[..., Mapping[str, object]]) -> None:
        """The next solutions are of this puzzle; record: makes the JSON object of a solution."""
        self.cells, self.board = len(puzzle.cells), puzzle.board

    def write(self, cells: bytes) -> None:
        """Write solutions, a byte a cell, one grid after the other."""
        symbols, n = notation_of(self.board.digits).line, self.cells
        if self.board.is_large or self.board.layers or not symbols:
            starts = range(0, len(cells), n)
            text = b"".join(self._line(cells[start : start + n]) for start in starts)
            self.out.write(text)
            return
        text = cells.translate(symbols)
        grids = [text[start : start + n] for start in range(0, len(text), n)]
        between = self.after + self.before
        most = max(1, io.DEFAULT_BUFFER_SIZE // (n + len(between)))
        for start in range(0, len(grids), most):
            lines = between.join(grids[start : start + most])
            self.out.write(b"".join((self.before, lines, self.after)))

    def _line(self, cells: bytes) -> bytes:
        return b"".join((self.before, str(Grid(cells, self.board)).encode(), self.after))

    def close(self) -> None:
        """What stands behind them."""


class _Csv(SolutionWriter):
    def __init__(self, out: BinaryIO) -> None:
        super().__init__(out)
        out.write(b"puzzle,solution\n")

    def begin(self, puzzle: Grid, record: Callable[..., Mapping[str, object]]) -> None:
        super().begin(puzzle, record)
        self.before = f"{puzzle},".encode()


class _JsonLines(SolutionWriter):
    def begin(self, puzzle: Grid, record: Callable[..., Mapping[str, object]]) -> None:
        super().begin(puzzle, record)
        before, _, after = json.dumps(record(solution=_HERE)).rpartition(json.dumps(_HERE)[1:-1])
        self.before, self.after = before.encode(), f"{after}\n".encode()


class _Array(SolutionWriter):
    """(N, cells) uint8, on 256x256 uint16, as numpy stores it; int8 of other digits than 1 to n.
    The header, which says N, is written anew in the end."""

    def __init__(self, out: BinaryIO) -> None:
        super().__init__(out)
        self.cells = self.rows = 0
        self.type = "|u1"

    def begin(self, puzzle: Grid, record: Callable[..., Mapping[str, object]]) -> None:
        if self.cells not in (0, len(puzzle)):
            raise FileError("grids of several sizes do not go into one array: choose jsonl")
        if not self.cells:
            self.cells, self.type = len(puzzle), puzzle.digits_type
            self.table = b""
            if not puzzle.board.has_plain_digits:
                self.type = "|i1"
                self.table = bytes(digit % 256 for digit in (0, *puzzle.board.digits)).ljust(256)
            self.out.write(self._header())

    def write(self, cells: bytes) -> None:
        self.out.write(cells.translate(self.table) if self.table else cells)
        self.rows += len(cells) // (self.cells * int(self.type[-1]))

    def close(self) -> None:
        self.out.seek(0)
        self.out.write(self._header())

    def _header(self) -> bytes:
        return npy_header(self.type, (self.rows, self.cells))


def npy_header(kind: str, shape: tuple[int, ...]) -> bytes:
    """What stands before an array in a file, always `HEADER` bytes."""
    words = {"descr": kind, "fortran_order": False, "shape": shape}
    start = b"\x93NUMPY\x01\x00" + (HEADER - 10).to_bytes(2, "little")
    return start + repr(words).encode().ljust(HEADER - 11) + b"\n"


FORMS = {"line": SolutionWriter, "csv": _Csv, "jsonl": _JsonLines, "npy": _Array}


@contextmanager
def open_solutions(path: str, form: str | None = None) -> Iterator[SolutionWriter]:
    """A writer of solutions in one of `FORMS`, by default that of the file's ending, to a file
    (packed as its ending says) or to `-`.

    The file appears under its name when it is complete; an interrupt leaves what was written so far
    in a file that it names (see `open_output`).
    """
    with open_output(path, keep=True, safe=True) as out:
        writer = FORMS[form_of(path, tuple(FORMS), form)](out)
        try:
            yield writer
        finally:
            writer.close()
