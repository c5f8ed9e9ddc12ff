"""The command `fuzz`: random puzzles for every backend, or one puzzle again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...model.board import Board
from ...model.constraints import Constraints
from ...model.grid import Grid, parse_grid
from ...runtime.errors import SatdokuError
from .. import EXIT_DONE, EXIT_NO
from ..inputs import asked_constraints, one_puzzle
from ..options import Rules, argument, flag, list_option, option, positive, seconds
from ..output import say
from ..programs import Programs

if TYPE_CHECKING:
    from ...crosscheck import Configuration
    from ...crosscheck.fuzz import Case, Failure


LIMIT = 10  # solutions that are compared

EXAMPLE = "satdoku fuzz --size 4 --cases 5"


class WithPuzzle(Rules, group="with PUZZLE"):
    limit = option(type=positive, metavar="N", help="compare N solutions (default 10)")
    box = option(metavar="RxC", help="rows and columns of a box, such as 3x2")


class Arguments(Programs, WithPuzzle):
    epilog = (
        "Without PUZZLE, --size N draws boards of that size only, such as 12 or 16.\n\n"
        "The first disagreement is reduced and printed, with the command that repeats it; then\n"
        "the exit code is 1.\n"
    )
    puzzle = argument("PUZZLE", "ask about this puzzle, not about random ones", "?")
    seconds = option(type=seconds, default=10.0, metavar="N", help="stop after N (default 10)")
    seed = option(type=int, default=0, metavar="K", help="random seed of the puzzles (default 0)")
    backends = list_option(
        metavar="B,...",
        help="ask only these: solvers, encodings, SOLVER/ENCODING, Z3 models, engine-..., plain, "
        "clingo, cp-sat, pycosat (default: all installed)",
    )
    cases = option(type=positive, metavar="N", help="stop after N puzzles")
    verbose = flag("-v", "--verbose", help="print every case on standard error")


def run(arguments: Arguments) -> int:
    """Look for a disagreement; exit 1 if there is one, which is printed with its command."""
    from ...crosscheck.fuzz import fuzz as search

    if arguments.puzzle:
        return _one_case(arguments, arguments.puzzle)
    for name in ("limit", "box", "rules", "regions"):
        if getattr(arguments, name) is not None:
            raise SatdokuError(f"--{name} needs a PUZZLE: random puzzles come with their own")

    def watch(number: int, case: Case) -> None:
        if arguments.verbose:
            say(f"case {number}: {case.command(('plain',))}")

    backends = _asked_backends(arguments)
    report = search(
        arguments.seconds, arguments.seed, backends=backends, cases=arguments.cases,
        size=arguments.size, watch=watch,
    )  # fmt: skip
    number = f"{report.answers:,} answers to {report.cases:,} cases"
    print(f"seed {arguments.seed}: {number}, {report.unfinished:,} of them given up")
    return _tell(report.failure)


def _one_case(arguments: Arguments, text: str) -> int:
    from ...crosscheck import configuration_names
    from ...crosscheck.fuzz import Case, Failure, examine

    puzzle, constraints = _puzzle(arguments, text)
    backends = _asked_backends(arguments) or _backends(configuration_names())
    case = Case(constraints, puzzle, arguments.limit or LIMIT)
    said, problems = examine(case, backends)
    for name, answer in said.items():
        bound = ">=" if answer.is_bound(case.limit) else ""
        print(f"{name:<24} {bound}{answer.found}")
    return _tell(Failure(case, tuple(backends), problems) if problems else None)


def _puzzle(arguments: Arguments, text: str) -> tuple[Grid, Constraints]:
    if arguments.box is None:
        return one_puzzle(arguments, text)
    puzzle = parse_grid(text, _board(arguments.box))
    return puzzle, asked_constraints(arguments, puzzle.board)


def _tell(failure: Failure | None) -> int:
    if failure is None:
        print("all agree")
        return EXIT_DONE
    for problem in failure.problems:
        print(f"DISAGREE: {problem}")
    print(f"again: {failure.command}")
    return EXIT_NO


def _asked_backends(arguments: Arguments) -> dict[str, Configuration] | None:
    """Those of --backends and --solver-cmd; a program alone is compared with the default solver."""
    if not arguments.backends and not arguments.programs:
        return None
    from ...answers.solver import DEFAULT_SOLVER

    named = (arguments.backends or DEFAULT_SOLVER).split(",")
    return _backends([*map(str.strip, named), *arguments.programs])


def _backends(names: Iterable[str]) -> dict[str, Configuration]:
    from ...crosscheck import configuration_named

    chosen = {name: configuration_named(name) for name in names}
    for configuration in chosen.values():
        configuration.backend.require()
    return chosen


def _board(text: str) -> Board:
    rows, _, columns = text.partition("x")
    if not (rows.isdecimal() and columns.isdecimal() and len(text) <= 5):
        raise SatdokuError(f"--box {text}: expected rows x columns, such as 2x3")
    return Board(int(rows) * int(columns), int(rows), int(columns))
