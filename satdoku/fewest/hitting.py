"""Find a smallest hitting set by MaxSAT, or a lower bound on its size if the time runs out.

Invariant: `smallest` returns a set of minimum size, and `bound` never exceeds this minimum.

Each set to hit is a hard clause. For each cell, a soft clause says that the cell is not used, and
MaxSAT violates as few soft clauses as possible.

Sources: A. Ignatiev, A. Morgado, J. Marques-Silva, RC2: an Efficient MaxSAT Solver, JSAT 11 (2019),
in PySAT's implementation. PySAT's `hitman` does the same, but cannot be interrupted.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from threading import TIMEOUT_MAX, Timer

Cells = frozenset[int]


class HittingSets:
    """A growing collection of sets of cells, and its smallest hitting sets.

    cells: the cells (0-based) that a hitting set may use.
    """

    def __init__(self, cells: Collection[int]) -> None:
        from pysat.examples.rc2 import RC2
        from pysat.formula import WCNF

        formula = WCNF()
        for cell in sorted(cells):
            formula.append([-1 - cell], weight=1)
        # Do not use `exhaust`: it takes an interrupted call as a proof, so the bound may be wrong.
        self._solver = RC2(formula, solver="g4", adapt=True, minz=True)
        self.bound = 0

    def hit(self, cells: Collection[int]) -> None:
        """Add a set; an empty set cannot be hit."""
        self._solver.add_clause([1 + cell for cell in sorted(cells)])

    def smallest(self, deadline: float | None = None) -> Cells | None:
        """A smallest set that hits all sets; None after the deadline (of `time.monotonic`)."""
        seconds = TIMEOUT_MAX if deadline is None else max(0.0, deadline - time.monotonic())
        timer = Timer(seconds, self._solver.interrupt)
        timer.start()
        try:
            model = self._solver.compute(expect_interrupt=True)
        finally:
            timer.cancel()
        # Each core that was found costs at least one cell, even if the search was interrupted.
        self.bound = max(self.bound, self._solver.cost)
        return None if model is None else frozenset(v - 1 for v in model if v > 0)

    def close(self) -> None:
        """Free the solver."""
        self._solver.delete()
