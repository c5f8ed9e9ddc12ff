"""Drawings where cells meet: dots, letters, signs between two cells, circles where four meet.

Invariant: see `canvas`. Of cells that do not meet, what stands between two is joined to them by a
line; what stands between more is outlined.
"""

from __future__ import annotations

from math import hypot

from ...model.clue import Clue
from ..shapes import CELL, GLYPH, INK, between, element
from .canvas import SMALL, WHITE, Canvas, centred, chevron, joint, unusual
from .outlines import named


def dot(canvas: Canvas, clue: Clue, *, black: bool = False) -> None:
    """A dot between two cells, with its value unless that is the usual one."""
    fill, ink = (INK, WHITE) if black else (WHITE, INK)
    x, y = joint(canvas, clue)
    canvas.add("edges", element("circle", cx=x, cy=y, r=5.5, fill=fill, stroke=INK))
    centred(canvas, (x, y), 8, unusual(clue, canvas.board), fill=ink)


def sum_of_two(canvas: Canvas, clue: Clue) -> None:
    """X, V or the sum, on white; more cells, or one, are outlined."""
    if len({*clue.cells}) != 2 or len(clue.cells) != 2:
        named(canvas, clue)
        return
    x, y = joint(canvas, clue)
    canvas.add("edges", element("circle", cx=x, cy=y, r=6, fill=WHITE))
    letter = {"5": "V", "10": "X"}.get(clue.value)
    centred(canvas, (x, y), 12 if letter else 10, letter or clue.value)


def greater(canvas: Canvas, clue: Clue) -> None:
    """A chevron that points to the lesser cell."""
    middle = joint(canvas, clue)
    a, b = canvas.centres(clue.cells)
    step = 3 / hypot(a[0] - b[0], a[1] - b[1])
    ends = between(middle, b, 2 * step), between(middle, a, 2 * step)
    for colour, width in ((WHITE, 5), (INK, 1.8)):
        canvas.add("edges", chevron(*ends, 5, stroke=colour, stroke_width=width))


def in_corner(canvas: Canvas, clue: Clue) -> None:
    """A circle where the cells meet, with the value in it."""
    points = canvas.centres(clue.cells)
    if any(hypot(x - points[0][0], y - points[0][1]) > 1.5 * CELL for x, y in points):
        named(canvas, clue)
        return
    x, y = (sum(ways) / len(points) for ways in zip(*points, strict=True))
    canvas.add("edges", element("circle", cx=x, cy=y, r=9, fill=WHITE, stroke=INK))
    what = clue.value.replace(",", "" if canvas.size <= 9 else " ")
    centred(canvas, (x, y), min(SMALL, 15 / (GLYPH * len(what))), what, font_weight="400")
