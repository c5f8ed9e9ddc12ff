from dataclasses import replace

import pytest
from examples import CLASSIC

from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid, parse_grid
from satdoku.model.puzzle import Puzzle, empty_puzzle, on_board, restricted, strikes
from satdoku.model.rules import RuleError

MAP = "1111222233334444"
ROWS = Board(4, regions=tuple(i // 4 for i in range(16)))


def test_the_puzzle_decides_the_board_unless_the_rules_fix_one():
    assert on_board(CLASSIC) == (parse_grid(CLASSIC), constraints_for())
    assert on_board("." * 16, "diagonal")[1] == constraints_for("diagonal", Board.of_size(4))
    grid, constraints = on_board("." * 16, f"jigsaw={MAP},knight")
    assert grid.board == constraints.board == ROWS
    grid, constraints = on_board("." * 16, constraints_for("king", ROWS))
    assert grid.board == constraints.board == ROWS


def test_a_grid_with_regions_is_a_jigsaw_under_any_rules():
    for rules in ("classic", "jigsaw"):
        grid, constraints = on_board(Grid(bytes(16), ROWS), rules)
        assert grid.board == constraints.board == ROWS
        assert constraints.name == "jigsaw=0000111122223333"


def test_jigsaw_without_a_map_is_refused():
    with pytest.raises(RuleError, match="needs a region map"):
        on_board(CLASSIC, "jigsaw")


def test_an_answer_is_told_behind_where_the_puzzle_stands():
    puzzle = Puzzle(*on_board("1" + "." * 15, "diagonal"), id="a")
    about = {"puzzle": "1" + "." * 15, "rules": "diagonal"}
    assert puzzle.record(status="unique") == {**about, "status": "unique"}
    filed = replace(puzzle, source="x.txt", line=3, took=2.0)
    assert filed.record() == {"file": "x.txt", "line": 3, "id": "a", **about}
    assert filed == replace(puzzle, source="x.txt", line=3)


def test_marks_strike_whatever_the_givens_are():
    puzzle = empty_puzzle(constraints_for("classic", Board.of_size(4)))
    assert strikes(puzzle) == bytes([1] * 64)
    marks = (frozenset({1, 2}), *[frozenset({1, 2, 3, 4})] * 15)
    given = Puzzle(parse_grid("12" + "." * 14), puzzle.constraints, marks)
    assert strikes(given) == bytes([1, 1, 0, 0] + [1] * 60)
    assert given.mark_bytes == bytes([1, 0, 0, 0, 0, 1, 0, 0] + [1] * 56)


def test_marks_of_a_cell_that_may_hold_every_digit_are_not_shown():
    constraints = constraints_for("shape=2x3;layer=shade:0-1")
    every = [frozenset({1, 2, 3})] * 6 + [frozenset({1, 2})] * 6
    marks = (frozenset({1, 2}), *every[1:-1], frozenset({2}))
    shown = restricted(replace(empty_puzzle(constraints), marks=marks))
    assert shown == (marks[0], *[frozenset()] * 10, marks[-1])
    assert restricted(empty_puzzle(constraints)) is None
