"""Clues at the ends of a line: on what lies between, and on what is seen from outside the grid.

Invariant: nothing here reads `model.kinds`.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from ...model.board import Board, Cells
from ...model.clue import Clue
from .connectives import all_of, as_number, how_many, implies
from .geometry import box_of, with_distance
from .parts import Holds, Part, Parts, Statement, together
from .predicates import far, gains, tells


def _ends_first(clue: Clue) -> Cells:
    first, *middle, last = clue.cells
    return (first, last, *middle)


def _between(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    def holds(a: Any, b: Any, *middle: Any) -> Any:
        return all_of(((a < x) & (x < b)) | ((b < x) & (x < a)) for x in middle)

    if len(clue.cells) > 2:  # else nothing lies between
        yield Part(_ends_first(clue), holds)


def _lockout(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    are_far = far(int(clue.value))

    def holds(a: Any, b: Any, *middle: Any) -> Any:
        beyond = (((x < a) & (x < b)) | ((x > a) & (x > b)) for x in middle)
        return are_far(a, b) & all_of(beyond)

    yield Part(_ends_first(clue), holds)


def _double_arrow(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    yield Part(_ends_first(clue), lambda a, b, *middle: a + b == sum(middle))


def _sandwich(total: int) -> Holds:
    def holds(*d: Any) -> Any:
        low, high = 1, len(d)
        crusts = (how_many(low, d) == 1) & (how_many(high, d) == 1)
        return crusts & all_of(
            implies(
                ((d[i] == low) & (d[j] == high)) | ((d[i] == high) & (d[j] == low)),
                sum(d[i + 1 : j]) == total,
            )
            for i, j in combinations(range(len(d)), 2)
        )

    return holds


def _first_x(total: int) -> Holds:
    return lambda *d: all_of(
        implies(d[0] == count, sum(d[:count]) == total) for count in range(1, len(d) + 1)
    )


def _seen(number: int) -> Holds:
    """A digit is seen if all before it are less."""
    return lambda *d: (
        sum(as_number(all_of(x > before for before in d[:i])) for i, x in enumerate(d)) == number
    )


def _room(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    digit = int(clue.value)
    first, *others = clue.cells
    yield Part((first,), lambda x: (x == 1) == (x == digit))  # the first cell is in place 1
    for place, cell in enumerate(others, 2):
        yield Part((first, cell), tells(place, digit))


def _rossini(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    """From the edge inwards, as far as the box of the first cell reaches, or three cells."""
    is_boxed = board.regions is None and board.boxes
    box = box_of(clue.cells[0], board) if is_boxed else clue.cells[:3]
    seen = tuple(c for c in clue.cells if c in box)
    for a, b, distance in with_distance(seen):
        yield Part((a, b) if clue.value == "+" else (b, a), gains(distance))


STATEMENTS: dict[str, Statement] = {
    "between": _between,
    "lockout": _lockout,
    "double-arrow": _double_arrow,
    "sandwich": together(lambda value: _sandwich(int(value))),
    "x-sum": together(lambda value: _first_x(int(value))),
    "skyscraper": together(lambda value: _seen(int(value))),
    "numbered-room": _room,
    "rossini": _rossini,
}
