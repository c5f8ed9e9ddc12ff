"""What SudokuPad draws: lines, arrows and marks, each by its place in the grid.

Invariant: two things that are drawn alike are equal; what cannot be seen is left out.

Places are rows and columns in cells, from 0 in the upper left corner of the grid: the middle of the
first cell is 0.5, 0.5. Sizes are in cells too, but a thickness is in 64ths of a cell.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any, NamedTuple

Place = tuple[int, int]  # row and column of a cell, from 0; outside the grid beyond its size
Point = tuple[float, float]
_HEX = re.compile(r"#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")
_NEAR = 0.15  # cells: how far from the middle or the edge of a cell a place may lie to be that
_GREYS = range(0x60, 0xF0)
_FARTHEST = 100  # cells: beyond it a number is no place and no size
_MOST_CELLS = 100  # of a line
_ALIKE = 0x10  # how far the parts of a grey may lie apart


class Line(NamedTuple):
    """A line or the shaft of an arrow.

    points: its corners, from the first; cells: those that it runs through, each once, or none if it
    does not run straight from cell to cell, or meets itself.
    """

    points: tuple[Point, ...]
    cells: tuple[Place, ...]
    colour: str
    thickness: float


class Mark(NamedTuple):
    """A circle, a rectangle or a text."""

    middle: Point
    width: float
    height: float
    is_round: bool
    is_straight: bool  # not turned by an angle
    text: str
    fill: str
    border: str

    @property
    def cell(self) -> Place | None:
        """The cell in whose middle it lies."""
        return cell_of(self.middle) if [*map(_part, self.middle)] == [0.5, 0.5] else None

    @property
    def beside(self) -> tuple[Place, ...]:
        """The two cells on whose edge it lies, or the four on whose corner it does; else none."""
        parts = [*map(_part, self.middle)]
        if None in parts or parts == [0.5, 0.5]:
            return ()
        row, column = (
            (round(x) - 1, round(x)) if part == 0 else (int(x // 1),)
            for x, part in zip(self.middle, parts, strict=True)
        )
        return tuple((r, c) for r in row for c in column)

    @property
    def pill(self) -> tuple[Place, ...]:
        """The cells that it covers if it is a circle of a cell, or longer in one direction."""
        height, width = (round(size - 0.8) + 1 for size in (self.height, self.width))
        if not self.is_round or min(width, height) != 1 or max(width, height) > 3:
            return ()
        if any(abs(size - round(size - 0.8) - 0.8) > 0.25 for size in (self.height, self.width)):
            return ()
        row, column = self.middle
        first = cell_of((row - (height - 1) / 2, column - (width - 1) / 2))
        return tuple((first[0] + r, first[1] + c) for r in range(height) for c in range(width))

    def is_about(self, least: float, most: float) -> bool:
        """Whether it is as high as wide, from `least` to `most` cells."""
        return abs(self.width - self.height) < 0.05 and least <= self.width <= most


def lines_of(items: list[dict[str, Any]]) -> list[Line]:
    """The lines or arrows that can be seen, each once."""
    lines = []
    for item in items:
        points = tuple((_number(row), _number(column)) for row, column in item["wayPoints"])
        colour = colour_of(item.get("color") or "#000")
        if colour and points:
            lines.append(Line(points, _cells(points), colour, _number(item.get("thickness"))))
    return [*dict.fromkeys(lines)]


def _cells(points: tuple[Point, ...]) -> tuple[Place, ...]:
    """The cells of a line with these corners."""
    corners = [cell_of(point) for point in points]
    path = corners[:1]
    for (row, column), (below, right) in pairwise(corners):
        down, over = below - row, right - column
        steps = max(abs(down), abs(over))
        if {abs(down), abs(over)} - {0, steps} or len(path) + steps > _MOST_CELLS:
            return ()
        for step in range(1, steps + 1):
            path.append((row + down * step // steps, column + over * step // steps))
    return tuple(path) if len({*path}) == len(path) else ()


def marks_of(items: list[dict[str, Any]]) -> list[Mark]:
    """The marks that can be seen, each once."""
    marks = (
        Mark(
            (_number(item["center"][0]), _number(item["center"][1])),
            _number(item.get("width")),
            _number(item.get("height")),
            bool(item.get("rounded")),
            not item.get("angle"),
            "" if item.get("text") is None else str(item["text"]).strip(),
            colour_of(item.get("backgroundColor") or ""),
            colour_of(item.get("borderColor") or ""),
        )
        for item in items
    )
    return [*dict.fromkeys(mark for mark in marks if mark.text or mark.fill or mark.border)]


def _number(value: Any) -> float:
    """A place or a size, 0 where none is stated; raises `ValueError` for what is none."""
    number = float(value or 0)
    if not abs(number) <= _FARTHEST:
        raise ValueError(f"{value} is no place and no size")
    return number


def colour_of(text: str) -> str:
    """A colour as #rrggbb; empty for none, or one that is transparent."""
    colour = str(text).strip().lower()
    if colour in ("", "none", "transparent"):
        return ""
    match = _HEX.fullmatch(colour)
    if match is None:
        return colour
    digits = match[1] if len(match[1]) > 4 else "".join(2 * digit for digit in match[1])
    return "" if digits[6:] == "00" else f"#{digits[:6]}"


def is_grey(colour: str) -> bool:
    """Whether a colour is a grey, neither black nor white."""
    parts = _parts(colour)
    return bool(parts) and max(parts) - min(parts) <= _ALIKE and set(parts) <= {*_GREYS}


def is_black(colour: str) -> bool:
    return colour == "black" or max(_parts(colour), default=0xFF) < 0x30


def is_white(colour: str) -> bool:
    return colour == "white" or min(_parts(colour), default=0) >= 0xF0


def cell_of(point: Point) -> Place:
    return int(point[0] // 1), int(point[1] // 1)


def _parts(colour: str) -> list[int]:
    """Red, green and blue; none of a colour that is a name."""
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)] if _HEX.fullmatch(colour) else []


def _part(x: float) -> float | None:
    """0.5 in the middle of a cell, 0 at its edge, None between."""
    if abs(x - round(x)) <= _NEAR:
        return 0
    return 0.5 if abs(x % 1 - 0.5) <= _NEAR else None
