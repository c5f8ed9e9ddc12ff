"""Random full grids under any rules, by the best way there is.

Law: uniform where that can be had exactly: rules with few grids have them all listed and one drawn,
classic 9x9 has a way of its own (`classic`); all others walk (`walk`) until what is left of the
bias of where they began cannot be measured.
"""

from __future__ import annotations

from functools import lru_cache

from ..few_grids import FewGridsError, all_grids
from ..rules import Constraints, constraints
from .classic import classic_grids
from .dice import Dice
from .errors import GeneratorError
from .oracle import Grids
from .walk import walked_grids

LISTED = 512  # rules with no more grids have them listed


def random_grids(count: int, law: Constraints, dice: Dice) -> Grids:
    """Full grids (count, cells) under the rules. Raises `GeneratorError` where there is none."""
    if law == constraints("classic"):
        return classic_grids(count, law, dice)
    listed = few_grids(law)
    if listed is None:
        return walked_grids(count, law, dice)
    if not len(listed):
        size = law.board.size
        raise GeneratorError(f"there is no {size}x{size} grid under the rules {law.name}")
    return listed[dice.below(len(listed), count)]


@lru_cache(maxsize=64)
def few_grids(law: Constraints) -> Grids | None:
    """All grids under the rules in lexicographic order, None if there are more than `LISTED`."""
    try:
        return all_grids(law, LISTED)
    except FewGridsError:
        return None
