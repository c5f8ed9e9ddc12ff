"""Random clues: of every kind, right on their grid, the same for the same numbers."""

from random import Random

import pytest
from clue_examples import OF_LAYERS, keeps
from examples import CLASSIC_SOLUTION

from satdoku.model.board import Board
from satdoku.model.kinds import KINDS, clue_of
from satdoku.model.kinds.drawing import random_clue

NINE = Board.of_size(9)
GRID = bytes(map(int, CLASSIC_SOLUTION))


@pytest.mark.parametrize("kind", sorted(KINDS.keys() - OF_LAYERS))
def test_a_drawn_clue_is_one_that_can_be_typed_and_that_was_accepted(kind):
    def drawn(holds):
        return [random_clue(KINDS[kind], GRID, NINE, Random(n), holds) for n in range(2)]

    some = drawn(lambda clue: True)
    assert all(some)
    assert drawn(lambda clue: True) == some
    assert all(clue_of(clue.text(NINE), NINE) == clue for clue in some)
    good = drawn(lambda clue: keeps(GRID, clue, (clue,), 9))
    assert all(keeps(GRID, clue, (clue,), 9) for clue in good if clue)
    assert drawn(lambda clue: False) == [None] * 2
