"""The command `rate`: the difficulty of each puzzle and the steps that set it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ...errors import Status
from ..answers import for_each
from ..inputs import Asked
from ..options import add_json, add_limit, add_puzzles, add_rules
from ..output import show, verdict

if TYPE_CHECKING:
    from ...sat.session import Session

EXAMPLE = "satdoku generate --seed 1 | satdoku rate -"


def add_options(parser: argparse.ArgumentParser) -> None:
    add_puzzles(parser)
    add_rules(parser, solver=False)
    add_json(parser)
    add_limit(parser, "rate by the steps found so far: a lower bound")


def run(arguments: argparse.Namespace) -> int:
    """The difficulty of each puzzle: a number, a word, and what they come from."""
    from ...explain.rating import rate

    def answer(asked: Asked, session: Session) -> bool:
        status = session.classify(asked.grid, seconds=arguments.limit)
        if status is not Status.UNIQUE:
            show(arguments, verdict(status), asked.record, status=str(status))
            return False
        rating = rate(asked.grid, asked.constraints, limit=arguments.limit)
        show(arguments, rating.words, asked.record, status=str(status), **rating.as_data())
        return True

    return for_each(arguments, answer)
