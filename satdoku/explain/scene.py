"""A rated step and the candidates before it, as the words about it ask for them.

Invariant: everything here is read from the step's record and from the candidates left before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..model.board import bits
from ..ratings.step import Step as Rated
from ..runtime.lazy import cached_property
from .naming import listed
from .techniques import State
from .units import House


class Link(NamedTuple):
    """A house whose digit stands in one of two ends, in the direction in which they are told."""

    house: House
    enter: frozenset[int]
    leave: frozenset[int]


OR = " or "  # what joins the last of several alternatives


class View:
    """Cells and candidates of a state, by number and in words."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.name = state.units.board.name_of

    def digits(self, cell: int) -> frozenset[int]:
        """The digits left in a cell."""
        return frozenset(digit + 1 for digit in bits(self.state.digits_of(cell)))

    def holds(self, cell: int, digit: int) -> bool:
        """Whether a digit is left in a cell."""
        return bool(self.state.live >> 9 * cell + digit - 1 & 1)

    def with_digit(self, cells: Iterable[int], digit: int) -> list[int]:
        """Those of the cells that have a digit left."""
        return [cell for cell in cells if self.holds(cell, digit)]

    def see(self, a: int, b: int) -> bool:
        """Whether two cells share a house."""
        return b in self.state.units.board.peers[a]

    def shared(self, cells: Iterable[int]) -> list[House]:
        """The houses that contain all of the cells: rows, columns, boxes."""
        wanted = set(cells)
        return [house for house in self.state.units.houses if wanted <= set(house.cells)]

    def names(self, cells: Iterable[int], joint: str = " and ") -> str:
        """Cells in words: `r1c1, r1c2 and r1c5`."""
        return listed(map(self.name, sorted(cells)), joint)


class Scene(View):
    """A step's record, its houses, and the state before it."""

    def __init__(self, rated: Rated, state: State, houses: Sequence[House]) -> None:
        super().__init__(state)
        self.rated = rated
        self.houses = houses  # those that the record names

    @cached_property
    def struck(self) -> dict[int, frozenset[int]]:
        """What the step strikes: the digits by cell."""
        found: dict[int, set[int]] = {}
        for candidate in self.rated.struck:
            if self.state.live >> candidate & 1:
                found.setdefault(candidate // 9, set()).add(candidate % 9 + 1)
        return {cell: frozenset(digits) for cell, digits in found.items()}


def numbers(digits: Iterable[int], joint: str = " and ") -> str:
    """Digits in words: `1, 2 and 5`."""
    return listed(sorted(digits), joint)


def lines(houses: Sequence[House]) -> str:
    """Houses of one kind in words: `rows 2 and 7`."""
    (kind, *_), *_ = (house.label.split() for house in houses)
    found = sorted(int(house.label.split()[1]) for house in houses)
    return f"{kind}{'es' if kind == 'box' else 's'} {listed(found)}"
