"""Ratings of arrays of puzzles.

Invariant: one rating per puzzle, in order; it depends on the puzzle alone, not on its neighbours or
on the number of workers.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..files.cells import PuzzlesLike, checked_cells
from ..files.collection import Puzzles
from ..files.frames import as_frame, status_texts
from ..model.constraints import Constraints, RulesLike
from ..runtime.errors import SatdokuError
from ..runtime.progress import Progress, reporting
from ..runtime.workers import map_in_order
from .options import PIECE, BatchOptions
from .rated import rating_columns, ratings_of_each
from .solve import open_workers, solve_job

if TYPE_CHECKING:
    from ..runtime.workers import WorkersLike


class Ratings(NamedTuple):
    """Ratings of N puzzles, on the scale of Sudoku Explainer or, under other rules, of `logic`.

    statuses: (N,) uint8, codes of `Status`; er, ep, ed: (N,) float64, ratings of the hardest step,
    of the hardest up to the first digit placed, and of the first step; technique: (N,) str, of the
    hardest step. A puzzle that is not unique has nan and an empty text.
    """

    statuses: NDArray[np.uint8]
    er: NDArray[np.float64]
    ep: NDArray[np.float64]
    ed: NDArray[np.float64]
    technique: NDArray[np.str_]

    def __repr__(self) -> str:
        from .in_short import er_range, in_short  # which draws

        known = filter(None, [in_short(self.statuses), er_range(self.er)])
        return f"<Ratings: {'; '.join(known)}>"

    def _repr_html_(self) -> str:
        """The table that a notebook shows: how many puzzles have which hardest step."""
        from .in_short import rating_table

        return rating_table(self.statuses, self.er, self.technique)

    def columns(self) -> dict[str, Any]:
        """N values each: status (a text), er, ep, ed, technique."""
        ratings = self._asdict()
        return {"status": status_texts(ratings.pop("statuses")), **ratings}

    def as_frame(self, kind: str = "pandas") -> Any:
        """The columns as a frame of `pandas` or `polars`, or as a table of `pyarrow`."""
        return as_frame(self, kind)


def rate_batch(
    puzzles: PuzzlesLike,
    rules: RulesLike = "classic",
    *,
    workers: WorkersLike = 1,
    progress: Progress = False,
) -> Ratings:
    """Ratings of N puzzles, in any form that `as_cells` reads: those of Sudoku Explainer for
    classic 9x9, else those of the steps of `logic` (docs/RATINGS.md).

    workers: threads or, under other rules, processes. progress: True for a bar, or a function of
    (done, total) puzzles. Raises `SatdokuError` for a wrong shape and for pencil marks, and
    `RowsError`, which names the rows, for values that are not puzzles.
    """
    digits, constraints = checked_cells(puzzles, rules)
    if digits.dtype == np.bool_:
        raise SatdokuError("pencil marks have no rating: expected digits")
    pieces = []
    with (
        reporting(progress, len(digits)) as more,
        closing(rate_pieces(digits, constraints, workers)) as found,
    ):
        for piece in found:
            pieces.append(piece)
            more(len(piece.statuses))
    return Ratings(*map(np.concatenate, zip(*pieces, strict=True)))


def rate_pieces(
    digits: Puzzles, constraints: Constraints, workers: WorkersLike = 1
) -> Generator[Ratings, None, None]:
    """The ratings of (N, cells) uint8, piece by piece, at least one."""
    options = BatchOptions(constraints, rated=True)
    starts = range(0, max(1, len(digits)), PIECE)
    jobs = ((None, (digits[start : start + PIECE], options)) for start in starts)
    with (
        open_workers(options, workers) as pool,
        closing(map_in_order(pool, solve_job, jobs)) as results,
    ):
        for _, result in results:
            yield Ratings(result.statuses, **rating_columns(ratings_of_each(result.ratings)))
