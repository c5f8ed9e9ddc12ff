"""What follows from rules and clues: cells that differ, houses, and sums by the 45 rule.

Invariant: what is told here holds in each solution. Sets of cells are masks.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from itertools import chain, combinations, compress
from operator import or_
from typing import NamedTuple

from .automata import sets_told
from .board import Board, Cells, bits, mask_of
from .constraints import Constraints
from .lowering import cells_at
from .shapes import Automaton, DigitSets, Sum

try:
    from . import _sums
except ImportError:  # built without a compiler
    AVAILABLE = False
else:
    AVAILABLE = True


def differ(cells: Sequence[int], peers: Sequence[int]) -> bool:
    """Whether no two of the cells may hold the same digit."""
    mask = mask_of(cells)
    return all(not mask & ~peers[cell] & ~(1 << cell) for cell in cells)


MOST_TOLD = 5  # cells; the layers of more take long to hash


def cage_of(read: Automaton, cells: Cells, constraints: Constraints) -> DigitSets | None:
    """The sets of digits that say all that an automaton does of few cells, if they differ."""
    if len(cells) > MOST_TOLD:
        return None
    sets = sets_told(read.layers, constraints.board.choices)
    if sets and len({*cells}) == len(cells) and differ(cells, peers_of(constraints)):
        return DigitSets(cells, sets)
    return None


@lru_cache(maxsize=8)
def peers_of(constraints: Constraints) -> tuple[int, ...]:
    """For each cell the mask of the cells that no rule or clue lets hold the same digit."""
    sets, width = peer_bytes(constraints), mask_width(constraints.board)
    return tuple(
        int.from_bytes(sets[at : at + width], "little") for at in range(0, len(sets), width)
    )


@lru_cache(maxsize=8)
def peer_bytes(constraints: Constraints) -> bytes:
    """The same as the C code takes them."""
    board, frame = constraints.board, constraints.frame
    placed = ((family.said.distinct, family.at) for family in constraints.families)
    sets = [cells_at(places, at) for distinct, at in placed for places in distinct]
    if AVAILABLE:
        return _sums.apart(sets, board.cells, bytes_by_rules(frame))
    return mask_bytes(apart_of(sets, peers_by_rules(frame))[0], board)


def apart_of(sets: Iterable[Cells], known: Sequence[int]) -> tuple[list[int], bool]:
    """The peers of each cell where cells of each set differ, too, and whether the known ones do not
    tell all of it, in Python."""
    peers, is_new = list(known), 0
    for cells in sets:
        mask = mask_of(cells)
        for cell in cells:
            others = mask & ~(1 << cell)
            is_new |= others & ~known[cell]
            peers[cell] |= others
    return peers, is_new > 0


@lru_cache(maxsize=8)
def bytes_by_rules(frame: Constraints) -> bytes:
    """`peers_by_rules` as the C code takes them."""
    nothing = bytes(frame.board.cells * mask_width(frame.board))
    sets = [*chain(*_by_rules(frame))]
    if AVAILABLE:
        return _sums.apart(sets, frame.board.cells, nothing)
    return mask_bytes(apart_of(sets, [0] * frame.board.cells)[0], frame.board)


@lru_cache(maxsize=8)
def peers_by_rules(frame: Constraints) -> tuple[int, ...]:
    """The same without what clues say of two cells; of a `Constraints.frame`."""
    sets = chain(*_by_rules(frame))
    return tuple(apart_of(sets, [0] * frame.board.cells)[0])


@lru_cache(maxsize=8)
def houses_of(constraints: Constraints) -> tuple[Cells, ...]:
    """The sets of cells that hold every digit: those of the rules, and as many cells of a clue as
    there are digits, if they differ."""
    n = len(constraints.board.digits)
    houses = (*_by_rules(constraints.frame)[0],)
    many = n * (n - 1) // 2  # fewer are too few for a house
    for family in (f for f in constraints.families if f.said.related >= many):
        cells = tuple(sorted({cell for related in family.relations for cell in related[:2]}))
        held = {*map(len, constraints.board.domains(cells))}
        if len(cells) == n and held == {n} and cells not in houses:
            houses += (cells,) if differ(cells, peers_of(constraints)) else ()
    return houses


Sets = list[Cells]


@lru_cache(maxsize=8)
def _by_rules(frame: Constraints) -> tuple[Sets, Sets]:
    """The sets of cells of which exactly one has each digit; and each two cells that pairs keep
    different."""
    board, pairs = frame.board, [family.stated for family in frame.families]
    if AVAILABLE:
        each = len(board.digits)
        return _sums.by_rules(frame.groups, pairs, board.cells, board.choices, each)
    return by_rules_in_python(frame)


def by_rules_in_python(frame: Constraints) -> tuple[Sets, Sets]:
    """The same in Python."""
    n, each = frame.board.choices, len(frame.board.digits)
    masks = Counter(mask for _, _, mask in frame.house_groups)
    whole = [
        tuple(bits(mask))
        for mask, digits in masks.items()
        if digits == each and mask.bit_count() == each
    ]
    pairs = set(chain.from_iterable(family.stated for family in frame.families))
    alike = Counter((a // n, b // n) for a, b in pairs if a % n == b % n and a != b)
    return whole, sorted(cells for cells, digits in alike.items() if digits == each)


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


class Reduced(NamedTuple):
    """A sum that follows from a stated one and from houses.

    times: how often the stated one counts, 1 or -1, if the lowest of its cells counts positive.
    houses: how often, and their cells.
    """

    said: Sum
    times: int
    houses: tuple[tuple[int, Cells], ...]


def reduced(said: Sum, houses: Sequence[Cells], size: int) -> Reduced:
    """The sum without each house most of whose cells have the same weight in it, times that."""
    if len(said.cells) <= size // 2 and len({*said.cells}) == len(said.cells) and all(said.weights):
        return Reduced(_ascending(said), 1, ())  # too short for a house
    weights: Counter[int] = Counter()
    for cell, weight in zip(said.cells, said.weights, strict=True):
        weights[cell] += weight
    stated = _sign(weights)
    total = said.total
    taken: Counter[Cells] = Counter()
    for house, times in most_contained(weights, houses, size):
        cells = houses[house]
        taken[cells] += times
        total -= times * len(cells) * (len(cells) + 1) // 2
        weights.subtract(dict.fromkeys(cells, times))
    cells = tuple(sorted(cell for cell, weight in weights.items() if weight))
    sign = _sign(weights)
    left = Sum(cells, tuple(sign * weights[cell] for cell in cells), sign * total)
    return Reduced(
        left, sign * stated, tuple((-sign * n, house) for house, n in taken.items() if n)
    )


def _ascending(said: Sum) -> Sum:
    """The same with its cells in ascending order, the lowest counted positive."""
    placed = sorted(zip(said.cells, said.weights, strict=True))
    sign = -1 if placed and placed[0][1] < 0 else 1
    cells, weights = zip(*placed, strict=True) if placed else ((), ())
    return Sum(cells, tuple([sign * weight for weight in weights]), sign * said.total)


def _sign(weights: Mapping[int, int]) -> int:
    """1, or -1 if the lowest cell that counts counts negative."""
    lowest = min((cell for cell, weight in weights.items() if weight), default=None)
    return -1 if lowest is not None and weights[lowest] < 0 else 1


def most_contained(
    weights: Mapping[int, int], houses: Sequence[Sequence[int]], size: int
) -> Iterator[tuple[int, int]]:
    """The houses most of whose cells have the same weight, by number, and that weight; whoever asks
    takes each of them away before the next."""
    changed, masks = True, _masks(tuple(houses))
    held = mask_of(cell for cell, weight in weights.items() if weight)
    while changed and len(weights) > size // 2:
        changed = False
        for number, mask in enumerate(masks):
            if (held & mask).bit_count() <= size // 2:
                continue
            counts = Counter(weights.get(cell, 0) for cell in houses[number])
            common, holders = counts.most_common(1)[0]
            if common and holders > counts[0]:
                changed = True
                yield number, common
                held = mask_of(cell for cell, weight in weights.items() if weight)


@lru_cache(maxsize=64)
def _masks(houses: tuple[Sequence[int], ...]) -> tuple[int, ...]:
    return tuple(map(mask_of, houses))


_Area = tuple[int, tuple[int, ...]]  # cells, and the numbers of the houses


class _Fields(NamedTuple):
    """Areas, a number of each of which is a field of `width` bytes of one integer, so that one
    operation counts for all of them; the highest bit is there to compare.

    areas: houses that lie side by side or apart; ones: 1 in each field; sizes: the numbers of
    cells; holding: for each cell 1 for the areas that contain it.
    """

    areas: tuple[_Area, ...]
    width: int
    ones: int
    sizes: int
    holding: tuple[int, ...]

    def at_least(self, numbers: int, least: int) -> int:
        """1 in the fields whose number is not less."""
        high = 8 * self.width - 1
        return (numbers + ((1 << high) - least) * self.ones) >> high & self.ones

    def each(self, flags: int) -> bytes:
        """What stands in each field."""
        return flags.to_bytes(self.width * len(self.areas), "little")[:: self.width]


MOST_UNITED = 4  # houses of a union
MOST_AREAS = 2000  # where unions are asked for


@lru_cache(maxsize=8)
def _fields(board: Board, houses: tuple[Cells, ...], is_wide: bool) -> _Fields:
    """The areas; if it is wide, also unions of few houses, of which at most two are rows or
    columns."""
    areas = _areas(board, houses)
    if is_wide:
        number = {mask_of(house): place for place, house in enumerate(houses)}
        lines = {*map(mask_of, (*board.rows, *board.columns))}
        others = [(mask, (place,)) for mask, place in number.items() if mask not in lines]
        areas = tuple(dict.fromkeys(_united(areas, others)))
    width = board.cells.bit_length() // 8 + 1 + is_wide
    holding = [bytearray(width * len(areas)) for _ in range(board.cells)]
    for place, (mask, _) in enumerate(areas):
        for cell in bits(mask):
            holding[cell][width * place] = 1
    held = tuple(int.from_bytes(flags, "little") for flags in holding)
    ones = sum(1 << 8 * width * place for place in range(len(areas)))
    return _Fields(areas, width, ones, sum(held), held)


@lru_cache(maxsize=8)
def _areas(board: Board, houses: tuple[Cells, ...]) -> tuple[_Area, ...]:
    """Runs of rows or of columns, other houses, and two of these."""
    number = {mask_of(house): place for place, house in enumerate(houses)}
    lines = [
        [mask for mask in map(mask_of, lines) if mask in number]
        for lines in (board.rows, board.columns)
    ]
    runs = [
        (reduce(or_, masks[first:last]), tuple(number[mask] for mask in masks[first:last]))
        for masks in lines
        for first in range(len(masks))
        for last in range(first + 1, len(masks) + 1)
    ]
    known = {*chain(*lines)}
    others = [(mask, (place,)) for mask, place in number.items() if mask not in known]
    apart = [(a | b, one + two) for (a, one), (b, two) in combinations(others, 2) if not a & b]
    return tuple(dict.fromkeys((*runs, *others, *apart)))


@lru_cache(maxsize=8)
def areas_in_c(board: Board, houses: tuple[Cells, ...]) -> _sums.Areas:
    """The areas as the C code keeps them."""
    areas, n = _areas(board, houses), len(board.digits)
    totals = array("i", [len(members) * n * (n + 1) // 2 for _, members in areas])
    return _sums.areas(board.cells, mask_bytes((mask for mask, _ in areas), board), totals)


def mask_width(board: Board) -> int:
    """How many bytes a set of cells takes there."""
    return 8 * -(-board.cells // 64)


def mask_bytes(masks: Iterable[int], board: Board) -> bytes:
    """The sets of cells as the C code takes them."""
    width = mask_width(board)
    return b"".join([mask.to_bytes(width, "little") for mask in masks])


def _united(areas: Iterable[_Area], others: Sequence[_Area]) -> Iterable[_Area]:
    """The areas, and unions of them with other houses, those of few houses first."""
    found = {mask: area for mask, *area in areas}
    grown = [(mask, area) for mask, (area,) in found.items() if len(area) <= 2]
    for mask, area in grown:
        if len(area) < MOST_UNITED:
            for other, (place,) in others:
                if len(found) == MOST_AREAS:
                    break
                if not mask & other and mask | other not in found:
                    found[mask | other] = [(*area, place)]
                    grown.append((mask | other, (*area, place)))
    return [(mask, area) for mask, (area,) in found.items()]


class Taken(NamedTuple):
    """Cells whose sum is taken from houses; beyond: how many cells tell that sum, if it is not a
    number."""

    cells: int
    beyond: int = 0


Plain = tuple[Cells, int]  # cells, and what they add up to


Weighed = tuple[Cells, tuple[int, ...], int]  # the fields of a `Sum`


def left_by_houses(constraints: Constraints, most: int) -> Sequence[Weighed]:
    """What disjoint sums leave of houses, and reach beyond them, if that is at most so many cells;
    each once, its lowest cell added, and none that is stated.

    Of each area those sums are taken that lie in it, that meet it, or that lie in it for the most
    part.
    """
    sums = [
        (cells_at(said.cells, family.at), said.total)
        for family in constraints.families
        for said in family.said.plain
    ]
    houses = houses_of(constraints) if sums else ()
    if not houses:
        return []
    if not AVAILABLE:
        return [*left_by_areas(constraints, sums, most)]
    return _sums.left(areas_in_c(constraints.board, houses), sums, most)


def left_by_areas(constraints: Constraints, sums: Iterable[Plain], most: int) -> Iterator[Sum]:
    """The same in Python, of sums of cells that count once."""
    known = {(mask_of(cells), 0, total): None for cells, total in sums}
    plain = [(cells, total) for cells, _, total in known]
    n = len(constraints.board.digits)
    for area, houses, taken in few_left(constraints, [Taken(cells) for cells, _ in plain], most):
        cells, total = 0, len(houses) * n * (n + 1) // 2
        for place in taken:
            cells, total = cells | plain[place][0], total - plain[place][1]
        more, less = area & ~cells, cells & ~area
        if less and (not more or less & -less < more & -more):
            more, less, total = less, more, -total
        if (more, less, total) not in known:
            known[more, less, total] = None
            weights = (1,) * more.bit_count() + (-1,) * less.bit_count()
            yield Sum((*bits(more), *bits(less)), weights, total)


class FewLeft(NamedTuple):
    """An area, the numbers of its houses among `houses_of`, and the numbers of disjoint sums."""

    area: int
    houses: tuple[int, ...]
    sums: tuple[int, ...]


def few_left(
    constraints: Constraints, sums: Sequence[Taken], most: int, is_wide: bool = False
) -> Iterator[FewLeft]:
    """The areas of which sums leave at most so many cells, those counted that they reach beyond it;
    some come again. is_wide: also unions of few houses that do not lie side by side."""
    houses = houses_of(constraints)
    if not sums or not houses:
        return
    areas = _fields(constraints.board, houses, is_wide)
    shared = [sum(areas.holding[cell] for cell in bits(said.cells)) for said in sums]
    for least in (int, lambda count: 1, lambda count: count // 2 + 1):
        taken = _taken(sums, shared, least, areas)
        yield from _left(sums, shared, taken, areas, most)


def _taken(
    sums: Sequence[Taken], shared: Sequence[int], least: Callable[[int], int], areas: _Fields
) -> list[int]:
    """For each sum 1 for the areas that contain at least so many of its cells, none of which is in
    a sum before it that is taken from the area. shared: for each sum and area how many of its cells
    that contains."""
    taken: list[int] = []
    seen = 0
    for (cells, _), held in zip(sums, shared, strict=True):
        where = areas.at_least(held, least(cells.bit_count()))
        if cells & seen:
            for other, before in zip(sums, taken, strict=False):
                where &= ~(before if cells & other.cells else 0)
        taken.append(where)
        seen |= cells
    return taken


def _left(
    sums: Sequence[Taken],
    shared: Sequence[int],
    taken: Sequence[int],
    areas: _Fields,
    most: int,
) -> Iterator[FewLeft]:
    """The areas of which few cells are left, but at least one."""
    left, field = areas.sizes, (1 << 8 * areas.width) - 1
    for (cells, beyond), held, where in zip(sums, shared, taken, strict=True):
        left += where * (cells.bit_count() + beyond) - 2 * (held & where * field)
    few = areas.at_least(left, 1) & ~areas.at_least(left, most + 1) & reduce(or_, taken)
    flags, count = b"".join(map(areas.each, taken)), len(areas.areas)
    for place in compress(range(count), areas.each(few)):
        chosen = tuple(compress(range(len(sums)), flags[place::count]))
        yield FewLeft(*areas.areas[place], chosen)
