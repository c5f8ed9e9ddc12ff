"""Constraints of Interactive Sudoku Solver by their names, on the boards that have them."""

import pytest

from satdoku.files.iss.clues import (
    DIAGONALS,
    FLAGS,
    KEYS,
    NAMES,
    OF_LINES,
    OUTSIDE,
    check_board,
    digits_are_places,
)
from satdoku.model.board import Board
from satdoku.model.clue import ClueError
from satdoku.model.constraints import constraints_for
from satdoku.model.kinds import KINDS
from satdoku.model.rules import RULES


def test_each_name_is_one_constraint():
    assert {key.kind for key in KEYS} <= KINDS.keys()
    assert len({*NAMES}) == len(NAMES)
    assert {word for words in FLAGS.values() for word in words if word.isalpha()} <= {
        *RULES, *KINDS
    }  # fmt: skip
    assert {*OUTSIDE} <= OF_LINES
    assert DIAGONALS == {"1": "rising", "-1": "falling"}


def board(rules):
    return constraints_for(rules).board


@pytest.mark.parametrize(("name", "rules", "problem"), [
    ("Diagonal", "shape=4x4,no-rows,no-columns", "does not have it on Raw grids"),
    ("Windoku", "boxes=2x3", None), ("Windoku", "boxes=3x2", "goes by the usual boxes"),
    ("Indexing", "digits=0-8", "each digit has to tell a cell, from 1"),
    ("Entropic", "shape=6x6", "for 9 digits from 1 on only"), ("Entropic", "classic", None),
    ("Cage", "shape=4x6,digits=0-7", None),
])  # fmt: skip
def test_a_board_has_a_constraint_or_says_why_not(name, rules, problem):
    if problem is None:
        check_board(name, board(rules))
        return
    with pytest.raises(ClueError, match=problem):
        check_board(name, board(rules))


def test_digits_that_tell_cells():
    assert digits_are_places(Board()) and digits_are_places(Board.latin(5))
    for rules in ("digits=0-8", "shape=4x6", "shape=6x6,digits=1-8"):
        assert not digits_are_places(board(rules))
