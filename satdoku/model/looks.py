"""Drawings that mean nothing: coloured cells, lines, shapes, texts and cages beside the clues.

Invariant: a drawing acts on pictures alone, and is bounded: its numbers, its colours, its text and
what it is made of are checked when it is made, whoever states it.

Places are rows and columns in cells, from 0 in the upper left corner of the grid, so that 0.5, 0.5
is the middle of the first cell; sizes and widths are in cells too. Colours are #rrggbb or, where
one sees through them, #rrggbbaa. A coloured cell is a square of the size 1 under the grid
(`paint`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from math import isfinite
from typing import Any

from ..runtime.errors import LONGEST_NAME, SatdokuError, counted

MOST = 1000  # drawings of a puzzle
MOST_POINTS = 5000  # of all lines and cages of a puzzle
LONGEST = 200  # characters of a text
FARTHEST = 100  # cells, of a place, a size or a width
BLACK = "#000000"
FONT = 0.5  # height of a text, in cells
_COLOUR = re.compile(r"#([0-9a-fA-F]{6})([0-9a-fA-F]{2})?")

Point = tuple[float, float]  # row and column


class LookError(SatdokuError):
    """A drawing that is not as it has to be; the message says what was expected."""


@dataclass(frozen=True)
class Line:
    """A line from point to point; arrow: whether it has a head at its end; over: whether it lies
    over the grid and the clues, in place of under them."""

    points: tuple[Point, ...]
    colour: str = BLACK
    width: float = 0.1
    arrow: bool = False
    over: bool = False

    def __post_init__(self) -> None:
        points = tuple(map(_point, self.points))
        if len(points) < 2:
            raise LookError(f"line of {counted(len(points), 'point')}, expected two or more")
        _settle(self, points=points)


@dataclass(frozen=True)
class Shape:
    """A circle or a rectangle with a text in it, or one of them alone.

    at: its middle; size: its height and width; fill, edge: colours, empty for none; angle: degrees
    to turn it clockwise; font: height of the text; colour: that of the text; over: as of a `Line`.
    """

    at: Point
    size: Point = (0, 0)
    round: bool = False
    fill: str = ""
    edge: str = ""
    angle: float = 0
    text: str = ""
    font: float = FONT
    colour: str = BLACK
    over: bool = False

    def __post_init__(self) -> None:
        _settle(self, at=_point(self.at), size=_point(self.size))
        if min(self.size) < 0 or self.font <= 0:
            raise LookError("size below 0, expected a height and a width, and a font above 0")
        is_seen = (self.fill or self.edge) and max(self.size) > 0
        if not is_seen and not self.text.strip():
            raise LookError("nothing to see, expected a text, or a size with a fill or an edge")


@dataclass(frozen=True)
class Cage:
    """A dashed outline around cells (rows and columns from 0), with a text in its corner."""

    cells: tuple[tuple[int, int], ...]
    colour: str = BLACK
    text: str = ""

    def __post_init__(self) -> None:
        cells = tuple((row, column) for row, column in map(_point, self.cells))
        whole = tuple((int(row), int(column)) for row, column in cells)
        if not cells or cells != whole:
            raise LookError("cage without cells, expected rows and columns of some")
        _settle(self, cells=tuple(dict.fromkeys(whole)))


Look = Line | Shape | Cage
Looks = tuple[Look, ...]  # of a puzzle, each over the one before


def bounded(looks: Iterable[Look]) -> Looks:
    """The drawings of a puzzle; raises `LookError` for too many of them, or too large ones."""
    found = tuple(looks)
    if len(found) > MOST:
        raise LookError(f"{len(found):,} drawings, expected at most {MOST:,}")
    if (points := sum(map(_weight, found))) > MOST_POINTS:
        raise LookError(f"{points:,} points of lines and cages, expected at most {MOST_POINTS:,}")
    return found


def first_of(looks: Iterable[Look]) -> Looks:
    """As many of the drawings, from the first, as a puzzle may have."""
    kept: list[Look] = []
    points = 0
    for look in looks:
        points += _weight(look)
        if len(kept) == MOST or points > MOST_POINTS:
            break
        kept.append(look)
    return tuple(kept)


def _weight(look: Look) -> int:
    return len(look.points) if isinstance(look, Line) else len(getattr(look, "cells", ()))


def paint(row: int, column: int, colours: Sequence[str]) -> Looks:
    """A cell in a colour, or in stripes of several."""
    part = 1 / len(colours)
    return tuple(
        Shape((row + 0.5, column + (number + 0.5) * part), (1, part), fill=colour)
        for number, colour in enumerate(colours)
    )


def colour(text: object) -> str:
    """A colour as it is kept; raises `LookError` for what is none."""
    match = _COLOUR.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        found = ascii(str(text)[:LONGEST_NAME])
        raise LookError(f"colour {found}, expected #rrggbb, or #rrggbbaa with an opacity")
    opacity = (match[2] or "ff").lower()
    return f"#{match[1].lower()}" + ("" if opacity == "ff" else opacity)


def _settle(look: Look, **known: object) -> None:
    """Check all fields of a drawing, and keep them in one form."""
    for each in fields(look):
        value: Any = known.get(each.name, getattr(look, each.name))
        if each.name in ("colour", "fill", "edge"):
            value = colour(value) if value or each.name == "colour" else ""
        elif each.name == "text":
            value = _text(value)
        elif each.name in ("width", "angle", "font"):
            value = _number(value, 360 if each.name == "angle" else FARTHEST)
        elif type(each.default) is bool and type(value) is not bool:
            raise LookError(f"{each.name}: expected true or false")
        object.__setattr__(look, each.name, value)
    if isinstance(look, Line) and look.width <= 0:
        raise LookError("width of 0 or less, expected a line that can be seen")


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > LONGEST:
        raise LookError(f"text: expected a text of at most {LONGEST} characters")
    return value


def _point(value: object) -> Point:
    """A row and a column, or a height and a width."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise LookError(f"{str(value)[:LONGEST_NAME]!a}: expected two numbers, row and column")
    return _number(value[0]), _number(value[1])


def _number(value: object, most: float = FARTHEST) -> float:
    """A number to three digits behind the point, so that it is the same in every format."""
    known = isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    if not known or not abs(value) <= most:  # type: ignore[arg-type]
        found = str(value)[:LONGEST_NAME]
        raise LookError(f"{found!a}: expected a number from -{most} to {most}")
    return round(float(value), 3) + 0.0  # type: ignore[arg-type]
