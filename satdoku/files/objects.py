"""Rows that are objects: JSON lines, JSON documents, CSV with texts of several lines.

Invariant: the name of a key tells what it holds, where it first appears. Only if no values of that
key are puzzles, those of objects within the rows are looked at, and if no name is known, all
values: a key is taken that alone can hold the puzzles, or it is an error that names several. A row
that is no object is an error of its row.

A document is an array of rows, an object with such an array, or an object with a column a key. A
row is an object, a puzzle (a text, a list of digits), or a list of a puzzle and its answer.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from math import isqrt
from typing import Any, NamedTuple

from ..model.board import Board, board_for
from ..model.grid import Grid, GridError
from . import columns, notation
from .foreign import is_foreign, json_type, object_format
from .formats import TABLE
from .lines import block_lines
from .record import Reading, Record, object_record, whole_record
from .sniff import TRIED, board_among
from .streams import FileError, Source

Values = dict[str, Any] | GridError  # those of an object by role, or what is wrong with the row
Stated = dict[str, Any] | str
_EXAMPLES = 20  # values of a key that tell what it holds


class Item(NamedTuple):
    """A row: its line or number, what it holds, and as it is stated: an object, or the text of a
    line that is none."""

    line: int
    row: dict[str, Any] | GridError
    stated: Stated


class Objects(NamedTuple):
    """The values of all objects, with their lines, and as they are stated; the board of the first
    good puzzle; what keys there are; and the layout in words."""

    rows: Iterator[tuple[int, Values, Stated]]
    board: Board | None
    keys: Keys
    layout: str


def read_objects(
    source: Source, kind: str, board: Board | None, asked: Mapping[str, str]
) -> Objects:
    """The objects of a file of one of `READERS`.

    Raises `FileError` where none of the first objects has a key for the puzzle.
    """
    said, read = READERS[kind]
    return settled(read(source), said, board, source.path, asked)


def settled(
    items: Iterable[Item], said: str, board: Board | None, path: str, asked: Mapping[str, str]
) -> Objects:
    """What `read_objects` gives, of any items."""
    items = iter(items)
    first = list(islice(items, TRIED))
    keys = Keys(asked)
    keys.learn(item.row for item in first)
    keys.settle([item.row for item in first if type(item.row) is dict], path)
    if not keys.has_puzzles and not any(isinstance(item.row, Whole) for item in first):
        raise FileError(f"{path}: no object has a key 'puzzle' (or quiz, question, ...)")
    form = ""
    for item in first:
        if isinstance(item.row, Whole) and isinstance(item.stated, dict):
            form = item.row.form
            keys.learn_form(item.row, item.stated)
            break
    rows = ((item.line, keys.values(item.row), item.stated) for item in chain(first, items))
    values = (keys.values(item.row) for item in first)
    records = (object_record(row, Reading(), 1) for row in values if isinstance(row, dict))
    layout = columns.in_words(f"{said} of {form}" if form else said, keys.names)
    return Objects(rows, board or board_among(records), keys, layout)


def object_records(
    source: Source, kind: str, reading: Reading, asked: Mapping[str, str]
) -> Iterator[Record]:
    """The puzzles of a file of objects."""
    found = read_objects(source, kind, reading.board, asked)
    reading = reading._replace(usual=found.board or Board())
    for line, values, _ in found.rows:
        if isinstance(values, GridError):
            yield Record(line, values)
        else:
            yield object_record(values, reading, line)


class Whole(dict[str, Any]):
    """The values, by role, of a row that is a puzzle by itself: a link, or JSON of a format.

    form: what the format calls itself, if its objects are rows of a table; roles: their keys.
    """

    form = ""
    roles: Mapping[str, str] = {}


def item_of(line: int, value: dict[str, Any], text: str | None = None) -> Item:
    """The row of an object. text: of its line, which states the row if it is of a format."""
    form = object_format(value)
    if form is None:
        return Item(line, value, value)
    whole = Whole(puzzle=text or json.dumps(value))
    whole.update((role, value.get(key)) for role, key in form.roles.items() if role != "puzzle")
    if not form.is_row:
        return Item(line, whole, text or json.dumps(value))
    whole.form, whole.roles = form.says, form.roles
    return Item(line, whole, value)


class Keys:
    """Which key holds what: a role that has a key keeps it; an object may lack some.

    of_role: the keys; inner: for roles within an object of the row, its key and that in it; seen:
    all keys of the rows.
    """

    def __init__(self, asked: Mapping[str, str]) -> None:
        self.of_role: dict[str, str] = {}
        self.inner: dict[str, tuple[str, str]] = {}
        self.seen: dict[str, None] = {}  # an ordered set
        self._asked = {role: name for role, name in asked.items() if "." not in name}
        for role in asked.keys() - self._asked.keys():
            outer, _, name = asked[role].partition(".")
            self.inner[role] = outer, name

    @property
    def has_puzzles(self) -> bool:
        """Whether a key is known that holds them."""
        return "puzzle" in self.of_role or "puzzle" in self.inner

    @property
    def names(self) -> dict[str, str]:
        """The key of each role, of those within objects with a dot."""
        return {**self.of_role, **{role: ".".join(keys) for role, keys in self.inner.items()}}

    def learn(self, rows: Iterable[dict[str, Any] | GridError]) -> None:
        """Take the rows' keys into account."""
        seen = self.seen | dict.fromkeys(
            chain.from_iterable(row for row in rows if type(row) is dict)
        )
        if len(seen) > len(self.seen):
            self.seen, ordered = seen, list(seen)
            places = columns.find_columns(ordered, self._asked)
            self.of_role = {role: ordered[at] for role, at in places.items()} | self.of_role

    def learn_form(self, row: Whole, stated: Mapping[str, Any]) -> None:
        """Take the keys of a row of a format into account."""
        self.seen |= dict.fromkeys(stated)
        self.of_role = {role: key for role, key in row.roles.items() if key in self.seen}

    def settle(self, rows: Sequence[dict[str, Any]], path: str) -> None:
        """Look at the values of the first rows, where the names do not tell where puzzles are."""
        asked = "puzzle" in self._asked or "puzzle" in self.inner
        key = self.of_role.get("puzzle")
        if asked or (key and any(map(is_puzzle, _examples(rows, key)))):
            return
        inner = {key: [*map(object_in, _examples(rows, key))] for key in self.seen}
        found = {key: _inner_roles(some) for key, some in inner.items()}
        likely = {key: roles for key, roles in found.items() if roles}
        if len(likely) > 1:
            raise FileError(f"{path}: puzzles in {columns.listed(likely)}: {_TELL}=NAME.KEY")
        for key, roles in likely.items():
            self.inner = {role: (key, name) for role, name in roles.items()}
            self.of_role.pop("puzzle", None)
            if "answer" in self.inner:
                self.of_role.pop("answer", None)
        if not self.has_puzzles:
            held = {key: _examples(rows, key) for key in self.seen}
            self.of_role |= roles_by_values(held, path)

    def values(self, row: dict[str, Any] | GridError) -> Values:
        """A row's values by role."""
        if isinstance(row, GridError | Whole):
            return row
        if not row.keys() <= self.seen.keys():
            self.learn([row])
        values = {role: row.get(key) for role, key in self.of_role.items()}
        for role, (outer, name) in self.inner.items():
            values[role] = object_in(row.get(outer)).get(name)
        return values


_TELL = "tell which with --column puzzle"


def _examples(rows: Iterable[Mapping[str, Any]], key: str) -> list[Any]:
    """The first values of a key that say anything."""
    return list(islice((row[key] for row in rows if row.get(key)), _EXAMPLES))


def _inner_roles(values: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The keys of the roles in some objects, if these hold puzzles."""
    names = list(dict.fromkeys(chain.from_iterable(values)))
    roles = {role: names[at] for role, at in columns.find_columns(names).items()}
    key = roles.get("puzzle")
    return roles if key and any(map(is_puzzle, _examples(values, key))) else {}


def object_in(value: Any) -> dict[str, Any]:
    """The object that a value is, or whose JSON text it is; an empty one for all else."""
    if isinstance(value, str) and value[:1] == "{":
        value = notation.load_object(value)
    return value if isinstance(value, dict) else {}


def roles_by_values(held: Mapping[str, Sequence[Any]], path: str) -> dict[str, str]:
    """The columns of puzzles and answers among some whose names say nothing, by their first values.

    Most puzzles have empty cells, most answers have none. Raises `FileError` where several may hold
    either; gives nothing where none does.
    """
    grids = {
        name: [grid for value in values[:_EXAMPLES] if (grid := _grid_in(value)) is not None]
        for name, values in held.items()
    }
    full = [n for n, some in grids.items() if sum(g.is_complete for g in some) > len(some) / 2]
    puzzles = [n for n, found in grids.items() if found and n not in full]
    if len(puzzles) > 1 or len(full) > 1:
        several = puzzles if len(puzzles) > 1 else full
        raise FileError(f"{path}: grids in {columns.listed(several)}: {_TELL}=NAME")
    if not puzzles:
        return {"puzzle": full[0]} if full else {}
    return {"puzzle": puzzles[0], **({"answer": full[0]} if full else {})}


def _grid_in(value: Any) -> Grid | None:
    if not isinstance(value, str | list):
        return None
    grid = whole_record(value, Reading()).grid  # type: ignore[arg-type]
    return grid if isinstance(grid, Grid) else None


def is_puzzle(value: Any) -> bool:
    """Whether a value is a puzzle, in any form."""
    return _grid_in(value) is not None


# What holds them ----------------------------------------------------------------------------------


def _of_lines(source: Source) -> Iterator[Item]:
    """An object a line."""
    for line, text in enumerate(block_lines(source.text_blocks()), 1):
        if text[:1] != "{" and notation.is_no_puzzle(text):
            continue
        if text[:1] != "{" and is_foreign(text) and not text.lstrip().startswith("{"):
            yield Item(line, Whole(puzzle=text), text)
            continue
        value = notation.load_object(text)
        if isinstance(value, GridError):
            yield Item(line, notation.placed(value, line, 1, source.path), text)
        else:
            yield item_of(line, value, text)


def _of_document(source: Source) -> Iterator[Item]:
    """The rows of a JSON document, by their numbers."""
    text = source.text()
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        what = f"{error.msg[:1].lower()}{error.msg[1:]}"
        raise FileError(
            f"{source.path}: line {error.lineno}, column {error.colno}: {what}, expected JSON"
        ) from None
    except (ValueError, RecursionError):
        raise FileError(f"{source.path}: JSON that is too large or nested too deep") from None
    if not isinstance(value, list | dict):
        raise FileError(f"{source.path}: {json_type(value)}, expected an array or an object")
    rows = _rows_of(value, source.path) if isinstance(value, list) else _within(value, source.path)
    for number, row in enumerate(rows, 1):
        found = _as_object(row)
        if found is None:
            what = f"JSON {type(row).__name__}"
            wrong = GridError(what, "an object or a puzzle", line=number, source=source.path)
            yield Item(number, wrong, json.dumps(row))
        else:
            yield item_of(number, found)


def _rows_of(rows: list[Any], path: str) -> list[Any]:
    """The rows of an array, which may be one puzzle: its rows, each a list of digits."""
    widths = {len(row) if isinstance(row, list) else 0 for row in rows}
    if widths != {len(rows)} or any(isinstance(cell, str | list) for row in rows for cell in row):
        return rows
    size, few = len(rows), isqrt(len(rows))
    most = max((cell for row in rows for cell in row if isinstance(cell, int)), default=0)
    if board_for(size) is not None and most <= few:  # sixteen rows of 16 may be puzzles of 4x4
        raise FileError(
            f"{path}: {size} lists of {size} digits that may be one puzzle of {size}x{size} or "
            f'{size} of {few}x{few}: write objects, {{"puzzle": [...]}}'
        )
    return [rows]


def _within(value: dict[str, Any], path: str) -> list[Any]:
    """The rows of an object that holds them: under one key, or a column a key; else the object."""
    if object_format(value) is not None:
        return [value]
    arrays = [key for key, rows in value.items() if _are_rows(rows)]
    if len(arrays) > 1:
        raise FileError(f"{path}: rows in {columns.listed(arrays)}: expected one array of them")
    if arrays:
        rows: list[Any] = value[arrays[0]]
        return rows
    held = {key: column for key, values in value.items() if (column := _column(values)) is not None}
    if len(held) < len(value) or len({*map(len, held.values())}) != 1:
        return [value]
    return [dict(zip(held, row, strict=True)) for row in zip(*held.values(), strict=True)]


def _are_rows(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(row, dict) for row in value)


def _column(values: Any) -> list[Any] | None:
    """The values of a column: an array of texts or lists, or an object whose keys count them."""
    if isinstance(values, dict) and all(key.isdecimal() for key in values):
        return list(values.values())
    if isinstance(values, list) and not (values and all(isinstance(v, list) for v in values)):
        return values if any(isinstance(v, str) for v in values) else None
    if isinstance(values, list) and any(len(row) != len(values) for row in values):
        return values
    return None


def _as_object(row: Any) -> dict[str, Any] | None:
    """A row of an array as an object, None if it is nothing that may be one."""
    if isinstance(row, dict):
        return row
    if isinstance(row, str):
        return {"puzzle": row}
    if not isinstance(row, list):
        return None
    if len(row) == 2 and all(isinstance(value, str | list) for value in row):
        return {"puzzle": row[0], "solution": row[1]}
    return {"puzzle": row}


def _of_csv(source: Source) -> Iterator[Item]:
    """The rows of CSV whose fields may be texts of several lines."""
    lines = (f"{text}\n" for text in block_lines(source.text_blocks()))
    reader = csv.reader(lines)
    try:
        names = next(reader, [])
        line = reader.line_num + 1
        for fields in reader:
            if fields:
                yield item_of(line, dict(zip(names, fields, strict=False)))
            line = reader.line_num + 1
    except csv.Error as error:
        raise FileError(f"{source.path}: line {reader.line_num}: {error}") from None


# For each kind what it is called, and what reads its rows.
READERS: dict[str, tuple[str, Callable[[Source], Iterator[Item]]]] = {
    "jsonl": ("JSON lines", _of_lines),
    "json": ("JSON", _of_document),
    TABLE: ("CSV", _of_csv),
}
