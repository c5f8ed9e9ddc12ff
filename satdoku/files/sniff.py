"""How a text file is laid out, told by its first lines or objects, and its puzzles as records.

Invariant: a header is believed only if a puzzle stands where it says, or lines follow that have
just the fields that it names; without one the first good puzzle tells where all others stand. A
wrong guess costs speed, never a puzzle: lines with another layout are read one by one.

A text (an account file, a log) is refused as a whole only if none of its lines comes near a puzzle,
a row of one, a link or a header; where one does, each line gets a verdict of its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, groupby, islice, pairwise
from typing import Any, NamedTuple

from ..model.board import MAX_SIZE, Board
from ..model.grid import BLANKS, BYTE_VALUES, NO_VALUE, Grid, GridError, notation_of
from ..model.numbers import DRAWN
from . import columns, notation
from .foreign import goes_on_iss, is_foreign, is_iss_text
from .lines import LineReader, block_lines, joined, split_lines, whole_rows
from .record import (
    Reading,
    Record,
    holds_no_row,
    line_record,
    other_board,
    puzzle_in_place,
    usual_board,
    whole_record,
)
from .streams import FileError

FEW = 2  # lines that get their own verdicts in any case: these say more
_LONG = 40  # cells: what is so long and nearly all digits is no number, but a part of a grid
_GOOD = 0.9  # the share of a text's characters that must be cells of the board
_FIELD = re.compile(rf"[^{notation.SEPARATORS}\"]+")
_SIZES = range(4, MAX_SIZE + 1)


def check_likeness(lines: Iterable[str], path: str, board: Board | None = None) -> None:
    """Raise `FileError` if there are more than `FEW` lines, none of which comes near a puzzle.

    board: the one that was asked for; what is near a puzzle, or a row, of it is one too."""
    count, rows = 0, Counter[int]()
    for text in lines:
        if _comes_near(text) or (board is not None and _is_near(text, board)):
            return
        if notation.is_no_puzzle(text):
            continue
        count += 1
        width = notation.row_width(text)
        rows[width] += _is_like_row(text, width)
        if rows[width] >= width - 1 > 0:  # rows of a grid, of which one may be missing
            return
    if count > FEW:
        names = ", ".join(columns.ROLES["puzzle"][:5:2])
        raise FileError(
            f"{path}: no puzzles here: expected a puzzle on a line (81 characters, 0 or . for an "
            f"empty cell), a row of one on a line, a link, or a header with a column ({names}, "
            "...); if its name is another: --column puzzle=NAME"
        )


def _comes_near(text: str) -> bool:
    """Whether a line has a field that is nearly a grid or its pencil marks, is a link, or names a
    column of puzzles."""
    if notation.is_heading(text):
        return "puzzle" in text.lower()
    if columns.header_layout(text) is not None:
        return True
    if any(_is_like_grid(field) for field in _FIELD.findall(text) if len(field) >= 14):
        return True
    return is_foreign(text) and not text.lstrip().startswith("{")


def _is_near(text: str, board: Board) -> bool:
    """Whether a line has nearly as many cells as the board, or as one of its rows, and nearly all
    of them are such."""
    known = notation_of(board.digits)
    cells = [c for c in text if not c.isspace()] if known.line else text.split()
    counts = {board.grid_cells, *map(len, board.rows)}
    if board.is_usual:  # lists of these are told without it
        return False
    near = any(abs(len(cells) - count) <= max(1, count // 10) for count in counts)
    good = sum(known.values.get(cell, NO_VALUE) <= len(board.digits) for cell in cells)
    return near and len(cells) > 0 and good >= _GOOD * len(cells)


def _is_like_grid(field: str) -> bool:
    """Whether a field has nearly the length of a grid, and nearly all its characters are cells."""
    length = len(field)
    sizes = [n for n in _SIZES if any(abs(length - c) <= max(1, c // 10) for c in (n**2, n**3))]
    if length >= _LONG and re.search("[1-9]", field):
        sizes.append(9)
    return any(_share(field, size) >= _GOOD for size in sizes)


def _is_like_row(text: str, width: int) -> bool:
    """Whether a line of that many cells has only cells of a board of that size."""
    words = re.findall(rf"[^\s|+,{DRAWN}]+", text)
    if len(words) == width and all(word.isdecimal() for word in words):
        return width in _SIZES and all(len(word) < 3 and int(word) <= width for word in words)
    cells = "".join(words)
    return len(cells) == width in _SIZES and _share(cells, width) >= _GOOD


def _share(text: str, size: int) -> float:
    """The share of the characters that are digits of that board, or empty cells."""
    values = text.replace("-", ".").encode().translate(BYTE_VALUES)
    others = values.translate(None, bytes(range(size + 1)))
    return 1 - len(others) / len(values)


TRIED = 1000  # rows or objects in which a first good puzzle is looked for
_CONFIRMING = 10  # rows after a header that may confirm it
_AHEAD = 1000  # lines among which these are looked for
_SEPARATORS = ",;\t| "


class Sniffed(NamedTuple):
    """The layout of the lines, None where only the reading of each line tells: files with headings
    of sections, with JSON, or with texts of several lines; and the board, if found."""

    layout: columns.Layout | None
    board: Board | None
    is_json: bool = False  # the first line begins an object


class Header(NamedTuple):
    """A line that states a layout, by its number among the others."""

    line: int
    layout: columns.Layout


def sniff(
    lines: Sequence[str], board: Board | None, format: str | None, asked: Mapping[str, str]
) -> Sniffed:
    """The layout of a text of which the first lines are given; `format` narrows the choice.

    Raises `ColumnError` where columns are asked for that are not there.
    """
    found = None
    if format in (None, "csv"):
        found = _by_header(lines, board, asked) or _by_numbers(lines, board, asked)
    if found is None and format in (None, "marks"):
        found = _by_marks(lines, board, sure=format == "marks")
    if found is None and any(asked.values()):
        wanted = ", ".join(f"{role}={name}" for role, name in asked.items() if name)
        raise columns.ColumnError(f"no columns {wanted} in which a puzzle stands")
    if found is None:
        found = _by_first_puzzle(lines, board)
    is_json = _begins_with_json(lines)
    off: Any = {role: None for role, name in asked.items() if not name}  # no header tells which
    found = found._replace(layout=found.layout and found.layout._replace(**off))
    layout = found.layout or columns.Layout()
    rows = joined(lines, layout, board)  # within a field there is no heading
    if format is None and (
        is_json
        or any(map(notation.is_heading, rows))
        or (not layout.names and _has_long_texts(lines))
    ):
        return found._replace(layout=None, is_json=is_json)
    return found


def _begins_with_json(lines: Iterable[str]) -> bool:
    first = next((text for text in lines if not notation.is_no_puzzle(text)), "")
    return first.lstrip().startswith("{")


def _has_long_texts(lines: Sequence[str]) -> bool:
    """Whether a text of Interactive Sudoku Solver has several lines, or may have."""
    if not any(map(is_iss_text, lines)):
        return False
    from .iss.items import Line, parts_of  # few files hold one

    full = (Line(n, text) for n, text in enumerate(lines, 1) if not notation.is_no_puzzle(text))
    runs = groupby(full, lambda line: is_iss_text(line.text) or goes_on_iss(line.text))
    return any(len(part.lines) > 1 for is_one, run in runs if is_one for part in parts_of([*run]))


def _by_header(
    lines: Sequence[str], board: Board | None, asked: Mapping[str, str]
) -> Sniffed | None:
    """The layout that the first line states, if it is to be believed."""
    numbered = enumerate(lines, 1)
    first = next(
        ((n, t) for n, t in numbered if t.startswith("#!") or not notation.is_no_puzzle(t)), None
    )
    layout = columns.header_layout(first[1], asked) if first else None
    if first is None or layout is None:
        return None
    behind = joined(lines[first[0] :], layout, board)
    following = significant(behind, layouts=(layout,), board=board)
    widths = [
        len(columns.fields_of(text, layout.separator) or ()) for text in following[:_CONFIRMING]
    ]
    fits = len(layout.names) in widths and len(layout.names) > 1
    return confirmed(layout, following, board) or (Sniffed(layout, board) if fits else None)


def confirmed(layout: columns.Layout, lines: Iterable[str], board: Board | None) -> Sniffed | None:
    """The layout with the board of the first puzzle in its place, None if there is none."""
    records = []
    for text in lines:
        fields = columns.fields_of(text, layout.separator) or []
        found = puzzle_in_place(fields, layout, board)
        if found is not None and found.marks is not None:
            return Sniffed(layout._replace(marks=True), board or Board())
        if found is not None and isinstance(found.grid, Grid):
            records.append(found)
            if not other_board(found.rules, None):
                break
    return Sniffed(layout, board or board_among(records)) if records else None


def significant(
    lines: Iterable[str],
    count: int = TRIED,
    *,
    layouts: Sequence[columns.Layout] = (),
    board: Board | None = None,
) -> list[str]:
    """The first so many lines that may hold a puzzle, in one of the layouts that they may have."""

    def holds_row(text: str) -> bool:
        return any(
            not holds_no_row(text, layout, board) for layout in layouts or (columns.Layout(),)
        )

    return list(islice(filter(holds_row, lines), count))


def _by_numbers(
    lines: Sequence[str], board: Board | None, asked: Mapping[str, str]
) -> Sniffed | None:
    """Columns that were asked for by number, in a file without a header."""
    numbers = [name for name in asked.values() if name]
    if not numbers or not all(map(str.isdigit, numbers)):
        return None
    tried = significant(lines)
    for separator in _SEPARATORS:
        width = max((len(columns.fields_of(text, separator) or ()) for text in tried), default=0)
        names = tuple(map(str, range(1, width + 1)))
        with suppress(columns.ColumnError):  # fewer fields than a column was asked for
            places = columns.find_columns(names, asked)
            layout = columns.laid_out(separator, names, places) if "puzzle" in places else None
            if layout and (found := confirmed(layout, tried, board)):
                return found
    return None


def _by_marks(lines: Sequence[str], board: Board | None, *, sure: bool) -> Sniffed | None:
    """Pencil marks if the first puzzle is such; where they are asked for, in any case."""
    board = board or Board()
    first = "".join(significant(lines, 1)).strip()
    found = sure or notation.read_marks(first, board) is not None
    return Sniffed(columns.Layout(marks=True), board) if found else None


def _by_first_puzzle(lines: Sequence[str], board: Board | None) -> Sniffed:
    """The layout of the first good puzzle's line."""
    record = _first_good(lines, board)
    first = record and record.grid
    if record is None or not isinstance(first, Grid):
        return Sniffed(columns.Layout(), board)
    text = lines[record.line - 1]
    found = (
        None if is_foreign(text) else notation.find_grid(text, board) or notation.find_grid(text)
    )
    return Sniffed(_around(text, found) if found else columns.Layout(), board or usual_board(first))


def _first_good(lines: Iterable[str], board: Board | None) -> Record | None:
    """The first good puzzle of some lines without a header; a row of a grid is none."""
    reader = LineReader(columns.Layout(), Reading(board=board, usual=board), sections=True)
    for number, text in enumerate(lines, 1):
        for record in reader.read(number, text):
            if isinstance(record.grid, Grid):
                return record
    return next((found for found in reader.flush() if isinstance(found.grid, Grid)), None)


def _around(text: str, found: notation.Found) -> columns.Layout:
    """The layout of a line in which a puzzle stands, perhaps a name before and an answer behind."""
    before, after = text[: found.start], text[found.stop :]
    if before.endswith('"') and after.startswith('"'):
        before, after = before[:-1], after[1:]
    separator = before[-1:] or after[:1]
    number = before.count(separator) if before else 0
    fields = text.split(separator) if separator else []
    board = found.grid.board
    full = (i for i, field in enumerate(fields) if i > number and _is_full(field, board))
    answer = next(full, None)
    if answer is None and not before:
        return columns.Layout()
    name = columns.BEFORE if before.strip() else None
    return columns.Layout(separator, number, answer, name, width=len(fields))


def _is_full(field: str, board: Board) -> bool:
    found = notation.find_grid(field, board)
    alone = found is not None and field[found.start : found.stop] == field.strip().strip('"')
    return alone and not set(BLANKS) & set(field)


def find_headers(
    lines: Iterable[tuple[int, str]],
    layout: columns.Layout,
    reading: Reading,
    asked: Mapping[str, str],
    following: Callable[[int], Iterable[str]],
) -> list[Header]:
    """The lines (with their numbers) that state another layout than the one so far.

    `following` gives what comes after a line. A line with a puzzle in its place is no header, nor
    is one after which the lines go on as before.
    """
    found: list[Header] = []
    for index, text in lines:
        new = columns.header_layout(text, asked)
        if new is None or (notation.is_no_puzzle(text) and not text.startswith("#!")):
            continue
        if isinstance(line_record(text, layout, reading, 1).grid, Grid):
            continue
        new = new._replace(marks=layout.marks)
        if new == layout or _is_believed(layout, new, following(index), reading.usual):
            layout = new
            found.append(Header(index, new))
    return found


def _is_believed(
    old: columns.Layout, new: columns.Layout, lines: Iterable[str], board: Board | None
) -> bool:
    """Whether the lines after a header do not rather go on as those before."""
    ahead = list(islice(lines, _AHEAD))
    following = significant(ahead, _CONFIRMING, layouts=(old, new), board=board)
    if not following or confirmed(new, following, board):
        return True
    if old.names:
        return not confirmed(old, following, board)
    return _first_good(ahead[: 3 * _CONFIRMING], board) is None


def layout_of(
    head: bytes, reading: Reading, format: str | None, asked: Mapping[str, str]
) -> tuple[columns.Layout | None, Reading]:
    """The layout of a text that begins so (None: see `Sniffed`), and the usual board filled in.

    Raises `FileError` for a text that is not meant as puzzles at all.
    """
    lines = list(block_lines([head]))
    found = sniff(lines, reading.known_board, format, asked)
    if format is None and found.layout in (None, columns.Layout()) and not found.is_json:
        check_likeness(lines, reading.path, reading.board)
    layout = columns.Layout() if format == "rows" else found.layout
    return layout, reading._replace(usual=reading.known_board or found.board or Board())


def line_reader(layout: columns.Layout | None, reading: Reading, format: str | None) -> LineReader:
    """What reads the lines of a text of that layout and format."""
    return LineReader(
        layout or columns.Layout(),
        reading,
        sections=layout is None or format == "rows",
        rows=format in (None, "rows"),
    )


def text_records(
    blocks: Iterable[bytes], reader: LineReader, asked: Mapping[str, str]
) -> Iterator[Record]:
    """The puzzles of a text that comes in blocks of bytes."""
    line = 1
    for data, after in pairwise(chain(whole_rows(blocks, reader), [b""])):
        texts = split_lines(data)

        def following(index: int, texts: list[str] = texts, after: bytes = after) -> Iterator[str]:
            behind = chain.from_iterable(map(split_lines, [after]))
            return chain(islice(texts, index + 1, None), behind)

        found = find_headers(enumerate(texts), reader.layout, reader.reading, asked, following)
        headers = dict(found)
        for index, text in enumerate(texts):
            if index in headers:
                yield from reader.lay_out(headers[index])
            else:
                yield from reader.read(line, text)
            line += 1 + text.count("\r")
    yield from reader.flush()


def board_of(values: Iterable[Any]) -> Board | None:
    """The usual board for the first value that is a puzzle, None if there is none."""
    return _first_board(whole_record(value, Reading()).grid for value in values)


def board_among(records: Iterable[Record]) -> Board | None:
    """The board of the first puzzle whose rules fix none but a usual one: others may have the same,
    but state no rules. If there is none, that of the first puzzle."""
    first = None
    for record in records:
        if isinstance(record.grid, Grid):
            first = first or usual_board(record.grid)
            if not other_board(record.rules, None):
                return usual_board(record.grid)
    return first


def _first_board(grids: Iterable[Grid | GridError]) -> Board | None:
    return next((usual_board(grid) for grid in grids if isinstance(grid, Grid)), None)
