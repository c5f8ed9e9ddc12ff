"""What a request states, read: the puzzle, and the plain values beside it.

Invariant: nothing of a request is believed. What is wrong is a `SatdokuError` that names the key.
"""

from __future__ import annotations

import json
from dataclasses import replace

from ..files.foreign import ForeignError, json_type
from ..files.puzzle_json import format_puzzle_json, puzzle_of
from ..model.board import Board
from ..model.grid import Grid
from ..model.puzzle import Puzzle
from ..runtime.errors import SatdokuError
from .questions import Object

HIGHEST_SEED = (1 << 53) - 1  # that JavaScript holds
LARGEST, WIDEST, MOST_CELLS = 16, 33, 1500  # sides of a grid, of a board; cells of all layers


class AskedError(SatdokuError):
    """A request that cannot be answered."""


def asked_puzzle(asked: Object, *, marks: bool = True) -> Puzzle:
    """The puzzle under the key `puzzle`; without `marks` one with pencil marks is refused."""
    stated = asked.get("puzzle")
    if not isinstance(stated, dict):
        raise AskedError(f"puzzle: found {json_type(stated)}, expected an object")
    try:
        found = puzzle_of(stated)
    except ForeignError as error:  # its line and column are of a text that nobody has seen
        raise AskedError(error.found) from None
    checked_size(found.grid.board)
    if found.marks is not None and not marks:
        raise AskedError("the puzzle has pencil marks: expected one without")
    return found


def checked_size(board: Board) -> None:
    """Raises `AskedError` for a board that is too large for the page."""
    if max(board.height, board.width) > LARGEST:
        said = f"a board of {board.shape}"
        raise AskedError(f"{said}: the page takes up to {LARGEST}x{LARGEST}")
    if max(board.extent) > WIDEST or board.cells > MOST_CELLS:
        found = f"{'x'.join(map(str, board.extent))} places and {board.cells} cells"
        expected = f"up to {WIDEST}x{WIDEST} and {MOST_CELLS}, with those of layers"
        raise AskedError(f"a board of {found}: the page takes {expected}")


def clue_texts(asked: Object) -> list[str]:
    """The clues as they are stated, one by one."""
    stated = asked["puzzle"].get("clues") or []
    return (
        stated if isinstance(stated, list) else [*filter(None, map(str.strip, stated.split(";")))]
    )


def rules_of(asked: Object) -> str:
    """The rules and clues as they are written: only they tell an `x` from a `sum`."""
    stated = asked["puzzle"]
    clues = stated.get("clues") or []
    return ";".join([stated.get("rules") or "classic", *([clues] if type(clues) is str else clues)])


def number_of(asked: Object, key: str, low: int, high: int, default: int) -> int:
    """A whole number of a request."""
    value = asked.get(key)
    if value is None:
        return default
    if type(value) is not int or not low <= value <= high:
        raise AskedError(f"{key}: found {str(value)[:20]}, expected a number from {low} to {high}")
    return value


def text_of(asked: Object, key: str, default: str | None = None) -> str:
    """A text of a request."""
    value = asked.get(key, default)
    if not isinstance(value, str):
        raise AskedError(f"{key}: found {json_type(value)}, expected a text")
    return value


def flag_of(asked: Object, key: str, *, default: bool = False) -> bool:
    """Whether a request says true."""
    value = asked.get(key, default)
    if not isinstance(value, bool):
        raise AskedError(f"{key}: found {json_type(value)}, expected true or false")
    return value


def stated(puzzle: Puzzle, grid: Grid | None = None) -> Object:
    """A puzzle as the page holds it, with other digits if a grid is given."""
    shown = replace(puzzle, grid=puzzle.grid if grid is None else grid, answer=None, id="")
    value: Object = json.loads(format_puzzle_json(shown))
    return value
