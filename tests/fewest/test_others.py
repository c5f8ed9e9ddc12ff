"""Unavoidable sets: every one has another filling, and none of those told has a smaller one."""

from __future__ import annotations

import pytest
from examples import CLASSIC_SOLUTION

from satdoku.answers.session import Session
from satdoku.certificates.hitting import as_bytes, as_number, numbers
from satdoku.fewest.others import COMPILED, Others, kept, small_sets, thirds
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid, as_grid
from satdoku.runtime.errors import Status
from satdoku.witness.verify import solves

WAYS = [pytest.param(True, marks=pytest.mark.skipif(not COMPILED, reason="no C")), False]
RULES = ["classic", "diagonal", "knight", "latin", "nonconsecutive,disjoint"]


def grid_of(rules, size):
    board = Board.latin(size) if rules == "latin" else Board.of_size(size)
    session = Session(constraints_for(rules, board))
    return session.solve(bytes(board.cells)), session


def filled(grid, other):
    return Grid(bytes(b or a for a, b in zip(grid, other, strict=True)), grid.board)


@pytest.mark.parametrize("compiled", WAYS)
@pytest.mark.parametrize(("rules", "size"), [*[(r, 6) for r in RULES[:4]], ("king", 9)])
def test_every_set_has_another_filling(rules, size, compiled):
    grid, session = grid_of(rules, size)
    others = Others(grid, session, compiled=compiled)
    sets = numbers(small_sets(others)) if size == 6 else [as_number(others.ask(bytes(16)))]
    assert sets
    for cells in sets[:40]:
        other = others.filling(cells)
        assert [d > 0 for d in other] == [bool(cells >> c & 1) for c in range(len(grid.cells))]
        whole = filled(grid, other)
        assert solves(whole, whole, session.constraints.rules)
    assert not any(a != b and not a & ~b for a in sets for b in sets)


@pytest.mark.parametrize("compiled", WAYS)
def test_asked_sets_miss_the_givens_and_are_minimal(compiled):
    grid, session = grid_of("classic", 6)
    others = Others(grid, session, compiled=compiled)
    whole = (1 << 36) - 1
    for givens in (0, 0b111, 0o1001001001, whole ^ 0o777):
        told = others.ask(as_bytes(givens))
        if told is None:
            assert session.decide(kept(grid, givens)) == (Status.UNIQUE, grid)
            continue
        cells = as_number(told)
        assert cells and not cells & givens
        assert all(
            others.ask(as_bytes(whole & ~cells | 1 << c)) is None
            for c in range(36)
            if cells >> c & 1
        )
    assert others.ask(as_bytes(whole)) is None


@pytest.mark.skipif(not COMPILED, reason="no C")
def test_small_sets_of_a_classic_grid():
    """Those of four cells are two digits in two lines and two boxes."""
    grid = as_grid(CLASSIC_SOLUTION)
    with Session() as session:
        sets = numbers(small_sets(Others(grid, session)))
    four = [cells for cells in sets if cells.bit_count() == 4]
    expected = 0
    for a in range(81):
        for b in range(a + 1, 81):
            (r, c), (s, d) = divmod(a, 9), divmod(b, 9)
            boxes = len({(x // 3, y // 3) for x, y in ((r, c), (r, d), (s, c), (s, d))})
            crossed = grid[9 * r + c] == grid[9 * s + d] and grid[9 * r + d] == grid[9 * s + c]
            expected += r < s and c != d and boxes == 2 and crossed
    assert expected and 2 * len(four) == expected


def test_thirds_of_rows_and_columns():
    grid = as_grid(CLASSIC_SOLUTION)
    assert thirds(grid, columns=False) == [cell // 27 for cell in range(81)]
    assert thirds(grid, columns=True) == [cell % 9 // 3 for cell in range(81)]


def test_cells_that_can_be_avoided():
    grid, session = grid_of("classic", 6)
    for compiled in {COMPILED, False}:
        with pytest.raises(ValueError, match="no unavoidable set"):
            Others(grid, session, compiled=compiled).filling(1)
