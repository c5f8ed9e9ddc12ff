"""Sweeps of any groups, forbidden pairs and overlaps, and of clues.

Invariant: as in `generic.h`, the last candidate of a group is true, and what a true candidate
excludes is struck.
"""

from __future__ import annotations

import numpy as np

from ..plan import Plan
from .block import Block
from .classic import Classic
from .clues import Clues
from .lanes import Indices, Words, any_lane


class Gather:
    """For each list of rows the OR of these rows. Lists are padded with a row of zeros."""

    def __init__(self, lists: list[list[int]], nowhere: int) -> None:
        longest = max(map(len, lists), default=0)
        padded = [entries + [nowhere] * (longest - len(entries)) for entries in lists]
        self.index = np.array(padded, np.intp).reshape(len(lists), longest).T

    def __call__(self, x: Words) -> Words:
        total = np.zeros((self.index.shape[1], x.shape[1]), np.uint64)
        for rows in self.index:
            total |= x[rows]
        return total

    def twice(self, x: Words) -> tuple[Words, Words]:
        """Where at least one row of the list is set, and where at least two are."""
        one, two = np.zeros((2, self.index.shape[1], x.shape[1]), np.uint64)
        for rows in self.index:
            row = x[rows]
            two |= one & row
            one |= row
        return one, two


class Generic(Block):
    """Any groups, forbidden pairs and overlaps. Every candidate has a second row: it is true."""

    def __init__(self, plan: Plan, width: int, candidates: Indices | None = None) -> None:
        """`candidates` gives the candidate of each row, if rows have an order of their own."""
        super().__init__(plan, width)
        rows, self.end = len(self.x), plan.variables
        if candidates is None:
            candidates = np.arange(self.end)
        row_of = np.argsort(candidates)
        groups, pairs, overlaps = (
            [row_of[entries].tolist() for entries in ragged.lists()]
            for ragged in (plan.groups, plan.pairs, plan.overlaps)
        )
        pairs = [pairs[candidate] for candidate in candidates] if pairs else []
        self.truth = np.zeros((rows + 1, width), np.uint64)  # the last row stays zero
        self.members = Gather(groups, rows)
        self.groups_of = Gather(inverse(groups, self.end), len(groups))
        self.neighbours = Gather(pairs, rows)
        self.sides = Gather(overlaps, rows)
        self.sides_of = Gather(inverse(overlaps, self.end), len(overlaps))
        self.opposite = np.arange(len(overlaps)) ^ 1
        self.clues = Clues(plan, row_of)

    def begin(self) -> None:
        """Find truth anew: what was true is still the last candidate of some group."""
        self.truth[:] = 0

    def sweep(self) -> None:
        x = self.x[: self.end]
        padded = np.vstack((self.x, np.zeros_like(self.x[:1])))
        one, two = self.members.twice(padded)
        last = ended(one & ~two)
        found = x & self.groups_of(last) & ~self.truth[: self.end]
        self.truth[: self.end] |= found
        struck = self._excluded() | self._cut(padded)
        self.changed[:] = any_lane(found | (x & struck))
        self.conflict |= any_lane(~one)
        self.conflict |= any_lane(self.truth[: self.end] & struck)
        self.open[:] = any_lane(two)
        x &= ~struck
        before = x.copy()
        conflict, found = self.clues.sweep(x, self.truth)
        self.conflict |= conflict
        self.changed |= found | any_lane(before ^ x)

    def _excluded(self) -> Words:
        """What true candidates strike: the rest of their groups, and their forbidden partners."""
        one, two = self.members.twice(self.truth)
        struck = self.groups_of(ended(one)) & ~self.truth[: self.end]
        struck |= self.groups_of(ended(two))
        if self.neighbours.index.size:
            struck |= self.neighbours(self.truth)
        return struck

    def _cut(self, padded: Words) -> Words:
        """If A without B is empty, strike B without A; and the other way round."""
        empty = ~self.sides(padded)
        return self.sides_of(ended(empty[self.opposite]))


def inverse(lists: list[list[int]], rows: int) -> list[list[int]]:
    """The lists that contain each row."""
    holders: list[list[int]] = [[] for _ in range(rows)]
    for index, entries in enumerate(lists):
        for row in entries:
            holders[row].append(index)
    return holders


def ended(x: Words) -> Words:
    """The rows, and the row of zeros that padding refers to."""
    return np.vstack((x, np.zeros((1, x.shape[1]), np.uint64)))


class Extended(Classic):
    """Classic 9x9 and what a rule set adds: the two kinds of sweep in turn."""

    def __init__(self, plan: Plan, width: int) -> None:
        super().__init__(plan, width)
        cells = self.order[1].reshape(9, 1, 9)
        candidates = 81 * np.arange(9)[:, None] + cells
        self.extra = Generic(plan, width, candidates.ravel())
        self.extra.x, self.extra.conflict = self.x, self.conflict  # one state, two views

    def begin(self) -> None:
        super().begin()
        self.extra.begin()

    def sweep(self) -> None:
        super().sweep()
        self.extra.sweep()
        self.changed |= self.extra.changed
        self.open |= self.extra.open
