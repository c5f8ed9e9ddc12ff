"""Puzzles of f-puzzles.com and SudokuPad, as links, payloads or JSON, read and written.

Invariant: a link is read as exactly the puzzle it states, or refused by the name of what satdoku
has no rule for; nothing in it is run, and nothing is fetched.

The format has no specification; it is what f-puzzles writes and other programs read (SudokuPad,
dclamage's SudokuSolver). A JSON object with, as far as it is read here:

    size               cells of a row
    grid               rows of cells, each an object: value (1..size), given (bool),
                       region (0..size-1, absent: the usual box), centerPencilMarks (digits)
    antiknight, antiking, nonconsecutive, disjointgroups, diagonal+, diagonal-   bool
    extraregion        a list of {"cells": ["R1C1", ...]}: read where they are the windows
    title, author, ruleset   text; a rule that is told there in words only cannot be known

What only decorates (lines, circles, colours, ...) is passed over. Any other constraint, such as
`thermometer` or `killercage`, is refused. A link holds the object as JSON, packed by `lzstring`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...model.board import Board
from ...model.constraints import Constraints
from ...model.grid import Grid
from ...model.puzzle import as_puzzle
from .links import FPuzzlesError, load, save
from .read import FPuzzle, read_object
from .write import write_object

__all__ = ["FPuzzle", "FPuzzlesError", "format_fpuzzles", "parse_fpuzzles"]


def parse_fpuzzles(
    text: str,
    rules: str | None = None,
    board: Board | None = None,
    *,
    source: str | None = None,
    line: int = 1,
) -> FPuzzle:
    """Read a link (f-puzzles, SudokuPad), its payload alone, or the JSON.

    `rules` are to be used instead of the puzzle's own; they must not leave one of these out.
    `board`, if given, must be the puzzle's. `source` and `line` tell an error where the text came
    from. Raises `FPuzzlesError`, with the names of the constraints that satdoku does not know.
    """
    try:
        return read_object(load(text), rules, board)
    except FPuzzlesError as error:
        raise FPuzzlesError(error.found, error.expected, line=line, source=source) from None


def format_fpuzzles(
    puzzle: str | Grid | Sequence[int],
    rules: str | Constraints = "classic",
    *,
    candidates: Sequence[Iterable[int]] | None = None,
    title: str = "",
    author: str = "",
) -> str:
    """The puzzle as a link that opens in f-puzzles, its digits as givens.

    `candidates`, the digits of each cell, become centre marks. SudokuPad takes what stands behind
    `load=` at the end of `https://sudokupad.app/fpuzzles`. Raises `RuleError` for a rule that the
    format cannot say (antiqueen).
    """
    grid, constraints = as_puzzle(puzzle, rules)
    return save(write_object(grid, constraints, candidates, title, author))
