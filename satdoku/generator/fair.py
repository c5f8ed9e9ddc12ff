"""Random minimal puzzles with weights, from which means over all minimal puzzles follow.

Invariant: the weight that a try is expected to give a minimal puzzle is the same for every one, and
1 in all for those of its grid. So the sum of weights times values over the sum of weights goes to
the mean over all minimal puzzles, and the sum of weights over the tries to their number per grid.
Weights are quotients of whole numbers, rounded once. Rows know nothing of each other.

A try takes givens off a uniform grid of N cells in random order. D. Berthier's controlled-bias
generator ends in vain at the first given whose loss adds a solution, unless the puzzle is minimal
there. Then each minimal puzzle of n givens is met with the same chance, 1 / C(N, n), and C(N, n) is
its weight; but of some 250,000 tries one meets any. Four things are different here:

- Fewer givens never mean fewer solutions, so the puzzle of the last k givens of the order is looked
  at first, the same k for all tries. If it has several solutions, halving finds where the try ends.
- If it has one, the try goes on by one of the m of its j givens that can go, again and again. Such
  a path is likelier than in a random order by j / m, and its weight less by as much (Knuth).
- Once at most `FEW` givens can go, all minimal puzzles inside are listed. One is kept, drawn by
  weight, with the weight of all: C(N, n) / C(j, n) for each, with j givens now.
- A grid serves `ORDERS` tries. Of those that come to something one is kept, with their number as a
  factor of its weight.

Sources: D. Berthier, Unbiased Statistics of a CSP - A Controlled-Bias Generator, CISSE 2009; D. E.
Knuth, Estimating the efficiency of backtrack programs, Mathematics of Computation 29 (1975).
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import comb, factorial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..counting.estimates import interval
from ..model.constraints import Constraints, RulesLike
from ..runtime import limits
from ..runtime.progress import Progress
from . import GenerateOptions, check_unique, made_in_blocks, options_for
from .dice import ExactDice, Ints
from .oracle import Grids, Mask, unique
from .uniform import uniform
from .watch import begin

if TYPE_CHECKING:
    from ..runtime.workers import WorkersLike

FEW = 10  # givens that can go, below which all ways are gone
ORDERS = 16  # tries of a grid
TOGETHER = 1024  # puzzles of a block
GRIDS = 512  # at most, that are tried together
PILOT = 4096  # tries that tell how many givens to look at first
SHARE = 0.03  # of the tries, at least, have one solution there

Floats = NDArray[np.float64]


class Mean(NamedTuple):
    """The estimate of a mean, and an interval that holds it 19 times in 20."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class FairSample:
    """Minimal puzzles and what each stands for.

    puzzles (N, cells) uint8; weights (N,) float64: the number of minimal puzzles of a grid that the
    tries of this row stand for; tries (N,) int64: how many it took to come from the row before.
    """

    puzzles: Grids
    weights: Floats
    tries: Ints

    def __len__(self) -> int:
        return len(self.puzzles)

    def __getitem__(self, rows: slice | Mask) -> FairSample:
        return FairSample(self.puzzles[rows], self.weights[rows], self.tries[rows])

    @property
    def effective(self) -> float:
        """How many puzzles without weights would tell as much: (sum w)**2 / sum w**2."""
        return float(self.weights.sum() ** 2 / (self.weights**2).sum())

    def mean(self, values: ArrayLike) -> Mean:
        """The mean over all minimal puzzles of a value, given for each row, (N,)."""
        return _quotient(self.weights * np.asarray(values, float), self.weights)

    @property
    def per_grid(self) -> Mean:
        """About how many minimal puzzles a grid has, on average."""
        return _quotient(self.weights, self.tries.astype(float))

    @property
    def givens(self) -> Mean:
        """The mean number of givens of all minimal puzzles."""
        return self.mean((self.puzzles > 0).sum(1))

    @property
    def words(self) -> str:
        """What the sample tells of all minimal puzzles, with intervals that hold 19 times in 20."""
        if len(self) < 2:
            return f"{len(self)} puzzles: too few for an estimate"
        givens, number = self.givens, self.per_grid
        return (
            f"all minimal puzzles: {givens.mean:.3f} givens "
            f"({givens.low:.3f} to {givens.high:.3f}), "
            f"{number.mean:.4g} a grid ({number.low:.4g} to {number.high:.4g}); "
            f"the weighted puzzles tell as much as {self.effective:,.0f} uniform ones"
        )


def _quotient(above: Floats, below: Floats) -> Mean:
    """The quotient of two expected values, each row a sample of both."""
    mean = float(above.sum() / below.sum())
    return Mean(*interval(mean + (above - mean * below) / below.mean()))


def fair_puzzles(
    n: int = 1,
    rules: RulesLike = "classic",
    *,
    seed: int | None = None,
    size: int | None = None,
    workers: WorkersLike = 1,
    progress: Progress = False,
    timeout: float | None = None,
) -> FairSample:
    """Minimal puzzles with weights that undo the bias of how they are drawn.

    Arguments as for `generate`, rules as for `uniform_grids`. `FairSample.mean` estimates the mean
    of any value over all minimal puzzles under the rules, with an interval.
    """
    with limits.within(timeout):
        options = options_for(rules, seed, size)
        blocks = made_in_blocks(
            n, options, fair_block, TOGETHER, workers=workers, progress=progress
        )
    return joined_samples(blocks, options.constraints)


def joined_samples(blocks: list[FairSample], constraints: Constraints) -> FairSample:
    """Some samples as one."""
    none = np.zeros((0, constraints.board.cells), np.uint8), np.zeros(0), np.zeros(0, np.int64)
    parts = zip(*[none, *((b.puzzles, b.weights, b.tries) for b in blocks)], strict=True)
    return FairSample(*map(np.concatenate, parts))


def fair_block(options: GenerateOptions, block: int, size: int) -> FairSample:
    """A whole block of puzzles, from random numbers of its own."""
    constraints, dice = options.constraints, ExactDice(options.seed, (block,))
    made, missing, before = [], size, 0
    while missing > 0:
        grids = min(GRIDS, 2 + int(2 * missing / (SHARE * ORDERS)))
        rows, starts, several = _starts(grids, constraints, dice)
        kept, weights = _ends(starts, several, constraints, dice)
        taken = ORDERS * np.diff(rows, prepend=-1 - before)
        made.append(FairSample(kept, weights, taken)[:missing])
        missing -= len(made[-1])
        before = grids - 1 - int(rows[-1]) if len(rows) else before + grids
    sample = joined_samples(made, constraints)
    check_unique(sample.puzzles, constraints)
    return sample


@lru_cache(maxsize=64)
def first_looked_at(constraints: Constraints) -> int:
    """The fewest givens at which enough tries have one solution, by some of a fixed seed."""
    grids, ranks = _tries(PILOT // ORDERS, constraints, ExactDice(0, (3,)))
    givens = constraints.board.grid_cells
    while givens and unique(_last(grids, ranks, givens - 1), constraints).mean() >= SHARE:
        givens -= 1
    return givens


def _tries(count: int, constraints: Constraints, dice: ExactDice) -> tuple[Grids, Ints]:
    """The grid of each try, so many uniform ones for `ORDERS` each, (tries, cells); and the place
    of each given in the order, from the end, from 0 on."""
    grids = np.repeat(uniform(constraints)(count, dice), ORDERS, axis=0)
    begin("taking givens away")
    ranks = dice.orders(len(grids), constraints.board.grid_cells)
    beyond = constraints.board.cells - ranks.shape[1]  # cells of layers, never given
    return grids, np.pad(ranks, ((0, 0), (0, beyond)), constant_values=2**30)


def _last(grids: Grids, ranks: Ints, givens: Ints | int) -> Grids:
    """The last givens of each order, so many of them."""
    return np.where(ranks < np.reshape(givens, (-1, 1)), grids, np.uint8(0))


def _starts(count: int, constraints: Constraints, dice: ExactDice) -> tuple[Ints, Grids, Ints]:
    """Which of so many grids have tries that come to something, ascending; of each of these one, a
    puzzle of `first_looked_at` givens with one solution, or a minimal one of more; and how many of
    them there were."""
    grids, ranks = _tries(count, constraints, dice)
    first = first_looked_at(constraints)
    puzzles = _last(grids, ranks, first)
    good = unique(puzzles, constraints)
    above = np.flatnonzero(~good)
    hits, ends = _minimal_above(grids[above], ranks[above], first, constraints)
    puzzles[above[hits]], good[above[hits]] = ends, True
    of_grid = good.reshape(count, ORDERS)
    rows = np.flatnonzero(of_grid.any(1))
    several = of_grid[rows].sum(1)
    nth = dice.below(several, len(rows))[:, None]
    one = (of_grid[rows].cumsum(1) > nth).argmax(1)
    return rows, puzzles[ORDERS * rows + one], several


def _ends(
    starts: Grids, several: Ints, constraints: Constraints, dice: ExactDice
) -> tuple[Grids, Floats]:
    """A minimal puzzle inside of each start (N, cells), and its weight; several: starts that each
    stands for."""
    cells, begun = constraints.board.grid_cells, (starts > 0).sum(1).tolist()
    puzzles, can, products = _descended(starts, constraints, dice)
    owners, leaves = _leaves(puzzles, can, constraints)
    bounds, givens = np.searchsorted(owners, np.arange(len(starts) + 1)), (leaves > 0).sum(1)
    kept, weights = [], []
    for row, left in enumerate((puzzles > 0).sum(1).tolist()):
        # comb(cells, n) / comb(left, n) * product * left! / begun!, times begun! to be whole
        sums = list(
            accumulate(
                comb(cells, n) * factorial(n) * factorial(left - n) * products[row]
                for n in givens[bounds[row] : bounds[row + 1]].tolist()
            )
        )
        kept.append(bounds[row] + bisect_right(sums, dice.number(sums[-1])))
        weights.append(int(several[row]) * sums[-1] / factorial(begun[row]))
    return leaves[np.array(kept, np.intp)], np.array(weights)


def _descended(
    puzzles: Grids, constraints: Constraints, dice: ExactDice
) -> tuple[Grids, Mask, list[int]]:
    """Puzzles (N, cells), each with one solution, without one random given after the other of those
    that can go, until few can; the ones that can then; and the product of how many could before."""
    puzzles, products = puzzles.copy(), [1] * len(puzzles)
    can = _can_go(puzzles, puzzles > 0, constraints)
    while len(rows := np.flatnonzero(can.sum(1) > FEW)):
        several = can[rows].sum(1)
        nth = dice.below(several, len(rows))
        gone = (can[rows].cumsum(1) > nth[:, None]).argmax(1)
        puzzles[rows, gone], can[rows, gone] = 0, False
        can[rows] = _can_go(puzzles[rows], can[rows], constraints)
        for row, number in zip(rows.tolist(), several.tolist(), strict=True):
            products[row] *= number
    return puzzles, can, products


def _can_go(puzzles: Grids, maybe: Mask, constraints: Constraints) -> Mask:
    """Which of some givens (N, cells) can go: the puzzle keeps one solution without."""
    row, cell = np.nonzero(maybe)
    trials = puzzles[row]
    trials[np.arange(len(row)), cell] = 0
    can = np.zeros_like(maybe)
    can[row, cell] = unique(trials, constraints)
    return can


def _leaves(puzzles: Grids, can: Mask, constraints: Constraints) -> tuple[Ints, Grids]:
    """All minimal puzzles inside of puzzles (N, cells), and whose they are, ascending; can: the
    givens that can go. They go in the order of cells, so that each puzzle comes once."""
    owners, last = np.arange(len(puzzles)), np.full(len(puzzles), -1)
    found = [(owners[:0], puzzles[:0])]
    while len(owners):
        minimal = ~can.any(1)
        found.append((owners[minimal], puzzles[minimal]))
        row, last = np.nonzero(can & (np.arange(can.shape[1]) > last[:, None]))
        owners, puzzles, can = owners[row], puzzles[row], can[row]
        puzzles[np.arange(len(row)), last], can[np.arange(len(row)), last] = 0, False
        can = _can_go(puzzles, can, constraints)
    whose = np.concatenate([some for some, _ in found])
    order = np.argsort(whose, kind="stable")
    return whose[order], np.concatenate([some for _, some in found])[order]


def _minimal_above(
    grids: Grids, ranks: Ints, first: int, constraints: Constraints
) -> tuple[Ints, Grids]:
    """Of tries that have several solutions with so many givens left: those that end in a minimal
    puzzle with more givens, and these puzzles."""
    low, high = np.full(len(grids), first), np.full(len(grids), constraints.board.grid_cells)
    while len(rows := np.flatnonzero(high - low > 1)):  # several solutions at low, one at high
        middle = (low[rows] + high[rows]) // 2
        one = unique(_last(grids[rows], ranks[rows], middle), constraints)
        high[rows[one]], low[rows[~one]] = middle[one], middle[~one]
    puzzles, rows = _last(grids, ranks, high), np.arange(len(grids))
    for rank in range(constraints.board.grid_cells - 1):
        tried = rows[rank < high[rows] - 1]  # the last one cannot go, as is known
        if not len(tried):
            break
        trials = np.where(ranks[tried] == rank, np.uint8(0), puzzles[tried])
        rows = np.setdiff1d(rows, tried[unique(trials, constraints)])
    return rows, puzzles[rows]
