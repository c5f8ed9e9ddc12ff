"""Exact numbers of grids, too many to list: by bands, or by symmetry, cubes and search.

Invariant: a count is exact or says that it is a bound. Every grid under the rules completes exactly
one puzzle of a layer (`layers`), so the sum over any part of a layer is a lower bound, and the sum
over all of it is the number.

All grids of a board under classic rules are counted by bands (`bands`), other grids as follows.
Layers are built, breadth first and up to symmetry, until there are enough puzzles to share out.
These cubes are counted by plain search in C if there was a compiler, and by further layers if not.
A cube that takes too long is split again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from threading import Event
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..batch.workers import Workers, map_in_order
from ..errors import SatdokuError
from ..model.board import Board
from ..model.clue import ClueError
from ..model.constraints import Constraints, constraints_for, tells_board
from ..model.grid import Grid, empty_grid
from ..model.puzzle import as_puzzle
from ..progress import Progress, reporting
from . import bands, native
from .layers import Layer, split

CUBES = 4000  # puzzles of a layer that is shared out
CUBES_PER_TASK = 16
NODES = 100_000  # of search until a cube is split again: half a second or less
PIECE = 4096  # puzzles that layers without the C code go on with at a time
SEED = 20  # of the order in which cubes are counted


class CountError(SatdokuError):
    """An unknown way of counting."""


class Count(NamedTuple):
    """How many grids: `grids` in all if `exact`, at least so many otherwise.

    estimate: about how many there are, from the cubes that were counted, which are a random sample;
    None if too few were counted.
    """

    grids: int
    exact: bool
    estimate: float | None = None

    def __str__(self) -> str:
        return str(self.grids) if self.exact else f">={self.grids}"


class SoFar(NamedTuple):
    """What is known so far: cubes counted, all cubes, grids found, and an estimate of all grids."""

    done: int
    cubes: int
    grids: int
    estimate: float


def count_exact(
    puzzle: str | Grid | None = None,
    rules: str | Constraints = "classic",
    *,
    size: int = 9,
    workers: int = 1,
    timeout: float | None = None,
    symmetry: bool = True,
    progress: Progress = False,
    each: Callable[[SoFar], None] | None = None,
    implementation: str | None = None,
) -> Count:
    """The number of grids that complete a puzzle, or of all grids of a size if there is none.

    timeout: seconds after which the grids found so far are the answer, a lower bound; symmetry:
    count equivalent puzzles once (`False` gives the same number the long way); progress: True for a
    bar, or a function of (done, total) cubes; each: called with what is known after each task;
    implementation: `c` or `numpy`, which search, also where counting by bands would do.
    """
    if puzzle is None:
        constraints = constraints_for(rules, None if tells_board(rules) else Board.of_size(size))
        grid = empty_grid(constraints.board)
    else:
        grid, constraints = as_puzzle(puzzle, rules)
    for family in constraints.families:
        if family.shapes:  # cubes know groups and pairs only
            raise ClueError(f"exact counts do not support the clue {family.name} yet")
    if symmetry and implementation is None and not any(grid.cells) and bands.serves(constraints):
        return Count(bands.count_by_bands(constraints.board), True)
    end = _End(None if timeout is None else time.time() + timeout)
    cells = np.frombuffer(grid.cells, np.uint8)[None]
    layer = Layer(cells, [1])
    while 0 < len(layer.weights) < CUBES and not end.is_there:
        layer = split(layer, constraints, symmetry=symmetry)
    compiled = _implementation(implementation, constraints) == "c"
    # Threads suffice for C, which works without the interpreter lock.
    kind = "thread" if compiled else "process"
    with _pool(kind, workers) as pool, _end_with_us(end, kind) as shared:
        return _share_out(
            layer, partial(_count_cubes, constraints, shared, compiled), pool, progress, each
        )


def _pool(kind: str, workers: int) -> AbstractContextManager[Workers | None]:
    return Workers(kind, workers) if workers > 1 else nullcontext()


class _End(NamedTuple):
    """When to stop: after the deadline (of `time.time`), and for threads once nobody waits."""

    deadline: float | None
    given_up: Event | None = None

    @property
    def is_there(self) -> bool:
        """Whether the work has to stop."""
        if self.given_up is not None and self.given_up.is_set():
            return True
        return self.deadline is not None and time.time() > self.deadline


@contextmanager
def _end_with_us(end: _End, kind: str) -> Iterator[_End]:
    """The end for workers, which also comes if an error or Ctrl-C leaves this block: their cubes
    may take for ever, and a pool waits for its threads (it kills processes)."""
    given_up = Event()
    try:
        yield end._replace(given_up=given_up) if kind == "thread" else end
    except BaseException:
        given_up.set()
        raise


def implementations(constraints: Constraints) -> tuple[str, ...]:
    """What can count here under these rules, best first."""
    return ("c", "numpy") if native.serves(constraints) else ("numpy",)


def _implementation(name: str | None, constraints: Constraints) -> str:
    known = implementations(constraints)
    if name is not None and name not in known:
        raise CountError(f"no '{name}' counts here: there are {', '.join(known)}")
    return name or known[0]


def _share_out(
    layer: Layer,
    work: Callable[[Layer], tuple[int, bool]],
    pool: Workers | None,
    progress: Progress,
    each: Callable[[SoFar], None] | None,
) -> Count:
    """Let workers count the layer's cubes, a few at a time and in a random order."""
    cubes = len(layer.weights)
    order = np.random.default_rng(SEED).permutation(cubes)
    starts = range(0, cubes, CUBES_PER_TASK)
    tasks = (layer.rows(order[start : start + CUBES_PER_TASK]) for start in starts)
    grids, exact, done, sampled = layer.counted, True, 0, 0
    counts = map_in_order(pool, work, ((len(task.weights), (task,)) for task in tasks))
    with reporting(progress, cubes, " cubes") as more:
        for number, (found, whole) in counts:
            grids += found
            exact &= whole
            if exact:  # later ones are whole only if they are small
                done, sampled = done + number, sampled + found
            if each and done:
                each(SoFar(done, cubes, grids, layer.counted + sampled * cubes / done))
            more(number)
    return Count(grids, exact, layer.counted + sampled * cubes / done if done else None)


def _count_cubes(
    constraints: Constraints, end: _End, compiled: bool, cubes: Layer
) -> tuple[int, bool]:
    """A worker's task: the grids of some cubes, and whether these are all."""
    count = _by_search if compiled else _by_layer
    grids, stack = 0, [cubes]
    while stack:
        if end.is_there:
            return grids, False
        found, rest = count(stack.pop(), constraints)
        grids += found
        stack += rest
        if rest and end.is_there and compiled:
            return grids + _found_first(stack.pop(), constraints), False
    return grids, True


def _by_search(cubes: Layer, constraints: Constraints) -> tuple[int, list[Layer]]:
    """Grids of some cubes, and the cubes that are still to be counted."""
    grids, nodes = native.count(constraints, cubes.puzzles, NODES)
    cut = np.flatnonzero(nodes.cumsum() > NODES)
    whole = slice(cut[0]) if len(cut) else slice(None)
    found = _weighed(cubes.weights[whole], grids[whole])
    if not len(cut):
        return found, []
    parts = split(cubes.rows(slice(cut[0], cut[0] + 1)), constraints, symmetry=False)
    return found + parts.counted, [parts.rows(slice(None)), cubes.rows(slice(cut[0] + 1, None))]


def _found_first(cubes: Layer, constraints: Constraints) -> int:
    """Grids that a limited search finds, which is better than nothing if time runs out."""
    grids, _ = native.count(constraints, cubes.puzzles, NODES)
    return _weighed(cubes.weights, grids)


def _weighed(weights: list[int], grids: NDArray[np.uint64]) -> int:
    pairs = zip(weights, grids.tolist(), strict=True)
    return sum(weight * number for weight, number in pairs)


def _by_layer(cubes: Layer, constraints: Constraints) -> tuple[int, list[Layer]]:
    """As `_by_search` without C: one layer further, in pieces."""
    children = split(cubes, constraints, symmetry=False)
    starts = range(0, len(children.weights), PIECE)
    return children.counted, [children.rows(slice(start, start + PIECE)) for start in starts]
