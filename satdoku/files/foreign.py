"""The puzzle of a text that `is_foreign`: of another program, or of our JSON.

Invariant: each format is told by how its texts begin; what none of the others claims is one of
f-puzzles or SudokuPad. Only the reader that is asked is imported.
"""

from __future__ import annotations

from ..model.board import Board
from ..model.puzzle import Puzzle
from .notation import is_iss, is_killer, is_own, is_pencilmark


def parse_foreign(text: str, rules: str | None = None, board: Board | None = None) -> Puzzle:
    """The puzzle of a text, with its own rules; see `parse_fpuzzles` for those that are asked for.

    Raises `FPuzzlesError` for what cannot be read, `RuleError` or `ClueError` for the rules that
    are asked for.
    """
    if is_killer(text):
        from .killer import parse_killer as parse
    elif is_iss(text):
        from .iss import parse_iss as parse
    elif is_own(text):
        from .puzzle_json import parse_puzzle_json as parse
    elif is_pencilmark(text):
        from .pencilmark import parse_pencilmark as parse
    else:
        from .fpuzzles import parse_fpuzzles as parse
    return parse(text, rules, board)
