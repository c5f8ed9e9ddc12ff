"""Paths of steps that a worker keeps, so that the next step goes on from those before it.

Invariant: a step does not depend on what is kept: a path that is not is found again, step by step.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import lru_cache

from ..explain import Step, explain_steps
from ..model.constraints import Constraints
from ..model.grid import Grid
from ..runtime import limits

KEPT = 4  # puzzles, those asked about last


class Path:
    """The steps of a puzzle, as far as anybody has asked for them: `steps`."""

    def __init__(self, grid: Grid, constraints: Constraints, beyond: bool) -> None:
        self.steps: list[Step] = []
        self._more = explain_steps(grid, constraints, named=True, beyond=beyond)

    def behind(self, number: int, seconds: float) -> Iterator[Step]:
        """The steps behind the first `number`, as they are found; after so many seconds
        `BudgetError` in place of the next."""
        end = time.monotonic() + seconds
        while number < len(self.steps) or self._finds(end, seconds):
            if number < len(self.steps):
                yield self.steps[number]
                number += 1

    def _finds(self, end: float, seconds: float) -> bool:
        """Whether there is another step, which is kept."""
        try:
            with limits.within(end - time.monotonic(), seconds):
                limits.check()
                step = next(self._more, None)
        except BaseException:  # the steps have come to their end without being at an end
            path_of.cache_clear()
            raise
        self.steps += [] if step is None else [step]
        return step is not None


@lru_cache(maxsize=KEPT)
def path_of(grid: Grid, constraints: Constraints, beyond: bool) -> Path:
    """The path of `explain_steps`, which says what `beyond` is."""
    return Path(grid, constraints, beyond)
