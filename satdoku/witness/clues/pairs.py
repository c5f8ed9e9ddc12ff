"""Clues that compare cells two by two: between neighbours, and along lines.

Invariant: nothing here reads `model.kinds`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from ...model.board import Board
from ...model.clue import Clue
from .geometry import touch
from .parts import Holds, Part, Parts, Statement, along
from .predicates import (
    difference,
    far,
    gains,
    more,
    near,
    no_difference,
    no_ratio,
    no_total,
    other,
    other_rest,
    other_third,
    ratio,
    same,
)


def _unless_joined(by: str, holds: Callable[[int], Holds]) -> Statement:
    """All neighbours but those that a clue of one of the kinds joins, whatever its value."""

    def parts(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
        said = [set(c.cells) for c in clues if c.kind in by.split() and len(c.cells) == 2]
        return (
            Part(pair, holds(int(clue.value))) for pair in touch(board) if set(pair) not in said
        )

    return parts


def _mirror(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    back = list(reversed(clue.cells))
    for i, cell in enumerate(clue.cells):
        if i < len(back) - 1 - i:
            yield Part((cell, back[i]), same)


STATEMENTS: dict[str, Statement] = {
    "difference": along(lambda board, value, steps: difference(int(value))),
    "ratio": along(lambda board, value, steps: ratio(int(value))),
    "no-difference": _unless_joined("difference ratio", no_difference),
    "no-ratio": _unless_joined("difference ratio", no_ratio),
    "no-sum": _unless_joined("sum", no_total),
    "greater": along(lambda board, value, steps: more),
    "thermo": along(lambda board, value, steps: gains(steps)),
    "slow-thermo": along(lambda board, value, steps: gains(0)),
    "whisper": along(lambda board, value, steps: far(int(value)) if steps == 1 else None),
    "palindrome": _mirror,
    "renban": lambda board, clue, clues: (
        Part(pair, near(len(clue.cells) - 1)) for pair in combinations(clue.cells, 2)
    ),
    "nabner": along(lambda board, value, steps: far(2)),
    "entropic": along(lambda board, value, steps: other_third(board.size) if steps < 3 else None),
    "modular": along(
        lambda board, value, steps: other_rest(int(value)) if steps < int(value) else None
    ),
    "parity": along(lambda board, value, steps: other_rest(2) if steps == 1 else None),
    "distinct": along(lambda board, value, steps: other),
}
