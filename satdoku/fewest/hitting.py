"""Smallest sets that hit all of some sets, and a lower bound if time runs out.

Invariant: `smallest` returns a smallest set. Each set is a hard clause, "this cell is left out" is
a soft clause, and MaxSAT violates as few soft clauses as possible. `bound` never exceeds the
minimum.

Source: A. Ignatiev, A. Morgado, J. Marques-Silva, RC2: an Efficient MaxSAT Solver, JSAT 11 (2019),
as implemented in PySAT. PySAT's `hitman` does the same, but cannot be stopped.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from threading import TIMEOUT_MAX, Timer

from pysat.examples.rc2 import RC2
from pysat.formula import WCNF

Cells = frozenset[int]


class HittingSets:
    """A growing list of sets of cells to hit."""

    def __init__(self, cells: Collection[int]) -> None:
        formula = WCNF()
        for cell in sorted(cells):
            formula.append([-1 - cell], weight=1)
        # No `exhaust`: it takes an interrupted call for a proof, and the bound would be wrong.
        self._solver = RC2(formula, solver="g4", adapt=True, minz=True)
        self.bound = 0

    def hit(self, cells: Collection[int]) -> None:
        """Add a set; an empty one cannot be hit."""
        self._solver.add_clause([1 + cell for cell in sorted(cells)])

    def smallest(self, deadline: float | None = None) -> Cells | None:
        """A smallest set that hits all; None after the deadline (of `time.monotonic`)."""
        seconds = TIMEOUT_MAX if deadline is None else max(0.0, deadline - time.monotonic())
        timer = Timer(seconds, self._solver.interrupt)
        timer.start()
        try:
            model = self._solver.compute(expect_interrupt=True)
        finally:
            timer.cancel()
        # Every core that was found costs at least one cell, even if the search was stopped.
        self.bound = max(self.bound, self._solver.cost)
        return None if model is None else frozenset(v - 1 for v in model if v > 0)

    def close(self) -> None:
        """Free the solver."""
        self._solver.delete()
