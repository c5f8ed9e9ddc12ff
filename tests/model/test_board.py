"""Boards and houses; sets as bits, there and back; all solutions of small boards, by class."""

from __future__ import annotations

import pickle
import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_boards import CLASSES

import satdoku
from satdoku.model.board import Board, BoardError, bits, board_for, mask_of

NINE = Board()


def test_classic_geometry_has_the_known_sizes():
    assert (NINE.cells, NINE.variables, len(NINE.houses)) == (81, 729, 27)
    assert {len(peers) for peers in NINE.peers} == {20}
    assert len({frozenset(p) for h in NINE.houses for p in combinations(h, 2)}) == 810


def test_chess_pairs_have_the_known_counts():
    assert len(NINE.knight_pairs) == 224
    assert len(NINE.king_pairs) == 128
    assert len(NINE.adjacent_pairs) == 144


@pytest.mark.parametrize("size", [4, 6, 8, 9, 10, 12, 15, 16, 20, 25])
def test_moves_agree_with_distances_on_every_board(size):
    board = Board.of_size(size)
    moves = {"knight_pairs": {1, 2}, "king_pairs": {1}, "adjacent_pairs": {0, 1}}
    for name, steps in moves.items():
        expected = {
            (a, b)
            for a, b in combinations(range(board.cells), 2)
            if {abs(a // size - b // size), abs(a % size - b % size)} == steps
        }
        assert set(getattr(board, name)) == expected
        assert len(getattr(board, name)) == len(expected)


@pytest.mark.parametrize(
    ("size", "rows", "columns"),
    [(4, 2, 2), (6, 2, 3), (8, 2, 4), (9, 3, 3), (12, 3, 4), (16, 4, 4), (25, 5, 5)],
)
def test_usual_boxes_are_as_square_as_can_be(size, rows, columns):
    board = Board.of_size(size)
    assert (board.box_rows, board.box_columns) == (rows, columns)
    assert sorted(cell for box in board.boxes for cell in box) == list(range(board.cells))
    for box in board.boxes:
        assert len({c // size for c in box}) == rows
        assert len({c % size for c in box}) == columns


def test_box_order_is_left_to_right_top_to_bottom():
    assert NINE.boxes[1][0] == 3
    assert NINE.boxes[3][0] == 27
    assert Board.of_size(6).boxes[1][0] == 3
    assert Board.of_size(6).boxes[2][0] == 12


def test_regions_take_the_place_of_boxes():
    regions = tuple(cell // 4 for cell in range(16))
    board = Board(4, regions=regions)
    assert board.boxes == board.rows


@pytest.mark.parametrize("size", [2, 3, 5, 7, 11, 23])
def test_a_size_that_no_boxes_fit_has_none(size):
    board = Board.of_size(size)
    assert board == Board.latin(size) and not board.has_boxes
    assert board.houses == board.rows + board.columns
    assert {*map(len, board.peers)} == {2 * size - 2}
    assert board_for(board.cells) is None  # it has to be asked for


def test_boxes_of_one_row_or_column_are_none():
    assert Board(6, 1, 6) == Board(6, 6, 1) == Board.latin(6) != Board.of_size(6)
    assert pickle.loads(pickle.dumps(Board.latin(6))) == Board.latin(6)
    assert [board.in_words for board in (NINE, Board.latin(5), Board.of_map("abcd" * 4))] == [
        "a board of 9x9 with boxes of 3x3", "a board of 5x5 without boxes",
        "a board of 4x4 with regions",
    ]  # fmt: skip


def test_impossible_boards_are_refused():
    with pytest.raises(BoardError, match="do not fill 9x9"):
        Board(9, 2, 3)
    for sides in [(-3, -3), (-1, -9), (0, 9)]:
        with pytest.raises(BoardError, match="do not fill 9x9"):
            Board(9, *sides)
    with pytest.raises(BoardError, match="region 2 has 5 cells"):
        Board(4, regions=_uneven())
    with pytest.raises(BoardError, match="15 cells"):
        Board(4, regions=(0,) * 15)
    with pytest.raises(BoardError, match="board size 0: expected 2 to 256"):
        Board(0, 0, 0)
    with pytest.raises(BoardError, match="board size 1: expected 2 to 256"):
        Board.of_size(1)
    with pytest.raises(BoardError, match="board size 257: expected 2 to 256"):
        Board.of_size(257)
    with pytest.raises(BoardError, match="boxes of 5x7 cells do not fill 36x36 cells"):
        Board(36, 5, 7)
    with pytest.raises(BoardError, match="board size 26: expected 2 to 25"):
        Board(26, regions=(0,) * 676)


def _uneven():
    return (0,) * 4 + (1,) * 5 + (2,) * 3 + (3,) * 4


def test_board_for_knows_cell_counts():
    assert board_for(81) == NINE
    assert [n for n in range(1, 700) if board_for(n)] == [
        16, 36, 64, 81, 100, 144, 196, 225, 256, 324, 400, 441, 484, 576, 625,
    ]  # fmt: skip


def test_cells_are_named_from_one():
    assert NINE.name_of(0) == "r1c1"
    assert NINE.name_of(38) == "r5c3"


@given(st.sets(st.integers(0, 15_624)))
def test_a_mask_has_its_members_ascending(members):
    assert [*bits(mask_of(members))] == sorted(members)
    assert mask_of([*members, *members]) == mask_of(members) == sum(1 << k for k in members)


@pytest.mark.parametrize("board", [
    Board(), Board(6, 3, 2), Board(6, 2, 2), Board(6, 2, 3, height=4), Board(12, 3, 4, height=3),
])  # fmt: skip
def test_regions_that_are_boxes_are_boxes(board):
    index = {cell: number for number, box in enumerate(board.boxes) for cell in box}
    regions = tuple(index[cell] for cell in range(board.cells))
    assert Board.of_regions(regions, board.width, board.height) == board
    least = tuple(region - 1 for region in regions)  # none in place of the first
    assert Board.of_regions(least, board.width, board.height).regions == least


@pytest.mark.parametrize(
    ("name", "count"),
    [(name, 4) for name in CLASSES]
    + [pytest.param(name, 200, marks=pytest.mark.slow) for name in CLASSES],
)
def test_solutions_of_random_small_boards_are_those_of_brute_force(name, count):
    """Of every class of board, layer and connected cells."""
    for seed in range(count):
        case = CLASSES[name](random.Random(f"{name} {seed}"))
        found = [grid.values for grid in satdoku.solutions(case.givens, case.rules)]
        cells = len(case.givens)
        assert sorted(values[:cells] for values in found) == sorted(case.solutions), case


@pytest.mark.parametrize(
    ("rows", "columns", "number"),
    [(2, 3, 6 * 2), (2, 4, 24 * 9), (2, 5, 120 * 44), (3, 4, 24 * 24), (4, 3, 24 * 24)],
)
def test_latin_rectangles_are_counted(rows, columns, number):
    """The first row is any permutation, the second a derangement of it (OEIS A000166); three rows
    of four go on in 24 ways from each first row."""
    rules = f"latin,shape={rows}x{columns}"
    assert satdoku.count("." * rows * columns, rules, limit=number + 1) == number
