"""Drawings outside the grid: numbers and arrows before the first cell of a straight line.

Invariant: see `canvas`. No two of them share a place.
"""

from __future__ import annotations

from ...model.clue import Clue
from ..shapes import CELL, INK, Point, Style, between, centre, polyline
from .canvas import OUTSIDE, Canvas, centred, chevron, stroke
from .outlines import named


def outside(canvas: Canvas, clue: Clue, *, arrow: bool = False) -> None:
    """The value outside the grid, before the first cell of a straight line from edge to edge."""
    beside = _beside(canvas, clue)
    if beside is None:
        named(canvas, clue)
        return
    (x, y), (right, down) = beside
    centred(canvas, (x, y), 13, clue.value, font_weight="400")
    if arrow:
        u, v = centre(clue.cells[0], canvas.size)
        corner = u - right * CELL / 2, v - down * CELL / 2
        _pointed(canvas, between((x, y), corner, 0.5), between((x, y), corner, 0.95), 0.6, 2.5)


def towards(canvas: Canvas, clue: Clue) -> None:
    """An arrow outside the grid that points to where the digits grow."""
    beside = _beside(canvas, clue)
    if beside is None:
        named(canvas, clue)
        return
    (x, y), way = beside
    right, down = (7 * step if clue.value == "+" else -7 * step for step in way)
    _pointed(canvas, (x - right, y - down), (x + right, y + down), 0.65, 4)


def _pointed(canvas: Canvas, tail: Point, tip: Point, base: float, half: float) -> None:
    """A thin arrow; its head begins at so great a part of it."""
    style: Style = {"stroke": INK, "stroke_width": 1.2}
    canvas.add("edges", stroke(polyline((tail, tip)), **style))
    canvas.add("edges", chevron(tip, between(tail, tip, base), half, **style))


def _beside(canvas: Canvas, clue: Clue) -> tuple[Point, tuple[int, int]] | None:
    """A free place outside the grid, before the first cell of a straight line from edge to edge,
    and the way (right, down) in which the line goes; None for other cells."""
    size = canvas.size
    (row, column), *others = (divmod(cell, size) for cell in clue.cells)
    down, right = (others[0][0] - row, others[0][1] - column) if others else (0, 0)
    place = row - down, column - right
    if (down, right) == (0, 0) or all(0 <= at < size for at in place):
        return None
    while place in canvas.outside:
        place = place[0] - down, place[1] - right
    canvas.outside.add(place)
    y, x = (_beyond(at, size) for at in place)
    return (x, y), (right, down)


def _beyond(at: int, size: int) -> float:
    """The middle of a row or column, which may be a rank outside the grid."""
    if 0 <= at < size:
        return (at + 0.5) * CELL
    return (at + 0.5) * OUTSIDE if at < 0 else size * CELL + (at - size + 0.5) * OUTSIDE
