"""The command `count`: by listing if that ends soon, else by symmetry and search."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING

from ...errors import SatdokuError, Status
from ...model.grid import Grid, empty_grid
from ...witness.verify import violations
from .. import EXIT_DONE, EXIT_NO
from ..answers import clash, decided, exit_code, for_each
from ..inputs import Asked, Unreadable, asked_constraints
from ..options import add_backend, add_json, add_puzzles, add_rules, add_time, add_workers, positive
from ..output import note, show
from ..progress import terminal_bar

if TYPE_CHECKING:
    from ...counting import Count, SoFar
    from ...model.constraints import Constraints
    from ...sat.session import Session

LISTED = 5000  # solutions that are listed, and verified, before counting takes over
TURN = 2.0  # seconds of the first turn of listing
TO_TWO = {**dict.fromkeys(Status, "0"), Status.UNIQUE: "1", Status.MULTIPLE: ">=2"}

KINDS = {"": "exact", ">=": "at least", "~": "approximate"}

EXAMPLE = "satdoku count 12.............."


def add_options(parser: argparse.ArgumentParser) -> None:
    add_puzzles(parser, none="all grids under the rules")
    add_rules(parser)
    add_json(parser)
    add_backend(parser, " if --limit is 2 and there is more than one puzzle")
    parser.add_argument("--limit", type=positive, metavar="N", help="stop at N and print >=N")
    parser.add_argument(
        "--exact",
        action="store_true",
        help="count by symmetry and search instead of listing; this is the default from 5,000 "
        "solutions on",
    )
    parser.add_argument(
        "--counter",
        choices=("ganak", "approxmc"),
        help="ask this model counter instead (extra: pip install 'satdoku[count]')",
    )
    add_time(parser, None, "print a lower bound")
    add_workers(parser)


def run(arguments: argparse.Namespace) -> int:
    """The number of solutions of each puzzle, or of all grids under the rules."""
    if arguments.exact and (arguments.limit or arguments.counter):
        raise SatdokuError("--exact cannot be combined with --limit or --counter")
    if not arguments.puzzles:
        return _count_all(arguments)
    if arguments.limit == 2:
        return exit_code(arguments, _to_two(arguments))

    def answer(asked: Asked, session: Session) -> bool:
        shown = "0" if clash(arguments, asked) else _number(asked.grid, session, arguments)
        show(arguments, shown, asked.record, **_as_data(shown))
        return _is_answer(shown, arguments.limit)

    return for_each(arguments, answer)


def _to_two(arguments: argparse.Namespace) -> Iterator[bool | Unreadable]:
    """0, 1 or >=2 for each puzzle; many are decided together."""
    for found in decided(arguments):
        if isinstance(found, Unreadable):
            yield found
            continue
        shown = TO_TWO[found.status]
        show(arguments, shown, found.asked.record, **_as_data(shown))
        yield found.status in (Status.UNIQUE, Status.MULTIPLE)


def _count_all(arguments: argparse.Namespace) -> int:
    constraints = asked_constraints(arguments)
    if arguments.limit:
        raise SatdokuError("--limit needs a puzzle")
    shown = _counted(empty_grid(constraints.board), constraints, arguments)
    about = {"rules": constraints.name, "size": constraints.board.size}
    show(arguments, shown, **about, **_as_data(shown))
    return EXIT_DONE if _is_answer(shown, None) else EXIT_NO


def _as_data(shown: str) -> dict[str, object]:
    """The printed number for JSON: `>=12` is a lower bound, `~12` an estimate."""
    digits = shown.lstrip(">=~")
    return {"count": int(digits), "kind": KINDS[shown.removesuffix(digits)]}


def _is_answer(shown: str, limit: int | None) -> bool:
    """Whether a number is printed that is not 0, and that is no bound but the one asked for."""
    return shown != "0" and (not shown.startswith(">=") or shown == f">={limit}")


def _number(puzzle: Grid, session: Session, arguments: argparse.Namespace) -> str:
    """The number as it is printed: `12`, `>=12`, `~12`."""
    if arguments.exact or arguments.counter:
        return _counted(puzzle, session.constraints, arguments)
    if arguments.limit:
        number, whole = _listed(puzzle, session, arguments.limit, arguments.timeout)
        if not whole:
            note(arguments, f"timed out after {arguments.timeout:g} s")
        return str(number) if whole and number < arguments.limit else f">={number}"
    return _by_turns(puzzle, session, arguments)


def _by_turns(puzzle: Grid, session: Session, arguments: argparse.Namespace) -> str:
    """Listing and counting in turn, each time for longer: one may take seconds where the other
    takes hours. (Of king,nonconsecutive 1,152 grids are soon found, but not that they are all;
    search without learning ends on 9x9, but not on every 16x16 puzzle with one solution.)"""
    end = inf if arguments.timeout is None else time.monotonic() + arguments.timeout
    turn = TURN
    while True:
        number, whole = _listed(puzzle, session, LISTED, min(turn, end - time.monotonic()))
        if whole and number < LISTED:
            return str(number)
        left = end - time.monotonic()
        last = number == LISTED or left <= 4 * turn
        found = _exactly(puzzle, session.constraints, arguments, left if last else 4 * turn)
        if found.exact:
            return str(found)
        if last:
            note(arguments, _why(found, arguments.timeout))
            return f">={max(number, found.grids)}"
        turn *= 4


def _listed(puzzle: Grid, session: Session, limit: int, seconds: float | None) -> tuple[int, bool]:
    """How many solutions were found, at most `limit`, and whether time was enough for that."""
    from ...sat.solver import BudgetError

    number = 0
    try:
        for _ in session.solutions(puzzle, limit=limit, seconds=seconds):
            number += 1
    except BudgetError:
        return number, False
    return number, True


def _counted(puzzle: Grid, constraints: Constraints, arguments: argparse.Namespace) -> str:
    """Without listing; a lower bound if time runs out, which a message says."""
    if violations(puzzle, constraints.rules):
        return "0"
    if arguments.counter:
        return _ask(puzzle, constraints, arguments)
    found = _exactly(
        puzzle, constraints, arguments, inf if arguments.timeout is None else arguments.timeout
    )
    if not found.exact:
        note(arguments, _why(found, arguments.timeout))
    return str(found)


def _exactly(
    puzzle: Grid, constraints: Constraints, arguments: argparse.Namespace, left: float
) -> Count:
    """By symmetry and search, in the seconds left."""
    from ...batch.workers import available_workers
    from ...counting import count_exact

    with _Bar(quiet=arguments.quiet) as bar:
        return count_exact(
            puzzle,
            constraints,
            workers=arguments.workers or available_workers(),
            timeout=None if left == inf else max(0.0, left),
            each=bar.update,
        )


def _why(found: Count, timeout: float) -> str:
    about = f"; an estimate is {found.estimate:.3g}" if found.estimate else ""
    return f"timed out after {timeout:g} s{about}"


def _ask(puzzle: Grid, constraints: Constraints, arguments: argparse.Namespace) -> str:
    from ...counting.external import count_by

    number = count_by(arguments.counter, puzzle, constraints, timeout=arguments.timeout)
    if number is None:
        note(arguments, f"no answer from {arguments.counter} after {arguments.timeout:g} s")
        return ">=0"
    return f"~{number}" if arguments.counter == "approxmc" else str(number)


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
