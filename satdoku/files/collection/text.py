"""Collections as lines of text: plain lists, records with fields, CSV.

Invariant: the same puzzles in the same order as `text_records` reads, but whole blocks of regular
lines become (N, cells) arrays at once; only lines that are not regular go to a `LineReader`.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from ...model.board import Board
from ...model.constraints import may_tell_other
from ...model.grid import NINE, notation_of
from ..cells import with_layers
from ..columns import BEFORE, ROLES, Layout, fields_of_many
from ..foreign import is_foreign
from ..lines import LineReader
from ..notation import SEPARATORS, clean, clean_before, clean_clues, clean_rules
from ..record import Reading, Record, holds_no_row, line_record
from ..sniff import Header, find_headers
from ..spans import Field, Fields, Lines, Places, Spans, lines_of, loose_quotes
from .beside import Table, grid_texts, text_table
from .chunk import (
    Answers,
    Builder,
    Chunk,
    board_of,
    own,
    parts,
    record_chunks,
    stated_columns,
)
from .table import column_chunk, rules_with_clues

Flags = NDArray[np.bool_]

_SEPARATES = np.zeros(256, dtype=np.bool_)
_SEPARATES[[ord(character) for character in SEPARATORS + "\n"]] = True


def block_chunks(
    data: bytes,
    after: bytes,
    line: int,
    board: Board,
    reader: LineReader,
    size: int,
    asked: Mapping[str, str],
    *,
    keep: bool = False,
) -> Iterator[Chunk]:
    """The puzzles of a block of whole lines, of which the first has that number.

    after: the block behind it; `reader` takes the lines that are not regular; keep: see
    `read_chunks`.
    """
    reading = reader.reading
    block = Block(data, reader.layout, board, reading, line)
    headers = block.headers(asked, after)
    for section in block.sections(headers):
        after_header = section.first_line > line
        begun = reader.lay_out(section.layout) if after_header else ()
        yield from begun_chunks(begun, board, reading, size, keep=keep)
        for chunk in section.chunks(reader):
            yield from parts(chunk._replace(beside=section.table(chunk)) if keep else chunk, size)
    if headers and headers[-1].line + 1 == len(block.lines.stops):
        begun = reader.lay_out(headers[-1].layout)
        yield from begun_chunks(begun, board, reading, size, keep=keep)


def begun_chunks(
    records: Iterable[Record], board: Board, reading: Reading, size: int, *, keep: bool = False
) -> Iterator[Chunk]:
    """What lines had begun that stand no longer at hand, in chunks."""
    for chunk in record_chunks(records, board, reading.path, size):
        yield chunk.with_own_table() if keep else chunk


# First bytes of what `is_foreign` may accept, but for other spaces than ASCII's; behind a dot, the
# second is a tilde or a letter. A killer text is told by its length, or by the x behind its digit;
# a map of regions stands on lines that hold no grid alone.
_FOREIGN_STARTS = np.frombuffer(b"{hHfFNsSc", dtype=np.uint8)


class Block:
    """Some whole lines, taken apart as the layout says; `odd` are those to be read one by one."""

    def __init__(
        self, data: bytes, layout: Layout, board: Board, reading: Reading, line: int
    ) -> None:
        self.data, self.layout, self.board, self.reading = data, layout, board, reading
        self.path, self.first_line = reading.path, line
        self.alike = lines_alike(data, board) if layout == Layout() else None
        self.lines = lines_of(data) if self.alike is None else _no_lines(len(self.alike))
        self.numbers = np.arange(line, line + len(self.lines.stops), dtype=np.int64)
        breaks = np.flatnonzero(self.lines.buffer == ord("\r")) if b"\r" in data else ()
        self.spans = len(breaks) > 0
        if self.spans:  # rows of several lines
            self.numbers += np.searchsorted(breaks, self.lines.begins)
        self.odd: dict[int, str] = {}
        self._others: list[Record] = []  # in order
        if self.alike is None:
            self._read()

    def _read(self) -> None:
        """Find the regular lines and their cells."""
        lines, layout = self.lines, self.layout
        width = self.board.variables if layout.marks else self.board.grid_cells
        codes = notation_of(self.board.digits).codes
        values = np.frombuffer(self.data.translate(codes) + bytes(width), dtype=np.uint8)
        self.fields = Fields(lines, layout.separator)
        place = self.fields[layout.puzzle] if layout.separator else _leading(lines, width)
        self.puzzles, regular = _cells(values, place, width, self.board, layout.marks)
        regular &= _plain_lines(self.fields, layout)
        regular &= ~self._on_other_boards(regular)
        if not layout.names:  # the first field that is a grid counts: none may stand before
            regular &= place.begins - lines.begins <= width
            regular[self._links()] = False
        if layout.answer is not None:
            place = self.fields[layout.answer]
            self.answers, good = _cells(values, place, self.board.grid_cells, self.board, False)
            self.stated = place.stops > place.begins
            self.answers[~self.stated] = 0
            # Without a header the answer is the first full grid, which may stand elsewhere.
            full = good & self.answers.all(axis=1)
            regular &= good | ~self.stated if layout.names else full
        if self.spans:
            ends = np.append(self.numbers[1:], self.numbers[-1] + 2)
            regular &= ends == self.numbers + 1
        self.regular = regular
        for index in np.flatnonzero(~regular).tolist():
            self.odd[index] = self._text(lines.begins[index], lines.stops[index])

    def _on_other_boards(self, lines: Flags) -> Flags:
        """Which of the lines have rules that fix a board with other cells or digits."""
        other = np.zeros(len(lines), np.bool_)
        named = [n for n in (self.layout.rules, self.layout.clues) if n is not None]
        if self.reading.board or not named or not may_tell_other(self.data.decode("latin-1")):
            return other
        for index in np.flatnonzero(lines).tolist():
            record = line_record(
                self._text(self.lines.begins[index], self.lines.stops[index]),
                self.layout, self.reading, 1,
            )  # fmt: skip
            other[index] = board_of(record, self.board) not in (None, self.board)
        return other

    def _links(self) -> list[int]:
        """The lines that begin as a link or JSON does: they are read as such, whatever follows."""
        lines = self.lines
        first = lines.buffer[lines.begins]
        second = lines.buffer.take(lines.begins + 1, mode="clip")
        foreign = np.isin(first, _FOREIGN_STARTS) | (first >= 0x80)
        foreign |= (first == ord(".")) & (second >= ord("A"))
        foreign |= second == ord("x")
        if self.board != NINE:  # where it is, no line of marks holds a whole grid
            foreign |= lines.stops - lines.begins >= NINE.cells
        suspects = np.flatnonzero(foreign).tolist()
        return [k for k in suspects if is_foreign(self._text(lines.begins[k], lines.stops[k]))]

    def _text(self, begin: int, stop: int) -> str:
        return self.data[begin:stop].decode("utf-8", errors="replace")

    def headers(self, asked: Mapping[str, str], after: bytes) -> list[Header]:
        """The lines that are headers; `after` is what follows the block."""

        def following(index: int) -> Iterator[str]:
            rest = io.BytesIO(self.data)
            rest.seek(self._start_of(index + 1))
            lines = chain(rest, io.BytesIO(after))
            return (line.decode("utf-8", errors="replace").removesuffix("\n") for line in lines)

        return find_headers(self.odd.items(), self.layout, self.reading, asked, following)

    def sections(self, headers: Sequence[Header]) -> Iterator[Block]:
        """The block cut at the headers, each part with the layout that its header states."""
        if all(header.layout == self.layout for header in headers):
            for header in headers:
                del self.odd[header.line]
            yield self
            return
        begin, layout = 0, self.layout
        for index, new in (*headers, Header(len(self.lines.stops), self.layout)):
            data = self.data[self._start_of(begin) : self._start_of(index)]
            if data:
                line = int(self.numbers[begin])
                yield Block(data, layout, self.board, self.reading, line)
            begin, layout = index + 1, new

    def _start_of(self, index: int) -> int:
        return int(self.lines.stops[index - 1]) + 1 if index else 0

    def chunks(self, reader: LineReader) -> Iterator[Chunk]:
        """The puzzles of all lines, in order, and what the reader had begun before them; cut where
        rules of a line fix a board with other cells or digits."""
        chunk, start = self._chunk(reader), 0
        for _, run in groupby(self._others, lambda found: np.searchsorted(chunk.lines, found.line)):
            others = list(run)
            at = int(np.searchsorted(chunk.lines, others[0].line))
            if at > start:
                yield chunk.part(start, at)
            yield from record_chunks(others, self.board, self.path, len(others))
            start = at
        if start < chunk.rows or not self._others:
            yield chunk.part(start, chunk.rows) if start else chunk

    def _chunk(self, reader: LineReader) -> Chunk:
        """The lines on the board of the file; the `_others` are left out."""
        if self.alike is not None:
            own_board = own(self.board)
            whole = Chunk(self.numbers, self.alike, {}, source=self.path, own_board=own_board)
            return self._merged(whole, reader.flush())
        regular = self._regular_chunk()
        if self.layout.names:
            return self._with_fields(regular)
        return self._merged(regular, self._odd_records(reader))

    def _regular_chunk(self) -> Chunk:
        """The regular lines alone."""
        layout, kept = self.layout, _all_or_mask(self.regular)
        puzzles = self.puzzles[kept]
        return Chunk(
            self.numbers[kept],
            puzzles > 0 if layout.marks else with_layers(puzzles, self.board),
            {},
            self._texts(layout.id),
            Answers(with_layers(self.answers[kept], self.board), self.stated[kept], {})
            if layout.answer is not None
            else None,
            rules_with_clues(self._texts(layout.rules), self._texts(layout.clues), self.reading),
            self.path,
            own_board=own(self.board),
        )

    def _texts(self, number: int | None) -> list[str] | None:
        """A field of the regular lines as strings."""
        if number is None:
            return None
        if number == BEFORE:
            place = Field(self.lines.begins, self.fields[self.layout.puzzle].begins - 1)
        else:
            place = self.fields[number]
        special: dict[int | None, Callable[[str], str]] = {
            BEFORE: clean_before,
            self.layout.rules: clean_rules,
            self.layout.clues: clean_clues,
        }
        cleaned = special.get(number, clean)
        begins, stops = place.begins[self.regular].tolist(), place.stops[self.regular].tolist()
        return [cleaned(self._text(*bounds)) for bounds in zip(begins, stops, strict=True)]

    def _odd_records(self, reader: LineReader) -> Iterator[Record]:
        """What the lines that are not regular hold; a regular one ends what they have begun."""
        next_index = 0
        for index, text in self.odd.items():
            if index != next_index:
                yield from reader.flush()
            yield from reader.read(int(self.numbers[index]), text)
            next_index = index + 1
        if next_index != len(self.lines.stops):
            yield from reader.flush()

    def _merged(self, regular: Chunk, records: Iterable[Record]) -> Chunk:
        """Regular and other lines, in their order in the file."""
        found = self._without_others(records)
        if not found:
            return regular
        odd = np.array([record.line for record in found], dtype=np.int64)
        build = self._builder(regular, odd, stated_columns(found))
        for record in found:
            build.put(int(np.searchsorted(build.lines, record.line)), record)
        return build.chunk()

    def _without_others(self, records: Iterable[Record]) -> list[Record]:
        """The records on the board of the file; the rest join the `_others`."""
        found: list[Record] = []
        for record in records:
            is_other = board_of(record, self.board) not in (None, self.board)
            (self._others if is_other else found).append(record)
        return found

    def _with_fields(self, regular: Chunk) -> Chunk:
        """The same where fields have names: those that are as they should be are read at once."""
        texts = {
            int(self.numbers[index]): text
            for index, text in self.odd.items()
            if not holds_no_row(text, self.layout, self.board)
        }
        texts = self._without_other_lines(texts)
        if not texts:
            return regular
        odd = np.array(list(texts), dtype=np.int64)
        build = self._builder(regular, odd, ())
        left = np.ones(len(odd), dtype=np.bool_)
        if not self.layout.marks:
            read = self._fields_chunk(list(texts.values()), odd)
            if read.puzzles.dtype == np.uint8:  # not pencil marks throughout
                build.fill(np.searchsorted(build.lines, odd), read)
                left[:] = False
                left[[*read.errors, *(read.answers.errors if read.answers else ())]] = True
        for line in odd[left].tolist():
            record = line_record(texts[line], self.layout, self.reading, line)
            build.put(int(np.searchsorted(build.lines, line)), record)
        return build.chunk()

    def _without_other_lines(self, texts: dict[int, str]) -> dict[int, str]:
        """The lines, by number, on the board of the file."""
        if self.reading.board or not any(map(may_tell_other, texts.values())):
            return texts
        records = (
            line_record(text, self.layout, self.reading, line) for line, text in texts.items()
        )
        return {record.line: texts[record.line] for record in self._without_others(records)}

    def _builder(self, regular: Chunk, odd: Places, more: Iterable[str]) -> Builder:
        """A chunk in the making, with the regular lines in it and room for the odd ones."""
        lines = np.sort(np.concatenate((regular.lines, odd)))
        columns = [*more, *(role for role in ("id", "answer", "rules") if self._has(role))]
        build = Builder(lines, self.board, self.path, columns=columns, marks=self.layout.marks)
        build.fill(np.searchsorted(lines, regular.lines), regular)
        return build

    def _fields_chunk(self, texts: Sequence[str], lines: Places) -> Chunk:
        """The odd lines that have the fields they should (quoted ones, say), read all at once."""
        rows = fields_of_many(texts, self.layout.separator)
        columns = {}
        for role in ROLES:
            if self._has(role):
                at = getattr(self.layout, role)
                columns[role] = [row[at].strip() if row and at < len(row) else "" for row in rows]
        return column_chunk(columns, self.board, lines, self.reading)

    def _has(self, role: str) -> bool:
        return getattr(self.layout, role) is not None

    def table(self, chunk: Chunk) -> Table:
        """The fields of the lines of a chunk of this block, as they stand there."""
        lines = self.lines if self.alike is None else lines_of(self.data)
        return lines_table(
            self.data, Fields(lines, self.layout.separator), self.numbers, self.layout, chunk
        )


def _plain_lines(fields: Fields, layout: Layout) -> Flags:
    """The lines that are no comments if a puzzle stands in its place, and whose separators all
    stand between fields.
    """
    lines, buffer = fields.lines, fields.lines.buffer
    first = buffer[lines.begins]
    plain: Flags = first > ord(" ")
    plain &= (first != ord("#")) | (fields.there == len(layout.names) - 1)
    if not layout.names:
        return plain
    if layout.separator == " ":  # that is, any white space, any number of times
        blank = (buffer == ord(" ")) | (buffer == ord("\t"))
        wrong = np.flatnonzero((blank[:-1] & blank[1:]) | (buffer[:-1] == ord("\t")))
    else:
        wrong = loose_quotes(buffer, layout.separator)
    plain[np.searchsorted(lines.stops, wrong)] = False
    return plain


def _all_or_mask(mask: Flags) -> slice | Flags:
    """The mask, or where it is all true a slice, which copies nothing."""
    return slice(None) if mask.all() else mask


def _no_lines(count: int) -> Lines:
    """For a block that needs no look at its lines: their number only."""
    nothing = np.broadcast_to(np.int64(0), count)
    return Lines(np.zeros(0, np.uint8), nothing, nothing)


def _leading(lines: Lines, width: int) -> Field:
    """The first `width` characters of each line that nothing or a separator follows."""
    stops = np.minimum(lines.begins + width, lines.stops)
    good = _SEPARATES[lines.buffer[stops]]
    return Field(lines.begins, np.where(good, stops, lines.begins))


def _cells(
    values: NDArray[np.uint8], place: Field, width: int, board: Board, marks: bool
) -> tuple[NDArray[np.uint8], Flags]:
    """The cells (lines, width) that begin at each place, and in which lines they are such."""
    cells: NDArray[np.uint8] = sliding_window_view(values, width)[place.begins]
    good = place.stops - place.begins == width
    if marks:
        digits = np.tile(np.arange(1, board.choices + 1, dtype=np.uint8), board.cells)
        good &= ((cells == 0) | (cells == digits)).all(axis=1)
    else:
        good &= cells.max(axis=1, initial=0) <= len(board.digits)
    if not notation_of(board.digits).line:  # cells are words
        good &= False
    return cells, good


def lines_alike(data: bytes, board: Board) -> NDArray[np.uint8] | None:
    """The cells (N, cells) if every line is just a puzzle in the plainest notation, `.` and digits.

    The usual collection: a few passes over the block, no row looked at by itself.
    """
    rows, rest = divmod(len(data), board.cells + 1)
    if rest or not board.has_plain_digits or board.choices > 9:
        return None
    table = np.frombuffer(data, dtype=np.uint8).reshape(rows, board.cells + 1)
    if (table[:, -1] != ord("\n")).any():
        return None
    cells = table[:, :-1] - np.uint8(ord("0"))
    cells *= cells != (ord(".") - ord("0")) % 256
    return cells if cells.max(initial=0) <= board.choices else None


# All columns as they stand in the file -----------------------------------------------------------


def lines_table(
    data: bytes, fields: Fields, numbers: Places, layout: Layout, chunk: Chunk
) -> Table:
    """The fields of the lines of a chunk; of some lines of the file, with those numbers, in `data`.

    A grid that is written a row a line becomes one line.
    """
    lines = fields.lines
    rows = np.minimum(np.searchsorted(numbers, chunk.lines), len(numbers) - 1)
    here = numbers[rows] == chunk.lines  # others began before these lines
    odd = np.flatnonzero(~(here & _even_lines(fields, layout, chunk.board.grid_cells)[rows]))
    texts = [
        _text(data, lines, row) if is_here else ""
        for row, is_here in zip(rows[odd].tolist(), here[odd].tolist(), strict=True)
    ]
    if not layout.names:
        _write_grids(texts, odd, layout, chunk)
    table = text_table(texts, layout)
    columns = []
    for number, values in enumerate(table.columns):
        place = fields[number] if layout.separator else Field(lines.begins, lines.stops)
        column = Spans(data, place.begins[rows], place.stops[rows])
        columns.append(column.replaced(odd, values))
    return table._replace(columns=columns)


def _text(data: bytes, lines: Lines, row: int) -> str:
    return data[lines.begins[row] : lines.stops[row]].decode("utf-8", errors="replace")


def _even_lines(fields: Fields, layout: Layout, cells: int) -> NDArray[np.bool_]:
    """The lines that have the fields they should, with no quotes but those around a whole one."""
    lines, separator = fields.lines, layout.separator
    if separator == " " or layout.id == BEFORE:
        return np.zeros(len(lines.stops), np.bool_)
    even: NDArray[np.bool_] = np.ones(len(lines.stops), np.bool_)
    if not layout.names:  # a shorter line may begin a grid
        even &= lines.stops - lines.begins >= cells
    if separator:
        count = len(layout.names) or max(layout.width, layout.puzzle + 1)
        even &= fields.there == count - 1
        breaks = np.flatnonzero(lines.buffer == ord("\r"))
        for wrong in (loose_quotes(lines.buffer, separator), breaks):
            even[np.searchsorted(lines.stops, wrong)] = False
    return even


def _write_grids(texts: list[str], rows: Places, layout: Layout, chunk: Chunk) -> None:
    """Put the grids into the texts that are too short for them: they begin there only."""
    for index, row in enumerate(rows.tolist()):
        text = texts[index]
        if len(text) < chunk.board.grid_cells and row not in chunk.errors and not is_foreign(text):
            (grid,) = grid_texts(chunk.puzzles[row : row + 1], np.ones(1, np.bool_), chunk.board)
            texts[index] = layout.separator * layout.puzzle + grid
