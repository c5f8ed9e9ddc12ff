"""Ratings of the puzzles of a batch that have one solution, on the scale of Sudoku Explainer.

Invariant: a puzzle without a rating keeps its status and does not affect the ratings of others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..explain.rated import TECHNIQUES, rate_rows
from ..model.constraints import Constraints
from ..ratings.scale import FIELDS, NOT_RATED
from ..runtime.errors import Status

if TYPE_CHECKING:
    from ..files.collection import Puzzles

Ratings = NDArray[np.int32]  # (N, FIELDS), as `ratings.scale` gives them


def ratings_for(puzzles: Puzzles, statuses: NDArray[np.uint8], constraints: Constraints) -> Ratings:
    """The ratings of N puzzles, `NOT_RATED` for those that are not unique, and for pencil marks."""
    ratings = np.full((len(puzzles), FIELDS), NOT_RATED, np.int32)
    if puzzles.dtype != np.bool_:
        unique = statuses == Status.UNIQUE
        found = rate_rows(puzzles[unique].tobytes(), constraints)
        ratings[unique] = np.frombuffer(found, np.int32).reshape(-1, FIELDS)
    return ratings


def ratings_of_each(ratings: Ratings) -> Ratings:
    """The ratings of a result; of one that has none, (N, 0), for each puzzle that it has none."""
    if ratings.shape[1]:
        return ratings
    return np.full((len(ratings), FIELDS), NOT_RATED, np.int32)


def scales(ratings: NDArray[np.signedinteger[Any]]) -> NDArray[np.float64]:
    """ER, EP and ED (3, N), nan where there is none."""
    tenths = ratings.T[:3]
    return np.where(tenths == NOT_RATED, np.nan, tenths / 10)


def techniques(ratings: NDArray[np.signedinteger[Any]]) -> NDArray[np.str_]:
    """The techniques of the hardest steps (N,); empty where there is no step, or no rating."""
    found: NDArray[np.str_] = np.where(ratings[:, 0] > 0, np.array(TECHNIQUES)[ratings[:, 3]], "")
    return found


def rating_columns(ratings: Ratings) -> dict[str, NDArray[Any]]:
    """What results show of ratings, by the names of their columns."""
    er, ep, ed = scales(ratings)
    return {"er": er, "ep": ep, "ed": ed, "technique": techniques(ratings)}
