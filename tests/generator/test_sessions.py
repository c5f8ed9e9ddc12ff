"""Puzzles under rules that only a session answers, layers and connected cells; and under ranks."""

from __future__ import annotations

import numpy as np
import pytest

import satdoku
from satdoku.generator import Wish, generate, minimize
from satdoku.generator.clues import minimize_clues, puzzles_with_clues
from satdoku.generator.dice import Dice
from satdoku.generator.grids import session_grids
from satdoku.generator.oracle import GeneratorError
from satdoku.model.constraints import constraints_for

YIN_YANG = "layer=shade:0-1;connected=0:shade;connected=1:shade;no-square=0:shade;no-square=1:shade"
ODD = "classic;connected=1,3,5,7,9"
RANKS = "latin=5;full-rank=3:row2"
SMALL = "latin=5;connected=1,2,3,4"


def are_connected(cells):
    """Whether places (row, column) are one part, by brute force."""
    reached = {min(cells)}
    while more := {
        (r, c) for r, c in cells - reached if any(abs(r - y) + abs(c - x) == 1 for y, x in reached)
    }:
        reached |= more
    return reached == cells


@pytest.mark.parametrize("rules", [YIN_YANG, ODD, RANKS])
def test_puzzles_have_one_solution_and_nothing_to_spare(rules):
    (puzzle,) = generate(1, rules, seed=1)
    board = constraints_for(rules).board
    assert len(puzzle) == board.cells
    assert not puzzle[board.grid_cells :].any()
    assert satdoku.count(satdoku.Grid(puzzle.tobytes(), board), rules, limit=2) == 1
    for cell in np.flatnonzero(puzzle):
        fewer = puzzle.copy()
        fewer[cell] = 0
        assert satdoku.count(satdoku.Grid(fewer.tobytes(), board), rules, limit=2) == 2


def test_the_same_seed_makes_the_same_puzzles():
    few = generate(2, SMALL, seed=7)
    assert (generate(4, SMALL, seed=7, workers=2)[:2] == few).all()
    assert "".join(map(str, few[0])) == PINNED


PINNED = "0020000010100050200450000"


def test_odd_digits_of_a_grid_are_connected():
    for grid in session_grids(3, constraints_for(ODD), Dice(4)):
        places = {divmod(cell, 9) for cell in range(81) if grid[cell] % 2}
        assert len(places) == 45
        assert are_connected(places)


def test_symmetries_and_patterns_are_of_the_cells_of_the_grids():
    rules = "latin=5;layer=shade:0-1;single-loop=1:shade"
    (puzzle,) = generate(1, rules, seed=2, wish=Wish(symmetry="rot180", givens=(8, 20)))
    assert ((puzzle[:25] > 0) == (puzzle[24::-1] > 0)).all()
    pattern = "xxxx.xxxx.xxxx.xxxx......"
    (puzzle,) = generate(1, rules, seed=2, wish=Wish(pattern=pattern))
    assert [c > 0 for c in puzzle[:25].tolist()] == [c == "x" for c in pattern]


def test_rules_without_a_grid_are_refused():
    with pytest.raises(GeneratorError, match="no 9x9 grid under the rules"):
        generate(1, "classic;connected=1,2", seed=1)


@pytest.mark.parametrize("kind", ["connected", "edge-connected", "full-rank"])
def test_clues_that_only_a_session_answers(kind):
    (puzzle,) = puzzles_with_clues(1, clues=[kind], size=6, seed=1)
    assert satdoku.count(puzzle.grid, puzzle.rules, limit=2) == 1
    assert {text.partition("=")[0] for text in puzzle.constraints.clue_texts} <= {kind}


def test_clues_and_givens_go_as_far_as_the_session_says():
    (grid,) = session_grids(1, constraints_for(ODD), Dice(0))
    (fewer,) = minimize(grid[None], ODD)
    assert 0 < (fewer > 0).sum() < 25
    puzzle = minimize_clues(satdoku.Grid(grid.tobytes()), ODD)
    assert puzzle.rules == "classic"  # clues go first, and a full grid needs none


def test_a_puzzle_of_other_digits_is_made_minimal():
    """Digits of such a board are told by positions within satdoku, which were read as digits."""
    rules = "shape=4x4,digits=0-3"
    (made,) = satdoku.minimize("0321213030121203", rules)
    assert 3 < sum(made > 0) < 8
    text = "".join("." if place == 0 else str(place - 1) for place in made.tolist())
    assert satdoku.classify(text, rules) is satdoku.Status.UNIQUE
    assert str(satdoku.solve(text, rules)) == "0321213030121203"
