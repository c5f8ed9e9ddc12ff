"""Names of cells, lines and diagonals, as Interactive Sudoku Solver writes them.

Invariant: what is read has a name again, and the other way round.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ...model.board import Board, Cells
from ...model.clue import ClueError

PLACES = "0123456789abcdefg"  # of rows and columns, in base 17
CELL = re.compile(r"R([1-9a-g])C([1-9a-g])", re.IGNORECASE)


def cell_name(cell: int, board: Board) -> str:
    row, column = divmod(cell, board.size)
    return f"R{PLACES[row + 1]}C{PLACES[column + 1]}"


def cell_names(cells: Iterable[int], board: Board) -> tuple[str, ...]:
    return tuple(cell_name(cell, board) for cell in cells)


def cells_named(names: Iterable[str], board: Board) -> Cells:
    return tuple(cell_named(name, board) for name in names)


def segment_names(segments: Iterable[Cells], board: Board) -> tuple[str, ...]:
    """The cells of segments, with hyphens between these."""
    return tuple(" - ".join(" ".join(cell_names(cells, board)) for cells in segments).split())


def segments_named(names: Iterable[str], board: Board) -> tuple[Cells, ...]:
    """The cells between hyphens; there may be none."""
    return tuple(cells_named(some.split(), board) for some in " ".join(names).split("-"))


def cell_named(name: str, board: Board) -> int:
    match = CELL.fullmatch(name)
    row, column = (PLACES.index(place.lower()) for place in match.groups()) if match else (0, 0)
    if not (1 <= row <= board.size and 1 <= column <= board.size):
        raise ClueError(f"{name[:20]!a} is no cell of a board of size {board.size}")
    return board.size * (row - 1) + column - 1


def line_named(name: str, board: Board) -> Cells:
    """The cells of R1 or C1."""
    lines = {"R": board.rows, "C": board.columns}.get(name[:1].upper(), ())
    place = PLACES.find(name[1:].lower()) if len(name) == 2 else 0
    if not 1 <= place <= len(lines):
        raise ClueError(f"{name[:20]!a}: expected a row or a column, such as R1")
    return lines[place - 1]


def line_names(board: Board) -> dict[Cells, str]:
    places = PLACES[1 : board.size + 1]
    return {
        line_named(f"{kind}{place}", board): f"{kind}{place}" for kind in "RC" for place in places
    }


def diagonals(board: Board) -> dict[str, Cells]:
    """The diagonals by their first cells: from the left edge down, from the right edge up, from the
    top to the left, from the bottom to the right."""
    n = board.size
    starts = [
        *((n * i, n + 1, n - i) for i in range(n - 1)),
        *((n * i + n - 1, -n - 1, i + 1) for i in range(1, n - 1)),
        *((i, n - 1, i + 1) for i in range(1, n)),
        *((n * (n - 1) + i, 1 - n, n - i) for i in range(1, n - 1)),
    ]
    return {
        cell_name(first, board): tuple(first + step * i for i in range(length))
        for first, step, length in starts
    }


def touching_pairs(cells: Cells, board: Board) -> Iterator[tuple[Cells, ...]]:
    """Every two of the cells that share an edge, in the order in which they are listed."""
    neighbours = {frozenset(pair) for pair in board.adjacent_pairs}
    for i, a in enumerate(cells):
        yield from (((a, b),) for b in cells[i + 1 :] if frozenset((a, b)) in neighbours)
