"""From a JSON object of f-puzzles to one of SudokuPad, which draws the same.

Invariant: a clue is drawn as `sudokupad` reads it, which is the inverse of this module; a key that
has no drawing here is refused by its name. Whether drawings that lie on one another can still be
told apart, the writer of a link finds out by reading it.

Lines and circles have the colours and the sizes that f-puzzles draws.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ...model.board import Board
from ...model.clue import ClueError
from ...model.looks import Look
from .clues import NEGATIVE
from .looks import as_native
from .sudokupad import GLOBAL, STYLES

Item = dict[str, Any]
Point = tuple[float, float]
Drawn = Iterator[tuple[str, Item]]  # a list of SudokuPad, and an item of it
_GREY, _BLACK, _WHITE = "#CFCFCF", "#000000", "#FFFFFF"
_NAME = re.compile(r"R(\d+)C(\d+)")
_WAYS = {"UR": (-1, 1), "UL": (-1, -1), "DR": (1, 1), "DL": (1, -1)}
_METADATA = {"title": "title", "author": "author", "ruleset": "rules"}  # what SudokuPad calls it
_TOLD = ("size", "grid", *_METADATA)


def as_sudokupad(value: Item, looks: Iterable[Look] = ()) -> Item:
    """The object of SudokuPad that says what one of f-puzzles says, with drawings beside it."""
    drawn: Item = {"cages": [], "lines": [], "arrows": [], "underlays": [], "overlays": []}
    names: list[str] = []
    for key, items in value.items():
        if key == NEGATIVE:
            names += [_GLOBAL_NAMES[key, item] for item in items]
        elif (key, True) in _GLOBAL_NAMES:
            names.append(_GLOBAL_NAMES[key, True])
        elif key not in _TOLD:
            if key not in _DRAWERS:
                raise ClueError(f"SudokuPad's own form has no {key}; it has {', '.join(_DRAWERS)}")
            for place, item in (found for each in items for found in _DRAWERS[key](each)):
                drawn[place].append(item)
    for place, item in map(as_native, looks):
        drawn[place].append(item)
    words = {name: value[key] for key, name in _METADATA.items() if key in value}
    return {
        "cells": [[_cell(cell) for cell in row] for row in value["grid"]],
        "regions": _regions(value["grid"]),
        **{key: items for key, items in drawn.items() if items},
        **({"global": names} if names else {}),
        **({"metadata": words} if words else {}),
    }


_GLOBAL_NAMES = {
    (key, what if what is True else what[0]): name for name, (key, what) in GLOBAL.items()
}


def _cell(cell: Item) -> Item:
    value = {"value": cell["value"]} if "value" in cell else {}
    marks = cell.get("centerPencilMarks")
    return value | ({"centremarks": marks} if marks else {})


def _regions(grid: list[list[Item]]) -> list[list[list[int]]]:
    """The cells of each region; those of the usual boxes if no cell states one."""
    places = [(row, column) for row, line in enumerate(grid) for column in range(len(line))]
    usual = Board.of_shape(len(grid), len(grid[0]))
    stated = [grid[row][column].get("region") for row, column in places]
    if not any("region" in cell for line in grid for cell in line) and usual.has_boxes:
        stated = [usual.box_of(cell) for cell in range(len(places))]
    found: dict[int, list[list[int]]] = {}
    for region, place in zip(stated, places, strict=True):
        if region is not None:
            found.setdefault(region, []).append([*place])
    return [found[region] for region in sorted(found)]


# Drawings -----------------------------------------------------------------------------------------


def _at(name: str) -> Point:
    """The middle of a cell."""
    match = _NAME.fullmatch(name)
    assert match is not None  # a name that was written here
    return int(match[1]) - 0.5, int(match[2]) - 0.5


def _between(names: list[str]) -> Point:
    rows, columns = zip(*map(_at, names), strict=True)
    return sum(rows) / len(rows), sum(columns) / len(columns)


def _mark(middle: Point, size: float, **more: object) -> Item:
    return {"center": [*middle], "width": size, "height": size, **more}


def _round(middle: Point, size: float, fill: str, border: str, **more: object) -> Item:
    look = {"rounded": True, "backgroundColor": fill, "borderColor": border}
    return _mark(middle, size, **look, **more)


def _line(names: list[str], colour: str, thickness: float) -> Item:
    points = [[*_at(name)] for name in names]
    return {"wayPoints": points, "color": colour, "thickness": thickness}


def _caged(cells: list[str], **more: object) -> Item:
    corners = [[int(x) for x in _at(name)] for name in cells]
    return {"cells": corners, "unique": True, **more}


def _cage(item: Item) -> Drawn:
    yield "cages", _caged(item["cells"], value=item.get("value", ""))


def _styled(style: str) -> Callable[[Item], Drawn]:
    def draw(item: Item) -> Drawn:
        yield "cages", _caged(item["cells"], style=style)

    return draw


def _thermometer(item: Item) -> Drawn:
    for names in item["lines"]:
        yield "underlays", _round(_at(names[0]), 0.85, _GREY, _GREY)
        yield "lines", _line(names, _GREY, 21)


def _arrow(item: Item) -> Drawn:
    rows, columns = zip(*map(_at, item["cells"]), strict=True)
    circle = _round(_between(item["cells"]), 0.8, _WHITE, _BLACK)
    circle["height"], circle["width"] = (0.8 + max(x) - min(x) for x in (rows, columns))
    yield "underlays", circle
    for names in item["lines"]:
        yield "arrows", _line(names, _BLACK, 3)


def _dot(fill: str) -> Callable[[Item], Drawn]:
    def draw(item: Item) -> Drawn:
        text = {"text": item["value"]} if item.get("value") else {}
        yield "overlays", _round(_between(item["cells"]), 0.35, fill, _BLACK, **text)

    return draw


def _letter(item: Item) -> Drawn:
    yield "overlays", _mark(_between(item["cells"]), 0.4, text=item["value"])


def _quadruple(item: Item) -> Drawn:
    digits = " ".join(map(str, item["values"]))
    yield "overlays", _round(_between(item["cells"]), 0.7, _WHITE, _BLACK, text=digits)


def _parity(*, rounded: bool) -> Callable[[Item], Drawn]:
    def draw(item: Item) -> Drawn:
        grey = {"backgroundColor": _GREY, "rounded": rounded}
        yield "underlays", _mark(_at(item["cell"]), 0.8, **grey)

    return draw


def _little_killer(item: Item) -> Drawn:
    row, column = _at(item["cell"])
    down, right = _WAYS[item["direction"]]
    points = [[row, column], [row + 0.4 * down, column + 0.4 * right]]
    yield "arrows", {"wayPoints": points, "color": _BLACK, "thickness": 3}
    yield "overlays", _mark((row, column), 0.4, text=item["value"])


_DRAWERS: dict[str, Callable[[Item], Drawn]] = {
    "killercage": _cage,
    **{key: _styled(style) for style, key in STYLES.items()},
    "thermometer": _thermometer,
    "arrow": _arrow,
    "difference": _dot(_WHITE),
    "ratio": _dot(_BLACK),
    "xv": _letter,
    "quadruple": _quadruple,
    "odd": _parity(rounded=True),
    "even": _parity(rounded=False),
    "littlekillersum": _little_killer,
}
