"""Where cells lie on a board, from their coordinates.

Invariant: of a board its size and its boxes are read, no houses and no pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ...model.board import Board, Cells


def place(cell: int, board: Board) -> tuple[int, int]:
    """Row and column of a cell, from 1."""
    return cell // board.size + 1, cell % board.size + 1


def steps(a: int, b: int, board: Board) -> tuple[int, int]:
    """How many rows and columns lie between two cells."""
    (top, left), (bottom, right) = place(a, board), place(b, board)
    return abs(top - bottom), abs(left - right)


def touch(board: Board) -> Iterator[tuple[int, int]]:
    """Every two cells that share an edge."""
    pairs = combinations(range(board.cells), 2)
    return ((a, b) for a, b in pairs if sum(steps(a, b, board)) == 1)


def with_distance(cells: Cells) -> Iterator[tuple[int, int, int]]:
    """Every two cells of a line in its order, and how many steps they are apart."""
    for start, a in enumerate(cells):
        for distance, b in enumerate(cells[start + 1 :], 1):
            yield a, b, distance


def line_of(cell: int, board: Board, same: int) -> Cells:
    """The cells of the same row (0) or column (1)."""
    own = place(cell, board)[same]
    return tuple(other for other in range(board.cells) if place(other, board)[same] == own)


def box_of(cell: int, board: Board) -> Cells:
    return next(box for box in board.boxes if cell in box)
