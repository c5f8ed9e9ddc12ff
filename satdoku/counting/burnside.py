"""How many essentially different grids there are, without a list of them: Burnside's lemma.

Invariant: the number of orbits of a group on the grids is the mean, over its elements, of the
number of grids that an element fixes. Conjugate elements fix equally many, so one of each class is
asked for. Such grids are grids under rules too: what a cell holds, renamed, stands where it is
taken. They are counted as any others, up to what commutes with the element.

Most elements fix no grid, and that is seen at once: if a power of the element takes a row, a column
or a box to itself, it permutes its cells as it permutes their digits, so with cycles of the same
lengths.

Source: E. Russell, F. Jarvis, Mathematics of Sudoku II, 2006.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..model.board import Board
from ..model.constraints import Constraints, RulesLike, constraints_for, tells_board
from ..model.kinds.kind import Relation
from ..model.lowering import Family, Said, tabled
from ..runtime import limits
from ..runtime.progress import Progress, reporting
from ..symmetry import SymmetryError, forms_under
from ..symmetry.classes import centralizer, digit_classes, line_classes
from ..symmetry.group import Group, group
from ..symmetry.structure import cells_of, trivial
from . import Way, count_exact
from .cubes import count_layer
from .layers import Forms, Layer

MOST_IMAGES = 50_000_000  # of the puzzles of a layer, for their forms

Points = NDArray[np.intp]
Cycles = tuple[int, ...]  # their lengths, ascending


class Fixed(NamedTuple):
    """A class of symmetries and the grids that each of them fixes.

    cells: cell i goes to cells[i]; digits: digit d + 1 becomes digits[d] + 1; size: how many
    symmetries the class has; grids: how many grids each fixes, None if time ended before.
    """

    cells: tuple[int, ...]
    digits: tuple[int, ...]
    size: int
    grids: int | None


class OrbitCount(NamedTuple):
    """How many classes of equivalent grids: `orbits` in all if `exact`, at least so many otherwise.

    grids: how many grids there are, None if they were not counted; order: of the group; fixed: the
    classes of symmetries that may fix a grid.
    """

    orbits: int
    exact: bool
    grids: int | None
    order: int
    fixed: tuple[Fixed, ...]

    def __str__(self) -> str:
        return str(self.orbits) if self.exact else f">={self.orbits}"


def count_orbits(
    rules: RulesLike = "classic",
    *,
    size: int = 9,
    digits: bool = True,
    workers: int = 1,
    timeout: float | None = None,
    progress: Progress = False,
) -> OrbitCount:
    """The number of grids up to the symmetries of the rules; without `digits` only cells move.

    timeout: seconds after which the symmetries that are done give a lower bound; progress: True for
    a bar, or a function of (done, total) classes of symmetries. Raises `SymmetryError` if the group
    is too large for its classes to be found.
    """
    end = None if limits.left(timeout) is None else limits.until(timeout)
    with limits.within(timeout):
        constraints = constraints_for(rules, None if tells_board(rules) else Board.of_size(size))
    if not constraints.board.is_usual:
        found = f"{constraints.board.in_words}: expected a square board with digits 1-n"
        raise SymmetryError(f"{found} to count all classes; name the grids to sort them")
    order = group(constraints, digits=digits).order
    fixed = []
    classes = _candidates(constraints, digits=digits)
    with reporting(progress, len(classes), " symmetries") as more:
        for lines, renaming, members in classes:
            left = None if end is None else max(0.0, end - time.monotonic())
            grids = _fixed(constraints, lines, renaming, workers, left)
            cells = tuple(cells_of(lines).tolist())
            fixed.append(Fixed(cells, tuple(renaming.tolist()), members, grids))
            more(1)
    total = sum(each.size * (each.grids or 0) for each in fixed)
    exact = all(each.grids is not None for each in fixed)
    return OrbitCount(-(-total // order), exact, fixed[0].grids, order, tuple(fixed))


def _candidates(constraints: Constraints, *, digits: bool) -> list[tuple[Points, Points, int]]:
    """Classes of symmetries that may fix a grid: lines, digits, and number; the identity first."""
    n = constraints.board.size
    renamings = digit_classes(group(constraints, digits=digits))
    houses = {
        frozenset(candidate // n for candidate in members)
        for members in constraints.groups
        if len({candidate % n for candidate in members}) == 1
    }
    found = []
    for lines, size in line_classes(constraints):
        needed = _needed(cells_of(lines), houses)
        for renaming, number in renamings:
            every = np.arange(n)
            if all(_cycles(_power(renaming, k), every) == lengths for k, lengths in needed):
                found.append((lines, renaming, size * number))
    return sorted(found, key=lambda each: (each[0] != np.arange(2 * n)).any())


def _needed(cells: Points, houses: set[frozenset[int]]) -> set[tuple[int, Cycles]]:
    """Powers that take a house to itself, with the lengths of their cycles on its cells."""
    needed = set()
    for house in houses:
        power, image = 1, cells
        while {int(image[cell]) for cell in house} != house:
            power, image = power + 1, image[cells]
        needed.add((power, _cycles(image, house)))
    return needed


def _cycles(permutation: Points, points: Iterable[int]) -> Cycles:
    """The lengths of the cycles among these points, ascending."""
    left, lengths = set(map(int, points)), []
    while left:
        start = at = left.pop()
        length = 1
        while (at := int(permutation[at])) != start:
            left.discard(at)
            length += 1
        lengths.append(length)
    return tuple(sorted(lengths))


def _power(permutation: Points, exponent: int) -> Points:
    image = np.arange(len(permutation))
    for _ in range(exponent):
        image = image[permutation]
    return image


def _fixed(
    constraints: Constraints, lines: Points, digits: Points, workers: int, timeout: float | None
) -> int | None:
    """How many grids a symmetry fixes; None if the time is too short for that."""
    if timeout == 0:
        return None
    cells = cells_of(lines)
    if (cells == np.arange(len(cells))).all():
        way = Way(estimated=False)
        found = count_exact(None, constraints, way=way, workers=workers, timeout=timeout)
    else:
        found = count_layer(
            Layer(np.zeros((1, len(cells)), np.uint8), [1]),
            _fixed_by(constraints, cells, digits),
            Way(_forms(centralizer(constraints, lines, digits)), estimated=False),
            workers=workers,
            timeout=timeout,
        )
    return found.grids if found.exact else None


def _forms(symmetries: Group) -> Forms:
    """Forms under a group; those of many puzzles only rename digits, as it would take longer to try
    all moves than to count more grids."""
    forms = forms_under(symmetries)
    renamed = forms_under(replace(symmetries, lines=trivial(symmetries.lines.points)))
    images = symmetries.geometric_order * len(symmetries.digit_representatives)
    return lambda puzzles: (forms if len(puzzles) * images <= MOST_IMAGES else renamed)(puzzles)


def _fixed_by(constraints: Constraints, cells: Points, digits: Points) -> Constraints:
    """The rules, and that a symmetry changes nothing: the first cell of a cycle tells the rest."""
    n, seen, relations = constraints.board.size, set(), []
    for first in range(len(cells)):
        at, renaming = first, np.arange(n)
        while at not in seen:
            seen.add(at)
            at, renaming = int(cells[at]), renaming[digits]
            relations.append(Relation(first, at, _renamed(tuple(renaming.tolist()))))
    name = f"fixed by {cells.tolist()} {digits.tolist()}"
    family = Family(name, (), said=Said(tabled(relations, constraints.board)), at=range(len(cells)))
    return Constraints(
        constraints.board, (*constraints.rules, family.name), (*constraints.families, family)
    )


@cache
def _renamed(digits: tuple[int, ...]) -> Callable[[int, int], bool]:
    """The first digit is what becomes of the second."""
    return lambda x, y: x - 1 == digits[y - 1]
