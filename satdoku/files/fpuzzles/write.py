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
from ...model.rules import JIGSAW, RuleError
from ..foreign import houses_of
from .clues import write_clues
from .denials import BY_HOUSES, DENIALS, FLAGS, RULE, write_denials
from .read import house_keys

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
        **_written(constraints),
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


def _written(constraints: Constraints) -> dict[str, Any]:
    """The keys of rules and clues; a region map stands in the cells."""
    board = constraints.board
    keys = house_keys(board)
    names = constraints.names
    houses = [text for name in BY_HOUSES if name in names for text in houses_of(name, board)]
    stated: dict[str, Any] = dict(_flags(names))
    stated |= {key: True for text, key in keys.items() if text in (*constraints.rules, *houses)}
    clues = [
        clue
        for clue in apart(constraints.clues)
        if clue.kind not in DENIALS and clue.text(board) not in keys
    ]
    clues += [read_clue(text, board) for text in houses if text not in keys]
    return stated | write_denials(constraints) | write_clues(clues, board)


def _flags(names: Iterable[str]) -> Iterator[tuple[str, bool]]:
    for name in names:
        if name in _KEYS:
            yield _KEYS[name], True
        elif name not in (RULE, *BY_HOUSES):
            known = ", ".join([*_KEYS, RULE, *BY_HOUSES, JIGSAW])
            raise RuleError(f"f-puzzles has no rule '{name}'; it has {known}")
