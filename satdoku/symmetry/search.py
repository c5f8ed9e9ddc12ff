"""The canonical form under the whole group of a board: the numpy reference of `c/lines.c`.

Invariant: a colour is a 64-bit number, computed from the puzzle by wrapping sums and mixing, in a
way that no symmetry changes. If all rows differ in colour, and all columns, the colours are an
order, and the order is the form; if colours tie, a search decides, whose every choice is made by
colours; which of two equal outcomes comes first never matters. Colours that agree by accident cost
time, never correctness.

The colours of all puzzles are refined at once, as in `c/colours.h`; each puzzle is finished by
itself, and few need any search. It makes each line of one tied class different in turn. Of all
orders that follow, the least grid on the paths of least keys counts. Two equal outcomes show a
symmetry of the puzzle; what it maps to places already searched is not searched again (McKay and
Piperno, Practical graph isomorphism II, 2014).

Lines are numbered rows first: row r is r, column c is n + c.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .listed import Layout
from .structure import mix

Puzzles = NDArray[np.uint8]
Values = NDArray[np.uint64]

_ROW, _COLUMN, _DIGIT, _BOX, CHOSEN = (
    np.array([value], np.uint64)
    for value in (
        0x243F6A8885A308D3,
        0x13198A2E03707344,
        0xA4093822299F31D0,
        0x082EFA98EC4E6C89,
        0x452821E638D01377,
    )
)
_THREE = np.uint64(3)
# What is counted of a line or digit: its givens, and times these its cells on cycles of two and of
# three (`_mark_cycles`).
_ON_TWO, _ON_THREE = np.uint64(1 << 16), np.uint64(1 << 32)
_NAME = np.uint64(1 << 48)  # times the number of a digit that may not be renamed


class Colours(NamedTuple):
    """line (N, 2n), digit (N, n + 1), box (N, boxes), uint64; digit[:, 0] has no meaning, and box
    is never refined."""

    line: Values
    digit: Values
    box: Values


def start_colours(layout: Layout, grids: Puzzles) -> Colours:
    """Before any refinement: how many givens there are of each digit and in each line and box, and
    the cycles of full lines."""
    n, givens = layout.size, grids > 0
    turned = grids.transpose(0, 2, 1)
    rows, columns = (givens.sum(axis, dtype=np.uint64) for axis in (2, 1))
    digits = np.stack([(grids == d).sum((1, 2), dtype=np.uint64) for d in range(n + 1)], 1)
    boxes = givens.reshape(
        len(grids), n // layout.box_rows, layout.box_rows, -1, layout.box_columns
    )
    _mark_cycles(grids, layout.box_rows, rows, digits)
    _mark_cycles(turned, layout.box_columns, columns, digits)
    names = np.arange(n + 1, dtype=np.uint64) * (_NAME * np.uint64(not layout.free_digits))
    lines = [mix(_ROW + rows), mix((_ROW if layout.transposable else _COLUMN) + columns)]
    counts = boxes.sum((2, 4), dtype=np.uint64).reshape(len(grids), -1)
    return Colours(np.concatenate(lines, 1), mix(_DIGIT + digits + names), mix(_BOX + counts))


def _mark_cycles(grids: Puzzles, height: int, own: Values, digits: Values) -> None:
    """Two full lines of a band make a permutation of the digits. Its cycles of two and of three are
    counted for the digits on them and for the two lines; otherwise a full grid would look the same
    everywhere."""
    n = grids.shape[1]
    full = (np.sort(grids, 2) == np.arange(1, n + 1)).all(2)
    for a, b in combinations(range(n), 2):
        chosen = np.flatnonzero(full[:, a] & full[:, b])
        if a // height != b // height or not len(chosen):
            continue
        upper, lower = grids[chosen, a].astype(np.intp), grids[chosen, b].astype(np.intp)
        place = np.argsort(upper, 1)  # of digit d: [d - 1]
        following = np.take_along_axis(lower, place, 1) - 1
        second = np.take_along_axis(following, following, 1)
        third = np.take_along_axis(following, second, 1)
        marks = _ON_TWO * (second == np.arange(n)) + _ON_THREE * (third == np.arange(n))
        digits[chosen, 1:] += marks
        own[chosen, a] += marks.sum(1)
        own[chosen, b] += marks.sum(1)


def refine(layout: Layout, grids: Puzzles, colours: Colours) -> tuple[Colours, NDArray[np.intp]]:
    """Refine each puzzle's colours until no more ties break. Returns also the ties left (N,)."""
    line, digit = _refine_lines(layout, grids, colours), colours.digit.copy()
    ties = _count_ties(line)
    going = np.flatnonzero(ties)
    while len(going):
        own = Colours(line[going], digit[going], colours.box[going])
        own = own._replace(digit=_refine_digits(layout, grids[going], own))
        own = own._replace(line=_refine_lines(layout, grids[going], own))
        line[going], digit[going] = own.line, own.digit
        left = _count_ties(own.line)
        better = (left > 0) & (left < ties[going])
        ties[going] = left
        going = going[better]
    return Colours(line, digit, colours.box), ties


def _colours_of_givens(layout: Layout, grids: Puzzles, colours: Colours) -> Values:
    """(N, n, n), 0 for empty cells."""
    n = layout.size
    rows, columns = colours.line[:, :n], colours.line[:, n:]
    names = np.take_along_axis(colours.digit, grids.reshape(len(grids), -1).astype(np.intp), 1)
    boxes = colours.box.reshape(len(grids), n // layout.box_rows, -1)
    boxes = boxes.repeat(layout.box_rows, 1).repeat(layout.box_columns, 2)
    cells = mix(rows[:, :, None] + columns[:, None, :] + names.reshape(grids.shape) + boxes)
    cells[grids == 0] = 0
    return cells


def _refine_digits(layout: Layout, grids: Puzzles, colours: Colours) -> Values:
    """Every digit takes in the colours of its givens."""
    cells = _colours_of_givens(layout, grids, colours)
    digit = colours.digit.copy()
    for d in range(1, layout.size + 1):
        digit[:, d] += _THREE * cells.sum((1, 2), where=grids == d)
    return mix(digit)


def _refine_lines(layout: Layout, grids: Puzzles, colours: Colours) -> Values:
    """Every line takes in the colours of its givens, and then those of its band or stack."""
    cells = _colours_of_givens(layout, grids, colours)
    rows, columns = np.split(colours.line, 2, 1)
    rows = _hear_bands(mix(rows + _THREE * cells.sum(2)), layout.box_rows)
    columns = _hear_bands(mix(columns + _THREE * cells.sum(1)), layout.box_columns)
    return np.concatenate([rows, columns], 1)


def _hear_bands(lines: Values, height: int) -> Values:
    bands = lines.reshape(len(lines), -1, height).sum(2)
    heard: Values = lines + _THREE * bands.repeat(height, 1)
    return heard


def _count_ties(line: Values) -> NDArray[np.intp]:
    """How many pairs of rows, and of columns, have the same colour (N,)."""
    n = line.shape[1] // 2
    sides = line.reshape(len(line), 2, n)
    alike = sides[:, :, :, None] == sides[:, :, None, :]
    return np.asarray((alike.sum((1, 2, 3)) - 2 * n) // 2)


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


PER_BATCH = 4096  # puzzles refined at once: memory stays bounded


def by_lines(layout: Layout, puzzles: Puzzles) -> tuple[Puzzles, Puzzles]:
    """Forms (N, cells) of puzzles (N, cells), and factors (N, 2n + 1) uint8 whose product is the
    number of permutations of lines that, with some renaming of the digits, fix the puzzle."""
    forms = np.empty_like(puzzles)
    orbits = np.ones((len(puzzles), 2 * layout.size + 1), np.uint8)
    for start in range(0, len(puzzles), PER_BATCH):
        part = slice(start, start + PER_BATCH)
        grids = puzzles[part].reshape(-1, layout.size, layout.size)
        colours, ties = refine(layout, grids, start_colours(layout, grids))
        for i, grid in enumerate(grids):
            own = Colours(*(part[i : i + 1] for part in colours))
            search = CanonicalSearch(layout, grid[None])
            search.visit(own, int(ties[i]))
            forms[start + i] = np.frombuffer(search.best, np.uint8)
            orbits[start + i] = search.orbit_sizes()
    return forms, orbits
