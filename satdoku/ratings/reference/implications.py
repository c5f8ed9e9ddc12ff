"""What follows from a candidate: if it holds, which ones leave; if it leaves, which ones hold.

Invariant: consequences come in one order. A candidate that holds strikes the other digits of its
cell, then its digit in the box, the row and the column. One that leaves settles the cell, then the
box, the row and the column in which one place is left. Each consequence knows which of these it
comes from. Chains rate by their number of nodes, so the order of equals matters to the last tenth.
"""

from __future__ import annotations

from bisect import bisect_left
from enum import IntEnum
from itertools import accumulate, repeat
from typing import NamedTuple

from .board import BITS, BOX, CELL, CELLS, COLUMN, HOUSE, KINDS, PLACE, ROW, State, bits, is_single


class Cause(IntEnum):
    ASSUMED = 0
    CELL = 1
    BOX = 2
    ROW = 3
    COLUMN = 4
    PATTERN = 5


class Implied(NamedTuple):
    candidate: int
    cause: Cause


CAUSES = (Cause.BOX, Cause.ROW, Cause.COLUMN)  # by kind of house
LONGER = sorted(first << doublings for first in (4, 6) for doublings in range(16))
ABOVE = list(accumulate(repeat(0.1, len(LONGER)), initial=0.0))  # one by one: the last bit counts
# For each cell the others of its box, then what its row and its column have beside the box.
AROUND = [
    (
        CELLS[houses[BOX]] & ~(1 << cell),
        CELLS[houses[ROW]] & ~CELLS[houses[BOX]],
        CELLS[houses[COLUMN]] & ~CELLS[houses[BOX]],
    )
    for cell, houses in enumerate(HOUSE)
]


def struck_by(state: State, candidate: int, own: bool = True) -> list[Implied]:
    """What leaves if a candidate holds; `own` says whether other digits of its cell count."""
    cell, digit = divmod(candidate, 9)
    struck = []
    if own:
        others = state.of_cell[cell] & ~(1 << digit)
        struck = [Implied(9 * cell + other, Cause.CELL) for other in BITS[others]]
    for around, cause in zip(AROUND[cell], CAUSES, strict=True):
        cells = around & state.of_digit[digit]
        if cells:
            struck += [Implied(9 * other + digit, cause) for other in bits(cells)]
    return struck


def settled_by(
    state: State, candidate: int, own: bool = True, houses: bool = True
) -> list[Implied]:
    """What holds if a candidate leaves; `own` and `houses` say what counts."""
    cell, digit = divmod(candidate, 9)
    settled: dict[int, Cause] = {}
    others = state.of_cell[cell] & ~(1 << digit)
    if own and is_single(others):
        settled[9 * cell + others.bit_length() - 1] = Cause.CELL
    for kind in KINDS if houses else ():
        house = HOUSE[cell][kind]
        places = state.of_house[9 * house + digit] & ~(1 << PLACE[cell][kind])
        if is_single(places):
            settled.setdefault(9 * CELL[house][places.bit_length() - 1] + digit, CAUSES[kind])
    return [Implied(*entry) for entry in settled.items()]


def length_above(nodes: int) -> float:
    """What a chain of so many nodes rates above the shortest: a tenth for each of `LONGER` that is
    less than the number of nodes after the first two."""
    return ABOVE[bisect_left(LONGER, nodes - 2)]
