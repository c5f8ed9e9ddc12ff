"""Which cells differ, and which of them hold every digit, as rules and clues of two cells say.

Invariant: what is told here holds in each solution. Sets of cells are masks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain

from .board import Cells
from .constraints import Constraints
from .masks import bits, mask_of


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
    n = frame.board.size
    peers = [0] * frame.board.cells
    for house in _stated_houses(frame):
        for cell in bits(house):
            peers[cell] |= house & ~(1 << cell)
    pairs = set(chain.from_iterable(family.stated for family in frame.families))
    alike = Counter((a // n, b // n) for a, b in pairs if a % n == b % n and a != b)
    for (a, b), digits in alike.items():
        if digits == n:
            peers[a] |= 1 << b
            peers[b] |= 1 << a
    return tuple(peers)


@lru_cache(maxsize=8)
def houses_of(constraints: Constraints) -> tuple[Cells, ...]:
    """The sets of cells that hold every digit: those of the rules, and as many cells of a clue as
    there are digits, if they differ."""
    n, peers = constraints.board.size, peers_of(constraints)
    houses = _houses_of_rules(constraints.frame)
    for family in constraints.families:
        if len(family.relations) < n * (n - 1) // 2:  # too few for a house
            continue
        cells = tuple(sorted({cell for related in family.relations for cell in related[:2]}))
        if len(cells) == n and cells not in houses and differ(cells, peers):
            houses += (cells,)
    return houses


@lru_cache(maxsize=8)
def _houses_of_rules(frame: Constraints) -> tuple[Cells, ...]:
    return tuple(tuple(bits(house)) for house in _stated_houses(frame))


@lru_cache(maxsize=8)
def _stated_houses(frame: Constraints) -> tuple[int, ...]:
    """Masks of the cells of which exactly one has each digit."""
    n = frame.board.size
    masks = Counter(
        mask_of(candidate // n for candidate in group)
        for group in frame.groups
        if len({candidate % n for candidate in group}) == 1
    )
    every = (mask for mask, digits in masks.items() if digits == n and mask.bit_count() == n)
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
