"""Large puzzles as text: the numbers of all cells, row by row, separated by white space.

Invariant: what `format_numbers` writes `parse_numbers` reads back, and nothing has to be told: the
count of numbers is the square of the size.
"""

from __future__ import annotations

from collections.abc import Iterable

from .board import LARGEST

_WORDS = [str(digit) for digit in range(LARGEST + 1)]


def format_numbers(cells: Iterable[int]) -> str:
    """One line: each digit as a number, 0 for an empty cell, separated by blanks."""
    return " ".join([_WORDS[digit] for digit in cells]) + "\n"
