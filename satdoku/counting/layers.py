"""Breadth first: all puzzles that follow from one by filling a cell, equivalent ones only once.

Invariant: a layer stands for the same number of grids as the one before: the grids already counted,
and for each puzzle its weight times its grids. The children of a puzzle are all ways to fill one of
its cells, so they share out its grids. Puzzles that are equal up to a symmetry of the rules have
equally many.

This breaks symmetry without any special case: the nine ways to begin an empty grid become one of
weight nine, and with free digits the first row becomes one puzzle of weight 9!. Source: isomorph
rejection by canonical forms, B. D. McKay, Isomorph-free exhaustive generation, Journal of
Algorithms 26 (1998).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import engine
from ..model.constraints import Constraints
from ..symmetry import SymmetryError, forms_of, group
from ..symmetry.group import digit_group
from ..symmetry.listed import Listing, by_list
from ..symmetry.structure import cells_of

Puzzles = NDArray[np.uint8]
Rows = NDArray[np.intp]
Forms = Callable[[Puzzles], Puzzles]  # equal for puzzles that have equally many grids

FEW_DIGITS = 2  # whose places are branched on first
CHUNK = 1 << 14  # puzzles whose candidates are held at a time, 729 bytes each on 9x9


class Layer(NamedTuple):
    """Puzzles that are still open, and the grids already counted.

    puzzles (N, cells) uint8; weights, N of them: how many puzzles each stands for, of any size;
    counted: grids already completed.
    """

    puzzles: Puzzles
    weights: list[int]
    counted: int = 0

    def rows(self, kept: Rows | slice) -> Layer:
        """Some of the puzzles, with no grids counted."""
        rows = np.arange(len(self.weights))[kept]
        return Layer(self.puzzles[rows], [self.weights[row] for row in rows.tolist()])


def first_groups(constraints: Constraints) -> tuple[Sequence[int], ...]:
    """Groups of candidates to branch on before all others, so that hardly any symmetry is lost.

    The places of a digit, if all pairs are about few digits: once these stand, only houses are
    left, which have far more symmetries. Else cells: all houses of a rule, or a band, whichever the
    symmetries of the rules carry to the fewest places.

    Empty under other pairs: they forbid so much that fewest candidates go first.
    """
    board = constraints.board
    if constraints.is_wide or not board.is_usual:
        return ()
    if constraints.pairs:
        digits = {candidate % board.size for pair in constraints.pairs for candidate in pair}
        if len(digits) > FEW_DIGITS or not constraints.groups:
            return ()
        places = [
            [board.size * cell + digit for cell in row]
            for digit in sorted(digits)
            for row in board.rows
        ]
        return tuple(places)
    return tuple(range(board.size * c, board.size * (c + 1)) for c in _first_cells(constraints))


def _first_cells(constraints: Constraints) -> tuple[int, ...]:
    board = constraints.board
    n, height = board.size, board.box_rows
    bands = [range(n * row, n * (row + height)) for row in range(0, n - height + 1, height)]
    of_rules = [
        sorted({candidate // n for group in family.groups for candidate in group})
        for family in constraints.families
        if family.name in constraints.names
    ]
    symmetries = np.concatenate(group(constraints, digits=False).lines.levels)
    small = [tuple(cells) for cells in (*of_rules, *bands) if len(cells) <= height * n]
    return min(small, key=lambda cells: (_places(cells, cells_of(symmetries)), len(cells)))


def _places(cells: tuple[int, ...], symmetries: Rows) -> int:
    """To how many sets of cells the symmetries carry this one."""
    reached, queue = {cells}, [cells]
    for at in queue:
        for image in map(tuple, np.sort(symmetries[:, at], 1).tolist()):
            if image not in reached:
                reached.add(image)
                queue.append(image)
    return len(reached)


def split(
    layer: Layer,
    constraints: Constraints,
    *,
    symmetry: bool | Forms = True,
    group: Sequence[int] | None = None,
) -> Layer:
    """The next layer: every puzzle propagated, then counted if that completes it, dropped if it
    conflicts, or else branched on a group of candidates (cell-major) of which exactly one holds,
    without it on the first of its cells with fewest candidates.

    With `symmetry` no two puzzles of it are equal up to a symmetry of the rules, or have the same
    form if it is a function that makes forms.
    """
    counted, puzzles, weights = layer.counted, [layer.puzzles[:0]], []
    for start in range(0, len(layer.puzzles), CHUNK):
        part = layer.rows(slice(start, start + CHUNK))
        children, parents, complete = _children(part.puzzles, constraints, group)
        counted += sum(part.weights[row] for row in complete.tolist())
        puzzles.append(children)
        weights.append([part.weights[row] for row in parents.tolist()])
    everything = Layer(np.concatenate(puzzles), list(chain.from_iterable(weights)), counted)
    if not symmetry:
        return everything
    forms = symmetry if callable(symmetry) else partial(_forms, constraints)
    return _merged(everything, forms)


def _children(
    puzzles: Puzzles, constraints: Constraints, group: Sequence[int] | None
) -> tuple[Puzzles, Rows, Rows]:
    """Children (M, cells), the row of each one's parent (M,), and the rows that were completed."""
    cells, size = constraints.board.cells, constraints.board.choices
    marks, conflict = engine.propagate(puzzles, constraints)
    alive = np.flatnonzero(~conflict)
    left = marks[alive].reshape(len(alive), cells, size)
    choices = left.sum(2, dtype=np.uint8)
    fixed = choices == 1
    settled = np.where(fixed, left.argmax(2) + 1, 0).astype(np.uint8)
    done = fixed.all(1)
    if group is None:
        at = np.where(fixed, size + 1, choices).argmin(1)
        among = size * at[:, None] + np.arange(size)
    else:
        among = np.broadcast_to(np.asarray(group), (len(alive), len(group)))
    open_ = np.take_along_axis(left.reshape(len(alive), constraints.variables), among, 1)
    row, place = np.nonzero(open_ & ~done[:, None])
    cell, digit = np.divmod(among[row, place], size)
    children = settled[row]
    children[np.arange(len(row)), cell] = digit + 1
    return children, alive[row], alive[done]


def _merged(layer: Layer, forms: Forms) -> Layer:
    """The first puzzle of each class, with the weights of all."""
    found = forms(layer.puzzles)
    keys = np.ascontiguousarray(found).view(f"V{found.shape[1]}").ravel()
    _, first, classes = np.unique(keys, return_index=True, return_inverse=True)
    weights = [0] * len(first)
    for class_, weight in zip(classes.ravel().tolist(), layer.weights, strict=True):
        weights[class_] += weight
    return Layer(layer.puzzles[first], weights, layer.counted)


def _forms(constraints: Constraints, puzzles: Puzzles) -> Puzzles:
    """Equal for equivalent puzzles; if the group is too large for that, for renamed ones only."""
    try:
        return forms_of(puzzles, constraints)
    except SymmetryError:
        size = constraints.board.choices
        digits = np.arange(size + 1, dtype=np.uint8)[None]
        cells = np.arange(constraints.board.cells, dtype=np.uint16)[None]
        classes = tuple(tuple(d + 1 for d in some) for some in digit_group(constraints)[1])
        return by_list(Listing(size, cells, digits, classes), puzzles)[0]
