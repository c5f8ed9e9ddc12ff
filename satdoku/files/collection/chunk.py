"""Chunks of rows, column by column, into which collections are read.

Invariant: every column of a chunk has a row for each puzzle, in the order of the file, good or bad;
`errors` says why a row is bad, and a bad row affects no other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from math import isqrt
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...model.board import Board
from ...model.constraints import tells_board
from ...model.grid import Grid, GridError
from ...runtime.errors import SatdokuError, counted
from ..record import Record, givens_of
from ..spans import Spans
from .beside import INVENTED, Column, Table, grid_spans, grid_texts

CHUNK_PUZZLES = 4096
Value = TypeVar("Value")

Puzzles = NDArray[Any]  # (N, cells) uint8 digits, or (N, variables) bool pencil marks


class Answers(NamedTuple):
    """The solutions that a collection states.

    cells: (N, cells) uint8, all 0 where none is stated or it cannot be read; stated: (N,) bool;
    errors: by index into the chunk, what is wrong with the unreadable ones.
    """

    cells: NDArray[np.uint8]
    stated: NDArray[np.bool_]
    errors: dict[int, SatdokuError]


class Chunk(NamedTuple):
    """Some consecutive puzzles of a collection.

    lines: (N,) int64, line or row in the file, 1-based; puzzles: (N, cells) uint8, 0 for empty, or
    (N, variables) bool pencil marks; errors: by index into the chunk, what is wrong with the
    puzzles that are none (their rows are all 0). Of the columns that a file may have beside: ids
    and rules, N strings each, and answers; None where there are none. warnings: by index, what
    links state in words only. marks: by index, the pencil marks (as in `Record`) that a puzzle in
    digits has beside its givens, as links may. beside: all columns of the file as they stand in it,
    where they were asked for. own_board: the board, where it is no usual one. layout: how the file
    is laid out, in words, empty for a puzzle a line. Digits are positions
    among those of the board, and the boards that rules fix for rows have the same cells and digits
    (`Board.row_form`).
    """

    lines: NDArray[np.int64]
    puzzles: Puzzles
    errors: dict[int, SatdokuError]
    ids: Sequence[str] | None = None
    answers: Answers | None = None
    rules: Sequence[str] | None = None
    source: str = "-"
    warnings: Mapping[int, str] | None = None
    marks: Mapping[int, bytes] | None = None
    beside: Table | None = None
    own_board: Board | None = None
    layout: str = ""

    @property
    def rows(self) -> int:
        """Number of puzzles."""
        return len(self.lines)

    @property
    def cells(self) -> int:
        """Number of cells of the board."""
        if self.own_board is not None:
            return self.own_board.cells
        width = int(self.puzzles.shape[1])
        return round(width ** (2 / 3)) if self.puzzles.dtype == np.bool_ else width

    @property
    def board(self) -> Board:
        """The board of the rows, of which some may have rules that fix other regions."""
        if self.own_board is not None:
            return self.own_board
        size = isqrt(self.cells)
        if size * size != self.cells:
            found = f"puzzles of {counted(self.cells, 'cell')}"
            raise SatdokuError(f"{found}: expected those of a square board")
        return Board.of_size(size)

    @property
    def usual_board(self) -> Board | None:
        """The board of the rows that have no rules of their own; None where those have fixed it."""
        return self.board if self.own_board is None else None

    @property
    def readable(self) -> NDArray[np.bool_]:
        """(N,) bool: the rows that are no errors."""
        readable = np.ones(self.rows, np.bool_)
        readable[list(self.errors)] = False
        return readable

    @property
    def puzzle_texts(self) -> Spans:
        """A line per puzzle, empty if it is unreadable; pencil marks as a digit per candidate."""
        texts = grid_spans(self.puzzles, self.readable, self.board)
        marks = [np.frombuffer(marks, np.bool_) for marks in (self.marks or {}).values()]
        if not marks:
            return texts
        rows, whole = np.array([*(self.marks or ())]), np.ones(len(marks), np.bool_)
        return texts.replaced(rows, grid_texts(np.array(marks), whole, self.board))

    def with_own_table(self) -> Chunk:
        """The chunk with a table of what is known of each puzzle, where they stood in no fields."""
        columns: dict[str, Column] = {}
        if self.ids is not None:
            columns["id"] = list(self.ids)
        columns["puzzle"] = self.puzzle_texts.tolist()
        if self.rules is not None:
            columns["rules"] = list(self.rules)
        if self.answers is not None:
            columns["solution"] = stated_texts(self.answers.cells, self.board)
        roles = {role: name for role, name in INVENTED.items() if name in columns}
        alone = len(columns) == 1
        separator = "" if alone else ","
        table = Table(tuple(columns), [*columns.values()], roles, separator, headed=not alone)
        return self._replace(beside=table)

    def part(self, start: int, stop: int) -> Chunk:
        """The rows start..stop-1."""
        here = slice(start, stop)
        return Chunk(
            self.lines[here],
            self.puzzles[here],
            _shifted(self.errors, start, stop),
            self.ids[here] if self.ids is not None else None,
            self.answers and Answers(
                self.answers.cells[here],
                self.answers.stated[here],
                _shifted(self.answers.errors, start, stop),
            ),
            self.rules[here] if self.rules is not None else None,
            self.source,
            self.warnings and _shifted(self.warnings, start, stop),
            self.marks and _shifted(self.marks, start, stop),
            self.beside and self.beside.part(start, stop),
            self.own_board,
            self.layout,
        )  # fmt: skip

    def warnings_as_errors(self, advice: str = "") -> Chunk:
        """The chunk with the puzzles that have a warning among its errors; `advice` ends these."""
        if not self.warnings:
            return self
        from ..foreign import UnstatedError  # few collections hold links

        errors, puzzles = dict(self.errors), self.puzzles.copy()
        for row, warning in self.warnings.items():
            line = int(self.lines[row])
            errors.setdefault(row, UnstatedError(warning + advice, line=line, source=self.source))
            puzzles[row] = 0
        return self._replace(puzzles=puzzles, errors=errors, warnings=None)

    def marks_as_errors(self) -> Chunk:
        """The chunk with the rows of `marks` among its errors."""
        errors = dict(self.errors)
        puzzles = self.puzzles.copy() if self.marks else self.puzzles
        for row in self.marks or ():
            expected, line = "a puzzle with givens only", int(self.lines[row])
            wrong = GridError("pencil marks", expected, line=line, source=self.source)
            errors.setdefault(row, wrong)
            puzzles[row] = 0
        return self._replace(puzzles=puzzles, errors=errors, marks=None)


def stated_texts(answers: NDArray[np.uint8], board: Board) -> list[str]:
    """The texts of answers, empty where a row has none."""
    return grid_texts(answers, np.count_nonzero(answers, axis=1) > 0, board)


def own(board: Board) -> Board | None:
    """The board as the own one of a chunk: None if the number of its cells tells it."""
    return None if board.is_usual else board


def _shifted(values: Mapping[int, Value], start: int, stop: int) -> dict[int, Value]:
    return {i - start: value for i, value in values.items() if start <= i < stop}


def parts(chunk: Chunk, size: int) -> Iterator[Chunk]:
    """The chunk cut into chunks of at most `size` rows."""
    if len(chunk.lines) <= size:
        if len(chunk.lines):
            yield chunk
        return
    for start in range(0, len(chunk.lines), size):
        yield chunk.part(start, start + size)


class Builder:
    """A chunk in the making: rows of a known number, filled one by one or many at once."""

    def __init__(
        self,
        lines: NDArray[np.int64],
        board: Board,
        source: str,
        *,
        columns: Sequence[str] = (),
        marks: bool = False,
    ) -> None:
        count = len(lines)
        width, kind = (board.variables, np.bool_) if marks else (board.cells, np.uint8)
        self.board = board
        self.lines = lines
        self.source = source
        self.puzzles: Puzzles = np.zeros((count, width), dtype=kind)
        self.errors: dict[int, SatdokuError] = {}
        self.ids = [""] * count if "id" in columns else None
        self.rules = [""] * count if "rules" in columns else None
        self.warnings: dict[int, str] = {}
        self.marks: dict[int, bytes] = {}
        self.answers: Answers | None = None
        if "answer" in columns:
            cells = np.zeros((count, board.cells), np.uint8)
            self.answers = Answers(cells, np.zeros(count, np.bool_), {})

    def fill(self, rows: NDArray[np.int64], chunk: Chunk) -> None:
        """Fill in many rows at once, from a chunk of good ones."""
        self.puzzles[rows] = chunk.puzzles
        self.warnings |= {int(rows[row]): text for row, text in (chunk.warnings or {}).items()}
        if chunk.rules is not None and self.rules is None:
            self.rules = [""] * len(self.lines)
        for mine, theirs in ((self.ids, chunk.ids), (self.rules, chunk.rules)):
            if mine is not None and theirs is not None:
                for row, text in zip(rows.tolist(), theirs, strict=True):
                    mine[row] = text
        if self.answers is not None and chunk.answers is not None:
            self.answers.cells[rows] = chunk.answers.cells
            self.answers.stated[rows] = chunk.answers.stated

    def put(self, row: int, record: Record) -> None:
        """Fill in one row."""
        record = on_board(record, self.board, self.source)
        self._put_puzzle(row, record)
        if record.warning is not None:
            self.warnings[row] = record.warning
        if record.rules and self.rules is None:  # a link's, in a file without the column
            self.rules = [""] * len(self.lines)
        if self.ids is not None:
            self.ids[row] = record.id
        if self.rules is not None:
            self.rules[row] = record.rules or ""
        if self.answers is not None:
            self._put_answer(self.answers, row, record.answer)

    def _put_puzzle(self, row: int, record: Record) -> None:
        grid = record.grid
        if isinstance(grid, GridError):
            self.errors[row] = grid
            return
        self.puzzles[row] = row_values(record, grid, self.puzzles.dtype)
        if record.marks is not None and self.puzzles.dtype != np.bool_:
            self.marks[row] = record.marks

    def _put_answer(self, answers: Answers, row: int, answer: Grid | GridError | None) -> None:
        answers.stated[row] = answer is not None
        answers.cells[row] = list(answer) if isinstance(answer, Grid) else 0
        if isinstance(answer, GridError):
            answers.errors[row] = answer

    def chunk(self) -> Chunk:
        """What was filled in."""
        return Chunk(
            self.lines, self.puzzles, self.errors, self.ids, self.answers, self.rules, self.source,
            self.warnings or None, self.marks or None, None, own(self.board),
        )  # fmt: skip


def record_chunks(
    records: Iterable[Record], board: Board, source: str, size: int, *, marks: bool = False
) -> Iterator[Chunk]:
    """Some records in chunks of at most `size`; marks: all are pencil marks."""
    records = iter(records)
    while part := list(islice(records, size)):
        for here, start, stop in runs([board_of(record, board) for record in part], board):
            some = part[start:stop]
            lines = np.array([record.line for record in some], dtype=np.int64)
            build = Builder(lines, here, source, columns=stated_columns(some), marks=marks)
            for row, record in enumerate(some):
                build.put(row, record)
            yield build.chunk()


def board_of(record: Record, board: Board) -> Board | None:
    """The board of a record's row in a file of puzzles on that board: another one only if its rules
    fix it; None for what is no puzzle, which may stand with any."""
    grid = record.grid
    if not isinstance(grid, Grid):
        return None
    is_other = grid.board.row_form != board.row_form and tells_board(record.rules or "")
    return grid.board if is_other else board


def runs(boards: Sequence[Board | None], usual: Board) -> Iterator[tuple[Board, int, int]]:
    """The rows cut where their boards differ in cells or digits, each run with its board; a row
    that has none belongs to the run before it."""
    start, here = 0, usual
    for row, board in enumerate(boards):
        if board is None or board.row_form == here.row_form:
            continue
        if row > start:
            yield here, start, row
        start, here = row, board
    if start < len(boards):
        yield here, start, len(boards)


def stated_columns(records: Iterable[Record]) -> list[str]:
    """The columns that some of the records fill."""
    filled = {
        name
        for record in records
        for name, value in (("id", record.id), ("answer", record.answer), ("rules", record.rules))
        if value
    }
    return sorted(filled)


def on_board(record: Record, board: Board, source: str) -> Record:
    """The record; a bad puzzle where a link has a board that neither the chunk nor a rule has."""
    grid = record.grid
    if not isinstance(grid, Grid):
        return record
    here = grid.board
    if here.row_form == board.row_form and (here == board or tells_board(record.rules or "")):
        return record
    expected = (
        f"the board of the other puzzles, {board.shape if board.is_usual else board.in_words}"
    )
    wrong = GridError(here.in_words, expected, line=record.line, source=source)
    return record._replace(grid=wrong, marks=None, answer=None)


def chunk_records(chunk: Chunk, board: Board) -> Iterator[Record]:
    """The rows of a chunk one by one."""
    for row, line in enumerate(chunk.lines.tolist()):
        yield Record(
            line,
            _grid_of(chunk, row, line, board),
            chunk.rules[row] or None if chunk.rules is not None else None,
            chunk.ids[row] if chunk.ids is not None else "",
            _answer_of(chunk, row, board),
            _marks_of(chunk, row),
            (chunk.warnings or {}).get(row),
        )


def _grid_of(chunk: Chunk, row: int, line: int, board: Board) -> Grid | GridError:
    error = chunk.errors.get(row)
    if error is None:
        values = chunk.puzzles[row].tobytes()
        is_marks = chunk.puzzles.dtype == np.bool_
        return givens_of(values, board) if is_marks else Grid(values, board)
    return error if isinstance(error, GridError) else GridError(str(error), "a puzzle", line=line)


def _answer_of(chunk: Chunk, row: int, board: Board) -> Grid | GridError | None:
    if chunk.answers is None or not chunk.answers.stated[row]:
        return None
    error = chunk.answers.errors.get(row)
    if error is None:
        return Grid(chunk.answers.cells[row].tobytes(), board)
    return error if isinstance(error, GridError) else GridError(str(error), "an answer")


def _marks_of(chunk: Chunk, row: int) -> bytes | None:
    if row in chunk.errors or chunk.puzzles.dtype != np.bool_:
        return (chunk.marks or {}).get(row)
    return bytes(chunk.puzzles[row].tobytes())


def row_values(record: Record, grid: Grid, kind: np.dtype[Any]) -> Puzzles:
    """The digits of a good record; its pencil marks, where the chunk is of such."""
    cells = np.frombuffer(grid.cells, np.uint8)
    if kind != np.bool_:
        return cells
    if record.marks is not None:
        return np.frombuffer(record.marks, np.bool_)
    return marks_of(cells[None], grid.board).reshape(-1)


def marks_of(puzzles: NDArray[np.uint8], board: Board) -> NDArray[np.bool_]:
    """The pencil marks (N, variables) that givens leave: one in a given's cell, all in others."""
    digits = np.arange(1, board.choices + 1, dtype=np.uint8)
    cells = puzzles[:, :, None]
    marks: NDArray[np.bool_] = (cells == 0) | (cells == digits)
    return marks.reshape(len(puzzles), -1)
