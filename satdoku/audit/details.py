"""Describe in words what is wrong with one row.

Invariant: the words name the cells to look at. They consist of numbers and names only, except the
messages of rows that could not be read.
"""

from __future__ import annotations

import numpy as np

from ..batch.options import BatchOptions
from ..batch.solve import constraints_of, describe_clash
from ..files.collection import Chunk
from ..model.board import Board
from ..model.constraints import Constraints
from ..model.grid import Grid
from ..witness.verify import first_violation
from .rows import Digits, lost_givens


def describe_puzzle(chunk: Chunk, row: int, options: BatchOptions) -> str:
    """Describe two givens that clash or, if none do, give the puzzle itself."""
    constraints = _constraints_of_row(chunk, row, options)
    if chunk.puzzles.dtype == np.bool_:
        return _describe_marks(chunk, row, constraints.board)
    return describe_clash(chunk, row, options) or str(
        _grid_of(chunk.puzzles[row], constraints.board)
    )


def _describe_marks(chunk: Chunk, row: int, board: Board) -> str:
    marks = chunk.puzzles[row].reshape(board.cells, board.size)
    bare = np.flatnonzero(~marks.any(axis=1))
    if len(bare):
        return f"{board.name_of(int(bare[0]))} has no pencil mark"
    return f"{np.count_nonzero(marks)} of {board.variables} pencil marks"


def describe_answer(chunk: Chunk, row: int, options: BatchOptions) -> str:
    """Describe why a stated answer is not the solution of its puzzle."""
    assert chunk.answers is not None
    if row in chunk.answers.errors:
        return str(chunk.answers.errors[row])
    constraints = _constraints_of_row(chunk, row, options)
    answer = _grid_of(chunk.answers.cells[row], constraints.board)
    if not answer.is_complete:
        empty = len(answer) - answer.givens
        where = constraints.board.name_of(answer.cells.index(0))
        return f"{where} of the answer is empty" + (f", and {empty - 1} more" if empty > 1 else "")
    if broken := first_violation(answer, constraints.rules):
        return f"in the answer {broken.describe(answer)}"
    lost = lost_givens(chunk.puzzles[row, None], chunk.answers.cells[row, None])
    cell = int(np.argmax(lost))
    said = f"{constraints.board.name_of(cell)} is {answer[cell]} in the answer"
    if chunk.puzzles.dtype == np.bool_:
        return f"{said}, which the pencil marks exclude"
    return f"{said}, {chunk.puzzles[row, cell]} in the puzzle"


def _constraints_of_row(chunk: Chunk, row: int, options: BatchOptions) -> Constraints:
    return constraints_of(chunk.rules[row] if chunk.rules else "", options)


def _grid_of(cells: Digits, board: Board) -> Grid:
    return Grid(cells.tobytes(), board)
