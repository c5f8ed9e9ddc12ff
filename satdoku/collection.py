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
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

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
_SEPARATORS = " \t,;:|"
_RULING_ONLY = re.compile(r"[\s|+=-]*\Z")


class Entry(NamedTuple):
    """One puzzle of a file: its first line (1-based), and the grid or what is wrong with it."""

    line: int
    grid: Grid | GridError


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
        yield from parse_puzzles(_text_lines(stream, path), board, source=path)


def _text_lines(stream: BinaryIO, path: str) -> Iterator[str]:
    """Lines without their ends; a line beyond a megabyte is cut, so memory stays bounded."""
    rest = b""
    while block := read_block(stream, BLOCK_BYTES, path):
        *whole, rest = (rest + block).split(b"\n")
        yield from (line.decode("utf-8", errors="replace").rstrip("\r") for line in whole)
        rest = rest[:MAX_LINE_BYTES]
    if rest:
        yield rest.decode("utf-8", errors="replace").rstrip("\r")


def parse_puzzles(
    lines: Iterable[str], board: Board | None = None, *, source: str | None = None
) -> Iterator[Entry]:
    """The puzzles in some lines: one a line, or one row a line with blank lines or not between."""
    rows: list[tuple[int, str]] = []
    for number, text in enumerate(lines, 1):
        text = text.removeprefix("\ufeff") if number == 1 else text
        if not text.strip() or text.lstrip().startswith("#"):
            yield from _flush(rows, board, source)
            continue
        if rows and _RULING_ONLY.match(text):
            continue
        width = _row_width(text)
        if width > _MAX_ROW or (board is not None and width == board.cells):
            yield from _flush(rows, board, source)
            yield Entry(number, parse_line(text, board, source=source, line=number))
            continue
        if rows and width != _row_width(rows[0][1]):
            named_or_partial = len(rows) == 1 and _whole_field(rows[0][1], board)
            if named_or_partial:
                yield from _flush(rows, board, source)
        rows.append((number, text))
        if len(rows) == (board.size if board else _row_width(rows[0][1])):
            yield from _flush(rows, board, source)
    yield from _flush(rows, board, source)


def _row_width(text: str) -> int:
    """How many cells a row of that text has: its words if some are numbers beyond 9."""
    words = [word for word in re.split(r"[\s|+,]+", text) if word.strip("-")]
    if len(words) >= 10 and any(len(word) == 2 for word in words):
        return len(words)
    return sum(1 for character in text if character not in " \t,|-+\u00a0")


def _whole_field(text: str, board: Board | None) -> bool:
    return isinstance(parse_line(text, board), Grid)


def _flush(rows: list[tuple[int, str]], board: Board | None, source: str | None) -> Iterator[Entry]:
    """What the collected rows are: one grid, or else (4x4 as 16 cells a line) one grid each."""
    if not rows:
        return
    first = rows[0][0]
    taken, rows[:] = list(rows), []
    grid: Grid | GridError
    try:
        if board is None and _row_width(taken[0][1]) == 16:
            raise_unless_large(taken)
        grid = _parse_rows(taken, board, source)
    except GridError as error:
        each = [parse_line(text, board, source=source, line=number) for number, text in taken]
        if all(isinstance(one, Grid) for one in each):
            yield from (Entry(number, one) for (number, _), one in zip(taken, each, strict=True))
            return
        grid = error
    yield Entry(first, grid)


def raise_unless_large(rows: list[tuple[int, str]]) -> None:
    """Sixteen cells a line are a row of 16x16 only if some digit says so; else each is a 4x4."""
    if len(rows) != 16 or not re.search(r"[5-9A-Ga-g]", " ".join(text for _, text in rows)):
        raise GridError(f"{len(rows)} lines of 16 cells", "4x4 grids or one 16x16 grid")


def _parse_rows(rows: list[tuple[int, str]], board: Board | None, source: str | None) -> Grid:
    """The rows as one grid; gaps where rulings stood keep the line numbers of errors right."""
    first = rows[0][0]
    lines = [""] * (rows[-1][0] - first + 1)
    for number, text in rows:
        lines[number - first] = text
    return parse_grid("\n".join(lines), board, source=source, line=first)


def parse_line(
    text: str, board: Board | None = None, *, source: str | None = None, line: int = 1
) -> Grid | GridError:
    """The puzzle of a line that may hold other fields too: the first field that is a whole grid."""
    for field in re.finditer(rf"[^{_SEPARATORS}]+", text):
        if board_for(len(field.group())) is None and board is None:
            continue
        if board is not None and len(field.group()) != board.cells:
            continue
        try:
            return parse_grid(field.group(), board, source=source, line=line)
        except GridError:
            continue
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
    lines = head.decode("utf-8", errors="replace").splitlines()[:1000]
    for number, text in enumerate(lines):
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        if _row_width(text) > _MAX_ROW or (board and _row_width(text) == board.cells):
            grid = parse_line(text, board)
            if isinstance(grid, Grid):
                return True, grid.board
            continue
        entry = next(parse_puzzles(lines[number:], board), None)
        if entry is not None and isinstance(entry.grid, Grid):
            return _row_width(text) == entry.grid.board.cells, entry.grid.board
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
    after = buffer[starts[wide] + board.cells]
    good = (cells.max(axis=1, initial=0) <= board.size) & _separates(after)
    plain = wide[good]

    other = np.ones(len(ends), dtype=bool)
    other[plain] = False
    odd: dict[int, Grid | GridError] = {}
    for index in np.flatnonzero(other).tolist():
        text = data[starts[index] : ends[index]].decode("utf-8", errors="replace").strip("\r")
        if first_line + index == 1:
            text = text.removeprefix("\ufeff")
        if text.strip() and not text.lstrip().startswith("#"):
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
