"""Steps of a solution as a person finds them: the easiest technique first, each with a rating.

Invariant: a step follows from the units that it names and the candidates left; with `verify` the
witness proves it before it is yielded. A path depends on the puzzle alone: no clock, no solver, no
solution is asked.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from math import inf

from ...model.constraints import Constraints
from ...model.grid import Grid
from ...runtime import limits
from ..step import Step
from ..steps import Finder, check_end, taken, true_mask
from ..techniques import State
from ..units import units_of
from .ladder import Ladder


def logic_steps(
    puzzle: Grid,
    constraints: Constraints,
    timeout: float | None = None,
    *,
    verify: bool = False,
    beyond: bool = False,
) -> Iterator[Step]:
    """Yield the steps until no technique finds another, or every cell has its digit.

    beyond: where no technique finds a step, go on with the smallest contradiction (see `steps`),
    until every candidate left is in some solution. After `timeout` seconds `BudgetError` is raised
    instead of the next step.
    """
    own = inf if timeout is None else time.monotonic() + timeout
    with limits.within(timeout):
        state = State.of(puzzle, units_of(constraints))
        ladder = Ladder(state.units)
    finder: Finder | None = None
    try:
        while state.placed.bit_count() < state.units.board.cells:
            deadline = min(own, limits.until(None))  # of whoever asks for this step
            if time.monotonic() > deadline:
                raise limits.late(timeout)
            with limits.within(deadline - time.monotonic(), timeout):
                finding = ladder.next(state)
            if finding is None and beyond:
                with limits.within(deadline - time.monotonic(), timeout):
                    true = finder.true if finder else true_mask(puzzle, constraints)
                finder = finder or Finder(state.units, true)
                finder.deadline = deadline
                finding = None if state.live == true else finder.next(state)
            if finding is None:
                break
            step, state = taken(state, finding, deadline, verify=verify)
            yield step
    finally:
        if finder:
            finder.close()
    check_end(state, puzzle)
