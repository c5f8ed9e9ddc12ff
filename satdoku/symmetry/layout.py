"""What the two kinds of canonical form need to know about a group.

Invariant: plain values only, the same for the C code and for the numpy reference.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Layout(NamedTuple):
    """The whole group of a board with boxes: every permutation of bands, of stacks and of the
    lines within them, and if `transposable` the exchange of rows and columns.

    Without boxes all rows are one band and all columns one stack, so that box_rows and box_columns
    are the size.
    """

    size: int
    box_rows: int
    box_columns: int
    transposable: bool
    free_digits: bool


class Listing(NamedTuple):
    """A group as a list: each source with each renaming, and then any renaming within classes.

    sources (K, cells) uint16: cell i of the image is cell source[i] of the puzzle;
    renamings (M, size + 1) uint8, [0] = 0; classes: digits 1..size, ascending in each.
    """

    size: int
    sources: NDArray[np.uint16]
    renamings: NDArray[np.uint8]
    classes: tuple[tuple[int, ...], ...]
