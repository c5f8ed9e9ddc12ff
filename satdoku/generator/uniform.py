"""Uniform grids under any rules that can be counted: by bands, from a list, or by parts.

Invariant: every grid under the rules has exactly the same chance, and a seed gives the same grids
on every machine, with any engine and any number of workers. Rules whose grids cannot be counted
are refused.

    uniform_grids(1_000_000, seed=1)               # classic 9x9 by bands, (1000000, 81) uint8
    uniform_grids(1000, "latin=6", seed=1)         # by parts

Parts: layers of puzzles that stand for all grids (`counting.layers`), equivalent puzzles merged,
are split until each puzzle has at most `MOST` grids. A puzzle is drawn by its grids times its
weight, then one of its grids, then a symmetry of the rules. Merging keeps of all puzzles of an
orbit one, with their number as its weight: so each orbit of grids is drawn by its size, and
a random image of a grid is any grid of its orbit alike.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache, partial
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import engine
from ..counting import bands
from ..counting.few_grids import FEW, FewGridsError, all_grids
from ..counting.layers import Layer, first_groups, split
from ..model.constraints import Constraints, RulesLike
from ..runtime import limits
from ..runtime.errors import WitnessError
from ..runtime.progress import Progress
from ..symmetry.group import digit_group
from ..witness.verify import solves_many
from . import GenerateOptions, made_in_blocks, options_for
from .banded import banded_grids
from .dice import ExactDice
from .grids import no_grid, scrambled
from .oracle import GeneratorError, Grids

if TYPE_CHECKING:
    from ..runtime.workers import WorkersLike

MOST = 1 << 12  # grids of a part
SMALL = 1 << 6  # grids of a part that is set aside while layers still merge
LAYER = 4000  # puzzles of a layer, from which on none are merged
AT_ONCE = 64  # puzzles that are split together after that
MOST_NODES = 2**32 - 1  # of a search
BUDGET = 4  # nodes for each grid that is looked for, at first

TOGETHER = 8192  # grids of a block

Draw = Callable[[int, ExactDice], Grids]


def uniform_grids(
    n: int = 1,
    rules: RulesLike = "classic",
    *,
    seed: int | None = None,
    size: int | None = None,
    workers: WorkersLike = 1,
    progress: Progress = False,
    timeout: float | None = None,
) -> Grids:
    """Full grids (n, cells) uint8, each drawn uniformly from all grids under the rules.

    Arguments as for `generate`. Rules with boxes and nothing else, up to 9x9, are ready in a second
    or two; for others all grids are counted first, which may take longer than `count_exact`. Raises
    `GeneratorError` if there is no grid, or if only a session can tell what the rules allow and
    there are more than 2,000 grids.
    """
    with limits.within(timeout):
        options = options_for(rules, seed, size)
        blocks = made_in_blocks(
            n, options, uniform_block, TOGETHER, workers=workers, progress=progress
        )
    return np.concatenate([np.zeros((0, options.constraints.board.cells), np.uint8), *blocks])


def uniform_block(options: GenerateOptions, block: int, size: int) -> Grids:
    """A whole block of uniform grids, from random numbers of its own; each one is verified."""
    constraints = options.constraints
    grids = uniform(constraints)(size, ExactDice(options.seed, (block,)))
    if not solves_many(grids, grids, constraints.rules, constraints.board).all():
        raise WitnessError(f"a grid that was drawn is none of {constraints.name}")
    return grids


@lru_cache(maxsize=8)
def uniform(constraints: Constraints) -> Draw:
    """What draws uniform grids under the rules; parts are counted at once."""
    if bands.serves(constraints):
        return partial(banded_grids, constraints.board)
    listed = _listed(constraints)
    if listed is not None:
        return partial(_of_list, listed)
    if constraints.needs_session:
        raise GeneratorError(f"more than {FEW} grids under {constraints.name}: too many to list")
    return partial(_of_parts, _parts(constraints), constraints)


def _listed(constraints: Constraints) -> Grids | None:
    """All grids, if there are few."""
    if digit_group(constraints)[0].order > FEW:
        return None  # each grid holds all digits, so that renaming makes others of it
    try:
        grids = all_grids(constraints, FEW, progress=lambda *_: limits.check())
    except FewGridsError:
        return None
    if not len(grids):
        raise no_grid(constraints)
    return grids


def _of_list(listed: Grids, count: int, dice: ExactDice) -> Grids:
    return np.asarray(listed[dice.below(len(listed), count)])


class Parts(NamedTuple):
    """Puzzles (N, cells) that stand for all grids; ends: sums of weight times grids so far."""

    puzzles: Grids
    grids: NDArray[np.int64]
    ends: list[int]


def _of_parts(parts: Parts, constraints: Constraints, count: int, dice: ExactDice) -> Grids:
    drawn = [bisect_right(parts.ends, dice.number(parts.ends[-1])) for _ in range(count)]
    wanted = dice.below(parts.grids[drawn], count)
    grids = np.empty((count, constraints.board.cells), np.uint8)
    order = np.argsort(drawn, kind="stable")
    for some in np.split(order, np.flatnonzero(np.diff(np.array(drawn)[order])) + 1):
        limits.check()
        part = parts.puzzles[drawn[some[0]]]
        found = engine.listed(part[None], constraints, MOST, node_budget=MOST_NODES)
        grids[some] = found.solutions[0, wanted[some]]
    return scrambled(grids, constraints, dice)


def _parts(constraints: Constraints) -> Parts:
    """All grids, in parts; the same with every engine, as they depend on numbers of grids only."""
    puzzles: list[Grids] = []
    grids: list[NDArray[np.int64]] = []
    weights: list[int] = []

    def rest(layer: Layer, most: int) -> Layer:
        """The layer without the puzzles of so few grids, which are kept."""
        limits.check()
        found = _few(layer.puzzles, constraints, most)
        some = np.flatnonzero(found > 0)
        kept = layer.rows(some)
        puzzles.append(kept.puzzles)
        grids.append(found[some])
        weights.extend(w * k for w, k in zip(kept.weights, found[some].tolist(), strict=True))
        return layer.rows(np.flatnonzero(found < 0))

    empty = np.zeros((1, constraints.board.cells), np.uint8)
    layer, groups = rest(Layer(empty, [1]), SMALL), iter(first_groups(constraints))
    while 0 < len(layer.weights) < LAYER:
        layer = rest(split(layer, constraints, group=next(groups, None)), SMALL)
    stack = [layer]
    while stack:
        layer = stack.pop()
        if len(layer.weights) > AT_ONCE:
            stack.append(layer.rows(slice(AT_ONCE, None)))
        layer = rest(layer.rows(slice(AT_ONCE)), MOST)
        if layer.weights:
            stack.append(split(layer, constraints, symmetry=False))
    if not weights:
        raise no_grid(constraints)
    return Parts(np.concatenate(puzzles), np.concatenate(grids), list(accumulate(weights)))


def _few(puzzles: Grids, constraints: Constraints, most: int) -> NDArray[np.int64]:
    """How many grids each puzzle has, -1 for more than that."""
    found = np.full(len(puzzles), -1)
    rows, budget = np.arange(len(puzzles)), BUDGET * most
    while len(rows):
        limits.check()
        counted = engine.count(puzzles[rows], constraints, node_budget=budget)
        few = counted.grids <= most
        done = counted.whole & few
        found[rows[done]] = counted.grids[done]
        rows, budget = rows[~counted.whole & few], min(8 * budget, MOST_NODES)
    return found
