"""The command `propagate`: the grid as far as unit propagation alone fixes it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ...model.grid import Grid
from ..answers import for_each
from ..options import add_encoding, add_format, add_puzzles, add_rules
from ..output import grid_writer

if TYPE_CHECKING:
    from ...sat.session import Session


EXAMPLE = "satdoku propagate 123............."


def add_options(parser: argparse.ArgumentParser) -> None:
    add_puzzles(parser)
    add_rules(parser, solver=False)
    add_encoding(parser)
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """The grid as far as unit propagation alone fixes it."""
    write = grid_writer(arguments)

    def answer(puzzle: Grid, session: Session) -> bool:
        fixed = session.propagate(puzzle)
        print("conflict" if fixed is None else write(fixed, puzzle))
        return fixed is not None

    return for_each(arguments, answer)
