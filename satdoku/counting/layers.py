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

from collections.abc import Callable
from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import engine
from ..model.constraints import Constraints
from ..symmetry import SymmetryError, canonical, group
from ..symmetry.layout import Listing
from ..symmetry.listed import by_list
from ..symmetry.structure import cells_of

Puzzles = NDArray[np.uint8]
Rows = NDArray[np.intp]
Forms = Callable[[Puzzles], Puzzles]  # equal for puzzles that have equally many grids

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


def first_cells(constraints: Constraints) -> tuple[int, ...]:
    """Cells to fill before all others: all houses of a rule, or a band, whichever the symmetries of
    the rules carry to the fewest places. Then hardly any symmetry is lost.

    Empty unless rows, columns and the like are all that the rules say: pairs forbid so much that
    fewest candidates go first.
    """
    if constraints.pairs or constraints.is_wide:
        return ()
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
    cell: int | None = None,
) -> Layer:
    """The next layer: every puzzle propagated, then counted if that completes it, dropped if it
    conflicts, or else branched on `cell`, or on the first of its cells with fewest candidates.

    With `symmetry` no two puzzles of it are equal up to a symmetry of the rules, or have the same
    form if it is a function that makes forms.
    """
    counted, puzzles, weights = layer.counted, [layer.puzzles[:0]], []
    for start in range(0, len(layer.puzzles), CHUNK):
        part = layer.rows(slice(start, start + CHUNK))
        children, parents, complete = _children(part.puzzles, constraints, cell)
        counted += sum(part.weights[row] for row in complete.tolist())
        puzzles.append(children)
        weights.append([part.weights[row] for row in parents.tolist()])
    everything = Layer(np.concatenate(puzzles), list(chain.from_iterable(weights)), counted)
    if not symmetry:
        return everything
    forms = symmetry if callable(symmetry) else partial(_forms, constraints)
    return _merged(everything, forms)


def _children(
    puzzles: Puzzles, constraints: Constraints, cell: int | None
) -> tuple[Puzzles, Rows, Rows]:
    """Children (M, cells), the row of each one's parent (M,), and the rows that were completed."""
    cells, size = constraints.board.cells, constraints.board.size
    marks, conflict = engine.propagate(puzzles, constraints)
    alive = np.flatnonzero(~conflict)
    left = marks[alive].reshape(len(alive), cells, size)
    choices = left.sum(2, dtype=np.uint8)
    fixed = choices == 1
    settled = np.where(fixed, left.argmax(2) + 1, 0).astype(np.uint8)
    done = fixed.all(1)
    at = np.where(fixed, size + 1, choices).argmin(1)
    if cell is not None:
        at[:] = cell
    row, digit = np.nonzero(left[np.arange(len(alive)), at] & ~done[:, None])
    children = settled[row]
    children[np.arange(len(row)), at[row]] = digit + 1
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
        return canonical(puzzles, constraints)
    except SymmetryError:
        digits = np.arange(constraints.board.size + 1, dtype=np.uint8)[None]
        cells = np.arange(constraints.board.cells, dtype=np.uint16)[None]
        classes = tuple(tuple(d + 1 for d in members) for members in group(constraints).classes)
        return by_list(Listing(constraints.board.size, cells, digits, classes), puzzles)[0]
