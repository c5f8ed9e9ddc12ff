"""Collections: files of puzzles as streams of arrays, whatever their format.

Invariant: every format becomes the same chunks, in the order of the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import BinaryIO

from ...model.board import MAX_SIZE, Board
from ...model.grid import Grid, GridError
from ..formats import AS_IT_IS, FOLDER, NUMBERS, OBJECTS, WHOLE, ReadOptions, recognise
from ..objects import read_objects
from ..record import Reading, Record, usual_board, whole_record
from ..sniff import layout_of, line_reader, text_records
from ..streams import Source, open_source
from . import Plain, text_parts
from .chunk import CHUNK_PUZZLES, Chunk, chunk_records, record_chunks
from .table import object_chunks
from .text import begun_chunks


def read_chunks(
    path: str | Source,
    rules: str | None = None,
    board: Board | None = None,
    *,
    size: int = CHUNK_PUZZLES,
    usual: Board | None = None,
    reading: ReadOptions = AS_IT_IS,
    on_open: Callable[[BinaryIO], None] | None = None,
    keep: bool = False,
) -> Iterator[Chunk]:
    """All puzzles of a collection in chunks of at most `size`.

    board: the one that all puzzles must have. Without it rows may have rules that fix their board;
    the others have `usual`, by default that of the first good puzzle, and those of another size are
    errors. Where cells or digits change, a new chunk begins.
    `rules` and `reading` are those of `read_puzzles`. `on_open` gets the file as it lies on disk,
    whose position tells how much of it was read. With `keep` each chunk has all columns of
    the file beside, as the file states them.
    """
    asked, format = reading.asked, reading.format
    with open_source(path, on_open) as source:
        here = Reading(source.path, board, usual=board or usual, rules=rules, stated=reading.stated)
        kind = recognise(source, format)
        if kind == NUMBERS:
            expected = f"at most {MAX_SIZE}x{MAX_SIZE} in a collection (docs/LARGE.md)"
            raise GridError("puzzles beyond that", expected, source=source.path)
        if kind in OBJECTS:
            found = read_objects(source, kind, here.usual, asked)
            yield from object_chunks(found, here, size, keep=keep)
        elif kind == WHOLE:
            record = whole_record(source.text(), here)
            grid = record.grid
            its_own = usual_board(grid) if isinstance(grid, Grid) else Board()
            for chunk in record_chunks(
                [record], here.usual or its_own, source.path, 1, marks=record.marks is not None
            ):
                yield chunk.with_own_table() if keep else chunk
        elif kind is not None:
            yield from _array_chunks(source, kind, here, size, asked, keep=keep)
        else:
            yield from _text_chunks(source, here, size, format, asked, keep=keep)


def array_records(
    source: Source, kind: str, reading: Reading, asked: Mapping[str, str]
) -> Iterator[Record]:
    """The puzzles of a file of arrays one by one."""
    for chunk in _array_chunks(source, kind, reading, CHUNK_PUZZLES, asked):
        yield from chunk_records(chunk, reading.board or chunk.board)


def _array_chunks(
    source: Source,
    kind: str,
    reading: Reading,
    size: int,
    asked: Mapping[str, str],
    *,
    keep: bool = False,
) -> Iterator[Chunk]:
    if kind == FOLDER:
        from .arrays import folder_chunks

        return folder_chunks(source.path, reading, size, asked, keep=keep)
    stream = source.rewound()
    if kind == "npy":
        from .arrays import npy_chunks

        return npy_chunks(stream, reading, size, keep=keep)
    if kind == "npz":
        from .arrays import npz_chunks

        return npz_chunks(stream, reading, size, asked, keep=keep)
    from .arrow import arrow_chunks, parquet_chunks

    read = parquet_chunks if kind == "parquet" else arrow_chunks
    return read(stream, reading, size, asked, keep=keep)


def _text_chunks(
    source: Source,
    reading: Reading,
    size: int,
    format: str | None,
    asked: Mapping[str, str],
    *,
    keep: bool = False,
) -> Iterator[Chunk]:
    layout, reading = layout_of(source.text_head, reading, format, asked)
    reader = line_reader(layout, reading, format)
    blocks = source.text_blocks()
    if layout is None or format == "rows":
        board = reading.usual or Board()
        records = text_records(blocks, reader, asked)
        return begun_chunks(records, board, reading, size, keep=keep)
    found = text_parts(blocks, reader, size, asked, keep=keep)
    return (part.chunk() if isinstance(part, Plain) else part for part in found)
