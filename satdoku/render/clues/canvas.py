"""What a drawing of a clue draws on, and the strokes and texts that drawings share.

Invariant: a text stands above the lines between cells; whoever writes in an upper corner says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from math import hypot

from ...model.board import Board, Cells
from ...model.clue import Clue
from ...model.kinds import KINDS
from ..shapes import (
    CELL,
    GLYPH,
    INK,
    Point,
    Style,
    between,
    centre,
    element,
    polyline,
    text,
)

OUTSIDE = 28  # width of a rank of numbers outside the grid
SMALL = 9  # font of what stands in a corner of a cell
SMALLER = 6.5  # font of what goes on over other cells: it stays above their digits
GREY, DARK, WHITE = "#cfcfd4", "#77777d", "#ffffff"
LAYERS = "areas", "lines", "edges"  # below highlights; below, above the lines between cells


class Canvas:
    """The elements that draw some clues, to which drawings add.

    areas, lines, edges: pairs of a kind and an element, each layer above the one before. crowded:
    cells that have something in their upper corners. outside: what stands outside the grid, as
    (row, column), both 0-based, where -1 and `board.size` are next to it. kind: that of
    the clue that is being drawn. drawn: how many of each kind are drawn already.
    """

    def __init__(self, board: Board) -> None:
        self.board, self.size = board, board.size
        self.layers: dict[str, list[tuple[str, str]]] = {layer: [] for layer in LAYERS}
        self.crowded: set[int] = set()
        self.outside: set[tuple[int, int]] = set()
        self.kind = ""
        self.drawn: Counter[str] = Counter()

    def add(self, layer: str, *elements: str) -> None:
        """More elements of the clue that is being drawn."""
        self.layers[layer] += ((self.kind, element) for element in elements)

    def centres(self, cells: Iterable[int]) -> list[Point]:
        """The middles of the cells."""
        return [centre(cell, self.size) for cell in cells]

    @property
    def ranks(self) -> tuple[int, ...]:
        """How many ranks of numbers stand left of the grid, above, right of it and below."""
        rows, columns = ([0, *(place[way] for place in self.outside)] for way in (0, 1))
        last = self.size - 1
        beyond = (-min(columns), -min(rows), max(columns) - last, max(rows) - last)
        return tuple(max(0, count) for count in beyond)


def cornered(canvas: Canvas, cell: int, what: str, *, right: bool = False, room: int = 1) -> None:
    """A text in an upper corner of a cell, small enough to fit into so many cells."""
    x, y = centre(cell, canvas.size)
    wide = GLYPH * len(what)
    font = SMALL if wide * SMALL <= CELL - 6 else min(SMALLER, (room * CELL - 6) / wide)
    at = (x + CELL / 2 - 3 if right else x - CELL / 2 + 3, y - CELL / 2 + 3 + font / 2)
    anchor = "end" if right else "start"
    centred(canvas, at, font, what, text_anchor=anchor, font_weight="400")
    canvas.crowded.add(cell)


def centred(canvas: Canvas, at: Point, font: float, what: str, **style: float | str) -> None:
    """A text centred on a point, bold unless the style says otherwise."""
    usual: Style = {"font_size": font, "text_anchor": "middle", "font_weight": "700", "fill": INK}
    if what:
        canvas.add("edges", text(at, font, what, **{**usual, **style}))


def stroke(path: str, **style: float | str) -> str:
    """A line with round ends and no filling."""
    ends: Style = {"stroke_linecap": "round", "stroke_linejoin": "round"}
    return element("path", d=path, fill="none", **{**ends, **style})


def chevron(tip: Point, base: Point, half: float, **style: float | str) -> str:
    """Two strokes from both sides of the base to the tip."""
    (x, y), (u, v) = tip, base
    length = hypot(x - u, y - v) or 1  # of an arrow that does not leave its circle
    across = (v - y) / length * half, (x - u) / length * half
    ends = (u + across[0], v + across[1]), (u - across[0], v - across[1])
    path = polyline((ends[0], tip, ends[1]))
    return stroke(path, **{"stroke": DARK, "stroke_width": 1.8, **style})


def joint(canvas: Canvas, clue: Clue) -> Point:
    """The middle between two cells; a thin line joins them if they are no neighbours."""
    a, b = canvas.centres(clue.cells)
    if hypot(a[0] - b[0], a[1] - b[1]) > CELL:
        canvas.add("lines", stroke(polyline((a, b)), stroke=DARK, stroke_width=1))
    return between(a, b)


def unusual(clue: Clue, board: Board) -> str:
    """The value of a clue, unless it is the one that the kind has if none is written."""
    default = getattr(KINDS[clue.kind].value, "default", None)
    return "" if default and clue.value == str(default(board.size)) else clue.value


def tree(cells: Cells, size: int) -> Iterator[tuple[int, int]]:
    """Steps that join all the cells: the shortest ones (a minimum spanning tree, R. C. Prim)."""
    reached, waiting = [cells[0]], set(cells[1:])
    while waiting:
        steps = [(a, b) for a in reached for b in sorted(waiting)]
        step = min(steps, key=lambda step: distance(step[0], step[1], size))
        yield step
        reached.append(step[1])
        waiting.remove(step[1])


def distance(a: int, b: int, size: int) -> float:
    """Between the middles of two cells, in cells."""
    return hypot(a // size - b // size, a % size - b % size)
