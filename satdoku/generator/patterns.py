"""Puzzles whose givens stand exactly where a pattern has them.

Invariant: a puzzle is the part of a random grid that the pattern shows, kept only if it has one
solution; nothing is changed to reach that. So every unique puzzle of the pattern is as likely as
any other, as far as grids are uniform. The price is that most grids fail.

A random grid costs time, so each is used many times: the symmetries of the rules turn it into other
grids, each as random as the first.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from ..model.constraints import Constraints
from ..symmetry.group import group
from ..symmetry.structure import Structure, cells_of
from .dice import Dice
from .errors import GeneratorError
from .grids import random_grids
from .oracle import Grids, unique
from .shapes import Mask
from .walk import scrambled

SIDES = 32  # images of each grid


def seen_through(count: int, pattern: Mask, constraints: Constraints, dice: Dice) -> Grids:
    """The unique puzzles that the pattern shows of so many random grids, (at most count, cells).

    Of the images of one grid only the first is kept.
    """
    grids = random_grids(-(-count // SIDES), constraints, dice)
    images = scrambled(np.repeat(grids, SIDES, axis=0), constraints, dice)
    puzzles = np.where(pattern, images, np.uint8(0))
    rows = np.flatnonzero(unique(puzzles, constraints))
    _, first = np.unique(rows // SIDES, return_index=True)
    return puzzles[rows[first]]


def check_pattern(pattern: Mask, constraints: Constraints) -> None:
    """Raise `GeneratorError` if no puzzle of the pattern can have exactly one solution.

    Two reasons are checked: two lines without givens that can be swapped under the rules, and too
    few givens to tell apart all digits that can be renamed into each other. There are others.
    """
    size = constraints.board.size
    widest = max(map(len, group(constraints).classes))
    if pattern.sum() < widest - 1:
        found = f"pattern of {pattern.sum()} givens"
        raise GeneratorError(
            f"{found}: {constraints.name} needs {widest - 1} or more, all digits but one"
        )
    square, structure = pattern.reshape(size, size), Structure(constraints)
    for axis, name in ((1, "row"), (0, "column")):
        empty = np.flatnonzero(~square.any(axis=axis)).tolist()
        for a, b in combinations(empty, 2):
            lines = np.arange(2 * size)
            first, second = (2 * a, 2 * b) if name == "row" else (2 * a + 1, 2 * b + 1)
            lines[[first, second]] = second, first
            if structure.preserved_by(cells_of(lines), np.arange(size)):
                raise GeneratorError(
                    f"pattern without givens in {name}s {a + 1} and {b + 1}, which can be swapped: "
                    "no such puzzle has one solution"
                )
