"""Collections: files of puzzles as streams of arrays.

Law: the same puzzles in the same order as `entries` reads, but whole blocks of plain lines become
(N, cells) arrays at once; only lines that are not plain are looked at one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .board import Board
from .entries import (
    BLOCK_BYTES,
    SEPARATORS,
    Entry,
    block_lines,
    is_no_puzzle,
    parse_line,
    parse_puzzles,
    whole_lines,
)
from .files import open_input, read_block
from .grid import BYTE_VALUES, Grid, GridError

CHUNK_PUZZLES = 4096


class Chunk(NamedTuple):
    """Some consecutive puzzles of a collection.

    lines: (N,) int64, 1-based; puzzles: (N, cells) uint8, 0 for empty; errors: by index into the
    chunk, what is wrong with the puzzles that are none (their rows are all 0).
    """

    lines: NDArray[np.int64]
    puzzles: NDArray[np.uint8]
    errors: dict[int, GridError]


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
    lines = list(block_lines([head]))
    for number, grid in parse_puzzles(lines, board):
        if isinstance(grid, Grid):
            on_one_line = parse_line(lines[number - 1], grid.board)
            return isinstance(on_one_line, Grid), grid.board
    return True, None


def _entry_chunks(blocks: Iterable[bytes], board: Board, path: str, size: int) -> Iterator[Chunk]:
    """Chunks of puzzles in any notation, by way of `parse_puzzles`."""
    entries = parse_puzzles(block_lines(blocks), board, source=path)
    while part := list(islice(entries, size)):
        yield _chunk_of(part, board)


def _chunk_of(entries: list[Entry], board: Board) -> Chunk:
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
    for data in whole_lines(blocks):
        whole, count = _parse_block(data, board, path, line)
        line += count
        for start in range(0, len(whole.lines), size):
            stop = start + size
            errors = {i - start: e for i, e in whole.errors.items() if start <= i < stop}
            yield Chunk(whole.lines[start:stop], whole.puzzles[start:stop], errors)


def _parse_block(data: bytes, board: Board, path: str, first_line: int) -> tuple[Chunk, int]:
    """The puzzles of some whole lines, and the number of lines.

    Plain ones (the cells, then nothing or a separator) are read all at once.
    """
    alike = _lines_alike(data, board)
    if alike is not None:
        lines = np.arange(first_line, first_line + len(alike), dtype=np.int64)
        return Chunk(lines, alike, {}), len(alike)
    buffer = np.frombuffer(data, dtype=np.uint8)
    values = np.frombuffer(data.translate(BYTE_VALUES), dtype=np.uint8)
    ends = np.flatnonzero(buffer == ord("\n"))
    starts = np.concatenate(([0], ends[:-1] + 1))
    wide = np.flatnonzero(ends - starts >= board.cells)
    cells = values[starts[wide, None] + np.arange(board.cells)]
    stops = starts[wide] + board.cells
    good = (cells.max(axis=1, initial=0) <= board.size) & _SEPARATES[buffer[stops]]
    # A carriage return ends a puzzle only where the line ends too.
    good &= (buffer[stops] != ord("\r")) | (stops + 1 == ends[wide])
    plain = wide[good]

    other = np.ones(len(ends), dtype=np.bool_)
    other[plain] = False
    odd: dict[int, Grid | GridError] = {}
    for index in np.flatnonzero(other).tolist():
        text = data[starts[index] : ends[index]].decode("utf-8", errors="replace").rstrip("\r")
        if first_line + index == 1:
            text = text.removeprefix("\ufeff")
        if not is_no_puzzle(text):
            odd[index] = parse_line(text, board, source=path, line=first_line + index)
    return _merge(plain, cells[good], odd, board, first_line), len(ends)


def _lines_alike(data: bytes, board: Board) -> NDArray[np.uint8] | None:
    """The cells (N, cells) if every line is just a puzzle in the plainest notation, `.` and digits.

    The usual collection: a few passes over the block, no row looked at by itself.
    """
    rows, rest = divmod(len(data), board.cells + 1)
    if rest or board.size > 9:
        return None
    table = np.frombuffer(data, dtype=np.uint8).reshape(rows, board.cells + 1)
    if (table[:, -1] != ord("\n")).any():
        return None
    cells = table[:, :-1] - np.uint8(ord("0"))
    cells *= cells != (ord(".") - ord("0")) % 256
    return cells if cells.max(initial=0) <= board.size else None


_SEPARATES = np.zeros(256, dtype=np.bool_)
_SEPARATES[[ord(character) for character in SEPARATORS + "\r\n"]] = True


def _merge(
    plain: NDArray[np.int64],
    cells: NDArray[np.uint8],
    odd: dict[int, Grid | GridError],
    board: Board,
    first_line: int,
) -> Chunk:
    """Plain and odd lines, by index of line, in their order in the file."""
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
