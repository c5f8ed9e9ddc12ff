"""Collections as JSON lines: an object a line, puzzles as texts or lists of digits.

Invariant: what a key holds is told by its name, where it first appears; a line that is no object is
an error of its row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Any

import numpy as np

from ...model.board import Board
from ...model.grid import GridError
from ..columns import find_columns
from ..entries import block_lines
from ..streams import FileError
from .chunk import TRIED, Chunk
from .record import load_object
from .table import board_of, column_chunk

Row = dict[str, Any] | GridError
Names = dict[str, None]  # an ordered set


def object_chunks(
    blocks: Iterable[bytes],
    board: Board | None,
    path: str,
    size: int,
    asked: Mapping[str, str],
) -> Iterator[Chunk]:
    """The puzzles of a file of JSON objects, one a line; the first good one tells the board."""
    lines = ((n, text) for n, text in enumerate(block_lines(blocks), 1) if text.strip())
    rows: Iterator[tuple[int, Row]]
    rows = ((line, load_object(text, path, line)) for line, text in lines)
    first = list(islice(rows, TRIED))
    names, keys = _more_keys({}, {}, [row for _, row in first], asked)
    if "puzzle" not in keys:
        raise FileError(f"{path}: no object has a key 'puzzle' (or quiz, question, ...)")
    puzzles = (row.get(keys["puzzle"]) for _, row in first if isinstance(row, dict))
    board = board or board_of(puzzles) or Board.of_size(9)
    rows = chain(first, rows)
    while part := list(islice(rows, size)):
        names, keys = _more_keys(names, keys, [row for _, row in part], asked)
        yield _chunk([line for line, _ in part], [row for _, row in part], keys, board, path)


def _more_keys(
    names: Names, keys: dict[str, str], rows: Iterable[Row], asked: Mapping[str, str]
) -> tuple[Names, dict[str, str]]:
    """All keys so far, and that of each role: a role that has one keeps it; an object may lack
    some."""
    seen = names | dict.fromkeys(chain.from_iterable(row for row in rows if isinstance(row, dict)))
    if len(seen) == len(names):
        return names, keys
    ordered = list(seen)
    places = find_columns(ordered, asked)
    return seen, {role: ordered[at] for role, at in places.items()} | keys


def _chunk(
    lines: list[int], rows: list[Row], keys: Mapping[str, str], board: Board, path: str
) -> Chunk:
    good = [{} if isinstance(row, GridError) else row for row in rows]
    columns = {role: [row.get(key) for row in good] for role, key in keys.items()}
    chunk = column_chunk(columns, board, path, np.array(lines, dtype=np.int64))
    for index, row in enumerate(rows):
        if isinstance(row, GridError):
            chunk.errors[index] = row
    return chunk
