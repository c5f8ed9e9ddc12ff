"""Statements of the kinds on cells that touch, by flooding the grid.

Invariant: see the package. Cells touch where `parts.touch` says so; what is outside the grid is
one more place, which the cells at its edge touch.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from ...model.board import Board, Cells
from ...model.clue import Clue
from .parts import (
    Among,
    Connected,
    Counted,
    Divided,
    Part,
    Parts,
    Statement,
    how_many,
    is_not,
    line_of,
    place,
    touch,
)


def _own(board: Board, clue: Clue) -> Cells:
    """The cells of the clue; without any, those of the grids."""
    return clue.cells or tuple(range(board.grid_cells))


def _digits(board: Board, clue: Clue) -> tuple[tuple[int, ...], list[int]]:
    """The digits that the cells can hold, and those of the value."""
    (every,) = board.domains(_own(board, clue)[:1])
    return every, [int(word) for word in clue.value.split("x")[0].split(",")]


def _positions(board: Board, clue: Clue) -> frozenset[int]:
    every, own = _digits(board, clue)
    return frozenset(every.index(digit) + 1 for digit in own)


def _some(board: Board, clue: Clue) -> Among:
    """At least one of the cells holds a digit of the value."""
    return Among(tuple(product(_own(board, clue), sorted(_digits(board, clue)[1]))))


def _connected(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    cells, (_, _, number) = _own(board, clue), clue.value.partition("x")
    least, most = (int(number), int(number)) if number else (1, len(cells))
    yield Connected(cells, _positions(board, clue), tuple(touch(board)), least, most)
    if number:
        yield _some(board, clue)


def _to_edge(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    cells, pairs = _own(board, clue), tuple(touch(board))
    beside = [sum(cell in pair for pair in pairs) for cell in range(len(cells))]
    out = tuple((cell, len(cells)) for cell, others in enumerate(beside) if others < 4)
    yield Connected(cells, _positions(board, clue), pairs + out, 1, len(cells) + 1)


def _loop(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    cells, pairs = _own(board, clue), tuple(touch(board))
    yield Connected(cells, _positions(board, clue), pairs, 1, len(cells))
    yield _some(board, clue)
    _, own = _digits(board, clue)
    for cell, name in enumerate(cells):
        others = sorted(sum(pair) - cell for pair in pairs if cell in pair)
        yield Part((name, *(cells[other] for other in others)), _touches_two(tuple(own)))


def _touches_two(own: tuple[int, ...]) -> Callable[..., object]:
    def holds(digit: object, *around: object) -> object:
        is_on = how_many(digit, own) == 1
        return is_not(is_on) | (sum(how_many(other, own) for other in around) == 2)

    return holds


def _no_square(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    cells = _own(board, clue)
    every, own = _digits(board, clue)
    at = {place(cell, board): cells[cell] for cell in range(len(cells))}
    for (row, column), _ in at.items():
        window = [(row + down, column + right) for down in (0, 1) for right in (0, 1)]
        if all(where in at for where in window):
            other = [digit for digit in every if digit not in own]
            yield Among(tuple(product((at[where] for where in window), other)))


def _regions(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    """Cells of one label are connected, as many as there are digits, and their digits differ; in
    row n the lowest digit that names them has the n-th label."""
    pairs = tuple(touch(board))
    (labels,) = board.domains(clue.cells[:1])
    size = len(clue.cells) // len(labels)
    for label in range(1, len(labels) + 1):
        yield Connected(clue.cells, frozenset({label}), pairs, size, size)
    grid = tuple(range(len(clue.cells)))
    rows, columns = (tuple(dict.fromkeys(line_of(c, board, same) for c in grid)) for same in (0, 1))
    first = board.digits.index(1) + 1 if 1 in board.digits else 1
    across = columns if {*map(len, columns)} == {len(board.digits)} else ()
    yield Divided((*grid, *clue.cells), len(labels), first, rows, across, pairs)


def _alike(*, is_run: bool) -> Statement:
    """Of each arm the cells are counted that hold what its first one does, or those up to the
    first that does not."""

    def parts(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
        own, *arms = clue.groups
        cells = tuple(dict.fromkeys((*own, *(cell for arm in arms for cell in arm))))
        places = tuple(tuple(cells.index(cell) for cell in arm) for arm in arms)
        tells, held = (board.domains((cell,))[0] for cell in cells[:2])
        yield Counted(cells, places, is_run, int(clue.value), tells, len(held))

    return parts


STATEMENTS: dict[str, Statement] = {
    "connected": _connected,
    "edge-connected": _to_edge,
    "single-loop": _loop,
    "no-square": _no_square,
    "chaos": _regions,
    "alike": _alike(is_run=False),
    "alike-run": _alike(is_run=True),
}
