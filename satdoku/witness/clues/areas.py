"""Statements of the kinds on cells that touch, by flooding the grid.

Invariant: see the package. Cells touch where `parts.touch` says so; what is outside the grid is
one more place, which the cells at its edge touch.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product
from typing import Any

from ...model.board import Board, Cells
from ...model.clue import Clue
from .parts import (
    Among,
    Connected,
    Holds,
    Part,
    Parts,
    Statement,
    as_number,
    how_many,
    is_not,
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
    number, pairs = len(clue.cells), tuple(touch(board))
    (labels,) = board.domains(clue.cells[:1])
    size = number // len(labels)
    first = 1 if 1 in board.digits else board.digits[0]
    for label, name in enumerate(labels, 1):
        yield Connected(clue.cells, frozenset({label}), pairs, size, size)
        yield Among(tuple((cell, name) for cell in clue.cells))
    for one, other in combinations(range(number), 2):
        yield Part((one, other, clue.cells[one], clue.cells[other]), _not_both)
    for cell, own in enumerate(clue.cells):
        yield Part((cell, own), _named(first, labels[place(cell, board)[0] - 1]))


def _not_both(x: Any, y: Any, one: Any, other: Any) -> Any:
    return is_not(x == y) | is_not(one == other)


def _named(first: int, label: int) -> Holds:
    def holds(digit: Any, own: Any) -> Any:
        return is_not(digit == first) | (own == label)

    return holds


def _alike(*, is_run: bool) -> Statement:
    """Of each arm the cells are counted that hold what its first one does, or those up to the
    first that does not."""

    def parts(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
        own, *arms = clue.groups
        cells = tuple(dict.fromkeys((*own, *(cell for arm in arms for cell in arm))))
        at = {cell: index for index, cell in enumerate(cells)}

        def holds(*d: Any) -> Any:
            found: Any = 1 - int(clue.value)
            for first, *others in arms:
                so_far: Any = True
                for other in others:
                    same = d[at[other]] == d[at[first]]
                    so_far = so_far & same if is_run else same
                    found = found + as_number(so_far)
            return d[0] == found

        yield Part(cells, holds)

    return parts


STATEMENTS: dict[str, Statement] = {
    "connected": _connected,
    "edge-connected": _to_edge,
    "loop": _loop,
    "no-square": _no_square,
    "regions": _regions,
    "alike": _alike(is_run=False),
    "alike-run": _alike(is_run=True),
}
