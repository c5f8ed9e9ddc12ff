"""Scores of many answers at once, for rewards over a batch.

Invariant: a score is the one that `check_answer` gives.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..batch.options import BatchOptions
from ..batch.solve import solve_cells
from ..files.cells import PuzzlesLike, checked_cells, digit_places
from ..files.frames import as_frame
from ..model.board import Board
from ..model.constraints import Constraints, RulesLike
from ..model.grid import Grid
from ..model.puzzle import Puzzle
from ..runtime.errors import SatdokuError, Status, counted
from ..witness.verify import solves_many
from .score import answer_grid, kept_cells


class Scores(NamedTuple):
    """What N answers are worth.

    score: (N,) float64, 0 to 1, nan if the puzzle has no solution. right: (N,) bool, whether the
    answer is a solution. empty, kept: (N,) int64, cells that the puzzle leaves empty, and how many
    of them hold a digit that is kept. changed: (N,) int64, givens that are changed or left out.
    """

    score: NDArray[np.float64]
    right: NDArray[np.bool_]
    empty: NDArray[np.int64]
    kept: NDArray[np.int64]
    changed: NDArray[np.int64]

    def __repr__(self) -> str:
        mean = f", mean score {np.nanmean(self.score):.3f}" if len(self.score) else ""
        return f"<Scores: {len(self.score):,}, {int(self.right.sum()):,} right{mean}>"

    def columns(self) -> dict[str, Any]:
        """N values each, by the names of the fields."""
        return self._asdict()

    def as_frame(self, kind: str = "pandas") -> Any:
        """The columns as a frame of `pandas` or `polars`, or as a table of `pyarrow`."""
        return as_frame(self, kind)


def score_batch(
    puzzles: PuzzlesLike,
    answers: Iterable[object],
    rules: RulesLike = "classic",
) -> Scores:
    """The scores of N answers to N puzzles under the same rules.

    puzzles: as `as_cells` reads them, without pencil marks. answers: N texts, grids or lists of
    digits, each as `check_answer` takes it, or numbers (N, cells) or (N, n, n). Raises
    `SatdokuError` for puzzles that cannot be read and for another number of answers.
    """
    cells, constraints = checked_cells(puzzles, rules)
    if cells.dtype == np.bool_:
        raise SatdokuError("pencil marks: expected (N, cells) digits")
    given = _grids(answers, cells, constraints)
    found = solve_cells(cells, BatchOptions(constraints))
    empty = cells == 0
    kept = (empty & (given == found.solutions) & (given > 0)).sum(axis=1)
    for row in np.flatnonzero(found.statuses == Status.MULTIPLE).tolist():
        puzzle, answer = (_grid(array[row], constraints.board) for array in (cells, given))
        kept[row] = len(kept_cells(answer, Puzzle(puzzle, constraints)))
    changed = (~empty & (given != cells)).sum(axis=1)
    right = solves_many(given, cells, constraints.rules, constraints.board)
    score = np.where(changed > 0, 0.0, kept / np.maximum(1, empty.sum(axis=1)))
    score[right] = 1.0
    score[~np.isin(found.statuses, [Status.UNIQUE, Status.MULTIPLE])] = np.nan
    return Scores(score, right, empty.sum(axis=1), kept, changed)


def _grids(
    answers: Iterable[object], cells: NDArray[np.uint8], constraints: Constraints
) -> NDArray[np.uint8]:
    """The answers (N, cells), 0 where one has no digit; all 0 for one that is no grid."""
    if hasattr(answers, "dtype") and np.asarray(answers).dtype.kind in "ui":
        numbers = np.asarray(answers).reshape(len(cells), -1)
        if numbers.shape == cells.shape:
            return digit_places(numbers, constraints.board)[0]
    texts = list(answers)
    if len(texts) != len(cells):
        raise SatdokuError(
            f"{len(texts)} answers to {counted(len(cells), 'puzzle')}: expected one for each"
        )
    posed = Puzzle(Grid(bytes(constraints.board.cells), constraints.board), constraints)
    found = (answer_grid(answer, posed) for answer in texts)
    rows = [bytes(constraints.board.cells) if grid is None else grid.cells for grid in found]
    return np.frombuffer(b"".join(rows), np.uint8).reshape(cells.shape)


def _grid(cells: NDArray[np.uint8], board: Board) -> Grid:
    return Grid(cells.tobytes(), board)
