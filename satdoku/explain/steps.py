"""A puzzle solved step by step, each step the smallest explanation that was found.

Invariant: a step leaves here only after `witness` has proved it from the units that it names and
the candidates that were left, and the last state equals what a CDCL solver says of the puzzle.

The way is that of J. Espasa, I. P. Gent, R. Hoffmann, C. Jefferson, A. M. Lynch, Using Small MUSes
to Explain How to Solve Pen and Paper Puzzles (Demystify, 2021) and B. Bogaerts, E. Gamba, T. Guns,
A Framework for Step-Wise Explaining How to Solve Constraint Satisfaction Problems (2020): in every
state take the conclusion whose explanation needs the fewest units.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from math import inf

from ..errors import SatdokuError, WitnessError
from ..model.constraints import Constraints
from ..model.grid import Grid
from ..sat.api import shared_session
from ..sat.session import verified
from ..sat.solver import BudgetError
from .finder import Finder
from .finding import Finding
from .state import State
from .step import Step
from .units import Mask, mask_of, units_of
from .witness import proves
from .words import chain_of, words_of


class UnexplainableError(SatdokuError):
    """A puzzle without solution has no steps; `explain_conflict` says why."""


def steps_of(puzzle: Grid, constraints: Constraints, limit: float | None = None) -> Iterator[Step]:
    """The steps, as they are found, until no candidate is left that is in no solution.

    Of a puzzle with several solutions: until each candidate left is in some of them. `limit` is a
    time in seconds; once it is over, the next step is a `BudgetError`, but no step is another one.
    Raises `UnexplainableError` if there is no solution.
    """
    deadline = time.monotonic() + (inf if limit is None else limit)
    true = _true_candidates(puzzle, constraints, limit)
    state = State.of(puzzle, units_of(constraints))
    finder = Finder(state.units, true, deadline)
    try:
        while state.live != true or state.placed.bit_count() < _known(state):
            if time.monotonic() > deadline:
                raise BudgetError(f"no further step within {limit:g} seconds")
            finding = finder.next(state)
            step, state = _taken(state, finding)
            yield step
    finally:
        finder.close()
    _check_end(state, puzzle)


def _true_candidates(puzzle: Grid, constraints: Constraints, limit: float | None) -> Mask:
    n = puzzle.board.size
    true = shared_session(constraints).candidates(puzzle, seconds=limit)
    if not all(true):
        raise UnexplainableError("the puzzle has no solution, so there are no steps to one")
    return mask_of(n * cell + digit - 1 for cell, digits in enumerate(true) for digit in digits)


def _known(state: State) -> int:
    """How many cells have one candidate left."""
    return sum(state.digits_of(cell).bit_count() == 1 for cell in range(state.units.board.cells))


def _check_end(state: State, puzzle: Grid) -> None:
    if state.placed == state.live:
        verified(Grid(state.cells, puzzle.board), puzzle, state.units.constraints)


def _taken(state: State, finding: Finding) -> tuple[Step, State]:
    """The finding as a step, proved, and the state after it."""
    units = tuple(state.units.all[unit] for unit in finding.units)
    if not proves(units, state.live, finding.placed, finding.struck):
        raise WitnessError(f"{finding.technique} by {units} is no proof in {state.live:x}")
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
