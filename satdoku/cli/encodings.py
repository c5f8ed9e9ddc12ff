"""The `encodings` command: how large each encoding is, on boards of several sizes."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from ..board import Board
from ..encodings import ENCODINGS, build, encodings_named
from ..grid import Grid
from ..rules import Constraints, RuleError
from . import EXIT_DONE
from .inputs import asked_board, law_for, one_question

SIZES = (4, 6, 9, 16)  # boards to count for where none is asked for


def encodings(arguments: argparse.Namespace) -> int:
    """A line for each encoding: numbers of variables and of distinct clauses."""
    puzzle, law = (
        one_question(arguments, arguments.puzzle)
        if arguments.puzzle
        else (None, law_for(arguments) if asked_board(arguments) else None)
    )
    laws = [law] if law else list(_usual_laws(arguments))
    names = encodings_named(arguments.encodings)
    print(" " * 19 + "".join(f"{law.board.size}x{law.board.size}".rjust(21) for law in laws))
    print(f"{'encoding':<12}{'kind':<7}" + f"{'variables':>11}{'clauses':>10}" * len(laws))
    for name in names:
        counts = (_counts(law, name, puzzle) for law in laws)
        print(f"{name:<12}{ENCODINGS[name]:<7}" + "".join(counts))
    if "reduced" in names and puzzle is None:
        print("reduced leaves out what a puzzle's givens settle; here nothing is given")
    return EXIT_DONE


def _usual_laws(arguments: argparse.Namespace) -> Iterator[Constraints]:
    """The rules on the usual boards that can have them; the error of the last if none can."""
    refused: RuleError | None = None
    found = False
    for size in SIZES:
        try:
            yield law_for(arguments, Board.of_size(size))
            found = True
        except RuleError as error:
            refused = error
    if refused and not found:
        raise refused


def _counts(law: Constraints, name: str, puzzle: Grid | None) -> str:
    formula = build(law, name, puzzle)
    return f"{formula.variables:>11,}{len(formula.clauses):>10,}"
