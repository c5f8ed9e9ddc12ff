"""Puzzles answered one after another, and the exit code of them all."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby, islice
from typing import TYPE_CHECKING

from ..cnf.encodings import DEFAULT_ENCODING
from ..errors import Status
from ..model.constraints import Constraints
from ..model.grid import Grid, GridError
from ..model.puzzle import Puzzle
from ..witness.verify import violations
from . import EXIT_BAD_INPUT, EXIT_DONE, EXIT_NO
from .inputs import asked_puzzles
from .output import say

if TYPE_CHECKING:
    from ..sat.session import Session


RUN = 4096  # puzzles that are decided together


def print_statuses(
    arguments: argparse.Namespace,
    conflicts: int | None,
    words: Mapping[Status, str],
    good: set[Status],
) -> int:
    """A word for each puzzle's status; the exit code is "no" if any is not among the good ones."""

    def answers() -> Iterator[bool | GridError]:
        for grid, status in _statuses(arguments, conflicts):
            if isinstance(grid, GridError):
                yield grid
            else:
                print(words[status])
                yield status in good

    return _exit_code(answers())


def _statuses(
    arguments: argparse.Namespace, conflicts: int | None
) -> Iterator[tuple[Grid | GridError, Status]]:
    """Each puzzle with its status, verified, in order; clashes are explained on stderr."""
    stream = asked_puzzles(arguments)
    while run := list(islice(stream, RUN)):
        for constraints, group in groupby(
            run, key=lambda question: getattr(question, "constraints", None)
        ):
            if constraints is None:
                yield from ((error, Status.INVALID) for error in group)  # type: ignore[misc]
                continue
            grids = [question.grid for question in group if isinstance(question, Puzzle)]
            answers = _decide(grids, constraints, arguments, conflicts)
            for grid, status in zip(grids, answers, strict=True):
                if status is Status.INVALID:
                    clashes(grid, constraints)
                yield grid, status


def _decide(
    grids: list[Grid],
    constraints: Constraints,
    arguments: argparse.Namespace,
    conflicts: int | None,
) -> Iterable[Status]:
    """By the engine; but numpy, which it needs, takes longer to load than one puzzle to solve."""
    from ..sat import api

    if len(grids) == 1 or arguments.backend == "session":
        session = api.shared_session(constraints, arguments.solver)
        return (session.classify(grid, conflicts=conflicts) for grid in grids)
    from ..batch.solve import BatchOptions, classify_grids

    return classify_grids(grids, BatchOptions(constraints, 2, arguments.solver, conflicts))


def for_each(arguments: argparse.Namespace, answer: Callable[[Grid, Session], bool]) -> int:
    """Answer every good puzzle."""
    from ..sat import api
    from ..sat.solver import DEFAULT_SOLVER, BudgetError

    solver = getattr(arguments, "solver", DEFAULT_SOLVER)
    encoding = getattr(arguments, "encoding", DEFAULT_ENCODING)

    def answers() -> Iterator[bool | GridError]:
        for question in asked_puzzles(arguments):
            if isinstance(question, GridError):
                yield question
                continue
            try:
                yield answer(
                    question.grid, api.shared_session(question.constraints, solver, encoding)
                )
            except BudgetError as error:
                say(error)
                yield False

    return _exit_code(answers())


def _exit_code(answers: Iterable[bool | GridError]) -> int:
    """2 if any puzzle was bad, which is said, else 1 if any answer was "no", else 0."""
    code = EXIT_DONE
    for good in answers:
        if isinstance(good, GridError):
            say(good)
            code = EXIT_BAD_INPUT
        elif not good and code == EXIT_DONE:
            code = EXIT_NO
    return code


def clashes(puzzle: Grid, constraints: Constraints) -> bool:
    """Whether two givens clash; says on stderr which and by which rule."""
    broken = violations(puzzle, constraints.rules)
    if broken:
        say(f"invalid: {broken[0].describe(puzzle)}")
    return bool(broken)
