"""How a text file is laid out, told by its first lines.

Invariant: a header is believed only if a puzzle stands where it says, or lines follow that have
just the fields that it names; without one the first good puzzle tells where all others stand. A
wrong guess costs speed, never a puzzle: lines that are not laid out so are read one by one.

A line that begins with # is a comment, unless a header names the columns, the line has as many
fields, and a whole puzzle stands in the puzzle's: then it is a row like any other, whose first
field, an id say, begins with #.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import NamedTuple

from ...model.board import Board
from ...model.grid import BLANKS, Grid
from ..columns import (
    BEFORE,
    ColumnError,
    Layout,
    fields_of,
    find_columns,
    header_layout,
    laid_out,
)
from ..entries import (
    block_lines,
    find_grid,
    is_heading,
    is_no_puzzle,
    parse_line,
    parse_puzzles,
)
from .chunk import TRIED
from .record import grid_of_value, parse_marks

_SEPARATORS = ",;\t| "


class Sniffed(NamedTuple):
    """The layout of the lines, None if a puzzle is a row a line; and the board, if found."""

    layout: Layout | None
    board: Board | None


def sniff(
    head: bytes, board: Board | None, format: str | None, asked: Mapping[str, str]
) -> Sniffed:
    """The layout of a text of which the beginning is given; `format` narrows the choice."""
    lines = list(block_lines([head]))
    found = None
    if format in (None, "csv"):
        found = _by_header(lines, board, asked) or _by_numbers(lines, board, asked)
    if found is None and format in (None, "marks"):
        found = _by_marks(lines, board, sure=format == "marks")
    if found is None and asked:
        wanted = ", ".join(f"{role}={name}" for role, name in asked.items())
        raise ColumnError(f"no columns {wanted} in which a puzzle stands")
    if found is None:
        found = _by_first_puzzle(lines, board)
    if format == "rows" or (format is None and any(map(is_heading, lines))):
        return found._replace(layout=None)
    if format is not None and found.layout is None:
        return found._replace(layout=Layout())
    return found


def _by_header(lines: list[str], board: Board | None, asked: Mapping[str, str]) -> Sniffed | None:
    """The layout that the first line states, if it is to be believed."""
    numbered = enumerate(lines, 1)
    first = next(((n, t) for n, t in numbered if t.startswith("#!") or not is_no_puzzle(t)), None)
    layout = header_layout(first[1], asked) if first else None
    if first is None or layout is None:
        return None
    following = significant(lines[first[0] :], layouts=(layout,), board=board)
    widths = [len(fields_of(text, layout.separator) or ()) for text in following[:10]]
    fits = len(layout.names) in widths and len(layout.names) > 1
    return confirmed(layout, following, board) or (Sniffed(layout, board) if fits else None)


def confirmed(layout: Layout, lines: Iterable[str], board: Board | None) -> Sniffed | None:
    """The layout with the board of the first puzzle in its place, None if there is none."""
    for text in lines:
        fields = fields_of(text, layout.separator) or []
        if found := _puzzle_in(fields, layout, board):
            return found
    return None


def _puzzle_in(fields: Sequence[str], layout: Layout, board: Board | None) -> Sniffed | None:
    """The layout with the board of the puzzle that stands in its place, None if there is none."""
    field = fields[layout.puzzle].strip() if layout.puzzle < len(fields) else ""
    if parse_marks(field, board or Board.of_size(9)) is not None:
        return Sniffed(layout._replace(marks=True), board or Board.of_size(9))
    grid = grid_of_value(field, board, "", 1)
    return Sniffed(layout, grid.board) if isinstance(grid, Grid) else None


def significant(
    lines: Iterable[str],
    count: int = TRIED,
    *,
    layouts: Sequence[Layout] = (),
    board: Board | None = None,
) -> list[str]:
    """The first so many lines that may hold a puzzle, in one of the layouts that they may have."""

    def holds_row(text: str) -> bool:
        return any(not holds_no_row(text, layout, board) for layout in layouts or (Layout(),))

    return list(islice(filter(holds_row, lines), count))


def holds_no_row(text: str, layout: Layout, board: Board | None) -> bool:
    """Whether a line is empty, a ruling, a heading or a comment (see this module's law)."""
    if not is_no_puzzle(text):
        return False
    if not layout.names or not text.lstrip().startswith("#"):
        return True
    fields = fields_of(text, layout.separator) or []
    return len(fields) != len(layout.names) or _puzzle_in(fields, layout, board) is None


def _by_numbers(lines: list[str], board: Board | None, asked: Mapping[str, str]) -> Sniffed | None:
    """Columns that were asked for by number, in a file without a header."""
    if not asked or not all(name.isdigit() for name in asked.values()):
        return None
    tried = significant(lines)
    for separator in _SEPARATORS:
        width = max((len(fields_of(text, separator) or ()) for text in tried), default=0)
        names = tuple(map(str, range(1, width + 1)))
        with suppress(ColumnError):  # fewer fields than a column was asked for
            places = find_columns(names, asked)
            layout = laid_out(separator, names, places) if "puzzle" in places else None
            if layout and (found := confirmed(layout, tried, board)):
                return found
    return None


def _by_marks(lines: list[str], board: Board | None, *, sure: bool) -> Sniffed | None:
    """Pencil marks if the first puzzle is such; where they are asked for, in any case."""
    board = board or Board.of_size(9)
    first = "".join(significant(lines, 1)).strip()
    found = sure or parse_marks(first, board) is not None
    return Sniffed(Layout(marks=True), board) if found else None


def _by_first_puzzle(lines: list[str], board: Board | None) -> Sniffed:
    """The layout of the first good puzzle's line."""
    for entry in parse_puzzles(lines, board):
        grid = entry.grid
        if isinstance(grid, Grid):
            text = lines[entry.line - 1]
            place = find_grid(text, grid.board)
            if place is not None:
                return Sniffed(_around(text, place, grid.board), grid.board)
            on_one_line = isinstance(parse_line(text, grid.board), Grid)
            return Sniffed(Layout() if on_one_line else None, grid.board)
    return Sniffed(Layout(), board)


def _around(text: str, place: re.Match[str], board: Board) -> Layout:
    """The layout of a line in which a puzzle stands, perhaps a name before and an answer behind."""
    before, after = text[: place.start()], text[place.end() :]
    if before.endswith('"') and after.startswith('"'):
        before, after = before[:-1], after[1:]
    separator = before[-1:] or after[:1]
    number = before.count(separator) if before else 0
    fields = text.split(separator) if separator else []
    full = (i for i, field in enumerate(fields) if i > number and _is_full(field, board))
    answer = next(full, None)
    if answer is None and not before:
        return Layout()
    return Layout(separator, number, answer, BEFORE if before.strip() else None)


def _is_full(field: str, board: Board) -> bool:
    place = find_grid(field, board)
    alone = place is not None and place.group() == field.strip().strip('"')
    return alone and not set(BLANKS) & set(field)
