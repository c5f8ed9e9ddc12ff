"""Sums that follow from stated ones by the 45 rule, and sums by segments.

Invariant: everything told here holds in each solution. Some houses, side by side or apart, have a
known total; disjoint sums leave some of their cells, and reach beyond them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from itertools import chain
from operator import and_

from ..cnf.encodings.segments import segments
from ..cnf.implied import areas, differ, houses_of, peers_of, reduced
from ..model.constraints import Constraints
from ..model.kinds.sums import sets_of
from ..model.masks import bits, mask_of
from ..model.shapes import DigitSets, Sum

MOST_CAGED = 5  # cells of a cage that follows
MOST_SUMMED = 4  # cells of a sum that follows
# Limits of a sum by segments, as in the kernel.
MOST_SEGMENT, MOST_SEGMENTS, TOTALS = 3, 32, 2048
Total = tuple[int, int, int]  # masks of cells that are added and subtracted, and what remains


def implied(constraints: Constraints) -> Iterator[DigitSets | Sum]:
    """Cages and other sums of few cells; some may be stated as well."""
    stated = chain.from_iterable(family.sums for family in constraints.families)
    plain = (said for said in stated if isinstance(said, Sum) and {*said.weights} == {1})
    sums = list(dict.fromkeys((mask_of(said.cells), said.total) for said in plain))
    if not sums:
        return
    n = constraints.board.size
    totals = dict.fromkeys(
        left
        for area, count in areas(constraints.board, houses_of(constraints))
        for left in _left(area, count * n * (n + 1) // 2, sums)
        if 0 < (left[0] | left[1]).bit_count() <= MOST_SUMMED
    )
    for more, less, total in totals:
        if less or (more, total) not in sums:
            weights = (1,) * more.bit_count() + (-1,) * less.bit_count()
            yield simple(Sum((*bits(more), *bits(less)), weights, total), constraints)


def _left(area: int, total: int, sums: Sequence[tuple[int, int]]) -> Iterator[Total]:
    """What disjoint sums leave of the area: those within it; those that meet it; and those that lie
    in it for the most part."""
    inner = outer = most = 0
    inside = around = mostly = total
    for mask, own in sums:
        shared = mask & area
        if not shared:
            continue
        if not mask & outer:
            outer, around = outer | mask, around - own
        if shared == mask and not mask & inner:
            inner, inside = inner | mask, inside - own
        if 2 * shared.bit_count() > mask.bit_count() and not mask & most:
            most, mostly = most | mask, mostly - own
    for taken, rest in ((inner, inside), (outer, around), (most, mostly)):
        more, less = area & ~taken, taken & ~area
        if taken and more:
            yield more, less, rest
        elif taken:
            yield less, 0, -rest


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
