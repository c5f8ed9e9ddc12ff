"""Cages that follow from stated ones by the 45 rule.

Invariant: every cage here holds in each solution. Some houses, side by side or apart, have a known
total; disjoint sums within them leave an inner cage, and sums that cover them an outer one. Only
cells that all differ, and few of them, are told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import chain
from operator import and_

from ..cnf.implied import areas, houses_of, peers_of
from ..model.board import Cells
from ..model.constraints import Constraints
from ..model.kinds.sums import sets_of
from ..model.masks import bits, mask_of
from ..model.shapes import DigitSets, Sum

MOST_CELLS = 5  # of a cage that follows
Total = tuple[int, int]  # a mask of cells, and what they add up to


def implied_cages(constraints: Constraints) -> Iterator[DigitSets]:
    """The cages that follow from sums and houses; some may be stated as well."""
    stated = chain.from_iterable(family.sums for family in constraints.families)
    plain = (said for said in stated if isinstance(said, Sum) and {*said.weights} == {1})
    sums = list(dict.fromkeys((mask_of(said.cells), said.total) for said in plain))
    if not sums:
        return
    n, peers = constraints.board.size, peers_of(constraints)
    houses = map(mask_of, houses_of(constraints))
    totals = dict.fromkeys(
        total
        for area, count in areas(constraints.board, houses)
        for total in _left((area, count * n * (n + 1) // 2), sums)
    )
    for mask, total in totals:
        cells = tuple(bits(mask))
        if 0 < len(cells) <= MOST_CELLS and differ(cells, peers):
            yield DigitSets(cells, sets_of(len(cells), total, n))


def _left(area: Total, sums: Sequence[Total]) -> Iterator[Total]:
    """What sums within the area leave of it, and what those that meet it have beyond it."""
    within, inner = area
    covered, outer = 0, 0
    for mask, total in sums:
        if not mask & ~area[0] and mask & within == mask:
            within, inner = within & ~mask, inner - total
        if mask & area[0] and not mask & covered:
            covered, outer = covered | mask, outer + total
    if within != area[0]:
        yield within, inner
    if covered & area[0] == area[0]:
        yield covered & ~area[0], outer - area[1]


def differ(cells: Cells, peers: Sequence[int]) -> bool:
    """Whether no two of the cells may hold the same digit."""
    mask = mask_of(cells)
    return all(not mask & ~peers[cell] & ~(1 << cell) for cell in cells)


def beside(cells: Sequence[int], peers: Sequence[int]) -> list[int]:
    """The cells that differ from all of these."""
    return list(bits(reduce(and_, (peers[cell] for cell in cells))))
