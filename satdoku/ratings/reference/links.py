"""Strong links of one digit in a row: two (skyscraper, kite), three or four of them.

Invariant: in each link's house the digit is in one of its two ends (cells, or groups of cells in
one line of a box), and neighbouring ends share a house; so it is in the first end or in the last,
and leaves the cells that see both. If these two share a house as well, the links are a ring, and
the digit leaves what sees any two neighbouring ends. Of several patterns the one of the simplest
kind counts, then the one that strikes most, then the first in the order of their kinds of houses,
digits, links and ways through them. Ratings from 4.0, 5.4 and 5.8 on (Sukaku Explainer 1.18).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, reduce
from operator import itemgetter, or_
from typing import NamedTuple

from ...model.board import bits
from .board import (
    ALL,
    BITS,
    BOX,
    CELLS,
    COLUMN,
    HOUSE,
    ROW,
    State,
    Step,
    Technique,
    cells_at,
    is_single,
    lowest,
    seen_by_all,
    struck_in,
)

BASE = {2: 4.0, 3: 5.4, 4: 5.8}
ABOVE = (0.0, 0.1, 0.2, 0.3)
COLUMNS = (0o111, 0o222, 0o444)  # of a box, as places
ROWS = (0o7, 0o70, 0o700)  # of a box; of a line: its boxes
SWAPPED = (BOX, COLUMN, ROW)


class Link(NamedTuple):
    house: int
    whole: int  # cells with the digit in the house
    ends: tuple[int, int]  # cells
    houses: tuple[int, int]  # that hold a whole end, as bits
    grouped: bool


def _houses_around(cells: int) -> int:
    houses = -1
    for cell in bits(cells):
        houses &= sum(1 << house for house in HOUSE[cell])
    return houses


@cache
def _link(house: int, first: int, second: int, grouped: bool) -> Link:
    ends = (cells_at(house, first), cells_at(house, second))
    houses = (_houses_around(ends[0]), _houses_around(ends[1]))
    return Link(house, ends[0] | ends[1], ends, houses, grouped)


Ends = Iterator[tuple[int, int]]  # places


def _ends_in_line(at: int) -> Ends:
    """The digit lies in two of the three boxes of a line."""
    for empty in range(3):
        if not at & ROWS[empty]:
            first, second = (at & box for i, box in enumerate(ROWS) if i != empty)
            if first and second:
                yield (first, second) if is_shorter(first, second) else (second, first)
            return


def is_shorter(first: int, second: int) -> bool:
    """Whether the first end may stay first: a single cell comes before a group."""
    return first.bit_count() == 1 or second.bit_count() > 1


def _ends_in_cross(at: int, centre: int) -> Ends:
    """The digit lies in one row and one column of a box, which meet in the centre."""
    middle = at & 1 << centre
    arms = [at & line & ~middle for line in (ROWS[centre // 3], COLUMNS[centre % 3])]
    if not all(arms):
        return
    alone = [arm for arm in arms if is_single(arm)]
    if alone:
        yield alone[0], at & ~alone[0]
    else:
        yield arms[1] | middle, arms[0] | middle


def _ends_in_two_lines(first: int, second: int, width: int) -> Ends:
    """The digit lies in two rows (or columns) of a box; a rectangle can be paired both ways."""
    yield first, second
    places = first | second
    if places.bit_count() == 4 and _across(first, width) == _across(second, width):
        low = (first & -first) | (second & -second)
        yield low, places & ~low


def _across(places: int, width: int) -> set[int]:
    """Which columns (or rows) of a box are used; `width` is 1 for lines that are rows."""
    return {place % 3 if width == 1 else place // 3 for place in BITS[places]}


def _ends_in_box(at: int) -> Ends:
    for centre in range(9):
        if not at & ~(COLUMNS[centre % 3] | ROWS[centre // 3]):
            yield from _ends_in_cross(at, centre)
            return
    for width, lines in ((1, ROWS), (3, COLUMNS)):
        for empty in (2, 1, 0):
            if not at & lines[empty]:
                first, second = (at & line for i, line in enumerate(lines) if i != empty)
                yield from _ends_in_two_lines(first, second, width)
                return


def _in_one_line(at: int) -> bool:
    first, second = BITS[at]
    return first // 3 == second // 3 or first % 3 == second % 3


def links_of(state: State, digit: int) -> Iterator[Link]:
    """The strong links of a digit, by house; two places of a box in one line belong to the line."""
    for house in range(27):
        at = state.of_house[9 * house + digit]
        size, box = at.bit_count(), house // 9 == BOX
        if size == 2 and not (box and _in_one_line(at)):
            yield _link(house, at & -at, at & (at - 1), False)
        elif 3 <= size <= 6:
            for first, second in _ends_in_box(at) if box else _ends_in_line(at):
                yield _link(house, first, second, True)


class Path(NamedTuple):
    numbers: tuple[int, ...]  # of the links among those of the digit
    links: tuple[Link, ...]
    enter: tuple[int, ...]  # by which end the path comes into each link

    def ends(self, i: int, j: int) -> tuple[int, int]:
        """The end by which link i is left and the one by which link j is entered."""
        return self.links[i].ends[1 - self.enter[i]], self.links[j].ends[self.enter[j]]

    def houses_between(self, i: int, j: int) -> int:
        """The houses that hold both ends."""
        return self.links[i].houses[1 - self.enter[i]] & self.links[j].houses[self.enter[j]]

    @property
    def is_ring(self) -> bool:
        return bool(self.houses_between(-1, 0))

    @property
    def counts(self) -> bool:
        """Each path is met from both sides, a ring from each of its links: one of them counts."""
        if self.is_ring:
            return self.numbers[0] == min(self.numbers) and not self.enter[0]
        return self.numbers[0] < self.numbers[-1]

    def seen_between(self, i: int, j: int) -> int:
        """Cells outside the links' houses that see both ends."""
        first, second = self.ends(i, j)
        seen = seen_by_all(first | second)
        for link in self.links:
            seen &= ~CELLS[link.house]
        return seen


def _extended(links: list[Link], path: Path, size: int, used: int) -> Iterator[Path]:
    """All paths of a size that begin with this one; no two links share a cell."""
    if len(path.links) == size:
        yield path
        return
    for number, link in enumerate(links):
        if link.whole & used:
            continue
        for enter in (0, 1):
            longer = Path((*path.numbers, number), (*path.links, link), (*path.enter, enter))
            if not path.links or longer.houses_between(-2, -1):
                yield from _extended(links, longer, size, used | link.whole)


def _shared_house(houses: int) -> int:
    """The house that two ends share: a column before a row before a box."""
    for kind in (COLUMN, ROW, BOX):
        if houses >> 9 * kind & ALL:
            return 9 * kind + lowest(houses >> 9 * kind & ALL)
    raise ValueError("these ends share no house")


def _struck_by(path: Path, with_digit: int) -> tuple[int, int]:
    """What leaves, and how much that is if a cell counts once for each two ends that it sees."""
    pairs = [(i, i + 1) for i in range(len(path.links) - 1)]
    if path.is_ring:
        parts = [path.seen_between(i, j) & with_digit for i, j in [(-1, 0), *pairs]]
        return reduce(or_, parts), sum(part.bit_count() for part in parts)
    struck = path.seen_between(-1, 0) & with_digit
    for i, j in pairs:
        struck &= ~CELLS[_shared_house(path.houses_between(i, j))]
    return struck, struck.bit_count()


def _exchanged(order: list[int], size: int) -> Iterator[tuple[int, ...]]:
    """The permutations of the first `size` members, by B. R. Heap's method (The Computer Journal
    6(3), 1963): each comes from the one before by one exchange."""
    if size < 2:
        yield tuple(order)
        return
    last = size - 1
    yield from _exchanged(order, last)
    for place in reversed(range(last)):
        other = place if last % 2 else 0
        order[other], order[last] = order[last], order[other]
        yield from _exchanged(order, last)


@cache
def _ranks(size: int) -> dict[tuple[int, ...], int]:
    """The place of each permutation in that order."""
    return {order: rank for rank, order in enumerate(_exchanged(list(range(size)), size))}


def _order_of(path: Path, digit: int) -> tuple[object, ...]:
    numbers = sorted(path.numbers)
    kinds = tuple(sorted((link.house // 9 for link in path.links), reverse=True))
    rank = _ranks(len(numbers))[tuple(numbers.index(number) for number in path.numbers)]
    return kinds, digit, numbers, rank, path.enter


def _kinds_of(path: Path) -> tuple[int, ...]:
    """Kinds of houses, forwards or backwards, rows and columns swapped or not: the least."""
    kinds = tuple(link.house // 9 for link in path.links)
    swapped = tuple(SWAPPED[kind] for kind in kinds)
    return min(kinds, kinds[::-1], swapped, swapped[::-1])


def _name_of(kinds: tuple[int, ...]) -> Technique:
    if len(kinds) > 2:
        return Technique.STRONG_LINKS_3 if len(kinds) == 3 else Technique.STRONG_LINKS_4
    if BOX in kinds:
        return Technique.STRONG_LINKS_2
    return Technique.TWO_STRING_KITE if COLUMN in kinds else Technique.SKYSCRAPER


def _judged(state: State, digit: int, path: Path) -> tuple[tuple[object, ...], Step] | None:
    """What a path is worth (the least counts), and its step; None if it strikes nothing."""
    struck, total = _struck_by(path, state.of_digit[digit])
    if not struck:
        return None
    kinds, groups = _kinds_of(path), sum(link.grouped for link in path.links)
    # Above the plainest pattern: parallel lines, then boxes or both lines, then all, then groups.
    tenths = 3 if groups else (BOX in kinds) + (COLUMN in kinds)
    step = Step(
        _name_of(kinds),
        BASE[len(kinds)] + ABOVE[tenths],
        struck=struck_in(struck, digit),
        cells=reduce(or_, (link.whole for link in path.links)),
        digits=1 << digit,
        houses=tuple(link.house for link in path.links),
    )
    return (tenths, -total, groups, kinds, _order_of(path, digit)), step


def _patterns(state: State, size: int, grouped: bool) -> Iterator[tuple[tuple[object, ...], Step]]:
    for digit in range(9):
        links = [link for link in links_of(state, digit) if grouped or not link.grouped]
        for path in _extended(links, Path((), (), ()), size, 0):
            if path.counts and (not grouped or any(link.grouped for link in path.links)):
                judged = _judged(state, digit, path)
                if judged:
                    yield judged


def strong_links(state: State, size: int) -> Iterator[Step]:
    """The patterns of `size` strong links, the one that counts first; those with groups rate above
    all others."""
    for grouped in (False, True):
        for _, step in sorted(_patterns(state, size, grouped), key=itemgetter(0)):
            yield step
