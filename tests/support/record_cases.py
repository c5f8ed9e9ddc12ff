"""The results of both ways to read a file (puzzle by puzzle, as arrays) in one form."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from collection_cases import reading_of, text

from satdoku.files.collection import CHUNK_PUZZLES, Chunk, read_chunks
from satdoku.files.puzzles import read_records
from satdoku.files.streams import FileError
from satdoku.model.board import Board
from satdoku.model.grid import Grid, GridError

Wrong = tuple[int, int, str, str, str | None]  # line, column, found, expected, source


class Seen(NamedTuple):
    """One puzzle of a file: its cells, marks or error, and its other fields."""

    line: int
    puzzle: str | Wrong
    id: str = ""
    rules: str = ""
    answer: str | Wrong | None = None
    warning: str | None = None


def rows(line: str, size: int = 9) -> str:
    """A one-line grid as one line per row."""
    return "\n".join(line[i : i + size] for i in range(0, size * size, size))


def shown(grid: Grid | GridError) -> str | Wrong:
    """A grid as a line; an error as its parts."""
    if isinstance(grid, Grid):
        return str(grid)
    return grid.line, grid.column, grid.found, grid.expected, grid.source


def marked(marks: list[bool]) -> str:
    """Candidates as words; as a line where each cell has one digit or all of them.

    Arrays hold a collection with pencil marks as candidates throughout: there a plain line among
    its puzzles differs from pencil marks that say the same as little as here.
    """
    size = round(len(marks) ** (1 / 3))
    cells = [marks[at : at + size] for at in range(0, len(marks), size)]
    if all(sum(cell) in (1, size) for cell in cells):
        return text([0 if all(cell) else cell.index(True) + 1 for cell in cells])
    return f"marks {text(marks)}"


def from_puzzles(path: Path, board: Board | None = None, **options: Any) -> list[Seen]:
    """The puzzles of a file, read one by one."""
    found = []
    for record in read_records(str(path), board=board, **reading_of(options)):
        puzzle = shown(record.grid) if record.marks is None else marked(list(record.marks))
        answer = None if record.answer is None else shown(record.answer)
        rest = record.id, record.rules or "", answer, record.warning
        found.append(Seen(record.line, puzzle, *rest))
    return found


def from_chunks(path: Path, board: Board | None = None, **options: Any) -> list[Seen]:
    """The puzzles of a file, read by `read_chunks`."""
    chunks = read_chunks(str(path), board=board, **reading_of(options))
    return [_seen(chunk, row) for chunk in chunks for row in range(len(chunk.lines))]


def same_from_both(path: Path, board: Board | None = None, size: int = CHUNK_PUZZLES) -> bool:
    """Whether both give the same puzzles, or both refuse the file with the same words."""
    try:
        wanted = from_puzzles(path, board)
    except FileError as error:
        with pytest.raises(FileError, match=re.escape(str(error))):
            from_chunks(path, board, size=size)
        return True
    return from_chunks(path, board, size=size) == wanted


def _seen(chunk: Chunk, row: int) -> Seen:
    values = chunk.puzzles[row].tolist()
    error = chunk.errors.get(row)
    assert error is None or not any(values)
    puzzle: str | Wrong = (marked if chunk.puzzles.dtype == np.bool_ else text)(values)
    if error is not None:
        assert isinstance(error, GridError)
        puzzle = shown(error)
    return Seen(
        int(chunk.lines[row]),
        puzzle,
        chunk.ids[row] if chunk.ids is not None else "",
        chunk.rules[row] if chunk.rules is not None else "",
        _answer(chunk, row),
        (chunk.warnings or {}).get(row),
    )


def _answer(chunk: Chunk, row: int) -> str | Wrong | None:
    if chunk.answers is None or not chunk.answers.stated[row]:
        return None
    error = chunk.answers.errors.get(row)
    if error is None:
        return text(chunk.answers.cells[row].tolist())
    assert isinstance(error, GridError)
    return shown(error)


def read_both(path: Path, board: Board | None = None, **options: Any) -> list[Seen]:
    """The puzzles of a file; both ways must agree for every chunk size."""
    found = from_puzzles(path, board, **options)
    for size in (4096, 1, 3):
        assert from_chunks(path, board, size=size, **options) == found
    return found
