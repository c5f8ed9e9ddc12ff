"""Puzzles of f-puzzles.com and SudokuPad: links, payloads and JSON, read and written.

Invariant: a link is read as exactly the puzzle that it states, or refused with the name of what is
not supported. What it states in words or drawings alone comes back as `Puzzle.warning`. Nothing
in a link is run, and nothing is fetched.

The format has no specification. It is what f-puzzles writes and other programs read (SudokuPad,
dclamage's SudokuSolver). Of the JSON object, these keys are read:

    size               cells of a row
    grid               rows of cells, each an object: value (1..size), given (bool),
                       region (0..size-1; absent or null: the usual box),
                       givenPencilMarks (the digits that the cell may hold; absent, null or empty:
                       all), centerPencilMarks (a player's digits)
    antiknight, antiking, nonconsecutive, disjointgroups, diagonal+, diagonal-   bool
    negative           a list of "ratio" and "xv": what is denied of neighbours (see `denials`)
    odd, thermometer, killercage, ...    lists of clues (`clues.KEYS` has all keys, and their kinds)
    title, author      text
    solution           the digits of the cells, in a text or a list
    ruleset            text, compared with the constraints (see `words`)
    line, circle, rectangle, cage, text   drawings, which may stand for rules (see `words`)

SudokuPad reads `"region": null` as "in no box", other programs as "not stated", and libraries write
it for keys that are absent; here it is the usual box. Colours, fog and a player's marks are passed
over. Any other constraint is refused by its name. A link holds the object as JSON, packed by
`lzstring`. SudokuPad's own JSON is read as the object of f-puzzles that says the same
(`sudokupad`), also in its short form (`zipped`).

Where Interactive Sudoku Solver means something else by the same name: its modular line takes any
number (here 3), its entropic line the classes of 9x9 only, its whispers say 5 where they have no
number (here half the size, rounded up), and its denial of dots is one of both colours. An extra
region with fewer cells than digits is, as there, of different digits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...model.board import Board
from ...model.constraints import Constraints
from ...model.grid import GridLike
from ...model.puzzle import Puzzle, on_board
from ..foreign import parser
from .links import LINK, SUDOKUPAD, load, save
from .read import read_object
from .sudokupad import as_fpuzzles, is_native
from .write import write_object


@parser
def parse_fpuzzles(text: str, rules: str | None = None, board: Board | None = None) -> Puzzle:
    """Read a link (f-puzzles, SudokuPad), its payload alone, or the JSON of either."""
    value = load(text)
    return read_object(as_fpuzzles(value) if is_native(value) else value, rules, board)


def format_fpuzzles(
    puzzle: GridLike,
    rules: str | Constraints = "classic",
    *,
    candidates: Sequence[Iterable[int]] | None = None,
    title: str = "",
    author: str = "",
) -> str:
    """A link that opens the puzzle in f-puzzles, its digits as givens.

    candidates: the digits of each cell, written as centre marks. Raises `RuleError` for a rule that
    the format cannot express (antiqueen), `ClueError` for such a clue (taxicab).
    """
    grid, constraints = on_board(puzzle, rules)
    return save(write_object(grid, constraints, candidates, title, author))


def format_sudokupad(puzzle: GridLike, rules: str | Constraints = "classic", **stated: Any) -> str:
    """A link that opens the same in SudokuPad; see `format_fpuzzles`."""
    return SUDOKUPAD + format_fpuzzles(puzzle, rules, **stated).removeprefix(LINK)
