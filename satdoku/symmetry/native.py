"""Canonical forms in C as seen from Python: arrays in, filled arrays out.

Invariant: the C code checks every array that it gets; a wrong one raises `TypeError`, `ValueError`
or `BufferError`. The extension is optional: without a compiler at install time `AVAILABLE` is
false.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .listed import Layout, Listing

try:
    from . import _canonical
except ImportError:  # built without a compiler: the numpy reference serves
    AVAILABLE = False
else:
    AVAILABLE = True

Puzzles = NDArray[np.uint8]


def by_lines(layout: Layout, puzzles: Puzzles) -> tuple[Puzzles, Puzzles]:
    """As `search.by_lines`."""
    forms = np.empty_like(puzzles)
    orbits = np.empty((len(puzzles), 2 * layout.size + 1), np.uint8)
    _canonical.by_lines(layout, puzzles, forms, orbits)
    return forms, orbits


def by_list(listing: Listing, puzzles: Puzzles) -> tuple[Puzzles, NDArray[np.uint32]]:
    """As `listed.by_list`."""
    forms = np.empty_like(puzzles)
    fixing = np.empty(len(puzzles), np.uint32)
    class_of = np.zeros(listing.size + 1, np.uint8)
    for index, digits in enumerate(listing.classes):
        class_of[list(digits)] = index
    listed = _canonical.listing(listing.size, listing.sources, listing.renamings, class_of)
    _canonical.by_list(listed, puzzles, forms, fixing)
    return forms, fixing
