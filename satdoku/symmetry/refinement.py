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

_ROW, _COLUMN, _DIGIT, _CYCLE, CHOSEN = (
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


class Colours(NamedTuple):
    """line (N, 2n) and digit (N, n + 1), uint64; digit[:, 0] has no meaning."""

    line: Values
    digit: Values


def _seeds(layout: Layout) -> tuple[Values, Values]:
    return _ROW, _ROW if layout.transposable else _COLUMN


def start_colours(layout: Layout, grids: Puzzles) -> Colours:
    """What distinguishes lines before any refinement: their kind, and cycles of full lines."""
    count, n, _ = grids.shape
    rows, columns = (np.tile(seed, (count, n)) for seed in _seeds(layout))
    names = np.arange(n + 1, dtype=np.uint64) * np.uint64(not layout.free_digits)
    digits = np.tile(_DIGIT + names, (count, 1))
    seeds = _seeds(layout)
    turned = grids.transpose(0, 2, 1)
    _mark_cycles(grids, seeds[0], layout.box_rows, rows, columns, digits)
    _mark_cycles(turned, seeds[1], layout.box_columns, columns, rows, digits)
    return Colours(np.concatenate([rows, columns], 1), digits)


def _mark_cycles(
    grids: Puzzles, seed: Values, height: int, own: Values, crossing: Values, digits: Values
) -> None:
    """Two full lines of a band make a permutation of the digits. The length of each of its cycles
    goes into the colours of what lies on the cycle and of the two lines; otherwise a full grid
    would look the same everywhere."""
    n = grids.shape[1]
    full = (np.sort(grids, 2) == np.arange(1, n + 1)).all(2)
    for a, b in combinations(range(n), 2):
        chosen = np.flatnonzero(full[:, a] & full[:, b])
        if a // height != b // height or not len(chosen):
            continue
        upper, lower = grids[chosen, a].astype(np.intp), grids[chosen, b].astype(np.intp)
        place = np.argsort(upper, 1)  # of digit d: [d - 1]
        marks = mix(_CYCLE + seed + _cycle_lengths(np.take_along_axis(place, lower - 1, 1)))
        crossing[chosen] += marks
        digits[chosen[:, None], upper] += marks
        own[chosen, a] += _THREE * marks.sum(1)
        own[chosen, b] += _THREE * marks.sum(1)


def _cycle_lengths(permutations: NDArray[np.intp]) -> Values:
    """For permutations (N, n), the length of the cycle that each point is on."""
    start = np.arange(permutations.shape[1])
    lengths = np.zeros(permutations.shape, np.uint64)
    at = permutations
    for step in range(1, len(start) + 1):
        lengths[(lengths == 0) & (at == start)] = step
        at = np.take_along_axis(permutations, at, 1)
    return lengths


def refine(layout: Layout, grids: Puzzles, colours: Colours) -> tuple[Colours, NDArray[np.intp]]:
    """Refine each puzzle's colours until no more ties break. Returns also the ties left (N,)."""
    line, digit = (part.copy() for part in colours)
    ties = np.full(len(grids), np.iinfo(np.intp).max)
    going = np.arange(len(grids))
    while len(going):
        own = Colours(line[going], digit[going])
        for _ in range(2):
            own = _refine_once(layout, grids[going], own)
        line[going], digit[going] = own
        left = _count_ties(own.line)
        better = (left > 0) & (left < ties[going])
        ties[going] = left
        going = going[better]
    return Colours(line, digit), ties


def _refine_once(layout: Layout, grids: Puzzles, colours: Colours) -> Colours:
    """Every line and digit takes in the colours of its givens, then every line those of its band
    or stack."""
    n = layout.size
    rows, columns = colours.line[:, :n], colours.line[:, n:]
    names = np.take_along_axis(colours.digit, grids.reshape(len(grids), -1).astype(np.intp), 1)
    cells = mix(rows[:, :, None] + columns[:, None, :] + names.reshape(grids.shape))
    cells[grids == 0] = 0
    digit = colours.digit.copy()
    for d in range(1, n + 1):
        digit[:, d] += _THREE * cells.sum((1, 2), where=grids == d)
    rows = _hear_bands(mix(rows + _THREE * cells.sum(2)), layout.box_rows)
    columns = _hear_bands(mix(columns + _THREE * cells.sum(1)), layout.box_columns)
    return Colours(np.concatenate([rows, columns], 1), mix(digit))


def _hear_bands(lines: Values, height: int) -> Values:
    bands = lines.reshape(len(lines), -1, height).sum(2)
    return mix(lines + _THREE * bands.repeat(height, 1))


def _count_ties(line: Values) -> NDArray[np.intp]:
    """How many pairs of rows, and of columns, have the same colour (N,)."""
    n = line.shape[1] // 2
    sides = line.reshape(len(line), 2, n)
    alike = sides[:, :, :, None] == sides[:, :, None, :]
    return np.asarray((alike.sum((1, 2, 3)) - 2 * n) // 2)
