"""Puzzles whose givens stand exactly where a pattern has them.

Invariant: a puzzle is a random grid seen through the pattern, kept if that has one solution;
nothing is changed to make it so. So every unique puzzle of the pattern is as likely as any other,
as far as grids are uniform; the price is that most grids fail.

A grid that has been paid for is looked at from many sides: symmetries of the rules make other
grids of it, each as random as the grid was.
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
    """What is unique among so many random grids (count, cells) seen through the pattern; of the
    images of one grid the first."""
    grids = random_grids(-(-count // SIDES), constraints, dice)
    images = scrambled(np.repeat(grids, SIDES, axis=0), constraints, dice)
    puzzles = np.where(pattern, images, np.uint8(0))
    rows = np.flatnonzero(unique(puzzles, constraints))
    _, first = np.unique(rows // SIDES, return_index=True)
    return puzzles[rows[first]]


def check_pattern(pattern: Mask, constraints: Constraints) -> None:
    """Raise `GeneratorError` where no puzzle of the pattern can have one solution.

    That is so where two lines without givens may be swapped under the rules, and where two digits
    or more that may be renamed into each other cannot all be given. (There are other reasons.)
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
