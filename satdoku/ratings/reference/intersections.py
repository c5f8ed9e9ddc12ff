"""Intersections: all places of a digit in one house lie in another.

Invariant: the digit leaves the rest of the other house. Pointing is a box in a line, claiming a
line in a box. A direct intersection counts only for the hidden single that follows from it in a
house beside the first. Ratings 2.6 and 2.8, direct 1.7 and 1.9 (Sudoku Explainer).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .board import BITS, BOX, CELL, CELLS, COLUMN, COMMON, ROW, State, is_single
from .singles import hidden_step
from .step import Step, Technique

CROSSINGS = ((BOX, COLUMN), (BOX, ROW), (COLUMN, BOX), (ROW, BOX))


class _Intersection(NamedTuple):
    digit: int
    base: int  # the house whose places of the digit all lie in the other
    cover: int

    def cells(self, state: State) -> int:
        return CELLS[self.base] & state.of_digit[self.digit]

    @property
    def is_pointing(self) -> bool:
        return self.base // 9 == BOX


def _each(state: State) -> Iterator[_Intersection]:
    for base_kind, cover_kind in CROSSINGS:
        for digit in range(9):
            for base in range(9 * base_kind, 9 * base_kind + 9):
                places = state.of_house[9 * base + digit]
                if not 2 <= places.bit_count() <= 3:
                    continue
                for cover in range(9 * cover_kind, 9 * cover_kind + 9):
                    if not places & ~COMMON[base][cover]:
                        yield _Intersection(digit, base, cover)


def intersections(state: State) -> Iterator[Step]:
    """The digit leaves the rest of the covering house."""
    for crossing in _each(state):
        digit, base, cover = crossing
        rest = state.of_house[9 * cover + digit] & ~COMMON[cover][base]
        if rest:
            yield Step(
                Technique.POINTING if crossing.is_pointing else Technique.CLAIMING,
                2.6 if crossing.is_pointing else 2.8,
                struck=tuple((CELL[cover][place], 1 << digit) for place in BITS[rest]),
                cells=crossing.cells(state),
                digits=1 << digit,
                houses=(base, cover),
            )


def direct_intersections(state: State) -> Iterator[Step]:
    """Once the digit has left the covering house, a house beside the base has one place for it."""
    for crossing in _each(state):
        digit, base, cover = crossing
        kind = base // 9
        for other in range(9 * kind, 9 * kind + 9):
            places = state.of_house[9 * other + digit]
            left = places & ~COMMON[other][cover]
            if other != base and left != places and is_single(left):
                yield hidden_step(
                    Technique.DIRECT_POINTING if kind == BOX else Technique.DIRECT_CLAIMING,
                    1.7 if kind == BOX else 1.9,
                    other,
                    digit,
                    left,
                    crossing.cells(state),
                )
