"""Sweeps of any groups, forbidden pairs and overlaps, and of clues; those of classic 9x9 by triads.

Invariant: as in `generic.h`, the last candidate of a group is true, and what a true candidate
excludes is struck. Those of classic 9x9, rows, columns and boxes, are as in `classic.h`, which
explains them, but of all digits at once.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from ..plan import Plan
from .block import Block, Indices, Words, any_lane, at_least, every_lane
from .clues import Clues


class Classic(Block):
    """Rows, columns and boxes of 9x9 by way of triads, which `classic.h` explains.

    Rows are [column in box, row in box, digit, band, stack]: axes that are joined most come first.
    """

    @property
    def order(self) -> tuple[int, Indices]:
        cells = np.arange(81).reshape(3, 3, 3, 3)  # band, row in box, stack, column in box
        return 9, cells.transpose(3, 1, 0, 2).ravel()

    def begin(self) -> None:
        self.x5 = self.rows.reshape(3, 3, 9, 3, 3, self.width)
        self.twos = at_least(self.rows.swapaxes(0, 1), 2)[1]

    def sweep(self) -> None:
        """All digits at once."""
        self.changed[:] = 0
        placed = self._strike_boxes()
        self._settle_triads()
        claimed = self._claim_cells(placed)
        one, two = at_least(self.rows.swapaxes(0, 1), 2)
        self.open[:] = any_lane(two)
        self.conflict |= any_lane(~one | (two & claimed))
        self.changed |= any_lane(self.twos & ~two)
        self.twos = two

    def _strike_boxes(self) -> Words:
        """In a box where a digit is decided, strike it elsewhere. Returns (digit, band, stack, W):
        whether the digit is decided in the box."""
        decided = self.x5 & ~self.twos.reshape(3, 3, 1, 3, 3, -1)
        placed = _or3(_or3(decided))
        decided |= ~placed
        self.x5 &= decided
        return placed

    def _settle_triads(self) -> None:
        """Leave one true triad in every line of the matrices; strike the cells of dead triads. The
        columns are settled on what the rows leave, which saves a fifth of the sweeps."""
        self._settle(self.x5, 3)
        self._settle(self.x5.swapaxes(0, 1), 2)

    def _settle(self, x: Words, across: int) -> None:
        """The triads of the rows, or of the columns if the first two axes of x are swapped.

        across: the axis, once the first is joined, along which the triads of a line lie.
        """
        matrix = np.empty((3, 3, 9, 3, self.width), np.uint64)  # [line, place, digit, band]
        triads = np.moveaxis(matrix, 1, across)
        np.bitwise_or(x[0], x[1], out=triads)
        triads |= x[2]
        settled = _settled(matrix)
        self.conflict |= ~every_lane(_or3(settled[0]))
        matrix ^= settled
        self.changed |= any_lane(matrix)
        x &= np.moveaxis(settled, 1, across)

    def _claim_cells(self, placed: Words) -> Words:
        """The last cell of a digit in a box takes no other digit. Returns the cells, (9, 9, W)."""
        many = _or3(_two3(self.x5)) | _two3(_or3(self.x5))
        self.conflict |= any_lane(many & placed)
        claim = self.x5 & ~many
        claimed: Words = np.bitwise_or.reduce(claim, axis=2)
        self.changed |= any_lane(claimed & self.twos.reshape(claimed.shape))
        claim |= ~claimed[:, :, None]
        self.x5 &= claim
        return claimed.reshape(self.twos.shape)


def _or3(x: Words) -> Words:
    joined: Words = x[0] | x[1]
    joined |= x[2]
    return joined


def _two3(x: Words) -> Words:
    """At least two of three."""
    joined: Words = x[0] | x[1]
    joined &= x[2]
    joined |= x[0] & x[1]
    return joined


def _settled(matrix: Words) -> Words:
    """Unit propagation on 3x3 matrices (the first two axes) with one true entry in every line: an
    entry survives if the permanent of the opposite minor is not zero."""
    left = np.empty_like(matrix)
    for i, j in product(range(3), range(3)):
        p, q = matrix[(i + 1) % 3], matrix[(i + 2) % 3]
        k, m = (j + 1) % 3, (j + 2) % 3
        minor = p[k] & q[m]
        minor |= p[m] & q[k]
        np.bitwise_and(minor, matrix[i, j], out=left[i, j])
    return left


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
