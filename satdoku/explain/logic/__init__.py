"""Steps of a solution as a person finds them: the easiest technique first, each with a rating.

Invariant: a step follows from the units that it names and the candidates left; with `verify` the
witness proves it before it is yielded. A path depends on the puzzle alone: no clock, no solver, no
solution is asked.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...model.constraints import Constraints
from ...model.grid import Grid
from ...runtime import limits
from ..step import Step
from ..steps import check_end, taken
from ..techniques import State
from ..units import units_of
from .ladder import Ladder


def logic_steps(
    puzzle: Grid,
    constraints: Constraints,
    timeout: float | None = None,
    *,
    verify: bool = False,
) -> Iterator[Step]:
    """Yield the steps until no technique finds another, or every cell has its digit.

    After `timeout` seconds `BudgetError` is raised instead of the next step.
    """
    deadline = limits.until(timeout)
    with limits.within(timeout):
        state = State.of(puzzle, units_of(constraints))
        ladder = Ladder(state.units)
    while state.placed.bit_count() < state.units.board.cells:
        with limits.within(timeout):
            finding = ladder.next(state)
        if finding is None:
            return
        step, state = taken(state, finding, deadline, verify=verify)
        yield step
    check_end(state, puzzle)
