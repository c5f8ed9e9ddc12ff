"""Symmetry: the group of a rule set, canonical forms, orbits, automorphisms.

Invariant: two puzzles have the same canonical form if and only if a symmetry of the rules maps one
to the other. Nothing is solved, so puzzles with no solution or many have forms too. The group is
computed from the constraints. There are two ways to a form: under the whole group of a board, with
boxes or without, by refinement and search (`search`), and under any group of some thousands of cell
permutations as the least image (`listed`). Each exists twice, in C and in numpy, and both
give the same forms. The C code checks every array that it gets; a wrong one raises `TypeError`,
`ValueError` or `BufferError`.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import factorial, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..files.cells import PuzzlesLike, checked_cells
from ..model.board import MAX_SIZE, Board
from ..model.constraints import Constraints, RulesLike
from ..runtime.errors import counted
from . import listed, search
from .group import Element, Group, SymmetryError, group
from .listed import Layout, Listing
from .structure import cells_of

try:
    from . import _canonical
except ImportError:  # built without a compiler: the numpy reference serves
    AVAILABLE = False
else:
    AVAILABLE = True

__all__ = [
    "Element", "Group", "Orbits", "SymmetryError", "automorphisms", "canonical", "group",
    "implementations", "orbits",
]  # fmt: skip

Puzzles = NDArray[np.uint8]
Forms = tuple[Puzzles, NDArray[Any]]

PUZZLES_PER_TASK = 8192  # of a thread


class Orbits(NamedTuple):
    """Grids in classes under a group.

    representatives (K,) intp: index of the first grid of each class, ascending; classes (N,) intp:
    the class of each grid; sizes (K,) intp: how many of the grids each class has.
    """

    representatives: NDArray[np.intp]
    classes: NDArray[np.intp]
    sizes: NDArray[np.intp]

    def __repr__(self) -> str:
        return f"<Orbits: {counted(len(self.classes), 'grid')} in {len(self.sizes):,} classes>"


def implementations() -> tuple[str, ...]:
    """What can run here, best first: `c` if there was a compiler, then `numpy`."""
    return ("c", "numpy") if AVAILABLE else ("numpy",)


def canonical(
    puzzles: PuzzlesLike,
    rules: RulesLike = "classic",
    *,
    digits: bool = True,
    workers: int = 1,
) -> Puzzles:
    """The canonical form (N, cells) uint8 of each puzzle, 0 for empty; `as_cells` reads them.

    Two puzzles have the same form if and only if they are equivalent under the group of the rules,
    which moves cells and renames digits; with `digits` false it only moves cells. A form is itself
    a puzzle of the class, the same on every machine. For the whole group of a board it is the form
    that `search` defines, not the least image that others call min-lex; for other groups it is the
    least image. workers: how many threads share the work. Raises `SymmetryError` if the group is
    neither whole nor small, and `RowsError`, which names the rows, for values that are not puzzles.
    """
    return forms_of(*_checked(puzzles, rules), digits=digits, workers=workers)


def forms_of(
    bytes_: Puzzles,
    constraints: Constraints,
    *,
    digits: bool = True,
    implementation: str | None = None,
    workers: int = 1,
) -> Puzzles:
    """`canonical` of puzzles (N, cells) that hold positions of digits, on any board."""
    form = _method(group(constraints, digits=digits), implementation)
    parts = [bytes_]
    if workers > 1:
        tasks = max(1, min(-(-len(bytes_) // PUZZLES_PER_TASK), 8 * workers))
        parts = np.array_split(bytes_, tasks)
    if len(parts) == 1:
        return form(bytes_)[0]
    with ThreadPoolExecutor(workers) as pool:
        return np.concatenate([forms for forms, _ in pool.map(form, parts)])


def forms_under(symmetries: Group) -> Callable[[Puzzles], Puzzles]:
    """Canonical forms under a group that need not be that of any rules, as a function of puzzles
    (N, cells); raises `SymmetryError` as `canonical` does."""
    method = _method(symmetries, None)
    return lambda puzzles: method(puzzles)[0]


def images(puzzles: Puzzles, lines: Puzzles, digits: Puzzles, board: Board) -> Puzzles:
    """The images (N, cells) of puzzles (N, cells), each by its permutation of lines (N, 2n), as in
    `Group.lines`, and what each digit becomes (N, size + 1)."""
    if not AVAILABLE:
        cells = cells_of(lines.astype(np.intp), board.height, board.width)
        return images_by_cells(puzzles, cells, digits)
    made = np.empty_like(puzzles)
    _canonical.images((board.height, board.width, board.choices), puzzles, lines, digits, made)
    return made


def images_by_cells(puzzles: Puzzles, cells: NDArray[np.intp], digits: Puzzles) -> Puzzles:
    """The same by the cells (N, cells) whose digits the cells of the images get."""
    found = np.take_along_axis(puzzles, cells, 1)
    return np.take_along_axis(digits, found.astype(np.intp), 1)


def orbits(grids: PuzzlesLike, rules: RulesLike = "classic", *, digits: bool = True) -> Orbits:
    """The classes of N grids or puzzles under the group; arguments as for `canonical`."""
    forms = canonical(grids, rules, digits=digits)
    keys = np.ascontiguousarray(forms).view(f"V{forms.shape[1]}").ravel()
    _, first, classes, sizes = np.unique(
        keys, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return Orbits(first[order], rank[classes.ravel()], sizes[order])


def automorphisms(
    puzzles: PuzzlesLike, rules: RulesLike = "classic", *, digits: bool = True
) -> list[int]:
    """How many elements of the group map each puzzle to itself; arguments as for `canonical`.

    The order of the group divided by this is the number of puzzles in the puzzle's class.
    """
    return automorphisms_by(None, puzzles, rules, digits=digits)


def automorphisms_by(
    implementation: str | None,
    puzzles: PuzzlesLike,
    rules: RulesLike,
    *,
    digits: bool = True,
) -> list[int]:
    """`automorphisms` by one of `implementations`, the best one if it is None."""
    bytes_, constraints = _checked(puzzles, rules)
    return automorphisms_of(bytes_, group(constraints, digits=digits), implementation)


def automorphisms_of(
    bytes_: Puzzles, symmetries: Group, implementation: str | None = None
) -> list[int]:
    """`automorphisms` of puzzles (N, cells) that hold positions of digits, under a group."""
    _, factors = _method(symmetries, implementation)(bytes_)
    return [
        prod(np.atleast_1d(row).tolist()) * _idle(symmetries, puzzle)
        for row, puzzle in zip(factors, bytes_, strict=True)
    ]


def _idle(symmetries: Group, puzzle: Puzzles) -> int:
    """How many renamings change only digits that the puzzle does not contain."""
    held = set(puzzle.tolist())
    return prod(factorial(sum(d + 1 not in held for d in c)) for c in symmetries.classes)


def _checked(puzzles: PuzzlesLike, rules: RulesLike) -> tuple[Puzzles, Constraints]:
    cells, constraints = checked_cells(puzzles, rules)
    if cells.dtype == np.bool_:
        raise SymmetryError("pencil marks have no canonical form: expected (N, cells) digits")
    size = constraints.board.choices
    if cells.size and cells.max() > size:
        row = int(np.argmax(cells.max(axis=1) > size))
        raise SymmetryError(f"row {row}: digit {cells[row].max()}: expected 0 to {size}")
    return cells, constraints


def _method(symmetries: Group, implementation: str | None) -> Callable[[Puzzles], Forms]:
    """The canonical form under a group, as a function of puzzles."""
    name = implementation or implementations()[0]
    if name not in implementations():
        raise SymmetryError(f"no '{name}' here: there are {', '.join(implementations())}")
    board, free = symmetries.board, symmetries.free_digits
    size = board.choices
    if symmetries.whole_boxes and (free or symmetries.digit_order == 1):
        height, width = symmetries.whole_boxes
        layout = Layout(size, height, width, height == width, free)
        lines_ = _lines_in_c if name == "c" else search.by_lines
        return lambda puzzles: lines_(layout, puzzles)
    classes = tuple(tuple(d + 1 for d in members) for members in symmetries.classes)
    listing = Listing(size, symmetries.cell_permutations, symmetries.digit_representatives, classes)
    in_c = name == "c" and board.cells <= MAX_SIZE**2
    listed_ = _list_in_c if in_c else listed.by_list
    return lambda puzzles: listed_(listing, puzzles)


def _lines_in_c(layout: Layout, puzzles: Puzzles) -> tuple[Puzzles, Puzzles]:
    """As `search.by_lines`."""
    forms = np.empty_like(puzzles)
    orbits = np.empty((len(puzzles), 2 * layout.size + 1), np.uint8)
    _canonical.by_lines(layout, puzzles, forms, orbits)
    return forms, orbits


def _list_in_c(listing: Listing, puzzles: Puzzles) -> tuple[Puzzles, NDArray[np.uint32]]:
    """As `listed.by_list`."""
    forms = np.empty_like(puzzles)
    fixing = np.empty(len(puzzles), np.uint32)
    class_of = np.zeros(listing.size + 1, np.uint8)
    for index, digits in enumerate(listing.classes):
        class_of[list(digits)] = index
    cells = puzzles.shape[1]
    listed = _canonical.listing(listing.size, listing.sources, listing.renamings, class_of, cells)
    _canonical.by_list(listed, puzzles, forms, fixing)
    return forms, fixing
