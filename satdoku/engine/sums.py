"""Sums in the forms that the kernel runs: cages of few cells, or segments.

Invariant: a form says what the sum says, if its cells differ as they must.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import chain
from operator import and_
from typing import NamedTuple

from ..model.board import bits
from ..model.constraints import Constraints, Family
from ..model.implied import (
    differ,
    houses_of,
    is_sums_alone,
    left_by_houses,
    peers_of,
    reduced,
    segments,
)
from ..model.shapes import DigitSets, Sum, sets_of

MOST_CAGED = 5  # cells of a cage that follows
MOST_SUMMED = 4  # cells of a sum that follows
FEW_SUMS, MOST_OF_FEW = 4, 8  # where fewer follow than that, cells of a sum that follows
# Limits of a sum by segments, as in the kernel.
MOST_SEGMENT, MOST_SEGMENTS, TOTALS = 3, 32, 2048


class Segments(NamedTuple):
    """A sum as the kernel takes it: the total, then for each segment weight, whether mirrored,
    number of cells, cells."""

    listed: tuple[int, ...]


def implied(constraints: Constraints) -> Iterator[DigitSets | Segments]:
    """Cages and other sums of few cells that follow from the stated sums by the 45 rule."""
    peers, size = peers_of(constraints), constraints.board.size
    sums = [*left_by_houses(constraints, MOST_SUMMED)]
    if len(sums) < FEW_SUMS:
        sums = [*left_by_houses(constraints, MOST_OF_FEW)]
    return filter(None, (compiled(left, peers, size) for left in sums))


def of_family(family: Family, constraints: Constraints) -> list[DigitSets | Segments] | None:
    """What the totals of a family say, less the houses that they mostly contain; None if that is
    not all that it says, or too large."""
    if not is_sums_alone(family):
        return None
    peers, houses, size = peers_of(constraints), houses_of(constraints), constraints.board.size
    found = []
    for total in family.sums:
        said = isinstance(total, Sum) and compiled(reduced(total, houses, size), peers, size)
        if not said:
            return None
        found.append(said)
    return found


def compiled(said: Sum, peers: Sequence[int], size: int) -> DigitSets | Segments | None:
    """A sum as a cage, if it is one of few cells, else by segments; None if it is too large."""
    alike = {*said.weights} == {1} and len(said.cells) <= MOST_CAGED
    if alike and differ(said.cells, peers):
        return DigitSets(said.cells, sets_of(len(said.cells), said.total, size))
    total, listed = said.total, []
    for weight in sorted(set(said.weights)):
        same = [c for c, w in zip(said.cells, said.weights, strict=True) if w == weight]
        total -= 10 * weight * len(same) if weight < 0 else 0
        for cells in segments(same, peers, MOST_SEGMENT):
            listed.append((abs(weight), int(weight < 0), len(cells), *cells))
    most = sum(9 * weight * count for weight, _, count, *_ in listed)
    if not listed or len(listed) > MOST_SEGMENTS or most >= TOTALS or not 0 <= total < TOTALS:
        return None
    return Segments((total, *chain.from_iterable(listed)))


def beside(cells: Sequence[int], peers: Sequence[int]) -> list[int]:
    """The cells that differ from all of these."""
    return list(bits(reduce(and_, (peers[cell] for cell in cells))))
