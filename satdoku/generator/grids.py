"""Random full grids under any rules, by the best method for them.

Invariant: grids are exactly uniform if the rules have few grids (all are listed, and one is drawn)
or are classic 9x9 (`classic`). For all other rules a random walk (`walk`) goes on until no bias of
its start can be measured.
"""

from __future__ import annotations

import time
from functools import lru_cache
from math import inf

from ..counting.few_grids import FewGridsError, all_grids
from ..model.constraints import Constraints, constraints_for
from ..symmetry.group import group
from .classic import classic_grids
from .dice import Dice
from .errors import GeneratorError
from .oracle import Grids
from .walk import walked_grids
from .watch import begin, deadline

LISTED = 512  # if rules have no more grids, all are listed


def random_grids(count: int, constraints: Constraints, dice: Dice) -> Grids:
    """Full grids (count, cells) under the rules. Raises `GeneratorError` if there is none."""
    listed = few_grids(constraints)
    begin("drawing grids")
    if listed is None:
        make = classic_grids if constraints == constraints_for("classic") else walked_grids
        return make(count, constraints, dice)
    if not len(listed):
        size = constraints.board.size
        raise GeneratorError(f"there is no {size}x{size} grid under the rules {constraints.name}")
    return listed[dice.below(len(listed), count)]


@lru_cache(maxsize=64)
def few_grids(constraints: Constraints) -> Grids | None:
    """All grids under the rules in lexicographic order, None if there are more than `LISTED`.

    Every grid holds all digits, so each renaming that the rules allow makes another grid of it.
    """
    if constraints == constraints_for("classic"):
        return None  # which is known at once
    begin("listing grids")
    several = group(constraints).digit_order > LISTED
    try:
        end = deadline()
        seconds = None if end == inf else end - time.monotonic()
        most = 0 if several else LISTED
        return all_grids(constraints, most, timeout=seconds, progress=lambda *_: deadline())
    except FewGridsError:
        return None
