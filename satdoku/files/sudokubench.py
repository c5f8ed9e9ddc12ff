"""Rows of Sudoku-Bench: a grid, rules in prose, and what SudokuPad draws, as text and packed.

Invariant: a row is read as the puzzle that SudokuPad shows, under the rules that its drawings and
its prose state; where the grid beside contradicts it, the row is refused. Rules that are only told
are named in `Puzzle.warning`.

Source: https://github.com/SakanaAI/Sudoku-Bench, `src/sudokupad_interaction/puzzle_tools`. Of a
row, these keys are read:

    initial_board      a character a cell, `.` for an empty one
    rows, cols         numbers, which may be texts
    rules              the prose, as JSON (a text, or a list of texts), or as it is
    encoded_puzzle     the payload of a link of SudokuPad
    visual_elements    JSON: what the payload draws, read where there is none (`_DRAWN`)
    title, author      texts
    puzzle_id, solution   as of other rows
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ..model.board import MAX_SIZE, MIN_SIZE, Board
from ..model.constraints import RulesLike
from ..model.grid import Grid, parse_grid
from ..model.puzzle import Puzzle
from .foreign import ForeignError, checked, json_of, json_type, parser
from .fpuzzles import parse_fpuzzles, read_native
from .fpuzzles.words import unstated_rules

_CELL = re.compile(r"r(\d{1,2})c(\d{1,2})\Z")
Row = Mapping[str, Any]
Item = dict[str, Any]


@parser
def parse_sudokubench(
    text: str, rules: RulesLike | None = None, board: Board | None = None
) -> Puzzle:
    """Read the JSON object of a row."""
    row = json_of(text)
    if "initial_board" not in row:
        raise ForeignError("no initial_board, which holds the grid")
    here = checked(_board(row), board)
    prose = _prose(row.get("rules"))
    stated = str(row["initial_board"] or "").strip()
    grid = parse_grid(stated, here)
    packed = str(row.get("encoded_puzzle") or "").strip()
    if packed:
        puzzle = parse_fpuzzles(packed, rules, board)
        _compare(puzzle.grid, grid)
        told = unstated_rules({"ruleset": prose, "grid": []}, puzzle.constraints)
        puzzle = replace(puzzle, warning=puzzle.warning or told)
    else:
        puzzle = read_native(_drawing(row, grid, prose), rules, board)
    title, author = (str(row.get(key) or getattr(puzzle, key)) for key in ("title", "author"))
    return replace(
        puzzle,
        words=puzzle.words or prose,
        title=title,
        author=author,
        id=str(row.get("puzzle_id") or ""),
    )


def _board(row: Row) -> Board:
    """The usual board with so many rows."""
    sizes = []
    for key in ("rows", "cols"):
        text = str(row.get(key))[:20]
        if not text.isdecimal() or not MIN_SIZE <= int(text) <= MAX_SIZE:
            raise ForeignError(f"{key} is {text!a}, expected {MIN_SIZE} to {MAX_SIZE}")
        sizes.append(int(text))
    return Board.of_shape(sizes[0], sizes[1])


def _prose(value: object) -> str:
    """The rules in words: a text, or JSON of a text or of texts."""
    if isinstance(value, str) and value.lstrip()[:1] in ('"', "["):
        with suppress(ValueError):
            value = json.loads(value)
    if isinstance(value, list):
        return "\n".join(map(str, value))
    return "" if value is None else str(value)


def _compare(drawn: Grid, stated: Grid) -> None:
    """Raise `ForeignError` where the givens of the payload are not those of the grid beside."""
    if len(drawn) != len(stated):
        raise ForeignError(f"{len(stated)} cells in initial_board, {len(drawn)} in encoded_puzzle")
    for cell, (here, there) in enumerate(zip(stated, drawn, strict=True)):
        if here != there:
            name = stated.board.name_of(cell)
            beside = f"{name} is {here or 'empty'} in initial_board"
            raise ForeignError(f"{beside}, {there or 'empty'} in encoded_puzzle")


# What is drawn, without a payload -----------------------------------------------------------------


def _drawing(row: Row, grid: Grid, prose: str) -> Item:
    """The object of SudokuPad with the givens and the drawings of a row."""
    width = grid.board.width
    cells = [{"value": digit} if digit else {} for digit in grid]
    value: Item = {
        "cells": [cells[i : i + width] for i in range(0, len(cells), width)],
        "metadata": {"rules": prose},
        "cages": [], "lines": [], "arrows": [], "underlays": [], "overlays": [], "regions": [],
    }  # fmt: skip
    manual = []
    for item in _items(row.get("visual_elements")):
        kind = str(item.get("type"))
        if kind == "manual":
            manual.append(str(item.get("text")))
        elif kind == "global" and item.get("text") in _GLOBAL:
            value["metadata"][_GLOBAL[str(item["text"])]] = True
        elif kind in _DRAWN:
            _DRAWN[kind](item, value)
        else:
            manual.append(
                f"{kind[:40]} {' '.join(map(str, item.get('coords') or item.get('cells') or ()))}"
            )
    value["metadata"]["rules"] = "\n".join([prose, *manual])
    drawn = {tuple(cell) for region in value["regions"] for cell in region}
    boxes = [[divmod(cell, width) for cell in box] for box in grid.board.boxes]
    value["regions"] += [[*map(list, box)] for box in boxes if drawn.isdisjoint(box)]
    return value


def _items(value: object) -> Iterator[Item]:
    """The drawings: a list, or its JSON."""
    if isinstance(value, str) and value.strip():
        try:
            value = json.loads(value)
        except ValueError:
            raise ForeignError("visual_elements is no JSON") from None
    if value and not isinstance(value, list):
        raise ForeignError(f"visual_elements is {json_type(value)}, expected a list")
    for item in value or ():  # type: ignore[attr-defined]
        if not isinstance(item, dict):
            raise ForeignError(f"visual_elements holds {json_type(item)}, expected objects")
        yield item


_GLOBAL = {"anti-king": "antiking", "anti-knight": "antiknight"}


def _cells(item: Item, key: str) -> list[list[int]]:
    """The cells that a drawing names, as rows and columns from 0; a range is all of its cells."""
    found, names = [], item.get(key) or []
    if not isinstance(names, list):
        raise ForeignError(f"visual_elements: {key} is {json_type(names)}, expected a list")
    for name in names:
        ends = [_CELL.match(end) for end in str(name).split("-")]
        if len(ends) > 2 or None in ends:
            raise ForeignError(f"visual_elements: cell {str(name)[:20]!a}, expected such as r1c2")
        (top, left), *_, (bottom, right) = [(int(m[1]), int(m[2])) for m in ends if m] * 2
        found += [[r - 1, c - 1] for r in range(top, bottom + 1) for c in range(left, right + 1)]
    return found


def _cage(item: Item, value: Item) -> None:
    """A killer cage, or an irregular region; rows and columns, which have no style, say nothing."""
    cells, total = _cells(item, "cells"), item.get("value")
    if item.get("style") == "box":
        value["regions"].append(cells)
    elif item.get("style"):
        value["cages"].append(
            {"cells": cells, "unique": True, **({"value": total} if total else {})}
        )


def _line(item: Item, value: Item) -> None:
    points = [[row + 0.5, column + 0.5] for row, column in _cells(item, "coords")]
    look = {"color": item.get("color_hex"), "thickness": item.get("thickness")}
    value[item["type"]].append({"wayPoints": points, **{k: v for k, v in look.items() if v}})


def _mark(item: Item, value: Item) -> None:
    """A circle, a square or a text, in the middle of the cells that it names."""
    cells = _cells(item, "coords")
    if not cells:
        raise ForeignError("visual_elements: a drawing without coords")
    middle = [sum(parts) / len(cells) + 0.5 for parts in zip(*cells, strict=True)]
    value[item["type"]].append({
        "center": middle, "width": item.get("width") or 0, "height": item.get("height") or 0,
        "rounded": item.get("shape") == "circle", "text": item.get("text") or "",
        "backgroundColor": item.get("color_hex") or "",
        "borderColor": item.get("border_color_hex") or "",
        **({"angle": 45} if item.get("shape") == "diamond" else {}),
    })  # fmt: skip


_DRAWN: Mapping[str, Callable[[Item, Item], None]] = {
    "cage": _cage, "lines": _line, "arrows": _line, "underlays": _mark, "overlays": _mark,
}  # fmt: skip
