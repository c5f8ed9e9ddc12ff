"""Sums whose cells differ in segments, as a net reads them.

Invariant: what a sum strikes is exactly what no assignment has that gives cells of one segment
different digits and adds up to the total; cells of different segments may hold the same.

Each segment is read by itself: the sets of digits that it can hold, cell by cell; then the sums of
the segments are added. So the work grows with the number of segments, not with the product of what
they can hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice, zip_longest
from typing import NamedTuple

from ...model.board import Cells, bits, mask_of
from ...model.shapes import Sum
from ..readings import Mask
from ..units import House, Units
from .totals import Total, apart_of, equation, totals_of

MOST_DIGITS = 9  # sets of these are told apart
MOST_WEIGHT, FARTHEST = 100, 1000  # weights, and sums of positions
MOST_CELLS, MOST_SUMS = 5, 60  # of the sums that follow: more cost far more than they tell
MOST_IN_HOUSE = 4  # cells of a sum that follows, which a house is read with


class Segment(NamedTuple):
    """Cells that differ, and the weight of each. firsts: for each number of the first cells what
    the positions of their digits add up to, 0 if nothing says it; empty if nothing says any."""

    cells: Cells
    weight: int
    firsts: tuple[int, ...] = ()


class Summed(NamedTuple):
    """The positions (from 1) of the digits of the segments, each times its weight, add up to a
    total. units: those that say so, the clue first if it is one's own. label: in words; said: what
    it follows from, None of a clue. size: digits of a cell."""

    segments: tuple[Segment, ...]
    total: int
    units: tuple[int, ...]
    label: str
    said: Total | None
    size: int

    @property
    def members(self) -> Mask:
        """The candidates of its cells."""
        cells = (cell for segment in self.segments for cell in segment.cells)
        return mask_of(self.size * cell + d for cell in cells for d in range(self.size))

    def struck(self, live: Mask) -> Mask:
        """The candidates of `live` in its cells that no assignment has."""
        filled = [_filled(segment, live, self.size) for segment in self.segments]
        sums = [
            {segment.weight * _sum(held) for held in layers[-1]}
            for segment, layers in zip(self.segments, filled, strict=True)
        ]
        before, behind = [{0}], [{self.total}]
        for found in sums[:-1]:
            before.append({one + other for one in before[-1] for other in found})
        for found in sums[:0:-1]:
            behind.append({one - other for one in behind[-1] for other in found})
        gone = 0
        for segment, layers, first, rest in zip(
            self.segments, filled, before, reversed(behind), strict=True
        ):
            wanted = {one - other for one in rest for other in first}
            ends = {held for held in layers[-1] if segment.weight * _sum(held) in wanted}
            gone |= _useless(segment.cells, layers, ends, live, self.size)
        return gone


def _sum(held: int) -> int:
    """Of the positions of a set of digits."""
    return sum(digit + 1 for digit in bits(held))


def _filled(segment: Segment, live: Mask, size: int) -> list[set[int]]:
    """For each number of cells the sets of digits that the first ones can hold."""
    layers = [{0}]
    for cell, total in zip_longest(segment.cells, segment.firsts, fillvalue=0):
        digits = [1 << d for d in range(size) if live >> size * cell + d & 1]
        held = {held | d for held in layers[-1] for d in digits if not held & d}
        layers.append({one for one in held if total in (0, _sum(one))})
    return layers


def _useless(
    cells: Cells, layers: Sequence[set[int]], ends: set[int], live: Mask, size: int
) -> Mask:
    """The candidates on no way to one of the last sets."""
    gone = 0
    for cell, layer in zip(reversed(cells), reversed(layers[:-1]), strict=True):
        starts = set()
        for d in range(size):
            if live >> size * cell + d & 1:
                met = {held for held in layer if not held >> d & 1 and held | 1 << d in ends}
                starts |= met
                gone |= 0 if met else 1 << size * cell + d
        ends = starts
    return gone


def stated_sums(units: Units) -> Iterator[Summed]:
    """The sums that clues state and do not read with all that differs."""
    apart = apart_of(units)
    for unit, said in _stated(units):
        own = [(a, b) for a, b in combinations(sorted(said.cells), 2) if (a, b) in apart]
        if any((unit,) not in apart[pair] for pair in own) and _is_near(said.weights, units.size):
            found, more = _segments(units, said.cells, said.weights, (unit,))
            named = (unit, *more)
            yield Summed(found, said.total, named, units.all[unit].label, None, units.size)


def sums_that_follow(units: Units) -> Iterator[Summed]:
    """Those of houses and clues together."""
    labels = units.board.name_of
    near = (total for total in totals_of(units) if _is_near(total.weights, units.size))
    short = (total for total in near if len(total.cells) <= MOST_CELLS)
    for total in islice(short, MOST_SUMS):
        found, more = _segments(units, total.cells, total.weights, total.units)
        terms = [(labels(c), w) for c, w in zip(total.cells, total.weights, strict=True)]
        label = f"{equation(terms, total.of_digits)} by {total.name}"
        named = tuple(sorted({*total.units, *more}))
        yield Summed(found, total.total, named, label, total, units.size)


def joint_of(units: Units) -> Iterator[Summed]:
    """Each full house with the sums that lie in it, as far as they are apart: those that clues
    state, then those that follow, of few cells first."""
    size = units.size
    if size > MOST_DIGITS:
        return
    stated = [(said.cells, said.weights, said.total, (unit,)) for unit, said in _stated(units)]
    follow = [
        (total.cells, total.weights, total.total, total.units)
        for total in totals_of(units)
        if len(total.cells) <= MOST_IN_HOUSE
    ]
    order = [*sorted(stated, key=lambda one: len(one[0])), *follow]
    sums = [one for one in order if len(one[0]) > 1 and set(one[1]) == {1}]
    for house in units.houses:
        if house.is_full and len(house.cells) == size:
            yield _joint(units, house, sums)


_Sum = tuple[Cells, tuple[int, ...], int, tuple[int, ...]]  # cells, weights, total, units


def _joint(units: Units, house: House, sums: Iterable[_Sum]) -> Summed:
    """A house, cell by cell, those of a sum together; what its digits add up to needs no word."""
    cells: list[int] = []
    firsts: list[int] = []
    named = dict.fromkeys((*sorted(house.cells), *house.units))
    left, whole, count = set(house.cells), 0, 0
    for inside, _, total, by in sums:
        if left > set(inside):
            left.difference_update(inside)
            cells.extend(sorted(inside))
            whole += total
            firsts.extend((*(0,) * (len(inside) - 1), whole))
            named.update(dict.fromkeys(by))
            count += 1
    cells.extend(sorted(left))
    firsts.extend((0,) * len(left))
    size = units.size
    beside = f"with the sum{'s' if count > 1 else ''} in it" if count else "as a whole"
    segment = Segment(tuple(cells), 1, tuple(firsts))
    label = f"{house.label} {beside}"
    return Summed((segment,), size * (size + 1) // 2, tuple(named), label, None, size)


def _is_near(weights: Sequence[int], size: int) -> bool:
    """Whether the sums that are possible are few enough to be told apart."""
    return max(map(abs, weights)) <= MOST_WEIGHT and sum(map(abs, weights)) * size <= FARTHEST


def _stated(units: Units) -> Iterator[tuple[int, Sum]]:
    """The sums of the clues, with the numbers of their units."""
    by_family = {unit.family: unit.number for unit in units.all if unit.sentence}
    for family in units.constraints.families:
        for said in family.sums:
            if isinstance(said, Sum) and family.name in by_family:
                yield by_family[family.name], said


def _segments(
    units: Units, cells: Cells, weights: Sequence[int], own: tuple[int, ...]
) -> tuple[tuple[Segment, ...], tuple[int, ...]]:
    """The cells in as few segments as come of taking each into the first that it differs from; and
    the units, besides its own, that say that they differ."""
    apart, named = apart_of(units), set(own)
    found: list[tuple[list[int], int]] = []
    more: set[int] = set()
    for cell, weight in zip(cells, weights, strict=True):
        for held, of_held in found:
            if weight != of_held or units.size > MOST_DIGITS:
                continue
            ways = [apart.get((min(cell, c), max(cell, c)), ()) for c in held]
            if all(ways):
                more.update(*(_way(w, named) for w in ways))
                held.append(cell)
                break
        else:
            found.append(([cell], weight))
    return tuple(Segment(tuple(held), w) for held, w in found), tuple(sorted(more - named))


def _way(ways: Sequence[tuple[int, ...]], named: set[int]) -> tuple[int, ...]:
    """One that is named anyway, else the first."""
    return next((way for way in ways if named.issuperset(way)), ways[0])
