"""The command `candidates`: each cell's digits over all solutions."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ...model.grid import Grid
from ..answers import for_each
from ..options import add_encoding, add_puzzles, add_rules

if TYPE_CHECKING:
    from ...sat.session import Session


EXAMPLE = "satdoku candidates 12.............."


def add_options(parser: argparse.ArgumentParser) -> None:
    add_puzzles(parser)
    add_rules(parser)
    add_encoding(parser)


def run(arguments: argparse.Namespace) -> int:
    """Each cell's digits over all solutions, a row a line."""

    def answer(puzzle: Grid, session: Session) -> bool:
        true = session.candidates(puzzle)
        n = puzzle.board.size
        separator = "" if n <= 9 else ","
        words = [separator.join(map(str, sorted(digits))) or "-" for digits in true]
        width = max(map(len, words))
        for row in range(n):
            print(" ".join(word.ljust(width) for word in words[n * row : n * row + n]).rstrip())
        return all(true)

    return for_each(arguments, answer)
