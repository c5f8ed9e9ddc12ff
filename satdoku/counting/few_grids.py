"""Exact counts for rules with so few grids that all of them can be listed in an array.

Invariant: nothing is estimated. The list holds every grid under the rules, and a count goes through
all grids and all sets of cells.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, islice
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..answers.session import Session
from ..answers.solver import Images, itself
from ..model.board import Board
from ..model.constraints import Constraints, RulesLike, constraints_for, tells_board
from ..model.grid import empty_grid
from ..runtime import limits
from ..runtime.errors import SatdokuError, counted
from ..runtime.progress import Progress, reporting
from ..symmetry.group import digit_group, group

Grids = NDArray[np.uint8]

FEW = 2000  # grids that may be listed
MOST_WORK = 10**10  # `count_givens` goes through at most this many (set of givens, grid) pairs
_BATCH = 1 << 22  # and through this many at a time


class FewGridsError(SatdokuError):
    """There are too many grids, or too many sets of givens, to list."""


def all_grids(
    constraints: Constraints,
    limit: int = FEW,
    *,
    timeout: float | None = None,
    progress: Progress = False,
) -> Grids:
    """All grids under the rules as an (N, cells) uint8 array, ascending; each one is verified.

    progress: True for a bar, or a function of (grids found, None). Raises `FewGridsError` if there
    are more than `limit` grids, and `BudgetError` after `timeout` seconds.
    """
    found = []
    with (
        limits.within(timeout),
        Session(constraints) as session,
        reporting(progress, None, " grids") as more,
    ):
        empty = empty_grid(constraints.board)
        images = _images(constraints)
        for grid in session.solutions(empty, limit=limit + 1, images=images):
            found.append(grid.cells)
            more(1)
    if len(found) > limit:
        raise FewGridsError(f"more than {limit} grids under {constraints.name}: give some of them")
    return np.frombuffer(b"".join(sorted(found)), np.uint8).reshape(
        len(found), constraints.board.cells
    )


def _images(constraints: Constraints) -> Images:
    """All images of a grid under the symmetries of the rules, if these are few."""
    board, renaming = constraints.board, digit_group(constraints)[0]
    order = group(constraints).order if board.is_usual else renaming.order
    if order > FEW:
        return itself
    moves = group(constraints).cell_permutations if board.is_usual else np.arange(board.cells)[None]
    renamings = np.pad(renaming.elements() + 1, ((0, 0), (1, 0))).astype(np.uint8)

    def images(cells: bytes) -> Iterable[bytes]:
        grids = renamings[:, np.frombuffer(cells, np.uint8)[moves]]
        return dict.fromkeys(map(bytes, grids.reshape(-1, len(cells))))

    return images


def count_givens(grids: Grids, givens: int) -> dict[int, int]:
    """How many puzzles with `givens` givens have 1, 2, ... solutions among the grids (N, cells).

    Puzzles without a solution are not counted. Example: 25,728 puzzles of size 4x4 with 4 givens
    have exactly one solution (OEIS A109252).
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


class PuzzleCounts(NamedTuple):
    """How many `grids` there are under some rules, and how many puzzles that have a solution:
    `puzzles[givens][solutions]`."""

    grids: int
    puzzles: dict[int, dict[int, int]]

    @property
    def words(self) -> str:
        """The number of grids, and a table with a line for each number of givens and solutions."""
        rows = (
            f"{givens:6}  {solutions:9}  {number:7}"
            for givens, puzzles in self.puzzles.items()
            for solutions, number in puzzles.items()
        )
        return "\n".join([counted(self.grids, "grid"), "givens  solutions  puzzles", *rows])


def count_puzzles(
    rules: RulesLike = "classic",
    *,
    size: int = 9,
    givens: int | None = None,
    timeout: float | None = None,
) -> PuzzleCounts:
    """How many puzzles there are under rules with few grids: those with so many givens, or with
    one, two and so on until some have one solution.

    timeout: seconds for the list of grids, then `BudgetError` is raised. Raises `FewGridsError` if
    there are too many grids or sets of givens.
    """
    with limits.within(timeout):
        constraints = constraints_for(rules, None if tells_board(rules) else Board.of_size(size))
        grids = all_grids(constraints)
    puzzles = {}
    for number in [givens] if givens else range(1, constraints.board.cells + 1):
        puzzles[number] = count_givens(grids, number)
        if 1 in puzzles[number] or not len(grids):
            break
    return PuzzleCounts(len(grids), puzzles)


def _solutions_of(grids: Grids, sets: NDArray[np.intp], base: int) -> NDArray[np.int64]:
    """Entry k is the number of puzzles with k solutions whose given cells are one of the sets."""
    keys = np.zeros((len(sets), len(grids)), np.int64)
    for cells in sets.T:
        keys = keys * base + grids.T[cells]
    keys.sort(1)
    fresh = np.ones(keys.shape, np.bool_)
    fresh[:, 1:] = keys[:, 1:] != keys[:, :-1]
    starts = np.flatnonzero(fresh.ravel())  # the first grid of each puzzle
    return np.bincount(np.diff(starts, append=fresh.size), minlength=len(grids) + 1)
