"""Numbers in and out."""

from __future__ import annotations

import numpy as np
import pytest

from satdoku.answers.large.text import format_numbers, format_rows, parse_large, read_large
from satdoku.files.notation import HEAD, is_large
from satdoku.generator.holes import puzzles_with_holes
from satdoku.model.grid import GridError

PUZZLES = puzzles_with_holes(3, size=36, holes=0.4, seed=1)
LINES = [format_numbers(puzzle) for puzzle in PUZZLES]


@pytest.mark.parametrize("size", [26, 100, 256])
@pytest.mark.parametrize("form", [format_numbers, format_rows])
def test_what_is_written_is_read_back(size, form):
    puzzle = puzzles_with_holes(1, size=size, holes=0.4, seed=1)[0]
    text = form(puzzle)
    assert is_large(text.encode()[:HEAD])
    read = parse_large(text)
    assert read.dtype == np.uint16
    assert (read == puzzle).all()


def test_puzzles_of_a_file_in_lines_and_rows(tmp_path):
    path = tmp_path / "large.txt"
    rows = format_rows(PUZZLES[2]).replace("\n", " |\n") + "\n--- | ---\n"
    path.write_text("# three\n" + "\r\n".join(LINES[:2]) + "\n\n" + rows + LINES[0])
    found = list(read_large(str(path)))
    assert [puzzle.line for puzzle in found] == [2, 3, 5, 42]
    for puzzle, wanted in zip(found, [*PUZZLES, PUZZLES[0]], strict=True):
        assert (puzzle.cells == wanted).all()


def test_a_bad_line_costs_no_other(tmp_path):
    path = tmp_path / "large.txt"
    broken = [LINES[0].replace(" 36 ", " 37 ", 1), LINES[1] + " 5", LINES[2].replace(" 0 ", " x ")]
    path.write_text("\n".join([LINES[0], *broken, LINES[1]]))
    found = list(read_large(str(path)))
    assert [isinstance(puzzle, GridError) for puzzle in found] == [False, True, True, True, False]
    column = LINES[0].index(" 36 ") + 2
    expected = f"large.txt: line 2, column {column}: found '37', expected a number from 0 to 36"
    assert expected in str(found[1])
    assert "line 3, column 1: found 1297 numbers, expected the numbers of 26x26" in str(found[2])
    assert "found 'x', expected a number from 0 to 36" in str(found[3])


def test_rows_that_are_not_as_many_or_as_long():
    rows = format_rows(PUZZLES[0]).split("\n")
    with pytest.raises(GridError, match="line 35, column 1: found 35 rows of 36 numbers"):
        parse_large("\n".join(rows[:-1]))
    rows[3] += " 5"
    with pytest.raises(GridError, match="line 4, column 1: found a row of 37 numbers, expected 36"):
        parse_large("\n".join(rows[:4]))
    with pytest.raises(GridError, match="found 2 large puzzles"):
        parse_large("\n".join(LINES[:2]))
