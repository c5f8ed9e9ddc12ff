"""The command `count`: by listing if that ends soon, else by symmetry and search."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

from ...files.outputs import open_output
from ...model.puzzle import Puzzle, Unreadable, empty_puzzle
from ...runtime.errors import SatdokuError, Status
from ...runtime.limits import within
from .. import EXIT_DONE, EXIT_NO
from .. import options as opt
from ..answers import clash, decided, exit_code, for_each_puzzle
from ..inputs import asked_constraints, one_puzzle
from ..output import note, show
from ..progress import terminal_bar

if TYPE_CHECKING:
    from ...counting import Count, SoFar
    from ...counting.estimates import Estimate

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
    certificate = opt.option(
        type=opt.Written("certificate"),
        metavar="FILE",
        help="also write a proof of the number of solutions of one puzzle, or of all grids, which "
        "`verify` checks",
    )
    timeout = opt.timeout_option("print a lower bound and an estimate")


def run(arguments: Arguments) -> int:
    """The number of solutions of each puzzle, or of all grids under the rules."""
    if arguments.exact and (arguments.limit or arguments.counter):
        raise SatdokuError("--exact cannot be combined with --limit or --counter")
    if arguments.certificate:
        return _prove(arguments, arguments.certificate)
    if not arguments.puzzles:
        with within(arguments.timeout):
            return _count_all(arguments)
    if arguments.limit == 2:
        return exit_code(arguments, _to_two(arguments))

    def answer(asked: Puzzle) -> bool:
        wrong = clash(arguments, asked)
        found = Found("0") if wrong else _number(asked, arguments)
        show(arguments, found.shown, asked.record, **_as_data(found))
        return _is_answer(found, arguments.limit)

    return for_each_puzzle(arguments, answer)


def _prove(arguments: Arguments, output: str) -> int:
    """The number of solutions of one puzzle or of all grids, and its certificate in a file."""
    from ...certificates.fields import write_line
    from ...certificates.make import certify_count

    if arguments.limit or arguments.counter:
        raise SatdokuError("--certificate cannot be combined with --limit or --counter")
    if len(arguments.puzzles) > 1:
        raise SatdokuError("--certificate takes one puzzle, or none for all grids")
    if arguments.puzzles:
        grid, constraints = one_puzzle(arguments, arguments.puzzles[0])
    else:
        constraints = asked_constraints(arguments)
        grid = empty_puzzle(constraints).grid
    with within(arguments.timeout):
        certificate = certify_count(grid, constraints)
    with open_output(output) as stream:
        write_line(stream, certificate.to_json())
    found = Found(str(certificate.count))
    about = {"puzzle": str(grid), "rules": constraints.name}
    show(arguments, found.shown, **about, **_as_data(found))
    return EXIT_DONE if certificate.count else EXIT_NO


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
    found = _number(empty_puzzle(constraints), arguments)
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


def _number(puzzle: Puzzle, arguments: Arguments) -> Found:
    from ...cnf.encodings import DEFAULT_ENCODING
    from ...counting import Way, count_exact

    if arguments.counter:
        return _ask(puzzle, arguments, arguments.counter)
    way = Way(
        listed=bool(arguments.puzzles) and not arguments.exact,
        limit=arguments.limit,
        backend="auto" if arguments.backend == "engine" else "session",
        solver=arguments.solver,
        encoding=arguments.encoding or DEFAULT_ENCODING,
    )
    with closing(_Bar(quiet=arguments.quiet)) as bar:
        found = count_exact(
            puzzle,
            way=way,
            workers=arguments.workers_for(),
            timeout=arguments.timeout,
            on_count=bar.update,
        )
    if not (found.exact or found.grids == arguments.limit):
        note(arguments, _why(found, arguments))
    return Found(str(found), found.estimate)


def _why(found: Count, arguments: Arguments) -> str:
    ended = f"timed out after {arguments.timeout:g} s"
    if arguments.limit:
        return ended
    if not found.estimate:
        return f"{ended}, too soon for an estimate"
    grids, low, high = (f"{Decimal(number):.3g}" for number in found.estimate)
    return f"{ended}; an estimate is {grids}, 95 % interval {low} to {high}"


def _ask(puzzle: Puzzle, arguments: Arguments, counter: str) -> Found:
    from ...counting.external import count_by

    number = count_by(puzzle, counter, timeout=arguments.timeout)
    if number is None:
        note(arguments, f"no answer from {counter} after {arguments.timeout:g} s")
        return Found(">=0")
    return Found(f"~{number}" if counter == "approxmc" else str(number))


class _Bar:
    """Cubes counted, on stderr; none while solutions are listed."""

    def __init__(self, *, quiet: bool) -> None:
        self.quiet = quiet
        self.bar: Any = None  # until something is known

    def update(self, known: SoFar) -> None:
        """So far this is known."""
        if self.bar is None:
            self.bar = terminal_bar(quiet=self.quiet, unit=" cubes")
        self.bar.total = known.cubes
        about = f"{known.grids:,} of about {known.estimate:.3g} grids"
        self.bar.set_postfix_str(about, refresh=False)
        self.bar.update(known.done - self.bar.n)

    def close(self) -> None:
        """It is gone from the terminal."""
        if self.bar is not None:
            self.bar.close()
