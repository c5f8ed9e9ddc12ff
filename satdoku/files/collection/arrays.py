"""Collections as numpy arrays: .npy files, .npz files with a named array a column, and folders
with a file for each.

Invariant: arrays are streamed, never loaded whole (unless in Fortran order), and never unpickled; a
row with a value that is no digit is an error of its row.
"""

from __future__ import annotations

import math
import os
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from itertools import chain
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...model.board import MAX_SIZE, Board, board_for
from ...runtime.errors import SatdokuError, counted
from ..coding import Coding, codings_of
from ..columns import find_columns, in_words, listed
from ..record import Reading
from ..streams import MAX_WHOLE, FileError, array_name, arrays_in
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
    """Puzzles of a .npy file: (N, cells), (N, n, n), (N, variables) bool marks, or N strings; or
    numbers in one of the other codings of `coding`."""
    streams = {"puzzle": _open(file, reading.path)}
    yield from _chunks("array", streams, {"puzzle": "puzzle"}, reading, size, keep=keep)


def npz_chunks(
    file: BinaryIO, reading: Reading, size: int, asked: Mapping[str, str], *, keep: bool = False
) -> Iterator[Chunk]:
    """The same of a .npz file, by its arrays' names (`puzzles` or `quizzes`, `solutions`, ...).

    keep: see `read_chunks`; arrays that have no row for each puzzle are left out.
    """
    path = reading.path
    with _broken_told(path):
        archive = zipfile.ZipFile(file)
        entries = {name.removesuffix(".npy"): name for name in archive.namelist()}

    def entry(name: str) -> _Stream:
        with _broken_told(path):
            return _open(archive.open(entries[name]), f"{path}: {entries[name]}")  # type: ignore[arg-type]

    yield from _named(entries, entry, "arrays", reading, size, asked, keep=keep)


def folder_chunks(
    folder: str, reading: Reading, size: int, asked: Mapping[str, str], *, keep: bool = False
) -> Iterator[Chunk]:
    """The same of a folder with a .npy file for each array, as HRM and TRM read it.

    The files of one set have a name in common, two underscores, and that of the array:
    `all__inputs.npy`, `all__labels.npy`. Raises `FileError` for files of several sets.
    """
    files = {array_name(name): name for name in arrays_in(folder)}
    sets = {name[:-4].rpartition("__")[0] for name in arrays_in(folder)}
    if len(sets) > 1:
        raise FileError(f"{reading.path}: arrays of several sets, {listed(sorted(sets))}")
    with ExitStack() as open_files:

        def entry(name: str) -> _Stream:
            path = os.path.join(folder, files[name])
            try:
                return _open(open_files.enter_context(open(path, "rb")), path)
            except OSError as error:
                raise FileError(f"{path}: {error.strerror or error}") from None

        yield from _named(files, entry, "folder of arrays", reading, size, asked, keep=keep)


def _named(
    names: Iterable[str],
    entry: Callable[[str], _Stream],
    kind: str,
    reading: Reading,
    size: int,
    asked: Mapping[str, str],
    *,
    keep: bool,
) -> Iterator[Chunk]:
    """The puzzles of arrays with names; keep: with all that have a row for each puzzle."""
    names = list(names)
    places = find_columns(names, asked)
    if "puzzle" not in places:
        raise FileError(f"{reading.path}: no array 'puzzles': there are {listed(names)}")
    roles = {role: names[at] for role, at in places.items()}
    streams = {name: entry(name) for name in roles.values()}
    if keep:
        count = streams[roles["puzzle"]].shape[0]
        others = {name: _other(entry, name, count) for name in names if name not in streams}
        every = {**others, **streams}
        streams = {name: found for name in names if (found := every[name]) is not None}
    yield from _chunks(kind, streams, roles, reading, size, keep=keep)


def _other(entry: Callable[[str], _Stream], name: str, count: int) -> _Stream | None:
    """An array that stands beside the puzzles, None if it has no row for each of them."""
    with suppress(FileError):
        stream = entry(name)
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
    kind: str,
    streams: dict[str, _Stream],
    roles: Mapping[str, str],
    reading: Reading,
    size: int,
    *,
    keep: bool = False,
) -> Iterator[Chunk]:
    path = reading.path
    counts = {stream.shape[0] for stream in streams.values()}
    if len(counts) > 1:
        raise FileError(f"{path}: arrays of {sorted(counts)} rows: expected the same number")
    first = 1
    widest = max(stream.row_bytes for stream in streams.values())
    size = min(size, max(1, _BLOCK_BYTES // widest))
    rows = zip(*(stream.rows(size) for stream in streams.values()), strict=True)
    begun = next(rows, None)
    if begun is None:
        return
    blocks_of = dict(zip(streams, begun, strict=True))
    held = {role: blocks_of[name] for role, name in roles.items()}
    codings = codings_of(held, reading.known_board, path)
    board = reading.known_board or codings["puzzle"].board or _board_of(streams[roles["puzzle"]])
    layout = _in_words(kind, roles, codings)
    for blocks in chain([begun], rows):
        arrays = dict(zip(streams, blocks, strict=True))
        columns = {role: arrays[name] for role, name in roles.items()}
        columns |= {role: coding.decoded(columns[role]) for role, coding in codings.items()}
        stop = first + len(blocks[0])
        start = 0
        for chunk in column_chunks(columns, board, np.arange(first, stop, dtype=np.int64), reading):
            if keep:
                some = {name: array[start : start + chunk.rows] for name, array in arrays.items()}
                chunk = chunk._replace(beside=array_table(some, roles, chunk))
            yield chunk._replace(layout=layout)
            start += chunk.rows
        first = stop


def _in_words(kind: str, roles: Mapping[str, str], codings: Mapping[str, Coding]) -> str:
    """What `Chunk.layout` says; nothing of an array of digits."""
    notes = {role: coding.words for role, coding in codings.items()}
    if kind == "array":
        return f"{kind}, {notes['puzzle']}" if notes["puzzle"] else ""
    return in_words(kind, roles, notes)


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
        there = chunk.answers.stated.copy()
        there[list(chunk.answers.errors)] = False
        grids["answer"] = grid_spans(chunk.answers.cells, there, chunk.board)
        columns[roles["answer"]] = [
            value if stated else None
            for value, stated in zip(columns[roles["answer"]], chunk.answers.stated, strict=True)
        ]
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
