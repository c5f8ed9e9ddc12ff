"""Rows that come as columns: arrays, or sequences of texts and lists.

Invariant: each value of a column, of any type, becomes cells or an error of its row; columns of
plain values are read all at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...model.board import Board
from ...model.constraints import may_tell_other
from ...model.grid import Grid, GridError
from ...runtime.errors import SatdokuError, counted
from ..cells import (
    digit_places,
    expected_digit,
    grid_columns,
    plain_cells,
    strings,
    with_layers,
)
from ..foreign import is_foreign
from ..notation import clean, clean_clues, clean_rules, read_marks, read_value
from ..objects import Objects
from ..record import Reading, Record, object_record, other_board
from ..streams import FileError
from .beside import object_table
from .chunk import Answers, Chunk, Puzzles, board_of, on_board, own, row_values, runs

Column = Any  # an array (N, ...), or a sequence of N strings, lists of digits or None


_CLEANED: dict[str, Callable[[Any], str]] = {
    "id": lambda value: clean(str(value)),
    "rules": lambda value: clean_rules(str(value)),
    "clues": clean_clues,
}


class _Place(NamedTuple):
    """Where the rows of a chunk stand, for their errors."""

    board: Board
    lines: NDArray[np.int64]
    reading: Reading

    def error(self, row: int, found: str, expected: str, column: int = 1) -> GridError:
        return self.reading.error(found, expected, int(self.lines[row]), column)


class _Cells(NamedTuple):
    """Cells (N, cells), or marks, of a column; which rows hold anything; and what is wrong."""

    cells: Puzzles
    stated: NDArray[np.bool_]
    errors: dict[int, SatdokuError]


def column_chunks(
    columns: Mapping[str, Column], board: Board, lines: NDArray[np.int64], reading: Reading
) -> Iterator[Chunk]:
    """`column_chunk`, cut where rules of rows fix boards with other cells or digits."""
    boards = None if reading.board else _row_boards(columns, board, reading)
    if boards is None:
        yield column_chunk(columns, board, lines, reading)
        return
    for here, start, stop in runs(boards, board):
        part = {role: column[start:stop] for role, column in columns.items()}
        yield column_chunk(part, here, lines[start:stop], reading)


def of_usual_board(columns: Mapping[str, Column]) -> Column:
    """The puzzles among the columns whose rules fix no board that is not usual, which tell that of
    the rows without rules; all puzzles if there are none."""
    puzzles, rules = columns["puzzle"], columns.get("rules")
    if rules is None or isinstance(puzzles, np.ndarray):
        return puzzles
    pairs = zip(puzzles, rules, strict=True)
    return [puzzle for puzzle, text in pairs if not may_tell_other(str(text))] or puzzles


def _row_boards(
    columns: Mapping[str, Column], board: Board, reading: Reading
) -> list[Board | None] | None:
    """The board of each row; None if no rules, and no texts that state such, fix another than the
    board of the file."""
    named = {role: columns[role] for role in ("rules", "clues") if role in columns}
    seen = {str(value) for column in named.values() for value in column}
    puzzles = _plain(columns["puzzle"])
    values = () if isinstance(puzzles, np.ndarray) else puzzles
    links = [row for row, value in enumerate(values) if _may_state_board(value, board)]
    if not links and not any(map(may_tell_other, seen)):
        return None
    texts = {role: _texts(_plain(column), role) for role, column in named.items()}
    stated = rules_with_clues(texts.get("rules"), texts.get("clues"), reading)
    rules = stated or [""] * len(puzzles)
    boards: list[Board | None] = [other_board(each, board) or board for each in rules]
    for row in links:
        stating = {"puzzle": puzzles[row], "rules": rules[row]}
        found = board_of(object_record(stating, reading._replace(usual=board), row), board)
        boards[row] = found or boards[row]
    return boards


def _may_state_board(value: Any, board: Board) -> bool:
    """Whether a value may be a text of another program that states a board."""
    is_text = isinstance(value, str) and len(value) != board.grid_cells
    return is_text and (value[:1] == "{" or may_tell_other(value)) and is_foreign(value)


def object_chunks(
    found: Objects, reading: Reading, size: int, *, keep: bool = False
) -> Iterator[Chunk]:
    """The objects' values, a column a role; a line that holds no object is an error."""
    board = found.board or Board()
    while part := list(islice(found.rows, size)):
        values = [{} if isinstance(row, GridError) else row for _, row, _ in part]
        roles = dict.fromkeys(role for row in values for role in row)
        columns = {role: [row.get(role) for row in values] for role in ("puzzle", *roles)}
        lines = np.array([line for line, _, _ in part], dtype=np.int64)
        for chunk in column_chunks(columns, board, lines, reading):
            here, part = part[: chunk.rows], part[chunk.rows :]
            for index, (_, row, _) in enumerate(here):
                if isinstance(row, GridError):
                    chunk.errors[index] = row
            if keep:
                table = object_table([stated for _, _, stated in here], found.keys)
                chunk = chunk._replace(beside=table)
            yield chunk._replace(layout=found.layout)


def column_chunk(
    columns: Mapping[str, Column], board: Board, lines: NDArray[np.int64], reading: Reading
) -> Chunk:
    """A chunk of columns by role, its rows on those lines of the file."""
    place = _Place(board, lines, reading._replace(usual=board))
    columns = {role: _plain(column) for role, column in columns.items()}
    puzzles = _marks(columns["puzzle"], place) or _cells(columns["puzzle"], place)
    for row in np.flatnonzero(~puzzles.stated).tolist():
        puzzles.errors[row] = place.error(row, "nothing", f"a puzzle of {board.grid_cells} cells")
    answers = _answers(columns["answer"], place) if "answer" in columns else None
    named = [role for role in _CLEANED if role in columns]
    texts: dict[str, list[str]] = {role: _texts(columns[role], role) for role in named}
    links = _read_links(columns["puzzle"], puzzles, texts, place)
    warnings = {row: link.warning for row, link in links.items() if link.warning is not None}
    in_digits = puzzles.cells.dtype != np.bool_
    marks = {row: link.marks for row, link in links.items() if in_digits and link.marks is not None}
    return Chunk(
        lines,
        puzzles.cells,
        puzzles.errors,
        texts.get("id"),
        Answers(*answers) if answers else None,
        rules_with_clues(texts.get("rules"), texts.get("clues"), reading),
        reading.path,
        warnings or None,
        marks or None,
        own_board=own(board),
    )


def rules_with_clues(
    rules: list[str] | None, clues: list[str] | None, reading: Reading
) -> list[str] | None:
    """The rules of rows with the clues of the same rows; None if no row states any."""
    if clues is None or not any(clues):
        return rules
    pairs = zip(rules or [""] * len(clues), clues, strict=True)
    return [reading.joined(*pair) for pair in pairs]


def _read_links(
    column: Column, puzzles: _Cells, texts: dict[str, list[str]], place: _Place
) -> dict[int, Record]:
    """Put the links among the values in their rows, with their rules, which clues of the row will
    join; gives their records."""
    links = {}
    for row in list(puzzles.errors):
        value = None if isinstance(column, np.ndarray) else column[row]
        if not isinstance(value, str) or not is_foreign(value):
            continue
        stated = texts["rules"][row] if "rules" in texts else ""
        values = {"puzzle": value, "rules": stated}
        if "id" in texts:
            values["id"] = texts["id"][row]
        record = object_record(values, place.reading, int(place.lines[row]))
        record = on_board(record, place.board, place.reading.path)
        grid = record.grid
        if isinstance(grid, GridError):
            puzzles.errors[row] = grid
            continue
        del puzzles.errors[row]
        puzzles.cells[row] = row_values(record, grid, puzzles.cells.dtype)
        links[row] = record
        texts.setdefault("rules", [""] * len(column))[row] = record.rules or ""
    return links


def _answers(column: Column, place: _Place) -> _Cells:
    """Cells of answers. In an array of digits, which has no other way to say nothing, zeros do."""
    found = _cells(column, place)
    if isinstance(column, np.ndarray):
        blank = np.count_nonzero(found.cells, axis=1) == 0
        blank[list(found.errors)] = False
        found.stated[blank] = False
    return found


def _texts(column: Column, role: str) -> list[str]:
    """Names, ids, rules or clues, each as it can be written anywhere."""
    values = strings(column) if isinstance(column, np.ndarray) else column
    return ["" if value is None else _CLEANED[role](value) for value in values]


def _plain(column: Column) -> Column:
    """Texts as a list of them, whatever they came as."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "US":
        return strings(column)
    return column


def _cells(column: Column, place: _Place) -> _Cells:
    if not isinstance(column, np.ndarray):
        return _of_values(column, place)
    board = place.board
    flat, wanted = column.reshape(len(column), -1), board.variables
    if column.dtype != np.bool_:
        flat, wanted = grid_columns(flat, board), board.grid_cells
    if flat.shape[1] != wanted:
        raise FileError(
            f"{place.reading.path}: rows of {counted(flat.shape[1], 'value')} ({column.dtype}): "
            f"expected {board.grid_cells} digits, or {board.variables} bool for pencil marks"
        )
    stated = np.ones(len(flat), dtype=np.bool_)
    if column.dtype == np.bool_:  # whose bytes may be anything in a file
        return _Cells(np.ascontiguousarray(flat).view(np.uint8) > 0, stated, {})
    return _of_numbers(flat, stated, place)


def _stated(values: Sequence[Any]) -> NDArray[np.bool_]:
    """Which of the values are not empty."""
    return np.array([value is not None and value != "" for value in values], dtype=np.bool_)


def _marks(column: Column, place: _Place) -> _Cells | None:
    """Pencil marks, where the first text of the column is such."""
    if isinstance(column, np.ndarray):
        return None
    stated = _stated(column)
    first = next((value for value in column if value), None)
    if not isinstance(first, str) or read_marks(first, place.board) is None:
        return None
    cells = np.zeros((len(column), place.board.variables), np.bool_)
    errors: dict[int, SatdokuError] = {}
    for row in np.flatnonzero(stated).tolist():
        marks = read_marks(column[row], place.board) if isinstance(column[row], str) else None
        if marks is None:
            errors[row] = place.error(row, "no pencil marks", f"{place.board.variables} of them")
        else:
            cells[row] = np.frombuffer(marks, np.bool_)
    return _Cells(cells, stated, errors)


def _of_numbers(array: NDArray[Any], stated: NDArray[np.bool_], place: _Place) -> _Cells:
    board = place.board
    if board.digits[0] == 1 and board.digits[-1] == len(board.digits):
        wrong = ~((array >= 0) & (array <= board.digits[-1]))  # what is no number is wrong, too
        if array.dtype.kind == "f":
            wrong |= array != np.floor(array)
        cells = np.where(wrong, 0, array).astype(np.uint8)
    else:
        cells, known = digit_places(array, board)
        wrong = ~known
    errors: dict[int, SatdokuError] = {}
    for row in np.flatnonzero(wrong.any(axis=1)).tolist():
        column = int(np.argmax(wrong[row]))
        found = str(array[row, column])
        errors[row] = place.error(row, found, expected_digit(board), column + 1)
        cells[row] = 0
    return _Cells(with_layers(cells, board), stated, errors)


def _of_values(values: Sequence[Any], place: _Place) -> _Cells:
    """Texts with one character a cell are read all at once, others one by one."""
    stated = _stated(values)
    cells, read = plain_cells(values, place.board)
    errors: dict[int, SatdokuError] = {}
    for row in np.flatnonzero(stated & ~read).tolist():
        grid = place.reading.placed(read_value(values[row], place.board), int(place.lines[row]))
        if isinstance(grid, Grid):
            cells[row] = np.frombuffer(grid.cells, np.uint8)
        else:
            errors[row] = grid
    return _Cells(cells, stated, errors)
