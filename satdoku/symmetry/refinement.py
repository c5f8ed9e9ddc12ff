"""Colours of lines and digits, refined: the numpy reference of the arithmetic of `c/colours.h`.

Invariant: a colour is a 64-bit number, computed from the puzzle by wrapping sums and mixing, in a
way that no symmetry changes. Lines of different colours are different; colours that agree by
accident cost time, never correctness. All puzzles are refined at once.

Lines are numbered rows first: row r is r, column c is n + c.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .layout import Layout
from .structure import mix

Puzzles = NDArray[np.uint8]
Values = NDArray[np.uint64]

_ROW, _COLUMN, _DIGIT, _BOX, CHOSEN = (
    np.array([value], np.uint64)
    for value in (
        0x243F6A8885A308D3,
        0x13198A2E03707344,
        0xA4093822299F31D0,
        0x082EFA98EC4E6C89,
        0x452821E638D01377,
    )
)
_THREE = np.uint64(3)
# What is counted of a line or digit: its givens, and times these its cells on cycles of two and of
# three (`_mark_cycles`).
_ON_TWO, _ON_THREE = np.uint64(1 << 16), np.uint64(1 << 32)
_NAME = np.uint64(1 << 48)  # times the number of a digit that may not be renamed


class Colours(NamedTuple):
    """line (N, 2n), digit (N, n + 1), box (N, boxes), uint64; digit[:, 0] has no meaning, and box
    is never refined."""

    line: Values
    digit: Values
    box: Values


def start_colours(layout: Layout, grids: Puzzles) -> Colours:
    """Before any refinement: how many givens there are of each digit and in each line and box, and
    the cycles of full lines."""
    n, givens = layout.size, grids > 0
    turned = grids.transpose(0, 2, 1)
    rows, columns = (givens.sum(axis, dtype=np.uint64) for axis in (2, 1))
    digits = np.stack([(grids == d).sum((1, 2), dtype=np.uint64) for d in range(n + 1)], 1)
    boxes = givens.reshape(
        len(grids), n // layout.box_rows, layout.box_rows, -1, layout.box_columns
    )
    _mark_cycles(grids, layout.box_rows, rows, digits)
    _mark_cycles(turned, layout.box_columns, columns, digits)
    names = np.arange(n + 1, dtype=np.uint64) * (_NAME * np.uint64(not layout.free_digits))
    lines = [mix(_ROW + rows), mix((_ROW if layout.transposable else _COLUMN) + columns)]
    counts = boxes.sum((2, 4), dtype=np.uint64).reshape(len(grids), -1)
    return Colours(np.concatenate(lines, 1), mix(_DIGIT + digits + names), mix(_BOX + counts))


def _mark_cycles(grids: Puzzles, height: int, own: Values, digits: Values) -> None:
    """Two full lines of a band make a permutation of the digits. Its cycles of two and of three are
    counted for the digits on them and for the two lines; otherwise a full grid would look the same
    everywhere."""
    n = grids.shape[1]
    full = (np.sort(grids, 2) == np.arange(1, n + 1)).all(2)
    for a, b in combinations(range(n), 2):
        chosen = np.flatnonzero(full[:, a] & full[:, b])
        if a // height != b // height or not len(chosen):
            continue
        upper, lower = grids[chosen, a].astype(np.intp), grids[chosen, b].astype(np.intp)
        place = np.argsort(upper, 1)  # of digit d: [d - 1]
        following = np.take_along_axis(lower, place, 1) - 1
        second = np.take_along_axis(following, following, 1)
        third = np.take_along_axis(following, second, 1)
        marks = _ON_TWO * (second == np.arange(n)) + _ON_THREE * (third == np.arange(n))
        digits[chosen, 1:] += marks
        own[chosen, a] += marks.sum(1)
        own[chosen, b] += marks.sum(1)


def refine(layout: Layout, grids: Puzzles, colours: Colours) -> tuple[Colours, NDArray[np.intp]]:
    """Refine each puzzle's colours until no more ties break. Returns also the ties left (N,)."""
    line, digit = _refine_lines(layout, grids, colours), colours.digit.copy()
    ties = _count_ties(line)
    going = np.flatnonzero(ties)
    while len(going):
        own = Colours(line[going], digit[going], colours.box[going])
        own = own._replace(digit=_refine_digits(layout, grids[going], own))
        own = own._replace(line=_refine_lines(layout, grids[going], own))
        line[going], digit[going] = own.line, own.digit
        left = _count_ties(own.line)
        better = (left > 0) & (left < ties[going])
        ties[going] = left
        going = going[better]
    return Colours(line, digit, colours.box), ties


def _colours_of_givens(layout: Layout, grids: Puzzles, colours: Colours) -> Values:
    """(N, n, n), 0 for empty cells."""
    n = layout.size
    rows, columns = colours.line[:, :n], colours.line[:, n:]
    names = np.take_along_axis(colours.digit, grids.reshape(len(grids), -1).astype(np.intp), 1)
    boxes = colours.box.reshape(len(grids), n // layout.box_rows, -1)
    boxes = boxes.repeat(layout.box_rows, 1).repeat(layout.box_columns, 2)
    cells = mix(rows[:, :, None] + columns[:, None, :] + names.reshape(grids.shape) + boxes)
    cells[grids == 0] = 0
    return cells


def _refine_digits(layout: Layout, grids: Puzzles, colours: Colours) -> Values:
    """Every digit takes in the colours of its givens."""
    cells = _colours_of_givens(layout, grids, colours)
    digit = colours.digit.copy()
    for d in range(1, layout.size + 1):
        digit[:, d] += _THREE * cells.sum((1, 2), where=grids == d)
    return mix(digit)


def _refine_lines(layout: Layout, grids: Puzzles, colours: Colours) -> Values:
    """Every line takes in the colours of its givens, and then those of its band or stack."""
    cells = _colours_of_givens(layout, grids, colours)
    rows, columns = np.split(colours.line, 2, 1)
    rows = _hear_bands(mix(rows + _THREE * cells.sum(2)), layout.box_rows)
    columns = _hear_bands(mix(columns + _THREE * cells.sum(1)), layout.box_columns)
    return np.concatenate([rows, columns], 1)


def _hear_bands(lines: Values, height: int) -> Values:
    bands = lines.reshape(len(lines), -1, height).sum(2)
    heard: Values = lines + _THREE * bands.repeat(height, 1)
    return heard


def _count_ties(line: Values) -> NDArray[np.intp]:
    """How many pairs of rows, and of columns, have the same colour (N,)."""
    n = line.shape[1] // 2
    sides = line.reshape(len(line), 2, n)
    alike = sides[:, :, :, None] == sides[:, :, None, :]
    return np.asarray((alike.sum((1, 2, 3)) - 2 * n) // 2)
