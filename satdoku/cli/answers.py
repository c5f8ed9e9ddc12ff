"""Puzzles answered one after another, and the exit code of them all."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ..cnf.encodings import DEFAULT_ENCODING
from ..model.grid import Grid
from ..model.puzzle import Puzzle, Unreadable
from ..runtime.errors import BudgetError, OutOfTime, Status, counted
from ..runtime.limits import within
from ..witness.verify import first_violation
from . import EXIT_BAD_INPUT, EXIT_DONE, EXIT_NO
from .inputs import asked_puzzles
from .options import Options, Puzzles, Question
from .output import note, say, show
from .programs import asked_program

if TYPE_CHECKING:
    from ..answers.answer import Answer as Answered
    from ..model.constraints import Constraints

Answer = TypeVar("Answer")

RUN = 4096  # puzzles that are decided together


class Decided(NamedTuple):
    """A puzzle and its status; the reason says which givens clash if it is invalid; solved_by: what
    has decided it, `engine` or a solver, empty if nothing has."""

    asked: Puzzle
    status: Status
    reason: str
    solved_by: str


def for_each_puzzle(
    arguments: Puzzles,
    answer: Callable[[Puzzle], bool],
    puzzles: Iterable[Puzzle | Unreadable] | None = None,
) -> int:
    """Answer every puzzle that can be read; `answer` prints, and tells whether it is a "yes".

    puzzles: those of the arguments, unless given.
    """

    def answers() -> Iterator[bool | Unreadable]:
        for asked in asked_puzzles(arguments) if puzzles is None else puzzles:
            if isinstance(asked, Unreadable):
                yield asked
                continue
            limit = arguments.timeout
            try:
                with within(None if limit is None else limit - asked.took, limit):
                    good = answer(asked)
                yield good
            except BudgetError as error:
                say(error)
                if arguments.json:
                    show(arguments, "", asked.record, status=str(Status.UNKNOWN))
                yield False
            sys.stdout.flush()  # the next answer may take long

    return exit_code(arguments, answers())


def exit_code(arguments: Options, answers: Iterable[bool | Unreadable]) -> int:
    """2 if any puzzle could not be read, which is reported, else 1 if any answer was "no"."""
    code = EXIT_DONE
    for good in answers:
        if isinstance(good, Unreadable):
            report(arguments, good)
            code = max(code, code_of(good))
        elif not good and code == EXIT_DONE:
            code = EXIT_NO
    return code


def code_of(bad: Unreadable) -> int:
    """The exit code that a puzzle without an answer asks for: 1 if time was over."""
    return EXIT_NO if isinstance(bad.error, BudgetError) else EXIT_BAD_INPUT


def report(arguments: Options, bad: Unreadable) -> None:
    """What is wrong with a puzzle: a message, and with --json a line in place of the answer."""
    say(bad.error)
    if arguments.json:
        show(arguments, "", bad.record)


def decided(
    arguments: Puzzles, conflicts: int | None = None, *, strict: bool = False
) -> Iterator[Decided | Unreadable]:
    """Each puzzle with its status, verified, in order; givens that clash are named on stderr.

    strict: see `asked_puzzles`.
    """
    puzzles = asked_puzzles(arguments, marks=True, strict=strict, large=True)
    for answered in together(puzzles, lambda group: _decide(group, arguments, conflicts)):
        if isinstance(answered, Unreadable):
            yield answered
            continue
        asked, (status, solved_by) = answered
        reason = clash(arguments, asked) if status is Status.INVALID else ""
        if status is Status.UNKNOWN and arguments.timeout is not None:
            reason = str(_told_unknown(arguments))
        yield Decided(asked, status, reason, solved_by)


def together(
    puzzles: Iterator[Puzzle | Unreadable], answer: Callable[[list[Puzzle]], Iterable[Answer]]
) -> Iterator[tuple[Puzzle, Answer] | Unreadable]:
    """Each puzzle with its answer, in order. Puzzles under the same constraints, of at most `RUN`,
    are answered together when the first of them has its turn."""
    while run := list(islice(puzzles, RUN)):
        groups: dict[Constraints, list[Puzzle]] = {}
        for item in run:
            if isinstance(item, Puzzle):
                groups.setdefault(item.constraints, []).append(item)
        answers: dict[Constraints, Iterator[Answer]] = {}
        for item in run:
            if isinstance(item, Unreadable):
                yield item
                continue
            if item.constraints not in answers:
                found = answer(groups[item.constraints])
                # One group may be answered while it is read. Others would keep a session each.
                answers[item.constraints] = iter(found if len(groups) == 1 else list(found))
            yield item, next(answers[item.constraints])


def _decide(
    puzzles: list[Puzzle], arguments: Question, conflicts: int | None
) -> Iterable[tuple[Status, str]]:
    """By the engine; but numpy, which it needs, takes longer to load than one puzzle to solve."""
    marked = any(asked.mark_bytes for asked in puzzles)
    by_program = arguments.solver_cmd is not None
    beyond = puzzles[0].constraints.board.is_large
    one_by_one = marked or by_program or beyond or arguments.timeout is not None
    if len(puzzles) == 1 or one_by_one or arguments.backend == "session":
        return _classify_one_by_one(puzzles, arguments, conflicts)
    from ..batch.options import BatchOptions
    from ..batch.solve import classify_grids

    grids = [asked.grid for asked in puzzles]
    options = BatchOptions(puzzles[0].constraints, 2, arguments.solver, conflicts)
    return classify_grids(grids, options)


def _classify_one_by_one(
    puzzles: list[Puzzle], arguments: Question, conflicts: int | None
) -> Iterator[tuple[Status, str]]:
    answer, limit = answerer(arguments, conflicts), arguments.timeout
    for asked in puzzles:
        status, by = Status.UNKNOWN, ""
        with suppress(BudgetError), within(None if limit is None else limit - asked.took, limit):
            status, _, by = answer(asked, 2)
        yield status, by


def answerer(
    arguments: Question, conflicts: int | None = None
) -> Callable[[Puzzle, int], Answered]:
    """What answers a puzzle with a limit of 1 (is there a solution?) or 2 (is there another one?),
    as the options say: the engine and a session in turn, a solver, or a program."""
    from ..answers.answer import answer

    def by_us(asked: Puzzle, limit: int) -> Answered:
        return answer(
            asked,
            limit=limit,
            solver=arguments.solver,
            encoding=arguments.encoding or DEFAULT_ENCODING,
            conflicts=conflicts,
            alone=arguments.backend == "session",
        )

    program = asked_program(arguments)
    return by_us if program is None else program.answer


def clash(arguments: Options, asked: Puzzle) -> str:
    """Two givens that break a rule, in words, also said on stderr; empty if none do."""
    broken = first_violation(asked.grid, asked.constraints.rules)
    if broken is None:
        return ""
    words = broken.describe(asked.grid)
    note(arguments, f"invalid: {words}")
    return words


def solution_of(
    arguments: Question, asked: Puzzle, answer: Callable[[Puzzle, int], Answered]
) -> tuple[Grid | Status, str]:
    """A verified solution, or the status that says why there is none; and what has decided it."""
    if clash(arguments, asked):
        return Status.INVALID, ""
    try:
        status, solution, by = answer(asked, 1)
    except BudgetError as error:
        note(arguments, error)
        return Status.UNKNOWN, ""
    if status is Status.UNKNOWN:
        _told_unknown(arguments)
    return solution or status, by


def _told_unknown(arguments: Question) -> object:
    """Which limit was reached before an answer, said on stderr."""
    why: object = f"no answer within {counted(arguments.conflicts or 0, 'conflict')}"
    if arguments.timeout is not None:
        ended = f"timed out after {arguments.timeout:g} s"
        why = OutOfTime(ended) if arguments.conflicts is None else f"{why}, or {ended}"
    note(arguments, why)
    return why
