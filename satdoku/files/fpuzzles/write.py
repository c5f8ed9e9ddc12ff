"""From a grid and its rules to the JSON object of f-puzzles.

Invariant: what is written reads back as the same puzzle; a rule that the format cannot express is
refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...model.constraints import Constraints
from ...model.grid import Grid
from ...model.rules import RuleError
from .read import (
    DIAGONALS,
    EXTRA,
    FLAGS,
    default_board,
    windows,
)

_KEYS = {name: flag for flag, name in FLAGS.items()}


def write_object(
    grid: Grid,
    constraints: Constraints,
    candidates: Sequence[Iterable[int]] | None,
    title: str,
    author: str,
) -> dict[str, Any]:
    """The object for a grid, on the board of its constraints; see `format_fpuzzles`."""
    size = constraints.board.size
    cells = [_cell(grid, cell, candidates) for cell in range(constraints.board.cells)]
    words = {"title": title, "author": author}
    return {
        "size": size,
        **{key: text for key, text in words.items() if text},
        "grid": [cells[i : i + size] for i in range(0, len(cells), size)],
        **_constraints(constraints),
    }


def _cell(grid: Grid, cell: int, candidates: Sequence[Iterable[int]] | None) -> dict[str, Any]:
    """What differs from an empty cell of the usual board."""
    board = grid.board
    stated: dict[str, Any] = {}
    if grid[cell]:
        stated |= {"value": grid[cell], "given": True}
    if board != default_board(board.size):
        stated["region"] = board.box_of(cell)
    if candidates is not None and not grid[cell] and (digits := sorted(candidates[cell])):
        stated["centerPencilMarks"] = digits
    return stated


def _constraints(constraints: Constraints) -> dict[str, Any]:
    stated: dict[str, Any] = {}
    for name in constraints.rules:
        if name in _KEYS:
            stated[_KEYS[name]] = True
        elif name == "diagonal":
            stated |= dict.fromkeys(DIAGONALS, True)
        elif name == "windoku":
            stated[EXTRA] = [{"cells": cells} for cells in windows(constraints.board)]
        else:  # a region map stands in the cells
            known = ", ".join([*_KEYS, "diagonal", "windoku", "jigsaw"])
            raise RuleError(f"f-puzzles has no rule '{name}'; it has {known}")
    return stated
