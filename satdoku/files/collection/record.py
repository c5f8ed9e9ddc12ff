"""One row of a collection, read by itself: a line that is not regular, or a JSON object.

Invariant: whatever a row holds, it becomes a `Record`; what is wrong with it is part of the record,
with its place in the file, and never an exception.
"""

from __future__ import annotations

import json
import re
from typing import Any

from ...errors import SatdokuError
from ...model.board import Board
from ...model.grid import (
    BYTE_VALUES,
    Grid,
    GridError,
    as_grid,
    parse_grid,
)
from ..columns import BEFORE, Layout, fields_of
from ..entries import find_grid, parse_line
from .chunk import Record

_UNWRITABLE = re.compile("[\0-\x1f\x7f\ud800-\udfff]+")  # control characters, lone surrogates


def parse_record(text: str, layout: Layout, board: Board, *, source: str, line: int) -> Record:
    """The record of a line that is laid out as `layout` says."""
    if layout.marks and (marks := parse_marks(text.strip(), board)) is not None:
        return Record(marks)
    if not layout.names:
        return _headless_record(text, layout, board, source, line)
    fields = fields_of(text, layout.separator)
    if fields is None:
        return Record(_error("a quote that is never closed", "a closing quote", source, line))

    def field(number: int | None) -> str:
        return fields[number] if number is not None and 0 <= number < len(fields) else ""

    if layout.puzzle >= len(fields):
        found = f"{len(fields)} field{'s' * (len(fields) != 1)}"
        expected = f"a puzzle in field {layout.puzzle + 1}"
        grid: Grid | bytes | SatdokuError = _error(found, expected, source, line)
    elif layout.marks and (marks := parse_marks(field(layout.puzzle), board)) is not None:
        grid = marks
    else:
        grid = _grid(field(layout.puzzle), text, board, source, line)
    stated = field(layout.answer).strip()
    answer = _grid(stated, text, board, source, line) if stated else None
    return Record(grid, answer, clean(field(layout.id)), clean(field(layout.rules)))


def _headless_record(text: str, layout: Layout, board: Board, source: str, line: int) -> Record:
    """The first field that is a whole grid; its id stands before, its answer behind."""
    place = find_grid(text, board)
    if place is None:
        return Record(parse_line(text, board, source=source, line=line))
    before, rest = text[: place.start()], text[place.end() :]
    answer = None
    if layout.answer is not None:
        answer = _full_grid(rest, board)
    name = clean_before(before) if layout.id == BEFORE else ""
    return Record(parse_grid(place.group(), board), answer, name)


def _full_grid(text: str, board: Board) -> Grid | None:
    """The first full grid in the rest of a line, None if there is none."""
    while (place := find_grid(text, board)) is not None:
        grid = parse_grid(place.group(), board)
        if grid.is_complete:
            return grid
        text = text[place.end() :]
    return None


def clean(text: str) -> str:
    """A name as it can be written anywhere: on one line, and in UTF-8."""
    return (text if text.isprintable() else _UNWRITABLE.sub(" ", text)).strip()


def clean_before(text: str) -> str:
    """The name that stands before a puzzle, without what separates them."""
    return clean(clean(text).rstrip(',;:|"').lstrip('"'))


def _grid(field: str, text: str, board: Board, source: str, line: int) -> Grid | GridError:
    """The grid of one field; an error's column counts from the line's beginning."""
    try:
        return parse_grid(field, board, source=source, line=line)
    except GridError as error:
        column = error.column + max(text.find(field), 0)
        return GridError(error.found, error.expected, line=line, column=column, source=source)


def parse_marks(text: str, board: Board) -> bytes | None:
    """Pencil marks, a character a candidate: its digit, or a blank where it cannot be; else None.

    Bytes of 0 and 1, cell-major, digit 1 first.
    """
    if len(text) != board.variables or not text.isascii():
        return None
    values = text.encode("ascii").translate(BYTE_VALUES)
    digits = bytes(range(1, board.size + 1)) * board.cells
    if any(value not in (0, digit) for value, digit in zip(values, digits, strict=True)):
        return None
    return bytes(map(bool, values))


def load_object(text: str, source: str, line: int) -> dict[str, Any] | GridError:
    """One JSON object of a line."""
    try:
        row = json.loads(text)
    except json.JSONDecodeError as error:
        found = error.msg[:1].lower() + error.msg[1:]
        return _error(found, "a JSON object", source, line, error.colno)
    except (ValueError, RecursionError):  # a number of thousands of digits, a nest of brackets
        return _error("JSON that is too large or too deep", "a JSON object", source, line)
    if not isinstance(row, dict):
        return _error(f"JSON {type(row).__name__}", "a JSON object", source, line)
    return row


def grid_of_value(value: Any, board: Board | None, source: str, line: int) -> Grid | GridError:
    """A text, or a list of digits, rows or not."""
    try:
        if isinstance(value, str):
            return parse_grid(value, board, source=source, line=line)
        if isinstance(value, list):
            return as_grid(value, board)
    except GridError as error:
        return GridError(error.found, error.expected, line=line, column=error.column, source=source)
    except (TypeError, ValueError, OverflowError, RecursionError):
        pass
    return _error(f"{type(value).__name__} {str(value)[:40]}", "a text or digits", source, line)


def _error(found: str, expected: str, source: str, line: int, column: int = 1) -> GridError:
    return GridError(found, expected, line=line, column=column, source=source)
