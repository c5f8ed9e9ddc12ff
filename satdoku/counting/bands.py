"""All grids of a board of few bands, counted band by band through what each column holds.

Invariant: the rest of a grid depends on its first band only through the contents of that band: of
each column the set of its digits. So the number of grids is a sum over the contents of a band, of
the bands with these contents times the ways to complete them.

In a band each box has every digit once, so its columns part the digits into sets of equal size: a
`Box` of contents. Renaming digits makes the first box the first one of the list, and the order of
columns within a box changes no count; so contents are an index for every other box, and
`Bands.fillings`, an array over these indices, says how many bands have them. Contents that a
renaming, or an exchange of boxes, makes equal have equally many completions: of 78,400 on 9x9 only
these classes are completed.

Sources: B. Felgenhauer, F. Jarvis, Mathematics of Sudoku I, 2006 (classes of the first band by what
its columns hold); the count by parts of columns is ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import combinations
from math import factorial, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..model.board import Board
from ..model.constraints import Constraints
from ..runtime.lazy import cached_property
from ..symmetry.classes import joined

MOST_CONTENTS = 100_000  # of a band, that `fillings` holds
MOST_BANDS = 3

Numbers = NDArray[np.int64]
Box = tuple[frozenset[int], ...]  # the digits of each column


def serves(constraints: Constraints) -> bool:
    """Whether all grids under these constraints can be counted by bands: 4x4, 6x6, 8x8 and 9x9,
    with boxes of any shape and no rule but the classic ones."""
    board = constraints.board
    if constraints.rules or board.regions or not (board.has_boxes and board.is_usual):
        return False
    height, bands = upright(board)
    contents = _boxes(height, bands) ** (height - 1)
    return bands <= MOST_BANDS and contents <= MOST_CONTENTS


def count_by_bands(board: Board) -> int:
    """The number of grids under classic rules; look at `serves` first."""
    return Bands(*upright(board)).grids()


def upright(board: Board) -> tuple[int, int]:
    """Height and width of a box, after a transposition if that makes the bands fewer."""
    return max(board.box_rows, board.box_columns), min(board.box_rows, board.box_columns)


def _boxes(height: int, width: int) -> int:
    """How many ways there are to part height * width digits among `width` columns."""
    return factorial(height * width) // prod([factorial(width), *[factorial(height)] * width])


class Ways(NamedTuple):
    """The ways to give each digit of a box its row, W of them.

    rows (W, n): of each digit; keys (W,): the places (digit, row) as bits, ascending; fits (W,
    boxes): 1 if each column of that box would have its digits in different rows; firsts: those that
    fit the first box, with its first column ascending.
    """

    rows: Numbers
    keys: Numbers
    fits: Numbers
    firsts: NDArray[np.intp]


class Bands:
    """The bands of a board with boxes of `height` rows and `width` columns, so of `width` bands of
    `height` boxes each.

    boxes: all contents of a box, with columns in ascending order; digits are 0 to n-1.
    """

    def __init__(self, height: int, width: int) -> None:
        self.height, self.width = height, width
        self.size = height * width
        self.boxes = list(_partitions(frozenset(range(self.size)), height))
        self.index = {frozenset(box): i for i, box in enumerate(self.boxes)}

    def grids(self) -> int:
        """The number of grids: of the first band each class of contents times its completions."""
        orders = prod([factorial(self.width)] * (self.height - 1))
        first = factorial(self.size) // prod([factorial(self.height)] * self.width)
        fillings: list[int] = self.fillings.ravel().tolist()
        completed = (
            size * fillings[contents] * int(self.below(contents).sum())
            for contents, size in self.classes()
        )
        return first * orders * sum(completed)

    @cached_property
    def fillings(self) -> Numbers:
        """How many bands have these contents, over the contents of all boxes but the first one.

        Each box gives every digit a row, and the boxes of a band give it different rows. A box fits
        its contents if the digits of each column are in different rows.
        """
        others = self.height - 1
        ways = [self._others(int(self.ways.keys[way]), others) for way in self.ways.firsts]
        return np.asarray(factorial(self.height) * np.sum(ways, 0))

    @cached_property
    def ways(self) -> Ways:
        """The ways to give each digit of a box its row."""
        rows = self._rows()
        keys = (1 << rows + self.height * np.arange(self.size)).sum(1)
        order = keys.argsort()
        rows, keys = rows[order], keys[order]
        fits = np.ones((len(keys), len(self.boxes)), np.int64)
        for i, box in enumerate(self.boxes):
            for column in box:
                of_column = np.sort(rows[:, list(column)], 1)
                fits[:, i] &= (of_column == np.arange(self.height)).all(1)
        # The order of rows is free: those of the first column ascend.
        ascending = (rows[:, sorted(self.boxes[0][0])] == np.arange(self.height)).all(1)
        return Ways(rows, keys, fits, np.flatnonzero(fits[:, 0] & ascending))

    def _rows(self) -> Numbers:
        """All ways to give each digit a row, each row equally many: (K, n)."""
        ways = np.zeros((1, 0), np.int64)
        for _ in range(self.size):
            ways = np.concatenate([np.insert(ways, 0, row, 1) for row in range(self.height)])
            used = (ways[:, :, None] == np.arange(self.height)).sum(1)
            ways = ways[(used <= self.width).all(1)]
        return ways

    def _others(self, used: int, boxes: int) -> Numbers:
        """The ways to fill so many more boxes, over their contents; used: the places (digit, row)
        of those before, as bits."""
        _, keys, fits, _ = self.ways
        if boxes == 1:
            return np.asarray(fits[self.last(used)])
        free = np.flatnonzero(keys & used == 0)
        if boxes == 2:
            return np.asarray(fits[free].T @ fits[self.last(used | keys[free])])
        below = (self._others(used | int(keys[way]), boxes - 1) for way in free)
        ways = (np.multiply.outer(fits[way], more) for way, more in zip(free, below, strict=True))
        return reduce(np.add, ways)

    def last(self, used: Numbers | int) -> NDArray[np.intp]:
        """The way of the last box, beside others that use these places."""
        left = (1 << self.size * self.height) - 1 ^ used
        return np.asarray(np.searchsorted(self.ways.keys, left))

    @cached_property
    def renamed(self) -> Numbers:
        """(K, K): box q after a renaming of digits that makes box p the first one."""
        table = np.empty((len(self.boxes),) * 2, np.int64)
        for p, box in enumerate(self.boxes):
            table[p] = self._act([digit for column in box for digit in sorted(column)])
        return table

    def _act(self, digits: list[int]) -> Numbers:
        """The index of each box after the renaming digits[i] -> i."""
        to = {digit: i for i, digit in enumerate(digits)}
        moved = (frozenset(frozenset(to[d] for d in c) for c in box) for box in self.boxes)
        return np.array([self.index[box] for box in moved])

    def classes(self) -> list[tuple[int, int]]:
        """An index of `fillings` for each class of equivalent contents, and how many are in it."""
        boxes, others = len(self.boxes), self.height - 1
        contents = np.indices((boxes,) * others).reshape(others, -1)
        n, height = self.size, self.height
        swap = [1, 0, *range(2, n)]
        turn = [*range(1, height), 0, *range(height, n)]
        exchange = [*range(height, 2 * height), *range(height), *range(2 * height, n)]
        cycle = [*range(height, n), *range(height)]
        images = [self._act(digits)[contents] for digits in (swap, turn, exchange, cycle)]
        first, rest = contents[0], contents[1:]
        images += [contents[::-1], np.stack([self.renamed[first, 0], *self.renamed[first, rest]])]
        flat = [np.ravel_multi_index(tuple(image), (boxes,) * others) for image in images]
        _, index, sizes = np.unique(joined(flat), return_index=True, return_counts=True)
        return list(zip(index.tolist(), sizes.tolist(), strict=True))

    def below(self, contents: int) -> Numbers:
        """The ways to fill the other bands below these contents of the first, over the shares of
        each of its boxes (as `shares` lists them)."""
        above = [0, *map(int, np.unravel_index(contents, self.fillings.shape))]
        shares = [self._indices(box) for box in above]
        ways = []
        for first in shares[0].tolist():
            number = np.ones((), np.int64)
            for band, box in enumerate(first):
                own = [self.renamed[box][share[:, band]] for share in shares[1:]]
                number = number * self.fillings[np.ix_(*own)]
            ways.append(number)
        return np.array(ways)

    def _indices(self, box: int) -> Numbers:
        """The shares of a box, each box by its number, (K, bands below)."""
        return np.array(
            [[self.index[frozenset(below)] for below in share] for share in self.shares(box)]
        )

    def shares(self, box: int) -> list[list[Box]]:
        """All ways to share out what a box leaves to its columns among the boxes below it, each a
        box with columns in the order of the first one."""
        above, digits = self.boxes[box], frozenset(range(self.size))
        if self.width == 2:
            return [[above[::-1]]]
        found = []
        for one in combinations(sorted(digits - above[0]), self.height):
            for two in combinations(sorted(digits - above[1] - frozenset(one)), self.height):
                three = digits - frozenset(one) - frozenset(two)
                if not three & above[2]:
                    below = (frozenset(one), frozenset(two), three)
                    last = (digits - a - b for a, b in zip(above, below, strict=True))
                    found.append([below, tuple(last)])
        return found


def _partitions(digits: frozenset[int], height: int) -> Iterator[Box]:
    """All ways to part digits into sets of `height`, each once."""
    if not digits:
        yield ()
        return
    least, *others = sorted(digits)
    for more in combinations(others, height - 1):
        column = frozenset((least, *more))
        for rest in _partitions(digits - column, height):
            yield (column, *rest)
