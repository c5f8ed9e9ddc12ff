"""Pencil marks agree with the witness: a digit stays if it clashes with no given."""

from random import Random

import pytest
from examples import CLASSIC

from satdoku import candidates
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid, parse_grid
from satdoku.model.marks import pencil_marks
from satdoku.witness.verify import violations


def without_clash(grid, rules):
    """For each cell, the digits that break no rule together with the givens."""
    constraints = constraints_for(rules, grid.board)
    before = len(violations(grid, constraints.rules))
    marks = []
    for cell in range(grid.board.cells):
        if grid[cell]:
            marks.append({grid[cell]})
            continue
        with_digit = (
            (d, grid.cells[:cell] + bytes([d]) + grid.cells[cell + 1 :])
            for d in range(1, grid.board.size + 1)
        )
        marks.append(
            {
                d
                for d, c in with_digit
                if len(violations(Grid(c, grid.board), constraints.rules)) == before
            }
        )
    return marks


@pytest.mark.parametrize("rules", ["classic", "miracle", "diagonal,windoku,disjoint", "antiqueen"])
@pytest.mark.parametrize("size", [4, 9])
def test_a_digit_is_struck_exactly_where_it_clashes_with_a_given(rules, size):
    random = Random(size)
    board = Board.of_size(size)
    cells = bytearray(board.cells)
    for cell in random.sample(range(board.cells), size):
        cells[cell] = random.randint(1, size)
    grid = Grid(bytes(cells), board)
    assert [set(marks) for marks in pencil_marks(grid, rules)] == without_clash(grid, rules)


def test_a_clue_strikes_what_it_makes_false():
    marks = pencil_marks("." * 16, "odd:r1c1;low=2:r1c2;thermo:r3c1,r3c2,r3c3;digits=3:r4c4")
    assert [set(cell) for cell in marks[:3]] == [{1, 3}, {1, 2}, {1, 2, 3, 4}]
    assert [set(cell) for cell in marks[8:12]] == [{1, 2}, {2, 3}, {3, 4}, {1, 2, 3, 4}]
    assert marks[15] == {3}
    assert pencil_marks("2" + "." * 15, "odd:r1c1")[0] == {2}  # a given stays; it clashes


def test_the_true_candidates_are_among_them():
    marks = pencil_marks(CLASSIC)
    assert all(true <= mine for true, mine in zip(candidates(CLASSIC), marks, strict=True))
    assert marks[4] == {1}  # a given
    assert marks[0] == {2, 5, 6, 7}


def test_regions_take_the_place_of_boxes():
    rows = Board(4, regions=tuple(i // 4 for i in range(16)))
    marks = pencil_marks(Grid(bytes([1, *[0] * 15]), rows))
    assert [len(mark) for mark in marks] == [1, 3, 3, 3, 3, 4, 4, 4, 3, 4, 4, 4, 3, 4, 4, 4]
    assert pencil_marks(parse_grid("1" + "." * 15))[5] == {2, 3, 4}


@pytest.mark.parametrize("rules", ["classic", "miracle", "diagonal,antiqueen"])
def test_marks_are_the_digits_that_break_nothing(rules):
    constraints = constraints_for(rules)
    puzzle = parse_grid("." * 30 + "9" + "." * 8 + "3" + "." * 41)
    if rules == "classic":
        puzzle = parse_grid(CLASSIC)
    for cell, digits in enumerate(pencil_marks(puzzle, constraints)):
        if puzzle[cell]:
            assert digits == {puzzle[cell]}
            continue
        for digit in range(1, 10):
            cells = bytearray(puzzle.cells)
            cells[cell] = digit
            broken = violations(Grid(bytes(cells)), constraints.rules)
            assert (digit in digits) == (broken == [])
