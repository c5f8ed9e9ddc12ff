"""The command `fewest`: how few givens do."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, BinaryIO

from ...files.outputs import open_output
from ...files.streams import FileError
from ...model.puzzle import Puzzle, Unreadable
from ...runtime.errors import SatdokuError, counted
from ...runtime.limits import within
from .. import EXIT_DONE, EXIT_NO
from .. import options as opt
from ..answers import exit_code
from ..inputs import asked_constraints, asked_puzzles
from ..output import say, show, verdict

if TYPE_CHECKING:
    from ...fewest import Fewest, Report

DEFAULT_SECONDS = 60.0

EXAMPLE = "satdoku fewest 1234341221434321"


class Arguments(opt.Puzzles, opt.Rules, opt.Workers):
    puzzles = opt.argument(
        "PUZZLE",
        f"{opt.ARGUMENT_HELP}; without any: the fewest givens of any grid, under rules with few "
        "grids",
        "*",
    )
    givens = opt.option(
        type=opt.positive,
        metavar="K",
        help="stop as soon as it is known whether K givens are enough; without PUZZLE: count the "
        "puzzles with K givens",
    )
    every = opt.option(
        "--all",
        type=opt.positive,
        metavar="K",
        help="print every puzzle with K givens whose only solution is PUZZLE, a full grid; on 9x9, "
        "K = 16 takes about a second, K = 17 up to half a minute",
    )
    resume = opt.option(
        type=opt.Written(),
        metavar="FILE",
        help="with --all: keep a journal in FILE; if it exists, continue the search from it",
    )
    certificate = opt.option(
        type=opt.Written("certificate"),
        metavar="OUT",
        help="with --all: write a certificate that there are no other puzzles, for `verify`",
    )
    json = opt.json_option()
    timeout = opt.timeout_option("print bounds for the puzzle (default 60; with --all no limit)")


def run(arguments: Arguments) -> int:
    """Bounds on the fewest givens of each grid; exit 1 if they do not meet."""
    if arguments.every:
        return _every(arguments, arguments.every)
    if arguments.resume or arguments.certificate:
        raise SatdokuError("--resume and --certificate need --all K")
    if arguments.timeout is None:
        arguments.timeout = DEFAULT_SECONDS
    if not arguments.puzzles:
        with within(arguments.timeout):
            return _of_any_grid(arguments)
    return exit_code(arguments, _answers(arguments))


def _answers(arguments: Arguments) -> Iterator[bool | Unreadable]:
    """Whether each answer is proven, after its line is printed, in order."""
    from ...fewest import FewestError

    for asked, found in _found(arguments):
        if isinstance(asked, Unreadable):
            yield asked
        elif isinstance(found, FewestError):
            status = found.status
            show(arguments, verdict(status), asked.record, status=str(status))
            yield False
        elif isinstance(found, SatdokuError):
            yield Unreadable(found, asked.place)
        elif found is not None:
            show(arguments, found.words, asked.record, **found.as_data())
            yield found.tells(arguments.givens)
        sys.stdout.flush()


def _found(
    arguments: Arguments,
) -> Iterator[tuple[Puzzle | Unreadable, Fewest | SatdokuError | None]]:
    """Each puzzle with its answer, in order."""
    from ...runtime.workers import Workers, map_in_order

    asked = list(asked_puzzles(arguments))
    limits = arguments.givens, arguments.timeout
    if len(asked) == 1:
        report = None if arguments.quiet else lambda low, high: say(f"{low}..{high} givens")
        yield asked[0], _answer(asked[0], *limits, report)
        return
    jobs = ((item, (item, *limits)) for item in asked)
    with Workers("process", arguments.workers_for()) as pool:
        yield from map_in_order(pool, _answer, jobs)


def _answer(
    asked: Puzzle | Unreadable,
    enough: int | None,
    timeout: float | None,
    report: Report | None = None,
) -> Fewest | SatdokuError | None:
    """What a worker does: errors are answers too."""
    from ...fewest import fewest_givens

    if isinstance(asked, Unreadable):
        return None
    try:
        return fewest_givens(
            asked.grid, asked.constraints, enough=enough, timeout=_left(asked, timeout),
            on_bounds=report,
        )  # fmt: skip
    except SatdokuError as error:
        return error


def _left(asked: Puzzle, timeout: float | None) -> float | None:
    """The seconds that are left of the limit once the rules are read."""
    return None if timeout is None else max(0.0, timeout - asked.took)


def _every(arguments: Arguments, givens: int) -> int:
    """Every puzzle with so many givens of each grid; exit 1 if the time did not suffice for one."""
    if arguments.givens:
        raise SatdokuError("--all K and --givens K exclude each other")
    asked = list(asked_puzzles(arguments))
    if len(asked) != 1 and arguments.resume:
        raise SatdokuError(f"--resume: {counted(len(asked), 'grid')}, expected one")
    with ExitStack() as stack:
        certificates = None
        if arguments.certificate:
            certificates = stack.enter_context(open_output(arguments.certificate, keep=True))
        return exit_code(
            arguments, (_listed(arguments, item, givens, certificates) for item in asked)
        )


def _listed(
    arguments: Arguments, asked: Puzzle | Unreadable, givens: int, certificates: BinaryIO | None
) -> bool | Unreadable:
    """Whether the list of a grid's puzzles, now printed, is complete."""
    from ...certificates.fields import write_line
    from ...fewest import puzzles_with_givens

    if isinstance(asked, Unreadable):
        return asked
    try:
        found = puzzles_with_givens(
            givens, asked.grid, asked.constraints,
            timeout=_left(asked, arguments.timeout), resume=arguments.resume,
            progress=sys.stderr.isatty() and not arguments.quiet,
        )  # fmt: skip
    except FileError:
        raise
    except SatdokuError as error:
        return Unreadable(error, asked.place)
    text = f"{counted(len(found.puzzles), 'puzzle')} with {counted(found.givens, 'given')}"
    if not found.complete:
        text += f" so far, {found.done:,} of {found.tasks:,} tasks are done"
    puzzles = [str(puzzle) for puzzle in found.puzzles]
    show(
        arguments, "\n".join([text, *puzzles]), asked.record,
        givens=found.givens, puzzles=puzzles, complete=found.complete,
    )  # fmt: skip
    if certificates and found.complete:
        write_line(certificates, found.certificate().to_json())
    sys.stdout.flush()
    return found.complete


def _of_any_grid(arguments: Arguments) -> int:
    """Puzzles by givens and solutions; exit 1 if none has one solution."""
    from ...counting.few_grids import count_puzzles

    constraints = asked_constraints(arguments)
    found = count_puzzles(constraints, givens=arguments.givens)
    show(arguments, found.words, rules=constraints.name, **found._asdict())
    return EXIT_DONE if any(1 in puzzles for puzzles in found.puzzles.values()) else EXIT_NO
