"""Files as a stream of batches of arrays, as programs that train models read them.

Invariant: every row of every file comes once, good or bad, in order; every batch of a file but its
last has as many rows as were asked for, unless the next rows have another board.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..audit.files import read_files
from ..files.collection import CHUNK_PUZZLES, Chunk, Puzzles
from ..files.collection.beside import grid_texts
from ..files.collection.chunk import stated_texts
from ..files.formats import AS_IT_IS, ReadOptions
from ..files.frames import as_frame
from ..files.streams import Files
from ..model.board import Board
from ..model.constraints import RulesLike
from ..model.grid import NINE
from ..runtime.errors import SatdokuError, counted, shown


class Batch(NamedTuple):
    """n consecutive rows of a file.

    puzzles: (n, cells) uint8, 0 for empty, or (n, variables) bool pencil marks; answers: (n, cells)
    uint8, all 0 in a row without one, None if there are none; ids, rules: n texts, None if there
    are none; lines: (n,) int64, line or row in the file, from 1; errors: by row, from 0, what is
    wrong with the puzzle or the answer, which is all 0 then; path: of the file. board: that of the
    rows, among whose digits those of puzzles and answers are positions.
    """

    puzzles: Puzzles
    answers: NDArray[np.uint8] | None
    ids: Sequence[str] | None
    rules: Sequence[str] | None
    lines: NDArray[np.int64]
    errors: dict[int, SatdokuError]
    path: str
    board: Board = NINE

    def __repr__(self) -> str:
        bad = f", {len(self.errors)} of them bad" if self.errors else ""
        return f"<Batch: {counted(len(self.lines), 'row')} of {shown(self.path)}{bad}>"

    @property
    def good(self) -> NDArray[np.bool_]:
        """(n,) bool: the rows that are no errors."""
        good = np.ones(len(self.lines), np.bool_)
        good[list(self.errors)] = False
        return good

    def columns(self) -> dict[str, Any]:
        """n values each: line, puzzle, reason (what is wrong, else empty); and id, rules, answer if
        there are any."""
        reasons = [""] * len(self.lines)
        for row, error in self.errors.items():
            reasons[row] = str(error)
        columns = {
            "line": self.lines,
            "id": self.ids,
            "puzzle": grid_texts(self.puzzles, self.good, self.board),
            "rules": self.rules,
            "answer": None if self.answers is None else stated_texts(self.answers, self.board),
            "reason": reasons,
        }
        return {name: values for name, values in columns.items() if values is not None}

    def as_frame(self, kind: str = "pandas") -> Any:
        """The columns as a frame of `pandas` or `polars`, or as a table of `pyarrow`."""
        return as_frame(self, kind)


def iter_batches(
    paths: Files,
    rules: RulesLike = "classic",
    *,
    size: int = CHUNK_PUZZLES,
    reading: ReadOptions = AS_IT_IS,
) -> Iterator[Batch]:
    """The rows of files, `size` at a time, from any format, compressed or not, in bounded memory.

    `rules` and `reading` are those of `audit_files`: the board is that
    of the rules if they fix one, else that of the first file. A bad row is one of the batch's
    errors. Raises `SatdokuError` at once for a path that cannot be read.
    """
    if size < 1:
        raise SatdokuError(f"batches of {size} rows: expected 1 or more")
    files = read_files(paths, rules, size=size, reading=reading)
    return (batch for _, chunks in files for batch in _of_size(chunks, size))


def _of_size(chunks: Iterable[Chunk], size: int) -> Iterator[Batch]:
    """The rows of chunks, none of which has more than `size`, in batches of that size."""
    held: list[Chunk] = []
    missing = size
    for chunk in chunks:
        if held and held[0].board.row_form != chunk.board.row_form:
            if missing < size:
                yield _batch(held)
            held, missing = [], size
        held.append(chunk.part(0, missing))
        if chunk.rows < missing:
            missing -= chunk.rows
            continue
        yield _batch(held)
        held, missing = [chunk.part(missing, chunk.rows)], size - (chunk.rows - missing)
    if missing < size:
        yield _batch(held)


def _batch(chunks: Sequence[Chunk]) -> Batch:
    """The rows of a few chunks of one file."""
    starts = np.cumsum([0, *(chunk.rows for chunk in chunks)]).tolist()
    errors: dict[int, SatdokuError] = {}
    for start, chunk in zip(starts, chunks, strict=False):
        found = {**(chunk.answers.errors if chunk.answers else {}), **chunk.errors}
        errors |= {start + row: error for row, error in found.items()}
    return Batch(
        np.concatenate([chunk.puzzles for chunk in chunks]),
        _answers(chunks),
        _texts([(chunk.ids, chunk.rows) for chunk in chunks]),
        _texts([(chunk.rules, chunk.rows) for chunk in chunks]),
        np.concatenate([chunk.lines for chunk in chunks]),
        dict(sorted(errors.items())),
        chunks[0].source,
        chunks[0].board,
    )


def _answers(chunks: Sequence[Chunk]) -> NDArray[np.uint8] | None:
    if all(chunk.answers is None for chunk in chunks):
        return None
    parts = [
        chunk.answers.cells if chunk.answers else np.zeros((chunk.rows, chunk.cells), np.uint8)
        for chunk in chunks
    ]
    return np.concatenate(parts)


def _texts(columns: Iterable[tuple[Sequence[str] | None, int]]) -> list[str] | None:
    """Texts of chunks with so many rows, empty where a chunk has none; None if no chunk has any."""
    found = list(columns)
    if all(texts is None for texts, _ in found):
        return None
    return [text for texts, rows in found for text in texts or [""] * rows]
