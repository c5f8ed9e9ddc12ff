"""Each way to state a clue is a kind's, and what a way writes it reads back."""

import random

import pytest
from clue_examples import random_clue

from satdoku.files.iss.clues import KEYS
from satdoku.files.iss.ways import WAYS
from satdoku.model.board import Board
from satdoku.model.clue import ClueError
from satdoku.model.kinds import KINDS, clue_of, foreign


def test_every_way_to_state_a_clue_is_that_of_a_kind():
    assert {there.way for _, there in foreign("iss")} == {*WAYS, "flag", "joined"}


@pytest.mark.parametrize(
    "kind", sorted({key.kind for key in KEYS} - {"chaos", "alike", "alike-run", "machine"})
)
def test_what_a_way_writes_it_reads_back(kind):
    """On boards of some sizes; where the first way has none, another one may."""
    dice, written = random.Random(kind), 0
    for size in (4, 6, 9, 9, 9):
        board = Board.of_size(size)
        try:
            clue = clue_of(random_clue(dice, kind, size), board)
        except ClueError:  # thirds of four digits
            continue
        for key in (key for key in KEYS if key.kind == kind):
            for args in key.write(clue, board):
                for groups, value in key.read(args, board):
                    read = KINDS[kind].canonical(clue._replace(groups=groups, value=value), board)
                    written += 1
                    if len(key.write(clue, board)) == 1:
                        assert read == clue
    assert written or kind in ("difference", "ratio", "little-killer", "quadruple")
