"""Whatever holds a puzzle becomes one of a sheet."""

import pytest
from examples import CLASSIC

from satdoku.files.fpuzzles import format_fpuzzles, parse_fpuzzles
from satdoku.files.one import as_puzzle, parse_puzzle
from satdoku.files.puzzle_json import format_puzzle_json, parse_puzzle_json
from satdoku.model.grid import GridError, parse_grid
from satdoku.model.puzzle import Puzzle, Unreadable, on_board, restricted
from satdoku.sheets.puzzles import as_sheet_puzzle

GRID = parse_grid(CLASSIC)


def test_texts_grids_and_puzzles():
    assert as_sheet_puzzle(GRID) == Puzzle(*on_board(GRID))
    assert as_sheet_puzzle(CLASSIC).grid == GRID
    assert as_sheet_puzzle(CLASSIC, "knight").rules == "knight"
    assert as_sheet_puzzle(as_puzzle(CLASSIC, "king"), "knight").rules == "king"
    assert as_sheet_puzzle(Puzzle(*on_board(GRID, "king")), "knight").rules == "king"
    assert as_sheet_puzzle([0] * 16).constraints.board.size == 4


def test_what_files_and_links_say_is_kept():
    link = format_fpuzzles(CLASSIC, "knight", title="T", author="A")
    for stated in (parse_fpuzzles(link), parse_puzzle(link)):
        sheet = as_sheet_puzzle(stated)
        assert (sheet.grid, sheet.rules, sheet.title, sheet.author) == (GRID, "knight", "T", "A")
    marks = [range(1, 4) if cell == 0 else range(1, 10) for cell in range(81)]
    text = format_puzzle_json("." * 81, candidates=marks, id="i", title="T", author="A")
    for stated in (parse_puzzle_json(text), parse_puzzle(text)):
        sheet = as_sheet_puzzle(stated)
        assert (sheet.id, sheet.title, sheet.author) == ("i", "T", "A")
        assert restricted(sheet.marks) == ({1, 2, 3}, *[frozenset()] * 80)


def test_the_setters_words_are_kept():
    text = '{"size":4,"grid":[[{},{},{},{}],[{},{},{},{}],[{},{},{},{}],[{},{},{},{}]],'
    stated = text + '"ruleset":"Normal sudoku rules apply."}'
    for puzzle in (parse_fpuzzles(stated), parse_puzzle(stated)):
        assert as_sheet_puzzle(puzzle).words == "Normal sudoku rules apply."


def test_an_unreadable_puzzle_is_its_error():
    wrong = GridError("12 cells", "81 cells")
    with pytest.raises(GridError, match="expected 81 cells"):
        as_sheet_puzzle(Unreadable(wrong, {}))
