"""Results of a batch as files: lines, CSV, JSON lines, Parquet, numpy archives.

Invariant: one row per puzzle, in order, whatever its status; an invalid row says why.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import IO

from ...files.collection import Chunk
from ...files.collection.arrow import pyarrow
from ...files.outputs import RESULT_FORMS as FORMATS
from ...files.outputs import open_output
from ...files.streams import COMPRESSED, STANDARD, FileError
from ..decide import BatchResult
from ..options import BatchOptions
from .columns import (
    ARRAYS,
    COLUMNS,
    ResultsError,
    Write,
    check_columns,
    check_safe,
    values,
)
from .texts import format_csv, format_jsonl, format_lines


@contextmanager
def open_results(
    path: str,
    form: str,
    columns: Sequence[str],
    options: BatchOptions,
    *,
    keep: bool = True,
    csv_safe: bool = False,
) -> Iterator[Write]:
    """A function that writes chunks with their results to a file, in one of `FORMATS`.

    The file appears under its name only when it is complete; keep: see `open_output`. csv_safe:
    texts in CSV that begin like a formula are quoted as text. Raises `ResultsError` for columns
    that the format cannot hold.
    """
    if form not in FORMATS:
        raise ResultsError(f"no format '{form}': choose from {', '.join(FORMATS)}")
    known = ARRAYS if form == "npz" else COLUMNS
    check_columns(columns, form, known)
    if form == "npz" and Path(path).suffix in COMPRESSED:
        raise ResultsError(f"{path}: npz files are compressed already: leave out the second ending")
    if form in ("parquet", "npz") and path == STANDARD:
        raise FileError(f"{form} cannot be written to standard output: give a file with -o")
    check_safe(form, safe=csv_safe)
    writer = partial(_csv_writer, safe=True) if csv_safe else globals()[FORMATS[form]]
    with open_output(path, keep=keep) as out, writer(out, path, columns, options) as write:
        yield write


@contextmanager
def _line_writer(
    out: IO[bytes], path: str, columns: Sequence[str], options: BatchOptions
) -> Iterator[Write]:
    yield lambda chunk, result: out.write(format_lines(chunk, result, options))


@contextmanager
def _csv_writer(
    out: IO[bytes],
    path: str,
    columns: Sequence[str],
    options: BatchOptions,
    *,
    safe: bool = False,
) -> Iterator[Write]:
    out.write(f"{','.join(columns)}\n".encode())
    yield lambda chunk, result: out.write(format_csv(chunk, result, columns, options, safe=safe))


@contextmanager
def _jsonl_writer(
    out: IO[bytes], path: str, columns: Sequence[str], options: BatchOptions
) -> Iterator[Write]:
    yield lambda chunk, result: out.write(format_jsonl(chunk, result, columns, options))


@contextmanager
def _parquet_writer(
    out: IO[bytes], path: str, columns: Sequence[str], options: BatchOptions
) -> Iterator[Write]:
    """One row group per chunk; see `kind_of`."""
    from .arrow import kind_of, storable

    arrow = pyarrow()
    schema = arrow.schema([(name, kind_of(name)) for name in columns])
    with arrow.parquet.ParquetWriter(out, schema, compression="zstd") as writer:

        def write(chunk: Chunk, result: BatchResult) -> None:
            found = values(columns, chunk, result, options)
            stored = list(map(storable, columns, found))
            writer.write_table(arrow.Table.from_arrays(stored, schema=schema))

        yield write


def _npz_writer(
    out: IO[bytes], path: str, columns: Sequence[str], options: BatchOptions
) -> AbstractContextManager[Write]:
    from .npz import npz_writer

    return npz_writer(out, path, columns, options)


def npz_columns(columns: Sequence[str]) -> tuple[str, ...]:
    """Those of the columns that an .npz file can hold."""
    return tuple(name for name in columns if name in ARRAYS)
