"""The houses that an exchanged puzzle lists: a board and, for houses beyond it, clues.

Invariant: the board with the clues has just the houses that are listed, in whatever rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from ...model.board import Board, Cells
from ...model.kinds import HOUSE, UNEQUAL
from ..foreign import ForeignError
from .cells import Rule, cell_numbers, text_of

_HOUSES = ("grid", "box_grid", "row", "column", "box")


def split_houses(rules: Iterable[Rule], size: int) -> tuple[list[Cells], list[Cells], list[Rule]]:
    """The houses of the rules, those of them that are boxes, and the rules that are none."""
    houses: list[Cells] = []
    boxes: list[Cells] = []
    others: list[Rule] = []
    for rule in rules:
        if rule.get("type") not in _HOUSES:
            others.append(rule)
            continue
        found = [*_houses(rule, size)]
        houses += found
        boxes += (
            found[2 * size :] if rule["type"] == "box_grid" else found * (rule["type"] == "box")
        )
    return [*dict.fromkeys(houses)], [*dict.fromkeys(boxes)], others


def house_clues(houses: list[Cells], boxes: list[Cells], size: int) -> tuple[Board, list[str]]:
    """The board of the houses, and those beyond it as clues."""
    board = Board.latin(size)
    if missing := {*board.rows, *board.columns} - {*houses}:
        raise ForeignError(f"{len(missing)} of the rows and columns are no houses: not supported")
    if sorted(cell for box in boxes for cell in box) == [*range(size**2)] and len(boxes) == size:
        board = _board(boxes, size)
    return board, [
        f"{HOUSE if len(house) == size else UNEQUAL}:{text_of(house, size)}"
        for house in houses
        if house not in board.houses
    ]


def _board(boxes: list[Cells], size: int) -> Board:
    """The board whose boxes are these."""
    shapes = [Board(size, h, size // h) for h in range(2, size) if size % h == 0]
    index = {cell: number for number, box in enumerate(sorted(boxes)) for cell in box}
    jigsaw = Board(size, regions=tuple(index[cell] for cell in range(size * size)))
    return next((board for board in shapes if {*board.boxes} == {*boxes}), jigsaw)


def _houses(rule: Rule, size: int) -> Iterator[Cells]:
    """The houses of a rule, each sorted."""
    kind = rule["type"]
    if kind not in ("grid", "box_grid"):
        cells = tuple(sorted(cell_numbers(rule.get("cells"), size)))
        if not 2 <= len(cells) <= size:
            raise ForeignError(f"{kind}: {len(cells)} cells, expected 2 to {size}")
        yield cells
        return
    if rule.get("origin") != "r1c1":
        raise ForeignError(f"{kind}: found origin {_cut(rule.get('origin'))}, expected r1c1")
    board = Board(size, *_box(rule, size)) if kind == "box_grid" else Board.latin(size)
    yield from board.houses


def _box(rule: Rule, size: int) -> tuple[int, int]:
    box = rule.get("box")
    sides = box if isinstance(box, list) and all(type(side) is int for side in box) else []
    if len(sides) == 2 and min(sides) >= 1 and sides[0] * sides[1] == size:
        return sides[0], sides[1]
    raise ForeignError(f"box_grid: found box {_cut(box)}, expected two sides that give {size}")


def _cut(value: Any) -> str:
    return re.sub(r"\s+", " ", str(value))[:40]
