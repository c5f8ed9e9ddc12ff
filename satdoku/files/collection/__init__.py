"""Collections: files of puzzles as streams of arrays, whatever their format.

Invariant: a file is recognised by its content (its name is never asked) unless a format is given;
every format becomes the same chunks, in the order of the file.
"""

from __future__ import annotations

import io
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import BinaryIO

from ...errors import SatdokuError
from ...model.board import Board
from ..columns import ROLES, ColumnError
from ..entries import BLOCK_BYTES
from ..streams import (
    MAX_WHOLE,
    FileError,
    open_input,
    read_block,
    refuse_dimacs,
)
from .arrow import FILE_MAGIC, STREAM_MAGIC
from .chunk import (
    CHUNK_PUZZLES,
    Answers,
    Chunk,
    Puzzles,
    marks_of,
)
from .objects import object_chunks
from .rows import row_chunks
from .sniff import sniff
from .text import text_chunks

__all__ = ["CHUNK_PUZZLES", "FORMATS", "Answers", "Chunk", "Puzzles", "marks_of", "read_chunks"]

# What can be read, with what tells it where text does not.
_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"PAR1", "parquet"),
    (FILE_MAGIC, "arrow"),
    (STREAM_MAGIC, "arrow"),
    (b"\x93NUMPY", "npy"),
    (b"PK\x03\x04", "npz"),
)
FORMATS = ("lines", "csv", "rows", "marks", "jsonl", "parquet", "arrow", "npy", "npz")


class FormatError(SatdokuError):
    """A format that is not known, or that the file does not have."""


def read_chunks(
    path: str,
    board: Board | None = None,
    *,
    size: int = CHUNK_PUZZLES,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    opened: Callable[[BinaryIO], None] | None = None,
) -> Iterator[Chunk]:
    """All puzzles of a collection in chunks of at most `size` (one board for all of them).

    The board is that of the first good puzzle unless given; puzzles of another size are errors.
    `format` is one of `FORMATS`, told by the content unless given. `columns` says which column
    holds which role (puzzle, answer, id, rules) where its name does not. `opened` gets the file
    as it lies on disk, whose position tells how much of it was read.
    """
    asked = dict(columns or {})
    if unknown := set(asked) - set(ROLES):
        raise ColumnError(f"no role '{unknown.pop()}': known are {', '.join(ROLES)}")
    if format is not None and format not in FORMATS:
        raise FormatError(f"no format '{format}': known are {', '.join(FORMATS)}")
    with open_input(path, opened) as stream:
        head = read_block(stream, BLOCK_BYTES, path)
        format = format or next((name for magic, name in _MAGIC if head.startswith(magic)), None)
        if format in ("parquet", "arrow", "npy", "npz"):
            yield from _binary_chunks(
                format, _rewound(stream, head, path), path, board, size, asked
            )
            return
        head = head.removeprefix(BOM_UTF8)
        blocks = chain([head], iter(lambda: read_block(stream, BLOCK_BYTES, path), b""))
        yield from _text_chunks(format, head, blocks, path, board, size, asked)


def _rewound(stream: BinaryIO, head: bytes, path: str) -> BinaryIO:
    """The stream from its beginning, in memory where it cannot be wound back."""
    if isinstance(stream, io.BufferedReader) and stream.seekable():
        stream.seek(0)
        return stream
    rest = read_block(stream, MAX_WHOLE, path)
    if len(rest) == MAX_WHOLE:
        raise FileError(f"{path}: more than {MAX_WHOLE >> 20} MiB that can only be read whole")
    return io.BytesIO(head + rest)


def _binary_chunks(
    format: str,
    stream: BinaryIO,
    path: str,
    board: Board | None,
    size: int,
    asked: Mapping[str, str],
) -> Iterator[Chunk]:
    if format == "npy":
        from .arrays import npy_chunks

        return npy_chunks(stream, path, board, size)
    if format == "npz":
        from .arrays import npz_chunks

        return npz_chunks(stream, path, board, size, asked)
    from .arrow import arrow_chunks, parquet_chunks

    read = parquet_chunks if format == "parquet" else arrow_chunks
    return read(stream, path, board, size, asked)


def _text_chunks(
    format: str | None,
    head: bytes,
    blocks: Iterable[bytes],
    path: str,
    board: Board | None,
    size: int,
    asked: Mapping[str, str],
) -> Iterator[Chunk]:
    start = head.lstrip()
    if format is None:
        refuse_dimacs(start, path)
        if re.match(rb"\[\s*[\[{\"]", start):
            raise FormatError(f"{path}: a JSON array, expected an object a line (jq -c '.[]')")
    if format == "jsonl" or (format is None and start[:1] == b"{"):
        return object_chunks(blocks, board, path, size, asked)
    found = sniff(head, board, format, asked)
    board = board or found.board or Board.of_size(9)
    if found.layout is None:
        return row_chunks(blocks, board, path, size)
    return text_chunks(blocks, board, found.layout, path, size, asked)
