"""Boards, moves and puzzles for tests of symmetries."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np


def line_moves(size, height):
    """All permutations of 0..size-1 that keep bands of that height together."""
    bands = [range(start, start + height) for start in range(0, size, height)]
    for order in permutations(bands):
        for inner in product(*(permutations(band) for band in order)):
            yield [line for band in inner for line in band]


def six_by_six_grids():
    """The 39,168 grids of 6x6 whose first row is 123456, row by row."""
    rows = np.array(list(permutations(range(1, 7))), np.uint8)
    apart = (rows[:, None] != rows[None]).all(2)
    halves = [np.sort(rows[:, half], 1) for half in (slice(0, 3), slice(3, 6))]
    matching = (halves[0][:, None] == halves[1][None]).all(2)  # each box must hold six digits

    def extend(chosen, allowed):
        if len(chosen) == 6:
            yield chosen
            return
        fits = allowed & matching[chosen[-1]] if len(chosen) % 2 else allowed
        for row in np.flatnonzero(fits):
            yield from extend([*chosen, row], allowed & apart[row])

    return rows[np.array(list(extend([0], apart[0])))].reshape(-1, 36)
