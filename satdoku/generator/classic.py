"""Uniform grids of classic 9x9: a random cross, thinned, and every completion with equal chance.

Invariant: every one of the 6,670,903,752,021,072,936,960 grids is drawn with the same probability.

The top band and the left stack meet in the first box. Given that box, a band can be completed in
56 * 6**6 = 2,612,736 ways (B. Felgenhauer, F. Jarvis, Enumerating possible Sudoku grids, 2005), and
band and stack are drawn independently, each way equally likely. The other four boxes can then be
filled in 2693 ways on average: too many to list. So six more digits are drawn, on the diagonal,
each among the m that no peer has. What is left has k completions, about one on average, and a grid
was reached with a chance proportional to 1/w, w the product of the six m. Completion number
floor(U * BOUND / w), U uniform in [0, 1), is taken where there is one: so every grid of a cross has
the same chance, 1/BOUND.

That is exact as long as k * w <= BOUND, and BOUND is 45 times the mean. Of 5,734,400 crosses two
were beyond it (`bench/generate.py bound`): some 2 grids in a million come too seldom.
"""

from __future__ import annotations

from math import factorial

import numpy as np
from numpy.typing import NDArray

from ..model.constraints import Constraints
from .dice import Dice
from .oracle import Grids, completions

BANDS = 56 * 6**6  # ways to complete the top band, given its first box
CROSSES = factorial(9) * BANDS**2  # first box, band and stack
GRIDS = 6_670_903_752_021_072_936_960  # OEIS A107739
MEAN = GRIDS / CROSSES  # of k * w
BOUND = 120_000
MOST = 128  # completions of a thinned cross that are listed; more were never met

_ORDERS = np.array([[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
_DIGITS = np.uint16(1) << np.arange(1, 10, dtype=np.uint16)


def classic_grids(count: int, constraints: Constraints, dice: Dice) -> Grids:
    """Uniform grids (count, 81) uint8."""
    kept: list[Grids] = []
    missing = count
    while missing > 0:
        # One proposal in BOUND / MEAN, which is 45, is taken.
        kept.append(_accepted(min(16384, 64 + 48 * missing), constraints, dice))
        missing -= len(kept[-1])
    grids: Grids = np.concatenate(kept)[:count]
    return grids


def _accepted(proposals: int, constraints: Constraints, dice: Dice) -> Grids:
    """The grids that are accepted of so many proposals."""
    thinned, weights = thinned_crosses(proposals, dice)
    wanted = np.full(proposals, MOST)
    alive = weights > 0
    wanted[alive] = np.minimum(MOST, dice.fractions(proposals)[alive] * BOUND / weights[alive])
    rows = np.flatnonzero(wanted < MOST)
    found = completions(thinned[rows], constraints, MOST)
    there = wanted[rows] < found.counts
    grids: Grids = found.grids[(found.starts + wanted[rows])[there]]
    return grids


def thinned_crosses(count: int, dice: Dice) -> tuple[Grids, NDArray[np.float64]]:
    """Puzzles (count, 81) of a first band, a first stack and six digits on the diagonal, and how
    many choices there were for these, multiplied (count,); 0 where there was none."""
    grids = np.zeros((count, 9, 9), np.uint8)
    first = (dice.orders(count, 9) + 1).astype(np.uint8).reshape(count, 3, 3)
    grids[:, :3] = _bands(first, dice)
    grids[:, :, :3] = _bands(first.transpose(0, 2, 1), dice).transpose(0, 2, 1)
    weights = np.ones(count)
    seen = np.uint16(1) << grids.astype(np.uint16)
    rows, columns = np.bitwise_or.reduce(seen, axis=2), np.bitwise_or.reduce(seen, axis=1)
    boxes = np.zeros((count, 9), np.uint16)
    for place in range(3, 9):
        taken = rows[:, place] | columns[:, place] | boxes[:, place // 3]
        free = (taken & _DIGITS[:, None]) == 0  # (9, count): quicker to add up than (count, 9)
        choices = free.sum(axis=0, dtype=np.uint8)
        weights *= choices
        nth = dice.below(np.maximum(choices, 1), count)
        before = free.cumsum(axis=0, dtype=np.uint8) <= nth
        digit = before.sum(axis=0, dtype=np.uint8) % 9 + 1
        grids[:, place, place] = digit
        boxes[:, place // 3] |= np.uint16(1) << digit.astype(np.uint16)
    return grids.reshape(count, 81), weights


def _bands(first: Grids, dice: Dice) -> Grids:
    """Bands (N, 3, 9) that begin with the boxes (N, 3, 3), each of their 56 * 6**6 completions
    equally likely.

    Row j of the second box gets t digits of the first box's row j - 1 and 3 - t of its row j + 1
    (cyclically): there are C(3, t) ** 3 ways, and the third box gets the others. Then each row of
    the two boxes is shuffled.
    """
    count = len(first)
    several = np.searchsorted([1, 28, 55], dice.below(56, count), side="right")
    mixed = _shuffled(first, dice)
    above, below = np.roll(mixed, 1, axis=1), np.roll(mixed, -1, axis=1)
    chosen = np.arange(3) < several[:, None, None]
    second, third = np.where(chosen, above, below), np.where(chosen, below, above)
    return np.concatenate([first, _shuffled(second, dice), _shuffled(third, dice)], axis=2)


def _shuffled(boxes: Grids, dice: Dice) -> Grids:
    """The boxes (N, 3, 3) with the digits within each row in random order."""
    return np.take_along_axis(boxes, _ORDERS[dice.below(6, len(boxes), 3)], axis=2)
