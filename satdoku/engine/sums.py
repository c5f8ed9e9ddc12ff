"""Sums in the forms that the kernel runs: cages of few cells, or segments.

Invariant: a form says what the sum says, if its cells differ as they must.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from itertools import chain
from operator import and_

from ..model.constraints import Constraints
from ..model.kinds.sums import sets_of
from ..model.masks import bits
from ..model.peers import differ, houses_of, peers_of, segments
from ..model.shapes import DigitSets, Sum
from ..model.totals import left_by_houses, reduced

MOST_CAGED = 5  # cells of a cage that follows
MOST_SUMMED = 4  # cells of a sum that follows
# Limits of a sum by segments, as in the kernel.
MOST_SEGMENT, MOST_SEGMENTS, TOTALS = 3, 32, 2048


def implied(constraints: Constraints) -> Iterator[DigitSets | Sum]:
    """Cages and other sums of few cells that follow from the stated sums by the 45 rule."""
    return (simple(said, constraints) for said in left_by_houses(constraints, MOST_SUMMED))


def simple(said: Sum, constraints: Constraints) -> DigitSets | Sum:
    """A sum as a cage, if it is one of few cells."""
    alike = {*said.weights} == {1} and len(said.cells) <= MOST_CAGED
    if alike and differ(said.cells, peers_of(constraints)):
        size = constraints.board.size
        return DigitSets(said.cells, sets_of(len(said.cells), said.total, size))
    return said


def without_houses(said: Sum, constraints: Constraints) -> DigitSets | Sum:
    """A sum less the houses that it mostly contains."""
    return simple(reduced(said, houses_of(constraints), constraints.board.size), constraints)


@lru_cache(maxsize=1024)
def by_segments(said: Sum, constraints: Constraints) -> list[int] | None:
    """The sum as the kernel takes it; None if it is too large."""
    peers, listed = peers_of(constraints), []
    total = said.total
    for weight in sorted(set(said.weights)):
        alike = [c for c, w in zip(said.cells, said.weights, strict=True) if w == weight]
        total -= 10 * weight * len(alike) if weight < 0 else 0
        for cells in segments(alike, peers, MOST_SEGMENT):
            listed.append([abs(weight), int(weight < 0), len(cells), *cells])
    most = sum(9 * weight * count for weight, _, count, *_ in listed)
    if not listed or len(listed) > MOST_SEGMENTS or most >= TOTALS or not 0 <= total < TOTALS:
        return None
    return [total, *chain.from_iterable(listed)]


def beside(cells: Sequence[int], peers: Sequence[int]) -> list[int]:
    """The cells that differ from all of these."""
    return list(bits(reduce(and_, (peers[cell] for cell in cells))))
