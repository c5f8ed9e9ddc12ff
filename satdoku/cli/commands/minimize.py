"""The command `minimize`: a minimal puzzle inside each."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import groupby, islice
from typing import TYPE_CHECKING

from ...errors import Status
from ...model.constraints import Constraints
from ...model.grid import Grid
from ...model.puzzle import Puzzle
from .. import EXIT_BAD_INPUT, EXIT_DONE, EXIT_NO
from ..inputs import asked_puzzles
from ..options import add_puzzles, add_rules
from ..output import say

if TYPE_CHECKING:
    from ...generator.dice import Dice


RUN = 4096  # puzzles that are made minimal together

EXAMPLE = "satdoku minimize 1234341221434321"


def add_options(parser: argparse.ArgumentParser) -> None:
    add_puzzles(parser)
    add_rules(parser, solver=False)
    parser.add_argument("--seed", type=int, default=0, metavar="K", help="0 or more (default 0)")


def run(arguments: argparse.Namespace) -> int:
    """A minimal puzzle inside each, or its status; exit 1 where one has not one solution."""
    from ...generator import GeneratorError
    from ...generator.dice import Dice

    if arguments.seed < 0:
        raise GeneratorError(f"seed {arguments.seed}: expected 0 or more")
    dice, code = Dice(arguments.seed), EXIT_DONE
    stream = asked_puzzles(arguments)
    while run := list(islice(stream, RUN)):
        for constraints, group in groupby(run, key=lambda item: getattr(item, "constraints", None)):
            if constraints is None:
                for error in group:
                    say(error)
                code = EXIT_BAD_INPUT
                continue
            grids = [question.grid for question in group if isinstance(question, Puzzle)]
            if not _minimize_all(grids, constraints, dice) and code == EXIT_DONE:
                code = EXIT_NO
    return code


def _minimize_all(grids: Sequence[Grid], constraints: Constraints, dice: Dice) -> bool:
    """Print a line for each of the grids, all under one law; whether all had one solution."""
    import numpy as np

    from ...batch.solve import solve_batch
    from ...generator import minimized

    cells = b"".join(grid.cells for grid in grids)
    puzzles = np.frombuffer(cells, np.uint8).reshape(len(grids), -1).copy()
    statuses = solve_batch(puzzles, constraints).statuses
    one = statuses == Status.UNIQUE
    puzzles[one] = minimized(puzzles[one], constraints, dice)
    for puzzle, status in zip(puzzles, statuses.tolist(), strict=True):
        unique = status == Status.UNIQUE
        print(Grid(puzzle.tobytes(), constraints.board) if unique else Status(status))
    return bool(one.all())
