"""A clue, the candidates that are left, and those of them that it strikes, for the words.

Invariant: nothing here depends on what is said of it.
"""

from __future__ import annotations

from functools import lru_cache

from ..model.board import Cells
from ..model.clue import Clue
from ..model.kinds.kind import Kind
from ..runtime.lazy import cached_property
from .readings import Mask
from .units import Unit, Units


class Told:
    """lost: the digits that each cell loses."""

    def __init__(
        self, units: Units, unit: Unit, live: Mask, struck: Mask, clue: Clue, kind: Kind
    ) -> None:
        self.units, self.unit, self.live, self.struck = units, unit, live, struck
        self.clue, self.kind, self.board = clue, kind, units.board
        self.lost = units.held(struck)

    def part(self, struck: Mask, live: Mask | None = None) -> Told:
        """The same of some of the struck candidates, perhaps out of fewer."""
        left = self.live if live is None else live
        return Told(self.units, self.unit, left, struck, self.clue, self.kind)

    @cached_property
    def never(self) -> Mask:
        """What the clue strikes whatever else is left."""
        return _never(self.units, self.unit.number)

    def digits(self, cell: int) -> Cells:
        """The digits left in a cell before."""
        return self.units.held_in(cell, self.live)

    def side(self, cell: int) -> str:
        """`above`, if the cell loses greater digits than it keeps; `below`, if lesser ones."""
        lost, rest = self.lost[cell], self.units.held_in(cell, self.live & ~self.struck)
        if rest and min(lost) > max(rest):
            return "above"
        if rest and max(lost) < min(rest):
            return "below"
        return ""


def mask_of_cell(cell: int, size: int) -> Mask:
    """The candidates of a cell."""
    return ((1 << size) - 1) << size * cell


@lru_cache(maxsize=4096)
def _never(units: Units, number: int) -> Mask:
    return units.all[number].unsupported(units.every)
