"""What follows from rules and clues: cells that differ, houses, and sums by the 45 rule.

Invariant: what is told here holds in each solution. Sets of cells are masks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from itertools import accumulate, chain, combinations, compress, count
from operator import or_
from typing import NamedTuple

from .board import Board, Cells, bits, mask_of
from .constraints import Constraints
from .lowering import Family
from .shapes import Automaton, Sum


def differ(cells: Sequence[int], peers: Sequence[int]) -> bool:
    """Whether no two of the cells may hold the same digit."""
    mask = mask_of(cells)
    return all(not mask & ~peers[cell] & ~(1 << cell) for cell in cells)


@lru_cache(maxsize=8)
def peers_of(constraints: Constraints) -> tuple[int, ...]:
    """For each cell the mask of the cells that no rule or clue lets hold the same digit."""
    peers = list(peers_by_rules(constraints.frame))
    for family in constraints.families:
        for a, b, table in family.relations:
            if table.differ and a != b:
                peers[a] |= 1 << b
                peers[b] |= 1 << a
    return tuple(peers)


@lru_cache(maxsize=8)
def peers_by_rules(frame: Constraints) -> tuple[int, ...]:
    """The same without what clues say of two cells; of a `Constraints.frame`."""
    n, each = frame.board.choices, len(frame.board.digits)
    peers = [0] * frame.board.cells
    for house in _stated_houses(frame):
        for cell in bits(house):
            peers[cell] |= house & ~(1 << cell)
    pairs = set(chain.from_iterable(family.stated for family in frame.families))
    alike = Counter((a // n, b // n) for a, b in pairs if a % n == b % n and a != b)
    for (a, b), digits in alike.items():
        if digits == each:
            peers[a] |= 1 << b
            peers[b] |= 1 << a
    return tuple(peers)


@lru_cache(maxsize=8)
def houses_of(constraints: Constraints) -> tuple[Cells, ...]:
    """The sets of cells that hold every digit: those of the rules, and as many cells of a clue as
    there are digits, if they differ."""
    n, peers = len(constraints.board.digits), peers_of(constraints)
    houses = _houses_of_rules(constraints.frame)
    for family in constraints.families:
        if len(family.relations) < n * (n - 1) // 2:  # too few for a house
            continue
        cells = tuple(sorted({cell for related in family.relations for cell in related[:2]}))
        held = {*map(len, constraints.board.domains(cells))}
        if len(cells) == n and held == {n} and cells not in houses and differ(cells, peers):
            houses += (cells,)
    return houses


@lru_cache(maxsize=8)
def _houses_of_rules(frame: Constraints) -> tuple[Cells, ...]:
    return tuple(tuple(bits(house)) for house in _stated_houses(frame))


@lru_cache(maxsize=8)
def _stated_houses(frame: Constraints) -> tuple[int, ...]:
    """Masks of the cells of which exactly one has each digit."""
    n, each = frame.board.choices, len(frame.board.digits)
    masks = Counter(
        mask_of(candidate // n for candidate in group)
        for group in frame.groups
        if len({candidate % n for candidate in group}) == 1
    )
    every = (mask for mask, digits in masks.items() if digits == each and mask.bit_count() == each)
    return tuple(every)


def segments(cells: Iterable[int], peers: Sequence[int], most: int) -> Iterator[Cells]:
    """The cells in few sets of at most so many that differ from each other, the largest first."""
    left = mask_of(cells)
    while left:
        largest: Cells = ()
        goal = min(most, left.bit_count())
        for first in bits(left):
            if len(largest) == goal:
                break
            grown = _grown(first, left, peers, goal)
            if len(grown) > len(largest):
                largest = grown
        yield largest
        left &= ~mask_of(largest)


def _grown(first: int, among: int, peers: Sequence[int], most: int) -> Cells:
    """A cell, and as many others as differ from it and from each other."""
    cells = [first]
    among &= peers[first]
    while among and len(cells) < most:
        cells.append((among & -among).bit_length() - 1)
        among &= peers[cells[-1]]
    return tuple(sorted(cells))


# Sums are totals of stated ones and of houses, some of them subtracted. The cells of a house add up
# to n(n+1)/2.


def is_sums_alone(family: Family) -> bool:
    """Whether its totals say all that its shapes say."""
    automata = (isinstance(shape, Automaton) for shape in family.shapes)
    return bool(family.sums and family.shapes) and all(automata)


def reduced(said: Sum, houses: Iterable[Sequence[int]], size: int) -> Sum:
    """The sum without each house most of whose cells have the same weight in it, times that."""
    weights: Counter[int] = Counter()
    for cell, weight in zip(said.cells, said.weights, strict=True):
        weights[cell] += weight
    total, before = said.total, None
    while before != total and len(weights) > size // 2:
        before = total
        for house in houses:
            if sum(weights[cell] != 0 for cell in house) <= size // 2:
                continue
            counts = Counter(weights[cell] for cell in house)
            common, holders = counts.most_common(1)[0]
            if common and holders > counts[0]:
                total -= common * len(house) * (len(house) + 1) // 2
                weights.subtract(dict.fromkeys(house, common))
    cells = tuple(sorted(cell for cell, weight in weights.items() if weight))
    sign = -1 if cells and weights[cells[0]] < 0 else 1
    return Sum(cells, tuple(sign * weights[cell] for cell in cells), sign * total)


class _Areas(NamedTuple):
    """Houses that lie side by side or apart. A number of each area is a field of `width` bytes of
    one integer, so that one operation counts for all of them; the highest bit is there to compare.

    masks, totals: of each area the cells, and what they add up to; ones: 1 in each field; sizes:
    the numbers of cells; holding: for each cell 1 for the areas that contain it.
    """

    masks: tuple[int, ...]
    totals: tuple[int, ...]
    width: int
    ones: int
    sizes: int
    holding: tuple[int, ...]

    def at_least(self, numbers: int, least: int) -> int:
        """1 in the fields whose number is not less."""
        high = 8 * self.width - 1
        return (numbers + ((1 << high) - least) * self.ones) >> high & self.ones

    def each(self, flags: int) -> bytes:
        """Of each area its 1 or 0."""
        return flags.to_bytes(self.width * len(self.masks), "little")[:: self.width]


@lru_cache(maxsize=8)
def _areas(board: Board, houses: tuple[Cells, ...]) -> _Areas:
    n, full = len(board.digits), {*map(mask_of, houses)}
    lines = [
        [mask for mask in map(mask_of, lines) if mask in full]
        for lines in (board.rows, board.columns)
    ]
    runs = [
        run
        for masks in lines
        for first in range(len(masks))
        for run in zip(accumulate(masks[first:], or_), count(1), strict=False)
    ]
    others = [house for house in map(mask_of, houses) if house not in chain(*lines)]
    apart = ((a | b, 2) for a, b in combinations(others, 2) if not a & b)
    masks, counts = zip(*runs, *((house, 1) for house in others), *apart, strict=True)
    totals = tuple(number * n * (n + 1) // 2 for number in counts)
    width = board.cells.bit_length() // 8 + 1
    holding = [
        sum(1 << 8 * width * place for place, mask in enumerate(masks) if mask >> cell & 1)
        for cell in range(board.cells)
    ]
    ones = sum(1 << 8 * width * place for place in range(len(masks)))
    return _Areas(masks, totals, width, ones, sum(holding), tuple(holding))


class _Stated(NamedTuple):
    """A sum of cells; shared: for each area how many of them it contains."""

    cells: int
    total: int
    shared: int


def left_by_houses(constraints: Constraints, most: int) -> Iterator[Sum]:
    """What disjoint sums leave of houses, and reach beyond them, if that is at most so many cells;
    each once, its lowest cell added, and none that is stated.

    Of each area those sums are taken that lie in it, that meet it, or that lie in it for the most
    part.
    """
    stated = chain.from_iterable(family.sums for family in constraints.families)
    plain = (said for said in stated if isinstance(said, Sum) and {*said.weights} == {1})
    known = {(mask_of(said.cells), 0, said.total): None for said in plain}
    if not known:
        return
    houses = houses_of(constraints)
    if not houses:
        return
    areas = _areas(constraints.board, houses)
    sums = [
        _Stated(cells, total, sum(areas.holding[cell] for cell in bits(cells)))
        for cells, _, total in known
    ]
    for least in (int, lambda count: 1, lambda count: count // 2 + 1):
        for left in _left(sums, _taken(sums, least, areas), areas, most):
            if left not in known:
                known[left] = None
                more, less, total = left
                weights = (1,) * more.bit_count() + (-1,) * less.bit_count()
                yield Sum((*bits(more), *bits(less)), weights, total)


def _taken(sums: Sequence[_Stated], least: Callable[[int], int], areas: _Areas) -> list[int]:
    """For each sum 1 for the areas that contain at least so many of its cells, none of which is in
    a sum before it that is taken from the area."""
    taken: list[int] = []
    seen = 0
    for cells, _, shared in sums:
        where = areas.at_least(shared, least(cells.bit_count()))
        if cells & seen:
            for other, before in zip(sums, taken, strict=False):
                where &= ~(before if cells & other.cells else 0)
        taken.append(where)
        seen |= cells
    return taken


def _left(
    sums: Sequence[_Stated], taken: Sequence[int], areas: _Areas, most: int
) -> Iterator[tuple[int, int, int]]:
    """The cells that are added, those that are subtracted, and the total."""
    left, field = areas.sizes, (1 << 8 * areas.width) - 1
    for said, where in zip(sums, taken, strict=True):
        left += where * said.cells.bit_count() - 2 * (said.shared & where * field)
    few = areas.at_least(left, 1) & ~areas.at_least(left, most + 1) & reduce(or_, taken)
    flags, count = b"".join(map(areas.each, taken)), len(areas.masks)
    for place in compress(range(count), areas.each(few)):
        area, total, cells = areas.masks[place], areas.totals[place], 0
        for said in compress(sums, flags[place::count]):
            cells, total = cells | said.cells, total - said.total
        more, less = area & ~cells, cells & ~area
        if less and (not more or less & -less < more & -more):
            more, less, total = less, more, -total
        yield more, less, total
