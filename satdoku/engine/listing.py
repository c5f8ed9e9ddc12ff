"""All solutions of a puzzle, block by block, in ascending order of their cells.

Invariant: the order is that of the digits read row by row, whatever runs here, and memory does not
grow with the number of solutions.

A cube is the puzzle with more cells filled. Cubes lie on a stack, the first one on top. A cube is
split on its first open cell, digit by digit, so what lies on the stack is in order, and no two
cubes share a solution. The engine takes many small cubes at a time, finds the solutions of each in
any order and sorts them. A cube that has more than there is room for is split further, and so is
one that takes too many nodes, unless the caller has another way to list it. No clause blocks what
was found, so the millionth solution costs what the first one does.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..model.constraints import Constraints
from ..runtime.errors import Status
from . import kernel
from .api import Bytes, as_bytes, propagate
from .plan import plan_of_all
from .targets import NUMPY, EngineError, checked, widest

ROOM = 256  # solutions of a cube that are listed at once
RUN_BYTES = 1 << 24  # for the solutions of all cubes that are listed together
FIRST_RUN = 16  # cubes that are listed together, where it is open how many solutions they have
DEEPER = 8  # cells that are filled in a cube before the engine gets it
NODES, FEW_NODES = 20_000, 500  # that a cube may take; the fewest, where most take too many
PATIENCE = 0.2  # seconds of a search, which no signal interrupts

Grids = NDArray[np.uint8]
Hard = Callable[[NDArray[Any]], Grids | None]


class Cubes(NamedTuple):
    """Cubes in order, propagated.

    grids (N, cells) uint8 digits or (N, variables) bool marks; still (N,): their open cells; at
    (N,): the first of these; choices (N, size) bool: its digits. A full grid has no open cell.
    """

    grids: NDArray[Any]
    still: NDArray[np.intp]
    at: NDArray[np.intp]
    choices: NDArray[np.bool_]

    def rows(self, kept: Any) -> Cubes:
        """Some of them."""
        return Cubes(*(column[kept] for column in self))


class _Hard(NamedTuple):
    """A cube that takes the engine too many nodes."""

    cube: Cubes


def enumerate_grids(
    puzzle: NDArray[Any],
    constraints: Constraints,
    *,
    after: Grids | None = None,
    hard: Hard | None = None,
    poll: Callable[[], object] | None = None,
    implementation: str | None = None,
) -> Iterator[Grids]:
    """All solutions of a puzzle in ascending order, in blocks (k, cells) uint8; not verified.

    puzzle: (cells,) uint8 digits, 0 for empty, or (variables,) bool pencil marks. after: a full
    grid; only what is behind it is listed, so a listing can go on where another ended. hard: gets a
    cube, in the form of the puzzle, that takes the engine too many nodes; returns its solutions (k,
    cells) in ascending order, or None if there are more than `ROOM`. Without it such a cube is
    split. poll: is called before each search, most often for some 0.1 s, and may raise to end it
    all. Raises `EngineError` for wrong arguments.
    """
    name = checked(implementation or widest())
    first = np.asarray(puzzle)[None]
    digits = as_bytes(first, constraints)
    if first.dtype == np.uint8 and (digits > constraints.board.choices).any():
        raise EngineError("a digit is too large")
    if after is not None:
        first = _behind(first[0], np.asarray(after, np.uint8), constraints)
    return _Listing(constraints, name, hard).blocks(first, poll or (lambda: None))


def _behind(puzzle: NDArray[Any], last: Grids, constraints: Constraints) -> NDArray[Any]:
    """Cubes (N, width), in order, whose solutions are those of the puzzle behind a full grid: as it
    is up to a cell, and with a larger digit there."""
    cells, size = constraints.board.cells, constraints.board.choices
    if last.shape != (cells,) or not ((last > 0) & (last <= size)).all():
        raise EngineError(f"after: expected {cells} digits from 1 to {size}")
    at = np.repeat(np.arange(cells)[::-1], size)
    digit = np.tile(np.arange(1, size + 1, dtype=np.uint8), cells)
    larger = digit > last[at]
    at, digit = at[larger], digit[larger]
    begun = np.where(np.arange(cells) < at[:, None], last, np.uint8(0))
    begun[np.arange(len(at)), at] = digit
    if puzzle.dtype == np.bool_:
        stated = begun[:, :, None] == np.arange(1, size + 1)
        stated |= (begun == 0)[:, :, None]
        kept: NDArray[np.bool_] = stated.reshape(len(at), constraints.variables) & puzzle
        return kept
    fits = ((begun == 0) | (puzzle == 0) | (begun == puzzle)).all(1)
    return np.where(begun[fits] == 0, puzzle, begun[fits])


class _Listing:
    """One listing under way: what is still to be listed, and how large a cube may be."""

    def __init__(self, constraints: Constraints, name: str, hard: Hard | None) -> None:
        self.constraints, self.name, self.hard = constraints, name, hard
        self.plan = plan_of_all(constraints)
        self.stack: list[Cubes | _Hard | Grids] = []  # solutions wait for those before them
        self.most_run = max(1, RUN_BYTES // (ROOM * self.plan.cells))
        self.run = min(FIRST_RUN, self.most_run)
        self.nodes = NODES
        self.largest = self.too_large = self.plan.cells  # open cells of a cube
        self.step = 1

    def blocks(self, first: NDArray[Any], poll: Callable[[], object]) -> Iterator[Grids]:
        """The solutions of these cubes."""
        self.stack.append(self._propagated(first)[0])
        while self.stack:
            top = self.stack.pop()
            if isinstance(top, Cubes | _Hard):
                poll()
            if isinstance(top, _Hard):
                self._ask(top.cube)
            elif not isinstance(top, Cubes):
                yield top
            elif len((small := self._small(top)).still):
                self._list(small)

    def _propagated(self, grids: NDArray[Any]) -> tuple[Cubes, NDArray[np.intp]]:
        """The cubes in which unit propagation finds no conflict, and their numbers."""
        board = self.constraints.board
        marks, conflict = propagate(grids, self.constraints, implementation=self.name)
        kept = np.flatnonzero(~conflict)
        left = marks[kept].reshape(-1, board.cells, board.choices)
        fixed = left.sum(2, dtype=np.uint8) == 1
        at = fixed.argmin(1)
        digits = grids.dtype == np.uint8
        grids = (left.argmax(2) + 1) * fixed if digits else left.reshape(len(kept), board.variables)
        still = board.cells - fixed.sum(1)
        choices = left[np.arange(len(kept)), at]
        return Cubes(grids.astype(np.uint8) if digits else grids, still, at, choices), kept

    def _small(self, cubes: Cubes) -> Cubes:
        """The first of the cubes, split until none is too large; the others go back.

        Not for ever: the engine finds out far sooner that there is no solution.
        """
        for _ in range(DEEPER):
            if len(cubes.still) > self.run:
                self.stack.append(cubes.rows(slice(self.run, None)))
                cubes = cubes.rows(slice(self.run))
            large = cubes.still > self.largest
            if not large.any():
                break
            cubes = self._split(cubes, large)
        return cubes

    def _split(self, cubes: Cubes, these: NDArray[np.bool_]) -> Cubes:
        """All ways to fill the first open cell take the place of each of these cubes."""
        parents = np.flatnonzero(these)
        which, digit = np.nonzero(cubes.choices[parents])
        parents = parents[which]
        grids, child, at = cubes.grids[parents], np.arange(len(parents)), cubes.at[parents]
        if grids.dtype == np.uint8:
            grids[child, at] = digit + 1
        else:
            marks = grids.reshape(len(grids), self.plan.cells, self.plan.digits)
            marks[child, at] = False
            marks[child, at, digit] = True
        children, kept = self._propagated(grids)
        others = np.flatnonzero(~these)
        order = np.argsort(np.concatenate((others, parents[kept])), kind="stable")
        columns = zip(cubes.rows(others), children, strict=True)
        return Cubes(*(np.concatenate(column)[order] for column in columns))

    def _list(self, cubes: Cubes) -> None:
        """Put the solutions of the cubes on the stack, with cubes that are not listed between."""
        start = time.monotonic()
        status, counts, solutions = self._search(cubes.grids)
        self._adapt(cubes, status, counts, time.monotonic() - start)
        there = np.arange(ROOM) < counts[:, None]
        left = np.flatnonzero(status != Status.NONE)
        pieces: list[Cubes | _Hard | Grids] = []
        for first, row in zip([0, *(left + 1)], [*left, len(status)], strict=True):
            pieces.append(solutions[first:row][there[first:row]])
            if row < len(status):
                pieces.append(self._unlisted(cubes.rows([row]), status[row]))
        self.stack += (piece for piece in reversed(pieces) if len(piece))

    def _search(self, grids: NDArray[Any]) -> tuple[Grids, NDArray[np.uint64], Grids]:
        bytes_ = as_bytes(grids, self.constraints)
        if self.name == NUMPY:
            from . import reference

            return reference.listed(self.plan, bytes_, ROOM, self.nodes)
        return kernel.listed(self.plan, bytes_, ROOM, self.nodes, self.name)

    def _unlisted(self, cube: Cubes, status: int) -> Cubes | _Hard:
        if status == Status.UNKNOWN and self.hard:
            return _Hard(cube)
        return self._split(cube, np.ones(1, np.bool_))

    def _ask(self, cube: Cubes) -> None:
        """Let the caller list a cube."""
        assert self.hard is not None
        found = self.hard(cube.grids[0])
        if found is None:
            self._shrink(cube)
            self.stack.append(self._split(cube, np.ones(1, np.bool_)))
        elif len(found):
            self.stack.append(found)

    def _adapt(
        self, cubes: Cubes, status: Bytes, counts: NDArray[np.uint64], seconds: float
    ) -> None:
        """Choose how large the next cubes are, how many are listed together, and their nodes."""
        unknown = status == Status.UNKNOWN
        large = status == Status.MULTIPLE
        if self.hard is None:
            large |= unknown
        if 8 * large.sum() > len(status):
            self._shrink(cubes.rows(large))
        else:
            self.step, self.run = 1, min(2 * self.run, self.most_run)
            if counts.mean() < ROOM // 8:
                self.largest += max(1, (self.too_large - self.largest) // 2)
        if seconds > PATIENCE:
            self.run = max(1, self.run // 4)
        hard = 2 * unknown.sum() > len(status)
        self.nodes = max(self.nodes // 2, FEW_NODES) if hard else min(2 * self.nodes, NODES)

    def _shrink(self, cubes: Cubes) -> None:
        """Such cubes are too large; if the next ones are, too, go further."""
        self.too_large = int(np.median(cubes.still))
        self.largest = max(0, min(self.largest, self.too_large) - self.step)
        self.step *= 2
        self.run = min(FIRST_RUN, self.most_run)
