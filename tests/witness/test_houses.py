"""Three ways to check whole grids against their houses give one verdict, that of the pairs."""

import numpy as np
import pytest
from examples import CLASSIC_SOLUTION
from hypothesis import given
from hypothesis import strategies as st

from satdoku.model.board import Board
from satdoku.model.grid import Grid, parse_grid
from satdoku.witness import houses
from satdoku.witness.verify import _checks, violations

BOARDS = [
    Board.of_size(4), Board.of_size(6), Board(), Board.of_size(12), Board.of_size(25),
    Board.latin(5), Board.of_map("1111222233334444"),
]  # fmt: skip
compiled = pytest.mark.skipif(not houses.AVAILABLE, reason="built without a compiler")


def shifted_rows(board):
    """A full grid without a clash, but for regions."""
    size, height, width = board.size, board.box_rows, board.box_columns
    return bytes(
        (width * (row % height) + row // height + column) % size + 1
        for row in range(size)
        for column in range(size)
    )


@st.composite
def cases(draw):
    """A board, a puzzle, and grids that differ from a solution in a few cells, or in a swap."""
    board = draw(st.sampled_from(BOARDS))
    whole = bytearray(shifted_rows(board))
    puzzle = bytearray(draw(st.binary(min_size=board.cells, max_size=board.cells)))
    puzzle = bytes(digit if mark % 2 else 0 for digit, mark in zip(whole, puzzle, strict=True))
    cell = st.integers(0, board.cells - 1)
    for a, b in draw(st.lists(st.tuples(cell, cell), max_size=2)):
        whole[a], whole[b] = whole[b], whole[a]
    for a, value in draw(st.lists(st.tuples(cell, st.integers(0, 255)), max_size=1)):
        whole[a] = value
    return board, bytes(whole), puzzle


@given(cases())
def test_every_way_finds_what_the_pairs_of_cells_say(case):
    board, solution, puzzle = case
    checker, rest = _checks(board, ())
    assert not rest
    kept = all(b in (0, a) for a, b in zip(solution, puzzle, strict=True))
    digits = 0 not in solution and max(solution) <= board.size
    good = kept and digits and not violations(Grid(solution, board), ())
    arrays = [np.frombuffer(grid, np.uint8)[None] for grid in (solution, puzzle)]
    assert checker.kept(solution, puzzle) == checker._kept(solution, puzzle) == good
    assert checker.kept_by(*arrays).tolist() == checker._kept_by(*arrays).tolist() == [good]


@pytest.mark.parametrize("count", [0, 1, 2, houses.BLOCK, houses.BLOCK + 1])
def test_each_of_many_grids_has_its_own_verdict(count):
    solution = np.frombuffer(parse_grid(CLASSIC_SOLUTION).cells, np.uint8)
    grids = np.tile(solution, (count, 1))
    puzzles = np.zeros_like(grids)
    bad = np.arange(count) % 3 == 1
    grids[bad, 80] = grids[bad, 79]
    puzzles[count // 2 :: 5, 3] = grids[count // 2 :: 5, 3] % 9 + 1
    expected = ~bad & (puzzles[:, 3] == 0)
    checker, _ = _checks(Board(), ())
    for check in (checker.kept_by, checker._kept_by):
        assert (check(grids, puzzles) == expected).all()
    assert (checker.kept_by(grids[::-1], puzzles[::-1]) == expected[::-1]).all()


@compiled
def test_more_than_64_houses_are_all_looked_at():
    """A word of 64 bits does not hold them: a board of 25x25 has 75."""
    board = Board.of_size(25)
    checker, _ = _checks(board, ())
    assert len(checker.cells) == 75
    good = shifted_rows(board)
    assert checker.kept(good, bytes(625))
    rows = [good[25 * row : 25 * row + 25] for row in range(25)]
    rows[0], rows[24] = rows[24], rows[0]  # rows and columns stay whole
    assert not checker.kept(b"".join(rows), bytes(625))


def test_without_the_extension_python_and_numpy_check(monkeypatch):
    monkeypatch.setattr(houses, "AVAILABLE", False)
    checker = houses.Houses(Board(), Board().houses)
    solution = parse_grid(CLASSIC_SOLUTION).cells
    array = np.frombuffer(solution, np.uint8)[None]
    assert checker.kept(solution, bytes(81))
    assert not checker.kept(solution[::-1][1:] + solution[:1], bytes(81))
    assert checker.kept_by(array, np.zeros_like(array)).all()
