"""The command `enumerate`: all solutions, one a line."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ...model.grid import Grid
from ..answers import clashes, for_each
from ..options import add_encoding, add_format, add_puzzles, add_rules, positive
from ..output import grid_format, grid_writer

if TYPE_CHECKING:
    from ...sat.session import Session


EXAMPLE = "satdoku enumerate --limit 3 12.............."


def add_options(parser: argparse.ArgumentParser) -> None:
    add_puzzles(parser)
    add_rules(parser)
    add_format(parser)
    add_encoding(parser)
    parser.add_argument("--limit", type=positive, metavar="N", help="stop after N solutions")


def run(arguments: argparse.Namespace) -> int:
    """All solutions of each puzzle, as they are found."""
    write = grid_writer(arguments)
    between = "\n\n" if grid_format(arguments) == "pretty" else "\n"

    def answer(puzzle: Grid, session: Session) -> bool:
        if clashes(puzzle, session.constraints):
            return False
        found = False
        for solution in session.solutions(puzzle, limit=arguments.limit):
            found = True
            print(write(solution, puzzle), end=between)
        return found

    return for_each(arguments, answer)
