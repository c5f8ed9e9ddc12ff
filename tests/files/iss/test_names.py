"""Each cell has one name, and each name is that of one cell."""

from itertools import pairwise

import pytest

from satdoku.files.iss import names
from satdoku.model.board import Board
from satdoku.model.clue import ClueError
from satdoku.model.constraints import constraints_for

BOARDS = [
    Board(), Board(6, 2, 3, height=8), Board(16, 4, 4), Board(2, 1, 2, height=16),
    constraints_for("shape=4x5;layer=a*3:1-5;layer=b*1:1-5;layer=shade:1-5").board,
    constraints_for("shape=4x4;layer=dgr*4:1-4;layer=cc:1-4").board,
]  # fmt: skip


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.in_words)
def test_names_are_read_back(board):
    cells = tuple(range(board.cells))
    told = names.cell_names(cells, board)
    assert len({*told}) == len(cells)
    assert names.cells_named(told, board) == cells
    assert names.cells_named([name.lower() for name in told if name[0] == "R"], board) == tuple(
        range(board.grid_cells)
    )
    spots = [names.spot_of(cell, board) for cell in cells]
    assert [names.cell_of_spot(board)[spot] for spot in spots] == list(cells)
    parts = (cells[:2], (), cells[2:5])
    assert names.segments_named(names.segment_names(parts, board), board) == parts


@pytest.mark.parametrize("board", BOARDS[:4], ids=lambda board: board.in_words)
def test_lines_and_diagonals_are_read_back(board):
    for cells, name in names.line_names(board).items():
        assert names.line_named(name, board) == cells
    assert len({frozenset(cells) for cells in names.diagonals(board).values()}) == len(
        names.diagonals(board)
    )
    for name, cells in names.diagonals(board).items():
        assert names.cell_named(name, board) == cells[0]
        places = [board.places[cell] for cell in cells]
        assert {abs(a[0] - b[0]) for a, b in pairwise(places)} == {1}
        assert {abs(a[1] - b[1]) for a, b in pairwise(places)} == {1}


def test_names_and_groups():
    board = BOARDS[4]
    assert names.cell_names((0, 20, 22, 23, 24), board) == ("R1C1", "VA1", "VA3", "VB", "VSHADE1")
    given = ("", "_name", "R1C1", "R1C2", "", "_other", "VB")
    assert list(names.groups(given, board)) == [(0, 1), (23,)]
    assert list(names.touching_pairs((0, 1, 6), board)) == [((0, 1),), ((1, 6),)]
    assert names.find_cell("VB1", board) is None
    for name in ("R0C1", "R5C1", "VA4", "VC", "R1", ""):
        with pytest.raises(ClueError, match="is no cell of a board of 4x5"):
            names.cell_named(name, board)
    for name in ("R5", "C0", "D1", "R01"):
        with pytest.raises(ClueError, match="expected a row or a column"):
            names.line_named(name, board)
