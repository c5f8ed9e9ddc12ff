"""A step: what a technique concludes, why, and how hard that is.

Invariant: a step places one candidate, or strikes at least one, or both. Struck candidates are in
the order in which the pattern meets them, each cell once. Ratings are the published ones; where
they are sums, they are added as floats in the published order, because ties between ratings of
different techniques depend on their last bit.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from .board import State, bits
from .implications import Cause


class Technique(StrEnum):
    """Names of techniques, from the easiest to the hardest."""

    LAST_DIGIT = "last digit"
    HIDDEN_SINGLE = "hidden single"
    DIRECT_POINTING = "direct pointing"
    DIRECT_CLAIMING = "direct claiming"
    DIRECT_HIDDEN_PAIR = "direct hidden pair"
    NAKED_SINGLE = "naked single"
    DIRECT_HIDDEN_TRIPLET = "direct hidden triplet"
    POINTING = "pointing"
    CLAIMING = "claiming"
    NAKED_PAIR = "naked pair"
    X_WING = "X-wing"
    HIDDEN_PAIR = "hidden pair"
    NAKED_TRIPLET = "naked triplet"
    SWORDFISH = "swordfish"
    HIDDEN_TRIPLET = "hidden triplet"
    SKYSCRAPER = "skyscraper"
    TWO_STRING_KITE = "two-string kite"
    STRONG_LINKS_2 = "two strong links"
    XY_WING = "XY-wing"
    XYZ_WING = "XYZ-wing"
    UNIQUE_RECTANGLE = "unique rectangle"
    UNIQUE_LOOP = "unique loop"
    NAKED_QUAD = "naked quad"
    JELLYFISH = "jellyfish"
    HIDDEN_QUAD = "hidden quad"
    STRONG_LINKS_3 = "three strong links"
    WXYZ_WING = "WXYZ-wing"
    BUG = "BUG"
    STRONG_LINKS_4 = "four strong links"
    VWXYZ_WING = "VWXYZ-wing"
    ALIGNED_PAIR = "aligned pair exclusion"
    UVWXYZ_WING = "UVWXYZ-wing"
    X_CYCLE = "bidirectional X-cycle"
    Y_CYCLE = "bidirectional Y-cycle"
    XY_CYCLE = "bidirectional cycle"
    FORCING_X_CHAIN = "forcing X-chain"
    FORCING_CHAIN = "forcing chain"
    TUVWXYZ_WING = "TUVWXYZ-wing"
    ALIGNED_TRIPLET = "aligned triplet exclusion"
    NISHIO = "nishio forcing chain"
    CELL_FORCING = "cell forcing chain"
    REGION_FORCING = "region forcing chain"
    DOUBLE_FORCING = "double forcing chain"
    CONTRADICTION = "contradiction forcing chain"


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
