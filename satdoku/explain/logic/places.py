"""Of which groups, houses and lines a technique has anything to say, asked of C.

Invariant: none is left out of which the reference tells anything; what it tells is told in Python.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from ...model.board import bits
from ..readings import Mask
from ..techniques import meeting
from ..units import Unit, Units
from .net import AVAILABLE, listed_numbers

if AVAILABLE:
    from . import _net

KINDS = ("lonely", "within", "seen", "naked", "hidden", "fish", "wings")  # as C numbers them
MOST_SIZE, MOST_LINES = 16, 64  # that C takes


class Lines(NamedTuple):
    """A digit's groups in lines, and in those across them; met: for each candidate which of these
    have it."""

    digit: int
    bases: tuple[Unit, ...]
    covers: tuple[Unit, ...]
    met: dict[int, int]


class Places:
    """The groups, houses and lines of one puzzle."""

    def __init__(self, units: Units) -> None:
        self._places = _net.open_places(array("i", _numbers_of(units)))
        self._bytes = (units.constraints.variables + 7) // 8

    def asked(self, kind: str, live: Mask, count: int = 1) -> int:
        """Those to be asked in a state, by number, as bits; count: of cells, digits or lines."""
        candidates = live.to_bytes(self._bytes, "little")
        found = _net.asked(self._places, candidates, KINDS.index(kind), count)
        return int.from_bytes(found, "little")

    def shortest(self, live: Mask, digit: int | None) -> tuple[int, list[int]]:
        """How many links the shortest chains of one strand have, and the literals that they start
        from: 2 * candidate + whether it holds."""
        candidates = live.to_bytes(self._bytes, "little")
        links, *literals = array(
            "i", _net.shortest(self._places, candidates, -1 if digit is None else digit)
        )
        return links, literals


@lru_cache(maxsize=16)
def places_of(units: Units) -> Places | None:
    """Those of a rule set; None without a compiler, or where C does not take so many."""
    most_lines = max((len(lines.bases) for lines in lines_of(units)), default=0)
    across = max((len(lines.covers) for lines in lines_of(units)), default=0)
    fits = units.size <= MOST_SIZE and max(most_lines, across) <= MOST_LINES
    return Places(units) if AVAILABLE and fits else None


@lru_cache(maxsize=16)
def lines_of(units: Units) -> tuple[Lines, ...]:
    """Of each digit rows across columns, and columns across rows; none where a line does not hold
    each digit."""
    rows, columns = (
        [h for h in units.houses if h.is_full and units.all[h.units[0]].family == family]
        for family in ("row", "column")
    )
    found = []
    for digit in range(len(units.board.digits)) if rows and columns else ():
        for both in ((rows, columns), (columns, rows)):
            bases, covers = (tuple(units.all[h.units[digit]] for h in some) for some in both)
            met: dict[int, int] = {}
            for number, cover in enumerate(covers):
                for candidate in bits(cover.candidates):
                    met[candidate] = met.get(candidate, 0) | 1 << number
            found.append(Lines(digit, bases, covers, met))
    return tuple(found)


@lru_cache(maxsize=16)
def groups_of_digits(units: Units) -> list[list[Unit]]:
    """For each digit the groups of houses that are about it."""
    found: list[list[Unit]] = [[] for _ in range(units.size)]
    for unit in units.groups:
        if unit.digit is not None:
            found[(unit.candidates.bit_length() - 1) % units.size].append(unit)
    return found


def _numbers_of(units: Units) -> Iterator[int]:
    """What `open_places` reads: candidates, and those of a cell; the groups, and for each those
    that it meets; what each candidate excludes; the houses' cells, and whether each is full; for
    each digit its groups; the lines, and those across them."""
    yield from (units.constraints.variables, units.size, len(units.groups))
    yield from _lists(bits(group.candidates) for group in units.groups)
    yield from _lists((unit.number for unit in met) for met in meeting(units))
    excluded = (units.excluded[c] for c in range(units.constraints.variables))
    yield from _lists(bits(mask) for mask in excluded)
    yield len(units.houses)
    yield from _lists(house.cells for house in units.houses)
    yield from (house.is_full for house in units.houses)
    yield from _lists((unit.number for unit in some) for some in groups_of_digits(units))
    yield len(lines_of(units))
    yield from _lists((unit.number for unit in lines.bases) for lines in lines_of(units))
    yield from _lists((unit.number for unit in lines.covers) for lines in lines_of(units))


def _lists(lists: Iterable[Iterable[int]]) -> Iterator[int]:
    return chain.from_iterable(map(listed_numbers, lists))
