"""Large grids checked without a solver: which line, box or other house holds a digit twice.

Invariant: the houses are restated here as views of the square, from the shape of the boxes alone;
`LargeRules.houses`, from which formulas are made, is not read.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from .board import Digits, LargeRules


def clash(cells: Digits, rules: LargeRules) -> str:
    """Two equal digits of a house, in words, empty cells apart; empty if there are none."""
    size = rules.board.size
    numbered = np.arange(size * size).reshape(size, size)
    for name, places in _houses(numbered, rules):
        digits = cells[places]
        order = np.argsort(digits, axis=1, kind="stable")
        ordered = np.take_along_axis(digits, order, axis=1)
        twice = np.argwhere((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] > 0))
        if len(twice):
            house, place = twice[0]
            first, second = places[house, order[house, place : place + 2]].tolist()
            digit, named = ordered[house, place], rules.board.name_of
            both = f"{named(first)}={digit} and {named(second)}={digit}"
            return f"{both} break the {name} rule"
    return ""


def solves(solution: Digits, puzzle: Digits, rules: LargeRules) -> bool:
    """Whether a solution is complete, keeps all givens, and has no digit twice in a house."""
    full = bool(solution.min() >= 1 and solution.max() <= rules.board.size)
    kept = bool(((puzzle == 0) | (puzzle == solution)).all())
    return full and kept and not clash(solution, rules)


def _houses(
    square: NDArray[np.int64], rules: LargeRules
) -> Iterator[tuple[str, NDArray[np.int64]]]:
    """The cells of the houses of each rule, (houses, size)."""
    board, size = rules.board, rules.board.size
    tall, wide = board.box_rows, board.box_columns
    yield "row", square
    yield "column", square.T
    blocks = square.reshape(size // tall, tall, size // wide, wide)
    if tall > 1:
        yield "box", blocks.swapaxes(1, 2).reshape(size, size)
    if "diagonal" in rules.names:
        yield "diagonal", np.stack([square.diagonal(), square[:, ::-1].diagonal()])
    if "disjoint" in rules.names:
        yield "disjoint", blocks.transpose(1, 3, 0, 2).reshape(size, size)
    if "windoku" in rules.names:
        corners = range(1, size - tall, tall + 1)
        windows = [square[a : a + tall, b : b + tall].ravel() for a in corners for b in corners]
        yield "windoku", np.stack(windows)
