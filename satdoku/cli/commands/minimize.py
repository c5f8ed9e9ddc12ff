"""The command `minimize`: a minimal puzzle inside each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...model.puzzle import Puzzle, Unreadable
from ...runtime.errors import BudgetError, SatdokuError, Status
from ...runtime.limits import within
from ..answers import exit_code, together
from ..inputs import asked_puzzles
from ..options import Puzzles, Rules, flag, json_option, option, timeout_option
from ..output import note, show, verdict

if TYPE_CHECKING:
    from ...generator.dice import Dice

EXAMPLE = "satdoku minimize 1234341221434321"


class Arguments(Puzzles, Rules):
    json = json_option()
    clues = flag(
        help="first remove clues that are not needed, in random order; print the remaining "
        "rules after each puzzle"
    )
    seed = option(type=int, default=0, metavar="K", help="random seed, 0 or more (default 0)")
    timeout = timeout_option("the status of a puzzle is unknown")


def run(arguments: Arguments) -> int:
    """A minimal puzzle inside each, or its status; exit 1 if any does not have one solution."""
    if arguments.seed < 0:
        raise SatdokuError(f"--seed {arguments.seed}: expected 0 or more")
    return exit_code(arguments, _answers(arguments))


def _answers(arguments: Arguments) -> Iterator[bool | Unreadable]:
    """Whether each puzzle has one solution, after its line is printed."""
    from ...generator.dice import Dice

    dice = Dice(arguments.seed)
    for answered in together(asked_puzzles(arguments), lambda some: _each(some, arguments, dice)):
        if isinstance(answered, Unreadable):
            yield answered
            continue
        asked, minimal = answered
        if isinstance(minimal, Status):
            show(arguments, verdict(minimal), asked.record, status=str(minimal))
            yield False
            continue
        text, rules = str(minimal.grid), minimal.constraints.name
        found = {"minimal": text} | ({"kept": rules} if arguments.clues else {})
        if arguments.clues:
            text = f"{text} {rules}"
        show(arguments, text, asked.record, status=str(Status.UNIQUE), **found)
        yield True


def _each(asked: list[Puzzle], arguments: Arguments, dice: Dice) -> Iterator[Puzzle | Status]:
    """A minimal puzzle inside each, all under the same constraints, or why there is none; one by
    one if each has a time limit."""
    import numpy as np

    from ...generator.clues import minimal_puzzles

    constraints, limit = asked[0].constraints, arguments.timeout
    cells = b"".join(item.grid.cells for item in asked)
    puzzles = np.frombuffer(cells, np.uint8).reshape(len(asked), -1)
    if limit is None:
        yield from minimal_puzzles(puzzles, constraints, dice, clues=arguments.clues)
        return
    for item, puzzle in zip(asked, puzzles, strict=True):
        found: list[Puzzle | Status] = [Status.UNKNOWN]
        try:
            with within(limit - item.took, limit):
                found = [*minimal_puzzles(puzzle[None], constraints, dice, clues=arguments.clues)]
        except BudgetError as error:
            note(arguments, error)
        yield from found
