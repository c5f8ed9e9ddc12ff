"""Random full grids under any rules, by the best method for them.

Invariant: grids are exactly uniform if the rules have few grids (all are listed, and one is drawn)
or are classic 9x9. For other rules a random walk goes on until no bias of its start can be
measured. The exception are rules that need a session: there cell after cell takes one of the digits
with which there still is a grid, and some grids are likelier than others.

Classic 9x9: a random cross, thinned, and every completion with equal chance. The top band and the
left stack meet in the first box. Given that box, a band can be completed in 56 * 6**6 = 2,612,736
ways (B. Felgenhauer, F. Jarvis, Enumerating possible Sudoku grids, 2005), and band and stack are
drawn independently, each way equally likely. The other four boxes can then be filled in 2693 ways
on average: too many to list. So six more digits are drawn, on the diagonal, each among the m that
no peer has. What is left has k completions, about one on average, and a grid was reached with a
chance proportional to 1/w, w the product of the six m. Completion number floor(U * BOUND / w), U
uniform in [0, 1), is taken where there is one: so every grid of a cross has the same chance,
1/BOUND. That is exact as long as k * w <= BOUND, and BOUND is 45 times the mean. Of 5,734,400
crosses two were beyond it (`bench/generate.py bound`): some 2 grids in a million come too seldom.

The walk: a random start, then steps that forget it. A step keeps the uniform distribution uniform.
It empties random cells, chosen without looking at the grid, and takes one of all completions of the
rest, each with the same chance, the old one among them. If there are more than `MOST`, the grid
stays as it is, whichever it was. (This is a heat bath, as in S. Geman, D. Geman 1984: any number of
steps leaves uniform grids uniform and brings others nearer to it.) How near was measured: see
`STEPS`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache
from math import factorial, inf

import numpy as np
from numpy.typing import NDArray

from .. import engine
from ..counting.few_grids import FewGridsError, all_grids
from ..model.constraints import Constraints, constraints_for
from ..runtime.errors import Status
from ..symmetry.group import digit_group, group
from ..symmetry.structure import Chain, cells_of
from .dice import Dice, Ints
from .oracle import (
    Completions,
    GeneratorError,
    Grids,
    Mask,
    answers,
    candidates_left,
    completions,
    solvable,
)
from .watch import begin, deadline

BANDS = 56 * 6**6  # ways to complete the top band, given its first box
CROSSES = factorial(9) * BANDS**2  # first box, band and stack
GRIDS = 6_670_903_752_021_072_936_960  # OEIS A107739
MEAN = GRIDS / CROSSES  # of k * w
BOUND = 120_000
MOST_OF_CROSS = 128  # completions of a thinned cross that are listed; more were never met

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
    wanted = np.full(proposals, MOST_OF_CROSS)
    alive = weights > 0
    wanted[alive] = np.minimum(
        MOST_OF_CROSS, dice.fractions(proposals)[alive] * BOUND / weights[alive]
    )
    rows = np.flatnonzero(wanted < MOST_OF_CROSS)
    found = completions(thinned[rows], constraints, MOST_OF_CROSS)
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


MOST = 16  # completions that a step looks at
STEPS = 16  # from grids found one by one, which are near uniform
ROOTS, LONG = 4, 50  # where these take too long: so many grids, and so many steps away from them
OPEN = 0.6  # part of all candidates that is left when solutions are first asked for


def walked_grids(
    count: int, constraints: Constraints, dice: Dice, steps: int | None = None
) -> Grids:
    """Random grids (count, cells), nearly uniform."""
    if few_begin_well(constraints):
        roots = roots_of(constraints)
        grids, usual = roots[dice.below(len(roots), count)], LONG
    else:
        grids, usual = filled_grids(count, constraints, dice), STEPS
    grids = scrambled(grids, constraints, dice)
    kept = kept_cells(constraints)
    for _ in range(usual if steps is None else steps):
        grids = step(grids, kept, constraints, dice)
    return grids


def scrambled(grids: Grids, constraints: Constraints, dice: Dice) -> Grids:
    """The image of each grid (N, cells) under a uniform symmetry of the rules, each its own; only
    digits are renamed where the board is not usual."""
    if constraints.board.is_usual:
        cells = cells_of(_elements(group(constraints).lines, len(grids), dice))
        grids = np.take_along_axis(grids, cells, 1)
    renamings = _elements(digit_group(constraints)[0], len(grids), dice) + 1
    digits = np.pad(renamings, ((0, 0), (1, 0))).astype(np.uint8)
    images: Grids = np.take_along_axis(digits, grids, 1)
    return images


def _elements(chain: Chain, count: int, dice: Dice) -> NDArray[np.intp]:
    """Uniform elements of a permutation group, (count, points)."""
    products = np.tile(np.arange(chain.points), (count, 1))
    for level in reversed(chain.levels):
        chosen = level[dice.below(len(level), count)]
        products = np.take_along_axis(chosen, products, axis=1)
    return products


def step(grids: Grids, kept: int, constraints: Constraints, dice: Dice) -> Grids:
    """The grids (N, cells) after all but `kept` random cells of each are filled anew."""
    found = _emptied(grids, kept, constraints, dice)
    counts = np.maximum(found.counts, 1)
    wanted = found.starts + dice.below(counts, len(grids))
    moved: Grids = grids.copy()
    moved[~found.too_many] = found.grids[wanted[~found.too_many]]
    return moved


def _emptied(grids: Grids, kept: int, constraints: Constraints, dice: Dice) -> Completions:
    stay = dice.orders(*grids.shape) < kept
    return completions(np.where(stay, grids, np.uint8(0)), constraints, MOST)


@lru_cache(maxsize=64)
def few_begin_well(constraints: Constraints) -> bool:
    """Whether the beginnings that `filled_grids` makes can seldom be completed."""
    status = answers(_begun(16, constraints, Dice(0, (2,))), constraints).statuses
    return int((status != Status.NONE).sum()) < 4


@lru_cache(maxsize=64)
def roots_of(constraints: Constraints) -> Grids:
    """Some grids, found with a fixed seed, so that they depend on the rules alone."""
    return filled_grids(ROOTS, constraints, Dice(0, (0,)))


@lru_cache(maxsize=64)
def kept_cells(constraints: Constraints) -> int:
    """How many cells a step keeps: as few as still let three of four grids move.

    A quarter are kept in any case: emptier grids can be hard to complete.
    """
    dice = Dice(0, (1,))
    cells = kept = constraints.board.cells
    grids = np.repeat(roots_of(constraints), 16, axis=0)
    while kept > cells // 4:
        fewer = kept - max(1, cells // 40)
        if _emptied(grids, fewer, constraints, dice).too_many.mean() > 0.25:
            break
        kept = fewer
    return kept


def filled_grids(count: int, constraints: Constraints, dice: Dice) -> Grids:
    """Random grids (count, cells), some likelier than others.

    Random candidates are tried one after the other, each taken if it leaves a solution and struck
    if not, until every cell is decided. Several are tried together, twice as many after each
    success and half as many after each failure; only one that fails alone is struck.
    """
    grids = np.zeros((count, constraints.board.cells), np.uint8)
    rows, spans = np.arange(count), np.ones(count, np.intp)
    marks = _begun_well(count, constraints, dice)
    while len(rows):
        left = engine.propagate(marks, constraints)[0]
        is_open = left.sum(axis=1) > constraints.board.cells
        grids[rows[~is_open]] = _digits(left[~is_open], constraints)
        rows, spans, left = rows[is_open], spans[is_open], left[is_open]
        without, tried = _narrowed(left, constraints, dice)
        for more in range(1, int(spans.max(initial=0))):
            tried, clash = engine.propagate(tried, constraints)
            on = (spans > more) & ~clash & (tried.sum(axis=1) > constraints.board.cells)
            tried[on] = _narrowed(tried[on], constraints, dice)[1]
        good, alone = solvable(tried, constraints), spans == 1
        marks = np.where(good[:, None], tried, np.where(alone[:, None], without, left))
        spans = np.where(good, 2 * spans, np.maximum(1, spans // 2))
    return grids


def _digits(marks: Mask, constraints: Constraints) -> Grids:
    """Marks (N, variables) with one candidate a cell as grids (N, cells)."""
    board = constraints.board
    digits: Grids = marks.reshape(-1, board.cells, board.choices).argmax(axis=2).astype(np.uint8)
    return digits + np.uint8(1)


def _begun(count: int, constraints: Constraints, dice: Dice) -> Mask:
    """Marks (at most count, variables) in which random candidates are set until `OPEN` of all are
    left; those that unit propagation refutes are dropped.

    It can be hard to decide whether a nearly empty grid has a solution, and if propagation finds no
    conflict so early, there mostly is one.
    """
    marks = engine.propagate(np.ones((count, constraints.variables), np.bool_), constraints)[0]
    while (large := marks.sum(axis=1) > OPEN * constraints.variables).any():
        _, tried = _narrowed(marks[large], constraints, dice)
        marks[large], clash = engine.propagate(tried, constraints)
        marks = np.delete(marks, np.flatnonzero(large)[clash], axis=0)
    return marks


def _begun_well(count: int, constraints: Constraints, dice: Dice) -> Mask:
    """Marks (count, variables) as `_begun` makes them, only those that have a solution."""
    kept: list[Mask] = []
    while (missing := count - sum(map(len, kept))) > 0:
        marks = _begun(min(4096, 8 + 2 * missing), constraints, dice)
        kept.append(marks[solvable(marks, constraints)])
    begun: Mask = np.concatenate(kept)[:count]
    return begun


def _narrowed(left: Mask, constraints: Constraints, dice: Dice) -> tuple[Mask, Mask]:
    """A random candidate of a random open cell of each row of marks (N, variables) that are
    propagated: the marks without it, and with none beside it."""
    count, board = len(left), constraints.board
    rows = np.arange(count)
    left = left.reshape(count, board.cells, board.choices)
    widths = candidates_left(left)
    cells = np.where(widths > 1, dice.words(*widths.shape), np.uint64(0)).argmax(axis=1)
    nth = dice.below(widths[rows, cells], count)
    there = left[rows, cells]
    digits = (there.cumsum(axis=1) <= nth[:, None]).sum(axis=1)
    without, with_it = left.copy(), left.copy()
    with_it[rows, cells] = False
    with_it[rows, cells, digits] = True
    without[rows, cells, digits] = False
    shape = count, board.variables
    return without.reshape(shape), with_it.reshape(shape)


LISTED = 512  # if rules have no more grids, all are listed


def random_grids(count: int, constraints: Constraints, dice: Dice) -> Grids:
    """Full grids (count, cells) under the rules. Raises `GeneratorError` if there is none."""
    listed = few_grids(constraints)
    begin("drawing grids")
    if listed is None:
        return _maker(constraints)(count, constraints, dice)
    if not len(listed):
        raise no_grid(constraints)
    return listed[dice.below(len(listed), count)]


def _maker(constraints: Constraints) -> Callable[[int, Constraints, Dice], Grids]:
    if constraints.needs_session:
        return session_grids
    return classic_grids if constraints == constraints_for("classic") else walked_grids


def no_grid(constraints: Constraints) -> GeneratorError:
    """The error for rules under which there is none."""
    shape = constraints.board.shape
    return GeneratorError(f"there is no {shape} grid under the rules {constraints.name}")


def session_grids(count: int, constraints: Constraints, dice: Dice) -> Grids:
    """Random grids (count, cells), some likelier than others, with nothing in the cells of layers.

    Random cells take random digits with which there still is a grid, until there is only one.
    """
    grids = np.zeros((count, constraints.board.cells), np.uint8)
    cells = constraints.board.grid_cells
    for grid, order in zip(grids, dice.orders(count, cells), strict=True):
        digits = dice.orders(cells, len(constraints.board.digits)) + 1
        grid[:cells] = _session_grid(constraints, order.tolist(), digits)[:cells]
    return grids


def _session_grid(constraints: Constraints, order: list[int], digits: Ints) -> Grids:
    given = np.zeros((1, constraints.board.cells), np.uint8)
    found = answers(given, constraints)
    for cell in order:
        if found.statuses[0] == Status.NONE:
            raise no_grid(constraints)
        if found.statuses[0] == Status.UNIQUE:
            break
        for digit in digits[cell]:
            given[0, cell] = digit
            found = answers(given, constraints)
            if found.statuses[0] != Status.NONE:
                break
    solution: Grids = found.solutions[0]
    return solution


@lru_cache(maxsize=64)
def few_grids(constraints: Constraints) -> Grids | None:
    """All grids under the rules in lexicographic order, None if there are more than `LISTED`.

    Every grid holds all digits, so each renaming that the rules allow makes another grid of it.
    """
    if constraints == constraints_for("classic") or constraints.needs_session:
        return None  # of classic grids it is known at once, and a session takes long
    begin("listing grids")
    several = digit_group(constraints)[0].order > LISTED
    try:
        end = deadline()
        seconds = None if end == inf else end - time.monotonic()
        most = 0 if several else LISTED
        return all_grids(constraints, most, timeout=seconds, progress=lambda *_: deadline())
    except FewGridsError:
        return None
