"""Puzzles as questions in words."""

import pytest

import satdoku
from satdoku.learning.answer import find_answer
from satdoku.learning.question import clue_in_words, question, rows
from satdoku.model.board import Board
from satdoku.model.kinds import KINDS, clue_of

NINE = Board()


def asked(puzzle, rules):
    constraints = satdoku.constraints_for(rules, satdoku.parse_grid(puzzle).board)
    return question(satdoku.parse_grid(puzzle, constraints.board), constraints)


def test_a_question_in_full():
    assert asked("1.2.............", "knight;greater:r1c2,r1c1") == (
        "Fill the 4x4 grid: each empty cell, written as a dot, takes a number from 1 to 4.\n\n"
        "Rules:\n"
        "- Every row, every column and every box of 2 rows and 2 columns holds every number once.\n"
        "- Cells a knight's move apart differ.\n\n"
        "Clues (r2c3 is the cell in row 2 and column 3):\n"
        "- greater at r1c2, r1c1: the first digit is greater than the second\n\n"
        "Grid:\n1 . 2 .\n. . . .\n. . . .\n. . . .\n\n"
        "Answer with the full grid: 4 lines of 4 numbers with spaces between them. "
        "Keep the numbers that are there."
    )


def test_boards_without_boxes_and_with_regions():
    assert "- Every row and every column holds every number once." in asked("." * 16, "latin")
    text = asked("." * 16, "jigsaw=1122112233443344")
    assert "every region of the map holds" in text
    assert "region:\n0011\n0011\n2233\n2233\n" in text


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_of_clue_has_its_sentence(name):
    clue = clue_of(KINDS[name].example, NINE)
    words = clue_in_words(clue, NINE)
    assert words.startswith(name) and "{" not in words.replace(clue.value, "")
    assert all(NINE.name_of(cell) in words for cell in clue.cells)
    assert clue.value in words
    assert KINDS[name].sentence.partition("{")[0] in words


def test_a_line_from_the_far_end_is_told_cell_by_cell():
    words = clue_in_words(clue_of("skyscraper=4:-row3", NINE), NINE)
    assert words.startswith("skyscraper 4 at r3c9, r3c8, r3c7,")


@pytest.mark.parametrize("size", [4, 9, 16])
def test_the_answer_that_is_asked_for_is_read(size):
    board = Board.of_size(size)
    grid = satdoku.solve("." * size**2, satdoku.constraints_for("classic", board))
    assert find_answer(f"Here:\n{rows(grid)}", board) == grid
