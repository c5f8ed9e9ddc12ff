"""A finding: a conclusion that a technique has found, and the units that force it.

Invariant: the units of a finding, with the candidates of its state, entail its conclusion. This is
not taken on trust: `witness` proves every finding that becomes a step.
"""

from __future__ import annotations

from typing import NamedTuple

from ..model.board import Cells
from .units import Mask


class Finding(NamedTuple):
    """A conclusion that some units force in a state.

    technique: its name. units: the numbers of the units, which are the explanation. placed: the
    candidate that must be true, or None. struck: the candidates that must be false (empty if one is
    placed). cells, digits: those that the technique is about, such as a pair's cells and digits;
    `words` needs them.
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
        """The size of the explanation: its number of units."""
        return len(self.units)
