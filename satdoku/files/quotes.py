"""Rows of CSV with line breaks within quoted fields, as RFC 4180 (2.6) has them.

Invariant: behind `whole_rows` each line is one row. A break within a quoted field is `\\r`, which
no line of `whole_lines` holds. A quote that is never closed costs its own line and no other: its
field ends at the latest before a line that is a row by itself.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence

from ..model.board import Board
from .columns import Layout, fields_of
from .line_reader import LineReader
from .lines import whole_lines
from .record import puzzle_in_place
from .streams import MAX_LINE_BYTES

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
