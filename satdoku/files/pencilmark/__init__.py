"""Puzzles as the program pencilmark exchanges them: JSON of the format `sudoku-puzzle`, version 1.

Invariant: an object is read as exactly the puzzle that it states, or refused with the name of the
rule or the key that is not supported, as the format's specification demands of its readers.

Source: docs/FORMAT.md and docs/sudoku-puzzle.schema.json of pypi.org/project/pencilmark. Of its
keys, `meta`, `style`, `decorations` and `ext` say nothing about the solution. Houses are rules like
all others; they make the board and, for houses beyond it, clues. `rules.FAMILIES` has the other
rules, each of which becomes clues.

Supported are square boards on which all rows and columns are houses and cells hold 1 to the size.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from ...model.board import MAX_SIZE, MIN_SIZE, NOT_SQUARE, OTHER_DIGITS, Board, Cells
from ...model.constraints import constraints_for
from ...model.grid import Grid
from ...model.kinds import HOUSE, UNEQUAL
from ...model.puzzle import Digits, Puzzle
from ...runtime.errors import SatdokuError
from ..foreign import ForeignError, checked, json_of, json_type, parser, reconciled
from .cells import Rule, cell_numbers, text_of
from .rules import rule_clues

VERSION = 1
_NEEDED = ("format", "format_version", "board", "digits", "givens", "rules")
_KEYS = (*_NEEDED, "$schema", "meta", "solution", "candidates", "decorations", "style", "ext")


@parser
def parse_pencilmark(text: str, rules: str | None = None, board: Board | None = None) -> Puzzle:
    """Read an object of pencilmark's `sudoku-puzzle`; errors name the rule that is wrong."""
    value = json_of(text)
    size = _size(value)
    houses, boxes, others = split_houses(_rules(value), size)
    here, names = house_clues(houses, boxes, size)
    words = [*names, *rule_clues(others, checked(here, board))]
    try:
        own = constraints_for(";".join(words) or "classic", here)
    except SatdokuError as error:
        raise ForeignError(str(error)) from None
    constraints = reconciled(own, rules)
    givens = _digits(value["givens"], "givens", size, 0)
    grid = Grid(bytes(givens), constraints.board)
    solution = value.get("solution")
    if solution is not None:
        solution = Grid(bytes(_digits(solution, "solution", size, 1)), constraints.board)
    meta = value.get("meta") or {}
    name, title, author = (str(meta.get(key) or "") for key in ("id", "title", "author"))
    marks = _candidates(value, here)
    return Puzzle(grid, constraints, marks, solution, name, title, author)


def _size(value: dict[str, Any]) -> int:
    """The size of a square board whose cells hold 1 to that size."""
    version = value.get("format_version")
    if version != VERSION or isinstance(version, bool):
        raise ForeignError(f"format_version {_cut(version)}: expected {VERSION}")
    if missing := [key for key in _NEEDED if key not in value]:
        raise ForeignError(f"no key '{missing[0]}': expected {', '.join(_NEEDED)}")
    if unknown := [key for key in value if key not in _KEYS]:
        raise ForeignError(f"no key '{_cut(unknown[0])}' is known: expected {', '.join(_KEYS)}")
    shape, digits = value["board"], value["digits"]
    if not isinstance(shape, dict) or set(shape) != {"rows", "cols"}:
        raise ForeignError('board: expected an object such as {"rows": 9, "cols": 9}')
    sizes = [shape["rows"], shape["cols"], digits]
    if any(type(size) is not int for size in sizes) or len({*sizes}) > 1:
        found = f"{_cut(shape['rows'])}x{_cut(shape['cols'])} with {_cut(digits)} digits"
        why = OTHER_DIGITS if shape["rows"] == shape["cols"] else NOT_SQUARE
        raise ForeignError(f"{found}: {why}")
    if not MIN_SIZE <= digits <= MAX_SIZE:
        expected = f"expected {MIN_SIZE} to {MAX_SIZE}"
        raise ForeignError(f"a board of size {_cut(digits)}: {expected}")
    return int(digits)


def _rules(value: dict[str, Any]) -> list[Rule]:
    rules = value["rules"]
    if not isinstance(rules, list) or not all(isinstance(rule, dict) for rule in rules):
        raise ForeignError("rules: expected a list of objects")
    if not all(isinstance(value.get(key) or {}, dict) for key in ("meta", "candidates")):
        raise ForeignError("meta and candidates: expected objects")
    return rules


def _digits(cells: object, key: str, size: int, least: int) -> list[int]:
    if not isinstance(cells, list) or len(cells) != size * size:
        found = len(cells) if isinstance(cells, list) else json_type(cells)
        raise ForeignError(f"{key}: found {found}, expected a list of {size * size} numbers")
    for digit in cells:
        if type(digit) is not int or not least <= digit <= size:
            raise ForeignError(f"{key}: found {_cut(digit)}, expected digits {least} to {size}")
    return cells


def _candidates(value: dict[str, Any], board: Board) -> Digits | None:
    """The digits that each cell may hold, None if none is restricted."""
    stated = value.get("candidates")
    if not stated:
        return None
    names = {board.name_of(cell): cell for cell in range(board.cells)}
    every = frozenset(range(1, board.size + 1))
    found = [every] * board.cells
    for name, digits in stated.items():
        known = isinstance(digits, list) and all(type(digit) is int for digit in digits)
        if name not in names or not known or not every.issuperset(digits):
            expected = f"expected a cell and a list of digits 1-{board.size}"
            raise ForeignError(f"candidates: {_cut(name)} has {_cut(digits)}, {expected}")
        found[names[name]] = frozenset(digits)
    return tuple(found)


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
