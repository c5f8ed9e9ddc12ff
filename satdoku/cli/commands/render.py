"""The command `render`: a puzzle as a picture, or as text on the terminal."""

from __future__ import annotations

import argparse
from typing import Any

from ...errors import Status
from ...model.grid import Grid
from ...model.marks import pencil_marks
from ...model.puzzle import Puzzle
from ...witness.verify import violations
from .. import EXIT_DONE, EXIT_NO
from ..inputs import one_puzzle
from ..options import PUZZLE_HELP, add_output, add_rules
from ..output import note, verdict
from ..pictures import draw

EXAMPLE = "satdoku render 1.....2....3.4.. -o puzzle.svg"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("puzzle", metavar="PUZZLE", help="text, link, file or -")
    add_output(
        parser, "file to write, .svg or .png (extra: pip install 'satdoku[png]'); - draws text"
    )
    parser.add_argument("--solve", action="store_true", help="draw a solution in another colour")
    parser.add_argument(
        "--candidates",
        action="store_true",
        help="draw pencil marks: the digits that no given excludes",
    )
    add_rules(parser, solver=False)
    parser.epilog = PUZZLE_HELP


def run(arguments: argparse.Namespace) -> int:
    """Draw a puzzle; exit 1 if --solve finds no solution."""
    puzzle, constraints = one_puzzle(arguments, arguments.puzzle)
    broken = violations(puzzle, constraints.rules)
    if broken:
        note(arguments, f"invalid: {broken[0].describe(puzzle)}")
    solution = None
    if arguments.solve:
        solution = None if broken else _solution(Puzzle(puzzle, constraints))
        if solution is None:
            print(verdict(Status.INVALID if broken else Status.NONE))
            return EXIT_NO
    clashing = {cell for clash in broken for cell in (clash.first, clash.second)}
    picture: dict[str, Any] = {
        "solution": solution,
        "candidates": pencil_marks(puzzle, constraints) if arguments.candidates else None,
        "highlights": {"conflict": sorted(clashing)},
    }
    draw(arguments.output, Puzzle(puzzle, constraints), picture)
    return EXIT_DONE


def _solution(puzzle: Puzzle) -> Grid | None:
    from ...sat.api import solve  # other pictures need no solver

    return solve(*puzzle)
