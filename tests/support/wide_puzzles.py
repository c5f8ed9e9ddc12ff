"""Random clues that say something of three cells or more."""

from __future__ import annotations

import random

from clue_examples import OF_LAYERS, random_clue

from satdoku.model.board import Board
from satdoku.model.clue import ClueError
from satdoku.model.constraints import constraints_for
from satdoku.model.kinds import KINDS

# Regions to find are those of a layer, which no random clue has.
WIDE = sorted(
    kind for kind, own in KINDS.items() if (own.shapes or own.joins) and kind not in OF_LAYERS
)


def wide_puzzles(kind, count, size):
    """Constraints, each with one random clue of the kind on more than two cells."""
    rng, board, found = random.Random(f"{kind} {size}"), Board.of_size(size), []
    while len(found) < count:
        try:
            constraints = constraints_for(random_clue(rng, kind, size), board)
        except ClueError:
            continue
        found += [constraints] if constraints.is_wide else []
    return found
