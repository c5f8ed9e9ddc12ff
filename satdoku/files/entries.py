"""Puzzles in any notation, entry by entry, as a person may have written them.

Invariant: puzzles come out in the order they went in, each with its line number, and a bad one
comes out as its `GridError`; it never costs the good ones around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from ..model.board import Board, board_for
from ..model.grid import (
    BYTE_VALUES,
    DRAWN,
    NO_VALUE,
    Grid,
    GridError,
    parse_grid,
    parse_plain,
)
from .columns import header_layout
from .streams import open_input, read_block, refuse_dimacs

BLOCK_BYTES = 1 << 20
MAX_LINE_BYTES = 1 << 20
SEPARATORS = " \t,;:|"  # what may stand between a puzzle and other fields of its line
_MAX_ROW = 25
_MAX_TEXT = 1 << 16  # characters of a line beyond which it is no puzzle with rulings
_BETWEEN_CELLS = " \t,|-+\u00a0" + DRAWN
# The .sdk files of SadMan's and other programs may have sections: [Puzzle], [State] for the play so
# far. Any other heading is a title.
_SECTION = re.compile(r"\s*\[([A-Za-z ]+)\]\s*\Z")
_NO_PUZZLES = frozenset({"state", "solution", "pencilmarks"})
_RULING_ONLY = re.compile(rf"[\s|+={DRAWN}-]*\Z")

# Links, payloads and JSON of f-puzzles. A JSON text that starts with `{"` has a payload that starts
# with N4Ig.
_PAYLOAD = re.compile(r"N4Ig[A-Za-z0-9+/]+=*\Z")
_FPUZZLES = re.compile(r"\s*(\{|https?://|fpuz)", re.IGNORECASE)


class Entry(NamedTuple):
    """One puzzle of a file: its first line (1-based), and the grid or what is wrong with it.

    `rules` are those that the puzzle itself states, as f-puzzles' links do; None where it does not.
    """

    line: int
    grid: Grid | GridError
    rules: str | None = None
    marks: bytes | None = None
    warning: str | None = None
    givens: Grid | None = None


class Row(NamedTuple):
    """A line that may be one row of a grid: where it stands, and how many cells it has."""

    line: int
    text: str
    width: int


def read_puzzles(
    path: str, board: Board | None = None, rules: str | None = None
) -> Iterator[Entry]:
    """All puzzles of a file or of standard input (`-`), in any notation of `grid` or `fpuzzles`.

    `rules` are those that are asked for; see `parse_fpuzzles`.
    """
    with open_input(path) as stream:
        head = read_block(stream, BLOCK_BYTES, path)
        refuse_dimacs(head, path)
        rest = iter(lambda: read_block(stream, BLOCK_BYTES, path), b"")
        lines = block_lines(chain([head], rest))
        yield from parse_puzzles(lines, board, rules, source=path)


def parse_puzzles(
    lines: Iterable[str],
    board: Board | None = None,
    rules: str | None = None,
    *,
    source: str | None = None,
) -> Iterator[Entry]:
    """The puzzles in some lines: one a line, or one row a line with blank lines or not between."""
    rows: list[Row] = []
    skipping = False
    numbered = enumerate(lines, 1)
    for number, text in numbered:
        text = text.removeprefix("\ufeff") if number == 1 else text
        if is_fpuzzles(text):
            yield from _flush(rows, board, source)
            whole = _whole_json(text, (more for _, more in numbered))
            yield parse_entry(whole, board, rules, source=source, line=number)
            continue
        if heading := _SECTION.match(text):
            skipping = heading[1].lower() in _NO_PUZZLES
            yield from _flush(rows, board, source)
        if skipping:
            continue
        if is_no_puzzle(text):
            if not _is_ruling(text):
                yield from _flush(rows, board, source)
            continue
        if header_layout(text) is not None:
            yield from _flush(rows, board, source)
            continue
        width = _row_width(text)
        if not _may_be_row(text, width, board):
            yield from _flush(rows, board, source)
            yield Entry(number, parse_line(text, board, source=source, line=number))
            continue
        if len(rows) == 1 and rows[0].width != width:  # a title, or a stray line
            yield from _flush(rows, board, source)
        rows.append(Row(number, text, width))
        if len(rows) == (board.size if board else rows[0].width):
            yield from _flush(rows, board, source)
    yield from _flush(rows, board, source)


def parse_entry(
    text: str,
    board: Board | None = None,
    rules: str | None = None,
    *,
    source: str | None = None,
    line: int = 1,
) -> Entry:
    """The puzzle of a link or JSON of f-puzzles, or of one grid."""
    if not is_fpuzzles(text):
        return Entry(line, _grid_or_error(text, board, source, line))
    from .fpuzzles import parse_fpuzzles  # most never meet one

    try:
        puzzle = parse_fpuzzles(text, rules, board, source=source, line=line)
    except GridError as error:
        return Entry(line, error)
    grid: Grid | GridError = puzzle.grid
    if puzzle.marks is not None:
        grid = GridError("pencil marks", "a puzzle without", line=line, source=source)
    marks = puzzle.mark_bytes
    return Entry(line, grid, puzzle.rules, marks, puzzle.unstated, puzzle.grid if marks else None)


def is_fpuzzles(text: str) -> bool:
    """Whether a text is meant as a link, a payload or JSON, told by how it starts.

    A payload is letters, as a large grid may be, but has letters that are no digits.
    """
    if _FPUZZLES.match(text):
        return True
    stripped = text.strip()
    letters = stripped.rstrip("=").encode("ascii", "replace")
    return bool(_PAYLOAD.match(stripped)) and NO_VALUE in letters.translate(BYTE_VALUES)


def _whole_json(first: str, rest: Iterator[str]) -> str:
    """A line that opens a JSON object and does not close it, with all lines behind it."""
    if not first.lstrip().startswith("{") or first.rstrip().endswith("}"):
        return first
    parts, length = [first], len(first)
    for text in rest:
        parts.append(text)
        length += len(text) + 1
        if length > MAX_LINE_BYTES:
            break
    return "\n".join(parts)


def is_no_puzzle(text: str) -> bool:
    """Whether a line is empty, a comment, a ruling or a heading."""
    if not text.strip() or text.lstrip().startswith("#") or _is_ruling(text):
        return True
    return is_heading(text)


def is_heading(text: str) -> bool:
    """Whether a line is the heading of a section: `[Puzzle]`."""
    return bool(_SECTION.match(text))


def _is_ruling(text: str) -> bool:
    """Whether a line only draws: it neither holds a puzzle nor ends one."""
    return bool(text.strip()) and bool(_RULING_ONLY.match(text))


def _row_width(text: str) -> int:
    """How many cells a row of that text has: its words if some are numbers beyond 9."""
    width = len(text) - sum(map(text.count, _BETWEEN_CELLS))
    if width < len(text):
        words = [word for word in re.split(rf"[\s|+,{DRAWN}]+", text) if word.strip("-")]
        if len(words) >= 10 and any(len(word) == 2 for word in words):
            return len(words)
    return width


def _may_be_row(text: str, width: int, board: Board | None) -> bool:
    """Whether a line can be one row of a grid; 16 cells may be a row as well as a 4x4 grid."""
    if width > _MAX_ROW or (board is not None and width == board.cells):
        return False
    return width == 16 or not isinstance(parse_line(text, board), Grid)


def _flush(rows: list[Row], board: Board | None, source: str | None) -> Iterator[Entry]:
    """Empty `rows` into what they are: one grid, or a puzzle (or an error) each.

    Sixteen cells may be a row of 16x16 or a 4x4 grid; the majority of the lines tells.
    """
    taken, rows[:] = list(rows), []
    each = [Entry(row.line, _parse_row(row, board, source)) for row in taken]
    alone = sum(isinstance(entry.grid, Grid) for entry in each)
    if 2 * alone >= len(each):
        yield from each
        return
    grid = _parse_rows(taken, board, source)
    if isinstance(grid, Grid) or _meant_as_one(taken, board):
        yield Entry(taken[0].line, grid)
    else:
        yield from each


def _meant_as_one(rows: list[Row], board: Board | None) -> bool:
    """Whether rows that are no grid are one try at it: equally wide, or about as many as wide."""
    widths = [row.width for row in rows]
    usual = max(widths, key=widths.count)
    if len(rows) < 2 or usual < 4 or (board is not None and usual != board.size):
        return False
    return len(set(widths)) == 1 or abs(len(rows) - usual) <= 1


def _parse_row(row: Row, board: Board | None, source: str | None) -> Grid | GridError:
    return parse_line(row.text, board, source=source, line=row.line)


def _parse_rows(rows: list[Row], board: Board | None, source: str | None) -> Grid | GridError:
    """The rows as one grid; gaps where rulings stood keep the line numbers of errors right."""
    first = rows[0].line
    lines = [""] * (rows[-1].line - first + 1)
    for row in rows:
        lines[row.line - first] = row.text
    return _grid_or_error("\n".join(lines), board, source, first)


def parse_line(
    text: str, board: Board | None = None, *, source: str | None = None, line: int = 1
) -> Grid | GridError:
    """The puzzle of a line that may hold other fields too: the first field that is a whole grid."""
    place = find_grid(text, board)
    if place is not None:
        return parse_grid(place.group(), board)
    if len(text) > _MAX_TEXT:
        expected = f"a puzzle within {_MAX_TEXT}"
        return GridError(f"a line of {len(text)} characters", expected, line=line, source=source)
    return _grid_or_error(text, board, source, line)


def find_grid(text: str, board: Board | None = None) -> re.Match[str] | None:
    """Where the first field of a line stands that is a whole grid by itself."""
    for field in re.finditer(rf"[^{SEPARATORS}\"]+", text):
        cells = len(field.group())
        if board is not None:  # a character a cell: anything else has no room
            if cells == board.cells and parse_plain(field.group(), board):
                return field
        elif board_for(cells) and isinstance(_grid_or_error(field.group(), None, None, 1), Grid):
            return field
    return None


def _grid_or_error(
    text: str, board: Board | None, source: str | None, line: int
) -> Grid | GridError:
    try:
        return parse_grid(text, board, source=source, line=line)
    except GridError as error:
        return error


def block_lines(blocks: Iterable[bytes]) -> Iterator[str]:
    for data in whole_lines(blocks):
        for line in data.split(b"\n")[:-1]:
            yield line.decode("utf-8", errors="replace").rstrip("\r")


def whole_lines(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes cut behind line ends only; the last line gets an end if it has none."""
    rest = b""
    for block in blocks:
        cut = block.rfind(b"\n") + 1
        if not cut:
            rest = (rest + block)[:MAX_LINE_BYTES]
            continue
        yield rest + block[:cut]
        rest = block[cut:]
    if rest:
        yield rest + b"\n"
