"""The command `rate`: the difficulty of each puzzle and the steps that set it."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from ...errors import Status
from ...model.grid import Grid
from ..answers import for_each
from ..options import add_data_and_limit, add_puzzles, add_rules

if TYPE_CHECKING:
    from ...sat.session import Session


EXAMPLE = "satdoku generate --seed 1 | satdoku rate -"


def add_options(parser: argparse.ArgumentParser) -> None:
    add_puzzles(parser)
    add_rules(parser, solver=False)
    add_data_and_limit(parser, "rate by the steps so far, as a lower bound (default: none)")


def run(arguments: argparse.Namespace) -> int:
    """The difficulty of each puzzle: a number, a word, and what they come from."""
    from ...explain.rating import rate as rate_puzzle

    def answer(puzzle: Grid, session: Session) -> bool:
        status = session.classify(puzzle, seconds=arguments.limit)
        if status is not Status.UNIQUE:
            print(
                json.dumps({"puzzle": str(puzzle), "status": str(status)})
                if arguments.json
                else status
            )
            return False
        rating = rate_puzzle(puzzle, session.constraints, limit=arguments.limit)
        if arguments.json:
            print(json.dumps({"puzzle": str(puzzle), **rating.as_data()}), flush=True)
        else:
            print(rating.words, flush=True)
        return True

    return for_each(arguments, answer)
