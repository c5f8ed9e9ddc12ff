"""Whatever holds the puzzles, the array is the same; whatever is wrong, the error names the row."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from examples import CLASSIC, CLASSIC_SOLUTION
from hypothesis import given, settings
from hypothesis import strategies as st

import satdoku
from satdoku.files.cells import RowsError, as_cells, checked_cells
from satdoku.model.board import Board
from satdoku.model.constraints import constraints_for
from satdoku.model.grid import Grid, as_grid, format_line
from satdoku.runtime.errors import SatdokuError

TEXTS = {
    "list": list,
    "tuple": tuple,
    "generator": lambda lines: (line for line in lines),
    "zeros": lambda lines: [line.replace(".", "0") for line in lines],
    "underscores": lambda lines: [line.replace(".", "_") for line in lines],
    "stars": lambda lines: [line.replace(".", "*") for line in lines],
    "dashes": lambda lines: [line.replace(".", "-") for line in lines],
    "several lines": lambda lines: ["\n".join(line[i : i + 9] for i in range(0, 81, 9))
                                    for line in lines],
    "bytes": lambda lines: [line.encode() for line in lines],
    "grids": lambda lines: [satdoku.parse_grid(line) for line in lines],
    "mixed": lambda lines: [satdoku.parse_grid(lines[0]), *lines[1:]],
    "lists": lambda lines: [list(satdoku.parse_grid(line)) for line in lines],
    "characters": lambda lines: [list(line) for line in lines],
    "blank characters": lambda lines: [list(line.replace(".", " ")) for line in lines],
    "numpy str": np.array,
    "numpy big-endian str": lambda lines: np.array(lines).astype(">U81"),
    "numpy bytes": lambda lines: np.array(lines, "S"),
    "numpy object": lambda lines: np.array(lines, object),
    "numpy characters": lambda lines: np.array([list(line) for line in lines]),
    "pandas": pd.Series,
    "pandas object": lambda lines: pd.Series(lines, dtype=object),
    "pandas category": lambda lines: pd.Series(lines, dtype="category"),
    "pandas string[pyarrow]": lambda lines: pd.Series(lines, dtype="string[pyarrow]"),
    "pandas string[python]": lambda lines: pd.Series(lines, dtype="string[python]"),
    "pandas arrow": lambda lines: pd.Series(lines, dtype=pd.ArrowDtype(pa.string())),
    "pandas other index": lambda lines: pd.Series(lines, index=range(5, 5 + len(lines))),
    "pandas index": pd.Index,
    "pandas frame": lambda lines: pd.DataFrame({"question": lines}),
    "polars": pl.Series,
    "polars category": lambda lines: pl.Series(lines, dtype=pl.Categorical),
    "polars binary": lambda lines: pl.Series([line.encode() for line in lines]),
    "polars frame": lambda lines: pl.DataFrame({"question": lines}),
    "pyarrow": pa.array,
    "pyarrow large": lambda lines: pa.array(lines, pa.large_string()),
    "pyarrow view": lambda lines: pa.array(lines, pa.string_view()),
    "pyarrow binary": lambda lines: pa.array([line.encode() for line in lines]),
    "pyarrow dictionary": lambda lines: pa.array(lines).dictionary_encode(),
    "pyarrow chunked": lambda lines: pa.chunked_array([lines[:1], lines[1:]], pa.string()),
    "pyarrow table": lambda lines: pa.table({"question": lines}),
}  # fmt: skip
ARRAYS = {
    **{kind: lambda cells, kind=kind: cells.astype(kind) for kind in (
        "i1", "i2", "i4", "i8", "u2", "u4", "u8", ">i4", "f2", "f4", "f8", object,
    )},
    "squares": lambda cells: cells.reshape(-1, 9, 9),
    "lists": lambda cells: cells.tolist(),
    "lists of rows": lambda cells: cells.reshape(-1, 9, 9).tolist(),
    "list of arrays": list,
    "list of squares": lambda cells: list(cells.reshape(-1, 9, 9)),
    "by columns": np.asfortranarray,
    "not contiguous": lambda cells: np.repeat(cells, 2, axis=0)[::2],
    "pandas": pd.DataFrame,
    "pandas Int64": lambda cells: pd.DataFrame(cells).astype("Int64"),
    "pandas lists": lambda cells: pd.Series(cells.tolist()),
    "pandas arrays": lambda cells: pd.Series(list(cells)),
    "polars": pl.DataFrame,
    "polars lists": lambda cells: pl.Series(cells.tolist()),
    "polars arrays": lambda cells: pl.Series(cells.tolist(), dtype=pl.Array(pl.UInt8, 81)),
    "pyarrow lists": lambda cells: pa.array(cells.tolist()),
    "pyarrow doubles": lambda cells: pa.array(cells.astype(float).tolist()),
    "pyarrow fixed": lambda cells: pa.array(cells.tolist(), pa.list_(pa.uint8(), 81)),
}  # fmt: skip
PUZZLES = st.lists(st.binary(min_size=81, max_size=81).map(lambda b: bytes(x % 10 for x in b)),
                   min_size=1, max_size=4)  # fmt: skip
CELLS = as_cells([CLASSIC, "." * 81, CLASSIC_SOLUTION])


def same(found, cells):
    return found.dtype == np.uint8 and found.shape == cells.shape and bool((found == cells).all())


@settings(max_examples=5, deadline=None)
@given(PUZZLES)
def test_the_same_puzzles_in_any_form_give_the_same_array(puzzles):
    cells = np.frombuffer(b"".join(puzzles), np.uint8).reshape(-1, 81)
    lines = [format_line(Grid(puzzle)) for puzzle in puzzles]
    for name, form in TEXTS.items():
        assert same(as_cells(form(lines)), cells), name
    for name, form in ARRAYS.items():
        assert same(as_cells(form(cells)), cells), name


def test_an_array_of_bytes_is_taken_as_it_is():
    assert np.shares_memory(as_cells(CELLS), CELLS)


@pytest.mark.parametrize("form", [
    lambda c: c, lambda c: c.reshape(9, 9), lambda c: c.tolist(), lambda c: Grid(c.tobytes()),
    lambda c: c.reshape(9, 9).tolist(), lambda c: format_line(Grid(c.tobytes())),
    lambda c: format_line(Grid(c.tobytes())).encode(),
    lambda c: np.array(format_line(Grid(c.tobytes()))),
])  # fmt: skip
def test_one_puzzle_is_one_row(form):
    assert same(as_cells(form(CELLS[0])), CELLS[:1])


def test_marks_are_bool():
    marks = np.random.default_rng(0).random((3, 729)) < 0.5
    for form in (marks, marks.reshape(3, 81, 9), marks.reshape(3, 9, 9, 9), marks.tolist()):
        assert as_cells(form).dtype == np.bool_ and (as_cells(form) == marks).all()
    for one in (marks[0], marks[0].reshape(81, 9), marks[0].reshape(9, 9, 9)):
        assert (as_cells(one) == marks[:1]).all()


@pytest.mark.parametrize("shape, expected", [
    ((0, 81), (0, 81)), ((16, 16), (16, 16)), ((4, 4), (1, 16)), ((3, 4, 4), (3, 16)),
    ((25, 25), (1, 625)), ((2, 625), (2, 625)), ((9, 9, 9), (9, 81)),
])  # fmt: skip
def test_the_shape_tells_the_board(shape, expected):
    assert as_cells(np.zeros(shape, np.int64)).shape == expected


def test_the_first_puzzle_or_the_rules_tell_the_board():
    assert as_cells(["x", "1" + "." * 15][1:]).shape == (1, 16)
    with pytest.raises(RowsError, match=r"row 1: found 81 cells, expected 16 cells \(4x4\)"):
        as_cells(["." * 16, CLASSIC])
    cells, constraints = checked_cells(["." * 25, [0] * 25], "latin=5")
    assert cells.shape == (2, 25) and constraints.board == Board.latin(5)
    assert as_cells([], Board.of_size(4)).shape == (0, 16)
    assert as_cells(pd.Series([], dtype=str)).shape == (0, 81)


def test_cells_of_large_boards_are_characters_or_numbers():
    numbers = [[str(cell % 17 or "") for cell in range(256)]]
    letters = [".123456789ABCDEFG"[cell % 17] for cell in range(256)]
    expected = [[cell % 17 for cell in range(256)]]
    for held in (numbers, np.array(numbers), [letters], ["".join(letters)]):
        assert as_cells(held).tolist() == expected


def test_grids_keep_their_board_or_say_that_it_is_another():
    stripes = Board.of_map("1111222233334444")
    grids = [Grid(bytes(16), stripes), Grid(bytes(16), stripes)]
    assert checked_cells(grids)[1].board == stripes
    with pytest.raises(RowsError, match="row 1: found a board of 4x4 with boxes"):
        as_cells([grids[0], Grid(bytes(16), Board.of_size(4))])


def spoiled(value, cell=4):
    cells = CELLS.astype(float)
    cells[1, cell] = value
    return cells


@pytest.mark.parametrize("values, reason", [
    ([CLASSIC, CLASSIC[:-1]], r"found 80 cells, expected 81 cells \(9x9\)"),
    ([CLASSIC, "x" * 81], "found 'x', expected a digit 1-9"),
    ([CLASSIC, ""], "found 0 cells"),
    ([CLASSIC, None], "found NoneType None, expected a text or digits"),
    ([CLASSIC, 7], "found int 7"),
    ([CLASSIC, {}], "found 0 cells"),
    ([list(CELLS[0]), [1, 2]], "found 2 cells"),
    ([list(CELLS[0]), None], "found NoneType None"),
    (pd.Series([CLASSIC, None]), "found float nan"),
    (pd.Series([CLASSIC, None], dtype="category"), "found float nan"),
    (pd.Series([CLASSIC, None], dtype="string[pyarrow]"), "found NAType <NA>"),
    (pl.Series([CLASSIC, None]), "found NoneType None"),
    (pa.array([CLASSIC, None]), "found NoneType None"),
    (pa.array([CELLS[0].tolist(), None]), "found NoneType None"),
    (pd.DataFrame(spoiled(np.nan)), "found r1c5=nan, expected a digit 1-9"),
    (spoiled(0.5), "found r1c5=0.5"),
    (spoiled(np.inf, 80), "found r9c9=inf"),
    (spoiled(300), "found r1c5=300"),
    (spoiled(-1).astype(int), "found r1c5=-1"),
    (pd.DataFrame(CELLS).astype("Int64").mask(spoiled(-1) < 0), r"found list \["),
])  # fmt: skip
def test_an_error_names_the_row_and_the_reason(values, reason):
    with pytest.raises(RowsError, match=f"row 1: {reason}") as caught:
        as_cells(values)
    assert list(caught.value.rows) == [1]


def test_an_error_lists_the_rows():
    values = [CLASSIC, "1", CLASSIC, "2"]
    with pytest.raises(RowsError, match=r"row 1: .* \(and 1 more row\)$") as caught:
        as_cells(values)
    error = pickle.loads(pickle.dumps(caught.value))
    assert list(error.rows) == [1, 3] and str(error) == str(caught.value)
    with pytest.raises(RowsError, match="and 1,999 more rows") as caught:
        as_cells([CLASSIC, *["x"] * 2000])
    assert len(caught.value.rows) == 1000 and caught.value.count == 2000


@pytest.mark.parametrize("values, reason", [
    (np.zeros((2, 80)), r"shape \(2, 80\): expected \(N, 81\)"),
    (np.zeros((3, 27), np.uint8), "shape"),
    (np.zeros((2, 728), bool), r"or \(N, 729\) bool"),
    (pd.Series([4.3e78, 1.0]), "read as numbers have lost digits: read them as texts"),
    (5, "int 5: expected puzzles"),
    (None, "expected puzzles"),
])  # fmt: skip
def test_what_holds_no_rows_is_refused(values, reason):
    with pytest.raises(SatdokuError, match=reason):
        as_cells(values)


# Boards with other digits -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rules, values, positions",
    [
        ("shape=2x2,latin,digits=0-1", [[0, 1], [-1, 0]], [1, 2, 0, 1]),
        ("shape=2x2,latin,digits=0-1", np.array([0, np.nan, 1, -128]), [1, 0, 2, 0]),
        ("shape=2x2,latin,digits=-1-0", np.array([-1, 0, 0, -128], np.int8), [1, 2, 2, 0]),
        ("shape=2x2,latin,digits=2,4", [2, 0, -1, 4], [1, 0, 0, 2]),
        ("shape=2x2,latin,digits=0-1", ["01..", "0.1."], [[1, 2, 0, 0], [1, 0, 2, 0]]),
    ],
)
def test_other_digits_become_their_positions(rules, values, positions):
    board = constraints_for(rules).board
    assert as_cells(values, board).tolist() == np.atleast_2d(positions).tolist()


def test_a_value_that_is_no_digit_of_the_board_is_named():
    board = constraints_for("shape=2x2,latin,digits=0-1").board
    with pytest.raises(RowsError, match=r"row 0: found r1c2=7, expected a digit 0-1, or -1"):
        as_cells(np.array([[0, 7, 1, 0]]), board)


def test_an_array_of_a_grid_reads_back():
    board = constraints_for("shape=2x2,latin,digits=-1-0").board
    grid = as_grid([None, -1, -1, 0], board)
    assert np.asarray(grid).tolist() == [-128, -1, -1, 0]
    assert as_grid(np.asarray(grid), board) == grid
    assert as_cells(np.asarray(grid), board).tolist() == [list(grid.cells)]
