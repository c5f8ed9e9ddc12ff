"""One puzzle in any form: a text of any format, a file, digits, or a `Puzzle`.

Invariant: the rules that a puzzle states apply. If the requested rules do not contain them, the
puzzle is refused.

Reading a plain grid costs no more than reading its characters: other formats are imported on use.
"""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from ..model.board import Board
from ..model.constraints import Constraints, RulesLike, constraints_for, rules_text, tells_board
from ..model.grid import Grid, GridError, GridLike, parse_plain
from ..model.puzzle import Puzzle, Unreadable, digits_of, on_board
from ..runtime.errors import SatdokuError, counted

if TYPE_CHECKING:
    pass

PuzzleLike = GridLike | Puzzle | os.PathLike[str]
Rules = RulesLike | None
WAY = "pass its grid and its rules to go on without it"
MOST = 10_000  # puzzles that are counted where one is expected


def asked(puzzle: PuzzleLike, rules: Rules = None) -> Puzzle:
    """`as_puzzle`; raises `SatdokuError` for a puzzle with rules in words only: its answer would be
    that of another puzzle."""
    if isinstance(puzzle, Grid):
        return Puzzle(*on_board(puzzle, rules or "classic"))
    if isinstance(puzzle, str) and (plain := parse_plain(puzzle, _board_of(rules))) is not None:
        return Puzzle(*on_board(plain, rules or "classic"))
    found = as_puzzle(puzzle, rules)
    if found.warning:
        raise SatdokuError(f"{_place(found)}{found.warning}; {WAY}")
    return found


def rules_in_words(puzzle: PuzzleLike, rules: Rules = None) -> str:
    """The rules of a puzzle as people read them, a line each: the words of its setter, or else what
    stands in the cells, then each rule and each kind of clue under its usual name.

    Raises `SatdokuError` for what is no puzzle, as `satdoku.solve` does.
    """
    from ..model.words import sayings_of  # most puzzles are solved, and not told

    return "\n".join(map(str, sayings_of(as_puzzle(puzzle, rules))))


def without_marks(puzzle: PuzzleLike, rules: Rules = None) -> tuple[Grid, Constraints]:
    """`asked` where pencil marks are no part of the question: a puzzle with some is refused."""
    found = asked(puzzle, rules)
    if found.marks is not None:
        raise GridError("pencil marks", "a puzzle with givens only")
    return found.grid, found.constraints


def as_puzzle(puzzle: PuzzleLike, rules: Rules = None) -> Puzzle:
    """The puzzle in any of the forms that `satdoku.solve` accepts."""
    if isinstance(puzzle, Puzzle):
        return _under(puzzle, rules)
    if isinstance(puzzle, os.PathLike) or (isinstance(puzzle, str) and names_file(puzzle)):
        return _in_file(os.fspath(puzzle), rules)
    if isinstance(puzzle, str):
        return parse_puzzle(puzzle, rules)
    if getattr(getattr(puzzle, "dtype", None), "kind", "") == "b":
        return _of_marks(puzzle, rules)
    return Puzzle(*on_board(puzzle, rules or "classic"))


def parse_puzzle(
    text: str,
    rules: Rules = None,
    board: Board | None = None,
    *,
    source: str | None = None,
    line: int = 1,
) -> Puzzle:
    """Read the one puzzle of a text, in any format: a grid on one line or several, pencil marks, a
    link, JSON, or a text of another program.

    rules: those of a puzzle that states none; they must contain all that it states. board: the
    board that the puzzle must have. source, line: where the text begins, for errors. Raises
    `GridError` or another `SatdokuError` for what is no puzzle.
    """
    from .record import Reading, of_record, whole_record

    board = board or _board_of(rules)
    reading = Reading(source, board, board, rules=_text_of(rules))
    return _under(of_record(whole_record(text, reading, line), rules, source), rules)


def names_file(text: str) -> bool:
    """Whether a text is the name of a file that exists, and of no folder."""
    return os.path.exists(text) and not os.path.isdir(text)


def _in_file(path: str, rules: Rules) -> Puzzle:
    """The only puzzle of a file; raises `SatdokuError` for none and for several, and how many."""
    from .puzzles import read_puzzles
    from .streams import STANDARD

    name = os.path.join(os.curdir, path) if path == STANDARD else path
    puzzles = read_puzzles(name, _text_of(rules), _board_of(rules))
    found = list(islice(puzzles, MOST))
    if len(found) == 1:
        if isinstance(found[0], Unreadable):
            raise found[0].error
        return _under(found[0], rules)
    number = f"{len(found):,}" if next(puzzles, None) is None else f"more than {MOST:,}"
    raise SatdokuError(f"{name}: holds {number if found else 'no'} puzzles, expected one")


def _under(puzzle: Puzzle, rules: Rules) -> Puzzle:
    """The puzzle under the requested rules, which contain its own."""
    if rules is None or rules == puzzle.constraints:
        return puzzle
    from .foreign import reconciled

    constraints = reconciled(puzzle.constraints, _text_of(rules))
    return replace(puzzle, grid=Grid(puzzle.grid.cells, constraints.board), constraints=constraints)


def _of_marks(marks: Any, rules: Rules) -> Puzzle:
    """The puzzle of an array of bool: pencil marks."""
    from .cells import checked_cells
    from .record import givens_of

    rows, constraints = checked_cells(marks, rules or "classic")
    if len(rows) != 1:
        raise SatdokuError(f"{counted(len(rows), 'row')} of pencil marks, expected one puzzle")
    row = rows[0].tobytes()
    board = constraints.board
    return Puzzle(givens_of(row, board), constraints, digits_of(row, board.choices))


def _board_of(rules: Rules) -> Board | None:
    """The board that rules fix, None if the puzzle tells it."""
    return constraints_for(rules).board if rules is not None and tells_board(rules) else None


def _text_of(rules: Rules) -> str | None:
    return None if rules is None else rules_text(rules)


def _place(puzzle: Puzzle) -> str:
    return f"{puzzle.source}: line {puzzle.line}: " if puzzle.source else "puzzle: "
