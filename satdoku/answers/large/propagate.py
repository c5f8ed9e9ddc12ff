"""Unit propagation of a large puzzle, and the candidates that it leaves open, as arrays.

Invariant: the fixpoint is that of unit propagation on the extended encoding: naked and hidden
singles, and what they exclude. A candidate is never a Python object: it is an entry of arrays.

A group (exactly one of its candidates is true) is a number: a cell, or a house and a digit.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...model.constraints import Constraints
from ...model.rules import RULES

Digits = NDArray[np.uint16]
Ints = NDArray[np.int32]


@dataclass(frozen=True)
class Candidates:
    """Open candidates, cell by cell, and digits that are settled.

    settled: (size * size,), 0 where a cell is open. cells, digits: (K,), of each candidate, digits
    from 1. groups: the groups of each candidate, (families, K): its cell, its row and digit, its
    column and digit, and so on; -1 where a rule has no house there. group_count: how many groups
    there are. conflict: whether a group has no candidate left, or two that are true.
    """

    settled: Digits
    cells: Ints
    digits: Ints
    groups: Ints
    group_count: int
    conflict: bool = False

    @property
    def count(self) -> int:
        """Number of open candidates."""
        return len(self.cells)


def open_candidates(puzzle: Digits, constraints: Constraints) -> Candidates:
    """What the givens leave open before any propagation: each digit that no given of a house has.

    puzzle: (size * size,), 0 for an empty cell. Givens that clash are a conflict.
    """
    size, members = constraints.board.size, houses_of(constraints)
    homes, houses = _homes(members, size), len(members)
    taken = np.zeros((houses + 1, size), np.bool_)  # the last row stands for no house
    given = np.flatnonzero(puzzle)
    for home in homes:
        taken[home[given], puzzle[given] - 1] = True
    stated = np.concatenate([(home * size + puzzle - 1)[given] for home in homes])
    clash = np.bincount(stated[stated < houses * size], minlength=1).max() > 1
    taken[houses] = False
    empty = np.flatnonzero(puzzle == 0)
    allowed = np.ones((len(empty), size), np.bool_)
    for home in homes:
        allowed &= ~taken[home[empty]]
    which, digits = np.nonzero(allowed)
    cells = empty[which]
    keys = [np.where(home[cells] < houses, size * (size + home[cells]) + digits, -1)
            for home in homes]  # fmt: skip
    groups = np.stack([cells, *keys]).astype(np.int32)
    ints = cells.astype(np.int32), (digits + 1).astype(np.int32)
    full = np.concatenate([puzzle == 0, ~taken[:houses].ravel()])
    lacking = full & (_sizes(groups, len(full)) == 0)
    return Candidates(puzzle, *ints, groups, len(full), bool(lacking.any() or clash))


def propagate(start: Candidates) -> Candidates:
    """The fixpoint: the only candidate left of a group is true, and its rivals are removed."""
    settled, cells, digits, groups = start.settled.copy(), start.cells, start.digits, start.groups
    conflict = start.conflict
    needed = _sizes(groups, start.group_count) > 0
    while not conflict:
        sizes = _sizes(groups, start.group_count)
        conflict = bool((needed & (sizes == 0)).any())
        single = ((sizes[groups] == 1) & (groups >= 0)).any(axis=0)
        if conflict or not single.any():
            break
        settled[cells[single]] = digits[single]
        filled = _sizes(groups[:, single], start.group_count)
        conflict = bool((filled > 1).any())
        needed &= filled == 0
        left = ~((filled[groups] > 0) & (groups >= 0)).any(axis=0)
        cells, digits, groups = cells[left], digits[left], groups[:, left]
    return Candidates(settled, cells, digits, groups, start.group_count, conflict)


def houses_of(constraints: Constraints) -> Ints:
    """The cells of each house, (houses, size): rows, columns, boxes, then those of the rules."""
    board = constraints.board
    added = [RULES[name].houses for name in constraints.names]
    return np.array([*board.houses, *(h for houses in added if houses for h in houses(board))],
                    np.int32)  # fmt: skip


def _homes(houses: Ints, size: int) -> NDArray[np.int64]:
    """The house of each family that holds each cell, (families, cells); the number of houses where
    there is none: not every cell is on a diagonal."""
    homes: list[NDArray[np.int64]] = []
    for number, house in enumerate(houses):
        if not homes or (homes[-1][house] < len(houses)).any():
            homes.append(np.full(size * size, len(houses)))
        homes[-1][house] = number
    return np.stack(homes)


def _sizes(groups: Ints, count: int) -> NDArray[np.int64]:
    """How many candidates each group has, (count,)."""
    return np.bincount(groups.ravel() + 1, minlength=count + 1)[1:]
