"""Aligned exclusion: of two or three cells, the combinations of digits that leave no digit to a
cell that all of them see.

Invariant: a digit that is in no allowed combination leaves its cell. Cells that exclude have at
most as many digits as there are aligned cells. Ratings 6.2 (pair) and 7.5 (triplet; Sudoku
Explainer).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from .board import BITS, PEERS, State, bits, see
from .step import Step, Technique

NAMES = {2: (Technique.ALIGNED_PAIR, 6.2), 3: (Technique.ALIGNED_TRIPLET, 7.5)}


def _allowed(state: State, cells: tuple[int, ...], taken: list[int]) -> list[int]:
    """For each cell its digits in allowed combinations; `taken`: digits of cells that all see."""
    allowed = [0] * len(cells)
    seeing = [(i, j) for i in range(len(cells)) for j in range(i) if see(cells[i], cells[j])]
    for digits in product(*(BITS[state.of_cell[cell]] for cell in cells)):
        if any(digits[i] == digits[j] for i, j in seeing):
            continue
        used = sum(1 << digit for digit in set(digits))
        if all(each & ~used for each in taken):
            for i, digit in enumerate(digits):
                allowed[i] |= 1 << digit
    return allowed


def _aligned(state: State, cells: tuple[int, ...], common: int) -> Iterator[Step]:
    allowed = _allowed(state, cells, [state.of_cell[cell] for cell in bits(common)])
    struck = tuple(
        (cell, state.of_cell[cell] & ~digits)
        for cell, digits in zip(cells, allowed, strict=True)
        if state.of_cell[cell] & ~digits
    )
    if struck:
        technique, rating = NAMES[len(cells)]
        yield Step(technique, rating, struck=struck, cells=sum(1 << cell for cell in cells))


def aligned_exclusions(state: State, size: int) -> Iterator[Step]:
    """Pairs (or triplets) of cells with two cells or more that all of them see and that exclude."""
    small = sum(1 << c for c, digits in enumerate(state.of_cell) if 0 < digits.bit_count() <= size)
    excluding = [PEERS[cell] & small for cell in range(81)]
    bases = [cell for cell in range(81) if state.of_cell[cell] and excluding[cell]]
    for n, later in enumerate(bases):
        for earlier in bases[:n]:
            common = excluding[earlier] & excluding[later]
            if common.bit_count() < 2:
                continue
            if size == 2:
                yield from _aligned(state, (earlier, later), common)
                continue
            for third in _thirds(earlier, later, excluding, bases):
                if (common & excluding[third]).bit_count() >= 2:
                    yield from _aligned(state, (earlier, later, third), common & excluding[third])


def _thirds(earlier: int, later: int, excluding: list[int], bases: list[int]) -> Iterator[int]:
    """Cells that exclude: those that the first sees, then the others that the second sees."""
    either = sum(1 << cell for cell in bases) & ~(1 << earlier | 1 << later)
    yield from bits(either & excluding[earlier])
    yield from bits(either & excluding[later] & ~excluding[earlier])
