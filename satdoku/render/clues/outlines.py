"""Drawings of outlines: cages, compared groups, and any kind that has no drawing of its own.

Invariant: see `canvas`. An outline lies a little inside its cells, so that neighbours stay apart.
"""

from __future__ import annotations

from itertools import pairwise, product

from ...model.board import Cells
from ...model.clue import Clue
from ..shapes import CELL, INK, Style, element, polyline
from .canvas import DARK, WHITE, Canvas, centred, cornered, distance, joint, stroke, tree


def outlined(canvas: Canvas, clue: Clue, *, grey: bool = False, sign: str = "") -> None:
    """A dashed outline a little inside the cells, and the value in its upper left corner."""
    cells = dashed(canvas, clue.cells, DARK if grey else INK)
    if clue.value:
        cornered(canvas, cells[0], clue.value + sign)


def named(canvas: Canvas, clue: Clue) -> None:
    """A thin outline, and kind and value in its corner."""
    cells = dashed(canvas, clue.cells, DARK)
    what = f"{clue.kind}={clue.value}" if clue.value else clue.kind
    cornered(canvas, cells[0], what, room=canvas.size - cells[0] % canvas.size)


def with_weights(canvas: Canvas, clue: Clue) -> None:
    """A thin outline, and each weight, with its sign, in its cell; in its corner the total, too."""
    weights, _, total = clue.value.partition("=")
    first, *_ = dashed(canvas, clue.cells, DARK)
    said: dict[int, str] = {}
    for cell, weight in zip(clue.cells, weights.split(","), strict=True):
        said[cell] = said.get(cell, "") + f"{int(weight):+}"
    for cell, what in said.items():
        cornered(canvas, cell, f"={total}; " * (cell == first) + what)


def compared(canvas: Canvas, clue: Clue, *, sign: str) -> None:
    """Every group outlined, and joined to the next by a line with a sign."""
    for group in clue.groups:
        dashed(canvas, group, INK)
    for one, other in pairwise(clue.groups):
        pair = min(product(one, other), key=lambda two: distance(two[0], two[1], canvas.size))
        x, y = joint(canvas, clue._replace(groups=(pair,)))
        canvas.add("edges", element("circle", cx=x, cy=y, r=6, fill=WHITE))
        centred(canvas, (x, y), 11, sign)


def dashed(canvas: Canvas, some: Cells, colour: str) -> Cells:
    """The outline of some cells; dots join its parts. The cells in ascending order."""
    cells = tuple(sorted(set(some)))
    path = _outline(cells, canvas.size)
    style: Style = {"stroke": colour, "stroke_width": 1}
    canvas.add("edges", stroke(path, stroke_dasharray="3 2", stroke_linecap="butt", **style))
    for a, b in tree(cells, canvas.size):
        if distance(a, b, canvas.size) > 1.5:
            line = polyline(canvas.centres((a, b)))
            canvas.add("lines", stroke(line, stroke_dasharray="1 4", **style))
    return cells


def _outline(cells: Cells, size: int, inset: float = 2.5) -> str:
    """Path data of the edges between cells of the set and others, moved inwards."""
    half, path = CELL / 2, []
    inside = [complex(*reversed(divmod(cell, size))) for cell in cells]
    for cell in inside:
        for out in (-1j, 1, 1j, -1):
            if cell + out in inside:
                continue
            side = (cell + 0.5 + 0.5j) * CELL + out * (half - inset)
            ends = []
            for along in (out * -1j, out * 1j):
                turns = cell + along not in inside or -(cell + along + out in inside)
                ends.append(side + along * (half - inset * turns))
            path.append(polyline((end.real, end.imag) for end in ends))
    return "".join(path)
