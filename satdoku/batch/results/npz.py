"""Columns of results as arrays of numbers.

Invariant: what could not be read is not taken for an empty grid.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...files.cells import digits_of
from ...files.collection import Chunk
from ..decide import BatchResult
from ..rated import ratings_of_each, scales
from .columns import SCALES, count_givens

# Every cell of a puzzle that could not be read; where digits are not 1 to n, and cells int8.
UNREADABLE, NO_DIGIT = 255, 127


_FIELDS = {"status": "statuses", "nodes": "nodes", "microseconds": "microseconds"}


def array_of(name: str, chunk: Chunk, result: BatchResult) -> NDArray[Any]:
    """The column of that name, one of `ARRAYS`, with N rows."""
    puzzles = chunk.puzzles
    if puzzles.dtype == np.uint8:
        puzzles = digits_of(puzzles, chunk.board)
    if name == "puzzle" and chunk.errors and puzzles.dtype != np.bool_:
        puzzles = puzzles.copy()
        puzzles[list(chunk.errors)] = UNREADABLE if puzzles.dtype == np.uint8 else NO_DIGIT
    if name in SCALES:
        scale: NDArray[np.float64] = scales(ratings_of_each(result.ratings))[SCALES.index(name)]
        return scale
    if name == "solution":
        return digits_of(result.solutions, result.board)
    known = {"line": chunk.lines, "puzzle": puzzles}
    if name == "givens":
        return count_givens(chunk)
    return known[name] if name in known else getattr(result, _FIELDS[name])
