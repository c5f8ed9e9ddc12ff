"""A puzzle with what is printed about it.

Invariant: a `SheetPuzzle` keeps the texts of its rules, not their constraints, which are a thousand
times as large: a sheet may have ten thousand puzzles.
"""

from __future__ import annotations

from typing import NamedTuple

from ..errors import SatdokuError, Status
from ..files.one import PuzzleLike as OnePuzzle
from ..files.one import as_puzzle
from ..files.record import Record
from ..model.constraints import Constraints, constraints_for
from ..model.grid import Grid, GridError
from ..model.puzzle import Puzzle, on_board


class SheetError(SatdokuError):
    """A sheet that cannot be made."""


class SheetPuzzle(NamedTuple):
    """What a sheet shows of one puzzle.

    grid: the givens; rules: the rule set, as `constraints_for(rules, grid.board)` reads it; id,
    title, author: for the heading; words: the setter's own rules, printed in place of ours; marks:
    the candidates that a solution must keep to (one byte each, cell-major, digit 1 first), None if
    there are none.
    """

    grid: Grid
    rules: str = "classic"
    id: str = ""
    title: str = ""
    author: str = ""
    words: str = ""
    marks: bytes | None = None

    @property
    def constraints(self) -> Constraints:
        """The rules, on the board of the grid."""
        return constraints_for(self.rules, self.grid.board)

    @property
    def candidates(self) -> tuple[frozenset[int], ...] | None:
        """The digits of the cells that the marks restrict, none for other cells."""
        if self.marks is None:
            return None
        size = self.grid.board.size
        rows = (self.marks[start : start + size] for start in range(0, len(self.marks), size))
        digits = (frozenset(d for d, mark in enumerate(row, 1) if mark) for row in rows)
        return tuple(some if len(some) < size else frozenset() for some in digits)


class Remark(NamedTuple):
    """What a sheet does not show as it should. status: of the puzzle, if it is about solutions."""

    text: str
    status: Status | None = None


PuzzleLike = OnePuzzle | Record | SheetPuzzle


def as_sheet_puzzle(puzzle: PuzzleLike, rules: str | Constraints = "classic") -> SheetPuzzle:
    """Any puzzle as one of a sheet; `rules` are those of a puzzle that states none.

    Raises `GridError` or another `SatdokuError` for what is no puzzle.
    """
    if isinstance(puzzle, SheetPuzzle):
        return puzzle
    if isinstance(puzzle, Record):
        if isinstance(puzzle.stated, GridError):
            raise puzzle.stated
        sheet = _placed(puzzle.stated, puzzle.rules or rules)
        named = sheet._replace(id=puzzle.id, title=puzzle.title, author=puzzle.author)
        return named._replace(words=puzzle.ruleset, marks=puzzle.marks)
    found = as_puzzle(puzzle, None if isinstance(puzzle, Puzzle) else rules)
    return SheetPuzzle(
        found.grid, found.rules, found.id, found.title, found.author, found.words, found.mark_bytes
    )


def _placed(grid: Grid, rules: str | Constraints) -> SheetPuzzle:
    placed, constraints = on_board(grid, rules)
    return SheetPuzzle(placed, constraints.name)
