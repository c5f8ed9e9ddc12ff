"""The puzzles of a sheet, and what is remarked about them.

Invariant: whatever names a puzzle is printed with the rules that it states, else with those of the
sheet.
"""

from __future__ import annotations

from typing import NamedTuple

from ..files.one import PuzzleLike as OnePuzzle
from ..files.one import as_puzzle
from ..model.constraints import Constraints
from ..model.puzzle import Puzzle, Unreadable
from ..runtime.errors import SatdokuError, Status


class SheetError(SatdokuError):
    """A sheet that cannot be made."""


class Remark(NamedTuple):
    """What a sheet does not show as it should. status: of the puzzle, if it is about solutions."""

    text: str
    status: Status | None = None


PuzzleLike = OnePuzzle | Unreadable


def as_sheet_puzzle(puzzle: PuzzleLike, rules: str | Constraints = "classic") -> Puzzle:
    """Any puzzle as one of a sheet; `rules` are those of a puzzle that states none.

    Raises `GridError` or another `SatdokuError` for what is no puzzle.
    """
    if isinstance(puzzle, Unreadable):
        raise puzzle.error
    return puzzle if isinstance(puzzle, Puzzle) else as_puzzle(puzzle, rules)
