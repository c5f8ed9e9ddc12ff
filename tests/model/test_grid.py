"""One puzzle as text: every notation can be read and written; errors point at the place."""

import csv
import json
import pickle
from random import Random

import numpy as np
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION, FOUR
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from soak import share

from satdoku.model.board import Board
from satdoku.model.grid import (
    FORMATS,
    Grid,
    GridError,
    as_grid,
    empty_grid,
    format_csv,
    format_json,
    format_line,
    format_pretty,
    parse_grid,
)

DIGITS = bytes(0 if c == "." else int(c) for c in CLASSIC)
ROWS = [CLASSIC[i : i + 9] for i in range(0, 81, 9)]
SIZES = [4, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21, 22, 24, 25]
SYMBOLS = "123456789ABCDEFGHIJKLMNOP"


@pytest.mark.parametrize("value", [None, 5, 3.5, object()])
def test_what_is_no_grid_at_all_is_refused(value):
    with pytest.raises(GridError, match=f"found {type(value).__name__} .*, expected a text or dig"):
        as_grid(value)


def ruled(rows, bar="|", line="------+-------+------"):
    words = [" ".join(row) for row in rows]
    words = [f"{w[:6]}{bar} {w[6:12]}{bar} {w[12:]}" for w in words]
    return "\n".join([*words[:3], line, *words[3:6], line, *words[6:]])


def boxed(rows):
    edge = "+-------+-------+-------+"
    inner = ruled(rows, line=edge).split("\n")
    return "\n".join([edge, *(w if w == edge else f"| {w} |" for w in inner), edge])


NOTATIONS = {
    "one line": CLASSIC,
    "spaces and line ends around": f"  {CLASSIC}\t\n\n",
    "nine lines": "\n".join(ROWS),
    "nine lines, CRLF": "\r\n".join(ROWS) + "\r\n",
    "nine lines, CR alone": "\r".join(ROWS),
    "byte order mark": "\ufeff" + CLASSIC,
    "byte order mark and nine lines": "\ufeff" + "\r\n".join(ROWS),
    "blank lines between": "\n\n".join(ROWS),
    "spaces between": "\n".join(" ".join(row) for row in ROWS),
    "no-break spaces between": "\n".join("\u00a0".join(row) for row in ROWS),
    "tabs between": "\n".join("\t".join(row) for row in ROWS),
    "commas between": ",".join(CLASSIC),
    "rulings": ruled(ROWS),
    "rulings of plus signs only": ruled(ROWS, bar="+", line="+++"),
    "rulings around": boxed(ROWS),
    "comments": "# a puzzle\n" + "\n  # half-way\n".join(ROWS) + "\n#end",
    "dashes in one line": CLASSIC.replace(".", "-"),
    "dashes, byte order mark, comment": "\ufeff# dashes\n " + CLASSIC.replace(".", "-"),
    "dashes behind the last cell": CLASSIC + "--",
} | {f"blank {blank}": CLASSIC.replace(".", blank) for blank in ".0%*_?"}


@pytest.mark.parametrize("text", NOTATIONS.values(), ids=NOTATIONS)
def test_every_notation_reads_the_same_grid(text):
    assert parse_grid(text) == Grid(DIGITS)
    assert parse_grid(text, Board()) == Grid(DIGITS)


def test_blanks_may_be_mixed():
    mixed = "".join(".0%*_?"[i % 6] if c == "." else c for i, c in enumerate(CLASSIC))
    assert parse_grid(mixed) == Grid(DIGITS)


def test_solved_grid_reads_as_well_as_givens():
    grid = parse_grid(CLASSIC_SOLUTION)
    assert list(grid) == [int(c) for c in CLASSIC_SOLUTION]
    assert (grid.givens, grid.is_complete) == (81, True)
    assert (parse_grid(CLASSIC).givens, parse_grid(CLASSIC).is_complete) == (24, False)


def test_dashes_alone_are_an_empty_grid():
    assert parse_grid("-" * 81) == empty_grid(Board())


@pytest.mark.parametrize("givens", [16, 36, 64])
def test_dashes_win_where_the_givens_alone_would_fill_a_smaller_board(givens):
    text = CLASSIC_SOLUTION[:givens] + "-" * (81 - givens)
    assert parse_grid(text) == parse_grid(text.replace("-", "."))


@pytest.mark.parametrize("size", SIZES)
def test_number_of_cells_decides_the_board(size):
    assert parse_grid("." * size**2) == empty_grid(Board.of_size(size))


@pytest.mark.parametrize("size", [12, 16, 25])
def test_letters_small_letters_and_numbers_are_the_same_digits(size):
    values = [(7 * i) % (size + 1) for i in range(size**2)]
    letters = "".join(("." + SYMBOLS)[v] for v in values)
    numbers = [str(v) if v else "." for v in values]
    rows = [" ".join(numbers[i : i + size]) for i in range(0, size**2, size)]
    expected = Grid(bytes(values), Board.of_size(size))
    assert parse_grid(letters) == expected
    assert parse_grid(letters.lower()) == expected
    assert parse_grid(" ".join(numbers)) == expected
    assert parse_grid("\n".join(rows)) == expected
    assert parse_grid(" | ".join(rows).replace(".", "0")) == expected


def test_a_board_that_is_given_decides():
    jigsaw = Board(4, regions=(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3))
    assert parse_grid("1" * 16, jigsaw).board == jigsaw
    with pytest.raises(GridError, match=r"found 16 cells, expected 81 cells \(9x9\)"):
        parse_grid("1" * 16, Board())


# (text, line, column, found, part of expected)
BAD = {
    "letter": (CLASSIC[:40] + "x" + CLASSIC[41:], 1, 41, "'x'", "a digit 1-9"),
    "letter of a larger board": (CLASSIC[:-1] + "A", 1, 81, "'A'", "a digit 1-9"),
    "letter in nine lines": ("\n".join([*ROWS[:4], "..47!...1", *ROWS[5:]]), 5, 5, "'!'", "digit"),
    "80 cells": (CLASSIC[:-1], 1, 81, "80 cells", "81 cells (9x9)"),
    "82 cells": (CLASSIC + "1", 1, 82, "82 cells", "81 cells (9x9)"),
    "80 cells, one a letter": (CLASSIC[:9] + "x" + CLASSIC[11:], 1, 10, "80 cells, one of them 'x'",
                               "81 cells"),
    "empty": ("", 1, 1, "0 cells", "81 cells"),
    "only comments": ("# nothing\n# here", 1, 1, "0 cells", "81 cells"),
    "unicode digit": (CLASSIC[:4] + "١" + CLASSIC[5:], 1, 5, r"'\u0661'", "a digit 1-9"),
    "superscript digit": (CLASSIC[:4] + "²" + CLASSIC[5:], 1, 5, r"'\xb2'", "a digit 1-9"),
    "80 cells, one a unicode digit": ("." * 79 + "١", 1, 80, r"80 cells, one of them '\u0661'",
                                      "81 cells"),
    "full-width digit": (CLASSIC[:80] + "１", 1, 81, r"'\uff11'", "a digit 1-9"),
    "NUL": (CLASSIC[:2] + "\0" + CLASSIC[3:], 1, 3, r"'\x00'", "a digit 1-9"),
    "letter beyond the board": ("G" + "." * 143, 1, 1, "'G'", "a digit 1-9, A-C"),
    "digit beyond the board": ("5" + "." * 15, 1, 1, "'5'", "a digit 1-4"),
    "number beyond the board": ("17 " + "16 " * 255, 1, 1, "'17'", "a digit 1-9, A-G"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "line", "column", "found", "expected"), BAD.values(), ids=BAD)
def test_error_says_where_what_was_found_and_what_was_expected(text, line, column, found, expected):
    with pytest.raises(GridError) as caught:
        parse_grid(text)
    error = caught.value
    assert (error.line, error.column, error.found) == (line, column, found)
    assert expected in error.expected
    assert str(error) == f"puzzle: line {line}, column {column}: found {found}, expected " + (
        error.expected
    )


def test_82_cells_on_a_known_board_point_at_the_first_cell_too_many():
    with pytest.raises(GridError) as caught:
        parse_grid("\n".join([*ROWS, ".."]), Board())
    assert (caught.value.line, caught.value.column) == (10, 1)


def test_error_counts_lines_from_where_the_text_began_in_its_file():
    text = "\r\n".join(["# title", *ROWS[:8], " 12345678z"])
    with pytest.raises(GridError) as caught:
        parse_grid(text, source="some.txt", line=100)
    assert str(caught.value).startswith(
        "some.txt: line 109, column 10: found 'z', expected a digit"
    )


@given(st.text(max_size=100))
def test_no_text_raises_anything_but_a_grid_error(text):
    try:
        grid = parse_grid(text)
    except GridError as error:
        assert error.line >= 1 and error.column >= 1
    else:
        assert grid.board.cells == len(grid.cells)


DRAWN = "─│┌┐└┘├┤┬┴┼"
RULINGS = " \t,|+-#\u00a0\ufeff" + DRAWN


@pytest.mark.parametrize("gap", DRAWN)
def test_drawn_lines_are_rulings(gap):
    assert parse_grid(gap + gap.join(CLASSIC) + gap) == parse_grid(CLASSIC)
    assert parse_grid("\n".join([gap * 19, *(gap.join(row) for row in ROWS)])) == parse_grid(
        CLASSIC
    )


@given(st.integers(0, 80), st.characters(codec="utf-8", exclude_characters=RULINGS))
def test_one_character_is_a_cell_or_found_in_its_place(cell, character):
    assume(not character.isspace())
    text = CLASSIC_SOLUTION[:cell] + character + CLASSIC_SOLUTION[cell + 1 :]
    if character in ".0%*_?123456789":
        assert parse_grid(text)[cell] == ("123456789".find(character) + 1)
        return
    with pytest.raises(GridError) as caught:
        parse_grid(text)
    assert (caught.value.column, caught.value.found) == (cell + 1, ascii(character))


@st.composite
def grids(draw):
    board = Board.of_size(draw(st.sampled_from(SIZES)))
    top = draw(st.sampled_from([0, board.size, min(9, board.size)]))
    blanks = draw(st.sampled_from([0, 1, 3 * top]))
    values = [*range(1, top + 1), *[0] * (blanks or not top)]
    return Grid(bytes(Random(draw(st.integers())).choices(values, k=board.cells)), board)


@settings(max_examples=share(60), deadline=None)
@given(grids(), st.sampled_from(["line", "pretty", "csv"]), st.sampled_from(["\n", "\r\n"]))
def test_what_is_written_reads_back(grid, form, end):
    text = FORMATS[form](grid).replace("\n", end)
    assert parse_grid(text) == grid
    assert parse_grid(text, grid.board) == grid


@settings(max_examples=share(40), deadline=None)
@given(grids())
def test_json_and_csv_say_what_independent_readers_find(grid):
    row = next(csv.reader([format_csv(grid)]))
    assert list(map(int, row)) == list(grid)
    value = json.loads(format_json(grid))
    assert value["size"] == grid.board.size
    assert [digit for row in value["grid"] for digit in row] == list(grid)
    assert {len(row) for row in value["grid"]} == {grid.board.size}
    assert value["line"] == format_line(grid) == "".join(("." + SYMBOLS)[v] for v in grid)


def test_pretty_rules_the_boxes():
    lines = ["1 2 | . .", "3 4 | . .", "----+----", "2 . | 4 .", ". . | 1 ."]
    assert format_pretty(parse_grid("12..34..2.4...1.")) == "\n".join(lines)


def test_pretty_of_a_large_board_aligns_numbers():
    lines = format_pretty(parse_grid("C" + "." * 143)).split("\n")
    assert lines[0] == "12  .  .  . |  .  .  .  . |  .  .  .  ."
    assert lines[3] == "------------+-------------+------------"
    assert {len(line) for line in lines} == {len(lines[0])}


def test_pretty_of_a_jigsaw_has_no_rulings():
    board = Board(4, regions=(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3))
    text = format_pretty(parse_grid("1234" + "." * 12, board))
    assert text == "1 2 3 4\n. . . .\n. . . .\n. . . ."


# Grids as values ---------------------------------------------------------------------------------


def test_cells_are_found_by_cell_and_by_row_and_column():
    grid = parse_grid(CLASSIC_SOLUTION)
    assert (grid[0], grid[10], grid[1, 1], grid[8, 8], len(grid)) == (7, 3, 3, 7, 81)
    assert str(grid) == CLASSIC_SOLUTION


def test_grid_becomes_a_fresh_array():
    array = np.asarray(Grid(DIGITS))
    assert array.dtype == np.uint8
    assert array.tobytes() == DIGITS
    array[:] = 0  # a copy: the grid does not change
    assert np.asarray(Grid(DIGITS)).tobytes() == DIGITS


@pytest.mark.parametrize(
    "puzzle",
    [
        CLASSIC,
        Grid(DIGITS),
        list(DIGITS),
        np.frombuffer(DIGITS, np.uint8),
        np.frombuffer(DIGITS, np.uint8).reshape(9, 9).astype(np.int64),
        [list(DIGITS[i : i + 9]) for i in range(0, 81, 9)],
    ],
    ids=["text", "grid", "list", "array", "square array", "rows"],
)
def test_as_grid_takes_text_grids_lists_and_arrays(puzzle):
    assert as_grid(puzzle) == Grid(DIGITS)


def test_as_grid_puts_a_grid_on_the_board_that_is_asked_for():
    jigsaw = Board(9, regions=tuple(cell // 9 for cell in range(81)))
    assert as_grid(Grid(DIGITS), jigsaw) == Grid(DIGITS, jigsaw)


@pytest.mark.parametrize(
    "values",
    [[0] * 80, [0] * 80 + [10], [0] * 80 + [-1], [0] * 80 + [300], [], list(CLASSIC), ROWS],
    ids=["80", "too high", "negative", "no byte", "empty", "characters", "texts"],
)
def test_as_grid_rejects_what_is_not_a_grid(values):
    with pytest.raises(GridError):
        as_grid(values)


def test_grid_refuses_wrong_cells():
    for cells in (bytes(80), bytes(80) + b"\x0a", b""):
        with pytest.raises(GridError, match=r"expected 81 cells of 0\.\.9"):
            Grid(cells)
    with pytest.raises(GridError, match=r"expected 16 cells of 0\.\.4"):
        Grid(bytes([5] * 16), FOUR)


def test_a_board_without_boxes_has_to_be_asked_for():
    with pytest.raises(GridError, match=r"found 49 cells.* need a rule such as latin=5"):
        parse_grid("." * 49)
    grid = parse_grid("1234" * 4, Board.latin(4))
    assert format_pretty(grid) == "\n".join(["1 2 3 4"] * 4)


def test_an_error_does_not_repeat_a_long_input():
    words = ["1" * 10_000, *["12"] * 255]
    with pytest.raises(GridError, match=r"found '1{199}[.]{3}, expected a digit") as caught:
        parse_grid(" ".join(words))
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.found) == (str(caught.value), caught.value.found)


@pytest.mark.parametrize("size", [4, 6, 8, 9, 12])
@pytest.mark.parametrize("in_rows", [False, True])
def test_four_grids_are_not_one_of_twice_the_size(size, in_rows):
    width = size if in_rows else size * size
    lines = ["." * width] * (4 * size * size // width)
    with pytest.raises(GridError) as caught:
        parse_grid("\n".join(lines))
    error = caught.value
    assert (error.line, error.column) == (1 + len(lines) // 4, 1)
    assert (error.found, error.expected) == ("a second grid", "one")
    assert parse_grid("\n".join(lines), Board.of_size(2 * size)).board.size == 2 * size


@pytest.mark.parametrize(("size", "width"), [(9, 27), (8, 8), (16, 16), (18, 18), (12, 24)])
def test_rows_and_lines_of_several_rows_are_one_grid(size, width):
    cells = "." * size * size
    text = "\n".join(cells[i : i + width] for i in range(0, size * size, width))
    assert parse_grid(text) == Grid(bytes(size * size), Board.of_size(size))
