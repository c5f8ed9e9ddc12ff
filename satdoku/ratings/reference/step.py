"""A step: what a technique concludes, why, and how hard that is.

Invariant: a step places one candidate, or strikes at least one, or both. Struck candidates are in
the order in which the pattern meets them, each cell once. Ratings are the published ones; where
they are sums, they are added as floats in the published order, because ties between ratings of
different techniques depend on their last bit.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import NamedTuple

from .board import State, bits
from .implications import Cause


class Technique(IntEnum):
    """Numbers of techniques, from the easiest on; `TECHNIQUES` has their words."""

    LAST_DIGIT = 0
    HIDDEN_SINGLE = 1
    DIRECT_POINTING = 2
    DIRECT_CLAIMING = 3
    DIRECT_HIDDEN_PAIR = 4
    NAKED_SINGLE = 5
    DIRECT_HIDDEN_TRIPLET = 6
    POINTING = 7
    CLAIMING = 8
    NAKED_PAIR = 9
    X_WING = 10
    HIDDEN_PAIR = 11
    NAKED_TRIPLET = 12
    SWORDFISH = 13
    HIDDEN_TRIPLET = 14
    SKYSCRAPER = 15
    TWO_STRING_KITE = 16
    STRONG_LINKS_2 = 17
    XY_WING = 18
    XYZ_WING = 19
    UNIQUE_RECTANGLE = 20
    UNIQUE_LOOP = 21
    NAKED_QUAD = 22
    JELLYFISH = 23
    HIDDEN_QUAD = 24
    STRONG_LINKS_3 = 25
    WXYZ_WING = 26
    BUG = 27
    STRONG_LINKS_4 = 28
    VWXYZ_WING = 29
    ALIGNED_PAIR = 30
    UVWXYZ_WING = 31
    X_CYCLE = 32
    Y_CYCLE = 33
    XY_CYCLE = 34
    FORCING_X_CHAIN = 35
    FORCING_CHAIN = 36
    TUVWXYZ_WING = 37
    ALIGNED_TRIPLET = 38
    NISHIO = 39
    CELL_FORCING = 40
    REGION_FORCING = 41
    DOUBLE_FORCING = 42
    CONTRADICTION = 43


class ChainLink(NamedTuple):
    """A candidate of a chain that holds or leaves because of others; an assumption has none."""

    candidate: int
    holds: bool
    cause: Cause
    parents: tuple[int, ...]  # numbers of links of the same chain


Struck = tuple[tuple[int, int], ...]  # cells, and the digits that leave each


class Step(NamedTuple):
    technique: Technique
    rating: float
    level: int = 0  # chains: 0 plain to 4 nested dynamic; unique loops and BUG: their type, 1 to 4
    placed: int | None = None  # candidate
    struck: Struck = ()
    cells: int = 0  # of the pattern
    digits: int = 0
    houses: tuple[int, ...] = ()  # sets: the house; intersections and fish: base, cover in turn
    chains: tuple[tuple[ChainLink, ...], ...] = ()  # each from its end backwards

    def apply(self, state: State) -> None:
        for cell, digits in self.struck:
            state.strike_all(cell, digits)
        if self.placed is not None:
            state.place(self.placed)


def struck_in(cells: int, digit: int) -> Struck:
    """One digit (from 0) leaves cells."""
    return tuple((cell, 1 << digit) for cell in bits(cells))


def struck_together(parts: Iterable[Struck]) -> Struck:
    """Several conclusions as one: each cell once, where it is met first."""
    together: dict[int, int] = {}
    for cell, digits in (entry for part in parts for entry in part):
        together[cell] = together.get(cell, 0) | digits
    return tuple(together.items())
