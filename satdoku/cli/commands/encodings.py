"""The command `encodings`: the size of each encoding, on boards of several sizes."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from ...cnf.encodings import ENCODINGS, build, encodings_named
from ...model.board import Board
from ...model.constraints import Constraints
from ...model.grid import Grid
from ...model.rules import RuleError
from .. import EXIT_DONE
from ..inputs import asked_board, asked_constraints, one_puzzle
from ..options import add_rules

SIZES = (4, 6, 9, 16)  # boards to count for where none is asked for

EXAMPLE = "satdoku encodings --size 9"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "puzzle", nargs="?", metavar="PUZZLE", help="count for this board, `reduced` by its givens"
    )
    parser.add_argument(
        "--encodings",
        default="all",
        metavar="E,...",
        help="only these: names, or boolean, integer (default all)",
    )
    add_rules(parser, solver=False)


def run(arguments: argparse.Namespace) -> int:
    """A line for each encoding: numbers of variables and of distinct clauses."""
    puzzle, constraints = (
        one_puzzle(arguments, arguments.puzzle)
        if arguments.puzzle
        else (None, asked_constraints(arguments) if asked_board(arguments) else None)
    )
    known_constraints = [constraints] if constraints else list(_usual_constraints(arguments))
    names = encodings_named(arguments.encodings)
    print(
        " " * 19
        + "".join(
            f"{constraints.board.size}x{constraints.board.size}".rjust(21)
            for constraints in known_constraints
        )
    )
    print(
        f"{'encoding':<12}{'kind':<7}"
        + f"{'variables':>11}{'clauses':>10}" * len(known_constraints)
    )
    for name in names:
        counts = (_counts(constraints, name, puzzle) for constraints in known_constraints)
        print(f"{name:<12}{ENCODINGS[name]:<7}" + "".join(counts))
    if "reduced" in names and puzzle is None:
        print("reduced leaves out what a puzzle's givens settle; here nothing is given")
    return EXIT_DONE


def _usual_constraints(arguments: argparse.Namespace) -> Iterator[Constraints]:
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


def _counts(constraints: Constraints, name: str, puzzle: Grid | None) -> str:
    formula = build(constraints, name, puzzle)
    return f"{formula.variables:>11,}{len(formula.clauses):>10,}"
