"""A text as a grid or as pencil marks: what a line or a field holds.

Invariant: a function returns a value for any text; if the text is wrong, the value is a
`GridError`, which is never raised.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import isqrt
from numbers import Number
from typing import Any, NamedTuple

from ..model.board import MAX_SIZE, MIN_SIZE, Board, board_for, written
from ..model.grid import (
    Grid,
    GridError,
    as_grid,
    notation_of,
    parse_grid,
    parse_plain,
)
from ..model.numbers import DRAWN
from ..runtime.errors import SatdokuError, counted, shown

SEPARATORS = " \t,;:|"  # what may stand between a puzzle and other fields of its line
NO_CHARACTERS = "expected digits that are one character each, 0-9 and A-P"
MAX_TEXT = 1 << 16  # characters of a line beyond which it is no puzzle with rulings
_BETWEEN_CELLS = " \t,|-+\u00a0" + DRAWN
# The .sdk files of SadMan's and other programs may have sections: [Puzzle], [State] for the play so
# far. Any other heading is a title.
_SECTION = re.compile(r"\s*\[([A-Za-z ]+)\]\s*\Z")
_NO_PUZZLES = frozenset({"state", "solution", "pencilmarks"})
_NUMBER = re.compile(r"\d+(\.0*)?")
_RULING_ONLY = re.compile(rf"[\s|+={DRAWN}-]*\Z")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')

_REMEMBERED = 64  # lines: the one that tells how a file is laid out is parsed only once


class Found(NamedTuple):
    """The first field of a line that is a whole grid: the characters start..stop-1."""

    start: int
    stop: int
    grid: Grid


@lru_cache(_REMEMBERED)
def find_grid(text: str, board: Board | None = None) -> Found | None:
    """The first field of a line that is a whole grid, one character a cell."""
    for field in re.finditer(rf"[^{SEPARATORS}\"]+", text):
        word = field.group()
        if board_for(len(word)) if board is None else len(word) == board.grid_cells:
            grid = parse_plain(word, board)
            if grid is not None:
                return Found(*field.span(), grid)
    return None


@lru_cache(_REMEMBERED)
def read_grid(text: str, board: Board | None = None) -> Grid | GridError:
    """The grid of a text, one line or several, or what is wrong with it."""
    try:
        return parse_grid(text, board)
    except GridError as error:
        return placed(error)


def read_line(text: str, board: Board | None = None) -> Grid | GridError:
    """The grid of a line that may hold other fields too."""
    found = find_grid(text, board)
    if found is not None:
        return found.grid
    if len(text) > MAX_TEXT:
        return GridError(f"a line of {len(text)} characters", f"a puzzle within {MAX_TEXT}")
    return read_grid(text, board)


def read_value(value: Any, board: Board | None = None) -> Grid | GridError:
    """The grid of a text, or of a list of digits, rows or not."""
    if isinstance(value, str):
        return read_grid(value, board)
    if isinstance(value, list):
        try:
            return as_grid(value, board)
        except GridError as error:
            return placed(error)
        except (TypeError, ValueError, OverflowError, RecursionError):
            pass
    expected = "a text or digits"
    if isinstance(value, Number) and not isinstance(value, bool):
        expected = "a text or a list of digits: as one number a grid loses digits"
    return GridError(f"{type(value).__name__} {str(value)[:40]}", expected)


def read_marks(text: str, board: Board) -> bytes | None:
    """Pencil marks, a character a candidate: its digit, or a blank where it cannot be; else None.

    Bytes of 0 and 1, cell-major, the lowest digit first. None, too, if a digit of the board has no
    character.
    """
    notation = notation_of(board.digits)
    if len(text) != board.variables or not text.isascii() or not notation.line or board.layers:
        return None
    values = text.encode("ascii").translate(notation.codes)
    digits = bytes(range(1, board.choices + 1)) * board.cells
    if any(value not in (0, digit) for value, digit in zip(values, digits, strict=True)):
        return None
    return bytes(map(bool, values))


def format_marks(candidates: Sequence[Iterable[int]], board: Board | None = None) -> str:
    """Pencil marks as a text that `parse_puzzle` reads: a character a candidate, its digit, or `.`
    where the cell cannot hold it.

    candidates: the digits of each cell, as positions (from 1) among those of the board. board: the
    usual one with so many cells unless given. Raises `SatdokuError` unless they fit the board, and
    its digits have characters.
    """
    size = isqrt(len(candidates))
    if board is None and (size * size != len(candidates) or not MIN_SIZE <= size <= MAX_SIZE):
        found = f"pencil marks of {counted(len(candidates), 'cell')}"
        raise SatdokuError(f"{found}: expected those of a square board")
    board = board or Board.of_size(size)
    held, every = [frozenset(digits) for digits in candidates], range(1, board.choices + 1)
    if len(held) != board.cells:
        raise SatdokuError(f"pencil marks of {counted(len(held), 'cell')}: expected {board.cells}")
    if wrong := sorted(frozenset().union(*held).difference(every)):
        raise SatdokuError(f"pencil mark {wrong[0]}: expected digits 1 to {board.choices}")
    line = notation_of(board.digits).line
    if not line:
        raise SatdokuError(f"pencil marks of digits {written(board.digits)}: {NO_CHARACTERS}")
    marks = bytes(digit * (digit in digits) for digits in held for digit in every)
    return marks.translate(line).decode("ascii")


def is_marks(text: str) -> bool:
    """Whether a text is pencil marks, each cell with one at least, on a usual board of any size."""
    size = round(len(text) ** (1 / 3))
    if size**3 != len(text) or not MIN_SIZE <= size <= MAX_SIZE:
        return False
    marks = read_marks(text, Board.latin(size))
    return marks is not None and all(any(marks[i : i + size]) for i in range(0, len(marks), size))


def has_clash(grid: Grid) -> bool:
    """Whether a digit stands twice in a house of the board."""
    for house in grid.board.houses:
        digits = [grid[cell] for cell in house if grid[cell]]
        if len({*digits}) < len(digits):
            return True
    return False


def load_object(text: str) -> dict[str, Any] | GridError:
    """A JSON object."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        found = error.msg[:1].lower() + error.msg[1:]
        return GridError(found, "a JSON object", line=error.lineno, column=error.colno)
    except (ValueError, RecursionError):  # a number of thousands of digits, a nest of brackets
        return GridError("JSON that is too large or too deep", "a JSON object")
    if not isinstance(value, dict):
        return GridError(f"JSON {type(value).__name__}", "a JSON object")
    return value


def placed(
    error: GridError, line: int = 1, column: int = 1, source: str | None = None
) -> GridError:
    """The error of a text that begins at that place of a file; column 0 is no column at all."""
    moved = error.column + column - 1 if error.line == 1 and error.column else error.column
    place = error.line + line - 1
    return type(error)(error.found, error.expected, line=place, column=moved, source=source)


def open_brackets(text: str) -> int:
    """How many more brackets of JSON a text opens than it closes."""
    bare = _STRING.sub("", text)
    return sum(map(bare.count, "{[")) - sum(map(bare.count, "}]"))


def is_no_puzzle(text: str) -> bool:
    """Whether a line is empty, a comment, a ruling or a heading."""
    if not text.strip() or text.lstrip().startswith("#") or is_ruling(text):
        return True
    return is_heading(text)


def is_heading(text: str) -> bool:
    """Whether a line is the heading of a section: `[Puzzle]`."""
    return bool(_SECTION.match(text))


def begins_puzzles(heading: str) -> bool:
    """Whether the section of that heading holds puzzles: [State] and [Solution] do not."""
    found = _SECTION.match(heading)
    return found is None or found[1].lower() not in _NO_PUZZLES


def is_ruling(text: str) -> bool:
    """Whether a line only draws: it neither holds a puzzle nor ends one."""
    return bool(text.strip()) and bool(_RULING_ONLY.match(text))


def row_width(text: str) -> int:
    """How many cells a row of that text has: its words if some are numbers beyond 9."""
    width = len(text) - sum(map(text.count, _BETWEEN_CELLS))
    if width < len(text):
        words = [word for word in re.split(rf"[\s|+,{DRAWN}]+", text) if word.strip("-")]
        if len(words) >= 10 and any(len(word) == 2 for word in words):
            return len(words)
    return width


def clean(text: str) -> str:
    """A name as it can be written anywhere: on one line, in UTF-8, and nothing to a terminal."""
    if text.isprintable():
        return text.strip()
    return re.sub("\0+", " ", "".join(c if c.isprintable() else "\0" for c in text)).strip()


def clean_rules(text: str) -> str:
    """Rules as a row states them: what a name cannot hold is escaped, never left out."""
    return shown(text.strip("\0 \t\r\n\ufeff\xa0"))


def clean_clues(value: object) -> str:
    """Clues as a row states them: a text, or a list of texts; a number is that of its givens."""
    if isinstance(value, str) and value.isdigit():  # quickly: data sets have millions of them
        return ""
    words = value if isinstance(value, list) else [value]
    texts = ("" if word is None else clean_rules(str(word)) for word in words)
    return ";".join(text for text in texts if text and not _NUMBER.fullmatch(text))


def clean_before(text: str) -> str:
    """The name that stands before a puzzle, without what separates them."""
    return clean(clean(text).rstrip(',;:|"').lstrip('"'))
