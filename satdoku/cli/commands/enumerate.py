"""The command `enumerate`: all solutions, as they are found."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from ..answers import clash, for_each
from ..inputs import Asked, asked_puzzles
from ..options import add_encoding, add_format, add_json, add_puzzles, add_rules, positive
from ..output import grid_format, grid_writer
from ..programs import add_program

if TYPE_CHECKING:
    from ...sat.session import Session

EXAMPLE = "satdoku enumerate --limit 3 12.............."


def add_options(parser: argparse.ArgumentParser) -> None:
    add_puzzles(parser)
    add_rules(parser)
    add_format(parser)
    add_json(parser, "one object a line for each solution")
    add_encoding(parser)
    add_program(parser)
    parser.add_argument("--limit", type=positive, metavar="N", help="stop after N solutions")


def run(arguments: argparse.Namespace) -> int:
    """All solutions of each puzzle; exit 1 if one has none."""
    write = grid_writer(arguments)
    between = "\n\n" if grid_format(arguments) == "pretty" and not arguments.json else "\n"

    def answer(asked: Asked, session: Session) -> bool:
        if clash(arguments, asked):
            return False
        found = False
        for solution in session.solutions(asked.grid, limit=arguments.limit):
            found = True
            if arguments.json:
                text = json.dumps(asked.record(solution=str(solution)))
            else:
                text = write(solution, asked.grid)
            print(text, end=between)
        return found

    return for_each(arguments, answer, asked_puzzles(arguments, marks=True))
