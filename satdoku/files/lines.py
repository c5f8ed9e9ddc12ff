"""The lines of a text, from blocks of its bytes to records: a puzzle a line, or a row of one.

Invariant: `\\n`, `\\r\\n` and a lone `\\r` each end a line, mixed or not; bytes that are no UTF-8
become replacement characters of their own line. Behind `whole_rows` each line is one row, with line
breaks within quoted fields (RFC 4180, 2.6) as `\\r`, which no line of `whole_lines` holds. A quote
that is never closed spoils its own line and no other: its field ends at the latest before a line
that is a row by itself.

Puzzles keep their order, and a bad one never affects the good ones around it.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from math import isqrt
from typing import TYPE_CHECKING, NamedTuple

from ..model.board import Board
from ..model.grid import Grid, GridError
from . import notation
from .columns import Layout, fields_of
from .foreign import goes_on_iss, is_foreign, is_iss_text
from .record import Reading, Record, holds_no_row, json_record, line_record, puzzle_in_place
from .streams import MAX_LINE_BYTES

if TYPE_CHECKING:
    from .iss.items import Line


def block_lines(blocks: Iterable[bytes]) -> Iterator[str]:
    """All lines of a text, without their ends."""
    for data in whole_lines(blocks):
        yield from split_lines(data)


def split_lines(data: bytes) -> list[str]:
    """The lines of a block of `whole_lines`."""
    return data.decode("utf-8", errors="replace").split("\n")[:-1]


def whole_lines(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes cut after line ends only, each line end as `\\n`.

    The last line gets an end if it has none. Of an endless line only the beginning is kept.
    """
    rest = b""
    for block in blocks:
        returns = b"\r" in rest or b"\r" in block
        cut = _behind_last_end(rest + block) - len(rest) if returns else block.rfind(b"\n") + 1
        if cut <= 0:
            rest = (rest + block)[:MAX_LINE_BYTES]
            continue
        data = b"".join((rest, memoryview(block)[:cut]))  # one copy, not two
        yield _one_line_end(data) if returns else data
        rest = block[cut:]
    if rest:
        data = _one_line_end(rest)
        yield data if data.endswith(b"\n") else data + b"\n"


def _behind_last_end(data: bytes) -> int:
    """Where the last line end stops that is one for sure: after a `\\r` a `\\n` may follow."""
    sure = data.rstrip(b"\r")
    return max(sure.rfind(b"\n"), sure.rfind(b"\r")) + 1


def _one_line_end(data: bytes) -> bytes:
    """The bytes with `\\n` for each line end. `\\r\\r\\n`, a mishap of conversion, is one."""
    data = data.replace(b"\r\n", b"\n")
    return re.sub(rb"\r+\n|\r", b"\n", data) if b"\r" in data else data


_SEPARATORS = (",", ";", "\t", "|")


def whole_rows(blocks: Iterable[bytes], reader: LineReader) -> Iterator[bytes]:
    """The blocks of `whole_lines`, with each row of the reader's layout on one line."""
    rest = b""
    for lines in whole_lines(blocks):
        board, too_long = reader.reading.usual, len(rest) > MAX_LINE_BYTES
        data, rest = _one_row_a_line(rest + lines, reader.layout, board, is_all=too_long)
        if data:
            yield data
    if rest:
        yield _one_row_a_line(rest, reader.layout, reader.reading.usual, is_all=True)[0]


def joined(lines: Sequence[str], layout: Layout, board: Board | None) -> Sequence[str]:
    """The lines, each row on one of them; behind the last there are no more."""
    if layout.separator not in _SEPARATORS:
        return lines
    rows, rest = _rows(lines, layout, board)
    while rest:  # the first of these has the quote that is never closed
        more, later = _rows(rest[1:], layout, board)
        rows, rest = [*rows, rest[0], *more], later
    return rows


def _one_row_a_line(
    data: bytes, layout: Layout, board: Board | None, *, is_all: bool
) -> tuple[bytes, bytes]:
    """The rows of whole lines; and the lines of one that only what follows may end."""
    if b'"' not in data or layout.separator not in _SEPARATORS:
        return data, b""
    lines = data.decode("latin-1").split("\n")[:-1]
    rows, rest = _rows(lines, layout, board)
    if is_all:
        rows, rest = joined(lines, layout, board), ()
    return _bytes(rows) if rows is not lines else data, _bytes(rest)


def _bytes(lines: Sequence[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode("latin-1")


def _rows(
    lines: Sequence[str], layout: Layout, board: Board | None
) -> tuple[Sequence[str], Sequence[str]]:
    """The rows of some lines, and the lines of the last one if they end amid it."""
    odd = [at for at, text in enumerate(lines) if text.count('"') % 2]
    rows: list[str] = []
    stop = 0
    for at in odd:
        if at < stop:
            continue
        end = _end_of_row(lines, at, layout, board)
        if end is None:
            return [*rows, *lines[stop:at]], lines[at:]
        rows += [*lines[stop:at], "\r".join(lines[at:end])]
        stop = end
    return [*rows, *lines[stop:]] if odd else lines, []


def _end_of_row(
    lines: Sequence[str], begin: int, layout: Layout, board: Board | None
) -> int | None:
    """The line behind the row that begins on a line; None if the lines end within a quoted field.

    It is the next line where quotes are not as the RFC says, or what they hold is no row.
    """
    end = begin

    def ahead() -> Iterator[str]:
        nonlocal end
        while end < len(lines):
            if end > begin and _is_row(lines[end], layout, board):
                return
            end += 1
            yield f"{lines[end - 1]}\n"

    try:
        fields = next(csv.reader(ahead(), delimiter=layout.separator, strict=True))
    except csv.Error as error:
        is_open = end == len(lines) and "end of data" in str(error)
        return None if is_open else begin + 1
    holds = len(fields) == _width(layout) or _holds_puzzle(fields, layout, board)
    return end if holds else begin + 1


def _is_row(text: str, layout: Layout, board: Board | None) -> bool:
    """Whether a line has all fields, a puzzle among them, and no quote that could close another."""
    fields = (text.count('"') % 2 == 0 and fields_of(text, layout.separator)) or ()
    return len(fields) == _width(layout) and _holds_puzzle(fields, layout, board)


def _holds_puzzle(fields: Sequence[str], layout: Layout, board: Board | None) -> bool:
    return puzzle_in_place(fields, layout, board) is not None


def _width(layout: Layout) -> int:
    return len(layout.names) or layout.width


# Lines as records ---------------------------------------------------------------------------------


_MAX_ROW = 25


class _Row(NamedTuple):
    """A line that may be one row of a grid: its text and cells, and what it is by itself."""

    text: str
    width: int
    alone: Record


class LineReader:
    """Reads lines in one layout; it holds back only what has begun and may go on: a grid, a JSON
    object, or a text of Interactive Sudoku Solver.

    sections: whether headings such as [State] end the puzzles, and foreign texts may span lines;
    rows: whether a grid may be written a row a line.
    """

    def __init__(
        self, layout: Layout, reading: Reading, *, sections: bool = False, rows: bool = True
    ) -> None:
        self.layout, self.reading = layout, reading
        self._sections, self._may_have_rows = sections, rows
        self._rows: list[_Row] = []
        self._json: list[str] = []
        self._json_line = self._depth = self._length = 0
        self._texts: list[Line] = []  # of Interactive Sudoku Solver
        self._texts_apart = self._after_blank = False
        self._skipping = False

    @property
    def has_begun(self) -> bool:
        """Whether it holds anything back."""
        return bool(self._rows or self._json or self._texts)

    def read(self, line: int, text: str) -> Iterator[Record]:
        """The records that the next line, of that number, completes."""
        if self._json and _begins_anew(text, self.reading.usual):
            yield self._whole_json()
        if self._json or (self._sections and text.lstrip().startswith("{")):
            yield from self._read_json(line, text)
        elif self.layout.names:
            if not holds_no_row(text, self.layout, self.reading.usual):
                yield line_record(text, self.layout, self.reading, line)
        elif notation.is_no_puzzle(text):
            yield from self._between(text)
        elif not self._skipping and self._may_be_text(text):
            yield from self._read_text(line, text)
        elif not self._skipping:
            yield from self._read_bare(line, text)

    def lay_out(self, layout: Layout) -> Iterator[Record]:
        """From here on lines are laid out so; gives what has begun before."""
        yield from self.flush()
        self.layout = layout

    def flush(self) -> Iterator[Record]:
        """What has begun and is ended by the end of the text, or by a line that is read elsewhere.

        Sixteen cells may be a row of 16x16 or a 4x4 grid; the majority of the lines tells, unless
        only together they keep to the rules of a grid.
        """
        if self._json:
            yield self._whole_json()
        yield from self._settled(0)
        self._texts_apart = self._after_blank = False
        rows, self._rows = self._rows, []
        if rows:
            yield from self._grids(rows)

    def _grids(self, rows: list[_Row]) -> Iterator[Record]:
        """Rows as one grid, or a grid each."""
        together, first, size = self._together(rows), rows[0].alone.line, len(rows)
        good = sum(isinstance(row.alone.grid, Grid) for row in rows)
        is_good = isinstance(together.grid, Grid) or _meant_as_one(rows, self.reading.usual)
        as_one = 2 * good < size and is_good
        if not as_one and self._may_be_one(rows):
            usual, grids = self.reading.usual, [notation.read_grid(row.text) for row in rows]
            as_one = usual is not None and usual.extent == (size, size)
            if not (as_one or any(isinstance(grid, GridError) for grid in grids)):
                found = f"{size} lines that may be one puzzle of {size}x{size} or {size} puzzles"
                sizes = f"--size {size} or {isqrt(size)} to tell"
                yield Record(first, self.reading.error(found, sizes, first))
                return
            as_one = True
        if as_one:
            yield together
        else:
            yield from (row.alone for row in rows)

    def _may_be_one(self, rows: list[_Row]) -> bool:
        """Whether rows that may be grids by themselves are one that keeps to the rules."""
        size = rows[0].width
        if self.reading.board is not None or len(rows) != size:
            return False
        grid = notation.read_grid("\n".join(row.text for row in rows))
        if not isinstance(grid, Grid) or notation.has_clash(grid):
            return False
        return grid.board.extent == (size, size)

    def _between(self, text: str) -> Iterator[Record]:
        """A line that holds no puzzle: only a ruling may stand within a grid, and what is empty or
        a comment within a text of Interactive Sudoku Solver."""
        if self._texts and not (notation.is_ruling(text) or notation.is_heading(text)):
            self._after_blank |= not text.strip()
        elif self._texts or not notation.is_ruling(text):
            yield from self.flush()
        if self._sections and notation.is_heading(text):
            self._skipping = not notation.begins_puzzles(text)

    def _read_bare(self, line: int, text: str) -> Iterator[Record]:
        alone = line_record(text, self.layout, self.reading, line)
        width = notation.row_width(text)
        if not self._may_be_row(text, width, alone):
            yield from self.flush()
            yield alone
            return
        square = self.reading.board is None or self.reading.board.is_usual
        if (
            len(self._rows) == 1 and self._rows[0].width != width and square
        ):  # a title, a stray line
            yield from self.flush()
        self._rows.append(_Row(text, width, alone))
        if self._are_all():
            yield from self.flush()

    def _are_all(self) -> bool:
        """Whether the rows that were read are as many as a grid has."""
        board = self.reading.board
        if board is None or board.is_usual:
            return len(self._rows) == self._rows[0].width
        return sum(row.width for row in self._rows) >= board.grid_cells

    def _may_be_row(self, text: str, width: int, alone: Record) -> bool:
        """Whether a line can be one row of a grid; 16 cells may be a row as well as a 4x4 grid."""
        if not self._may_have_rows or width > _MAX_ROW or is_foreign(text):
            return False
        usual = self.reading.usual
        if usual is not None and width == usual.grid_cells:
            return False
        return width == 16 or not isinstance(alone.grid, Grid)

    def _together(self, rows: list[_Row]) -> Record:
        """The rows as one grid; gaps where rulings stood keep the line numbers of errors right."""
        first = rows[0].alone.line
        lines = [""] * (rows[-1].alone.line - first + 1)
        for row in rows:
            lines[row.alone.line - first] = row.text
        text = "\n".join(lines)

        def read(board: Board | None) -> Record:
            return Record(first, self.reading.placed(notation.read_grid(text, board), first))

        return self.reading.on_boards(read)

    def _may_be_text(self, text: str) -> bool:
        """Whether a line is one of a text of Interactive Sudoku Solver, whose lines may be cut
        anywhere before an argument."""
        may_go_on = self._texts or (text.strip() == "." and not self._rows)
        begins = is_iss_text(text) or (may_go_on and goes_on_iss(text))
        return bool(begins) and self._may_have_rows

    def _read_text(self, line: int, text: str) -> Iterator[Record]:
        from .iss.items import Line  # few files hold one

        if not self._texts:
            yield from self.flush()
        self._texts.append(Line(line, text, self._after_blank))
        self._after_blank = False
        self._length += len(text) + 1
        if self._length > MAX_LINE_BYTES:
            yield from self._settled(2)

    def _settled(self, keep: int) -> Iterator[Record]:
        """The puzzles of the texts that are held back, all but so many: the next lines may belong
        to the last ones."""
        lines, self._texts, self._length = self._texts, [], 0
        if not lines:
            return
        from .iss.items import HOW_TO_TELL, Part, parts_of

        parts = parts_of(lines, apart=self._texts_apart)
        if keep and len(parts) > keep:
            self._texts_apart = True
            self._texts = [line for part in parts[-keep:] for line in part.lines]
            self._length = sum(len(line.text) + 1 for line in self._texts)
            del parts[-keep:]
        elif keep:
            parts = [Part(lines, f"{len(lines)} lines, more than {MAX_LINE_BYTES} characters")]
        for part in parts:
            first, problem = part.lines[0].number, part.problem
            if len(part.lines) > 1 and not (problem or self._sections):
                problem = "a text of several lines, unlike those at the beginning of the file"
            if problem:
                yield Record(first, self.reading.error(problem, HOW_TO_TELL, first))
            else:
                yield line_record(part.text, self.layout, self.reading, first)

    def _read_json(self, line: int, text: str) -> Iterator[Record]:
        """A line of a JSON object, which ends where its brackets are closed."""
        if not self._json:
            yield from self.flush()
            self._json_line = line
        self._json.append(text)
        self._depth += notation.open_brackets(text)
        self._length += len(text) + 1
        if self._depth <= 0 or self._length > MAX_LINE_BYTES:
            yield self._whole_json()

    def _whole_json(self) -> Record:
        text = "\n".join(self._json)
        self._json = []
        self._depth = self._length = 0
        return json_record(text, self.reading, self._json_line)


def _begins_anew(text: str, board: Board | None) -> bool:
    """Whether a line cannot go on with the JSON object before it, which was never closed."""
    if text.startswith("{"):
        return len(text) > 2 and text.rstrip().endswith("}") and notation.open_brackets(text) == 0
    if text.lstrip().startswith("{"):
        return False  # an object inside the object
    found = notation.find_grid(text, board)
    return is_foreign(text) or (found is not None and found.start == 0)


def _meant_as_one(rows: list[_Row], board: Board | None) -> bool:
    """Whether rows that are no grid are one try at it: equally wide, or about as many as wide."""
    widths = [row.width for row in rows]
    usual = max(widths, key=widths.count)
    if board is not None and not board.is_usual:
        height, width = board.extent
        return len(rows) > 1 and max(widths) <= width and abs(len(rows) - height) <= 1
    if len(rows) < 2 or usual < 4 or (board is not None and usual != board.width):
        return False
    return len(set(widths)) == 1 or abs(len(rows) - usual) <= 1
