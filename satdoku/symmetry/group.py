"""The symmetry group of a rule set: its order, its elements, what it does to puzzles.

Invariant: the group is the product of a geometric part and a digit part, each computed by itself
from the constraints. The geometric part consists of all permutations of rows and of columns, with
or without an exchange of both, that preserve groups and pairs; on a board that is no whole grid, or
a rectangle with too many of them to list, of the turns and reflections of the plane that map it to
itself and preserve them. The digit part
consists of all renamings that preserve them; beside layers, of exchanges of digits in the grids,
which leave the values of layers. (A move and a renaming that preserve the rules only together are
not searched for; a test shows that on 4x4 no rule has any.)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..model.board import Board
from ..model.constraints import MOST_RULE_SETS, Constraints
from ..runtime.errors import SatdokuError
from ..runtime.lazy import cached_property
from .structure import Chain, Structure, cells_of, trivial

Puzzles = NDArray[np.uint8]

MAX_LISTED = 20_000  # cell permutations, and digit permutations, that are listed at most


class SymmetryError(SatdokuError):
    """Puzzles of a wrong shape, or a group that is too large for the task."""


class Element(NamedTuple):
    """One symmetry: cell i of the image is cell cells[i] of the puzzle, digit d becomes digits[d].

    cells (cells,) intp; digits (size + 1,) uint8 with digits[0] == 0.
    """

    cells: NDArray[np.intp]
    digits: NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Group:
    """The symmetries of a rule set on a board. Get it from `group`, which caches.

    lines: permutations of the lines of a grid, see `structure`; renamings: permutations of digits
    0..n-1, by position; classes: the digits 0..n-1 in classes within which renaming is free; turns:
    of a board that is no whole grid, the cell permutations in place of those of lines.
    """

    board: Board
    lines: Chain
    renamings: Chain
    classes: tuple[tuple[int, ...], ...]
    turns: NDArray[np.uint16] | None = None

    @property
    def geometric_order(self) -> int:
        """Number of cell permutations."""
        return self.lines.order if self.turns is None else len(self.turns)

    @property
    def digit_order(self) -> int:
        """Number of digit permutations."""
        return self.renamings.order

    @property
    def order(self) -> int:
        """Number of elements."""
        return self.geometric_order * self.digit_order

    @property
    def free_digits(self) -> bool:
        """Whether any renaming of digits is a symmetry."""
        return len(self.classes) == 1

    def random(self, rng: np.random.Generator) -> Element:
        """A uniformly random element."""
        digits = np.append(0, self.renamings.random(rng) + 1).astype(np.uint8)
        if self.turns is not None:
            return Element(rng.choice(self.turns).astype(np.intp), digits)
        return Element(self._cells_of(self.lines.random(rng)), digits)

    def _cells_of(self, lines: NDArray[np.intp]) -> NDArray[np.intp]:
        return cells_of(lines, self.board.height, self.board.width)

    def apply(self, element: Element, puzzles: Puzzles) -> Puzzles:
        """The images (N, cells) of puzzles (N, cells)."""
        return np.ascontiguousarray(element.digits[puzzles[:, element.cells]])

    @cached_property
    def whole_boxes(self) -> tuple[int, int] | None:
        """Rows and columns of a box, if the geometric part is all that bands, stacks, their lines
        and the transposition allow, or None for other groups. Without boxes, all lines are in one
        band and one stack."""
        size = self.board.width
        if self.turns is not None or not self.board.is_square or self.board.choices != size:
            return None
        if not self.board.has_boxes:
            return (size, size) if 2 * factorial(size) ** 2 == self.geometric_order else None
        for height in range(2, size):
            width, rest = divmod(size, height)
            if rest or set(Board(size, height, width).boxes) != set(self.board.boxes):
                continue
            bands = factorial(width) * factorial(height) ** width
            stacks = factorial(height) * factorial(width) ** height
            whole = bands * stacks * (1 + (height == width))
            return (height, width) if whole == self.geometric_order else None
        return None

    @cached_property
    def cell_permutations(self) -> NDArray[np.uint16]:
        """The whole geometric part, (order, cells); raises `SymmetryError` if it is too large."""
        if self.turns is not None:
            return self.turns
        if self.geometric_order > MAX_LISTED:
            found = f"a geometric group of order {self.geometric_order:,}"
            raise SymmetryError(f"{found} that is not the whole of a board's: too large to list")
        # Indexing sometimes leaves the cells outermost in memory, and `astype` would keep that.
        return np.ascontiguousarray(self._cells_of(self.lines.elements()), np.uint16)

    @cached_property
    def digit_representatives(self) -> Puzzles:
        """Renamings (M, size + 1) that, with the free ones within classes, make up the digit part;
        raises `SymmetryError` if there are too many."""
        size = self.board.choices
        class_of = np.empty(size, np.uint8)
        for index, members in enumerate(self.classes):
            class_of[list(members)] = index
        free = np.prod([factorial(len(members)) for members in self.classes], dtype=object)
        if free == self.digit_order:
            kept = np.arange(size)[None]
        elif self.digit_order > MAX_LISTED:
            raise SymmetryError(f"a digit group of order {self.digit_order:,}: too large to list")
        else:
            renamings = self.renamings.elements()
            kept = renamings[np.unique(class_of[renamings], axis=0, return_index=True)[1]]
        return np.ascontiguousarray(np.pad(kept + 1, ((0, 0), (1, 0))), np.uint8)

    def __str__(self) -> str:
        cells = f"{self.geometric_order:,} cell permutations ({self._geometry()})"
        return f"{cells} x {self.digit_order:,} digit permutations ({self._digits()})"

    def _geometry(self) -> str:
        if self.whole_boxes and not self.board.has_boxes:
            return "rows, columns, transposition"
        if self.whole_boxes:
            turn = ", transposition" if len(set(self.whole_boxes)) == 1 else ""
            return f"bands, stacks, rows in bands, columns in stacks{turn}"
        if self.turns is not None:
            kept = len(self.turns)
            return f"{kept} of the 8 turns and reflections" if kept > 1 else "the identity"
        if self.geometric_order > MAX_LISTED:
            return "some of the permutations of rows and columns"
        if not self.board.is_square:
            return "of rows and of columns"
        square = square_symmetries(self.board.width)
        listed = set(map(bytes, self.cell_permutations))
        kept = sum(bytes(cells) in listed for cells in square.astype(np.uint16))
        of_square = f"{kept} of the 8 symmetries of the square" if kept < 8 else "the square's"
        return of_square if kept == self.geometric_order else f"{of_square}, and more"

    def _digits(self) -> str:
        if self.free_digits:
            return "all"
        size, names = self.board.choices, self.board.digits
        free = [members for members in self.classes if len(members) > 1]
        parts = ["free among " + ",".join(str(names[d]) for d in members) for members in free]
        reversal = bytes(range(size, 0, -1))
        if not free and any(bytes(r[1:]) == reversal for r in self.digit_representatives):
            parts.append(f"reversal d -> {names[0] + names[-1]}-d")
        return "; ".join(parts) or "identity"


def plane_symmetries(board: Board) -> NDArray[np.intp]:
    """The turns and reflections of the plane that map the places of a board to themselves, as
    permutations of cells (K, cells) as in `Element`; layers with a variable in each cell follow."""
    places, (rows, columns) = board.places, board.extent
    found = []
    for turned, down, right in product((False, True), repeat=3):
        if turned and rows != columns:
            continue
        images = ((c, r) if turned else (r, c) for r, c in places)
        moved = [(rows - 1 - r if down else r, columns - 1 - c if right else c) for r, c in images]
        if all(place in board.cell_at for place in moved):
            cells = [board.cell_at[place] for place in moved]
            for layer in board.layers:
                first = board.first_of[layer.name]
                count = len(places)
                own = range(layer.free) if layer.free else cells[:count]
                cells += [first + cell for cell in own]
            found.append(cells)
    return np.array(found, np.intp)


def square_symmetries(size: int) -> NDArray[np.intp]:
    """The rotations and reflections of a size x size square, (8, cells) as in `Element`."""
    square = np.arange(size * size).reshape(size, size)
    turned = [np.rot90(side, k) for side in (square, square.T) for k in range(4)]
    return np.array([side.ravel() for side in turned])


@lru_cache(MOST_RULE_SETS)
def group(constraints: Constraints, *, digits: bool = True) -> Group:
    """The symmetry group of a rule set on its board; with `digits` false its geometric part alone.

    Classic 9x9: 3,359,232 cell permutations x 9! digit permutations. On 25x25 this takes seconds.
    """
    board = constraints.board
    count = board.choices
    classes: tuple[tuple[int, ...], ...] = tuple((d,) for d in range(count))
    if not digits:
        renamings = trivial(count)
    elif board.layers:
        structure = Structure(constraints)
        renamings = structure.renamings_of_grids()
        classes = tuple(map(tuple, structure.interchangeable_digits()))
    else:
        renamings, classes = digit_group(constraints)
    if board.is_rectangle and not board.layers:
        lines = _lines(constraints)
        is_full = board.is_square and count == board.width
        if is_full or lines.order <= MAX_LISTED:
            return Group(board, lines, renamings, classes)
    return Group(board, trivial(board.cells), renamings, classes, _turns(constraints))


@lru_cache(MOST_RULE_SETS)
def _turns(constraints: Constraints) -> NDArray[np.uint16]:
    """The symmetries of the plane that preserve board and rules."""
    structure, digits = Structure(constraints), np.arange(constraints.board.choices)
    found = plane_symmetries(constraints.board)
    kept = [structure.preserved_by(cells, digits) for cells in found]
    return np.ascontiguousarray(found[kept], np.uint16)


@lru_cache(MOST_RULE_SETS)
def digit_group(constraints: Constraints) -> tuple[Chain, tuple[tuple[int, ...], ...]]:
    """The digit part of the group, of any board, and the classes of digits 0..n-1, by position,
    within which renaming is free."""
    structure = Structure(constraints)
    return structure.digit_symmetries(), tuple(map(tuple, structure.interchangeable_digits()))


@lru_cache(MOST_RULE_SETS)
def _lines(constraints: Constraints) -> Chain:
    return Structure(constraints).line_symmetries()
