"""Large puzzles in and out of texts; tests/files/test_puzzles.py reads files of them."""

from __future__ import annotations

import pytest

from satdoku.generator.holes import puzzles_with_holes
from satdoku.model.grid import GridError, as_grid, format_line, format_pretty, parse_grid
from satdoku.model.numbers import HEAD, is_large, numbered

GRIDS = [as_grid(puzzle) for puzzle in puzzles_with_holes(3, size=36, holes=0.4, seed=1)]
LINES = list(map(str, GRIDS))


@pytest.mark.parametrize("size", [26, 100, 256])
@pytest.mark.parametrize("form", [format_line, format_pretty])
def test_what_is_written_is_read_back(size, form):
    puzzle = puzzles_with_holes(1, size=size, holes=0.4, seed=1)[0]
    text = form(as_grid(puzzle))
    assert is_large(text.encode()[:HEAD])
    assert list(parse_grid(text)) == puzzle.tolist()


def _found(*lines):
    return list(numbered(enumerate((line.encode() for line in lines), 1), "large.txt"))


def test_puzzles_in_lines_and_rows():
    rows = format_pretty(GRIDS[2]).split("\n")
    found = _found("# three", *LINES[:2], "", *rows, "---+---", LINES[0])
    assert [puzzle.line for puzzle in found] == [2, 3, 5, 5 + len(rows) + 1]
    for puzzle, wanted in zip(found, [*GRIDS, GRIDS[0]], strict=True):
        assert puzzle.values == list(wanted)


def test_a_bad_line_costs_no_other():
    broken = [LINES[0].replace(" 36 ", " 37 ", 1), LINES[1] + " 5", LINES[2].replace(" 0 ", " x ")]
    found = [puzzle.values for puzzle in _found(LINES[0], *broken, LINES[1])]
    assert [isinstance(values, GridError) for values in found] == [False, True, True, True, False]
    column = LINES[0].index(" 36 ") + 2
    expected = f"large.txt: line 2, column {column}: found '37', expected a number from 0 to 36"
    assert expected in str(found[1])
    assert "line 3, column 1: found 1297 numbers, expected the numbers of 26x26" in str(found[2])
    assert "found 'x', expected a number from 0 to 36" in str(found[3])


def test_rows_that_are_not_as_many_or_as_long():
    rows = [line for line in format_pretty(GRIDS[0]).split("\n") if "-" not in line]
    with pytest.raises(GridError, match="line 35, column 1: found 35 rows of 36 numbers"):
        parse_grid("\n".join(rows[:-1]))
    rows[3] += " 5"
    with pytest.raises(GridError, match="line 4, column 1: found a row of 37 numbers, expected 36"):
        parse_grid("\n".join(rows[:4]))
    with pytest.raises(GridError, match="found 2 large puzzles"):
        parse_grid("\n".join(LINES[:2]))


@pytest.mark.parametrize(
    "text",
    [
        b"", b"# one comment alone",
        b"puzzle,solution\n", b"." * 81, b" ".join([b"5"] * 81), b" ".join([b"25"] * 625),
        b"p cnf 99 99\n1 2 0\n", b"1 2 3\n" * 50, b'{"size": 36}', b"12345 " * 30,
        b".," * 80 + b".\n" + b"----1--3---9--88" * 5 + b"-\n" + b"." * 81,
    ],
)  # fmt: skip
def test_other_texts_are_not_taken_for_large_puzzles(text):
    assert not is_large(text)


@pytest.mark.parametrize(
    "text", [b"0 " * 700, b"0 0 26 " * 9 + b"\n", b"# one\n" + b"7," * 676, b"30 | " * 26]
)
def test_lines_and_rows_of_large_puzzles_are(text):
    assert is_large(text)
