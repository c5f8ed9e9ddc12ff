"""Exact numbers of grids, too many to list: by bands, or by symmetry, cubes and the engine.

Invariant: every grid under the rules completes exactly one puzzle of a layer (`layers`), so the sum
over any part of a layer is a lower bound, and the sum over all of it is the number.

Layers are built, breadth first and up to symmetry, until there are enough puzzles to share out.
The engine counts these cubes. One that takes too long is split again. Where the time ends before
that, random walks tell about how many grids are in the cubes that are left (`estimates`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial

import numpy as np
from numpy.typing import NDArray

from .. import engine
from ..engine.targets import checked, widest
from ..model.constraints import Constraints, constraints_for, is_clue
from ..model.kinds import KINDS
from ..model.puzzle import Puzzle
from ..model.rules import CandidatePair
from ..runtime import limits
from ..runtime.errors import BudgetError
from ..runtime.progress import Progress, reporting
from ..runtime.workers import Workers, map_in_order
from . import Count, SoFar, Way, bands
from .estimates import Estimate, estimate
from .layers import Forms, Layer, first_groups, split

CUBES = 4000  # puzzles of a layer that is shared out
CUBES_PER_TASK = 16
MOST_CUBES = 50_000  # are not made more by filling a certain cell next
NODES = 100_000  # of search until a cube is split again
NUMPY_NODES = 1_000  # the same without a compiler: time is looked at between searches
PARTS = 64  # at least, of such a cube
SEED = 20  # of the order in which cubes are counted
FEW_RULES = 8  # so many are tried, whether they still forbid a pair
MOST_PAIRS = 1 << 24  # pairs of candidates in puzzles that are looked at together
WALKING = 0.25  # of the time, at its end, in which an estimate is made if it is needed
MOST_WALKING = 60.0  # seconds of that


def count_cubes(
    puzzle: Puzzle,
    way: Way,
    *,
    workers: int = 1,
    timeout: float | None = None,
    progress: Progress = False,
    on_count: Callable[[SoFar], None] | None = None,
) -> Count:
    """The number of grids that complete a puzzle; arguments as for `count_exact`."""
    grid, constraints = puzzle.grid, puzzle.constraints
    best = way.symmetry and way.implementation is None
    if best and not any(grid.cells) and bands.serves(constraints):
        return Count(bands.count_by_bands(constraints.board), True)
    return count_layer(
        Layer(np.frombuffer(grid.cells, np.uint8)[None], [1]),
        constraints,
        way,
        workers=workers,
        timeout=timeout,
        progress=progress,
        on_count=on_count,
    )


def count_layer(
    layer: Layer,
    constraints: Constraints,
    way: Way,
    *,
    workers: int = 1,
    timeout: float | None = None,
    progress: Progress = False,
    on_count: Callable[[SoFar], None] | None = None,
) -> Count:
    """The number of grids that a layer stands for; arguments as for `count_exact`."""
    name = checked(way.implementation or widest())
    estimated = way.estimated and name != engine.NUMPY  # a first pass takes it a minute
    walking = min(timeout * WALKING, MOST_WALKING) if timeout and estimated else 0.0
    end = limits.until(timeout)
    half = limits.until(timeout and timeout / 2)
    try:
        with limits.within(timeout):  # the tables of clues are made at the first cube
            layer, constraints = _cubes(layer, constraints, half, way.symmetry)
    except BudgetError:
        return Count(layer.counted, False)
    # Threads suffice for C, which works without the interpreter lock.
    kind = "process" if name == engine.NUMPY else "thread"
    seconds = None if timeout is None else max(0.0, end - walking - time.monotonic())
    with _pool(kind, workers) as pool:  # an error or Ctrl-C ends what it does
        work = limits.bounded(partial(_count_cubes, constraints, name), seconds)
        found, rest = _share_out(layer, work, pool, progress, on_count)
    if found.exact or not walking:
        return found
    about = estimate(rest, constraints, end - time.monotonic(), name)
    return found._replace(estimate=about and Estimate(*(max(found.grids, n) for n in about)))


def _cubes(
    layer: Layer, constraints: Constraints, end: float, symmetry: bool | Forms
) -> tuple[Layer, Constraints]:
    """Enough puzzles to share out, which together stand for the layer, and the rules that still say
    something of them. end: a time of `time.monotonic`."""
    for group in first_groups(constraints) if symmetry else ():
        if time.monotonic() > end or len(layer.weights) > MOST_CUBES:
            return layer, _still_open(constraints, layer)
        layer = split(layer, constraints, group=group)
    if symmetry is True and constraints.pairs:
        constraints = _still_open(constraints, layer)
    while 0 < len(layer.weights) < CUBES and time.monotonic() <= end:
        layer = split(layer, constraints, symmetry=symmetry)
    return layer, _still_open(constraints, layer)


def _still_open(constraints: Constraints, layer: Layer) -> Constraints:
    """Without the rules and clues that say nothing more of any puzzle: their houses are filled, and
    of each pair that they forbid one candidate is gone under the others."""
    if not all(map(is_clue, constraints.clue_texts)):
        return constraints  # made by hand, which no text of rules says
    if any(KINDS[clue.kind].denies for clue in constraints.clues):
        return constraints  # what it denies depends on the other clues
    n, filled = constraints.board.choices, np.asarray(layer.puzzles.all(0))
    for family in constraints.families:
        if family.name not in constraints.rules or family.shapes:
            continue
        if family.pairs and len(constraints.rules) > FEW_RULES:
            continue
        if filled[np.unique(np.array(family.groups, np.intp) // n)].all():
            others = _without(constraints, family.name)
            if _none_holds(family.pairs, others, layer.puzzles):
                constraints = others
    return constraints


def _without(constraints: Constraints, rule: str) -> Constraints:
    names = ",".join(name for name in constraints.names if name != rule) or "classic"
    clues = (text for text in constraints.clue_texts if text != rule)
    return constraints_for(";".join([names, *clues]), constraints.board)


def _none_holds(
    stated: Sequence[CandidatePair], constraints: Constraints, puzzles: NDArray[np.uint8]
) -> bool:
    """Whether propagation shows of each pair that not both candidates hold, in every puzzle."""
    pairs = np.array(stated, np.intp).reshape(-1, 2)
    step = max(1, MOST_PAIRS // max(1, len(pairs)))
    for start in range(0, len(puzzles) if len(pairs) else 0, step):
        left, conflict = engine.propagate(puzzles[start : start + step], constraints)
        if (left[:, pairs[:, 0]] & left[:, pairs[:, 1]])[~conflict].any():
            return False
    return True


def _pool(kind: str, workers: int) -> AbstractContextManager[Workers | None]:
    return Workers(kind, workers) if workers > 1 else nullcontext()


def _share_out(
    layer: Layer,
    work: Callable[[Layer], tuple[int, bool]],
    pool: Workers | None,
    progress: Progress,
    on_count: Callable[[SoFar], None] | None,
) -> tuple[Count, Layer]:
    """Let workers count the layer's cubes, a few at a time and in a random order; what they found,
    and the cubes that are not whole beside the grids of those that are."""
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
            if on_count and done:
                on_count(SoFar(done, cubes, grids, layer.counted + sampled * cubes / done))
            more(number)
    rest = layer.rows(order[done:])._replace(counted=layer.counted + sampled)
    return Count(grids, exact), rest


def _count_cubes(constraints: Constraints, implementation: str, cubes: Layer) -> tuple[int, bool]:
    """A worker's task: the grids of some cubes, and whether these are all."""

    grids, stack = 0, [cubes]
    try:
        while stack:
            limits.check()
            part = _some(stack)
            found = engine.count(
                part.puzzles,
                constraints,
                node_budget=NUMPY_NODES if implementation == engine.NUMPY else NODES,
                implementation=implementation,
            )
            whole, rest = np.flatnonzero(found.whole), np.flatnonzero(~found.whole)
            grids += _weighed(part.rows(whole), found.grids[whole])
            if len(rest):
                stack.append(_parted(part.rows(rest), constraints))
                grids += stack[-1].counted
    except BudgetError:
        return grids, False
    return grids, True


def _some(stack: list[Layer]) -> Layer:
    """A few cubes off the stack, so that a call of the engine ends soon."""
    cubes = stack.pop()
    if len(cubes.weights) > CUBES_PER_TASK:
        stack.append(cubes.rows(slice(CUBES_PER_TASK, None)))
    return cubes.rows(slice(CUBES_PER_TASK))


def _parted(cubes: Layer, constraints: Constraints) -> Layer:
    """The cubes in many parts, so that what was spent on them is little beside what is to come."""
    enough = PARTS * len(cubes.weights)
    while 0 < len(cubes.weights) < enough:
        cubes = split(cubes, constraints, symmetry=False)
    return cubes


def _weighed(cubes: Layer, grids: NDArray[np.uint64]) -> int:
    pairs = zip(cubes.weights, grids.tolist(), strict=True)
    return sum(weight * number for weight, number in pairs)
