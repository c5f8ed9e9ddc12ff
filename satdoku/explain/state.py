"""The state of a solution: the candidates that are left after some steps.

Invariant: candidates are only removed, never added. Placing a digit at once strikes every candidate
that it excludes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ..model.grid import Grid
from .units import Mask, Unit, Units


@dataclass(frozen=True)
class State:
    """The candidates left, and those of them that are placed; both sets are integers (bit masks).

    No candidate that a placed one excludes is left. A cell with one candidate left may still be
    unplaced.
    """

    units: Units
    live: Mask
    placed: Mask

    @staticmethod
    def of(puzzle: Grid, units: Units) -> State:
        """The state before the first step: the givens are placed.

        If two givens clash, they strike each other, and some unit has no candidate left.
        """
        state = State(units, (1 << units.constraints.variables) - 1, 0)
        for cell, digit in enumerate(puzzle):
            if digit:
                state = state.place(units.size * cell + digit - 1)
        return state

    def place(self, candidate: int) -> State:
        """The state with the candidate true and all candidates that it excludes struck."""
        struck = self.units.excluded[candidate]
        return State(self.units, self.live & ~struck, self.placed | 1 << candidate)

    def strike(self, candidates: Mask) -> State:
        """The state without these candidates."""
        return State(self.units, self.live & ~candidates, self.placed)

    def left(self, unit: Unit) -> Mask:
        """The candidates left in a group."""
        return unit.candidates & self.live

    @cached_property
    def open_groups(self) -> list[tuple[Unit, Mask]]:
        """The groups without a placed candidate, with their candidates left, in unit order."""
        live, placed = self.live, self.placed
        return [
            (unit, unit.candidates & live)
            for unit in self.units.groups
            if not unit.candidates & placed
        ]

    @cached_property
    def unsupported(self) -> list[tuple[int, Mask]]:
        """The clues, by number, that forbid candidates left, and these candidates."""
        found = ((unit.number, unit.unsupported(self.live)) for unit in self.units.supporting)
        return [(unit, struck) for unit, struck in found if struck]

    def digits_of(self, cell: int) -> Mask:
        """The digits left in a cell, bit d for digit d + 1."""
        n = self.units.size
        return self.live >> n * cell & (1 << n) - 1

    @property
    def cells(self) -> bytes:
        """The placed digits, one byte per cell; 0 for a cell without one."""
        n = self.units.size
        placed = (self.placed >> n * cell & (1 << n) - 1 for cell in range(n * n))
        return bytes(digit.bit_length() for digit in placed)
