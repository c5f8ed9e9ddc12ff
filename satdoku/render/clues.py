"""How clues look: a table of drawings by kind, in the shapes and colours that setters know.

Invariant: a clue lies below the digits and pencil marks and hides none of them. A kind that is not
in the table is outlined, with its text.

A drawing adds to a `Sketch`, layer by layer. To draw one more kind, add a line to `DRAWINGS`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise, product
from math import hypot

from ..model.board import Board, Cells
from ..model.clue import Clue
from ..model.kinds import KINDS
from ..model.kinds.kind import SET
from .shapes import (
    CELL,
    GLYPH,
    INK,
    Point,
    Style,
    between,
    centre,
    element,
    polyline,
    squares,
    text,
)

OUTSIDE = 28  # width of a rank of numbers outside the grid
SMALL = 9  # font of what stands in a corner of a cell
SMALLER = 6.5  # font of what goes on over other cells: it stays above their digits
GREY, DARK, WHITE = "#cfcfd4", "#77777d", "#ffffff"
LAYERS = "areas", "lines", "edges"  # below highlights; below, above the lines between cells


class Sketch:
    """The elements that draw some clues.

    areas, lines, edges: pairs of a kind and an element, each layer above the one before. crowded:
    cells that have something in their upper corners. outside: what stands outside the grid, as
    (row, column), both 0-based, where -1 and `board.size` are next to it.
    """

    def __init__(self, board: Board, clues: Iterable[Clue]) -> None:
        self.board, self.size = board, board.size
        self.layers: dict[str, list[tuple[str, str]]] = {layer: [] for layer in LAYERS}
        self.crowded: set[int] = set()
        self.outside: set[tuple[int, int]] = set()
        self.drawn: Counter[str] = Counter()
        order = {kind: place for place, kind in enumerate(DRAWINGS)}
        for clue in sorted(clues, key=lambda clue: order.get(clue.kind, len(order))):
            self._kind = clue.kind
            DRAWINGS.get(clue.kind, _named)(self, clue)
            self.drawn[clue.kind] += 1

    def add(self, layer: str, *elements: str) -> None:
        """More elements of the clue that is being drawn."""
        self.layers[layer] += ((self._kind, element) for element in elements)

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


Drawing = Callable[[Sketch, Clue], None]


# Cells --------------------------------------------------------------------------------------------


def _shaded(sketch: Sketch, clue: Clue, *, fills: Sequence[str]) -> None:
    """Whole cells, every clue of the kind in the next colour."""
    fill = fills[sketch.drawn[clue.kind] % len(fills)]
    sketch.add("areas", *squares(set(clue.cells), sketch.size, fill=fill))


def _cloned(sketch: Sketch, clue: Clue) -> None:
    """Shaded groups; if their shapes differ, letters say which cells are equal."""
    _shaded(sketch, clue, fills=("#dfe3ea", "#efe3d3", "#e2ecd9", "#ecdfea"))
    if len({tuple(cell - group[0] for cell in group) for group in clue.groups}) > 1:
        for group in clue.groups:
            for place, cell in enumerate(group):
                _cornered(sketch, cell, chr(ord("a") + place % 26))


def _disc(sketch: Sketch, clue: Clue, *, fill: str = GREY, stroke: str = "none") -> None:
    for x, y in sketch.centres(clue.cells):
        sketch.add("lines", element("circle", cx=x, cy=y, r=15, fill=fill, stroke=stroke))


def _square(sketch: Sketch, clue: Clue) -> None:
    for x, y in sketch.centres(clue.cells):
        sides = {"x": x - 14, "y": y - 14, "width": 28, "height": 28}
        sketch.add("lines", element("rect", **sides, fill=GREY))


def _restricted(sketch: Sketch, clue: Clue, *, sign: str = "") -> None:
    """The digits that may be there, small in the upper right corner of each cell."""
    digits = clue.value.split(",")
    what = sign + ("" if sketch.size <= 9 else " ").join(digits)
    for cell in clue.cells:
        _cornered(sketch, cell, what, right=True)


def _cornered(sketch: Sketch, cell: int, what: str, *, right: bool = False, room: int = 1) -> None:
    """A text in an upper corner of a cell, small enough to fit into so many cells."""
    x, y = centre(cell, sketch.size)
    wide = GLYPH * len(what)
    font = SMALL if wide * SMALL <= CELL - 6 else min(SMALLER, (room * CELL - 6) / wide)
    at = (x + CELL / 2 - 3 if right else x - CELL / 2 + 3, y - CELL / 2 + 3 + font / 2)
    anchor = "end" if right else "start"
    _text(sketch, at, font, what, text_anchor=anchor, font_weight="400")
    sketch.crowded.add(cell)


def _extreme(sketch: Sketch, clue: Clue, *, low: bool) -> None:
    """At every edge to a neighbour a chevron that points to the lesser cell."""
    inside = set(clue.cells)
    for pair in sketch.board.adjacent_pairs:
        for cell, other in (pair, pair[::-1]):
            if cell in inside and other not in inside:
                a, b = sketch.centres((cell, other))
                tip, end = (0.33, 0.43) if low else (0.43, 0.33)
                sketch.add("lines", _chevron(between(a, b, tip), between(a, b, end), 4.5))
    sketch.add("areas", *squares(inside, sketch.size, fill="#e6e6ea"))


def _chevron(tip: Point, base: Point, half: float, **style: float | str) -> str:
    """Two strokes from both sides of the base to the tip."""
    (x, y), (u, v) = tip, base
    length = hypot(x - u, y - v)
    across = (v - y) / length * half, (x - u) / length * half
    ends = (u + across[0], v + across[1]), (u - across[0], v - across[1])
    path = polyline((ends[0], tip, ends[1]))
    return _stroke(path, **{"stroke": DARK, "stroke_width": 1.8, **style})


def _stroke(path: str, **style: float | str) -> str:
    """A line with round ends and no filling."""
    ends: Style = {"stroke_linecap": "round", "stroke_linejoin": "round"}
    return element("path", d=path, fill="none", **{**ends, **style})


# Two cells ----------------------------------------------------------------------------------------


def _joint(sketch: Sketch, clue: Clue) -> Point:
    """The middle between two cells; a thin line joins them if they are no neighbours."""
    a, b = sketch.centres(clue.cells)
    if hypot(a[0] - b[0], a[1] - b[1]) > CELL:
        sketch.add("lines", _stroke(polyline((a, b)), stroke=DARK, stroke_width=1))
    return between(a, b)


def _dot(sketch: Sketch, clue: Clue, *, fill: str, ink: str) -> None:
    """A dot between two cells, with its value unless that is the usual one."""
    x, y = _joint(sketch, clue)
    sketch.add("edges", element("circle", cx=x, cy=y, r=5.5, fill=fill, stroke=INK))
    _text(sketch, (x, y), 8, _unusual(clue, sketch.board), fill=ink)


def _unusual(clue: Clue, board: Board) -> str:
    """The value of a clue, unless it is the one that the kind has if none is written."""
    default = getattr(KINDS[clue.kind].value, "default", None)
    return "" if default and clue.value == str(default(board.size)) else clue.value


def _text(sketch: Sketch, at: Point, font: float, what: str, **style: float | str) -> None:
    """A text centred on a point, bold unless the style says otherwise."""
    usual: Style = {"font_size": font, "text_anchor": "middle", "font_weight": "700", "fill": INK}
    if what:
        sketch.add("edges", text(at, font, what, **{**usual, **style}))


def _sum_of_two(sketch: Sketch, clue: Clue) -> None:
    """X, V or the sum, on white; more cells, or one, are outlined."""
    if len(clue.cells) != 2:
        _named(sketch, clue)
        return
    x, y = _joint(sketch, clue)
    sketch.add("edges", element("circle", cx=x, cy=y, r=6, fill=WHITE))
    letter = {"5": "V", "10": "X"}.get(clue.value)
    _text(sketch, (x, y), 12 if letter else 10, letter or clue.value)


def _with_weights(sketch: Sketch, clue: Clue) -> None:
    """A thin outline, and each weight, with its sign, in its cell; in its corner the total, too."""
    weights, _, total = clue.value.partition("=")
    first, *_ = _dashed(sketch, clue.cells, DARK)
    for cell, weight in zip(clue.cells, weights.split(","), strict=True):
        _cornered(sketch, cell, f"={total}; " * (cell == first) + f"{int(weight):+}")


def _greater(sketch: Sketch, clue: Clue) -> None:
    """A chevron that points to the lesser cell."""
    middle = _joint(sketch, clue)
    a, b = sketch.centres(clue.cells)
    step = 3 / hypot(a[0] - b[0], a[1] - b[1])
    ends = between(middle, b, 2 * step), between(middle, a, 2 * step)
    for colour, width in ((WHITE, 5), (INK, 1.8)):
        sketch.add("edges", _chevron(*ends, 5, stroke=colour, stroke_width=width))


# Lines --------------------------------------------------------------------------------------------


def _line(
    sketch: Sketch, clue: Clue, *, colour: str, width: float = 8, dashes: str = "none"
) -> None:
    """A line through the cells of each group, with an unusual value beside its first step."""
    _stroked(sketch, clue, colour=colour, width=width, dashes=dashes)
    _valued(sketch, clue)


def _stroked(
    sketch: Sketch, clue: Clue, *, colour: str, width: float = 8, dashes: str = "none"
) -> None:
    for cells in clue.groups:
        group = cells if len(cells) > 1 else cells * 2  # of one cell: a spot
        steps = _tree(group, sketch.size) if KINDS[clue.kind].order == SET else [group]
        path = "".join(polyline(sketch.centres(step)) for step in steps)
        style: Style = {"stroke": colour, "stroke_width": width, "stroke_dasharray": dashes}
        sketch.add("lines", _stroke(path, **style))


def _labelled(sketch: Sketch, clue: Clue, *, colour: str) -> None:
    """A line with its value, which may be long, in the corner of the first cell."""
    _stroked(sketch, clue, colour=colour)
    first = clue.cells[0]
    _cornered(sketch, first, clue.value, room=sketch.size - first % sketch.size)


def _valued(sketch: Sketch, clue: Clue) -> None:
    """The value between the first two cells, if it is an unusual one."""
    points = sketch.centres(clue.cells[:2])
    _text(sketch, between(points[0], points[-1]), 8, _unusual(clue, sketch.board))


def _shortened(points: list[Point], by: float) -> list[Point]:
    """The line without so much of its beginning."""
    a, b = points[:2]
    return [between(a, b, by / hypot(a[0] - b[0], a[1] - b[1])), *points[1:]]


def _tree(cells: Cells, size: int) -> Iterator[tuple[int, int]]:
    """Steps that join all the cells: the shortest ones (a minimum spanning tree, R. C. Prim)."""

    reached, waiting = [cells[0]], set(cells[1:])
    while waiting:
        steps = [(a, b) for a in reached for b in sorted(waiting)]
        step = min(steps, key=lambda step: _distance(step[0], step[1], size))
        yield step
        reached.append(step[1])
        waiting.remove(step[1])


def _thermometer(sketch: Sketch, clue: Clue, *, core: str = "") -> None:
    """A grey tube with a bulb at its first cell."""
    x, y = centre(clue.cells[0], sketch.size)
    sketch.add("lines", element("circle", cx=x, cy=y, r=14, fill=GREY))
    _line(sketch, clue, colour=GREY, width=13)
    if core:
        _line(sketch, clue, colour=core, width=2.5, dashes="1 5")


def _with_ends(
    sketch: Sketch, clue: Clue, *, colour: str, width: float, diamonds: bool = False
) -> None:
    """A line whose ends are circles or diamonds."""
    points = _shortened(_shortened(sketch.centres(clue.cells), 15)[::-1], 15)
    sketch.add("lines", _stroke(polyline(points), stroke=colour, stroke_width=width))
    _valued(sketch, clue)
    for x, y in sketch.centres((clue.cells[0], clue.cells[-1])):
        style: Style = {"fill": "none", "stroke": colour, "stroke_width": 2}
        corners = polyline(((x, y - 17), (x + 17, y), (x, y + 17), (x - 17, y)))
        diamond = element("path", d=f"{corners}Z", **style)
        sketch.add("lines", diamond if diamonds else element("circle", cx=x, cy=y, r=15, **style))


def _arrow(sketch: Sketch, clue: Clue) -> None:
    """A circle, or a pill around several cells, and a line with a head for each other group."""
    circle, *shafts = clue.groups
    style: Style = {"stroke": DARK, "stroke_width": 2}
    (left, top), (right, bottom) = sketch.centres((min(circle), max(circle)))
    left, right = min(left, right), max(left, right)
    sides = {"x": left - 15, "y": top - 15, "width": right - left + 30, "height": bottom - top + 30}
    sketch.add("lines", element("rect", **sides, rx=15, fill="none", **style))
    for shaft in shafts:
        begin = min(circle, key=lambda cell: _distance(cell, shaft[0], sketch.size))
        path = _shortened(sketch.centres((begin, *shaft)), 15)
        head = _chevron(path[-1], between(path[-1], path[-2], 0.2), 6, **style)
        sketch.add("lines", _stroke(polyline(path), **style), head)


# Outlines and what stands outside -----------------------------------------------------------------


def _outlined(sketch: Sketch, clue: Clue, *, colour: str = INK, sign: str = "") -> None:
    """A dashed outline a little inside the cells, and the value in its upper left corner."""
    cells = _dashed(sketch, clue.cells, colour)
    if clue.value:
        _cornered(sketch, cells[0], clue.value + sign)


def _named(sketch: Sketch, clue: Clue) -> None:
    """A thin outline, and kind and value in its corner."""
    cells = _dashed(sketch, clue.cells, DARK)
    what = f"{clue.kind}={clue.value}" if clue.value else clue.kind
    _cornered(sketch, cells[0], what, room=sketch.size - cells[0] % sketch.size)


def _compared(sketch: Sketch, clue: Clue, *, sign: str) -> None:
    """Every group outlined, and joined to the next by a line with a sign."""
    for group in clue.groups:
        _dashed(sketch, group, INK)
    for one, other in pairwise(clue.groups):
        pair = min(product(one, other), key=lambda two: _distance(two[0], two[1], sketch.size))
        x, y = _joint(sketch, clue._replace(groups=(pair,)))
        sketch.add("edges", element("circle", cx=x, cy=y, r=6, fill=WHITE))
        _text(sketch, (x, y), 11, sign)


def _dashed(sketch: Sketch, some: Cells, colour: str) -> Cells:
    """The outline of some cells; dots join its parts. The cells in ascending order."""
    cells = tuple(sorted(set(some)))
    path = _outline(cells, sketch.size)
    style: Style = {"stroke": colour, "stroke_width": 1}
    sketch.add("edges", _stroke(path, stroke_dasharray="3 2", stroke_linecap="butt", **style))
    for a, b in _tree(cells, sketch.size):
        if _distance(a, b, sketch.size) > 1.5:
            line = polyline(sketch.centres((a, b)))
            sketch.add("lines", _stroke(line, stroke_dasharray="1 4", **style))
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


def _outside(sketch: Sketch, clue: Clue, *, arrow: bool = False) -> None:
    """The value outside the grid, before the first cell of a straight line from edge to edge."""
    beside = _beside(sketch, clue)
    if beside is None:
        _named(sketch, clue)
        return
    (x, y), (right, down) = beside
    _text(sketch, (x, y), 13, clue.value, font_weight="400")
    if arrow:
        u, v = centre(clue.cells[0], sketch.size)
        corner = u - right * CELL / 2, v - down * CELL / 2
        _pointed(sketch, between((x, y), corner, 0.5), between((x, y), corner, 0.95), 0.6, 2.5)


def _towards(sketch: Sketch, clue: Clue) -> None:
    """An arrow outside the grid that points to where the digits grow."""
    beside = _beside(sketch, clue)
    if beside is None:
        _named(sketch, clue)
        return
    (x, y), way = beside
    right, down = (7 * step if clue.value == "+" else -7 * step for step in way)
    _pointed(sketch, (x - right, y - down), (x + right, y + down), 0.65, 4)


def _pointed(sketch: Sketch, tail: Point, tip: Point, base: float, half: float) -> None:
    """A thin arrow; its head begins at so great a part of it."""
    style: Style = {"stroke": INK, "stroke_width": 1.2}
    sketch.add("edges", _stroke(polyline((tail, tip)), **style))
    sketch.add("edges", _chevron(tip, between(tail, tip, base), half, **style))


def _beside(sketch: Sketch, clue: Clue) -> tuple[Point, tuple[int, int]] | None:
    """A free place outside the grid, before the first cell of a straight line from edge to edge,
    and the way (right, down) in which the line goes; None for other cells."""
    size = sketch.size
    (row, column), *others = (divmod(cell, size) for cell in clue.cells)
    down, right = (others[0][0] - row, others[0][1] - column) if others else (0, 0)
    place = row - down, column - right
    if (down, right) == (0, 0) or all(0 <= at < size for at in place):
        return None
    while place in sketch.outside:
        place = place[0] - down, place[1] - right
    sketch.outside.add(place)
    y, x = (_beyond(at, size) for at in place)
    return (x, y), (right, down)


def _beyond(at: int, size: int) -> float:
    """The middle of a row or column, which may be a rank outside the grid."""
    if 0 <= at < size:
        return (at + 0.5) * CELL
    return (at + 0.5) * OUTSIDE if at < 0 else size * CELL + (at - size + 0.5) * OUTSIDE


def _in_corner(sketch: Sketch, clue: Clue) -> None:
    """A circle where the cells meet, with the value in it."""
    points = sketch.centres(clue.cells)
    if any(hypot(x - points[0][0], y - points[0][1]) > 1.5 * CELL for x, y in points):
        _named(sketch, clue)
        return
    x, y = (sum(ways) / len(points) for ways in zip(*points, strict=True))
    sketch.add("edges", element("circle", cx=x, cy=y, r=9, fill=WHITE, stroke=INK))
    what = clue.value.replace(",", "" if sketch.size <= 9 else " ")
    _text(sketch, (x, y), min(SMALL, 15 / (GLYPH * len(what))), what, font_weight="400")


def _several(sketch: Sketch, clue: Clue) -> None:
    """The parts, each as it is drawn by itself."""
    for part in clue.parts:
        if part.cells:
            DRAWINGS.get(part.kind, _named)(sketch, part)


def _distance(a: int, b: int, size: int) -> float:
    """Between the middles of two cells, in cells."""
    return hypot(a // size - b // size, a % size - b % size)


# How every kind is drawn; kinds further down lie above those further up.
DRAWINGS: dict[str, Drawing] = {
    "region": partial(_shaded, fills=("#e3e3ea", "#eae6d8", "#dcebe4")),
    "clone": _cloned,
    "col-index": partial(_shaded, fills=("#f9dede",)),
    "row-index": partial(_shaded, fills=("#dde8f8",)),
    "box-index": partial(_shaded, fills=("#dff0dd",)),
    "minimum": partial(_extreme, low=True),
    "maximum": partial(_extreme, low=False),
    "odd": _disc,
    "even": _square,
    "thermo": _thermometer,
    "slow-thermo": partial(_thermometer, core=WHITE),
    "whisper": partial(_line, colour="#9be38f"),
    "palindrome": partial(_line, colour="#c4c4c9"),
    "renban": partial(_line, colour="#e6a3ea"),
    "nabner": partial(_line, colour="#ecd25f"),
    "entropic": partial(_line, colour="#fdc08c"),
    "modular": partial(_line, colour="#7fd3cf"),
    "parity": partial(_line, colour="#f4a19b"),
    "region-sum": partial(_line, colour="#8cc4f2"),
    "ten-line": partial(_line, colour="#93e3ea"),
    "regex": partial(_labelled, colour="#b5c98a"),
    "machine": partial(_stroked, colour="#d9a8a0"),
    "zipper": partial(_line, colour="#c3b1ee"),
    "between": partial(_with_ends, colour="#b4b4ba", width=7),
    "lockout": partial(_with_ends, colour="#8ea6dc", width=5, diamonds=True),
    "double-arrow": partial(_with_ends, colour=DARK, width=2),
    "arrow": _arrow,
    "circles": partial(_disc, fill="none", stroke=DARK),
    "distinct": partial(_outlined, colour=DARK),
    "cage": _outlined,
    "product": partial(_outlined, sign="×"),
    "equal-sum": partial(_compared, sign="="),
    "greater-sum": partial(_compared, sign=">"),
    "difference": partial(_dot, fill=WHITE, ink=INK),
    "ratio": partial(_dot, fill=INK, ink=WHITE),
    "sum": _sum_of_two,
    "weighted": _with_weights,
    "greater": _greater,
    "low": partial(_restricted, sign="≤"),
    "high": partial(_restricted, sign="≥"),
    "digits": _restricted,
    "quadruple": _in_corner,
    "little-killer": partial(_outside, arrow=True),
    "sandwich": _outside,
    "x-sum": _outside,
    "skyscraper": _outside,
    "numbered-room": _outside,
    "rossini": _towards,
    "or": _several,
    "and": _several,
}
STYLES = {"or": 'opacity="0.5"'}  # of what may not hold
CAPTIONED = "or", "and", "machine"  # whose text stands below as well
