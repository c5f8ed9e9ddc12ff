"""The formats of collections, and the recognition of a file's format.

Invariant: a file is recognised by its content, never by its name, unless a format is given.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from math import isqrt

from ..model.board import board_for
from ..model.grid import parse_grid
from ..model.numbers import is_large
from ..runtime.errors import SatdokuError, no_such
from .columns import ROLES, ColumnError, fields_of, fields_of_many, find_columns, listed
from .foreign import is_drawn, is_foreign, is_killer, object_format, parse_foreign
from .lines import block_lines
from .notation import clean_clues, has_clash, is_marks, is_no_puzzle, load_object, open_brackets
from .streams import FileError, Folder, Source, read_text

WHOLE = "whole"  # a text that is one puzzle
FOLDER = "folder"  # with arrays
TABLE = "table"  # CSV whose fields are texts of several lines
OBJECTS = ("jsonl", "json", TABLE)  # rows that are objects
NUMBERS = "numbers"  # of puzzles beyond 25x25
# What can be read, with the beginnings that tell it where text does not.
FORMATS: dict[str, tuple[bytes, ...]] = {
    **dict.fromkeys(("lines", "csv", "rows", "marks", "jsonl", "json", WHOLE), ()),
    "parquet": (b"PAR1",),
    "arrow": (b"ARROW1", b"\xff\xff\xff\xff"),  # a file, a stream
    "npy": (b"\x93NUMPY",),
    "npz": (b"PK\x03\x04",),
}
ARRAYS = tuple(name for name, begins in FORMATS.items() if begins)  # these need numpy


@dataclass(frozen=True)
class ReadOptions:
    """How files of puzzles are read.

    format: one of `FORMATS`, told by the content unless given. columns: by role (puzzle, answer,
    id, rules, clues) the column that holds it, where its name does not say so; "" for none,
    whatever names there are. ignore_ruleset: take
    a link that states rules only in words for a puzzle without them; else it cannot be read.
    stated: by the id of such a puzzle, the clues that say what its words do.
    """

    format: str | None = None
    columns: Mapping[str, str] | None = None
    ignore_ruleset: bool = False
    stated: Mapping[str, str] = field(default_factory=dict)

    @property
    def asked(self) -> dict[str, str]:
        """The requested columns, by role; raises `SatdokuError` for unknown words."""
        asked = dict(self.columns or {})
        if unknown := set(asked) - set(ROLES):
            raise ColumnError(no_such("role", unknown.pop(), ROLES))
        if asked.get("puzzle") == "":
            raise ColumnError("puzzle=: expected the column that holds the puzzles")
        if self.format is not None and self.format not in FORMATS:
            raise FormatError(no_such("format", self.format, FORMATS))
        return asked


AS_IT_IS = ReadOptions()


def read_stated(path: str) -> dict[str, str]:
    """The clues of a CSV file by their ids, as `ReadOptions.stated` has them.

    Its header names an id and clues (or rules); several rows of an id join. Raises `ColumnError`
    for other headers, `FileError` for a row without an id.
    """
    lines = [text for text in block_lines([read_text(path).encode()]) if not is_no_puzzle(text)]
    rows = fields_of_many(lines, ",")
    places = find_columns(rows[0] or () if rows else ())
    clues = places.get("clues", places.get("rules"))
    if "id" not in places or clues is None:
        raise ColumnError(
            f"{path}: no columns id and clues: there are {listed((rows and rows[0]) or ())}"
        )
    found: dict[str, str] = {}
    for line, row in enumerate(rows[1:], 2):
        if row is None or len(row) <= max(places["id"], clues) or not row[places["id"]].strip():
            raise FileError(f"{path}: line {line}: expected an id and clues")
        name, text = row[places["id"]].strip(), clean_clues(row[clues])
        found[name] = f"{found[name]};{text}" if name in found else text
    return found


class FormatError(SatdokuError):
    """An unknown format, or one that the file does not have."""


def recognise(source: Source, format: str | None) -> str | None:
    """One of `ARRAYS`, of `OBJECTS`, `WHOLE`, `NUMBERS`, `FOLDER`; None for text whose lines tell
    the rest.

    Raises `FileError` for what holds no puzzles, `FormatError` for pencil marks that may be lists
    of puzzles.
    """
    if isinstance(source, Folder):
        return FOLDER
    if format is None:
        format = next((name for name in ARRAYS if source.head.startswith(FORMATS[name])), None)
    if format is not None:
        kind = format if format in (*ARRAYS, *OBJECTS, WHOLE) else None
        return TABLE if format == "csv" and _is_table(source) else kind
    if is_large(source.text_head):
        return NUMBERS
    if source.is_dimacs:
        raise FileError(f"{source.path}: a CNF, expected puzzles (`satdoku solve` reads CNF)")
    if (kind := _kind_of_objects(source)) is not None:
        return kind
    return WHOLE if _is_marks_in_lines(source) or _is_text_in_lines(source) else None


_LONGEST_TEXT = 1 << 14  # bytes of a drawing


def _is_text_in_lines(source: Source) -> bool:
    """Whether the lines are one killer text, or draw one board, and none is one by itself."""
    head = source.text_head
    if len(head) > _LONGEST_TEXT:
        return False
    lines = [text for text in block_lines([head]) if text.strip() and text.lstrip()[:1] != "#"]
    together = "\n".join(lines)
    if len(lines) < 2 or not (is_drawn(together) or is_killer(together)):
        return False
    return not any(is_foreign(text) and _is_puzzle(text) for text in lines[:-1])


def _is_puzzle(text: str) -> bool:
    with suppress(SatdokuError):
        return bool(parse_foreign(text))
    return False


def _is_marks_in_lines(source: Source) -> bool:
    """Whether the lines are the pencil marks of one puzzle, though each may be a puzzle (81
    characters) or a row of one (9).

    Raises `FormatError` where these puzzles break no rule, and where more lines follow.
    """
    texts = (text for text in block_lines([source.text_head]) if not is_no_puzzle(text))
    lines = [next(texts, "").strip()]
    width = len(lines[0])
    for size in (isqrt(width), width):
        if board_for(size * size) is None or size * size % width:
            continue
        count = size**3 // width
        lines += map(str.strip, islice(texts, count - len(lines)))
        is_even = len(lines) == count and all(len(line) == width for line in lines)
        if not is_even or not is_marks("".join(lines)):
            continue
        height = count // size
        some = ["".join(lines[i : i + height]) for i in range(0, count, height)]
        is_grid = board_for(size**3) is not None  # of 64 cells
        follows = next(texts, None) is not None
        if is_grid or follows or not any(map(has_clash, map(parse_grid, some))):
            problem = f"lines that may be pencil marks of {size}x{size} or {size} puzzles"
            tell = f"to tell: --input-format {WHOLE}, lines or rows; or marks on one line"
            raise FormatError(f"{source.path}: {problem}; {tell}")
        return True
    return False


# How documents begin: an array of rows, or an object with such, or with a column a key.
_ARRAY = re.compile(rb"\s*\[\s*[\[{\"]")
_TEXT = rb'"(?:[^"\\]|\\.)*+"\s*+'
_OBJECT = re.compile(
    rb"\s*\{\s*+(?:" + _TEXT + rb":\s*+(?:" + _TEXT + rb"|[-+.\w]++\s*+),\s*+)*+" + _TEXT
    + rb':\s*+(?:\[\s*+[{"]|\{\s*+"0")'
)  # fmt: skip


def _kind_of_objects(source: Source) -> str | None:
    """One of `OBJECTS` if the text holds such, None for any other."""
    head = source.text_head
    if _ARRAY.match(head):
        return "json"
    lines = (text for text in block_lines([head]) if not is_no_puzzle(text))
    first, second = next(lines, ""), next(lines, "")
    if not first.lstrip().startswith("{"):
        return TABLE if _is_table(source) else None
    value = load_object(first)
    if not isinstance(value, dict):
        if not second.startswith("{") and _OBJECT.match(head):
            return "json"
        return "jsonl" if open_brackets(first) <= 0 or second.startswith("{") else None
    form = object_format(value)
    if form is not None and not form.is_row:
        return None
    return (
        "jsonl" if second or not any(isinstance(v, list | dict) for v in value.values()) else "json"
    )


def _is_table(source: Source) -> bool:
    """Whether the first line has the names of a format whose fields are texts of several lines."""
    header = next(block_lines([source.text_head]), "")
    fields = fields_of(header, ",") if len(header) < _LONGEST_TEXT else None
    form = object_format(dict.fromkeys(fields or (), ""))
    return form is not None and form.is_row
