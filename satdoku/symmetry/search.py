"""The search for the canonical form of one puzzle: the numpy reference of `c/lines.c`'s tree.

Invariant: every choice is made by colours, which no symmetry changes, and which of two equal
outcomes comes first never matters. Each line of one tied class is made different in turn. Of all
orders that follow, the least grid on the paths of least keys counts. Two equal outcomes show a
symmetry of the puzzle; what it maps to places already searched is not searched again (McKay and
Piperno, Practical graph isomorphism II, 2014).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from .layout import Layout
from .refinement import (
    CHOSEN,
    Colours,
    Puzzles,
    Values,
    refine,
)
from .structure import mix

Order = tuple[int, ...]


@dataclass
class CanonicalSearch:
    """The search below one puzzle's colours; `best` is the least outcome of the best paths.

    Paths are sequences of chosen lines; key[i] belongs to level i of the best path; generators
    are symmetries of the puzzle, line i going to generator[i].
    """

    layout: Layout
    grid: Puzzles  # (1, n, n)
    best: bytes = b""
    found: bool = False
    mirrored: bool = False
    best_path: Order = ()
    best_order: Order = ()
    keys: dict[int, tuple[int, int]] = field(default_factory=dict)
    generators: list[Order] = field(default_factory=list)

    def visit(self, colours: Colours, ties: int, path: Order = ()) -> int:
        """Search below a node. Returns the level of the node that goes on."""
        level = len(path)
        key = ties, int(mix(_sum(colours.line[0]))[0]) >> 16
        if self.found and key > self.keys[level]:
            return level - 1
        if self.found and key < self.keys[level]:
            self.found = False
        self.keys[level] = key
        if not ties:
            return self._finish(colours, path)
        members = _tied_class(colours.line[0].tolist())
        for k, chosen in enumerate(members):
            if self._seen_alike(path, members[:k], chosen):
                continue
            line = colours.line.copy()
            line[0, chosen] = mix(line[0, chosen] + CHOSEN)[0]
            below, left = refine(self.layout, self.grid, colours._replace(line=line))
            back = self.visit(below, int(left[0]), (*path, chosen))
            if back < level:
                return back
        return level - 1

    def orbit_sizes(self) -> list[int]:
        """For each level the size of the orbit of the best path's line under the symmetries that
        fix the lines before it; the last factor belongs to the transposition."""
        sizes = [
            sum(root == roots[line] for root in roots)
            for level, line in enumerate(self.best_path)
            for roots in [self._orbits(self.best_path[:level])]
        ]
        sizes += [1] * (2 * self.layout.size - len(sizes))
        return [*sizes, 1 + self.mirrored]

    def _finish(self, colours: Colours, path: Order) -> int:
        """The colours are an order: compare the grid that it gives."""
        outcomes = sorted((self._write(order), order) for order in self._orders(colours))
        grid, order = outcomes[0]
        if self.found and grid > self.best:
            return len(path) - 1
        if self.found and grid == self.best:
            return self._learn(path, order)
        self.best, self.best_order, self.best_path = grid, order, path
        self.mirrored = len(outcomes) == 2 and outcomes[1][0] == grid
        self.found = True
        return len(path) - 1

    def _learn(self, path: Order, order: Order) -> int:
        """The outcome equals the best one, so a symmetry maps the best path to this one. Returns
        the level where they part: what lies below it on this side was seen on the other."""
        image = dict(zip(self.best_order, order, strict=True))
        part = next(i for i, (a, b) in enumerate(zip(self.best_path, path, strict=True)) if a != b)
        if any(image[self.best_path[i]] != path[i] for i in range(part + 1)):
            return len(path) - 1
        self.generators.append(tuple(image[line] for line in range(len(order))))
        return part

    def _orders(self, colours: Colours) -> list[Order]:
        """Lines as rows, then lines as columns; two orders if rows and columns may change places
        and their colours agree."""
        n = self.layout.size
        line = colours.line[0].tolist()
        sums = [int(_sum(side)[0]) for side in np.split(colours.line[0], 2)]
        rows = _sorted_side(line, range(n), self.layout.box_rows)
        columns = _sorted_side(line, range(n, 2 * n), self.layout.box_columns)
        orders = [rows + columns]
        if self.layout.transposable and sums[1] <= sums[0]:
            orders = [columns + rows] if sums[1] < sums[0] else [*orders, columns + rows]
        return orders

    def _write(self, order: Order) -> bytes:
        """The grid with its lines in this order, digits renamed in the order in which they come."""
        n = self.layout.size
        rows, columns = np.array(order[:n]), np.array(order[n:])
        grid = self.grid[0] if order[0] < n else self.grid[0].T
        cells = grid[np.ix_(rows % n, columns % n)].ravel()
        if self.layout.free_digits:
            seen = dict.fromkeys(filter(None, cells.tolist()))
            names = np.zeros(n + 1, np.uint8)
            names[list(seen)] = np.arange(1, len(seen) + 1)
            cells = names[cells]
        return bytes(cells)

    def _seen_alike(self, path: Order, earlier: Sequence[int], line: int) -> bool:
        """Whether a symmetry maps an earlier member of the class to this one."""
        if not self.generators or not earlier:
            return False
        roots = self._orbits(path)
        return any(roots[other] == roots[line] for other in earlier)

    def _orbits(self, path: Order) -> list[int]:
        """For each line a name of its orbit under the known symmetries that fix the path."""
        roots = list(range(2 * self.layout.size))
        for image in self.generators:
            if any(image[line] != line for line in path):
                continue
            for line, other in enumerate(image):
                a, b = roots[line], roots[other]
                roots = [b if root == a else root for root in roots]
        return roots


def _sum(values: Values) -> Values:
    return np.add.reduce(values, keepdims=True)


def _tied_class(line: list[int]) -> list[int]:
    """The largest class of lines that holds two rows or two columns; of equal ones the one whose
    colour is least."""
    n = len(line) // 2
    tied = {c for side in (line[:n], line[n:]) for c in side if side.count(c) > 1}
    chosen = min(tied, key=lambda colour: (-line.count(colour), colour))
    return [i for i, colour in enumerate(line) if colour == chosen]


def _sorted_side(line: list[int], side: range, height: int) -> Order:
    """Lines by colour within their band, bands by their first line."""
    bands = [
        sorted(side[first : first + height], key=line.__getitem__)
        for first in range(0, len(side), height)
    ]
    return tuple(i for band in sorted(bands, key=lambda band: line[band[0]]) for i in band)
