"""Drawings that mean nothing, as elements of a picture.

Invariant: texts are escaped, and every element is one that a sheet can draw too. What has no room
in the picture is cut off at its edge, never drawn over what stands below.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from math import cos, pi, sin
from typing import NamedTuple

from ..model.looks import BLACK, Cage, Line, Look, Shape
from ..runtime.errors import shown
from .clues import outline
from .shapes import CELL, GLYPH, Point, Style, chevron, element, number, polyline, stroke, text

EDGE = 0.04  # width of an edge, in cells
HEAD = 0.3  # length of an arrow's head, in cells
FARTHEST = 3  # cells beyond the grid that a picture makes room for
ARCS = 8  # of a circle: each is off by less than a hundredth of a cell
LINE = 1.2  # height of a line of text, of its font


class Reach(NamedTuple):
    """How far drawings go beyond the grid, in user units."""

    left: float = 0
    above: float = 0
    right: float = 0
    below: float = 0


def reach(looks: Iterable[Look], width: float, height: float) -> Reach:
    """The room that drawings need around a grid of that size."""
    xs, ys = [0.0, width], [0.0, height]
    for look in looks:
        for x, y in _corners(look):
            xs.append(x)
            ys.append(y)
    beyond = (-min(xs), -min(ys), max(xs) - width, max(ys) - height)
    return Reach(*(min(far, FARTHEST * CELL) for far in beyond))


def _corners(look: Look) -> Iterator[Point]:
    """Points between which a drawing lies."""
    if isinstance(look, Line):
        half = look.width / 2
        for row, column in look.points:
            yield from _box((row, column), (half, half), 0)
    elif isinstance(look, Cage):
        for row, column in look.cells:
            yield from _box((row + 0.5, column + 0.5), (0.5, 0.5), 0)
    else:
        height, width = look.size
        lines = look.text.split("\n") if look.text else []
        high = max(height, LINE * look.font * len(lines))
        wide = max(width, GLYPH * look.font * max(map(len, lines), default=0))
        yield from _box(look.at, (high / 2, wide / 2), look.angle)


def _box(at: Point, halves: Point, angle: float) -> list[Point]:
    """The corners of a box around a place, turned, in user units."""
    (down, across), turn = halves, angle * pi / 180
    return [
        (
            CELL * (at[1] + x * cos(turn) - y * sin(turn)),
            CELL * (at[0] + x * sin(turn) + y * cos(turn)),
        )
        for x, y in ((-across, -down), (across, -down), (across, down), (-across, down))
    ]


def sketched(looks: Iterable[Look], *, over: bool) -> Iterator[str]:
    """The elements of the drawings under the grid, or of those over it, from below."""
    some = [look for look in looks if getattr(look, "over", True) == over]
    if some:
        yield '<g class="looks">'
        for look in some:
            yield from _elements(look)
        yield "</g>"


def _elements(look: Look) -> Iterator[str]:
    if isinstance(look, Line):
        yield from _line(look)
    elif isinstance(look, Cage):
        yield from _cage(look)
    else:
        yield from _shape(look)


def _seen(colour: str, *elements: str) -> Iterator[str]:
    """Elements as opaque as a colour."""
    if len(colour) > 7:
        yield f'<g opacity="{number(int(colour[7:], 16) / 255)}">'
    yield from elements
    if len(colour) > 7:
        yield "</g>"


def _line(look: Line) -> Iterator[str]:
    points = [(CELL * column, CELL * row) for row, column in look.points]
    style: Style = {"stroke": look.colour[:7], "stroke_width": CELL * look.width}
    parts = [stroke(polyline(points), **style)]
    if look.arrow:
        (u, v), (x, y) = points[-2:]
        length = ((x - u) ** 2 + (y - v) ** 2) ** 0.5 or 1
        part = HEAD * CELL / length
        base = x - (x - u) * part, y - (y - v) * part
        parts.append(chevron((x, y), base, HEAD * CELL * 0.6, **style))
    yield from _seen(look.colour, *parts)


def _cage(look: Cage) -> Iterator[str]:
    style: Style = {"stroke_dasharray": "3 2", "stroke_linecap": "butt", "stroke_width": 1}
    parts = [stroke(outline(look.cells), stroke=look.colour[:7], **style)]
    if look.text:
        row, column = min(look.cells)
        parts += _words(look.text, (CELL * column + 3, CELL * row + 7.5), 9, look.colour, "start")
    yield from _seen(look.colour, *parts)


def _shape(look: Shape) -> Iterator[str]:
    path = _ellipse(look) if look.round else polyline(_box(look.at, _halves(look), look.angle))
    if look.fill and min(look.size) > 0:
        yield from _seen(look.fill, element("path", d=f"{path}Z", fill=look.fill[:7]))
    if look.edge:
        edge: Style = {"stroke": look.edge[:7], "stroke_width": CELL * EDGE}
        yield from _seen(look.edge, stroke(f"{path}Z", **edge))
    if look.text.strip():
        x, y = CELL * look.at[1], CELL * look.at[0]
        words = _words(look.text, (x, y), CELL * look.font, look.colour, "middle")
        if look.angle:
            turn = " ".join(map(number, (look.angle, x, y)))
            words = [f'<g transform="rotate({turn})">', *words, "</g>"]
        yield from _seen(look.colour, *words)


def _halves(look: Shape) -> Point:
    return look.size[0] / 2, look.size[1] / 2


def _ellipse(look: Shape) -> str:
    """Path data of a circle, or of a longer one, in arcs that a sheet can draw."""
    (high, wide), step = _halves(look), 2 * pi / ARCS
    out = 1 / cos(step / 2)  # how far the points lie to which the arcs bend

    def at(angle: float, far: float = 1) -> str:
        around = look.at[0] + high * far * sin(angle), look.at[1] + wide * far * cos(angle)
        ((x, y), *_) = _box(_turned(around, look), (0, 0), 0)
        return f"{number(x)} {number(y)}"

    arcs = (f"Q{at((i + 0.5) * step, out)} {at((i + 1) * step)}" for i in range(ARCS))
    return f"M{at(0)}{''.join(arcs)}"


def _turned(point: Point, look: Shape) -> Point:
    """A point, turned around the middle of a shape."""
    turn, (row, column) = look.angle * pi / 180, look.at
    down, right = point[0] - row, point[1] - column
    return (
        row + right * sin(turn) + down * cos(turn),
        column + right * cos(turn) - down * sin(turn),
    )


def _words(words: str, at: Point, font: float, colour: str, anchor: str) -> Sequence[str]:
    """The lines of a text, their middle on a point."""
    lines = re.split(r"\r\n|\r|\n", words)
    top = at[1] - LINE * font * (len(lines) - 1) / 2
    style: Style = {"font_size": font, "text_anchor": anchor, "fill": colour[:7] or BLACK}
    return [
        text((at[0], top + i * LINE * font), font, shown(line), **style)
        for i, line in enumerate(lines)
    ]
