"""Uniform grids under classic rules: the tables that count them by bands, walked backwards.

Invariant: every grid has exactly the same chance. The count is a sum over classes of first bands
and the shares of their boxes (`counting.bands`), each term the number of bands of the class times
the ways to fill each band. An entry of this sum is drawn with its term as weight; then each band is
one of the ways that the term counts; then digits, stacks, columns within stacks and rows within
bands are exchanged at random. All draws are of whole numbers, without rounding.

Exchanges make up for the classes: an entry stands for the grids of all members of its class, these
are images of those of one member, and a random image of a grid is any grid of its orbit alike.
"""

from __future__ import annotations

from functools import lru_cache
from math import factorial

import numpy as np
from numpy.typing import NDArray

from ..counting.bands import Bands, Box, Numbers, upright
from ..model.board import Board
from ..runtime.lazy import cached_property
from .dice import ExactDice, Ints
from .oracle import Grids

TOGETHER = 8192  # grids that are drawn at a time
FILLED = 1 << 22  # (way, band) pairs that are looked at together

Bytes = NDArray[np.uint8]


def banded_grids(board: Board, count: int, dice: ExactDice) -> Grids:
    """Uniform grids (count, cells) of a board that `bands.serves`."""
    height, width = upright(board)
    walk = _walk(height, width)
    starts = range(0, count, TOGETHER)
    drawn = [walk.draw(min(TOGETHER, count - start), dice) for start in starts]
    grids = np.concatenate([np.zeros((0, board.size, board.size), np.uint8), *drawn])
    if height != board.box_rows:
        grids = grids.transpose(0, 2, 1)
    return grids.reshape(count, board.cells)


@lru_cache(maxsize=4)
def _walk(height: int, width: int) -> Walk:
    return Walk(height, width)


class Walk:
    """The terms of the count of `Bands(height, width)`, and what is needed to draw one.

    ends: sums of the terms so far; above (classes, boxes): the boxes of the first band of a class;
    below and columns: of each box above, share and band below, the number of the box there, and the
    column of each digit in it.
    """

    def __init__(self, height: int, width: int) -> None:
        bands = self.bands = Bands(height, width)
        self.height, self.width, self.size = height, width, height * width
        shape, fillings, classes = bands.fillings.shape, bands.fillings.ravel(), bands.classes()
        terms = [size * fillings[first] * bands.below(first).ravel() for first, size in classes]
        self.ends = np.cumsum(np.concatenate(terms))
        self.above = np.array([[0, *np.unravel_index(first, shape)] for first, _ in classes])
        shares = {box: bands.shares(box) for box in np.unique(self.above).tolist()}
        self.each = len(shares[0])  # shares of any box
        lower = len(bands.boxes), self.each, width - 1
        self.below = np.zeros(lower, np.int16)
        self.columns = np.zeros((*lower, self.size), np.uint8)
        for box, each in shares.items():
            self.below[box] = [[bands.index[frozenset(b)] for b in share] for share in each]
            self.columns[box] = [[_columns(b) for b in share] for share in each]
        self.own = np.array([_columns(box) for box in bands.boxes], np.uint8)
        self._tables: dict[tuple[int, ...], NDArray[np.int16]] = {}

    @cached_property
    def names(self) -> Bytes:
        """(boxes, n): what each digit becomes where that box becomes the first one."""
        digits = [[d for column in box for d in sorted(column)] for box in self.bands.boxes]
        return np.argsort(digits, 1).astype(np.uint8)

    def draw(self, count: int, dice: ExactDice) -> Grids:
        """Uniform grids (count, n, n)."""
        height, width, n = self.height, self.width, self.size
        entry = np.searchsorted(self.ends, dice.below(self.ends[-1], count), side="right")
        kind, share = np.divmod(entry, self.each**height)
        above = self.above[kind]
        shares = np.stack(np.unravel_index(share, (self.each,) * height), 1)
        digits = (_orders(n, count, dice) + 1).astype(np.uint8)
        stacks = _orders(height, count, dice)
        columns = np.stack([_orders(width, count, dice) for _ in range(height)], 1)
        columns = (width * stacks[:, :, None] + columns).astype(np.uint8)
        grids = np.empty((count, n * n), np.uint8)
        for band in range(width):
            if band:
                boxes = self.below[above, shares, band - 1]
                within = self.columns[above, shares, band - 1]
            else:
                boxes, within = above, self.own[above]
            order = (n * (height * band + _orders(height, count, dice))).astype(np.uint8)
            rows = self._rows(boxes, dice)
            for box in range(height):
                row = np.take_along_axis(order, rows[:, box], 1)
                column = np.take_along_axis(columns[:, box], within[:, box], 1)
                np.put_along_axis(grids, (row + column).astype(np.intp), digits, 1)
        return grids.reshape(count, n, n)

    def _rows(self, boxes: NDArray[np.int16], dice: ExactDice) -> Ints:
        """A way to fill bands that have these boxes (N, height), uniform but for the order of rows:
        the row of each digit in each box, (N, height, n)."""
        first = boxes[:, 0]
        contents = self.bands.renamed[first[:, None], boxes[:, 1:]]
        several = self.bands.fillings[tuple(contents.T)] // factorial(self.height)
        wanted = dice.below(several, len(boxes))
        ways = np.empty((len(boxes), self.height), np.intp)
        prefixes, group = np.unique(contents[:, :-1], axis=0, return_inverse=True)
        order = np.argsort(group.ravel(), kind="stable")
        bounds = np.searchsorted(group.ravel()[order], np.arange(len(prefixes) + 1))
        for i, prefix in enumerate(map(tuple, prefixes.tolist())):
            table = self._table(prefix)
            step = max(1, FILLED // len(table))
            for start in range(bounds[i], bounds[i + 1], step):
                some = order[start : min(start + step, bounds[i + 1])]
                fits = self.bands.ways.fits[table[:, -1][:, None], contents[some, -1]]
                ways[some] = table[(fits.cumsum(0) > wanted[some]).argmax(0)]
        names = self.names[first].astype(np.intp)
        return np.take_along_axis(self.bands.ways.rows[ways], names[:, None], 2)

    def _table(self, prefix: tuple[int, ...]) -> NDArray[np.int16]:
        """Ways for all boxes, (K, height): those whose boxes between the first and the last have
        this content, and the one that is left for the last."""
        if prefix not in self._tables:
            keys, fits = self.bands.ways.keys, self.bands.ways.fits
            found, used = self.bands.ways.firsts[:, None], keys[self.bands.ways.firsts]
            for content in prefix:
                more = np.flatnonzero(fits[:, content])
                one, other = np.nonzero(used[:, None] & keys[more] == 0)
                found = np.concatenate([found[one], more[other, None]], 1)
                used = used[one] | keys[more[other]]
            self._tables[prefix] = np.concatenate(
                [found, self.bands.last(used)[:, None]], 1
            ).astype(np.int16)
        return self._tables[prefix]


def _columns(box: Box) -> Numbers:
    """The column of each digit."""
    return np.array(
        [next(i for i, c in enumerate(box) if d in c) for d in sorted(set().union(*box))]
    )


def _orders(length: int, count: int, dice: ExactDice) -> Ints:
    """Permutations (count, length), each with exactly the same chance."""
    left, rows = dice.below(factorial(length), count), np.arange(count)
    orders = np.tile(np.arange(length), (count, 1))
    for last in range(length - 1, 0, -1):
        left, other = np.divmod(left, last + 1)
        orders[rows, last], orders[rows, other] = orders[rows, other], orders[rows, last]
    return orders
