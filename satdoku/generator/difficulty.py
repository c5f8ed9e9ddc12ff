"""Puzzles of a difficulty that is asked for: which of those that were made have it.

Invariant: a rating depends on the puzzle alone, so the same seed gives the same puzzles.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..model.constraints import Constraints
from ..ratings.scale import FIELDS, rate_cells, serves
from ..ratings.step import TECHNIQUES
from .oracle import GeneratorError, Grids, Mask


class Difficulty(NamedTuple):
    """What is asked for on the scale of Sudoku Explainer; None for any.

    er: (least, most) rating of the hardest step, both included; technique: the name of that step.
    """

    er: tuple[float, float] | None = None
    technique: str | None = None

    @property
    def words(self) -> list[str]:
        """What is asked for, for messages: `ER 7.0 to 8.0`, `technique XY-wing`."""
        words = [f"ER {self.er[0]:.1f} to {self.er[1]:.1f}"] if self.er else []
        return words + ([f"technique {self.technique}"] if self.technique else [])

    def check(self, constraints: Constraints) -> None:
        """Raise `GeneratorError` if there are no such puzzles."""
        if self.words and not serves(constraints):
            raise GeneratorError("only classic 9x9 puzzles have a rating of Sudoku Explainer")
        if self.er and not 0 <= self.er[0] <= self.er[1]:
            raise GeneratorError(f"{self.words[0]}: expected LO-HI, such as 2-5")
        if self.technique and not self._codes:
            raise GeneratorError(
                f"no technique '{self.technique}': expected {', '.join(dict.fromkeys(TECHNIQUES))}"
            )

    def has(self, puzzles: Grids) -> Mask:
        """Which of the puzzles (N, 81), each with one solution, are of this difficulty."""
        fits = np.ones(len(puzzles), np.bool_)
        found = np.frombuffer(rate_cells(puzzles.tobytes()), np.int32).reshape(-1, FIELDS)
        if self.er:
            low, high = (round(10 * bound) for bound in self.er)
            fits &= (found[:, 0] >= low) & (found[:, 0] <= high)
        if self.technique:
            fits &= np.isin(found[:, 3], self._codes)
        return fits

    @property
    def _codes(self) -> list[int]:
        """The numbers of the technique, however its name is capitalised; none if there is none."""
        wanted = (self.technique or "").strip().lower()
        return [code for code, name in enumerate(TECHNIQUES) if name.lower() == wanted]


ANY = Difficulty()
