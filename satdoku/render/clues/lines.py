"""Drawings of lines through cells: strokes, thermometers, lines with ends, arrows.

Invariant: see `canvas`. A line lies below the lines between cells.
"""

from __future__ import annotations

from math import hypot

from ...model.clue import Clue
from ...model.kinds import KINDS
from ...model.kinds.kind import SET
from ..shapes import Point, Style, between, centre, element, polyline
from .canvas import (
    DARK,
    GREY,
    WHITE,
    Canvas,
    centred,
    chevron,
    cornered,
    distance,
    stroke,
    tree,
    unusual,
)


def line(
    canvas: Canvas, clue: Clue, *, colour: str, width: float = 8, dashes: str = "none"
) -> None:
    """A line through the cells of each group, with an unusual value beside its first step."""
    stroked(canvas, clue, colour=colour, width=width, dashes=dashes)
    _valued(canvas, clue)


def stroked(
    canvas: Canvas, clue: Clue, *, colour: str, width: float = 8, dashes: str = "none"
) -> None:
    for cells in clue.groups:
        group = cells if len(cells) > 1 else cells * 2  # of one cell: a spot
        steps = tree(group, canvas.size) if KINDS[clue.kind].order == SET else [group]
        path = "".join(polyline(canvas.centres(step)) for step in steps)
        style: Style = {"stroke": colour, "stroke_width": width, "stroke_dasharray": dashes}
        canvas.add("lines", stroke(path, **style))


def labelled(canvas: Canvas, clue: Clue, *, colour: str) -> None:
    """A line with its value, which may be long, in the corner of the first cell."""
    stroked(canvas, clue, colour=colour)
    first = clue.cells[0]
    cornered(canvas, first, clue.value, room=canvas.size - first % canvas.size)


def _valued(canvas: Canvas, clue: Clue) -> None:
    """The value between the first two cells, if it is an unusual one."""
    points = canvas.centres(clue.cells[:2])
    centred(canvas, between(points[0], points[-1]), 8, unusual(clue, canvas.board))


def _shortened(points: list[Point], by: float) -> list[Point]:
    """The line without so much of its beginning, if it leaves the first point."""
    a, *others = points
    for place, b in enumerate(others):
        if b != a:
            return [between(a, b, by / hypot(a[0] - b[0], a[1] - b[1])), *others[place:]]
    return points


def thermometer(canvas: Canvas, clue: Clue, *, hollow: bool = False) -> None:
    """A grey tube with a bulb at its first cell; a hollow one has a white core."""
    x, y = centre(clue.cells[0], canvas.size)
    canvas.add("lines", element("circle", cx=x, cy=y, r=14, fill=GREY))
    line(canvas, clue, colour=GREY, width=13)
    if hollow:
        line(canvas, clue, colour=WHITE, width=2.5, dashes="1 5")


def with_ends(
    canvas: Canvas, clue: Clue, *, colour: str, width: float, diamonds: bool = False
) -> None:
    """A line whose ends are circles or diamonds."""
    points = _shortened(_shortened(canvas.centres(clue.cells), 15)[::-1], 15)
    canvas.add("lines", stroke(polyline(points), stroke=colour, stroke_width=width))
    _valued(canvas, clue)
    for x, y in canvas.centres((clue.cells[0], clue.cells[-1])):
        style: Style = {"fill": "none", "stroke": colour, "stroke_width": 2}
        corners = polyline(((x, y - 17), (x + 17, y), (x, y + 17), (x - 17, y)))
        diamond = element("path", d=f"{corners}Z", **style)
        canvas.add("lines", diamond if diamonds else element("circle", cx=x, cy=y, r=15, **style))


def arrow(canvas: Canvas, clue: Clue) -> None:
    """A circle, or a pill around several cells, and a line with a head for each other group."""
    circle, *shafts = clue.groups
    style: Style = {"stroke": DARK, "stroke_width": 2}
    (left, top), (right, bottom) = canvas.centres((min(circle), max(circle)))
    left, right = min(left, right), max(left, right)
    sides = {"x": left - 15, "y": top - 15, "width": right - left + 30, "height": bottom - top + 30}
    canvas.add("lines", element("rect", **sides, rx=15, fill="none", **style))
    for shaft in shafts:
        begin = min(circle, key=lambda cell: distance(cell, shaft[0], canvas.size))
        path = _shortened(canvas.centres((begin, *shaft)), 15)
        head = chevron(path[-1], between(path[-1], path[-2], 0.2), 6, **style)
        canvas.add("lines", stroke(polyline(path), **style), head)
