"""Sweeps of classic 9x9: rows, columns and boxes by way of triads.

Invariant: the same sweeps as in `classic.h`, which explains them, but of all digits at once.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from .block import Block
from .lanes import Indices, Words, any_lane, at_least, every_lane


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
