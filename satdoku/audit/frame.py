"""Audit puzzles that Python holds: arrays, texts, frames of pandas or polars, tables of pyarrow.

Invariant: an audit of a frame is that of a file with the same columns; rows count from 1, as lines
do. Libraries of frames are never imported here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..batch.options import PIECE
from ..files.cells import read_rows
from ..files.coding import codings_of
from ..files.collection import Chunk
from ..files.collection.chunk import parts
from ..files.collection.table import column_chunk, column_chunks, of_usual_board
from ..files.columns import find_columns, in_words, listed
from ..files.formats import ReadOptions
from ..files.frames import collected, column_of, names_of, values_of
from ..files.notation import placed
from ..files.objects import roles_by_values
from ..files.record import Reading
from ..files.sniff import board_of
from ..model.board import Board, board_for
from ..model.constraints import RulesLike, constraints_for, tells_board
from ..runtime.errors import SatdokuError
from ..runtime.progress import Progress
from .files import ALL_CHECKS, CHUNK_PUZZLES, Audit, Checks, audit_chunks

if TYPE_CHECKING:
    from ..runtime.workers import WorkersLike

NAME = "data"  # of puzzles that come without a name


def audit_frame(
    data: Any,
    rules: RulesLike = "classic",
    *,
    columns: Mapping[str, str] | None = None,
    checks: Checks = ALL_CHECKS,
    rows: bool = True,
    ratings: bool = False,
    workers: WorkersLike = 1,
    progress: Progress = False,
) -> Audit:
    """`audit_files` for puzzles in memory: its report, and its rows in the order of the data.

    data: a frame of pandas or polars, a table of pyarrow, or a dict of columns, recognised by their
    names as in a file (`columns` maps the roles puzzle, answer, id and rules to other names); or
    puzzles alone, as `as_cells` takes them; or a dict of several of these by name, which are
    compared as files are: `{"train": train, "test": test}`. A row that is not a puzzle is a
    finding. Other arguments as for `audit_files`. Raises `SatdokuError` if no column holds puzzles.
    """
    asked = ReadOptions(columns=columns).asked
    data = collected(data)
    named = _several(data, asked) or {NAME: data}
    board = constraints_for(rules).board if tells_board(rules) else None
    size = PIECE if ratings else CHUNK_PUZZLES

    def chunks(usual: Board | None) -> Iterator[tuple[str, Iterator[Chunk]]]:
        for name, held in named.items():
            found = list(_chunks(held, str(name), board, usual, asked))
            usual = usual or (found[0].usual_board if found[0].rows else None)
            yield str(name), chain.from_iterable(parts(chunk, size) for chunk in found)

    return audit_chunks(
        chunks(None), rules, checks=checks, rows=rows, ratings=ratings, workers=workers,
        progress=progress,
    )  # fmt: skip


def _several(data: Any, asked: Mapping[str, str]) -> Mapping[Any, Any] | None:
    """The data, if it is a dict of several collections; None if it is one."""
    if not isinstance(data, Mapping) or "puzzle" in _roles(data, asked):
        return None
    return {name: collected(held) for name, held in data.items()}


def _roles(data: Any, asked: Mapping[str, str]) -> dict[str, str]:
    """The name of each role's column."""
    names = names_of(data) or []
    wanted = {role: name for role, name in asked.items() if name.lower() in map(str.lower, names)}
    return {role: names[at] for role, at in find_columns(names, wanted).items()}


def _chunks(
    data: Any, name: str, board: Board | None, usual: Board | None, asked: Mapping[str, str]
) -> Iterator[Chunk]:
    """All rows of one collection."""
    names = names_of(data)
    if names is None:
        yield _unnamed(data, Reading(name, board or usual))
        return
    roles = _roles(data, asked)
    if "puzzle" not in roles:
        roles |= roles_by_values(
            {column: values_of(column_of(data, column)) for column in names}, name
        )
    if "puzzle" not in roles:
        raise SatdokuError(f"{name}: no column 'puzzle': there are {listed(names)}")
    held = {role: values_of(column_of(data, column)) for role, column in roles.items()}
    codings = codings_of(held, board or usual, name)
    held |= {role: coding.decoded(held[role]) for role, coding in codings.items()}
    layout = in_words("columns", roles, {role: coding.words for role, coding in codings.items()})
    here = board or usual or _board_of(of_usual_board(held)) or Board()
    for chunk in column_chunks(held, here, _lines(held["puzzle"]), Reading(name, board)):
        yield chunk.marks_as_errors().warnings_as_errors()._replace(layout=layout)


def _unnamed(data: Any, reading: Reading) -> Chunk:
    """Puzzles alone."""
    cells, board, wrong = read_rows(data, reading.board)
    chunk = column_chunk({"puzzle": cells}, board, _lines(cells), reading)
    for row, error in wrong.items():
        chunk.errors[row] = placed(error, row + 1, 1, reading.source)
        chunk.puzzles[row] = 0
    return chunk


def _lines(rows: Any) -> NDArray[np.int64]:
    return np.arange(1, len(rows) + 1)


def _board_of(puzzles: Any) -> Board | None:
    """The usual board for a column of puzzles."""
    if isinstance(puzzles, list):
        return board_of(puzzles)
    width = int(np.prod(puzzles.shape[1:]))
    return board_for(round(width ** (2 / 3)) if puzzles.dtype == np.bool_ else width)
