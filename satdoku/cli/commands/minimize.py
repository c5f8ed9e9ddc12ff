"""The command `minimize`: a minimal puzzle inside each."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from ...model.grid import Grid
from ...model.puzzle import Puzzle, Unreadable
from ...runtime.errors import SatdokuError, Status
from ..answers import exit_code, together
from ..inputs import asked_puzzles
from ..options import Puzzles, Rules, flag, json_option, option
from ..output import show, verdict

if TYPE_CHECKING:
    from ...generator.dice import Dice
    from ...model.constraints import Constraints

EXAMPLE = "satdoku minimize 1234341221434321"


class Arguments(Puzzles, Rules):
    json = json_option()
    clues = flag(
        help="first remove clues that are not needed, in random order; print the remaining "
        "rules after each puzzle"
    )
    seed = option(type=int, default=0, metavar="K", help="random seed, 0 or more (default 0)")


def run(arguments: Arguments) -> int:
    """A minimal puzzle inside each, or its status; exit 1 if any does not have one solution."""
    if arguments.seed < 0:
        raise SatdokuError(f"--seed {arguments.seed}: expected 0 or more")
    return exit_code(arguments, _answers(arguments))


def _answers(arguments: Arguments) -> Iterator[bool | Unreadable]:
    """Whether each puzzle has one solution, after its line is printed."""
    from ...generator.dice import Dice

    dice = Dice(arguments.seed)
    minimize = partial(_minimize_all, dice=dice, clues=arguments.clues)
    for answered in together(asked_puzzles(arguments), minimize):
        if isinstance(answered, Unreadable):
            yield answered
            continue
        asked, (minimal, constraints) = answered
        unique = isinstance(minimal, Grid)
        text = str(minimal) if unique else verdict(minimal)
        status = Status.UNIQUE if unique else minimal
        found = {"minimal": text} if unique else {}
        if unique and arguments.clues:
            text, found["kept"] = f"{text} {constraints.name}", constraints.name
        show(arguments, text, asked.record, status=str(status), **found)
        yield unique


def _minimize_all(
    asked: list[Puzzle], dice: Dice, clues: bool
) -> list[tuple[Grid | Status, Constraints]]:
    """A minimal puzzle inside each, all under the same constraints, or why there is none; and the
    constraints that it needs, where clues may go too."""
    import numpy as np

    from ...batch.solve import solve_batch
    from ...generator import minimized
    from ...generator.clues import thinned

    constraints = asked[0].constraints
    cells = b"".join(item.grid.cells for item in asked)
    puzzles = np.frombuffer(cells, np.uint8).reshape(len(asked), -1).copy()
    statuses = solve_batch(puzzles, constraints).statuses
    one = statuses == Status.UNIQUE
    needed = [constraints] * len(asked)
    if clues:
        for row in np.flatnonzero(one).tolist():
            needed[row] = thinned(puzzles[row], constraints, Random(int(dice.words(1)[0])))
            puzzles[row] = minimized(puzzles[row : row + 1], needed[row], dice)[0]
    else:
        puzzles[one] = minimized(puzzles[one], constraints, dice)
    found = (
        Grid(puzzle.tobytes(), constraints.board) if unique else Status(code)
        for puzzle, unique, code in zip(puzzles, one.tolist(), statuses.tolist(), strict=True)
    )
    return list(zip(found, needed, strict=True))
