"""Boards of 26x26 to 256x256: numbers in and out, propagation first, then one SAT formula.

Invariant: digits are uint16 arrays and candidates entries of arrays; nothing here creates an object
per candidate before a solver loads its clauses.

    puzzle = LargeSudoku(parse_large(text), "diagonal,boxes=3x12")
    puzzle.status(), puzzle.solution(timeout=10), puzzle.propagated.count
"""

from __future__ import annotations

from .board import LargeBoard, LargeRules, large_rules
from .solve import LargeSudoku
from .text import LargePuzzle, format_numbers, format_rows, parse_large, read_large

__all__ = [
    "LargeBoard", "LargePuzzle", "LargeRules", "LargeSudoku", "format_numbers", "format_rows",
    "large_rules", "parse_large", "read_large",
]  # fmt: skip
