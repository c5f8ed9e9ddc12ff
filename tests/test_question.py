import pytest
from conftest import CLASSIC

from satdoku.board import Board
from satdoku.grid import Grid, parse_grid
from satdoku.question import as_question
from satdoku.rules import RuleError, constraints

MAP = "1111222233334444"
ROWS = Board(4, regions=tuple(i // 4 for i in range(16)))


def test_the_puzzle_tells_the_board_unless_the_rules_have_one():
    assert as_question(CLASSIC) == (parse_grid(CLASSIC), constraints())
    assert as_question("." * 16, "diagonal").law == constraints("diagonal", Board.of_size(4))
    grid, law = as_question("." * 16, f"jigsaw={MAP},knight")
    assert grid.board == law.board == ROWS
    grid, law = as_question("." * 16, constraints("king", ROWS))
    assert grid.board == law.board == ROWS


def test_a_grid_with_regions_is_a_jigsaw_under_any_rules():
    for rules in ("classic", "jigsaw"):
        grid, law = as_question(Grid(bytes(16), ROWS), rules)
        assert grid.board == law.board == ROWS
        assert law.name == "jigsaw=0000111122223333"


def test_jigsaw_without_a_map_is_refused():
    with pytest.raises(RuleError, match="needs a region map"):
        as_question(CLASSIC, "jigsaw")
