"""Ratings and steps of many classic puzzles, by the C extension or by the reference.

Invariant: every puzzle has exactly one solution; the caller has made sure of it. For any other the
result means nothing, but it comes.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from . import native
from .step import TECHNIQUES, Node, Step

__all__ = ["FIELDS", "TECHNIQUES", "Node", "Step", "rate_grids", "steps_of"]

FIELDS = ("er", "ep", "ed", "technique")  # columns of the ratings
PART_PUZZLES = 16  # that a thread takes at a time: the hardest take seconds each


def rate_grids(puzzles: NDArray[np.uint8], workers: int = 1) -> NDArray[np.int32]:
    """FIELDS of puzzles with one solution, (n, 81) uint8, 0 for empty: (n, 4) int32.

    er, ep, ed are in tenths, 200 if no technique solves the puzzle; technique is a number in
    `TECHNIQUES`, of the hardest step. `workers`: threads.
    """
    if workers == 1:
        return native.rate_grids(puzzles)
    with ThreadPoolExecutor(workers) as pool:
        ratings = list(pool.map(native.rate_grids, _parts(puzzles)))
    return np.concatenate([np.empty((0, len(FIELDS)), np.int32), *ratings])


def _parts(puzzles: NDArray[np.uint8]) -> Iterator[NDArray[np.uint8]]:
    for start in range(0, len(puzzles), PART_PUZZLES):
        yield puzzles[start : start + PART_PUZZLES]


def steps_of(puzzle: NDArray[np.uint8]) -> list[Step]:
    """The steps of a puzzle with one solution, (81,) uint8, in the order of the rating."""
    return native.steps_of(puzzle)
