"""Counting by bands: published numbers, both ways to turn a board, bands by brute force."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product

import pytest

from satdoku.counting import Way, bands, count_exact
from satdoku.counting.bands import Bands, count_by_bands
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for

BOARDS = [  # 8x8: E. Russell
    (Board(4, 2, 2), 288),
    (Board(6, 2, 3), 28_200_960),
    (Board(6, 3, 2), 28_200_960),
    (Board(8, 2, 4), 29_136_487_207_403_520),
]


@pytest.mark.parametrize(("board", "grids"), BOARDS)
def test_published_numbers(board, grids):
    assert bands.serves(constraints_for("classic", board))
    assert count_by_bands(board) == grids


def test_it_serves_whole_boards_under_classic_rules_only(monkeypatch):
    for rules, size in [("diagonal", 9), ("latin", 9), ("classic", 12), ("classic", 16)]:
        assert not bands.serves(constraints_for(rules, Board.of_size(size)))
    jigsaw = constraints_for("jigsaw=1122112233443344")
    assert not bands.serves(jigsaw)
    monkeypatch.setattr(bands, "count_by_bands", lambda board: -1)
    assert count_exact().grids == count_exact("." * 81).grids == -1
    assert count_exact("1" + "." * 15).grids == 72
    assert count_exact(size=4, way=Way(symmetry=False)).grids == 288


def test_the_number_does_not_depend_on_how_the_board_is_turned():
    """6x6 has two bands of 3 rows or three of 2."""
    assert Bands(3, 2).grids() == Bands(2, 3).grids() == 28_200_960


def test_fillings_are_the_bands_with_these_contents():
    """4x4: all pairs of rows that are a band whose first box has 0 and 1 in its first column."""
    board = Bands(2, 2)
    found: Counter[frozenset[frozenset[int]]] = Counter()
    for upper, lower in product(permutations(range(4)), repeat=2):
        columns = [frozenset(column) for column in zip(upper, lower, strict=True)]
        if columns[:2] == [{0, 1}, {2, 3}] and len(columns[2] | columns[3]) == 4:
            found[frozenset(columns[2:])] += 1
    assert board.boxes[0] == ({0, 1}, {2, 3})
    assert found == {  # of two boxes the columns may have either order
        frozenset(box): 2 * number for box, number in zip(board.boxes, board.fillings, strict=True)
    }


def test_9x9():
    """948,109,639,680 first bands, in 44 classes, and all grids: Felgenhauer and Jarvis."""
    board = Bands(3, 3)
    assert board.grids() == 6_670_903_752_021_072_936_960
    assert board.fillings.sum() * 1680 * 6**2 == 948_109_639_680
    assert len(board.classes()) == 44
    assert sum(size for _, size in board.classes()) == board.fillings.size
