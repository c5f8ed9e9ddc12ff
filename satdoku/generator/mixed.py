"""Full grids of large boards, quickly: a shuffled pattern, then parts of lines and digits swapped.

Invariant: every step turns a grid of rows, columns and boxes into another one. Nothing is proved of
their distribution; what was measured stands with `ROUNDS`.

The pattern is cyclic. Renaming digits and permuting rows, columns, bands and stacks alone leaves
all of its regularity: row i is a shift of row j. So parts are swapped then:

- two rows of a band in a set of columns where both hold the same digits (a cycle switch:
  I. Wanless, Cycle switches in Latin squares, 2004), and two columns of a stack in the same way;
- two digits in a set of rows, columns and boxes that hold both (a Kempe chain of the graph whose
  edges are the houses).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..large.board import LargeBoard
from .dice import Dice

Square = NDArray[np.int64]

# In each of them every line and every digit is swapped about twice. On 9x9 two rows of a band then
# have 2.07 +- 0.01 cycles, uniform grids 2.05 +- 0.01, the pattern 3; two digits have 1.55 chains,
# uniform grids too, the pattern 1.50. On 36x36 more rounds change neither number.
ROUNDS = 4


def mixed_grids(count: int, board: LargeBoard, dice: Dice) -> NDArray[np.uint16]:
    """Grids (count, cells) with digits 1..size."""
    grids = np.empty((count, board.cells), np.uint16)
    for grid in grids:
        grid[:] = _mixed(board, dice).ravel() + 1
    return grids


def pattern(board: LargeBoard) -> Square:
    """The cyclic grid (size, size) of digits from 0: each row of a band is the one before, shifted
    by the width of a box."""
    lines = np.arange(board.size)
    shifts = board.box_columns * (lines % board.box_rows) + lines // board.box_rows
    square: Square = (shifts[:, None] + lines) % board.size
    return square


def _mixed(board: LargeBoard, dice: Dice) -> Square:
    size = board.size
    tall, wide = board.bands
    order = _lines(size, tall, dice), _lines(size, wide, dice)
    square: Square = dice.orders(1, size)[0][pattern(board)[np.ix_(*order)]]
    for _ in range(ROUNDS):
        _switch_rows(square, tall, dice)
        _switch_rows(square.T, wide, dice)
        square = _switched_digits(square, board, dice)
    return square


def _lines(size: int, band: int, dice: Dice) -> Square:
    """A random order of the lines that keeps bands together."""
    inner = dice.orders(size // band, band)
    lines = inner + band * np.arange(size // band)[:, None]
    ordered: Square = lines[dice.orders(1, size // band)[0]].ravel()
    return ordered


def _switch_rows(square: Square, band: int, dice: Dice) -> None:
    """Swap parts of random pairs of rows of the same band, in place."""
    size = len(square)
    places = np.empty(size, np.int64)
    for first, second, start in _pairs(size, band, dice):
        places[square[first]] = np.arange(size)
        columns = _orbit(start, places[square[second]].tolist())
        part = np.ix_((first, second), columns)
        square[part] = square[part][::-1]


def _switched_digits(square: Square, board: LargeBoard, dice: Dice) -> Square:
    """The square with random pairs of digits swapped in sets of rows."""
    size, lines = board.size, np.arange(board.size)
    columns = np.argsort(square, axis=1).T.copy()  # of each digit in each row
    tall, wide = board.bands
    stacks = size // wide
    boxes = lines // tall * stacks
    holder, boxed = np.empty(size, np.int64), np.empty(size, np.int64)
    for first, second, start in _pairs(size, size, dice):
        one, other = columns[first], columns[second]
        holder[other], boxed[boxes + other // wide] = lines, lines
        joined = [holder[one].tolist()]
        if board.has_boxes:
            joined.append(boxed[boxes + one // wide].tolist())
        part = np.ix_((first, second), _orbit(start, *joined))
        columns[part] = columns[part][::-1]
    switched = np.empty_like(square)
    switched[lines, columns] = lines[:, None]
    return switched


def _pairs(size: int, band: int, dice: Dice) -> list[list[int]]:
    """Random pairs of different lines of the same band, each with a start for the part to swap;
    none if a band is a single line."""
    if band == 1:
        return []
    first = dice.below(size, size)
    second = first // band * band + (first % band + 1 + dice.below(band - 1, size)) % band
    pairs: list[list[int]] = np.stack([first, second, dice.below(size, size)], axis=1).tolist()
    return pairs


def _orbit(start: int, *permutations: list[int]) -> list[int]:
    """The points that permutations move a point to. They are finite, so inverses are not needed."""
    orbit, seen = [start], {start}
    for point in orbit:
        for permutation in permutations:
            if permutation[point] not in seen:
                seen.add(permutation[point])
                orbit.append(permutation[point])
    return orbit
