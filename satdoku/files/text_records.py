"""The puzzles of a text, in whatever layout, as records.

Invariant: the layout is the one that `sniff` finds, and changes where a header says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice, pairwise

from ..model.board import Board
from .columns import Layout
from .likeness import check_likeness
from .line_reader import LineReader
from .lines import block_lines, split_lines
from .quotes import whole_rows
from .record import Reading, Record
from .sniff import find_headers, sniff


def layout_of(
    head: bytes, reading: Reading, format: str | None, asked: Mapping[str, str]
) -> tuple[Layout | None, Reading]:
    """The layout of a text that begins so (None: see `Sniffed`), and the usual board filled in.

    Raises `FileError` for a text that is not meant as puzzles at all.
    """
    lines = list(block_lines([head]))
    found = sniff(lines, reading.board, format, asked)
    if format is None and found.layout in (None, Layout()) and not found.is_json:
        check_likeness(lines, reading.path)
    layout = Layout() if format == "rows" else found.layout
    return layout, reading._replace(usual=reading.board or found.board or Board())


def line_reader(layout: Layout | None, reading: Reading, format: str | None) -> LineReader:
    """What reads the lines of a text of that layout and format."""
    return LineReader(
        layout or Layout(),
        reading,
        sections=layout is None or format == "rows",
        rows=format in (None, "rows"),
    )


def text_records(
    blocks: Iterable[bytes], reader: LineReader, asked: Mapping[str, str]
) -> Iterator[Record]:
    """The puzzles of a text that comes in blocks of bytes."""
    line = 1
    for data, after in pairwise(chain(whole_rows(blocks, reader), [b""])):
        texts = split_lines(data)

        def following(index: int, texts: list[str] = texts, after: bytes = after) -> Iterator[str]:
            behind = chain.from_iterable(map(split_lines, [after]))
            return chain(islice(texts, index + 1, None), behind)

        found = find_headers(enumerate(texts), reader.layout, reader.reading, asked, following)
        headers = dict(found)
        for index, text in enumerate(texts):
            if index in headers:
                yield from reader.lay_out(headers[index])
            else:
                yield from reader.read(line, text)
            line += 1 + text.count("\r")
    yield from reader.flush()
