"""Collections as Parquet and Arrow files (or streams, as `datasets` keeps them), by pyarrow.

Invariant: only the columns that matter are read, batch by batch, in bounded memory, whatever a file
announces or holds; a limit on memory ends with its step, and never raises one that the user has
set. pyarrow is an extra (`satdoku[parquet]`), imported when such a file is met.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from ...model.board import Board
from ..columns import find_columns, in_words, listed
from ..foreign import object_format
from ..objects import Item, Keys, is_puzzle, item_of, settled
from ..record import Reading
from ..sniff import board_of
from ..streams import BLOCK_BYTES, FileError
from .beside import Table, unique_names
from .chunk import Chunk
from .table import column_chunks, object_chunks, of_usual_board

FILE_MAGIC = b"ARROW1"
MAX_MEMORY = 4 << 30  # bytes that pyarrow may take: a batch, or a page a column, is read whole
_AS_BYTES = {"string": "binary", "large_string": "large_binary", "string_view": "binary_view"}
_MOST_COLUMNS = 10_000
_ROWS = 64  # that are read at once as objects, and tell where puzzles are
_MOST_VALUES = 64 << 20  # in the rows that are read at once, or bytes of texts: 4096 of marks


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
    file: BinaryIO, reading: Reading, size: int, asked: Mapping[str, str], *, keep: bool = False
) -> Iterator[Chunk]:
    """The puzzles of a Parquet file; strings, or lists of digits."""
    return _bounded(_parquet(file, reading, size, asked, keep), reading.path)


def arrow_chunks(
    file: BinaryIO, reading: Reading, size: int, asked: Mapping[str, str], *, keep: bool = False
) -> Iterator[Chunk]:
    """The puzzles of an Arrow file (Feather), or of a stream."""
    return _bounded(_arrow(file, reading, size, asked, keep), reading.path)


def _bounded(chunks: Iterator[Chunk], path: str) -> Iterator[Chunk]:
    """The chunks, each made within `MAX_MEMORY`: a few bytes may announce, or hold, terabytes.

    What pyarrow finds wrong, or does not look at (names of columns that are no UTF-8), becomes
    `FileError`.
    """
    arrow = pyarrow()
    before = arrow.total_allocated_bytes()
    while True:
        held = arrow.total_allocated_bytes() - before  # some of it perhaps by whoever reads
        try:
            with limited_memory(MAX_MEMORY - min(max(held, 0), MAX_MEMORY // 2)):
                chunk = next(chunks, None)
        except MemoryError:  # pyarrow's is one
            limit = f"at most {MAX_MEMORY >> 20} MiB are taken"
            raise FileError(
                f"{path}: too much to read at once ({limit}): write smaller batches or pages"
            ) from None
        except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
            problem = " ".join(str(error).split())[:200]
            raise FileError(f"{path}: broken file: {problem}") from None
        if chunk is None:
            return
        yield chunk


def _parquet(
    file: BinaryIO, reading: Reading, size: int, asked: Mapping[str, str], keep: bool
) -> Iterator[Chunk]:
    table = pyarrow().parquet.ParquetFile(file, buffer_size=BLOCK_BYTES, pre_buffer=False)

    def batches(names: list[str] | None, size: int) -> Iterator[Any]:
        return iter(table.iter_batches(batch_size=size, columns=names))

    yield from _read(batches, table.schema_arrow.names, "Parquet", reading, size, asked, keep)


def _arrow(
    file: BinaryIO, reading: Reading, size: int, asked: Mapping[str, str], keep: bool
) -> Iterator[Chunk]:
    ipc = pyarrow().ipc
    is_stream = file.read(len(FILE_MAGIC)) != FILE_MAGIC
    open_it = ipc.open_stream if is_stream else ipc.open_file
    file.seek(0)
    names = open_it(file).schema.names

    def batches(some: list[str] | None, size: int) -> Iterator[Any]:
        file.seek(0)
        needed = range(len(names)) if some is None else sorted(map(names.index, some))
        table = open_it(file, options=ipc.IpcReadOptions(included_fields=list(needed)))
        found = table if is_stream else map(table.get_batch, range(table.num_record_batches))
        return (b.slice(i, size) for b in found for i in range(0, b.num_rows, size))

    yield from _read(batches, names, "Arrow", reading, size, asked, keep)


# Gives batches of at most so many rows from the beginning, with the columns of these names, or all.
Batches = Callable[[list[str] | None, int], Iterator[Any]]


def _read(
    batches: Batches,
    names: list[str],
    kind: str,
    reading: Reading,
    size: int,
    asked: Mapping[str, str],
    keep: bool,
) -> Iterator[Chunk]:
    """The puzzles: of columns, or of rows as objects, where only these tell where puzzles are."""
    if len(names) > _MOST_COLUMNS:
        raise FileError(
            f"{reading.path}: {len(names):,} columns, expected at most {_MOST_COLUMNS:,}"
        )
    columns = _columns(batches, names, reading, asked)
    if columns is None:
        items = _items(batches(None, _ROWS), reading.path)
        found = settled(items, kind, reading.known_board, reading.path, asked)
        yield from object_chunks(found, reading, size, keep=keep)
        return
    only = None if keep else list(dict.fromkeys(columns.values()))
    layout = in_words(kind, columns)
    for chunk in _chunks(batches(only, size), columns, reading, keep):
        yield chunk._replace(layout=layout)


def _columns(
    batches: Batches, names: list[str], reading: Reading, asked: Mapping[str, str]
) -> dict[str, str] | None:
    """The column of each role; None if the rows must be read as objects.

    A name is believed if its first values are puzzles, or none are elsewhere.
    """
    form = object_format(dict.fromkeys(names, ""))
    if form is not None and form.is_row:
        return None
    simple = {role: name for role, name in asked.items() if "." not in name}
    found = {role: names[at] for role, at in find_columns(names, simple).items()}
    if "puzzle" in simple or not names:
        return found
    if "puzzle" in found and any(map(is_puzzle, _first(batches, found["puzzle"], reading))):
        return found
    rows = [item.row for item in islice(_items(batches(None, _ROWS), reading.path), _ROWS)]
    keys = Keys(asked)
    keys.learn(rows)
    keys.settle([row for row in rows if isinstance(row, dict)], reading.path)
    if not keys.has_puzzles:
        raise FileError(f"{reading.path}: no column 'puzzle': there are {listed(names)}")
    return None if keys.inner else keys.of_role


def _first(batches: Batches, name: str, reading: Reading) -> list[Any]:
    """The first values of a column."""
    batch = next(batches([name], _ROWS), None)
    if batch is None:
        return []
    values: list[Any] = _values(_checked(batch.column(0), f"{reading.path}: column 'puzzle'"))
    return values


def _items(batches: Iterator[Any], path: str) -> Iterator[Item]:
    """Rows as objects, by their numbers from 1."""
    number = 1
    for batch in batches:
        batch.validate(full=True)
        if batch.nbytes > _MOST_VALUES:
            raise FileError(f"{path}: {batch.nbytes:,} bytes in {batch.num_rows:,} rows: too many")
        for row in batch.to_pylist():
            text = {
                k: v.decode("utf-8", "replace") if isinstance(v, bytes) else v
                for k, v in row.items()
            }
            yield item_of(number, text)
            number += 1


def _chunks(
    batches: Iterable[Any], columns: Mapping[str, str], reading: Reading, keep: bool
) -> Iterator[Chunk]:
    first, board = 1, reading.known_board
    for batch in batches:
        names = batch.schema.names  # some perhaps twice
        found = {
            role: _checked(batch.column(names.index(name)), f"{reading.path}: column '{role}'")
            for role, name in columns.items()
        }
        if board is None:
            board = board_of(of_usual_board({role: _values(found[role]) for role in found}))
        values = {role: _values(column, board) for role, column in found.items()}
        lines = np.arange(first, first + batch.num_rows, dtype=np.int64)
        table, start = _table(batch, columns) if keep else None, 0
        for chunk in column_chunks(values, board or Board(), lines, reading):
            beside = table and table.part(start, start + chunk.rows)
            yield chunk._replace(beside=beside)
            start += chunk.rows
        first += batch.num_rows


def _table(batch: Any, roles: Mapping[str, str]) -> Table:
    """All columns of a batch as they are, once their inside is known to be sound.

    Those of kinds from which pyarrow cannot take rows (views, runs) become Python's values.
    """
    columns = list(map(_sound, batch.columns))
    for at, column in enumerate(columns):
        try:
            column.take(pyarrow().array([0][: len(column)], "int64"))
        except NotImplementedError:
            columns[at] = column.to_pylist()
    return Table(unique_names(batch.schema.names), columns, roles)


def _sound(column: Any) -> Any:
    """The column; texts of which some are no UTF-8 get replacement characters there."""
    arrow = pyarrow()
    if str(column.type) not in _AS_BYTES:
        column.validate(full=True)
        return column
    column.validate()
    try:
        column.validate(full=True)
    except arrow.ArrowInvalid:
        values = column.view(getattr(arrow, _AS_BYTES[str(column.type)])())
        values.validate(full=True)
        texts = [v and v.decode("utf-8", errors="replace") for v in values.to_pylist()]
        return arrow.array(texts, column.type)
    return column


def _values(column: Any, board: Board | None = None) -> Any:
    """A column as Python's values; as an array if it is a list of integers for every cell."""
    if board is not None and _is_table(column, board):
        return column.flatten().to_numpy(zero_copy_only=False).reshape(len(column), -1)
    values = column.to_pylist()
    return [v.decode("utf-8", errors="replace") if isinstance(v, bytes) else v for v in values]


def _checked(column: Any, name: str) -> Any:
    """The column, once its inside is known to be sound and not too large for Python's values.

    Texts come as bytes: some may be no UTF-8.
    """
    arrow = pyarrow()
    kind = str(column.type)
    if kind in _AS_BYTES:
        column = column.view(getattr(arrow, _AS_BYTES[kind])())
    column.validate(full=True)
    if arrow.types.is_dictionary(column.type):
        return _checked(column.dictionary_decode(), name)
    if str(column.type) == "binary_view":
        column = column.cast(arrow.large_binary())
    if (size := _size(column, name)) > _MOST_VALUES:
        raise FileError(f"{name}: {size:,} values in {len(column):,} rows: too many for puzzles")
    return column


def _size(column: Any, name: str) -> int:
    """How many values are in the column and its lists, or bytes if they are texts."""
    arrow = pyarrow()
    kind = column.type
    if isinstance(column, arrow.ExtensionArray):
        return _size(column.storage, name)
    if _is_list(kind):
        return len(column) + _size(column.flatten(), name)
    if str(kind).removeprefix("large_") in ("string", "binary"):
        return int(column.nbytes)
    views = str(kind).endswith("_view")  # any number of which may show the same bytes
    if views or arrow.types.is_nested(kind) or arrow.types.is_dictionary(kind):
        raise FileError(f"{name}: values of type {str(kind)[:40]}: expected texts or lists")
    return len(column)


def _is_list(kind: Any) -> bool:
    kinds = pyarrow().types
    return any(
        is_kind(kind) for is_kind in (kinds.is_list, kinds.is_large_list, kinds.is_fixed_size_list)
    )


def _is_table(column: Any, board: Board) -> bool:
    """Whether each value of the column is a list of as many integers as there are cells, or places
    in the rectangle around them."""
    arrow = pyarrow()
    kinds = arrow.types
    if not _is_list(column.type):
        return False
    if not kinds.is_integer(column.type.value_type) or column.null_count:
        return False
    lengths = arrow.compute.list_value_length(column).to_numpy(zero_copy_only=False)
    rows, columns = board.extent
    counts = (board.grid_cells, rows * columns)
    is_table = any((lengths == count).all() for count in counts)
    return is_table and not column.flatten().null_count


@contextmanager
def limited_memory(more: int) -> Iterator[None]:
    """Let the process take that many bytes more than it has; beyond them, `MemoryError`.

    Only Linux can: elsewhere there is no limit.
    """
    try:
        import resource

        used = int(Path("/proc/self/statm").read_text().split()[5]) * resource.getpagesize()
    except (ImportError, OSError):
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    set_already = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_DATA, (min([used + more, *set_already]), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
