"""One puzzle of a file, with what its line, its row or its link says about it.

Invariant: every line becomes a `Record`; an error is part of the record, with its place in the
file, and is never raised.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, NamedTuple

from ..model.board import Board, board_for
from ..model.constraints import (
    MOST_RULE_SETS,
    Constraints,
    RulesLike,
    constraints_for,
    may_tell_other,
    tells_board,
)
from ..model.grid import Grid, GridError
from ..model.looks import Looks
from ..model.numbers import HEAD, is_large
from ..model.puzzle import Puzzle, digits_of, on_board
from ..runtime.errors import SatdokuError
from .columns import BEFORE, Layout, fields_of, find_columns
from .foreign import is_foreign, object_format
from .notation import (
    MAX_TEXT,
    Found,
    clean,
    clean_before,
    clean_clues,
    clean_rules,
    find_grid,
    is_marks,
    is_no_puzzle,
    load_object,
    placed,
    read_grid,
    read_line,
    read_marks,
    read_value,
)
from .streams import MAX_LINE_BYTES

_COMMENT = re.compile(r"^[ \t]*#.*$", re.MULTILINE)


class Record(NamedTuple):
    """One puzzle of a file.

    line: its first line, or its row in a file of arrays, from 1; grid: the givens, or what is wrong
    with the puzzle; rules: those that the puzzle itself states (a link, a column `rules`), None
    where it states none; id, answer: what other columns say; marks: pencil marks, bytes of 0 and 1,
    cell-major, digit 1 first, without which the givens are another puzzle; warning: what a link
    states in words only; title, author, words, looks: for people; constraints: those of the
    rules, if they are at hand.
    """

    line: int
    grid: Grid | GridError
    rules: str | None = None
    id: str = ""
    answer: Grid | GridError | None = None
    marks: bytes | None = None
    warning: str | None = None
    title: str = ""
    author: str = ""
    words: str = ""
    constraints: Constraints | None = None
    looks: Looks = ()


class Reading(NamedTuple):
    """The settings for reading a file.

    source: its name, for errors; board: the one that was asked for, None where each puzzle tells;
    usual: that of most puzzles of the file, None if it is not known yet; mixed: whether puzzles of
    other boards count too; rules: those that were asked for, which a link must not exceed; stated:
    by id, the clues that say what the words of a link do.
    """

    source: str | None = None
    board: Board | None = None
    usual: Board | None = None
    mixed: bool = False
    rules: str | None = None
    stated: Mapping[str, str] = {}

    @property
    def path(self) -> str:
        """The file's name, which a text of its own has not."""
        return self.source or "-"

    @property
    def known_board(self) -> Board | None:
        """The board that was asked for, or that of most puzzles, before any was read."""
        return self.board or self.usual

    def joined(self, rules: str, clues: str) -> str:
        """The rules of a row with its clues; clues alone join the rules that were asked for."""
        return f"{rules or self.rules or 'classic'};{clues}" if clues else rules

    def error(self, found: str, expected: str, line: int, column: int = 1) -> GridError:
        """What is wrong at a place of the file."""
        return GridError(found, expected, line=line, column=column, source=self.source)

    def placed(self, grid: Grid | GridError, line: int, column: int = 1) -> Grid | GridError:
        """The grid, or the error of a text that begins at a place of the file."""
        return placed(grid, line, column, self.source) if isinstance(grid, GridError) else grid

    def on_boards(self, read: Callable[[Board | None], Record]) -> Record:
        """The record on the usual board; on another one if it is no puzzle there but is here."""
        record = read(self.usual)
        if self.mixed and isinstance(record.grid, GridError):
            other = read(None)
            if isinstance(other.grid, Grid):
                record = other
        return self.told(record)

    def told(self, record: Record) -> Record:
        """The record; what its words say, as clues that were stated for its id."""
        clues = self.stated.get(record.id) if record.warning is not None else None
        if clues is None:
            return record
        rules = self.joined(record.rules or "", clues)
        return record._replace(rules=rules, warning=None, constraints=None)


def whole_record(text: str, reading: Reading, line: int = 1) -> Record:
    """The record of a text that is one puzzle, on however many lines; # begins a comment there."""
    if not isinstance(text, str):
        return _of_value(text, reading.board, reading, line)
    text = _COMMENT.sub("", text.removeprefix("\ufeff"))
    if is_large(text[:HEAD].encode(errors="replace")):
        return Record(line, reading.placed(read_grid(text, reading.board), line))
    most = MAX_LINE_BYTES if is_foreign(text) else MAX_TEXT
    if len(text) > most:
        what = f"a text of {len(text)} characters"
        return Record(line, reading.error(what, f"a puzzle within {most}", line))
    if text.lstrip().startswith("{"):
        return reading.told(json_record(text, reading, line))
    marks = "".join(text.split())
    if reading.board or is_marks(marks):
        board = reading.board or board_for(round(len(marks) ** (1 / 3)) ** 2)
        in_rows = board is not None and board_for(len(marks)) is None
        if board and (reading.board or in_rows) and (found := read_marks(marks, board)):
            return _marks_record(found, board, line)
    return _of_value(text, reading.board, reading, line)


def usual_board(grid: Grid) -> Board:
    """The board that a file's other puzzles have if this one is its first: a link may have regions
    of its own, where the others have boxes."""
    return (grid.board.is_usual and board_for(grid.board.cells)) or grid.board


def line_record(text: str, layout: Layout, reading: Reading, line: int) -> Record:
    """The record of a line that is laid out as `layout` says."""
    read = _field_record if layout.names else _bare_record
    return reading.on_boards(lambda board: read(text, layout, board, reading, line))


def holds_no_row(text: str, layout: Layout, board: Board | None) -> bool:
    """Whether a line is empty, a ruling, a heading or a comment.

    A line that begins with # is a comment, unless its fields have names, there are as many of them,
    and a puzzle stands in its place: then # begins an id, say.
    """
    if not is_no_puzzle(text):
        return False
    if not layout.names or not text.lstrip().startswith("#"):
        return True
    fields = fields_of(text, layout.separator) or []
    return len(fields) != len(layout.names) or puzzle_in_place(fields, layout, board) is None


def puzzle_in_place(fields: Sequence[str], layout: Layout, board: Board | None) -> Record | None:
    """The good puzzle, or the marks, in the field that should hold it; None if there is none."""
    field = fields[layout.puzzle].strip() if layout.puzzle < len(fields) else ""
    marks = read_marks(field, board or Board())
    if marks is not None:
        return _marks_record(marks, board or Board(), 1)
    rules = fields[layout.rules] if layout.rules is not None and layout.rules < len(fields) else ""
    record = _of_value(field, board, Reading(usual=board), 1, clean_rules(rules))
    return record if isinstance(record.grid, Grid) else None


def _bare_record(
    text: str, layout: Layout, board: Board | None, reading: Reading, line: int
) -> Record:
    """Of a line without named fields: the first grid, the id before it, the answer after it."""
    if layout.marks and board and (marks := read_marks(text.strip(), board)) is not None:
        return _marks_record(marks, board, line)
    if is_foreign(text):
        json = text.lstrip().startswith("{")
        return json_record(text, reading, line) if json else _link_record(text, reading, line)
    found = find_grid(text, board)
    if found is None:
        return Record(line, reading.placed(read_line(text, board), line))
    if _is_answer(found, text, layout):
        *before, field = text.split(layout.separator)[: layout.puzzle + 1]
        column = 1 + sum(len(other) + 1 for other in before)
        return Record(line, reading.placed(read_grid(field, board), line, column))
    answer = None if layout.answer is None else _full_grid(text[found.stop :], found.grid.board)
    name = clean_before(text[: found.start]) if layout.id == BEFORE else ""
    return Record(line, found.grid, id=name, answer=answer)


def _is_answer(found: Found, text: str, layout: Layout) -> bool:
    """Whether the first grid of a line is full and stands where the first line has its answer."""
    if layout.answer is None or not layout.separator or not found.grid.is_complete:
        return False
    return text[: found.start].count(layout.separator) == layout.answer


def _full_grid(text: str, board: Board) -> Grid | None:
    """The first full grid in the rest of a line, None if there is none."""
    while (found := find_grid(text, board)) is not None:
        if found.grid.is_complete:
            return found.grid
        text = text[found.stop :]
    return None


def _field_record(
    text: str, layout: Layout, board: Board | None, reading: Reading, line: int
) -> Record:
    """Of a line whose fields have names."""
    fields = fields_of(text, layout.separator)
    if fields is None:
        return Record(line, reading.error("a quote that is never closed", "a closing quote", line))
    if layout.puzzle >= len(fields):
        found = f"{len(fields)} field{'s' * (len(fields) != 1)}"
        wrong = reading.error(found, f"a puzzle in field {layout.puzzle + 1}", line)
        return Record(line, wrong)

    def field(number: int | None) -> str:
        return fields[number] if number is not None and 0 <= number < len(fields) else ""

    def column(value: str) -> int:
        return max(text.find(value), 0) + 1

    puzzle, answer = field(layout.puzzle), field(layout.answer)
    rules, clues = clean_rules(field(layout.rules)), clean_clues(field(layout.clues))
    record = _of_value(
        puzzle, board, reading, line, rules, clues, column=column(puzzle), marks=layout.marks
    )
    return record._replace(
        id=clean(field(layout.id)),
        answer=_answer(answer.strip(), record, board, reading, line, column(answer.strip())),
    )


def object_record(values: Mapping[str, Any], reading: Reading, line: int) -> Record:
    """The record of a JSON object whose values are given by role."""
    puzzle, answer, name = (values.get(role) for role in ("puzzle", "answer", "id"))
    rules = clean_rules(str(values.get("rules") or ""))
    clues = clean_clues(values.get("clues"))

    def read(board: Board | None) -> Record:
        if puzzle is None or puzzle == "":
            cells = (reading.usual or Board()).grid_cells
            wrong = reading.error("nothing", f"a puzzle of {cells} cells", line)
            record = Record(line, wrong, reading.joined(rules, clues) or None)
        else:
            record = _of_value(puzzle, board, reading, line, rules, clues, marks=True)
        return record._replace(
            id="" if name is None else clean(str(name)),
            answer=_answer(answer, record, board, reading, line),
        )

    return reading.on_boards(read)


def json_record(text: str, reading: Reading, line: int) -> Record:
    """The record of one JSON object: of a format, or one whose keys have the usual names."""
    value = load_object(text)
    if isinstance(value, dict) and object_format(value) is None:
        keys = list(value)
        places = find_columns(keys)
        if "puzzle" in places:
            return object_record({r: value[keys[at]] for r, at in places.items()}, reading, line)
    return _link_record(text, reading, line)


def _of_value(
    value: Any,
    board: Board | None,
    reading: Reading,
    line: int,
    rules: str = "",
    clues: str = "",
    *,
    column: int = 1,
    marks: bool = False,
) -> Record:
    """The puzzle of a field or a value; `rules` and `clues` are those that its row states."""
    if isinstance(value, str) and is_foreign(value):
        record = _link_record(value, reading, line, rules, column)
        return record._replace(rules=reading.joined(record.rules or "", clues) or None)
    stated = reading.joined(rules, clues) or None
    if marks and board and isinstance(value, str):
        found = read_marks(value.strip(), board)
        if found is not None:
            return _marks_record(found, board, line)._replace(rules=stated)
    other = None if reading.board else other_board(stated, board)
    grid = read_value(value, other or board)
    if isinstance(grid, GridError) and reading.board is None and stated:
        grid = read_value(value, _told_board(stated) or board)
    return Record(line, reading.placed(grid, line, column), stated)


def other_board(rules: str | None, board: Board | None) -> Board | None:
    """The board that the rules of a row fix, if its cells or digits are not those of the others'
    board."""
    if not rules or not may_tell_other(rules):
        return None
    told = _told_board(rules)
    return None if told is None or (board and told.row_form == board.row_form) else told


@lru_cache(MOST_RULE_SETS)
def _told_board(rules: str) -> Board | None:
    """The board that the rules of a row fix, None if they fix none or are wrong."""
    with suppress(SatdokuError):
        return constraints_for(rules).board if tells_board(rules) else None
    return None


def _answer(
    value: Any, record: Record, board: Board | None, reading: Reading, line: int, column: int = 1
) -> Grid | GridError | None:
    """The stated answer, on the puzzle's board; None where none is stated."""
    if value is None or value == "":
        return None
    board = record.grid.board if isinstance(record.grid, Grid) else board
    return reading.placed(read_value(value, board), line, column)


def _marks_record(marks: bytes, board: Board, line: int) -> Record:
    return Record(line, givens_of(marks, board), marks=marks)


def givens_of(marks: bytes, board: Board) -> Grid:
    """The grid of the cells that have one mark only."""
    size = board.choices
    cells = [marks[start : start + size] for start in range(0, len(marks), size)]
    return Grid(bytes(cell.index(1) + 1 if sum(cell) == 1 else 0 for cell in cells), board)


def _link_record(
    text: str, reading: Reading, line: int, rules: str = "", column: int = 1
) -> Record:
    """The puzzle of another program, or of our JSON, with its own rules."""
    # Few files hold one.
    from .foreign import parse_foreign

    try:
        puzzle = parse_foreign(text, rules or reading.rules, reading.board)
    except GridError as error:
        return Record(line, reading.placed(error, line, column))
    except SatdokuError as error:
        if not rules:  # those that were asked for, of the whole file
            raise
        return Record(line, reading.error(f"rules {rules!a}", str(error), line))
    return Record(
        line,
        puzzle.grid,
        _telling(puzzle.rules, puzzle.grid.board, reading.usual),
        clean(puzzle.id),
        puzzle.answer,
        puzzle.mark_bytes,
        puzzle.warning,
        clean(puzzle.title),
        clean(puzzle.author),
        puzzle.words,
        puzzle.constraints,
        puzzle.looks,
    )


def _telling(rules: str, board: Board, usual: Board | None) -> str:
    """The rules, with the boxes of a usual board that is not that of the other puzzles."""
    if usual is None or board.row_form == usual.row_form or not board.has_boxes or board.regions:
        return rules
    return rules if tells_board(rules) else f"boxes={board.box_rows}x{board.box_columns},{rules}"


def of_record(record: Record, rules: RulesLike | None, source: str | None) -> Puzzle:
    """The puzzle of a record, under its own rules, else those; raises what is wrong with it."""
    stated = record.grid
    if isinstance(stated, GridError):
        raise stated
    if record.rules is None:
        return told(record, *on_board(stated, rules or "classic"), source)
    known = record.constraints
    if known is None or known.name != record.rules:  # clues were added
        known = constraints_for(record.rules, default=stated.board)
    return told(record, Grid(stated.cells, known.board), known, source)


def told(
    record: Record, grid: Grid, constraints: Constraints, source: str | None, took: float = 0.0
) -> Puzzle:
    """A record's grid under its constraints, with all that the record tells."""
    return Puzzle(
        grid,
        constraints,
        None if record.marks is None else digits_of(record.marks, grid.board.choices),
        record.answer if isinstance(record.answer, Grid) else None,
        record.id,
        record.title,
        record.author,
        record.words,
        record.warning,
        source=source,
        line=record.line,
        looks=record.looks,
        took=took,
    )
