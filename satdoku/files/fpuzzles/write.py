"""From a grid and its rules to the JSON object of f-puzzles.

Invariant: what is written reads back as the same puzzle; a rule that the format cannot express is
refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ...model.board import Board
from ...model.clue import read_clue
from ...model.constraints import Constraints
from ...model.grid import Grid
from ...model.kinds import apart
from ...model.rules import RuleError
from .clues import write_clues
from .denials import DENIALS, NONCONSECUTIVE, write_denials
from .read import DIAGONALS, FLAGS, diagonals, windows

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
    """What differs from an empty cell of the usual board; a region of null is none."""
    board = grid.board
    stated: dict[str, Any] = {}
    if grid[cell]:
        stated |= {"value": grid[cell], "given": True}
    if board != Board.of_size(board.size):
        stated["region"] = board.box_of(cell) if board.has_boxes else None
    if candidates is not None and not grid[cell] and (digits := sorted(candidates[cell])):
        stated["centerPencilMarks"] = digits
    return stated


def _constraints(constraints: Constraints) -> dict[str, Any]:
    """The keys of rules and clues; a region map stands in the cells."""
    board = constraints.board
    flags = diagonals(board)
    stated: dict[str, Any] = dict(_flags(constraints.names))
    stated |= {flags[rule]: True for rule in constraints.rules if rule in flags}
    clues = [
        clue
        for clue in apart(constraints.clues)
        if clue.kind not in DENIALS and clue.text(board) not in flags
    ]
    if "windoku" in constraints.names:
        clues += [read_clue(text, board) for text in windows(board)]
    return stated | write_denials(constraints) | write_clues(clues, board)


def _flags(names: Iterable[str]) -> Iterator[tuple[str, bool]]:
    for name in names:
        if name in _KEYS:
            yield _KEYS[name], True
        elif name == "diagonal":
            yield from ((flag, True) for flag in DIAGONALS)
        elif name not in ("windoku", NONCONSECUTIVE):
            known = ", ".join([*_KEYS, NONCONSECUTIVE, "diagonal", "windoku", "jigsaw"])
            raise RuleError(f"f-puzzles has no rule '{name}'; it has {known}")
