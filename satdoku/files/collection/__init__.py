"""Collections: files of puzzles as streams of arrays, whatever their format.

Invariant: every format becomes the same chunks, in the order of the file. The usual collection, a
puzzle a line and nothing else, is read and written here as bytes, without numpy (`Plain`); blocks
in which any line is not plain come as chunks. Without the C extension all do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TypeAlias

from ...model.board import Board
from ...model.grid import NINE
from ...runtime.errors import Status
from ..columns import Layout
from ..formats import AS_IT_IS, ReadOptions, recognise
from ..lines import LineReader, whole_rows
from ..record import Reading
from ..sniff import layout_of, line_reader
from ..streams import Source, open_source

if TYPE_CHECKING:
    from ..formats import FORMATS, FormatError
    from .chunk import CHUNK_PUZZLES, Answers, Chunk, Puzzles, marks_of
    from .read import array_records, read_chunks

_HOME = {
    "CHUNK_PUZZLES": ".chunk", "FORMATS": "..formats", "Answers": ".chunk", "Chunk": ".chunk",
    "FormatError": "..formats", "Puzzles": ".chunk", "array_records": ".read",
    "marks_of": ".chunk", "read_chunks": ".read",
}  # fmt: skip
__all__ = [
    "CHUNK_PUZZLES", "FORMATS", "Answers", "Chunk", "FormatError", "Puzzles", "array_records",
    "marks_of", "read_chunks",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Everything but plain lists needs numpy, and is imported on first use."""
    if name not in _HOME:
        raise AttributeError(f"module 'satdoku.files.collection' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(_HOME[name], __name__), name)


try:
    from .. import _lines
except ImportError:  # built without a compiler
    AVAILABLE = False
else:
    AVAILABLE = True

_WORDS = tuple(str(status).encode() for status in Status)
IGNORE = "; use --ignore-ruleset to go on without it"  # rules in words


class Plain(NamedTuple):
    """Some consecutive puzzles of a collection, none of which says more than its digits.

    cells: their digits, row after row, 0 for empty; line: that of the first one, 1-based.
    """

    cells: bytes | bytearray
    line: int
    board: Board
    source: str

    @property
    def rows(self) -> int:
        """Number of puzzles."""
        return len(self.cells) // self.board.cells

    @property
    def usual_board(self) -> Board:
        """As of a `Chunk`."""
        return self.board

    def parts(self, size: int) -> Iterator[Plain]:
        """The same in pieces of at most `size` puzzles."""
        if self.rows <= size:
            yield self
            return
        for start in range(0, self.rows, size):
            cells = self.cells[start * self.board.cells : (start + size) * self.board.cells]
            yield Plain(cells, self.line + start, self.board, self.source)

    def chunk(self) -> Chunk:
        """The same as arrays."""
        import numpy as np

        from .chunk import Chunk

        lines = np.arange(self.line, self.line + self.rows, dtype=np.int64)
        cells = np.frombuffer(self.cells, np.uint8).reshape(-1, self.board.cells)
        return Chunk(lines, cells, {}, source=self.source)


Part: TypeAlias = "Plain | Chunk"


def text_parts(
    blocks: Iterable[bytes],
    reader: LineReader,
    size: int,
    asked: Mapping[str, str],
    *,
    keep: bool = False,
) -> Iterator[Part]:
    """The puzzles of a file of lines, block by block; `reader` takes lines that are not regular.

    keep: see `read_chunks`.
    """
    line, board, path = 1, reader.reading.usual or NINE, reader.reading.path
    for data, after in pairwise(chain(whole_rows(blocks, reader), [b""])):
        is_bare = reader.layout == Layout() and not reader.has_begun and not keep
        cells = plain_cells(data, board) if is_bare else None
        if cells is not None:
            whole = Plain(cells, line, board, path)
            yield from whole.parts(size)
            line += whole.rows
        else:
            from .text import block_chunks

            yield from block_chunks(data, after, line, board, reader, size, asked, keep=keep)
            line += data.count(b"\n") + data.count(b"\r")
    if reader.has_begun:
        from .text import begun_chunks

        yield from begun_chunks(reader.flush(), board, reader.reading, size, keep=keep)


def plain_cells(data: bytes, board: Board) -> bytearray | None:
    """The digits of lines that are all plain puzzles, `.` or 0 for empty; None if one is not."""
    rows, rest = divmod(len(data), board.cells + 1)
    if not AVAILABLE or rest or not board.is_usual or board.size > 9:
        return None
    cells = bytearray(rows * board.cells)
    text = memoryview(data).cast("B", (rows, board.cells + 1))
    good = _lines.read(text, board.size, memoryview(cells).cast("B", (rows, board.cells)))
    return cells if good else None


def plain_lines(
    statuses: bytes | bytearray, solutions: bytes | bytearray, board: Board
) -> bytearray:
    """A line `STATUS SOLUTION` for each code and grid, or `STATUS` where the grid is empty.

    It needs the C extension, and a board of single digits.
    """
    count = len(statuses)
    text = bytearray(count * (max(map(len, _WORDS)) + board.cells + 2))
    grids = memoryview(solutions).cast("B", (count, board.cells))
    del text[_lines.write(_WORDS, board.size, statuses, grids, text) :]
    return text


def read_parts(
    path: str | Source,
    rules: str | None = None,
    board: Board | None = None,
    *,
    size: int,
    usual: Board | None = None,
    reading: ReadOptions = AS_IT_IS,
    on_open: Callable[[BinaryIO], None] | None = None,
    keep: bool = False,
) -> Iterator[Part]:
    """What `read_chunks` reads, but plain lines as `Plain`."""
    asked, format = reading.asked, reading.format
    with open_source(path, on_open) as source:
        here = Reading(source.path, board, usual=board or usual, rules=rules, stated=reading.stated)
        if AVAILABLE and not keep and recognise(source, format) is None:
            layout, here = layout_of(source.text_head, here, format, asked)
            if layout == Layout() and format != "rows":
                reader = line_reader(layout, here, format)
                yield from text_parts(source.text_blocks(), reader, size, asked)
                return
        from .read import read_chunks

        yield from read_chunks(
            source, rules, board, size=size, usual=usual, reading=reading, keep=keep
        )


def parts_of(
    paths: Iterable[str],
    rules: str | None,
    board: Board | None,
    size: int,
    *,
    reading: ReadOptions = AS_IT_IS,
    on_open: Callable[[BinaryIO], None] | None = None,
    keep: bool = False,
) -> Iterator[Part]:
    """The parts of collections, without numpy as far as lists are plain; see `read_chunks`.

    The board of the first holds for all. Rules in words only are errors of their rows, unless these
    are ignored.
    """
    usual = None
    for path in paths:
        for part in read_parts(
            path, rules, board, size=size, usual=usual, reading=reading, on_open=on_open, keep=keep
        ):
            usual = usual or part.usual_board
            if isinstance(part, Plain) or reading.ignore_ruleset:
                yield part
            else:
                yield part.warnings_as_errors(IGNORE)
