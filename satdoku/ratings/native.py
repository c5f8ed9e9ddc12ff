"""Ratings in C as seen from Python: arrays in, arrays out.

Invariant: the C code checks every array that it gets; a wrong one raises `TypeError`, `ValueError`
or `BufferError`. The extension is optional: without a compiler at install time `AVAILABLE` is
false.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .step import Step, decode

try:
    from . import _ratings
except ImportError:  # built without a compiler: the reference serves
    AVAILABLE = False
else:
    AVAILABLE = True

SLICE_SECONDS = 0.1  # a call to C takes little longer, so that an interrupt is heard


def rate_grids(puzzles: NDArray[np.uint8]) -> NDArray[np.int32]:
    """As `api.rate_grids`, by one thread."""
    ratings = np.empty((len(puzzles), 4), np.int32)
    done = 0
    while done < len(puzzles):
        done += _ratings.rate(puzzles[done:], SLICE_SECONDS, ratings[done:])
    return ratings


def steps_of(puzzle: NDArray[np.uint8]) -> list[Step]:
    """As `api.steps_of`."""
    numbers = np.frombuffer(_ratings.steps(puzzle[None]), np.int32)
    return list(decode(numbers.tolist()))
