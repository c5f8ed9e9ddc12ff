"""Clues whose digits tell places or distances, and moves that keep digits apart.

Invariant: nothing here reads `model.kinds`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from ...model.board import Board, Cells
from ...model.clue import Clue
from .geometry import box_of, line_of, steps
from .parts import Part, Parts, Statement
from .predicates import not_twice, tells


def _points(line: Callable[[int, Board], Cells]) -> Statement:
    """The digit of a cell tells in which cell of its line the cell's own place there stands."""

    def parts(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
        for cell in clue.cells:
            members = line(cell, board)
            own = 1 + sum(other < cell for other in members)
            for place, other in enumerate(members, 1):
                if other != cell:
                    yield Part((cell, other), tells(place, own))

    return parts


def _taxicab(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    for a, b in combinations(clue.cells or range(board.cells), 2):
        distance = sum(steps(a, b, board))
        if distance <= board.size:
            yield Part((a, b), not_twice(distance))


def _apart(joined: Callable[[int, int], bool]) -> Statement:
    """None of the listed digits stands in two cells that are joined by a move."""

    def parts(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
        for a, b in combinations(range(board.cells), 2):
            if joined(*steps(a, b, board)):
                yield from (Part((a, b), not_twice(int(d))) for d in clue.value.split(","))

    return parts


STATEMENTS: dict[str, Statement] = {
    "col-index": _points(lambda cell, board: line_of(cell, board, 0)),
    "row-index": _points(lambda cell, board: line_of(cell, board, 1)),
    "box-index": _points(box_of),
    "taxicab": _taxicab,
    "knight-digits": _apart(lambda down, right: {down, right} == {1, 2}),
    "king-digits": _apart(lambda down, right: max(down, right) == 1),
    "queen-digits": _apart(lambda down, right: down == right or 0 in (down, right)),
}
