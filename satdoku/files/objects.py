"""Collections as JSON lines: an object a line, puzzles as texts, lists of digits or links.

Invariant: what a key holds is told by its name, where it first appears; a line that is no object is
an error of its row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Any, NamedTuple

from ..model.board import Board
from ..model.grid import Grid, GridError
from .columns import find_columns
from .foreign import is_foreign, object_format
from .lines import block_lines
from .notation import is_no_puzzle, load_object, placed
from .record import Reading, Record, object_record, usual_board, whole_record
from .streams import FileError

TRIED = 1000  # objects that tell the keys and the board

Values = dict[str, Any] | GridError  # those of an object by role, or what is wrong with the line
Stated = dict[str, Any] | str


class Objects(NamedTuple):
    """The values of all objects, with their lines, and as they are stated: objects, or the texts of
    lines that are none; the board of the first good puzzle; and what keys there are."""

    rows: Iterator[tuple[int, Values, Stated]]
    board: Board | None
    keys: Keys


def read_objects(
    blocks: Iterable[bytes], board: Board | None, path: str, asked: Mapping[str, str]
) -> Objects:
    """The objects of a file, one a line.

    Raises `FileError` where none of the first objects has a key for the puzzle.
    """
    numbered = enumerate(block_lines(blocks), 1)
    lines = ((n, text) for n, text in numbered if text[:1] == "{" or not is_no_puzzle(text))
    objects = ((line, _object(line, text, path), text) for line, text in lines)
    first = list(islice(objects, TRIED))
    keys = Keys(asked)
    keys.learn([row for _, row, _ in first])
    if "puzzle" not in keys.of_role and not any(isinstance(row, _Whole) for _, row, _ in first):
        raise FileError(f"{path}: no object has a key 'puzzle' (or quiz, question, ...)")
    rows = (
        (line, keys.values(row), row if type(row) is dict else text)
        for line, row, text in chain(first, objects)
    )
    values = (keys.values(row) for _, row, _ in first)
    records = (object_record(row, Reading(), 1) for row in values if isinstance(row, dict))
    return Objects(rows, board or _first_board(record.stated for record in records), keys)


def object_records(
    blocks: Iterable[bytes], reading: Reading, path: str, asked: Mapping[str, str]
) -> Iterator[Record]:
    """The puzzles of a file of JSON objects."""
    found = read_objects(blocks, reading.board, path, asked)
    reading = reading._replace(usual=found.board or Board())
    for line, values, _ in found.rows:
        if isinstance(values, GridError):
            yield Record(line, values)
        else:
            yield object_record(values, reading, line)


def board_of(values: Iterable[Any]) -> Board | None:
    """The usual board for the first value that is a puzzle, None if there is none."""
    return _first_board(whole_record(value, Reading()).grid for value in values)


def _first_board(grids: Iterable[Grid | GridError]) -> Board | None:
    return next((usual_board(grid) for grid in grids if isinstance(grid, Grid)), None)


class _Whole(dict[str, Any]):
    """The values, by role, of a line that is a puzzle by itself: a link, or JSON of a format."""


def _object(line: int, text: str, path: str) -> dict[str, Any] | GridError:
    """The object of a line."""
    if text[:1] != "{" and is_foreign(text) and not text.lstrip().startswith("{"):
        return _Whole(puzzle=text)
    value = load_object(text)
    if isinstance(value, GridError):
        return placed(value, line, 1, path)
    form = object_format(value)
    if form is None:
        return value
    return _Whole(puzzle=text, **{role: value.get(key) for role, key in form.roles.items()})


class Keys:
    """Which key holds what: a role that has a key keeps it; an object may lack some."""

    def __init__(self, asked: Mapping[str, str]) -> None:
        self.of_role: dict[str, str] = {}
        self._asked = asked
        self.seen: dict[str, None] = {}  # an ordered set

    def learn(self, rows: Iterable[dict[str, Any] | GridError]) -> None:
        """Take the rows' keys into account."""
        seen = self.seen | dict.fromkeys(
            chain.from_iterable(row for row in rows if type(row) is dict)
        )
        if len(seen) > len(self.seen):
            self.seen, ordered = seen, list(seen)
            places = find_columns(ordered, self._asked)
            self.of_role = {role: ordered[at] for role, at in places.items()} | self.of_role

    def values(self, row: dict[str, Any] | GridError) -> Values:
        """A row's values by role."""
        if isinstance(row, GridError | _Whole):
            return row
        if not row.keys() <= self.seen.keys():
            self.learn([row])
        return {role: row.get(key) for role, key in self.of_role.items()}
