"""Clues on cells one by one and two by two: beside neighbours, along lines, by moves.

Invariant: nothing here reads `model.kinds`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations, pairwise
from typing import Any

from ...model.board import Board, Cells
from ...model.clue import Clue
from .parts import (
    Holds,
    House,
    Part,
    Parts,
    Statement,
    along,
    any_of,
    box_of,
    each,
    first_named,
    is_not,
    line_of,
    steps,
    touch,
    with_distance,
)

# Predicates: each is made once for its arguments, so that tables made from it are cached.


@cache
def is_any(digits: tuple[int, ...]) -> Holds:
    return lambda x: any_of(x == digit for digit in digits)


@cache
def at_most(bound: int) -> Holds:
    return lambda x: x <= bound


@cache
def at_least(bound: int) -> Holds:
    return lambda x: x >= bound


def is_odd(x: Any) -> Any:
    return x % 2 == 1


def is_even(x: Any) -> Any:
    return x % 2 == 0


def less(x: Any, y: Any) -> Any:
    return x < y


def more(x: Any, y: Any) -> Any:
    return x > y


def same(x: Any, y: Any) -> Any:
    return x == y


def other(x: Any, y: Any) -> Any:
    return x != y


@cache
def gains(gap: int) -> Holds:
    return lambda x, y: y - x >= gap


@cache
def difference(gap: int) -> Holds:
    return lambda x, y: (x - y == gap) | (y - x == gap)


@cache
def no_difference(gap: int) -> Holds:
    return lambda x, y: (x - y != gap) & (y - x != gap)


@cache
def ratio(times: int) -> Holds:
    return lambda x, y: (x == y * times) | (y == x * times)


@cache
def no_ratio(times: int) -> Holds:
    return lambda x, y: (x != y * times) & (y != x * times)


@cache
def no_total(total: int) -> Holds:
    return lambda x, y: x + y != total


@cache
def far(gap: int) -> Holds:
    return lambda x, y: (x - y >= gap) | (y - x >= gap)


@cache
def near(gap: int) -> Holds:
    return lambda x, y: (x != y) & (x - y <= gap) & (y - x <= gap)


@cache
def other_rest(modulus: int) -> Holds:
    return lambda x, y: x % modulus != y % modulus


@cache
def other_third(digits: tuple[int, ...]) -> Holds:
    """One is low, middle or high where the other is not."""
    third = len(digits) // 3
    low, high = digits[third - 1], digits[-third - 1]

    def holds(x: Any, y: Any) -> Any:
        both_low, both_high = (x <= low) & (y <= low), (x > high) & (y > high)
        both_middle = (x > low) & (x <= high) & (y > low) & (y <= high)
        return is_not(both_low | both_high | both_middle)

    return holds


@cache
def tells(place: int, digit: int) -> Holds:
    return lambda x, y: (x == place) == (y == digit)


@cache
def points_at(place: int, digit: int) -> Holds:
    return lambda x, y: (x != place) | (y == digit)


@cache
def not_twice(digit: int) -> Holds:
    return lambda x, y: (x != digit) | (y != digit)


def _against_neighbours(holds: Holds) -> Statement:
    def parts(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
        for cell in clue.cells:
            for other in range(board.grid_cells):
                if sum(steps(cell, other, board)) == 1 and other not in clue.cells:
                    yield Part((cell, other), holds)

    return parts


def _copies(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    for place in range(len(clue.groups[0])):
        column = [group[place] for group in clue.groups]
        for above, below in pairwise(column):
            if above != below:
                yield Part((above, below), same)


def _whole(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    yield House(tuple(sorted(clue.cells)))


def _unless_joined(by: str, holds: Callable[[int], Holds]) -> Statement:
    """All neighbours but those that a clue of one of the kinds joins, whatever its value."""

    def parts(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
        said = [set(c.cells) for c in clues if c.kind in by.split() and len(c.cells) == 2]
        return (
            Part(pair, holds(int(clue.value))) for pair in touch(board) if set(pair) not in said
        )

    return parts


def _entropic(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    """Thirds of all digits that the cells of the line can hold."""
    holds = other_third(board.all_digits(clue.cells))
    for a, b, distance in with_distance(clue.cells):
        if distance < 3:
            yield Part((a, b), holds)


def _mirror(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    back = list(reversed(clue.cells))
    for i, cell in enumerate(clue.cells):
        if i < len(back) - 1 - i:
            yield Part((cell, back[i]), same)


def _points(line: Callable[[int, Board], Cells]) -> Statement:
    """The digit of a cell tells in which cell of its line the cell's own place there stands."""

    def parts(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
        for cell in clue.cells:
            members = line(cell, board)
            first = first_named(members, board)
            own = first + sum(other < cell for other in members)
            for place, other in enumerate(members, first):
                if other != cell:
                    yield Part((cell, other), tells(place, own))

    return parts


def _taxicab(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    for a, b in combinations(clue.cells or range(board.grid_cells), 2):
        distance = sum(steps(a, b, board))
        if distance in board.digits:
            yield Part((a, b), not_twice(distance))


def _apart(joined: Callable[[int, int], bool]) -> Statement:
    """None of the listed digits stands in two cells that are joined by a move."""

    def parts(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
        for a, b in combinations(range(board.grid_cells), 2):
            if joined(*steps(a, b, board)):
                yield from (Part((a, b), not_twice(int(d))) for d in clue.value.split(","))

    return parts


STATEMENTS: dict[str, Statement] = {
    "odd": each(lambda board, value: is_odd),
    "even": each(lambda board, value: is_even),
    "low": each(lambda board, value: at_most(int(value))),
    "high": each(lambda board, value: at_least(int(value))),
    "digits": each(lambda board, value: is_any(tuple(map(int, value.split(","))))),
    "minimum": _against_neighbours(less),
    "maximum": _against_neighbours(more),
    "clone": _copies,
    "region": _whole,
    "difference": along(lambda board, value, steps: difference(int(value))),
    "ratio": along(lambda board, value, steps: ratio(int(value))),
    "no-difference": _unless_joined("difference ratio", no_difference),
    "no-ratio": _unless_joined("difference ratio", no_ratio),
    "no-sum": _unless_joined("sum", no_total),
    "greater": along(lambda board, value, steps: more),
    "thermo": along(lambda board, value, steps: gains(steps)),
    "slow-thermo": along(lambda board, value, steps: gains(0)),
    "whisper": along(lambda board, value, steps: far(int(value)) if steps == 1 else None),
    "palindrome": _mirror,
    "renban": lambda board, clue, clues: (
        Part(pair, near(len(clue.cells) - 1)) for pair in combinations(clue.cells, 2)
    ),
    "nabner": along(lambda board, value, steps: far(2)),
    "entropic": _entropic,
    "modular": along(
        lambda board, value, steps: other_rest(int(value)) if steps < int(value) else None
    ),
    "parity": along(lambda board, value, steps: other_rest(2) if steps == 1 else None),
    "distinct": along(lambda board, value, steps: other),
    "col-index": _points(lambda cell, board: line_of(cell, board, 0)),
    "row-index": _points(lambda cell, board: line_of(cell, board, 1)),
    "box-index": _points(box_of),
    "taxicab": _taxicab,
    "knight-digits": _apart(lambda down, right: {down, right} == {1, 2}),
    "king-digits": _apart(lambda down, right: max(down, right) == 1),
    "queen-digits": _apart(lambda down, right: down == right or 0 in (down, right)),
}
