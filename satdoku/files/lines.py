"""The lines of a text, from blocks of its bytes, and rows of CSV that span lines.

Invariant: `\\n`, `\\r\\n` and a lone `\\r` each end a line, mixed or not; bytes that are no UTF-8
become replacement characters of their own line. Behind `whole_rows` each line is one row, with line
breaks within quoted fields (RFC 4180, 2.6) as `\\r`, which no line of `whole_lines` holds. A quote
that is never closed costs its own line and no other: its field ends at the latest before a line
that is a row by itself.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence

from ..model.board import Board
from .columns import Layout, fields_of
from .line_reader import LineReader
from .record import puzzle_in_place
from .streams import MAX_LINE_BYTES


def block_lines(blocks: Iterable[bytes]) -> Iterator[str]:
    """All lines of a text, without their ends."""
    for data in whole_lines(blocks):
        yield from split_lines(data)


def split_lines(data: bytes) -> list[str]:
    """The lines of a block of `whole_lines`."""
    return data.decode("utf-8", errors="replace").split("\n")[:-1]


def whole_lines(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes cut after line ends only, each line end as `\\n`.

    The last line gets an end if it has none. Of an endless line only the beginning is kept.
    """
    rest = b""
    for block in blocks:
        returns = b"\r" in rest or b"\r" in block
        cut = _behind_last_end(rest + block) - len(rest) if returns else block.rfind(b"\n") + 1
        if cut <= 0:
            rest = (rest + block)[:MAX_LINE_BYTES]
            continue
        data = b"".join((rest, memoryview(block)[:cut]))  # one copy, not two
        yield _one_line_end(data) if returns else data
        rest = block[cut:]
    if rest:
        data = _one_line_end(rest)
        yield data if data.endswith(b"\n") else data + b"\n"


def _behind_last_end(data: bytes) -> int:
    """Where the last line end stops that is one for sure: after a `\\r` a `\\n` may follow."""
    sure = data.rstrip(b"\r")
    return max(sure.rfind(b"\n"), sure.rfind(b"\r")) + 1


def _one_line_end(data: bytes) -> bytes:
    """The bytes with `\\n` for each line end. `\\r\\r\\n`, a mishap of conversion, is one."""
    data = data.replace(b"\r\n", b"\n")
    return re.sub(rb"\r+\n|\r", b"\n", data) if b"\r" in data else data


_SEPARATORS = (",", ";", "\t", "|")


def whole_rows(blocks: Iterable[bytes], reader: LineReader) -> Iterator[bytes]:
    """The blocks of `whole_lines`, with each row of the reader's layout on one line."""
    rest = b""
    for lines in whole_lines(blocks):
        board, too_long = reader.reading.usual, len(rest) > MAX_LINE_BYTES
        data, rest = _one_row_a_line(rest + lines, reader.layout, board, is_all=too_long)
        if data:
            yield data
    if rest:
        yield _one_row_a_line(rest, reader.layout, reader.reading.usual, is_all=True)[0]


def joined(lines: Sequence[str], layout: Layout, board: Board | None) -> Sequence[str]:
    """The lines, each row on one of them; behind the last there are no more."""
    if layout.separator not in _SEPARATORS:
        return lines
    rows, rest = _rows(lines, layout, board)
    while rest:  # the first of these has the quote that is never closed
        more, later = _rows(rest[1:], layout, board)
        rows, rest = [*rows, rest[0], *more], later
    return rows


def _one_row_a_line(
    data: bytes, layout: Layout, board: Board | None, *, is_all: bool
) -> tuple[bytes, bytes]:
    """The rows of whole lines; and the lines of one that only what follows may end."""
    if b'"' not in data or layout.separator not in _SEPARATORS:
        return data, b""
    lines = data.decode("latin-1").split("\n")[:-1]
    rows, rest = _rows(lines, layout, board)
    if is_all:
        rows, rest = joined(lines, layout, board), ()
    return _bytes(rows) if rows is not lines else data, _bytes(rest)


def _bytes(lines: Sequence[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode("latin-1")


def _rows(
    lines: Sequence[str], layout: Layout, board: Board | None
) -> tuple[Sequence[str], Sequence[str]]:
    """The rows of some lines, and the lines of the last one if they end amid it."""
    odd = [at for at, text in enumerate(lines) if text.count('"') % 2]
    rows: list[str] = []
    stop = 0
    for at in odd:
        if at < stop:
            continue
        end = _end_of_row(lines, at, layout, board)
        if end is None:
            return [*rows, *lines[stop:at]], lines[at:]
        rows += [*lines[stop:at], "\r".join(lines[at:end])]
        stop = end
    return [*rows, *lines[stop:]] if odd else lines, []


def _end_of_row(
    lines: Sequence[str], begin: int, layout: Layout, board: Board | None
) -> int | None:
    """The line behind the row that begins on a line; None if the lines end within a quoted field.

    It is the next line where quotes are not as the RFC says, or what they hold is no row.
    """
    end = begin

    def ahead() -> Iterator[str]:
        nonlocal end
        while end < len(lines):
            if end > begin and _is_row(lines[end], layout, board):
                return
            end += 1
            yield f"{lines[end - 1]}\n"

    try:
        fields = next(csv.reader(ahead(), delimiter=layout.separator, strict=True))
    except csv.Error as error:
        is_open = end == len(lines) and "end of data" in str(error)
        return None if is_open else begin + 1
    holds = len(fields) == _width(layout) or _holds_puzzle(fields, layout, board)
    return end if holds else begin + 1


def _is_row(text: str, layout: Layout, board: Board | None) -> bool:
    """Whether a line has all fields, a puzzle among them, and no quote that could close another."""
    fields = (text.count('"') % 2 == 0 and fields_of(text, layout.separator)) or ()
    return len(fields) == _width(layout) and _holds_puzzle(fields, layout, board)


def _holds_puzzle(fields: Sequence[str], layout: Layout, board: Board | None) -> bool:
    return puzzle_in_place(fields, layout, board) is not None


def _width(layout: Layout) -> int:
    return len(layout.names) or layout.width
