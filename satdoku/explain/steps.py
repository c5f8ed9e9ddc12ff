"""Solve a puzzle step by step; each step has the smallest explanation that was found.

Invariant: `witness` proves every step from the units that it names and the candidates that were
left. The last state equals what a CDCL solver finds for the puzzle.

In every state the next step is the conclusion whose explanation needs the fewest units. Sources:
J. Espasa, I. P. Gent, R. Hoffmann, C. Jefferson, A. M. Lynch, Using Small MUSes to Explain How to
Solve Pen and Paper Puzzles (Demystify, 2021); B. Bogaerts, E. Gamba, T. Guns, A Framework for
Step-Wise Explaining How to Solve Constraint Satisfaction Problems (2020).
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from .. import limits
from ..answers.api import true_candidates
from ..errors import SatdokuError, WitnessError
from ..model.constraints import Constraints
from ..model.grid import Grid
from ..model.masks import mask_of
from ..sat.session import verified
from .finder import Finder
from .finding import Finding
from .state import State
from .step import Step
from .units import Mask, units_of
from .witness import proves
from .words import chain_of, words_of


class UnexplainableError(SatdokuError):
    """A puzzle without solution has no steps; `explain_conflict` says why."""


def steps_of(
    puzzle: Grid, constraints: Constraints, timeout: float | None = None
) -> Iterator[Step]:
    """Yield the steps until every candidate left is in some solution.

    `timeout`: time in seconds. After it, `BudgetError` is raised instead of the next step; it
    never changes a step. Raises `UnexplainableError` if there is no solution.
    """
    deadline = limits.until(timeout)
    with limits.within(timeout):
        true = _true_candidates(puzzle, constraints)
        state = State.of(puzzle, units_of(constraints))
        finder = Finder(state.units, true, deadline)
    try:
        while state.live != true or state.placed.bit_count() < _known(state):
            if time.monotonic() > deadline:
                raise limits.late(timeout)
            finding = finder.next(state)
            step, state = _taken(state, finding)
            yield step
    finally:
        finder.close()
    _check_end(state, puzzle)


def _true_candidates(puzzle: Grid, constraints: Constraints) -> Mask:
    n = puzzle.board.size
    true = true_candidates(puzzle, constraints)
    if not all(true):
        raise UnexplainableError("the puzzle has no solution, so there are no steps to one")
    return mask_of(n * cell + digit - 1 for cell, digits in enumerate(true) for digit in digits)


def _known(state: State) -> int:
    """The number of cells with one candidate left."""
    return sum(state.digits_of(cell).bit_count() == 1 for cell in range(state.units.board.cells))


def _check_end(state: State, puzzle: Grid) -> None:
    if state.placed == state.live:
        verified(Grid(state.cells, puzzle.board), puzzle, state.units.constraints)


def _taken(state: State, finding: Finding) -> tuple[Step, State]:
    """Prove the finding and return it as a step, with the state after it."""
    units = tuple(state.units.all[unit] for unit in finding.units)
    if not proves(units, state.live, finding.placed, finding.struck):
        raise WitnessError(f"{finding.technique} by {units} does not follow in {state.live:x}")
    after = state.strike(finding.struck) if finding.placed is None else state.place(finding.placed)
    step = Step(
        technique=finding.technique,
        put=finding.placed,
        struck=state.live & ~after.live,
        units=units,
        live=state.live,
        board=state.units.board,
        words=words_of(state, finding),
        chain=chain_of(state, finding),
    )
    return step, after
