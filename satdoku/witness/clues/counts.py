"""Clues on how often digits stand in cells.

Invariant: nothing here reads `model.kinds`.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

from ...model.board import Board
from ...model.clue import Clue
from .connectives import how_many
from .parts import Among, Holds, Part, Parts, Statement


def _holds_times(digit: int, low: int, high: int) -> Holds:
    def holds(*digits: Any) -> Any:
        number = how_many(digit, digits)
        return (low <= number) & (number <= high)

    return holds


def _each_listed(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    """Of all cells but one less than the digit is listed, one holds it."""
    listed = list(map(int, clue.value.split(",")))
    for digit in sorted(set(listed)):
        spared = listed.count(digit) - 1
        for left_out in combinations(clue.cells, spared):
            yield Among(tuple((cell, digit) for cell in clue.cells if cell not in left_out))


def _count(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    digit, times = map(int, clue.value.split("x"))
    yield Part(clue.cells, _holds_times(digit, times, times))


def _circles(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    """Each digit stands in as many circles as it says, or in none."""
    for digit in range(1, board.size + 1):

        def holds(*d: Any, digit: int = digit) -> Any:
            number = how_many(digit, d)
            return (number == 0) | (number == digit)

        yield Part(clue.cells, holds)


def _entropy(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    n = board.size
    thirds = [range(first, first + n // 3) for first in range(1, n + 1, n // 3)]
    for cell in range(board.cells):
        if cell % n < n - 1 and cell < n * (n - 1):
            window = (cell, cell + 1, cell + n, cell + n + 1)
            yield from (Among(tuple(product(window, third))) for third in thirds)


def _flat_mates(board: Board, clue: Clue, clues: tuple[Clue, ...]) -> Parts:
    n = board.size
    for cell in range(board.cells):
        mates = ((cell - n, 1), (cell + n, n))
        there = tuple((mate, digit) for mate, digit in mates if 0 <= mate < board.cells)
        yield Among(there, (cell, (n + 1) // 2))


STATEMENTS: dict[str, Statement] = {
    "quadruple": _each_listed,
    "contains": _each_listed,
    "count": _count,
    "circles": _circles,
    "entropy": _entropy,
    "flat-mates": _flat_mates,
}
