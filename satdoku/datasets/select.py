"""Which rows of an audited collection are kept, and why the others are not.

Invariant: an audit of the kept rows finds nothing but what is allowed. The first sound row of each
class stays: an unsound row never takes the place of a sound one that it equals.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..audit.files import KINDS

Flags = NDArray[np.bool_]
Codes = NDArray[np.uint8]
Places = NDArray[np.signedinteger[Any]]  # row numbers from 0, -1 for none

REASONS = ("", *KINDS)  # why a row is dropped, by code
LEAK, GRID_LEAK, REPEATED_GRID = "leak", "grid leak", "repeated grid"
EXACT, SYMMETRIC = "exact duplicate", "symmetric duplicate"


class Classes(NamedTuple):
    """For each of N rows the first row of its class, -1 for none.

    exact, symmetric: (N,), rows that hold the same puzzle, and the same up to symmetry (the exact
    ones if symmetry is not looked for). grids: (N,), rows whose puzzles have the same solution
    grid, likewise.
    """

    exact: Places
    symmetric: Places
    grids: Places


class Selection(NamedTuple):
    """The rows that are kept, and why the others are not.

    kept: (N,) bool. reasons: (N,) uint8, index into `REASONS`, 0 for rows that are kept or not
    asked for. others: (N,), the row that a dropped one repeats, -1 for none.
    """

    kept: Flags
    reasons: Codes
    others: Places

    def without(self, kind: str, others: Places) -> Selection:
        """The selection less the kept rows that repeat one of the others, which is the reason."""
        gone = self.kept & (others >= 0)
        reasons = np.where(gone, np.uint8(REASONS.index(kind)), self.reasons)
        return Selection(self.kept & ~gone, reasons, np.where(gone, others, self.others))


def select(faults: Codes, classes: Classes, asked: Flags, allowed: Collection[str]) -> Selection:
    """Keep the first row of each class among the rows that are `asked` for and have no fault.

    faults: (N,) uint8, index into `REASONS`: what is wrong with the row itself. The other rows are
    those whose puzzles and solution grids no kept row may repeat. Kinds that are `allowed` drop
    nothing. A row that equals another puzzle is no finding of the kinds about grids.
    """
    exact, symmetric, grids = classes
    nothing = np.full(len(faults), -1, exact.dtype)
    found = Selection(asked & (faults == 0), np.where(asked, faults, np.uint8(0)), nothing)
    leaks = first_of(symmetric, ~asked)
    if LEAK not in allowed:
        found = found.without(LEAK, leaks)
    if GRID_LEAK not in allowed:
        found = found.without(GRID_LEAK, np.where(leaks < 0, first_of(grids, ~asked), -1))
    # The widest classes first: what is dropped for a row that stays is named after that row alone.
    for kind, labels, alike in (
        (REPEATED_GRID, grids, symmetric),
        (SYMMETRIC, symmetric, exact),
        (EXACT, exact, np.arange(len(exact))),
    ):
        if kind not in allowed:
            first = first_of(labels, found.kept)
            found = found.without(kind, np.where(alike[first] == alike, -1, first))
    return found


def first_of(labels: Places, among: Flags) -> Places:
    """For each row (N,) the first row of its class `among` the marked ones, -1 if there is none."""
    first = np.full_like(labels, -1)
    marked = np.flatnonzero(among & (labels >= 0))[::-1]
    first[labels[marked]] = marked  # of several rows of a class the last that is assigned remains
    return np.where(labels >= 0, first[labels], -1).astype(labels.dtype)
