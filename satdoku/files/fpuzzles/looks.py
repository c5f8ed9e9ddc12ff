"""Drawings that mean nothing, in the objects of f-puzzles and of SudokuPad, read and written.

Invariant: what is read is what was drawn, as far as it can be told; a drawing that is not as the
format has it is passed over, since none acts on the solution. `written` states a drawing in the
nearest way that f-puzzles has, `as_native` as it is.

Of an object of f-puzzles: `c` or `cArray` of a cell (its colour, or several), and the lists `line`
(lines, outlineC, width), `rectangle` and `circle` (cells, width, height, baseC, outlineC, fontC,
value, angle), `text` (cells, value, fontC, size, angle) and `cage` (cells, value, outlineC). A
drawing lies in the middle of its cells. One that says that it was made for a constraint which the
object states (fromConstraint) is the picture of that clue.

Of one of SudokuPad: see `sudokupad`; there `color` and `fontSize` (in 64ths of a cell) are those of
a text, and the `target` of what lies over the grid is "overlay".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from math import ceil, floor
from typing import Any

from ...model.looks import (
    BLACK,
    FARTHEST,
    FONT,
    LONGEST,
    Cage,
    Line,
    Look,
    LookError,
    Point,
    Shape,
    paint,
)

Item = dict[str, Any]
_PART = 64  # of a cell, in SudokuPad's thickness and size of letters
_NAME = re.compile(r"[Rr](\d{1,3})[Cc](\d{1,3})")
_RGB = re.compile(r"rgba?\((\d{1,3}),(\d{1,3}),(\d{1,3})(?:,([\d.]{1,9}))?\)")
_HEX = re.compile(r"#?([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")
# The names of HTML 4, and a few more; another name is grey.
_NAMED = {
    "black": BLACK, "silver": "#c0c0c0", "gray": "#808080", "grey": "#808080", "white": "#ffffff",
    "maroon": "#800000", "red": "#ff0000", "purple": "#800080", "fuchsia": "#ff00ff",
    "magenta": "#ff00ff", "green": "#008000", "lime": "#00ff00", "olive": "#808000",
    "yellow": "#ffff00", "navy": "#000080", "blue": "#0000ff", "teal": "#008080",
    "aqua": "#00ffff", "cyan": "#00ffff", "orange": "#ffa500", "pink": "#ffc0cb",
    "brown": "#a52a2a", "lightgray": "#d3d3d3", "lightgrey": "#d3d3d3", "lightblue": "#add8e6",
    "lightgreen": "#90ee90", "gold": "#ffd700", "violet": "#ee82ee",
}  # fmt: skip
_FAULTS = (LookError, TypeError, ValueError, LookupError, AttributeError, OverflowError)


def colour_of(stated: object, usual: str = "") -> str:
    """A colour of a web page as #rrggbb or #rrggbbaa; empty for none that can be seen."""
    text = "".join(str(stated or usual).lower().split())
    if text in ("", "none", "transparent"):
        return ""
    if match := _HEX.fullmatch(text):
        digits = match[1] if len(match[1]) > 4 else "".join(2 * digit for digit in match[1])
    elif match := _RGB.fullmatch(text):
        parts = [*map(int, match.groups()[:3]), round(255 * min(1.0, float(match[4] or 1)))]
        digits = "".join(f"{min(part, 255):02x}" for part in parts)
    else:
        digits = _NAMED.get(text, _NAMED["gray"])[1:]
    return "" if digits[6:] == "00" else f"#{digits.removesuffix('ff') if digits[6:] else digits}"


# f-puzzles ----------------------------------------------------------------------------------------


def drawn_in(value: Item) -> Iterator[Look]:
    """The drawings of an object of f-puzzles: colours first, then list by list."""
    for row, cells in enumerate(value["grid"]):
        for column, cell in enumerate(cells):
            several = cell.get("cArray")
            some = several if isinstance(several, list) and several else [cell.get("c")]
            if colours := [shade for shade in map(colour_of, some[:9]) if shade]:
                yield from paint(row, column, colours)
    for key, read in _READERS.items():
        items = value.get(key)
        for item in items if isinstance(items, list) else ():
            with suppress(*_FAULTS):
                if not value.get(key_of(str(item.get("fromConstraint")))):
                    yield from [*read(item)]


def key_of(source: str) -> str:
    """The key of a constraint by its name; both kinds of whispers have one."""
    key = source.lower().replace(" ", "")
    return "whispers" if key.endswith("whispers") else key


def _middle(names: list[str]) -> Point:
    """The middle of cells, by their names."""
    places = [_place(name) for name in names]
    rows, columns = zip(*places, strict=True)
    return 0.5 + sum(rows) / len(places), 0.5 + sum(columns) / len(places)


def _place(name: object) -> tuple[int, int]:
    match = _NAME.fullmatch(str(name))
    if match is None:
        raise ValueError(name)
    return int(match[1]) - 1, int(match[2]) - 1


def _size(item: Item, key: str, usual: float) -> float:
    """A number of an item, no larger than a drawing has."""
    return min(float(item.get(key) or usual), FARTHEST)


def _text(item: Item) -> str:
    return "" if item.get("value") is None else str(item["value"])[:LONGEST]


def _lines(item: Item) -> Iterator[Look]:
    for names in item["lines"]:
        points = tuple(_middle([name]) for name in names)
        yield Line(points, colour_of(item.get("outlineC"), BLACK), _size(item, "width", 0.5))


def _shape(item: Item, *, is_round: bool) -> Iterator[Look]:
    yield Shape(
        _middle(item["cells"]),
        (_size(item, "height", 0.5), _size(item, "width", 0.5)),
        is_round,
        colour_of(item.get("baseC"), "#ffffff"),
        colour_of(item.get("outlineC"), BLACK),
        float(item.get("angle") or 0) % 360,
        _text(item),
        colour=colour_of(item.get("fontC")) or BLACK,
        over=True,
    )


def _word(item: Item) -> Iterator[Look]:
    font, colour = _size(item, "size", FONT), colour_of(item.get("fontC")) or BLACK
    angle = float(item.get("angle") or 0) % 360
    at = _middle(item["cells"])
    yield Shape(at, text=_text(item), angle=angle, font=font, colour=colour, over=True)


def _cage(item: Item) -> Iterator[Look]:
    cells = tuple(map(_place, item["cells"]))
    yield Cage(cells, colour_of(item.get("outlineC"), BLACK), _text(item))


_READERS: dict[str, Callable[[Item], Iterator[Look]]] = {
    "line": _lines,
    "rectangle": lambda item: _shape(item, is_round=False),
    "circle": lambda item: _shape(item, is_round=True),
    "text": _word,
    "cage": _cage,
}


def write_looks(looks: Iterable[Look], value: Item) -> None:
    """Add drawings to an object of f-puzzles, in the nearest way that it has; those that have none
    are left out."""
    rows, columns = len(value["grid"]), len(value["grid"][0])
    for cell, run in _paints([*looks]):
        row, column = cell or (-1, -1)
        inside = 0 <= row < rows and 0 <= column < columns
        if cell and inside and not {"c", "cArray"} & {*value["grid"][row][column]}:
            colours = [look.fill for look in run if isinstance(look, Shape)]
            stated = {"c": colours[0]} if len(run) == 1 else {"cArray": colours}
            value["grid"][row][column] |= stated
            continue
        for look in run:
            if found := _written(look):
                value.setdefault(found[0], []).append(found[1])


def _paints(looks: list[Look]) -> Iterator[tuple[tuple[int, int] | None, list[Look]]]:
    """The drawings in their order, one by one; those that paint one cell, with its place."""
    start = 0
    while start < len(looks):
        cell, count = _painted(looks, start)
        yield cell, looks[start : start + count]
        start += count


def _painted(looks: list[Look], start: int) -> tuple[tuple[int, int] | None, int]:
    """The cell that drawings paint from there on, and how many do; None of one that does not."""
    look = looks[start]
    if isinstance(look, Shape) and look.fill and 0.1 < look.size[1] <= 1:
        count = round(1 / look.size[1])
        row, column = floor(look.at[0]), floor(look.at[1])
        fills = [each.fill for each in looks[start : start + count] if isinstance(each, Shape)]
        if all(fills) and paint(row, column, fills) == (*looks[start : start + count],):
            return ((row, column), count) if len(fills) == count else (None, 1)
    return None, 1


def _written(look: Look) -> tuple[str, Item] | None:
    """A key of f-puzzles, and the item there; None of what it has not."""
    if isinstance(look, Line):
        places = [_cells_at(point) for point in look.points]
        if not all(len(some) == 1 for some in places):
            return None
        names = [name for some in places for name in some]
        return "line", {"lines": [names], "outlineC": look.colour, "width": look.width}
    if isinstance(look, Cage):
        if min(map(min, look.cells)) < -1:
            return None
        names = [f"R{row + 1}C{column + 1}" for row, column in look.cells]
        return "cage", {"cells": names, "value": look.text, "outlineC": look.colour}
    cells = _cells_at(look.at)
    turned = {"angle": look.angle} if look.angle else {}
    if not cells:
        return None
    item: Item = {"cells": cells, "value": look.text, "fontC": look.colour} | turned
    if not (look.fill or look.edge) or not max(look.size):
        return "text", item | {"size": look.font}
    drawn = {"baseC": look.fill or "none", "outlineC": look.edge or "none"}
    sides = {"height": look.size[0], "width": look.size[1]}
    return "circle" if look.round else "rectangle", item | drawn | sides


def _cells_at(point: Point) -> list[str]:
    """The one, two or four cells whose middle a point is; none if it is not such a point."""
    if any(2 * x != round(2 * x) or x < -0.5 for x in point):
        return []
    rows, columns = ((floor(x - 0.5), ceil(x - 0.5)) for x in point)
    return [f"R{r + 1}C{c + 1}" for r in sorted({*rows}) for c in sorted({*columns})]


# SudokuPad ----------------------------------------------------------------------------------------


def native_line(item: Item, *, arrow: bool) -> Iterator[Look]:
    """A line or an arrow of SudokuPad."""
    with suppress(*_FAULTS):
        points = tuple((float(row or 0), float(column or 0)) for row, column in item["wayPoints"])
        width = min(float(item.get("thickness") or 1) / _PART, FARTHEST)
        colour = colour_of(item.get("color"), BLACK)
        yield Line(points, colour, width, arrow, item.get("target") == "overlay")


def native_mark(item: Item, *, over: bool) -> Iterator[Look]:
    """A circle, a rectangle or a text of SudokuPad."""
    with suppress(*_FAULTS):
        row, column = item["center"]
        yield Shape(
            (float(row or 0), float(column or 0)),
            (_size(item, "height", 0), _size(item, "width", 0)),
            bool(item.get("rounded")),
            colour_of(item.get("backgroundColor")),
            colour_of(item.get("borderColor")),
            float(item.get("angle") or 0) % 360,
            "" if item.get("text") is None else str(item["text"])[:LONGEST],
            min(float(item.get("fontSize") or FONT * _PART) / _PART, FARTHEST),
            colour_of(item.get("color")) or BLACK,
            over,
        )


def native_cage(item: Item) -> Iterator[Look]:
    """A cage of SudokuPad that is no clue."""
    with suppress(*_FAULTS):
        cells = tuple((row, column) for row, column in item["cells"])
        text = "" if item.get("value") is None else str(item["value"])[:LONGEST]
        yield Cage(cells, colour_of(item.get("outlineC"), BLACK), text)


def as_native(look: Look) -> tuple[str, Item]:
    """A list of SudokuPad, and the item there."""
    if isinstance(look, Line):
        points = [[*point] for point in look.points]
        item: Item = {"wayPoints": points, "color": look.colour}
        item |= {"thickness": look.width * _PART} | ({"target": "overlay"} if look.over else {})
        return "arrows" if look.arrow else "lines", item
    if isinstance(look, Cage):
        cells = [[*place] for place in look.cells]
        return "cages", {"cells": cells, "value": look.text, "outlineC": look.colour}
    item = {"center": [*look.at], "height": look.size[0], "width": look.size[1]}
    item |= {"rounded": True} if look.round else {}
    item |= {"backgroundColor": look.fill} if look.fill else {}
    item |= {"borderColor": look.edge} if look.edge else {}
    item |= {"angle": look.angle} if look.angle else {}
    if look.text:
        item |= {"text": look.text, "color": look.colour, "fontSize": look.font * _PART}
    return "overlays" if look.over else "underlays", item
