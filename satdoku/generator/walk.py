"""Random grids under any rules: a random start, then steps that forget it.

Invariant: a step keeps the uniform distribution uniform. It empties random cells, chosen without
looking at the grid, and takes one of all completions of the rest, each with the same chance, the
old one among them. If there are more than `MOST`, the grid stays as it is, whichever it was. (This
is a heat bath, as in S. Geman, D. Geman 1984: any number of steps leaves uniform grids uniform and
brings others nearer to it.)

How near was measured: see `STEPS`.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from .. import engine
from ..errors import Status
from ..model.constraints import Constraints
from ..symmetry.group import group
from ..symmetry.structure import Chain, cells_of
from .dice import Dice
from .oracle import (
    Completions,
    Grids,
    Mask,
    answers,
    candidates_left,
    completions,
    solvable,
)

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
    """The image of each grid (N, cells) under a uniform symmetry of the rules, each its own."""
    symmetries = group(constraints)
    cells = cells_of(_elements(symmetries.lines, len(grids), dice))
    renamings = _elements(symmetries.renamings, len(grids), dice) + 1
    digits = np.pad(renamings, ((0, 0), (1, 0))).astype(np.uint8)
    images: Grids = np.take_along_axis(digits, np.take_along_axis(grids, cells, 1), 1)
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
    digits: Grids = marks.reshape(-1, board.cells, board.size).argmax(axis=2).astype(np.uint8)
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
    left = left.reshape(count, board.cells, board.size)
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
