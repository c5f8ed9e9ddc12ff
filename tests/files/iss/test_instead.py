"""Constraints that others state: the solutions are those of brute force."""

from functools import cache
from itertools import chain, permutations, product

import pytest

from satdoku.answers.session import Session
from satdoku.files.foreign import ForeignError
from satdoku.files.iss import parse_iss
from satdoku.model.board import Board
from satdoku.model.grid import Grid


def solutions(text, first=None):
    """All grids, or those that begin with this value."""
    puzzle = parse_iss(text)
    grid = puzzle.grid
    if first is not None:
        mark = grid.board.domains((0,))[0].index(first) + 1
        grid = Grid(bytes([mark]).ljust(grid.board.cells, b"\0"), grid.board)
    with Session(puzzle.constraints) as session:
        return {tuple(s.values[: s.board.grid_cells]) for s in session.solutions(grid)}


def every(board):
    """All grids whose rows and columns hold no digit twice."""
    plain = f".Shape~{board.shape}~{board.digits[0]}-{board.digits[-1]}"
    return solutions(plain if board.has_boxes else f"{plain}.NoBoxes")


def houses(grid, board):
    return [[grid[cell] for cell in line] for line in (*board.rows, *board.columns)]


FOUR = Board(4, 2, 2, digits=(0, 1, 2, 3))


def lacks(cells):
    return ({0, 1, 2, 3, 4} - {*cells}).pop()


def grown(rows):
    """All grids of four rows that go on so: rows lack different digits, columns repeat none."""
    if len(rows) == 4:
        yield rows
        return
    for row in permutations(range(5), 4):
        repeats = any(digit == above[i] for above in rows for i, digit in enumerate(row))
        if 0 in row and not repeats and lacks(row) not in map(lacks, rows):
            yield from grown([*rows, row])


@cache
def doppelgangers(board):
    found = set()
    for rows in grown([]):
        grid = tuple(chain.from_iterable(rows))
        kinds = [
            [[grid[cell] for cell in house] for house in some]
            for some in (board.rows, board.columns, board.boxes)
        ]
        if not all(0 in house and len({*house}) == 4 for some in kinds for house in some):
            continue
        lacking = [[*map(lacks, some)] for some in kinds if some]
        zeros = [cell for cell, digit in enumerate(grid) if digit == 0]
        at = [(cell // 4, cell % 4, board.box_of(cell))[: len(lacking)] for cell in zeros]
        three = [[some[i] for some, i in zip(lacking, place, strict=True)] for place in at]
        if all(len({*some}) == len(some) for some in (*lacking, *three)):
            found.add(grid)
    return found


LATIN, BOXED = (Board(4, *box, digits=(0, 1, 2, 3, 4)) for box in ((1, 4), (2, 2)))


def test_each_house_lacks_another_digit():
    good = {grid for grid in doppelgangers(LATIN) if grid[0] == 3}  # other digits change places
    assert solutions(".Shape~4x4~0-4.NoBoxes.Doppelganger", 3) == good != set()
    assert solutions(".Shape~4x4~0-4.Doppelganger") == doppelgangers(BOXED)


def test_what_a_house_lacks_is_a_cell():
    text = ".Shape~4x4~0-4.NoBoxes.Doppelganger.~DGC1_2.Sum~5~DGR1~R1C1"
    good = {
        grid
        for grid in doppelgangers(LATIN)
        if lacks(grid[:4]) == 2 and lacks(grid[::4]) + grid[0] == 5
    }
    assert solutions(text) == good != set()


def test_what_boxes_lack_stands_as_they_do():
    layers = parse_iss(".Shape~4x4~0-4.Doppelganger").constraints.board.layers
    assert [layer.text for layer in layers] == ["dgc*4:0-4", "dgr*4:0-4", "dgb*4:0-4"]
    assert parse_iss(".Shape~4x4~0-4.Doppelganger.V~DGB1~DGB3").constraints.clue_texts
    with pytest.raises(ForeignError, match="no two of its cells share an edge"):
        parse_iss(".Shape~4x4~0-4.Doppelganger.V~DGB2~DGB3")


@pytest.mark.parametrize("value", [0, 2, 3])
def test_rooms_are_numbered_from_one(value):
    good = {g for g in every(FOUR) if g[4] and g[4:8][g[4] - 1] == value}
    assert solutions(f".Shape~4x4~0-3.NumberedRoom~R2~{value}") == good
    good = {g for g in every(FOUR) if g[7] and g[4:8][-g[7]] == value}
    assert solutions(f".Shape~4x4~0-3.NumberedRoom~R2~~{value}") == good


def test_indices_count_from_one():
    good = {g for g in every(FOUR) if g[6] and g[4:8][g[6] - 1] == 3}
    assert solutions(".Shape~4x4~0-3.Indexing~C~R2C3") == good != set()
    good = {g for g in every(FOUR) if g[6] and g[2::4][g[6] - 1] == 2}
    assert solutions(".Shape~4x4~0-3.Indexing~R~R2C3") == good != set()


def test_the_largest_houses_hold_the_same_digits():
    board = Board(3, 1, 3, digits=(0, 1, 2, 3))
    good = {g for g in every(board) if len({frozenset(line) for line in houses(g, board)}) == 1}
    assert solutions(".Shape~3x3~0-3.RegionSameValues") == good != set()
    wide = Board(3, 1, 3, height=2, digits=(0, 1, 2, 3))
    good = {g for g in every(wide) if {*g[:3]} == {*g[3:]}}
    assert solutions(".Shape~2x3~0-3.RegionSameValues") == good != set()


def test_no_ranks_tie():
    good = set()
    for grid in every(FOUR):
        lines = houses(grid, FOUR)
        ways = {tuple(way) for line in lines for way in (line, line[::-1])}
        good |= {grid} if len(ways) == 16 else set()
    assert solutions(".Shape~4x4~0-3.FullRankTies~none") == good
    assert 0 < len(good) < 288


def test_a_building_of_no_height_is_not_seen():
    def seen(line):
        return sum(all(a > b for b in (0, *line[:i])) for i, a in enumerate(line))

    good = {g for g in every(FOUR) if seen(g[:4]) == 2}
    assert solutions(".Shape~4x4~0-3.Skyscraper~R1~2") == good != set()


def test_variables_are_cells():
    good = {
        grid
        for grid in every(FOUR)
        if any(a != b and a + b == grid[0] and a < grid[5] for a, b in product(range(4), repeat=2))
    }
    text = ".Shape~4x4~0-3.Var~A~two~2.AllDifferent~VA1~VA2.Arrow~R1C1~VA1~VA2.Thermo~VA1~R2C2"
    assert solutions(text) == good != set()
    assert Grid(bytes(18), parse_iss(text).constraints.board).board.layers[0].free == 2
