"""Rules with so few grids that all can be listed: counting is arithmetic on an array.

Invariant: nothing is estimated. The grids are all that exist, and every count runs over all of them
and over all sets of cells.
"""

from __future__ import annotations

from itertools import combinations, islice
from math import comb

import numpy as np
from numpy.typing import NDArray

from ..errors import SatdokuError
from ..model.constraints import Constraints
from ..model.grid import empty_grid
from ..sat.session import Session

Grids = NDArray[np.uint8]

FEW = 2000  # grids that may be listed
MOST_WORK = 10**10  # sets of givens x grids that `count_givens` goes through
_BATCH = 1 << 22  # of these at a time


class FewGridsError(SatdokuError):
    """There are more grids, or more sets of givens, than can be listed."""


def all_grids(constraints: Constraints, limit: int = FEW, *, timeout: float | None = None) -> Grids:
    """All grids under the rules, (N, cells) uint8, ascending, each one verified.

    Raises `FewGridsError` beyond `limit` grids, `BudgetError` beyond `timeout` seconds.
    """
    with Session(constraints) as session:
        empty = empty_grid(constraints.board)
        grids = session.solutions(empty, limit=limit + 1, seconds=timeout)
        found = sorted(grid.cells for grid in grids)
    if len(found) > limit:
        raise FewGridsError(f"more than {limit} grids under {constraints.name}: give some of them")
    return np.frombuffer(b"".join(found), np.uint8).reshape(len(found), constraints.board.cells)


def count_givens(grids: Grids, givens: int) -> dict[int, int]:
    """How many puzzles with so many givens have 1, 2, ... solutions among the grids (N, cells).

    Only puzzles with at least one solution count. Of 4x4, 25,728 with 4 givens have one (A109252).
    """
    count, cells = grids.shape
    if comb(cells, givens) * count > MOST_WORK:
        raise FewGridsError(
            f"{comb(cells, givens):,} sets of {givens} cells: too many to go through"
        )
    base = int(grids.max(initial=0)) + 1
    if base**givens >= 2**63:
        raise FewGridsError(f"{givens} givens of {base - 1} digits: too many to number")
    sets = combinations(range(cells), givens)
    totals = np.zeros(count + 1, np.int64)
    while batch := list(islice(sets, max(1, _BATCH // max(1, count)))):
        totals += _solutions_of(grids, np.array(batch, np.intp).reshape(len(batch), givens), base)
    return {number: puzzles for number, puzzles in enumerate(totals.tolist()) if puzzles}


def _solutions_of(grids: Grids, sets: NDArray[np.intp], base: int) -> NDArray[np.int64]:
    """Entry k: how many puzzles with the cells of one of the sets as givens have k solutions."""
    keys = np.zeros((len(sets), len(grids)), np.int64)
    for cells in sets.T:
        keys = keys * base + grids.T[cells]
    keys.sort(1)
    fresh = np.ones(keys.shape, np.bool_)
    fresh[:, 1:] = keys[:, 1:] != keys[:, :-1]
    starts = np.flatnonzero(fresh.ravel())  # every set of givens starts afresh
    return np.bincount(np.diff(starts, append=fresh.size), minlength=len(grids) + 1)
