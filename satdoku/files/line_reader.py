"""The lines of a text, one after the other, as records: a puzzle a line, or a row of one.

Invariant: puzzles come out in the order they went in, and a bad one never costs the good ones
around it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..model.board import Board
from ..model.grid import Grid
from .columns import Layout
from .lines import MAX_LINE_BYTES
from .notation import (
    begins_puzzles,
    find_grid,
    is_foreign,
    is_heading,
    is_no_puzzle,
    is_ruling,
    open_brackets,
    read_grid,
    row_width,
)
from .record import Reading, Record, holds_no_row, json_record, line_record

_MAX_ROW = 25


class _Row(NamedTuple):
    """A line that may be one row of a grid: its text and cells, and what it is by itself."""

    text: str
    width: int
    alone: Record


class LineReader:
    """Reads lines in one layout; it holds back only a grid, or a JSON object, that has begun.

    sections: whether headings such as [State] end the puzzles, and JSON may span lines; rows:
    whether a grid may be written a row a line.
    """

    def __init__(
        self, layout: Layout, reading: Reading, *, sections: bool = False, rows: bool = True
    ) -> None:
        self.layout, self.reading = layout, reading
        self._sections, self._may_have_rows = sections, rows
        self._rows: list[_Row] = []
        self._json: list[str] = []
        self._json_line = self._depth = self._length = 0
        self._skipping = False

    @property
    def has_begun(self) -> bool:
        """Whether it holds anything back."""
        return bool(self._rows or self._json)

    def read(self, line: int, text: str) -> Iterator[Record]:
        """What the next line, of that number, completes."""
        if self._json and _begins_anew(text, self.reading.usual):
            yield self._whole_json()
        if self._json or (self._sections and text.lstrip().startswith("{")):
            yield from self._read_json(line, text)
        elif self.layout.names:
            if not holds_no_row(text, self.layout, self.reading.usual):
                yield line_record(text, self.layout, self.reading, line)
        elif is_no_puzzle(text):
            yield from self._between(text)
        elif not self._skipping:
            yield from self._read_bare(line, text)

    def lay_out(self, layout: Layout) -> Iterator[Record]:
        """From here on lines are laid out so; gives what has begun before."""
        yield from self.flush()
        self.layout = layout

    def flush(self) -> Iterator[Record]:
        """What has begun and is ended by the end of the text, or by a line that is read elsewhere.

        Sixteen cells may be a row of 16x16 or a 4x4 grid; the majority of the lines tells.
        """
        if self._json:
            yield self._whole_json()
        rows, self._rows = self._rows, []
        good = sum(isinstance(row.alone.grid, Grid) for row in rows)
        if 2 * good >= len(rows):
            yield from (row.alone for row in rows)
            return
        together = self._together(rows)
        if isinstance(together.grid, Grid) or _meant_as_one(rows, self.reading.usual):
            yield together
        else:
            yield from (row.alone for row in rows)

    def _between(self, text: str) -> Iterator[Record]:
        """A line that holds no puzzle: only a ruling may stand within a grid."""
        if not is_ruling(text):
            yield from self.flush()
        if self._sections and is_heading(text):
            self._skipping = not begins_puzzles(text)

    def _read_bare(self, line: int, text: str) -> Iterator[Record]:
        alone = line_record(text, self.layout, self.reading, line)
        width = row_width(text)
        if not self._may_be_row(text, width, alone):
            yield from self.flush()
            yield alone
            return
        if len(self._rows) == 1 and self._rows[0].width != width:  # a title, or a stray line
            yield from self.flush()
        self._rows.append(_Row(text, width, alone))
        if len(self._rows) == self._rows[0].width:
            yield from self.flush()

    def _may_be_row(self, text: str, width: int, alone: Record) -> bool:
        """Whether a line can be one row of a grid; 16 cells may be a row as well as a 4x4 grid."""
        if not self._may_have_rows or width > _MAX_ROW or is_foreign(text):
            return False
        usual = self.reading.usual
        if usual is not None and width == usual.cells:
            return False
        return width == 16 or not (isinstance(alone.grid, Grid) or alone.marks)

    def _together(self, rows: list[_Row]) -> Record:
        """The rows as one grid; gaps where rulings stood keep the line numbers of errors right."""
        first = rows[0].alone.line
        lines = [""] * (rows[-1].alone.line - first + 1)
        for row in rows:
            lines[row.alone.line - first] = row.text
        text = "\n".join(lines)

        def read(board: Board | None) -> Record:
            return Record(first, self.reading.placed(read_grid(text, board), first))

        return self.reading.on_boards(read)

    def _read_json(self, line: int, text: str) -> Iterator[Record]:
        """A line of a JSON object, which ends where its brackets are closed."""
        if not self._json:
            yield from self.flush()
            self._json_line = line
        self._json.append(text)
        self._depth += open_brackets(text)
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
        return len(text) > 2 and text.rstrip().endswith("}") and open_brackets(text) == 0
    if text.lstrip().startswith("{"):
        return False  # an object inside the object
    found = find_grid(text, board)
    return is_foreign(text) or (found is not None and found.start == 0)


def _meant_as_one(rows: list[_Row], board: Board | None) -> bool:
    """Whether rows that are no grid are one try at it: equally wide, or about as many as wide."""
    widths = [row.width for row in rows]
    usual = max(widths, key=widths.count)
    if len(rows) < 2 or usual < 4 or (board is not None and usual != board.size):
        return False
    return len(set(widths)) == 1 or abs(len(rows) - usual) <= 1
