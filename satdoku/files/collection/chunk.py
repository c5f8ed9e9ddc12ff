"""What a collection is read into: chunks of rows, column by column.

Invariant: every column of a chunk has a row for each puzzle, in the order of the file, good or bad;
what is wrong with a row stands in `errors` and costs no other row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import SatdokuError
from ...model.board import Board
from ...model.grid import Grid

CHUNK_PUZZLES = 4096
TRIED = 1000  # rows in which a first good puzzle is looked for

Puzzles = NDArray[Any]  # (N, cells) uint8 digits, or (N, variables) bool pencil marks


class Answers(NamedTuple):
    """The solutions that a collection states.

    cells: (N, cells) uint8, all 0 where none is stated or it cannot be read; stated: (N,) bool;
    errors: by index into the chunk, what is wrong with the unreadable ones.
    """

    cells: NDArray[np.uint8]
    stated: NDArray[np.bool_]
    errors: dict[int, SatdokuError]


class Chunk(NamedTuple):
    """Some consecutive puzzles of a collection.

    lines: (N,) int64, line or row in the file, 1-based; puzzles: (N, cells) uint8, 0 for empty, or
    (N, variables) bool pencil marks; errors: by index into the chunk, what is wrong with the
    puzzles that are none (their rows are all 0). Of the columns that a file may have beside: ids
    and rules, N strings each, and answers; None where there are none.
    """

    lines: NDArray[np.int64]
    puzzles: Puzzles
    errors: dict[int, SatdokuError]
    ids: Sequence[str] | None = None
    answers: Answers | None = None
    rules: Sequence[str] | None = None
    source: str = "-"

    @property
    def cells(self) -> int:
        """Number of cells of the board."""
        width = int(self.puzzles.shape[1])
        return round(width ** (2 / 3)) if self.puzzles.dtype == np.bool_ else width

    def part(self, start: int, stop: int) -> Chunk:
        """The rows start..stop-1."""
        here = slice(start, stop)
        return Chunk(
            self.lines[here],
            self.puzzles[here],
            _shifted(self.errors, start, stop),
            self.ids[here] if self.ids is not None else None,
            self.answers and Answers(
                self.answers.cells[here],
                self.answers.stated[here],
                _shifted(self.answers.errors, start, stop),
            ),
            self.rules[here] if self.rules is not None else None,
            self.source,
        )  # fmt: skip


def _shifted(errors: dict[int, SatdokuError], start: int, stop: int) -> dict[int, SatdokuError]:
    return {i - start: error for i, error in errors.items() if start <= i < stop}


def parts(chunk: Chunk, size: int) -> Iterator[Chunk]:
    """The chunk cut into chunks of at most `size` rows."""
    if len(chunk.lines) <= size:
        if len(chunk.lines):
            yield chunk
        return
    for start in range(0, len(chunk.lines), size):
        yield chunk.part(start, start + size)


class Record(NamedTuple):
    """One row as read by itself: a grid, pencil marks (bytes of 0 and 1), or what is wrong."""

    grid: Grid | bytes | SatdokuError
    answer: Grid | SatdokuError | None = None
    id: str = ""
    rules: str = ""


class Builder:
    """A chunk in the making: rows of a known number, filled one by one or many at once."""

    def __init__(
        self,
        lines: NDArray[np.int64],
        board: Board,
        source: str,
        *,
        columns: Sequence[str] = (),
        marks: bool = False,
    ) -> None:
        count = len(lines)
        width, kind = (board.variables, np.bool_) if marks else (board.cells, np.uint8)
        self.board = board
        self.lines = lines
        self.source = source
        self.puzzles: Puzzles = np.zeros((count, width), dtype=kind)
        self.errors: dict[int, SatdokuError] = {}
        self.ids = [""] * count if "id" in columns else None
        self.rules = [""] * count if "rules" in columns else None
        self.answers: Answers | None = None
        if "answer" in columns:
            cells = np.zeros((count, board.cells), np.uint8)
            self.answers = Answers(cells, np.zeros(count, np.bool_), {})

    def fill(self, rows: NDArray[np.int64], chunk: Chunk) -> None:
        """Fill in many rows at once, from a chunk of good ones with the same columns."""
        self.puzzles[rows] = chunk.puzzles
        for mine, theirs in ((self.ids, chunk.ids), (self.rules, chunk.rules)):
            if mine is not None and theirs is not None:
                for row, text in zip(rows.tolist(), theirs, strict=True):
                    mine[row] = text
        if self.answers is not None and chunk.answers is not None:
            self.answers.cells[rows] = chunk.answers.cells
            self.answers.stated[rows] = chunk.answers.stated

    def put(self, row: int, record: Record) -> None:
        """Fill in one row."""
        grid = record.grid
        if isinstance(grid, SatdokuError):
            self.errors[row] = grid
        elif isinstance(grid, bytes):
            self.puzzles[row] = np.frombuffer(grid, np.bool_)
        elif self.puzzles.dtype == np.bool_:
            self.puzzles[row] = marks_of(np.frombuffer(grid.cells, np.uint8)[None], self.board)
        else:
            self.puzzles[row] = np.frombuffer(grid.cells, np.uint8)
        if self.ids is not None:
            self.ids[row] = record.id
        if self.rules is not None:
            self.rules[row] = record.rules
        if self.answers is not None and record.answer is not None:
            self.answers.stated[row] = True
            if isinstance(record.answer, Grid):
                self.answers.cells[row] = np.frombuffer(record.answer.cells, np.uint8)
            else:
                self.answers.errors[row] = record.answer

    def chunk(self) -> Chunk:
        """What was filled in."""
        return Chunk(
            self.lines, self.puzzles, self.errors, self.ids, self.answers, self.rules, self.source
        )


def marks_of(puzzles: NDArray[np.uint8], board: Board) -> NDArray[np.bool_]:
    """The pencil marks (N, variables) that givens leave: one in a given's cell, all in others."""
    digits = np.arange(1, board.size + 1, dtype=np.uint8)
    cells = puzzles[:, :, None]
    marks: NDArray[np.bool_] = (cells == 0) | (cells == digits)
    return marks.reshape(len(puzzles), -1)
