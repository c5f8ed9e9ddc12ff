"""Collections read without numpy as far as they are plain lists.

Invariant: the same puzzles in the same parts as `read_chunks` gives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import BinaryIO

from ...model.board import Board
from ..columns import Layout
from ..formats import AS_IT_IS, ReadOptions, recognise
from ..record import Reading
from ..streams import Source, open_source
from ..text_records import layout_of, line_reader
from .plain import AVAILABLE, Part, text_parts


def read_parts(
    path: str | Source,
    rules: str | None = None,
    board: Board | None = None,
    *,
    size: int,
    reading: ReadOptions = AS_IT_IS,
    on_open: Callable[[BinaryIO], None] | None = None,
    keep: bool = False,
) -> Iterator[Part]:
    """What `read_chunks` reads, but plain lines as `Plain`."""
    asked, format = reading.asked, reading.format
    with open_source(path, on_open) as source:
        here = Reading(source.path, board, usual=board, rules=rules)
        if AVAILABLE and not keep and recognise(source, format) is None:
            layout, here = layout_of(source.text_head, here, format, asked)
            if layout == Layout() and format != "rows":
                reader = line_reader(layout, here, format)
                yield from text_parts(source.text_blocks(), reader, size, asked)
                return
        from .read import read_chunks

        yield from read_chunks(source, rules, board, size=size, reading=reading, keep=keep)
