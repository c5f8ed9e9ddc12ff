"""The command `encodings`: the size of each encoding, on boards of several sizes."""

from __future__ import annotations

from collections.abc import Iterator

from ...cnf.encodings import ENCODINGS, build, encodings_named
from ...model.board import Board
from ...model.constraints import Constraints
from ...model.grid import Grid
from ...model.rules import RuleError
from .. import EXIT_DONE
from ..inputs import asked_board, asked_constraints, one_puzzle
from ..options import PUZZLE_HELP, Rules, argument, json_option, list_option
from ..output import show

SIZES = (4, 6, 9, 16)  # boards to count for unless one is named

EXAMPLE = "satdoku encodings --size 9"


class Arguments(Rules):
    puzzle = argument(
        "PUZZLE", "count for the board of this puzzle; its givens shorten `reduced`", "?"
    )
    encodings = list_option(
        default="all",
        metavar="E,...",
        help="list only these: names, boolean or integer (default all)",
    )
    json = json_option("one object a line for each encoding and board")
    epilog = PUZZLE_HELP


def run(arguments: Arguments) -> int:
    """A line for each encoding: numbers of variables and of distinct clauses."""
    puzzle, boards = _puzzle_and_boards(arguments)
    names = encodings_named(arguments.encodings)
    if not arguments.json:
        sizes = (f"{constraints.board.size}x{constraints.board.size}" for constraints in boards)
        print(" " * 19 + "".join(size.rjust(21) for size in sizes))
        print(f"{'encoding':<12}{'kind':<7}" + f"{'variables':>11}{'clauses':>10}" * len(boards))
    for name in names:
        _show(arguments, name, boards, puzzle)
    if "reduced" in names and puzzle is None and not arguments.json:
        print("reduced leaves out what the givens of a puzzle settle; without one it is no shorter")
    return EXIT_DONE


def _puzzle_and_boards(
    arguments: Arguments,
) -> tuple[Grid | None, tuple[Constraints, ...]]:
    """The puzzle named with its constraints, or the rules on the board named, or on the usual."""
    if arguments.puzzle:
        puzzle, constraints = one_puzzle(arguments, arguments.puzzle)
        return puzzle, (constraints,)
    if asked_board(arguments):
        return None, (asked_constraints(arguments),)
    return None, tuple(_usual_constraints(arguments))


def _show(
    arguments: Arguments,
    name: str,
    boards: tuple[Constraints, ...],
    puzzle: Grid | None,
) -> None:
    """The counts of an encoding on all boards, in one line or, with --json, a line each."""
    text = f"{name:<12}{ENCODINGS[name]:<7}"
    for constraints in boards:
        formula = build(constraints, name, puzzle)
        variables, clauses = formula.variables, len(formula.clauses)
        text += f"{variables:>11,}{clauses:>10,}"
        if arguments.json:
            show(
                arguments, "", encoding=name, kind=ENCODINGS[name], size=constraints.board.size,
                rules=constraints.name, variables=variables, clauses=clauses,
            )  # fmt: skip
    if not arguments.json:
        print(text)


def _usual_constraints(arguments: Arguments) -> Iterator[Constraints]:
    """The rules on the usual boards that can have them; the error of the last if none can."""
    refused: RuleError | None = None
    found = False
    for size in SIZES:
        try:
            yield asked_constraints(arguments, Board.of_size(size))
            found = True
        except RuleError as error:
            refused = error
    if refused and not found:
        raise refused
