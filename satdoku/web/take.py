"""Into the page and out of it: links, texts, pictures, formulas, certificates.

Invariant: what is written is what the command line writes; what is read is what it reads.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..files.record import parse_puzzle
from ..model.constraints import constraints_for
from ..model.grid import Grid
from .asked import AskedPuzzle, stated, text_of
from .questions import Object


def read(asked: Object) -> Iterator[Object]:
    """{"puzzle", "notes"} of a text: a grid, a link, JSON."""
    record = parse_puzzle(text_of(asked, "text").strip("\0 \n\r\t\ufeff"))
    grid = record.grid if record.givens is None else record.givens
    if not isinstance(grid, Grid):
        raise grid
    constraints = constraints_for(record.rules or "classic", grid.board)
    placed = Grid(grid.cells, constraints.board)
    marks = None
    if record.marks is not None:
        size = grid.board.size
        rows = (record.marks[at : at + size] for at in range(0, len(record.marks), size))
        marks = tuple(frozenset(d for d, mark in enumerate(row, 1) if mark) for row in rows)
    puzzle = AskedPuzzle(placed, constraints, "", marks, record.marks, record.title, record.author)
    yield {"puzzle": stated(puzzle), "notes": [record.warning] if record.warning else []}
