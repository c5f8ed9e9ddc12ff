"""Random puzzles with clues: drawn true of a random grid, then left out while one solution remains.

Invariant: a puzzle has one solution, and each of its clues and givens is needed for that. The same
seed gives the same puzzles.

    puzzles = puzzles_with_clues(constraints_for("knight"), ["thermo", "white"], seed=1)
    next(puzzles)                          # (81,) uint8, and the Constraints with its clues
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, cycle, islice
from random import Random

import numpy as np

from ..errors import Status
from ..model.board import Board
from ..model.constraints import Constraints, constraints_for
from ..model.grid import Grid
from ..model.kinds import ALIASES, Clue, ClueError, Kind, kind_of
from ..model.kinds.drawing import random_clue
from ..witness.verify import first_violation
from .dice import Dice
from .errors import GeneratorError
from .grids import random_grids
from .oracle import Grids, answers
from .removal import taken_away

CLUES = 20  # drawn for a puzzle, of the kinds in turn


def with_clues(constraints: Constraints, clues: Sequence[str]) -> Constraints:
    """The rules with these clues, canonical texts, in place of their own."""
    return constraints_for(";".join([",".join(constraints.names), *clues]), constraints.board)


def puzzles_with_clues(
    constraints: Constraints, kinds: Sequence[str], seed: int
) -> Iterator[tuple[Grids, Constraints]]:
    """Puzzles (cells,) uint8 without end, each with its own constraints.

    Raises `ClueError` for an unknown kind, `GeneratorError` if a grid shows no clue of a kind.
    """
    for name in kinds:
        kind_of(name)
    for number in count():
        dice = Dice(seed, (number,))
        grid = random_grids(1, constraints, dice)
        rng = Random(int(dice.words(1)[0]))
        drawn = _drawn(grid[0], constraints, kinds, rng)
        every = with_clues(constraints, [*constraints.clue_texts, *drawn])
        cells = constraints.board.cells
        puzzle = taken_away(grid, every, np.arange(cells), dice.orders(1, cells))[0]
        yield puzzle, thinned(puzzle, every, rng, keep=constraints.clue_texts)


def _drawn(grid: Grids, constraints: Constraints, kinds: Sequence[str], rng: Random) -> set[str]:
    """Clues that the grid keeps, of the kinds in turn, with their usual values."""
    board = constraints.board
    full = Grid(grid.tobytes(), board)

    def holds(clue: Clue) -> bool:
        usual = value in ("", clue.value)
        return usual and first_violation(full, (clue.text(board),)) is None

    clues = set()
    for name in islice(cycle(kinds), max(CLUES, len(kinds))):
        kind = kind_of(name)
        value = ALIASES[name][1] if name in ALIASES else _usual_value(kind, board)
        clue = random_clue(kind, full.cells, board, rng, holds)
        if clue is not None:
            clues.add(clue.text(board))
    if not clues:
        raise GeneratorError(f"a random grid shows no clue of the kinds {', '.join(kinds)}")
    return clues


def _usual_value(kind: Kind, board: Board) -> str:
    """The value of a clue that states none; empty if it has to."""
    try:
        return kind.value.read("", board) if kind.value else ""
    except ClueError:
        return ""


def thinned(
    puzzle: Grids, constraints: Constraints, rng: Random, *, keep: Sequence[str] = ()
) -> Constraints:
    """The rules without clues that a puzzle (cells,) with one solution does not need, tried in
    random order; those of `keep` stay."""
    for text in rng.sample(constraints.clue_texts, len(constraints.clue_texts)):
        fewer = with_clues(
            constraints, [other for other in constraints.clue_texts if other != text]
        )
        if text not in keep and answers(puzzle[None], fewer).statuses[0] == Status.UNIQUE:
            constraints = fewer
    return constraints
