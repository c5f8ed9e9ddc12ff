"""Collections as Parquet and Arrow files (or streams, as `datasets` keeps them), by pyarrow.

Invariant: only the columns that matter are read, batch by batch; pyarrow is an extra
(`satdoku[parquet]`) and is imported when such a file is met.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO

import numpy as np

from ...errors import SatdokuError
from ...model.board import Board
from ..columns import find_columns
from ..objects import board_of
from ..record import Reading
from ..streams import FileError
from .chunk import Chunk
from .table import column_chunk

FILE_MAGIC = b"ARROW1"


def pyarrow() -> Any:
    """The library, or what to install."""
    try:
        import pyarrow
        import pyarrow.compute
        import pyarrow.parquet
    except ImportError:
        raise FileError(
            "Parquet and Arrow need the extra: pip install 'satdoku[parquet]'"
        ) from None
    return pyarrow


def parquet_chunks(
    file: BinaryIO, reading: Reading, size: int, asked: Mapping[str, str]
) -> Iterator[Chunk]:
    """The puzzles of a Parquet file; strings, or lists of digits."""
    arrow = pyarrow()
    try:
        table = arrow.parquet.ParquetFile(file)
        columns = _columns(table.schema_arrow.names, reading.path, asked)
        batches = table.iter_batches(batch_size=size, columns=list(dict.fromkeys(columns.values())))
        yield from _chunks(batches, columns, reading)
    except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise _broken(reading.path, error) from None


def arrow_chunks(
    file: BinaryIO, reading: Reading, size: int, asked: Mapping[str, str]
) -> Iterator[Chunk]:
    """The puzzles of an Arrow file (Feather), or of a stream."""
    arrow = pyarrow()
    try:
        batches, names = _batches(file)
        columns = _columns(names, reading.path, asked)
        slices = (b.slice(i, size) for b in batches for i in range(0, b.num_rows, size))
        yield from _chunks(slices, columns, reading)
    except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise _broken(reading.path, error) from None


def _batches(file: BinaryIO) -> tuple[Iterable[Any], list[str]]:
    """The record batches of a file or a stream, and the names of their columns."""
    ipc = pyarrow().ipc
    if file.read(len(FILE_MAGIC)) != FILE_MAGIC:
        file.seek(0)
        stream = ipc.open_stream(file)
        return stream, stream.schema.names
    reader = ipc.open_file(file)
    batches = (reader.get_batch(i) for i in range(reader.num_record_batches))
    return batches, reader.schema.names


def _broken(path: str, error: Exception) -> SatdokuError:
    """What pyarrow found wrong, or what it did not look at: names of columns that are no UTF-8."""
    return FileError(f"{path}: broken file: {' '.join(str(error).split())[:200]}")


def _columns(names: list[str], path: str, asked: Mapping[str, str]) -> dict[str, str]:
    places = find_columns(names, asked)
    if "puzzle" not in places:
        raise FileError(f"{path}: no column 'puzzle': there are {', '.join(names)}")
    return {role: names[at] for role, at in places.items()}


def _chunks(
    batches: Iterable[Any], columns: Mapping[str, str], reading: Reading
) -> Iterator[Chunk]:
    first, board = 1, reading.board
    for batch in batches:
        names = batch.schema.names  # some perhaps twice
        found = {role: _checked(batch.column(names.index(name))) for role, name in columns.items()}
        board = board or board_of(_values(found["puzzle"]))
        values = {role: _values(column, board) for role, column in found.items()}
        lines = np.arange(first, first + batch.num_rows, dtype=np.int64)
        yield column_chunk(values, board or Board(), lines, reading)
        first += batch.num_rows


def _values(column: Any, board: Board | None = None) -> Any:
    """A column as Python's values; as an array if it is a list of integers for every cell."""
    if board is not None and _is_table(column, board):
        return column.flatten().to_numpy(zero_copy_only=False).reshape(-1, board.cells)
    values = column.to_pylist()
    return [v.decode("utf-8", errors="replace") if isinstance(v, bytes) else v for v in values]


def _checked(column: Any) -> Any:
    """The column, once its inside is known to be sound, texts as bytes: some may be no UTF-8."""
    arrow = pyarrow()
    if arrow.types.is_string(column.type):
        column = column.view(arrow.binary())
    elif arrow.types.is_large_string(column.type):
        column = column.view(arrow.large_binary())
    column.validate(full=True)
    return column


def _is_table(column: Any, board: Board) -> bool:
    """Whether each value of the column is a list of as many integers as there are cells."""
    arrow = pyarrow()
    kinds = arrow.types
    if not any(is_kind(column.type) for is_kind in (
        kinds.is_list, kinds.is_large_list, kinds.is_fixed_size_list
    )):  # fmt: skip
        return False
    if not kinds.is_integer(column.type.value_type) or column.null_count:
        return False
    lengths = arrow.compute.list_value_length(column).to_numpy(zero_copy_only=False)
    return bool((lengths == board.cells).all()) and not column.flatten().null_count
