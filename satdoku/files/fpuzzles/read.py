"""From the JSON object of f-puzzles to a grid and its rules.

Invariant: every key is known to be a rule of satdoku, or known to be none, or refused by its name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...model.board import MAX_SIZE, Board, BoardError
from ...model.constraints import Constraints, constraints_for
from ...model.grid import Grid
from ...model.rules import RULES, RuleError
from .links import FPuzzlesError

Object = dict[str, Any]

# What f-puzzles calls the rules that it switches on or off; `diagonal` and `windoku` need more.
FLAGS = {
    "antiknight": "knight",
    "antiking": "king",
    "nonconsecutive": "nonconsecutive",
    "disjointgroups": "disjoint",
}
DIAGONALS = ("diagonal+", "diagonal-")  # from the lower left, from the upper left
EXTRA = "extraregion"
# In lower case: what is no constraint.
_COSMETIC = frozenset((
    "size", "grid", "title", "author", "ruleset", "solution", "highlightconflicts",
    "successmessage", "disabledlogic", "truecandidatesoptions", "metadata", "text", "circle",
    "rectangle", "line", "cage", "fogofwar", "foglight",
))  # fmt: skip
_COSMETIC_OF_A_CELL = frozenset(("c", "cArray", "highlight", "highlightArray", "cornerPencilMarks"))
_CELL = frozenset(("value", "given", "region", "centerPencilMarks"))


@dataclass(frozen=True)
class FPuzzle:
    """A puzzle of f-puzzles.

    grid: the givens; rules: a rule set that `constraints(rules, grid.board)` reads; entered: the
    givens and what a player had filled in; candidates: for each cell the centre marks; title,
    author, ruleset: what the setter wrote.
    """

    grid: Grid
    rules: str
    entered: Grid
    candidates: tuple[frozenset[int], ...]
    title: str = ""
    author: str = ""
    ruleset: str = ""


def read_object(value: Object, rules: str | None, board: Board | None) -> FPuzzle:
    """The puzzle that an object states; see `parse_fpuzzles`."""
    cells = _cells(value)
    here = _board(cells)
    if board is not None and _partition(board) != _partition(here):
        raise FPuzzlesError(_shape(here), _shape(board))
    constraints = _constraints(value, here if board is None else board, rules)
    digits = [_digit(cell.get("value"), here, i, "value") for i, cell in enumerate(cells)]
    givens = [digit if cell.get("given") else 0 for digit, cell in zip(digits, cells, strict=True)]
    marks = tuple(_marks(cell, here, i) for i, cell in enumerate(cells))
    words = (str(value.get(key) or "") for key in ("title", "author", "ruleset"))
    grid, entered = (Grid(bytes(some), constraints.board) for some in (givens, digits))
    return FPuzzle(grid, constraints.name, entered, marks, *words)


# Cells --------------------------------------------------------------------------------------------


def _cells(value: Object) -> list[Object]:
    """The objects of the cells, row-major, a square of them."""
    rows = value.get("grid")
    if not isinstance(rows, list) or not 1 <= len(rows) <= MAX_SIZE:
        raise FPuzzlesError("no grid", f"1 to {MAX_SIZE} rows of cells")
    if value.get("size", len(rows)) != len(rows):
        raise FPuzzlesError(f"{len(rows)} rows", f"{str(value['size'])[:20]}, as size says")
    for number, row in enumerate(rows, 1):
        if not isinstance(row, list) or len(row) != len(rows):
            found = f"{len(row)} cells" if isinstance(row, list) else type(row).__name__
            raise FPuzzlesError(f"{found} in row {number}", f"{len(rows)} cells")
    cells = [cell for row in rows for cell in row]
    for i, cell in enumerate(cells):
        place = _place(i, len(rows))
        if not isinstance(cell, dict):
            raise FPuzzlesError(f"{type(cell).__name__} as {place}", "an object for each cell")
        unknown = _stated(cell, _CELL | _COSMETIC_OF_A_CELL)
        if unknown:
            expected = f"none of a cell but {', '.join(sorted(_CELL))}"
            raise FPuzzlesError(f"the constraint {', '.join(unknown)} in {place}", expected)
    return cells


def _stated(value: Object, known: frozenset[str]) -> list[str]:
    """Keys that are not known and say something, shortened."""
    return sorted({key[:30] for key, what in value.items() if what and key not in known})


def _place(cell: int, size: int) -> str:
    return f"r{cell // size + 1}c{cell % size + 1}"


def _digit(value: object, board: Board, cell: int, what: str) -> int:
    """A digit, 0 where there is none."""
    if value in (None, 0, ""):
        return 0
    if type(value) is not int or not 1 <= value <= board.size:
        found = f"{what} {str(value)[:20]!a} in {_place(cell, board.size)}"
        raise FPuzzlesError(found, f"a digit 1-{board.size}")
    return value


def _marks(cell: Object, board: Board, number: int) -> frozenset[int]:
    marks = cell.get("centerPencilMarks") or []
    if not isinstance(marks, list):
        raise FPuzzlesError("centerPencilMarks that are no list", "a list of digits")
    return frozenset(_digit(mark, board, number, "mark") for mark in marks) - {0}


# Board --------------------------------------------------------------------------------------------


def default_board(size: int) -> Board:
    """The boxes where no region is stated; where none fit (5x5, 7x7), rows and columns are all."""
    try:
        return Board.of_size(size)
    except BoardError:
        return Board(size, 1, size)


def _board(cells: list[Object]) -> Board:
    """Boxes where the regions are some, else a region map; a cell that says none has its box's."""
    usual = default_board(round(len(cells) ** 0.5))
    labels = [cell.get("region", usual.box_of(i)) for i, cell in enumerate(cells)]
    for i, label in enumerate(labels):
        if type(label) is not int:
            found = f"region {str(label)[:20]} in {_place(i, usual.size)}"
            raise FPuzzlesError(found, "a number: every cell in one region")
    index = {label: i for i, label in enumerate(dict.fromkeys(labels))}
    if len(index) != usual.size:
        raise FPuzzlesError(f"{len(index)} regions", f"{usual.size}")
    try:
        board = Board(usual.size, regions=tuple(index[label] for label in labels))
    except BoardError as error:
        raise FPuzzlesError(f"regions of unequal size ({error})", f"{usual.size} cells") from None
    return next((box for box in _box_shapes(usual) if _partition(box) == _partition(board)), board)


def _box_shapes(usual: Board) -> Iterator[Board]:
    """Every board of that size with boxes of more than a line, the usual one first."""
    yield usual
    size = usual.size
    yield from (Board(size, h, size // h) for h in range(2, size) if size % h == 0)


def _partition(board: Board) -> frozenset[tuple[int, ...]]:
    return frozenset(board.boxes)


def _shape(board: Board) -> str:
    kind = "regions" if board.regions else f"boxes of {board.box_rows}x{board.box_columns}"
    return f"a board of {board.size}x{board.size} with {kind}"


# Rules --------------------------------------------------------------------------------------------


def _constraints(value: Object, board: Board, rules: str | None) -> Constraints:
    """The puzzle's own rules, or those that are asked for if they have all of them."""
    known = frozenset((*FLAGS, *DIAGONALS, EXTRA))
    unknown = _stated({k: v for k, v in value.items() if k.lower() not in _COSMETIC}, known)
    if unknown:
        expected = f"none but {', '.join([*FLAGS, *DIAGONALS])}"
        raise FPuzzlesError(f"the constraint {', '.join(unknown)}", expected)
    asked = None if rules is None else constraints_for(rules, board)
    if asked is not None and _partition(asked.board) != _partition(board):
        raise FPuzzlesError(_shape(board), _shape(asked.board))
    stated = [name for flag, name in FLAGS.items() if value.get(flag)]
    stated += _diagonals(value, asked)
    stated += _windows(value, board)
    try:
        own = constraints_for(",".join(stated), board)
    except RuleError as error:
        raise FPuzzlesError(f"{', '.join(stated)} ({error})", "rules its board can have") from None
    if asked is None:
        return own
    missing = [name for name in stated if name not in asked.rules]
    if missing:
        found, expected = f"the rule {', '.join(missing)}", f"none that '{rules}' leaves out"
        raise FPuzzlesError(found, expected)
    return asked


def _diagonals(value: Object, asked: Constraints | None) -> list[str]:
    """`diagonal` is both; one of them alone is no rule of satdoku."""
    stated = [flag for flag in DIAGONALS if value.get(flag)]
    if len(stated) == 1 and not (asked and "diagonal" in asked.rules):
        found = f"the constraint {stated[0]} alone"
        raise FPuzzlesError(found, "both diagonals, or rules with diagonal, which is both")
    return ["diagonal"] if stated else []


def windows(board: Board) -> list[list[str]]:
    """The windows' cells as f-puzzles names them; none where the board has no windows."""
    houses = RULES["windoku"].houses
    assert houses is not None
    try:
        return [[board.name_of(cell).upper() for cell in house] for house in houses(board)]
    except RuleError:
        return []


def _windows(value: Object, board: Board) -> list[str]:
    """`windoku` where the extra regions are the windows of the board."""
    regions = value.get(EXTRA) or []
    if not regions:
        return []
    try:
        found = {frozenset(map(str.upper, region["cells"])) for region in regions}
    except (TypeError, KeyError) as error:
        raise FPuzzlesError(f"{EXTRA} that cannot be read ({error!r:.60})", "cells") from None
    if found != set(map(frozenset, windows(board))):
        raise FPuzzlesError(f"the constraint {EXTRA}", "none but the windows of windoku")
    return ["windoku"]
