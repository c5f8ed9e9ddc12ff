"""Many puzzles from Python: texts, lists, grids, arrays and columns of frames, as one array.

Invariant: the same puzzles give the same array, whatever their container; a row that is not a
puzzle is an error that names the row. Frame libraries are never imported: columns become arrays.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from itertools import islice
from math import prod
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..model.board import MIN_SIZE, Board, board_for, written
from ..model.constraints import Constraints, RulesLike, constraints_for, tells_board
from ..model.grid import EMPTY, NINE, Grid, GridError, as_grid, notation_of
from ..runtime.errors import SatdokuError
from .coding import coding_of
from .columns import find_columns
from .frames import collected, column_of, names_of, values_of
from .objects import roles_by_values

Puzzles = NDArray[Any]  # (N, cells) uint8 digits, or (N, variables) bool pencil marks
Shape = tuple[int, ...]


class SupportsArray(Protocol):
    """A column of pandas, polars or pyarrow, and whatever else numpy can turn into an array."""

    def __array__(self) -> NDArray[Any]: ...


PuzzlesLike: TypeAlias = str | bytes | Grid | SupportsArray | Iterable[Any]

_ROWS_AT_ONCE = 1 << 12  # so that what is made of them stays in the processor's cache
_NAMED = 1000  # rows that an error lists


class RowsError(SatdokuError):
    """Rows that are not puzzles.

    rows: the error of each by its index, from 0; at most 1,000 of them.
    """

    def __init__(self, rows: dict[int, str], count: int) -> None:
        self.rows = rows
        self.count = count
        row, reason = next(iter(rows.items()))
        more = f" (and {count - 1:,} more row{'s' * (count > 2)})" if count > 1 else ""
        super().__init__(f"row {row}: {reason}{more}")

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle what it was made of: by default an exception is pickled as its message alone."""
        return RowsError, (self.rows, self.count)


class Rows(NamedTuple):
    """Puzzles with their board, and what is wrong with some, by row."""

    cells: Puzzles
    board: Board
    wrong: dict[int, GridError]


def as_cells(values: PuzzlesLike, board: Board | None = None) -> Puzzles:
    """Puzzles as one array: (N, cells) uint8, 0 for empty, or (N, variables) bool pencil marks.

    values: texts as `parse_grid` reads them, bytes, `Grid` objects or lists of digits, in a list, a
    numpy array or a column of pandas, polars or pyarrow; or numbers of any type, if all are whole,
    as (N, cells) or (N, n, n); or bool as (N, variables), (N, cells, n) or (N, n, n, n). One puzzle
    (a text, a `Grid`, (cells,), (n, n)) is one row. Without `board` the first puzzle, or the width,
    decides the board; (16, 16) then is 16 puzzles of 4x4. Raises `RowsError` for values that are
    not puzzles, `SatdokuError` for a wrong shape. Numbers up to 255 that are not digits of the
    board stay; the caller decides what they mean. On a board with other digits than 1 to n numbers
    are digits, an empty cell is nan or -128 (None in a list), also 0 or -1 where that is no digit;
    the array has their positions, from 1.
    """
    return _sound(read_rows(values, board)).cells


def checked_cells(values: PuzzlesLike, rules: RulesLike = "classic") -> tuple[Puzzles, Constraints]:
    """`as_cells` on the board of the rules, if they fix one, with the constraints for it."""
    board = constraints_for(rules).board if tells_board(rules) else None
    rows = _sound(read_rows(values, board))
    return rows.cells, constraints_for(rules, rows.board)


def _sound(rows: Rows) -> Rows:
    if rows.wrong:
        first = islice(rows.wrong.items(), _NAMED)
        named = {row: f"found {e.found}, expected {e.expected}" for row, e in first}
        raise RowsError(named, len(rows.wrong))
    return rows


def read_rows(values: PuzzlesLike, board: Board | None = None) -> Rows:
    """The puzzles of `as_cells`, and the errors of the rows that are not puzzles."""
    if isinstance(values, str | bytes | Grid):
        return _of_values([values], board)
    values = _puzzles_of(collected(values))
    if not hasattr(values, "__array__"):
        if not isinstance(values, Iterable):
            raise SatdokuError(f"{type(values).__name__} {values}: expected puzzles")
        return _of_list(list(values), board)
    array = np.asarray(values)
    if array.ndim == 0 or array.shape[1:] == (1,):
        array = array.reshape(-1)  # one value, or a frame of one column
    if array.dtype.kind in "buif" and len(array):
        return _of_numbers(array, board)
    if array.dtype.kind in "US" and array.ndim > 1:
        return _of_characters(array, board)
    return _of_list(strings(array) if array.dtype.kind in "US" else array.tolist(), board)


def _puzzles_of(values: Any) -> Any:
    """The column of puzzles of a frame, told by its name, or else by its values; the values
    themselves if they are none, or have a column a cell."""
    names = names_of(values) or []
    place = find_columns(names).get("puzzle")
    if place is not None:
        return values_of(column_of(values, names[place]))
    if 1 < len(names) < MIN_SIZE**2:
        held = {name: values_of(column_of(values, name)) for name in names}
        return held.get(roles_by_values(held, "frame").get("puzzle", ""), values)
    return values


def _of_list(values: list[Any], board: Board | None) -> Rows:
    """Texts and grids value by value; lists of numbers, if all have one length, as one array."""
    if any(issubclass(kind, str | bytes | Grid) for kind in set(map(type, values))):
        return _of_values(values, board)
    try:
        array = np.array(values)
    except ValueError:  # of several lengths
        return _of_values(values, board)
    if array.dtype.kind in "buif" and len(array):
        return _of_numbers(array, board)
    return _of_characters(array, board) if array.dtype.kind == "U" else _of_values(values, board)


def _of_values(values: Sequence[Any], board: Board | None) -> Rows:
    here = board or _first_board(values)
    cells, read = plain_cells(values, here)
    wrong: dict[int, GridError] = {}
    for row in np.flatnonzero(~read).tolist():
        try:
            cells[row] = list(_grid(values[row], here, told=board is not None))
        except GridError as error:
            wrong[row] = error
    return Rows(cells, here, wrong)


def plain_cells(values: Sequence[Any], board: Board) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """The values that are texts of one character a cell, read all at once.

    Gives (N, cells) uint8, all 0 for any other value; and (N,) bool, which values were read.
    """
    cells = np.zeros((len(values), board.cells), np.uint8)
    read = np.zeros(len(values), np.bool_)
    notation, count = notation_of(board.digits), board.grid_cells
    if not notation.line:
        return cells, read
    dash = ord("-")  # an empty cell in a line of one character a cell
    codes = notation.codes[:dash] + b"\0" + notation.codes[dash + 1 :]
    for start in range(0, len(values), _ROWS_AT_ONCE):
        part = values[start : start + _ROWS_AT_ONCE]
        rows = [i for i, value in enumerate(part, start) if _is_plain(value, count)]
        data = "".join([values[row] for row in rows]).encode("ascii").translate(codes)
        found = np.frombuffer(data, np.uint8).reshape(-1, count)
        good = found.max(axis=1, initial=0) <= len(board.digits)
        places = np.array(rows, np.intp)[good]
        cells[places, :count] = found[good]
        read[places] = True
    return cells, read


def _is_plain(value: Any, count: int) -> bool:
    return isinstance(value, str) and len(value) == count and value.isascii()


def _first_board(values: Iterable[Any]) -> Board:
    """The board of the first puzzle; 9x9 if there is none."""
    for value in values:
        try:
            return _grid(value).board
        except GridError:
            continue
    return NINE


def _grid(value: Any, board: Board | None = None, *, told: bool = True) -> Grid:
    """The grid of a value; raises `GridError`. Without a board, a grid keeps its own."""
    if not told and isinstance(value, Grid) and board is not None and value.board != board:
        raise GridError(value.board.in_words, board.in_words)
    text = value.decode("utf-8", errors="replace") if isinstance(value, bytes) else value
    try:
        return as_grid(text, board)
    except GridError:
        raise
    except (TypeError, ValueError, OverflowError, RecursionError):
        found = f"{type(value).__name__} {str(value)[:40]}"
        raise GridError(found, "a text or digits") from None


def _of_characters(array: NDArray[Any], board: Board | None) -> Rows:
    """Texts of one cell each."""
    texts = [text.strip() or "." for text in strings(array)]
    rows, here = _shaped(np.array(texts, object).reshape(array.shape), board)
    between = " " if any(len(text) > 1 for text in texts) else ""
    return _of_values([between.join(row) for row in rows.tolist()], here)


def _of_numbers(array: NDArray[Any], board: Board | None) -> Rows:
    if array.ndim > 1:
        array = coding_of(array, board, documented=True).decoded(array)
    rows, here = _shaped(array, board)
    if rows.dtype != np.bool_ and not here.has_plain_digits:
        return _of_digits(rows, here)
    if rows.dtype in (np.bool_, np.uint8):
        return Rows(np.ascontiguousarray(rows), here, {})
    cells = np.empty(rows.shape, np.uint8)
    wrong: dict[int, GridError] = {}
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        part = rows[start : start + _ROWS_AT_ONCE]
        with np.errstate(invalid="ignore"):
            few = part.astype(np.uint8)
        cells[start : start + _ROWS_AT_ONCE] = few
        changed = few != part  # no byte: negative, too large, a fraction, nan
        for row in np.flatnonzero(changed.any(axis=1)).tolist():
            column = int(np.argmax(changed[row]))
            wrong[start + row] = _no_digit(part[row, column], column, here)
    return Rows(cells, here, wrong)


def _of_digits(array: NDArray[Any], board: Board) -> Rows:
    """The positions of digits other than 1 to n."""
    cells, known = digit_places(array, board)
    wrong: dict[int, GridError] = {}
    for row in np.flatnonzero(~known.all(axis=1)).tolist():
        column = int(np.argmin(known[row]))
        wrong[row] = _no_digit(array[row, column], column, board)
    return Rows(with_layers(cells, board), board, wrong)


def digit_places(array: NDArray[Any], board: Board) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """The positions of the digits of an array, 0 for an empty cell; and which values are either.

    An empty cell is nan or -128; and 0 and -1 where these are no digits.
    """
    cells = np.zeros(array.shape, np.uint8)
    known: NDArray[np.bool_] = (array != array) | (array == EMPTY)
    for empty in {0, -1} - {*board.digits}:
        known |= array == empty
    for place, digit in enumerate(board.digits, 1):
        here = array == digit
        cells[here] = place
        known |= here
    return cells, known


def digits_of(cells: NDArray[np.uint8], board: Board) -> NDArray[np.uint8] | NDArray[np.int8]:
    """The digits of the grids of rows (N, cells), as an array of a `Grid` has them: int8 where
    these are not 1 to n, and -128 for an empty cell."""
    cells = cells[:, : board.grid_cells]
    if board.digits == tuple(range(1, len(board.digits) + 1)):
        return cells
    digits: NDArray[np.int8] = np.array([EMPTY, *board.digits], np.int8)[cells]
    return digits


def expected_digit(board: Board) -> str:
    """What a number of an array is expected to be."""
    empty = "0" if board.digits[0] > 0 else "-1" if board.digits[0] == 0 else "-128"
    return f"a digit {written(board.digits)}, or {empty} for an empty cell"


def _no_digit(value: Any, cell: int, board: Board) -> GridError:
    return GridError(f"{board.name_of(cell)}={value}", expected_digit(board))


def _shaped(array: NDArray[Any], board: Board | None) -> tuple[NDArray[Any], Board]:
    """The array with one axis for its rows and one for what they hold, and the rows' board."""
    is_marks = array.dtype == np.bool_
    for axis in (1, 0):  # rows, or one of them
        shape = array.shape[axis:]
        found = board or _board_of(shape, is_marks)
        if found is not None and shape in _shapes(found, is_marks):
            if is_marks:
                return array.reshape(-1, found.variables), found
            return grid_columns(array.reshape(-1, prod(shape)), found), found
    raise SatdokuError(_wrong_shape(array, board or NINE))


def _shapes(board: Board, is_marks: bool) -> tuple[Shape, ...]:
    """Those that one puzzle may have."""
    if is_marks:
        cells: list[Shape] = [(board.cells,), *([board.extent] if board.is_rectangle else [])]
        return (board.variables,), *((*shape, board.choices) for shape in cells)
    return (board.grid_cells,), board.extent, (prod(board.extent),)


def grid_columns(rows: NDArray[Any], board: Board) -> NDArray[Any]:
    """Rows (N, grid_cells), also of those that have a value for each place of the rectangle around
    the grids; any other rows as they are."""
    height, width = board.extent
    if board.is_rectangle or rows.shape[1] != height * width:
        return rows
    return rows[:, [width * row + column for row, column in board.places]]


def with_layers(cells: NDArray[np.uint8], board: Board) -> NDArray[np.uint8]:
    """Cells of the grids (N, grid_cells) with those of layers, which are empty."""
    return np.pad(cells, ((0, 0), (0, board.cells - cells.shape[1]))) if board.layers else cells


def _board_of(shape: Shape, is_marks: bool) -> Board | None:
    """The usual board for the shape of one puzzle; None if none fits."""
    if not shape:
        return None
    root = 1 / 3 if is_marks else 1 / 2
    size = shape[-1] if len(shape) > 1 else round(shape[0] ** root)
    return board_for(size * size)


def _wrong_shape(array: NDArray[Any], board: Board) -> str:
    """The error message for an array without rows of puzzles."""
    rows, columns = board.extent
    words = f"array of {array.dtype}, shape {array.shape}: expected (N, {board.grid_cells}) or "
    words += f"(N, {rows}, {columns}) digits, or (N, {board.variables}) bool"
    if array.ndim == 1:
        words += "; puzzles that were read as numbers have lost digits: read them as texts"
    return words


def strings(array: NDArray[Any]) -> list[Any]:
    """The values of an array of texts, bytes and broken characters among them as text."""
    if array.dtype.kind == "S":
        return [value.decode("utf-8", errors="replace") for value in array.reshape(-1).tolist()]
    values: list[Any] = []
    for start in range(0, array.size, _ROWS_AT_ONCE):
        part = array.reshape(-1)[start : start + _ROWS_AT_ONCE]
        if array.dtype.kind == "U":
            part = np.array(part, dtype=part.dtype.newbyteorder("="))
            codes = part.view(np.uint32)
            codes[codes > sys.maxunicode] = ord("\ufffd")
        values += part.tolist()
    return values
