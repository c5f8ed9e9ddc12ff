"""The command `minimize`: a minimal puzzle inside each."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...errors import SatdokuError, Status
from ...model.grid import Grid
from ..answers import exit_code, together
from ..inputs import Asked, Unreadable, asked_puzzles
from ..options import add_json, add_puzzles, add_rules
from ..output import show, verdict

if TYPE_CHECKING:
    from ...generator.dice import Dice

EXAMPLE = "satdoku minimize 1234341221434321"


def add_options(parser: argparse.ArgumentParser) -> None:
    add_puzzles(parser)
    add_rules(parser, solver=False)
    add_json(parser)
    parser.add_argument(
        "--seed", type=int, default=0, metavar="K", help="random seed, 0 or more (default 0)"
    )


def run(arguments: argparse.Namespace) -> int:
    """A minimal puzzle inside each, or its status; exit 1 if any does not have one solution."""
    if arguments.seed < 0:
        raise SatdokuError(f"--seed {arguments.seed}: expected 0 or more")
    return exit_code(arguments, _answers(arguments))


def _answers(arguments: argparse.Namespace) -> Iterator[bool | Unreadable]:
    """Whether each puzzle has one solution, after its line is printed."""
    from ...generator.dice import Dice

    dice = Dice(arguments.seed)
    for answered in together(asked_puzzles(arguments), lambda group: _minimize_all(group, dice)):
        if isinstance(answered, Unreadable):
            yield answered
            continue
        asked, minimal = answered
        unique = isinstance(minimal, Grid)
        text = str(minimal) if unique else verdict(minimal)
        status = Status.UNIQUE if unique else minimal
        found = {"minimal": text} if unique else {}
        show(arguments, text, asked.record, status=str(status), **found)
        yield unique


def _minimize_all(asked: list[Asked], dice: Dice) -> list[Grid | Status]:
    """A minimal puzzle inside each, all under the same constraints, or why there is none."""
    import numpy as np

    from ...batch.solve import solve_batch
    from ...generator import minimized

    constraints = asked[0].constraints
    cells = b"".join(item.grid.cells for item in asked)
    puzzles = np.frombuffer(cells, np.uint8).reshape(len(asked), -1).copy()
    statuses = solve_batch(puzzles, constraints).statuses
    one = statuses == Status.UNIQUE
    puzzles[one] = minimized(puzzles[one], constraints, dice)
    return [
        Grid(puzzle.tobytes(), constraints.board) if unique else Status(code)
        for puzzle, unique, code in zip(puzzles, one.tolist(), statuses.tolist(), strict=True)
    ]
