"""What a symmetry has to preserve, and the permutation group that preserves it, found by search.

Invariant: everything here is read off the groups and forbidden pairs of a `Constraints`; no rule
and no symmetry is known by name. A symmetry maps groups to groups and pairs to pairs, exactly. With
clues that say more than these, only the identity counts as one.
Numbers that summarise the relations between cells (or digits) only prune the search.

Rows and columns are numbered alternately, row r as 2r and column c as 2c + 1, so that a search from
line 0 on soon decides whole cells; lines that a rectangle lacks stay. A permutation p is an array
of images: point i goes to p[i].
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from ..model.constraints import Constraints
from ..runtime.lazy import cached_property

# A group without a list of its elements: let G_i be the elements that fix the points 0..i-1. Level
# i holds one element of G_i for each point to which G_i can move i, and every element of the group
# is the product of one from each level, in one way only (Sims 1970). So the order is a product of
# lengths, and a uniform random element is a random choice at each level.

Points = NDArray[np.intp]
Options = Callable[[list[int]], Iterable[int]]
Accept = Callable[[Points], bool]


@dataclass(frozen=True, eq=False)
class Chain:
    """The group; level i is an array (length of the orbit, points) of permutations."""

    points: int
    levels: tuple[Points, ...]

    @property
    def order(self) -> int:
        """Number of elements."""
        return prod(map(len, self.levels))

    def random(self, rng: np.random.Generator) -> Points:
        """A uniformly random element."""
        product = np.arange(self.points)
        for level in reversed(self.levels):
            product = level[rng.integers(len(level))][product]
        return product

    def elements(self) -> Points:
        """All elements, (order, points). Look at the order first."""
        products = np.arange(self.points)[None]
        for level in reversed(self.levels):
            products = level[:, products].reshape(-1, self.points)
        return products


def trivial(points: int) -> Chain:
    """The group that has only the identity."""
    return Chain(points, (np.arange(points)[None],))


def find_chain(points: int, options: Options, accept: Accept) -> Chain:
    """The group of all permutations that `accept` accepts; they must be a group.

    `options` gives the images that the next point may have if the first points have the given
    ones. It may give too many, but not too few.
    """
    generators: list[Points] = []
    levels: list[Points] = []
    for point in reversed(range(points)):
        orbit = _orbit(point, generators, points)
        dead: set[int] = set()
        for image in options(list(range(point))):
            if image in orbit or image in dead:
                continue
            found = _complete([*range(point), image], points, options, accept)
            if found is None:
                dead |= _orbit(image, generators, points).keys()
            else:
                generators.append(found)
                orbit = _orbit(point, generators, points)
        levels.append(np.array(list(orbit.values())))
    return Chain(points, tuple(reversed(levels)))


def _complete(images: list[int], points: int, options: Options, accept: Accept) -> Points | None:
    """A permutation that begins with these images, or None."""
    if len(images) == points:
        found = np.array(images)
        return found if accept(found) else None
    for image in options(images):
        found_ = _complete([*images, image], points, options, accept)
        if found_ is not None:
            return found_
    return None


def _orbit(point: int, generators: list[Points], points: int) -> dict[int, Points]:
    """Where the generators can move the point, each place with an element that does it."""
    reached = {point: np.arange(points)}
    queue = [point]
    for at in queue:
        for generator in generators:
            image = int(generator[at])
            if image not in reached:
                reached[image] = generator[reached[at]]
                queue.append(image)
    return reached


Relation = NDArray[np.uint64]

_FACTOR = np.uint64(0xD6E8FEB86659FD93)
_SHIFT = np.uint64(32)


def mix(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Scatter 64-bit numbers, so that different multisets have different sums."""
    values = (values ^ values >> _SHIFT) * _FACTOR
    mixed: NDArray[np.uint64] = values ^ values >> _SHIFT
    return mixed


class Structure:
    """The groups and forbidden pairs of a rule set as arrays of candidates, and their symmetries.

    sets: one array (sets, k) for each kind, that is groups of k candidates, and pairs.
    """

    def __init__(self, constraints: Constraints) -> None:
        self.size = constraints.board.choices
        self._digits = len(constraints.board.digits)  # of the grids; layers may hold more
        self.height, self.width = constraints.board.height, constraints.board.width
        self.side = max(self.height, self.width)
        self._is_wide = constraints.is_wide
        self.cells, self._grid_cells = constraints.board.cells, constraints.board.grid_cells
        by_length: dict[int, list[tuple[int, ...]]] = defaultdict(list)
        for group in set(constraints.groups):
            by_length[len(group)].append(group)
        self.sets = [np.array(groups) for groups in by_length.values()]
        if constraints.pairs:
            self.sets.append(np.array(constraints.pairs))
        self._known = [_keys(members) for members in self.sets]

    def preserved_by(self, cells: Points, digits: Points) -> bool:
        """Whether moving cells (cells,) and renaming digits 0..n-1 (n,) maps every group to a
        group and every pair to a pair."""
        return self._keeps((cells[:, None] * self.size + digits).ravel())

    def _keeps(self, image: Points) -> bool:
        """Whether a permutation of candidates maps every group to a group and pair to a pair."""
        if self._is_wide:
            return bool((image == np.arange(len(image))).all())
        return all(
            _keys(image[members]) == known
            for members, known in zip(self.sets, self._known, strict=True)
        )

    def line_symmetries(self) -> Chain:
        """Permutations of rows and of columns, or exchanges of both, that preserve all sets."""
        return find_chain(2 * self.side, self.line_options, self.moves)

    def digit_symmetries(self) -> Chain:
        """Permutations of the digits 0..n-1 that preserve all sets; cells stay in place."""
        return find_chain(self.size, self._digit_options, self.renames)

    def moves(self, lines: Points) -> bool:
        """Whether this permutation of lines preserves all sets."""
        cells = cells_of(lines, self.height, self.width)
        return self.preserved_by(cells, np.arange(self.size))

    def renames(self, digits: Points) -> bool:
        """Whether this permutation of the digits 0..n-1 preserves all sets."""
        return self.preserved_by(np.arange(self.cells), digits)

    def renamings_of_grids(self) -> Chain:
        """The renamings of digits within `interchangeable_digits`, the values of layers kept."""
        class_of = {d: members for members in self.interchangeable_digits() for d in members}

        def options(images: list[int]) -> Iterator[int]:
            return (image for image in class_of[len(images)] if image not in images)

        return find_chain(self.size, options, lambda found: True)

    def interchangeable_digits(self) -> list[list[int]]:
        """Classes of digits 0..n-1 any two of which can be swapped in the grids, ascending; what
        only a layer holds stands alone."""
        classes: list[list[int]] = []
        for digit in range(self.size):
            for members in classes if digit < self._digits else ():
                if self._may_swap(members[0], digit):
                    members.append(digit)
                    break
            else:
                classes.append([digit])
        return classes

    def _may_swap(self, a: int, b: int) -> bool:
        image = np.arange(self.cells * self.size).reshape(self.cells, self.size)
        image[: self._grid_cells, [a, b]] = image[: self._grid_cells, [b, a]]
        return self._keeps(image.ravel())

    def line_options(self, images: list[int]) -> Iterator[int]:
        """Images of the next line that keep the relations of the cells decided so far."""
        line, width = len(images), self.width
        if self._is_wide or not self._is_line(line):
            yield line
            return
        relation, is_square = self._cell_relation, self.height == width
        turned = images[0] % 2 if images else None if is_square else 0
        rows = np.arange(0, min(line + 1, 2 * self.height), 2)
        columns = np.arange(1, min(line + 1, 2 * width), 2)
        before = _cross(rows, columns, width)
        new = _cross([line], columns, width) if line % 2 == 0 else _cross(rows, [line], width)
        expected = relation[new[:, None], before]
        for image in _own_first(line, 2 * self.side):
            if image in images or (turned is not None and image % 2 != (line + turned) % 2):
                continue
            if not self._is_line(image):
                continue
            to = np.array([*images, image])
            moved = relation[_moved(to, new, width)[:, None], _moved(to, before, width)]
            if np.array_equal(moved, expected):
                yield image

    def _is_line(self, line: int) -> bool:
        return line // 2 < (self.width if line % 2 else self.height)

    def _digit_options(self, images: list[int]) -> Iterator[int]:
        if self._is_wide:
            yield len(images)
            return
        digit, relation = len(images), self._digit_relation
        for image in _own_first(digit, self.size):
            to = [*images, image]
            if image not in images and np.array_equal(
                relation[image, to], relation[digit, : digit + 1]
            ):
                yield image

    @cached_property
    def _cell_relation(self) -> Relation:
        """(cells, cells): a number for how the digits of two cells exclude each other; for a cell
        and itself, a number for its relations to all others."""
        relation = np.zeros((self.cells, self.cells), np.uint64)
        for kind, x, y in self._related():
            label = x % self.size * self.size + y % self.size
            np.add.at(relation, (x // self.size, y // self.size), mix(label + kind))
        np.fill_diagonal(relation, mix(relation).sum(1))
        return relation

    @cached_property
    def _digit_relation(self) -> Relation:
        """(n, n): a number for how the cells of two digits exclude each other."""
        relation = np.zeros((self.size, self.size), np.uint64)
        for kind, x, y in self._related():
            label = x // self.size * self.cells + y // self.size
            np.add.at(relation, (x % self.size, y % self.size), mix(label + kind))
        return relation

    def _related(self) -> Iterator[tuple[np.uint64, Relation, Relation]]:
        """Kind and both sides of all ordered pairs of candidates that share a set."""
        for index, members in enumerate(self.sets):
            k = members.shape[1]
            one, other = (axis.ravel() for axis in np.nonzero(~np.eye(k, dtype=bool)))
            x, y = members[:, one].ravel(), members[:, other].ravel()
            yield np.uint64((index + 1) << 40), x.astype(np.uint64), y.astype(np.uint64)


def cells_of(lines: Points, height: int | None = None, width: int | None = None) -> Points:
    """The permutation of cells (..., cells) that a permutation of lines (..., 2n) makes; of a
    rectangle if its height and width are given."""
    rows, columns = lines[..., 0::2][..., :height] // 2, lines[..., 1::2][..., :width] // 2
    turned, wide = lines[..., :1] % 2 == 1, columns.shape[-1]
    rows, columns = rows * np.where(turned, 1, wide), columns * np.where(turned, wide, 1)
    cells = rows[..., :, None] + columns[..., None, :]
    return np.asarray(cells.reshape(*lines.shape[:-1], -1), dtype=np.intp)


def _keys(members: NDArray[np.intp]) -> set[bytes]:
    """The rows of an array, each a set, as bytes that can be compared."""
    return set(map(bytes, np.sort(members, 1).astype(np.int32)))


def _own_first(point: int, points: int) -> Iterable[int]:
    """All points, the given one first: most symmetries that the search needs move few points."""
    return [point, *(other for other in range(points) if other != point)]


def _cross(rows: Iterable[int] | Points, columns: Iterable[int] | Points, size: int) -> Points:
    """The cells where rows and columns, given as lines, meet."""
    down, right = np.asarray(rows) // 2, np.asarray(columns) // 2
    cells: Points = (down[:, None] * size + right).ravel()
    return cells


def _moved(images: Points, cells: Points, size: int) -> Points:
    """The images of cells, given the images of their lines."""
    row, column = images[cells // size * 2], images[cells % size * 2 + 1]
    if len(images) and images[0] % 2:
        row, column = column, row
    return row // 2 * size + column // 2
