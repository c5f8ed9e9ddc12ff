"""What a technique has found: a conclusion and the units that force it.

Invariant: a finding's units, with the candidates of its state, entail its conclusion. Nobody takes
this on trust: `witness` proves every finding that becomes a step.
"""

from __future__ import annotations

from typing import NamedTuple

from ..model.board import Cells
from .units import Mask


class Finding(NamedTuple):
    """A conclusion that some units force in a state.

    technique: its name; units: their numbers, the explanation; placed: the candidate that must
    hold, or None; struck: the candidates that cannot (none if one is placed); cells, digits: what
    the technique speaks of (the pair's cells and its digits, say), for the words.
    """

    technique: str
    units: tuple[int, ...]
    placed: int | None = None
    struck: Mask = 0
    cells: Cells = ()
    digits: tuple[int, ...] = ()
    refuted: int | None = None

    @property
    def size(self) -> int:
        """The measure of an explanation: its number of units."""
        return len(self.units)
