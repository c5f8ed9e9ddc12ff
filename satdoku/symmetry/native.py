"""The C extension seen from Python: addresses of checked arrays in, filled arrays out.

Invariant: every array that goes down is contiguous, of the stated type and alive until the call
returns. The extension is optional: without a compiler at install time `AVAILABLE` is false.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..model.addresses import address
from .layout import Layout, Listing

try:
    from . import _canonical
except ImportError:  # built without a compiler: the numpy reference serves
    AVAILABLE = False
else:
    AVAILABLE = True

Puzzles = NDArray[np.uint8]


def by_lines(layout: Layout, puzzles: Puzzles) -> tuple[Puzzles, Puzzles]:
    """As `lines.by_lines`."""
    forms = np.empty_like(puzzles)
    orbits = np.empty((len(puzzles), 2 * layout.size + 1), np.uint8)
    size, box_rows, box_columns, transposable, free_digits = layout
    _canonical.by_lines(
        (size, box_rows, box_columns, int(transposable), int(free_digits)),
        len(puzzles),
        address(puzzles),
        address(forms),
        address(orbits),
    )
    return forms, orbits


def by_list(listing: Listing, puzzles: Puzzles) -> tuple[Puzzles, NDArray[np.uint32]]:
    """As `listed.by_list`."""
    forms = np.empty_like(puzzles)
    fixing = np.empty(len(puzzles), np.uint32)
    sizes = [len(members) for members in listing.classes]
    class_of = np.zeros(listing.size + 1, np.uint8)
    for index, digits in enumerate(listing.classes):
        class_of[list(digits)] = index
    members = np.concatenate(listing.classes).astype(np.uint8)
    start = np.zeros(listing.size, np.uint8)
    start[1 : len(sizes)] = np.cumsum(sizes)[:-1]
    _canonical.by_list(
        (
            listing.size,
            len(listing.sources),
            len(listing.renamings),
            address(listing.sources, np.uint16),
            address(listing.renamings),
            address(class_of),
            address(members),
            address(start),
        ),
        len(puzzles),
        address(puzzles),
        address(forms),
        address(fixing, np.uint32),
    )
    return forms, fixing
