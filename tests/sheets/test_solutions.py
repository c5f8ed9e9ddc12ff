"""The solutions of a sheet: verified, in order, with what is wrong said."""

from examples import CLASSIC, CLASSIC_SOLUTION

from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import empty_grid, parse_grid
from satdoku.model.puzzle import Puzzle, on_board
from satdoku.runtime.errors import Status
from satdoku.sheets.solutions import solve_sheet
from satdoku.witness.verify import solves

GRID = parse_grid(CLASSIC)
EMPTY = empty_grid(Board.of_size(9))


def printed(grid, rules="classic", **told):
    return Puzzle(*on_board(grid, rules), **told)


def test_each_puzzle_has_its_own_answer_whatever_stands_beside_it():
    several = printed(EMPTY, "classic;cage=3:r1c1,r1c2")
    none = printed(parse_grid("12345678." + "........9" + "." * 63))
    clash = printed(parse_grid("5.....5" + "." * 74))
    marked = printed(EMPTY, marks=tuple(frozenset({int(s)}) for s in CLASSIC_SOLUTION))
    small = printed(parse_grid("1.....2....3.4.."))
    puzzles = [printed(GRID), several, none, printed(GRID), clash, marked, small]
    unique, many, without, again, invalid, only, four = solve_sheet(puzzles)
    assert unique == again == (Status.UNIQUE, parse_grid(CLASSIC_SOLUTION), "")
    assert only == unique
    assert many.status is Status.MULTIPLE and "several solutions" in many.said
    assert solves(many.solution, EMPTY, several.constraints.rules)
    assert without == (Status.NONE, None, "no solution")
    assert invalid[:2] == (Status.INVALID, None)
    assert invalid.said == "no solution: r1c1=5 and r1c7=5 break the row rule"
    assert four.status is Status.UNIQUE and four.solution.is_complete


def test_boards_of_other_shapes_and_digits():
    boards = "shape=6x8,digits=0-7", "samurai", "digits=-4-4", "holes:r5c5"
    constraints = [constraints_for(text) for text in boards]
    empty = [Puzzle(empty_grid(each.board), each) for each in constraints]
    for puzzle, found in zip(empty, solve_sheet(empty), strict=True):
        assert found.status is Status.MULTIPLE
        assert solves(found.solution, puzzle.grid, puzzle.constraints.rules)
    (only,) = solve_sheet([Puzzle(found.solution, puzzle.constraints)])
    assert only == (Status.UNIQUE, found.solution, "")
