"""The steps of a puzzle, by the C extension or by the reference.

Invariant: both give the same records.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from .scale import AVAILABLE, CELLS
from .step import Step, decode

if AVAILABLE:
    from . import _ratings


def steps_of(puzzle: bytes) -> Iterator[Step]:
    """The steps of a puzzle of 81 digits with one solution, in the order of the rating."""
    if AVAILABLE:
        return decode(array("i", _ratings.steps(memoryview(puzzle).cast("B", (1, CELLS)))))
    from .reference import records_of

    return records_of(puzzle)
