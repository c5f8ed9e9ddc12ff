"""Drawings on single cells: shades, discs, squares, small digits in corners.

Invariant: see `canvas`.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...model.clue import Clue
from ..shapes import between, element, squares
from .canvas import DARK, GREY, Canvas, chevron, cornered


def shaded(canvas: Canvas, clue: Clue, *, fills: Sequence[str]) -> None:
    """Whole cells, every clue of the kind in the next colour."""
    fill = fills[canvas.drawn[clue.kind] % len(fills)]
    canvas.add("areas", *squares(set(clue.cells), canvas.size, fill=fill))


def cloned(canvas: Canvas, clue: Clue) -> None:
    """Shaded groups; if their shapes differ, letters say which cells are equal."""
    shaded(canvas, clue, fills=("#dfe3ea", "#efe3d3", "#e2ecd9", "#ecdfea"))
    if len({tuple(cell - group[0] for cell in group) for group in clue.groups}) > 1:
        for group in clue.groups:
            for place, cell in enumerate(group):
                cornered(canvas, cell, chr(ord("a") + place % 26))


def disc(canvas: Canvas, clue: Clue, *, hollow: bool = False) -> None:
    fill, stroke = ("none", DARK) if hollow else (GREY, "none")
    for x, y in canvas.centres(clue.cells):
        canvas.add("lines", element("circle", cx=x, cy=y, r=15, fill=fill, stroke=stroke))


def square(canvas: Canvas, clue: Clue) -> None:
    for x, y in canvas.centres(clue.cells):
        sides = {"x": x - 14, "y": y - 14, "width": 28, "height": 28}
        canvas.add("lines", element("rect", **sides, fill=GREY))


def restricted(canvas: Canvas, clue: Clue, *, sign: str = "") -> None:
    """The digits that may be there, small in the upper right corner of each cell."""
    digits = clue.value.split(",")
    what = sign + ("" if canvas.size <= 9 else " ").join(digits)
    for cell in clue.cells:
        cornered(canvas, cell, what, right=True)


def extreme(canvas: Canvas, clue: Clue, *, low: bool) -> None:
    """At every edge to a neighbour a chevron that points to the lesser cell."""
    inside = set(clue.cells)
    for pair in canvas.board.adjacent_pairs:
        for cell, other in (pair, pair[::-1]):
            if cell in inside and other not in inside:
                a, b = canvas.centres((cell, other))
                tip, end = (0.33, 0.43) if low else (0.43, 0.33)
                canvas.add("lines", chevron(between(a, b, tip), between(a, b, end), 4.5))
    canvas.add("areas", *squares(inside, canvas.size, fill="#e6e6ea"))
