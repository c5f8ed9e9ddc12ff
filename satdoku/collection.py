"""Files of puzzles as streams.

Law: puzzles come out in the order they went in, each with its line number, and a bad one comes out
as its `GridError`; it never costs the good ones around it.

Two readers share the notation of `grid`. `read_puzzles` takes whatever a person may have written,
one puzzle a line or one row a line. `read_chunks` is for collections: whole blocks of plain lines
become (N, cells) arrays at once, and only lines that are not plain are looked at one by one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from .board import Board, board_for
from .files import open_input, read_block
from .grid import BYTE_VALUES, Grid, GridError, parse_grid

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BLOCK_BYTES = 1 << 20
CHUNK_PUZZLES = 4096
MAX_LINE_BYTES = 1 << 20
_MAX_ROW = 25
_MAX_TEXT = 1 << 16  # characters of a line beyond which it is no puzzle with rulings
_SEPARATORS = " \t,;:|"
_BETWEEN_CELLS = " \t,|-+\u00a0"
_RULING_ONLY = re.compile(r"[\s|+=-]*\Z")


class Entry(NamedTuple):
    """One puzzle of a file: its first line (1-based), and the grid or what is wrong with it."""

    line: int
    grid: Grid | GridError


class Row(NamedTuple):
    """A line that may be one row of a grid: where it stands, and how many cells it has."""

    line: int
    text: str
    width: int


class Chunk(NamedTuple):
    """Some consecutive puzzles of a collection.

    lines: (N,) int64, 1-based; puzzles: (N, cells) uint8, 0 for empty; errors: by index into the
    chunk, what is wrong with the puzzles that are none (their rows are all 0).
    """

    lines: NDArray[np.int64]
    puzzles: NDArray[np.uint8]
    errors: dict[int, GridError]


# Any notation, entry by entry --------------------------------------------------------------------


def read_puzzles(path: str, board: Board | None = None) -> Iterator[Entry]:
    """All puzzles of a file or of standard input (`-`), in any notation of `grid`."""
    with open_input(path) as stream:
        lines = _block_lines(iter(lambda: read_block(stream, BLOCK_BYTES, path), b""))
        yield from parse_puzzles(lines, board, source=path)


def parse_puzzles(
    lines: Iterable[str], board: Board | None = None, *, source: str | None = None
) -> Iterator[Entry]:
    """The puzzles in some lines: one a line, or one row a line with blank lines or not between."""
    rows: list[Row] = []
    for number, text in enumerate(lines, 1):
        text = text.removeprefix("\ufeff") if number == 1 else text
        if _is_no_puzzle(text):
            if not _is_ruling(text):
                yield from _flush(rows, board, source)
            continue
        width = _row_width(text)
        if not _may_be_row(text, width, board):
            yield from _flush(rows, board, source)
            yield Entry(number, parse_line(text, board, source=source, line=number))
            continue
        if len(rows) == 1 and rows[0].width != width:  # a title, or a stray line
            yield from _flush(rows, board, source)
        rows.append(Row(number, text, width))
        if len(rows) == (board.size if board else rows[0].width):
            yield from _flush(rows, board, source)
    yield from _flush(rows, board, source)


def _is_no_puzzle(text: str) -> bool:
    return not text.strip() or text.lstrip().startswith("#") or _is_ruling(text)


def _is_ruling(text: str) -> bool:
    """Whether a line only draws: it neither holds a puzzle nor ends one."""
    return bool(text.strip()) and bool(_RULING_ONLY.match(text))


def _row_width(text: str) -> int:
    """How many cells a row of that text has: its words if some are numbers beyond 9."""
    width = len(text) - sum(map(text.count, _BETWEEN_CELLS))
    if width < len(text):
        words = [word for word in re.split(r"[\s|+,]+", text) if word.strip("-")]
        if len(words) >= 10 and any(len(word) == 2 for word in words):
            return len(words)
    return width


def _may_be_row(text: str, width: int, board: Board | None) -> bool:
    """Whether a line can be one row of a grid; 16 cells may be a row as well as a 4x4 grid."""
    if width > _MAX_ROW or (board is not None and width == board.cells):
        return False
    return width == 16 or not isinstance(parse_line(text, board), Grid)


def _flush(rows: list[Row], board: Board | None, source: str | None) -> Iterator[Entry]:
    """Empty `rows` into what they are: one grid, or a puzzle (or an error) each.

    Sixteen cells may be a row of 16x16 or a 4x4 grid; the majority of the lines tells.
    """
    taken, rows[:] = list(rows), []
    each = [Entry(row.line, _parse_row(row, board, source)) for row in taken]
    alone = sum(isinstance(entry.grid, Grid) for entry in each)
    if 2 * alone >= len(each):
        yield from each
        return
    grid = _parse_rows(taken, board, source)
    if isinstance(grid, Grid) or _meant_as_one(taken, board):
        yield Entry(taken[0].line, grid)
    else:
        yield from each


def _meant_as_one(rows: list[Row], board: Board | None) -> bool:
    """Whether rows that are no grid are one try at it: equally wide, or about as many as wide."""
    widths = [row.width for row in rows]
    usual = max(widths, key=widths.count)
    if len(rows) < 2 or usual < 4 or (board is not None and usual != board.size):
        return False
    return len(set(widths)) == 1 or abs(len(rows) - usual) <= 1


def _parse_row(row: Row, board: Board | None, source: str | None) -> Grid | GridError:
    return parse_line(row.text, board, source=source, line=row.line)


def _parse_rows(rows: list[Row], board: Board | None, source: str | None) -> Grid | GridError:
    """The rows as one grid; gaps where rulings stood keep the line numbers of errors right."""
    first = rows[0].line
    lines = [""] * (rows[-1].line - first + 1)
    for row in rows:
        lines[row.line - first] = row.text
    return _grid_or_error("\n".join(lines), board, source, first)


def parse_line(
    text: str, board: Board | None = None, *, source: str | None = None, line: int = 1
) -> Grid | GridError:
    """The puzzle of a line that may hold other fields too: the first field that is a whole grid."""
    for field in re.finditer(rf"[^{_SEPARATORS}]+", text):
        cells = len(field.group())
        if cells == board.cells if board else board_for(cells):
            grid = _grid_or_error(field.group(), board, source, line)
            if isinstance(grid, Grid):
                return grid
    if len(text) > _MAX_TEXT:
        expected = f"a puzzle within {_MAX_TEXT}"
        return GridError(f"a line of {len(text)} characters", expected, line=line, source=source)
    return _grid_or_error(text, board, source, line)


def _grid_or_error(
    text: str, board: Board | None, source: str | None, line: int
) -> Grid | GridError:
    try:
        return parse_grid(text, board, source=source, line=line)
    except GridError as error:
        return error


# Collections, chunk by chunk ---------------------------------------------------------------------


def read_chunks(
    path: str, board: Board | None = None, *, size: int = CHUNK_PUZZLES
) -> Iterator[Chunk]:
    """All puzzles of a collection in chunks of at most `size` (one board for all of them).

    The board is that of the first good puzzle unless given; puzzles of another size are errors.
    """
    with open_input(path) as stream:
        head = read_block(stream, BLOCK_BYTES, path)
        blocks = chain([head], iter(lambda: read_block(stream, BLOCK_BYTES, path), b""))
        one_a_line, found = _sniff(head, board)
        board = board or found or Board.of_size(9)
        if one_a_line:
            yield from _line_chunks(blocks, board, path, size)
        else:
            yield from _entry_chunks(blocks, board, path, size)


def _sniff(head: bytes, board: Board | None) -> tuple[bool, Board | None]:
    """Whether the first good puzzle stands on one line, and its board."""
    lines = list(_block_lines([head]))
    for number, grid in parse_puzzles(lines, board):
        if isinstance(grid, Grid):
            on_one_line = parse_line(lines[number - 1], grid.board)
            return isinstance(on_one_line, Grid), grid.board
    return True, None


def _entry_chunks(blocks: Iterable[bytes], board: Board, path: str, size: int) -> Iterator[Chunk]:
    """Chunks of puzzles in any notation, by way of `parse_puzzles`."""
    entries = parse_puzzles(_block_lines(blocks), board, source=path)
    while part := list(islice(entries, size)):
        yield _chunk_of(part, board)


def _block_lines(blocks: Iterable[bytes]) -> Iterator[str]:
    for data in _whole_lines(blocks):
        for line in data.split(b"\n")[:-1]:
            yield line.decode("utf-8", errors="replace").rstrip("\r")


def _chunk_of(entries: list[Entry], board: Board) -> Chunk:
    import numpy as np

    puzzles = np.zeros((len(entries), board.cells), dtype=np.uint8)
    errors = {}
    for index, entry in enumerate(entries):
        if isinstance(entry.grid, Grid):
            puzzles[index] = np.frombuffer(entry.grid.cells, dtype=np.uint8)
        else:
            errors[index] = entry.grid
    lines = np.array([entry.line for entry in entries], dtype=np.int64)
    return Chunk(lines, puzzles, errors)


def _line_chunks(blocks: Iterable[bytes], board: Board, path: str, size: int) -> Iterator[Chunk]:
    line = 1
    for data in _whole_lines(blocks):
        whole = _parse_block(data, board, path, line)
        line += data.count(b"\n")
        for start in range(0, len(whole.lines), size):
            stop = start + size
            errors = {i - start: e for i, e in whole.errors.items() if start <= i < stop}
            yield Chunk(whole.lines[start:stop], whole.puzzles[start:stop], errors)


def _whole_lines(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes cut behind line ends only; the last line gets an end if it has none."""
    rest = b""
    for block in blocks:
        cut = block.rfind(b"\n") + 1
        if not cut:
            rest = (rest + block)[:MAX_LINE_BYTES]
            continue
        yield rest + block[:cut]
        rest = block[cut:]
    if rest:
        yield rest + b"\n"


def _parse_block(data: bytes, board: Board, path: str, first_line: int) -> Chunk:
    """The puzzles of some whole lines, plain ones (cells, then nothing or a separator) at once."""
    import numpy as np

    buffer = np.frombuffer(data, dtype=np.uint8)
    ends = np.flatnonzero(buffer == ord("\n"))
    starts = np.concatenate(([0], ends[:-1] + 1))
    wide = np.flatnonzero(ends - starts >= board.cells)
    cells = _cells_at(buffer, starts[wide], ends[wide], board)
    stops = starts[wide] + board.cells
    good = (cells.max(axis=1, initial=0) <= board.size) & _separates(buffer[stops])
    # A carriage return ends a puzzle only where the line ends too.
    good &= (buffer[stops] != ord("\r")) | (stops + 1 == ends[wide])
    plain = wide[good]

    other = np.ones(len(ends), dtype=bool)
    other[plain] = False
    odd: dict[int, Grid | GridError] = {}
    for index in np.flatnonzero(other).tolist():
        text = data[starts[index] : ends[index]].decode("utf-8", errors="replace").rstrip("\r")
        if first_line + index == 1:
            text = text.removeprefix("\ufeff")
        if not _is_no_puzzle(text):
            odd[index] = parse_line(text, board, source=path, line=first_line + index)
    return _merge(plain, cells[good], odd, board, first_line)


def _cells_at(
    buffer: NDArray[np.uint8],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    board: Board,
) -> NDArray[np.uint8]:
    """The values of the first `board.cells` bytes behind each start, (N, cells)."""
    import numpy as np

    values = np.frombuffer(BYTE_VALUES, dtype=np.uint8)
    width = int(ends[0] - starts[0]) + 1 if len(starts) else 1
    if len(starts) and np.all(np.diff(starts) == width) and starts[-1] + width <= len(buffer):
        lines = buffer[starts[0] : starts[-1] + width].reshape(-1, width)  # of equal length
        cells: NDArray[np.uint8] = values[lines[:, : board.cells]]
        return cells
    cells = values[buffer[starts[:, None] + np.arange(board.cells)]]
    return cells


def _separates(after: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Whether a plain puzzle may end before each of these bytes."""
    import numpy as np

    table = np.zeros(256, dtype=np.bool_)
    table[[ord(character) for character in _SEPARATORS + "\r\n"]] = True
    return table[after]


def _merge(
    plain: NDArray[np.int64],
    cells: NDArray[np.uint8],
    odd: dict[int, Grid | GridError],
    board: Board,
    first_line: int,
) -> Chunk:
    """Plain and odd lines, by index of line, in their order in the file."""
    import numpy as np

    if not odd:
        return Chunk(plain + first_line, cells, {})
    lines = np.sort(np.concatenate((plain, np.array(list(odd), dtype=np.int64))))
    puzzles = np.zeros((len(lines), board.cells), dtype=np.uint8)
    puzzles[np.searchsorted(lines, plain)] = cells
    errors = {}
    for index, grid in odd.items():
        row = int(np.searchsorted(lines, index))
        if isinstance(grid, Grid):
            puzzles[row] = np.frombuffer(grid.cells, dtype=np.uint8)
        else:
            errors[row] = grid
    return Chunk(lines + first_line, puzzles, errors)
