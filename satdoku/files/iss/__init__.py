"""Puzzles as Interactive Sudoku Solver writes them: `.Cage~15~R1C1~R1C2.~R5C5_3`.

Invariant: a text is read as exactly the puzzle that it states, or refused with the name of what is
not supported; nothing is passed over.

A text is constraints, each a dot, a name and arguments behind `~`; blanks mean nothing. Cells are
R1C1 to RgCg, in base 17 (see github.com/sigh/Interactive-Sudoku-Solver, js/sudoku_parser.js).
Beside the constraints of `clues.KEYS` and `clues.FLAGS`, these are read and written:

    .~R1C1_3~R2C2_1_2        givens; a cell with several digits holds one of these
    .Shape~6x6               the size, 9 unless stated, with the usual boxes; none if none fit
    .Jigsaw~MAP.NoBoxes      regions in place of the boxes; without NoBoxes, beside them
    .XSum~R1~15~20           outside clues at both ends of row 1 (or column C1); either may be empty
    .Diagonal~1              the rising diagonal; ~-1 is the falling one
    .Or.X~R1C1~R1C2.And.~R2C1_3.~R2C2_4.End.End    one of several constraints; all of them
    .Replicate~H.X~R1C1~R1C2.End    the same from other cells on (read only, see `copies`)

A table (`Pair`, `PairX`, and their old names) is read as a `regex` clue for each pair of cells.
Digits other than 1 to the size, and extra cells are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from urllib.parse import unquote

from ...model.board import Board
from ...model.constraints import Constraints
from ...model.grid import Grid
from ...model.puzzle import Puzzle, on_board
from ..foreign import ForeignError, checked, parser, reconciled
from .clues import Args
from .copies import replicated
from .items import read_items
from .read import board_of, constraints_of, givens_of
from .write import stated

_LINK = re.compile(r"\s*https?://[^?#]*\?(?:[^#]*&)?q=([^&#]*)", re.IGNORECASE)


@parser
def parse_iss(text: str, rules: str | None = None, board: Board | None = None) -> Puzzle:
    """Read a text of Interactive Sudoku Solver, or a link that holds one."""
    link = _LINK.match(text)
    with _on_line("" if link else text):
        items = read_items(unquote(link[1]) if link else text)
        here = checked(board_of(items), board)
        items = replicated(items, here)
        own = constraints_of(items, here)
        constraints = reconciled(own, rules)
        return Puzzle(givens_of(items, constraints.board), constraints)


@contextmanager
def _on_line(text: str) -> Iterator[None]:
    """Errors of a text of several lines name the line, and the column within it."""
    try:
        yield
    except ForeignError as error:
        before = re.split(r"\r\n|\r|\n", text[: max(error.column - 1, 0)])
        column = min(error.column, len(before[-1]) + 1)
        raise ForeignError(error.found, line=len(before), column=column) from None


def format_iss(puzzle: str | Grid | Sequence[int], rules: str | Constraints = "classic") -> str:
    """The text that Interactive Sudoku Solver reads.

    Raises `RuleError` or `ClueError` for what it cannot express, among others boards of more than
    16x16.
    """
    grid, constraints = on_board(puzzle, rules)
    return "".join(_text(name, args) for name, args in stated(grid, constraints))


def _text(name: str, args: Args) -> str:
    return "".join((f".{name}", *(f"~{arg}" for arg in args)))
