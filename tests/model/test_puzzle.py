import pytest
from examples import CLASSIC

from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid, parse_grid
from satdoku.model.puzzle import on_board
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
