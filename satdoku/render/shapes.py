"""The elements of an SVG picture, where cells lie in it, and the canvas on which clues are drawn.

Invariant: lengths are in user units, 40 a cell; r1c1 begins at (0, 0). A text on a canvas stands
above the lines between cells; whoever writes in an upper corner says so.
"""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import hypot, isqrt

from ..model.board import Board, Cells
from ..model.clue import Clue
from ..model.kinds import KINDS

CELL = 40
BASELINE = 0.36  # of the font size: half the height of a digit, below its middle
GLYPH = 0.65  # of the font size: more than the width of most characters
INK, SOFT, AREA = "#111111", "#333333", "#e9e9ef"

Point = tuple[float, float]
Style = dict[str, float | str]  # attributes of an element


def number(value: float) -> str:
    """A number as short as can be."""
    return f"{round(value, 2):g}"


def centre(cell: int, board: Board) -> Point:
    """The middle of a cell."""
    row, column = board.places[cell]
    return (column + 0.5) * CELL, (row + 0.5) * CELL


def slot(board: Board) -> float:
    """The side of the place that a small digit has."""
    return (CELL - 4) / _columns(board)


def spot(cell: int, digit: int, board: Board, part: float = 1, lower: float = 0) -> Point:
    """The middle of a small digit, by its position among the board's; `part` of its usual distance
    from the cell's, and lower."""
    (x, y), columns = centre(cell, board), _columns(board)
    row, column = divmod(digit - 1, columns)
    rows, side = -(-len(board.digits) // columns), slot(board) * part
    return x + (column + 0.5 - columns / 2) * side, y + (row + 0.5 - rows / 2) * side + lower


def _columns(board: Board) -> int:
    """The small digits in a row of a cell."""
    return isqrt(len(board.digits) - 1) + 1


def between(a: Point, b: Point, part: float = 0.5) -> Point:
    """The point that lies so far on the way from one to the other."""
    return a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part


def group(what: str, attributes: str, inside: Sequence[str]) -> Iterator[str]:
    """The elements in a group of that class; nothing if there are no elements."""
    if inside:
        yield f'<g class="{what}"{attributes and " " + attributes}>'
        yield from inside
        yield "</g>"


def element(name: str, **attributes: float | str) -> str:
    """An empty element; `_` in a name stands for `-`."""
    return f"<{name}{_attributes(attributes)}/>"


def text(at: Point, font: float, what: object, **attributes: float | str) -> str:
    """A text whose middle height is that of a point; `font` is the size of its characters."""
    x, y = at
    place = _attributes({"x": x, "y": y + BASELINE * font, **attributes})
    return f"<text{place}>{html.escape(str(what))}</text>"


def _attributes(attributes: Style) -> str:
    shown = ((k.replace("_", "-"), v) for k, v in attributes.items())
    return "".join(f' {k}="{v if isinstance(v, str) else number(v)}"' for k, v in shown)


def squares(cells: Iterable[int], board: Board, **style: float | str) -> list[str]:
    """The whole cells, ascending."""
    places = (board.places[cell] for cell in sorted(cells))
    sides: Style = {"width": CELL, "height": CELL, **style}
    return [element("rect", x=CELL * column, y=CELL * row, **sides) for row, column in places]


def polyline(points: Iterable[Point]) -> str:
    """Path data of a line through the points."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)


OUTSIDE = 32  # width of a rank of numbers outside the grid
SMALL = 9  # font of what stands in a corner of a cell
SMALLER = 8  # font of what goes on over other cells: it stays above their digits
GREY, DARK, WHITE = "#cfcfd4", "#77777d", "#ffffff"
LAYERS = "areas", "lines", "edges"  # below highlights; below, above the lines between cells


class Canvas:
    """The elements that draw some clues, to which drawings add.

    areas, lines, edges: pairs of a kind and an element, each layer above the one before. crowded:
    cells that have something in their upper corners. outside: where something stands and no cell
    is, as (row, column), both 0-based: in a hole, or around the grid, where -1 is next to it. kind:
    that of the clue that is being drawn. drawn: how many of each kind are drawn already. marked:
    kinds that need their mark, as others are drawn like them.
    """

    def __init__(self, board: Board, marked: frozenset[str] = frozenset()) -> None:
        self.board, self.marked = board, marked
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
        return [centre(cell, self.board) for cell in cells]

    @property
    def ranks(self) -> tuple[int, ...]:
        """How many ranks of numbers stand left of the grid, above, right of it and below."""
        rows, columns = ([0, *(place[way] for place in self.outside)] for way in (0, 1))
        height, width = self.board.extent
        beyond = (-min(columns), -min(rows), max(columns) + 1 - width, max(rows) + 1 - height)
        return tuple(max(0, count) for count in beyond)


def cornered(canvas: Canvas, cell: int, what: str, *, right: bool = False, room: int = 1) -> None:
    """A text in an upper corner of a cell, small enough to fit into so many cells."""
    x, y = centre(cell, canvas.board)
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
    return "" if default and clue.value == str(default(len(board.digits))) else clue.value


def tree(cells: Cells, board: Board) -> Iterator[tuple[int, int]]:
    """Steps that join all the cells: the shortest ones (a minimum spanning tree, R. C. Prim)."""
    reached, waiting = [cells[0]], set(cells[1:])
    while waiting:
        steps = [(a, b) for a in reached for b in sorted(waiting)]
        step = min(steps, key=lambda step: distance(step[0], step[1], board))
        yield step
        reached.append(step[1])
        waiting.remove(step[1])


def distance(a: int, b: int, board: Board) -> float:
    """Between the middles of two cells, in cells."""
    (row, column), (down, across) = board.places[a], board.places[b]
    return hypot(row - down, column - across)
