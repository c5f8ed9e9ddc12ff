"""Collections read without numpy as far as they are plain lists.

Invariant: the same puzzles in the same parts as `read_chunks` gives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import BinaryIO

from ...model.board import Board
from ..columns import Layout
from ..formats import check_options, recognise
from ..record import Reading
from ..streams import Source, open_source
from ..text_records import layout_of, line_reader
from .plain import AVAILABLE, Part, text_parts


def read_parts(
    path: str | Source,
    board: Board | None = None,
    rules: str | None = None,
    *,
    size: int,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    opened: Callable[[BinaryIO], None] | None = None,
    keep: bool = False,
) -> Iterator[Part]:
    """What `read_chunks` reads, but plain lines as `Plain`."""
    asked = check_options(format, columns)
    with open_source(path, opened) as source:
        reading = Reading(source.path, board, usual=board, rules=rules)
        if AVAILABLE and not keep and recognise(source, format) is None:
            layout, reading = layout_of(source.text_head, reading, format, asked)
            if layout == Layout() and format != "rows":
                reader = line_reader(layout, reading, format)
                yield from text_parts(source.text_blocks(), reader, size, asked)
                return
        from .read import read_chunks

        yield from read_chunks(
            source, board, rules, size=size, format=format, columns=columns, keep=keep
        )
