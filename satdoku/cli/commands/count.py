"""The command `count`: by listing if that ends soon, else by symmetry and search."""

from __future__ import annotations

import time
from collections.abc import Iterator
from decimal import Decimal
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from ...model.grid import Grid, empty_grid
from ...model.puzzle import Puzzle
from ...runtime.errors import SatdokuError, Status
from ...runtime.limits import within
from ...witness.verify import violations
from .. import EXIT_DONE, EXIT_NO
from .. import options as opt
from ..answers import clash, decided, exit_code, for_each
from ..inputs import Unreadable, asked_constraints
from ..output import note, show
from ..progress import terminal_bar

if TYPE_CHECKING:
    from ...answers.session import Session
    from ...counting import Count, SoFar
    from ...counting.estimates import Estimate
    from ...model.constraints import Constraints

LISTED = 5000  # solutions that are listed, and verified, before counting takes over
SOON = 0.5  # seconds in which the engine may list them, before CDCL is asked
TURN = 2.0  # seconds of the first turn of CDCL
TO_TWO = {
    **dict.fromkeys(Status, "0"),
    Status.UNIQUE: "1", Status.MULTIPLE: ">=2", Status.UNKNOWN: ">=0",
}  # fmt: skip

KINDS = {"": "exact", ">=": "at least", "~": "approximate"}

EXAMPLE = "satdoku count 12.............."


class Found(NamedTuple):
    """A number as it is printed: `12`, the lower bound `>=12`, `~12`; and an estimate of more."""

    shown: str
    estimate: Estimate | None = None


class Arguments(opt.Puzzles, opt.Solver, opt.Workers):
    puzzles = opt.argument(
        "PUZZLE", f"{opt.ARGUMENT_HELP}; without any: all grids under the rules", "*"
    )
    json = opt.json_option()
    backend = opt.backend_option(" where solutions are listed")
    limit = opt.option(type=opt.positive, metavar="N", help="stop at N and print >=N")
    exact = opt.flag(
        help="count by symmetry and search instead of listing; this is the default from 5,000 "
        "solutions on"
    )
    counter = opt.option(
        choices=("ganak", "approxmc"),
        help="ask this model counter instead (extra: pip install 'satdoku[count]')",
    )
    timeout = opt.timeout_option("print a lower bound and an estimate")


def run(arguments: Arguments) -> int:
    """The number of solutions of each puzzle, or of all grids under the rules."""
    if arguments.exact and (arguments.limit or arguments.counter):
        raise SatdokuError("--exact cannot be combined with --limit or --counter")
    if not arguments.puzzles:
        with within(arguments.timeout):
            return _count_all(arguments)
    if arguments.limit == 2:
        return exit_code(arguments, _to_two(arguments))

    def answer(asked: Puzzle, session: Session) -> bool:
        wrong = clash(arguments, asked)
        found = Found("0") if wrong else _number(asked, session, arguments)
        show(arguments, found.shown, asked.record, **_as_data(found))
        return _is_answer(found, arguments.limit)

    return for_each(arguments, answer)


def _to_two(arguments: Arguments) -> Iterator[bool | Unreadable]:
    """0, 1 or >=2 for each puzzle; many are decided together."""
    for found in decided(arguments):
        if isinstance(found, Unreadable):
            yield found
            continue
        shown = TO_TWO[found.status]
        show(arguments, shown, found.asked.record, **_as_data(Found(shown)))
        yield found.status in (Status.UNIQUE, Status.MULTIPLE)


def _count_all(arguments: Arguments) -> int:
    constraints = asked_constraints(arguments)
    if arguments.limit:
        raise SatdokuError("--limit needs a puzzle")
    found = _counted(empty_grid(constraints.board), constraints, arguments)
    about = {"rules": constraints.name, "size": constraints.board.size}
    show(arguments, found.shown, **about, **_as_data(found))
    return EXIT_DONE if _is_answer(found, None) else EXIT_NO


def _as_data(found: Found) -> dict[str, object]:
    """The printed number for JSON, and the estimate beside a lower bound."""
    digits = found.shown.lstrip(">=~")
    data: dict[str, object] = {
        "count": int(digits),
        "kind": KINDS[found.shown.removesuffix(digits)],
    }
    if found.estimate:
        number, *interval = found.estimate
        data.update(estimate=number, interval=interval)
    return data


def _is_answer(found: Found, limit: int | None) -> bool:
    """Whether a number is printed that is not 0, and that is no bound but the one asked for."""
    shown = found.shown
    return shown != "0" and (not shown.startswith(">=") or shown == f">={limit}")


def _number(puzzle: Puzzle, session: Session, arguments: Arguments) -> Found:
    if arguments.exact or arguments.counter:
        return _counted(puzzle.grid, session.constraints, arguments)
    if arguments.limit:
        number, whole = _listed(
            puzzle, session, arguments.limit, arguments.timeout, by_engine=_asks_engine(arguments)
        )
        if not whole:
            note(arguments, f"timed out after {arguments.timeout:g} s")
        return Found(str(number) if whole and number < arguments.limit else f">={number}")
    return _by_turns(puzzle, session, arguments)


def _by_turns(puzzle: Puzzle, session: Session, arguments: Arguments) -> Found:
    """Listing and counting in turn, each time for longer: one may take seconds where the other
    takes hours. (Of king,nonconsecutive 1,152 grids are soon found, but not that they are all;
    search without learning ends on 9x9, but not on every 16x16 puzzle with one solution.) The
    engine lists most puzzles far sooner than CDCL, so it has the first short turn."""
    end = inf if arguments.timeout is None else time.monotonic() + arguments.timeout
    turn, number, whole = TURN, 0, False
    if _asks_engine(arguments):
        left = min(SOON, end - time.monotonic())
        number, whole = _listed(puzzle, session, LISTED, left, by_engine=True)
    while True:
        if not whole:
            left = min(turn, end - time.monotonic())
            listed, whole = _listed(puzzle, session, LISTED, left, by_engine=False)
            number = max(number, listed)
        if whole and number < LISTED:
            return Found(str(number))
        left = end - time.monotonic()
        last = number == LISTED or left <= 4 * turn
        seconds = left if last else 4 * turn
        found = _exactly(puzzle.grid, session.constraints, arguments, seconds, estimated=last)
        if found.exact:
            return Found(str(found))
        if last:
            note(arguments, _why(found, arguments.timeout))
            return Found(f">={max(number, found.grids)}", found.estimate)
        turn *= 4


def _asks_engine(arguments: Arguments) -> bool:
    """Whether no option asks for CDCL."""
    from ...answers.solver import DEFAULT_SOLVER

    return bool(arguments.backend == "engine" and arguments.solver == DEFAULT_SOLVER)


def _listed(
    puzzle: Puzzle, session: Session, limit: int, timeout: float | None, *, by_engine: bool
) -> tuple[int, bool]:
    """How many solutions were found, at most `limit`, and whether time was enough for that."""
    from ...runtime.errors import BudgetError

    number = 0
    try:
        for found in _blocks(puzzle, session, limit, timeout, by_engine=by_engine):
            number += found
    except BudgetError:
        return number, False
    return number, True


def _blocks(
    puzzle: Puzzle, session: Session, limit: int, timeout: float | None, *, by_engine: bool
) -> Iterator[int]:
    """The solutions as they are found, some at a time: how many."""
    from ...answers.api import few_solutions

    if not by_engine:
        yield from (1 for _ in session.solutions(puzzle.grid, limit=limit, timeout=timeout))
    elif (few := few_solutions(puzzle)) is not None:
        yield min(len(few), limit)
    else:
        from ...answers.listing import listed  # numpy takes longer to load than most puzzles

        yield from map(len, listed(puzzle, session, limit=limit, timeout=timeout))


def _counted(puzzle: Grid, constraints: Constraints, arguments: Arguments) -> Found:
    """Without listing; a lower bound if time runs out, which a message says."""
    if violations(puzzle, constraints.rules):
        return Found("0")
    if arguments.counter:
        return _ask(puzzle, constraints, arguments, arguments.counter)
    found = _exactly(
        puzzle, constraints, arguments, inf if arguments.timeout is None else arguments.timeout
    )
    if not found.exact:
        note(arguments, _why(found, arguments.timeout))
    return Found(str(found), found.estimate)


def _exactly(
    puzzle: Grid,
    constraints: Constraints,
    arguments: Arguments,
    left: float,
    *,
    estimated: bool = True,
) -> Count:
    """By symmetry and search, in the seconds left."""
    from ...counting import Way, count_by_way

    with _Bar(quiet=arguments.quiet) as bar:
        return count_by_way(
            Way(estimated=estimated),
            puzzle,
            constraints,
            workers=arguments.workers_for(),
            timeout=None if left == inf else max(0.0, left),
            on_count=bar.update,
        )


def _why(found: Count, timeout: float | None) -> str:
    if not found.estimate:
        return f"timed out after {timeout:g} s, too soon for an estimate"
    grids, low, high = (f"{Decimal(number):.3g}" for number in found.estimate)
    return f"timed out after {timeout:g} s; an estimate is {grids}, 95 % interval {low} to {high}"


def _ask(puzzle: Grid, constraints: Constraints, arguments: Arguments, counter: str) -> Found:
    from ...counting.external import count_by

    number = count_by(counter, puzzle, constraints, timeout=arguments.timeout)
    if number is None:
        note(arguments, f"no answer from {counter} after {arguments.timeout:g} s")
        return Found(">=0")
    return Found(f"~{number}" if counter == "approxmc" else str(number))


class _Bar:
    """Cubes counted, on stderr if that is a terminal."""

    def __init__(self, *, quiet: bool) -> None:
        self.bar = terminal_bar(quiet=quiet, unit=" cubes")

    def update(self, known: SoFar) -> None:
        """So far this is known."""
        self.bar.total = known.cubes
        about = f"{known.grids:,} of about {known.estimate:.3g} grids"
        self.bar.set_postfix_str(about, refresh=False)
        self.bar.update(known.done - self.bar.n)

    def __enter__(self) -> _Bar:
        return self

    def __exit__(self, *_: object) -> None:
        self.bar.close()
