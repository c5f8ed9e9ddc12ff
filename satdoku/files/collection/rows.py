"""Collections with one row of cells a line, and whatever else people write.

Invariant: `entries` reads, this only gathers what it reads into chunks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

import numpy as np

from ...model.board import Board
from ...model.grid import Grid, GridError
from ..entries import Entry, block_lines, parse_puzzles
from .chunk import Builder, Chunk, Record


def row_chunks(blocks: Iterable[bytes], board: Board, path: str, size: int) -> Iterator[Chunk]:
    """Chunks of puzzles in any notation, by way of `parse_puzzles`."""
    entries = parse_puzzles(block_lines(blocks), board, source=path)
    while part := list(islice(entries, size)):
        build = Builder(np.array([entry.line for entry in part], dtype=np.int64), board, path)
        for row, entry in enumerate(part):
            build.put(row, Record(_without_rules(entry, path)))
        yield build.chunk()


def _without_rules(entry: Entry, path: str) -> Grid | GridError:
    """The grid; an error where it has rules of its own, which the rest of its chunk has not."""
    if entry.rules in (None, "classic"):
        return entry.grid
    expected = "a classic puzzle: `solve`, `check` and `count` take links with rules"
    return GridError(f"a link with {entry.rules}", expected, line=entry.line, source=path)
