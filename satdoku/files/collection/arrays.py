"""Collections as numpy arrays: .npy files, and .npz files with a named array a column.

Invariant: arrays are streamed, never loaded whole (unless in Fortran order), and never unpickled; a
row with a value that is no digit is an error of its row.
"""

from __future__ import annotations

import math
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...model.board import MAX_SIZE, Board, board_for
from ...runtime.errors import SatdokuError, counted
from ..columns import find_columns, listed
from ..record import Reading
from ..streams import MAX_WHOLE, FileError
from .beside import Column, Table, grid_spans
from .chunk import Chunk
from .table import column_chunks

Array = NDArray[Any]
_READERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}
_LONGEST_STRING = 1 << 16  # bytes
_LONGEST_ERROR = 200  # characters of what is repeated of a header
_BLOCK_BYTES = 64 << 20  # rows that are read at once: 4096 of pencil marks for 25x25


class _Stream(NamedTuple):
    """An array in a file: its rows come block by block."""

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    file: BinaryIO
    whole: Array | None  # one in Fortran order, which has no rows to stream

    @property
    def row_bytes(self) -> int:
        return self.dtype.itemsize * math.prod(self.shape[1:])

    def rows(self, size: int) -> Iterator[Array]:
        """Blocks of at most `size` rows."""
        count, row = self.shape[0], self.shape[1:]
        for start in range(0, count, size):
            here = min(size, count - start)
            if self.whole is not None:
                yield self.whole[start : start + here]
                continue
            with _broken_told(self.name):
                data = self.file.read(here * self.row_bytes)
            if len(data) < here * self.row_bytes:
                raise FileError(
                    f"{self.name}: broken file: {counted(count, 'row')} announced, fewer there"
                )
            yield np.frombuffer(data, self.dtype).reshape(here, *row)


def npy_chunks(
    file: BinaryIO, reading: Reading, size: int, *, keep: bool = False
) -> Iterator[Chunk]:
    """Puzzles of a .npy file: (N, cells), (N, n, n), (N, variables) bool marks, or N strings."""
    streams = {"puzzle": _open(file, reading.path)}
    yield from _chunks(streams, {"puzzle": "puzzle"}, reading, size, keep=keep)


def npz_chunks(
    file: BinaryIO, reading: Reading, size: int, asked: Mapping[str, str], *, keep: bool = False
) -> Iterator[Chunk]:
    """The same of a .npz file, by its arrays' names (`puzzles` or `quizzes`, `solutions`, ...).

    keep: see `read_chunks`; arrays that have no row for each puzzle are left out.
    """
    path = reading.path
    with _broken_told(path):
        archive = zipfile.ZipFile(file)
        names = [name.removesuffix(".npy") for name in archive.namelist()]
        places = find_columns(names, asked)
        if "puzzle" not in places:
            raise FileError(f"{path}: no array 'puzzles': there are {listed(names)}")
        roles = {role: names[at] for role, at in places.items()}
        streams = {name: _entry(archive, name, path) for name in roles.values()}
        if keep:
            count = streams[roles["puzzle"]].shape[0]
            others = {name: _other(archive, name, path, count) for name in names}
            streams = {
                name: stream
                for name in names
                if (stream := streams.get(name) or others[name]) is not None
            }
    yield from _chunks(streams, roles, reading, size, keep=keep)


def _entry(archive: zipfile.ZipFile, name: str, path: str) -> _Stream:
    """An array of an archive, which may have its name without an ending."""
    entry = f"{name}.npy" if f"{name}.npy" in archive.namelist() else name
    return _open(archive.open(entry), f"{path}: {entry}")  # type: ignore[arg-type]


def _other(archive: zipfile.ZipFile, name: str, path: str, count: int) -> _Stream | None:
    """An array that stands beside the puzzles, None if it has no row for each of them."""
    with suppress(FileError):
        stream = _entry(archive, name, path)
        return stream if stream.shape[0] == count else None
    return None


@contextmanager
def _broken_told(name: str, what: str = "broken file") -> Iterator[None]:
    """A broken archive, or a header, which is Python source, may raise a dozen kinds of errors."""
    try:
        yield
    except SatdokuError:
        raise
    except Exception as error:
        raise FileError(f"{name}: {what}: {_cut(error)}") from None


def _cut(value: object) -> str:
    """A value in words, as far as an error can repeat it."""
    return str(value)[:_LONGEST_ERROR]


def _open(file: BinaryIO, name: str) -> _Stream:
    """Read the header of an array."""
    with _broken_told(name, "no numpy array that can be read"):
        version = np.lib.format.read_magic(file)
        if version not in _READERS:
            raise FileError(f"{name}: array of version {version}, which structures have")
        shape, fortran, dtype = _READERS[version](file, max_header_size=10_000)
    if not _may_be_column(shape, dtype):
        raise FileError(
            f"{name}: array of {_cut(dtype)}, shape {_cut(shape)}: expected (N, cells) integers, "
            "(N, variables) bool, or N strings"
        )
    whole = None
    if fortran and len(shape) > 1:
        count = math.prod(shape)
        with _broken_told(name):
            data = file.read(min(count * dtype.itemsize, MAX_WHOLE))
        if len(data) < count * dtype.itemsize:
            limit = f"at most {MAX_WHOLE >> 20} MiB in Fortran order"
            raise FileError(
                f"{name}: broken file: shape {shape} announced, fewer values there ({limit})"
            )
        whole = np.frombuffer(data, dtype, count).reshape(shape, order="F")
    return _Stream(name, shape, dtype, file, whole)


def _may_be_column(shape: tuple[int, ...], dtype: np.dtype[Any]) -> bool:
    """Whether an array has rows, each of a few numbers or bool, or of one string."""
    if not shape or shape[0] < 0:
        return False
    width = math.prod(shape[1:])
    if dtype.kind in "US":
        return width == 1 and 0 < dtype.itemsize <= _LONGEST_STRING
    return dtype.kind in "uibf" and 0 < width <= MAX_SIZE**3


def _chunks(
    streams: dict[str, _Stream],
    roles: Mapping[str, str],
    reading: Reading,
    size: int,
    *,
    keep: bool = False,
) -> Iterator[Chunk]:
    path, board = reading.path, reading.known_board or _board_of(streams[roles["puzzle"]])
    counts = {stream.shape[0] for stream in streams.values()}
    if len(counts) > 1:
        raise FileError(f"{path}: arrays of {sorted(counts)} rows: expected the same number")
    first = 1
    widest = max(stream.row_bytes for stream in streams.values())
    size = min(size, max(1, _BLOCK_BYTES // widest))
    for blocks in zip(*(stream.rows(size) for stream in streams.values()), strict=True):
        arrays = dict(zip(streams, blocks, strict=True))
        columns = {role: arrays[name] for role, name in roles.items()}
        stop = first + len(blocks[0])
        start = 0
        for chunk in column_chunks(columns, board, np.arange(first, stop, dtype=np.int64), reading):
            if keep:
                some = {name: array[start : start + chunk.rows] for name, array in arrays.items()}
                chunk = chunk._replace(beside=array_table(some, roles, chunk))
            yield chunk
            start += chunk.rows
        first = stop


def _board_of(stream: _Stream) -> Board:
    """The usual board for the array's shape; strings and odd shapes get the 9x9 one."""
    width = math.prod(stream.shape[1:])
    if stream.dtype.kind == "b":
        width = round(width ** (2 / 3))
    elif stream.dtype.kind in "US":
        width = stream.dtype.itemsize // (4 if stream.dtype.kind == "U" else 1)
    return board_for(width) or Board.of_size(9)


def array_table(
    arrays: Mapping[str, NDArray[Any]], roles: Mapping[str, str], chunk: Chunk
) -> Table:
    """Arrays (N, ...) by name; grids that could be read, as texts."""
    columns: dict[str, Column] = {
        name: values if values.ndim == 1 and values.dtype.kind not in "SU" else _listed(values)
        for name, values in arrays.items()
    }
    grids = {"puzzle": chunk.puzzle_texts}
    if chunk.answers is not None:
        there = np.ones(chunk.rows, np.bool_)
        there[list(chunk.answers.errors)] = False
        grids["answer"] = grid_spans(chunk.answers.cells, there, chunk.board)
    for role, texts in grids.items():
        stated = columns[roles[role]]
        columns[roles[role]] = [text or stated[row] for row, text in enumerate(texts)]
    return Table(tuple(columns), list(columns.values()), roles)


def _listed(values: NDArray[Any]) -> list[Any]:
    """Rows as Python's values, bytes as text."""
    if values.dtype.kind == "S":
        return [value.decode("utf-8", errors="replace") for value in values.reshape(-1).tolist()]
    listed: list[Any] = values.reshape(-1).tolist() if values.dtype.kind == "U" else values.tolist()
    return listed
