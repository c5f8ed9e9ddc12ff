"""Rows that must stay together: connected by an equal puzzle or by an equal solution grid.

Invariant: two rows have the same component if and only if a chain of rows links them in which
neighbours share a label.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.signedinteger[Any]]


def components(puzzles: Places, grids: Places) -> Places:
    """The component (N,) of each row, named by its first row; -1 for a row without a puzzle.

    puzzles, grids: (N,), the first row of the same class, -1 for none (as `first_equal` gives).
    """
    found = puzzles.copy()
    linked = (puzzles >= 0) & (grids >= 0)
    while True:
        joined = _joined(_joined(found, grids, linked), puzzles, puzzles >= 0)
        if np.array_equal(joined, found):
            return found
        found = joined


def _joined(found: Places, labels: Places, rows: NDArray[np.bool_]) -> Places:
    """The components, with the least one of each label for all rows that have it."""
    least = np.arange(len(found), dtype=found.dtype)
    np.minimum.at(least, labels[rows], found[rows])
    joined = found.copy()
    joined[rows] = least[labels[rows]]
    return joined
