"""How clues look: drawings by name, in the shapes and colours that setters know.

Invariant: a clue lies below the digits and pencil marks and hides none of them; its lines lie below
those between cells. The `look` of a kind says which drawing it has, and with which options.

A drawing adds to a `Canvas`, layer by layer. Of cells that do not meet, what stands between two is
joined to them by a line; what stands between more is outlined. An outline lies a little inside its
cells, so that neighbours stay apart. No two drawings outside the grid share a place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise, product
from math import hypot
from typing import Any

from ..model.board import Board, Cells, Place
from ..model.clue import SET, Clue
from ..model.kinds import KINDS, alike, title
from ..model.sentences import in_words
from ..model.words import letters
from .marks import frame, patterned
from .shapes import (
    CELL,
    DARK,
    GLYPH,
    GREY,
    INK,
    OUTSIDE,
    WHITE,
    Canvas,
    Point,
    Style,
    between,
    centre,
    centred,
    chevron,
    cornered,
    distance,
    element,
    joint,
    polyline,
    squares,
    stroke,
    tree,
    unusual,
)

NUMBER = 17  # font size of a number outside the grid
INSET = 2.5  # of an outline, from the edges of its cells


def shaded(canvas: Canvas, clue: Clue, *, fills: Sequence[str]) -> None:
    """Whole cells, every clue of the kind in the next colour."""
    fill = fills[canvas.drawn[clue.kind] % len(fills)]
    canvas.add("areas", *squares(set(clue.cells), canvas.board, fill=fill))


def cloned(canvas: Canvas, clue: Clue) -> None:
    """Shaded groups; if their shapes differ, letters say which cells are equal."""
    shaded(canvas, clue, fills=("#dfe3ea", "#efe3d3", "#e2ecd9", "#ecdfea"))
    if len({_steps(group, canvas.board) for group in clue.groups}) > 1:
        for group in clue.groups:
            for place, cell in enumerate(group):
                cornered(canvas, cell, chr(ord("a") + place % 26))


def _steps(cells: Cells, board: Board) -> tuple[tuple[int, int], ...]:
    """Where the cells lie, from the first of them."""
    row, column = board.places[cells[0]]
    return tuple(
        (down - row, across - column) for down, across in map(board.places.__getitem__, cells)
    )


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
    what = sign + ("" if letters(canvas.board) == 1 else " ").join(digits)
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
    canvas.add("areas", *squares(inside, canvas.board, fill="#e6e6ea"))


def outlined(canvas: Canvas, clue: Clue, *, grey: bool = False, sign: str = "") -> None:
    """A dashed outline a little inside the cells, and the value in its upper left corner."""
    cells = dashed(canvas, clue.cells, DARK if grey else INK)
    if clue.value:
        cornered(canvas, cells[0], clue.value + sign)


def named(canvas: Canvas, clue: Clue, *, label: str = "") -> None:
    """A thin outline; in its corner the label with the value, or the usual name and the value."""
    cells = dashed(canvas, clue.cells, DARK)
    name = label or f"{title(clue.kind, clue.value)} {{value}}"
    what = name.replace("{value}", in_words(clue.value)).strip()
    cornered(canvas, cells[0], what, room=_room(canvas.board, cells[0]))


def _room(board: Board, cell: int) -> int:
    """The columns from that of a cell to the end."""
    return board.extent[1] - board.places[cell][1]


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
    """Every group outlined, and joined to the next by a line with a sign; > points to the next."""
    for group in clue.groups:
        dashed(canvas, group, INK)
    for one, other in pairwise(clue.groups):
        pair = min(product(one, other), key=lambda two: distance(two[0], two[1], canvas.board))
        x, y = joint(canvas, clue._replace(groups=(pair,)))
        canvas.add("edges", element("circle", cx=x, cy=y, r=7, fill=WHITE))
        a, b = canvas.centres(pair)
        if sign == ">" and a != b:
            step = 3 / hypot(a[0] - b[0], a[1] - b[1])
            tip, end = between((x, y), b, 2 * step), between((x, y), a, 2 * step)
            canvas.add("edges", chevron(tip, end, 5, stroke=INK))
        else:
            centred(canvas, (x, y), 11, sign)


def dashed(canvas: Canvas, some: Cells, colour: str) -> Cells:
    """The outline of some cells; dots join its parts. The cells in ascending order."""
    cells = tuple(sorted(set(some)))
    path = outline(canvas.board.places[cell] for cell in cells)
    style: Style = {"stroke": colour, "stroke_width": 1}
    canvas.add("edges", stroke(path, stroke_dasharray="3 2", stroke_linecap="butt", **style))
    for a, b in tree(cells, canvas.board):
        if distance(a, b, canvas.board) > 1.5:
            line = polyline(canvas.centres((a, b)))
            canvas.add("lines", stroke(line, stroke_dasharray="1 4", **style))
    return cells


def outline(places: Iterable[Place]) -> str:
    """Path data of the edges between places of the set and others, moved inwards."""
    half, path = CELL / 2, []
    inside = [complex(column, row) for row, column in places]
    for cell in inside:
        for out in (-1j, 1, 1j, -1):
            if cell + out in inside:
                continue
            side = (cell + 0.5 + 0.5j) * CELL + out * (half - INSET)
            ends = []
            for along in (out * -1j, out * 1j):
                turns = cell + along not in inside or -(cell + along + out in inside)
                ends.append(side + along * (half - INSET * turns))
            path.append(polyline((end.real, end.imag) for end in ends))
    return "".join(path)


def dot(canvas: Canvas, clue: Clue, *, black: bool = False) -> None:
    """A dot between two cells, with its value unless that is the usual one."""
    fill, ink = (INK, WHITE) if black else (WHITE, INK)
    x, y = joint(canvas, clue)
    canvas.add("edges", element("circle", cx=x, cy=y, r=5.5, fill=fill, stroke=INK))
    centred(canvas, (x, y), 8, unusual(clue, canvas.board), fill=ink)


def sum_of_two(canvas: Canvas, clue: Clue) -> None:
    """X, V or the sum, on white; more cells, or one, are outlined."""
    if len({*clue.cells}) != 2 or len(clue.cells) != 2:
        named(canvas, clue, label="sum {value}")
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
    """A circle where the cells meet, with the value in it: more than two digits in two rows."""
    points = canvas.centres(clue.cells)
    if any(hypot(x - points[0][0], y - points[0][1]) > 1.5 * CELL for x, y in points):
        named(canvas, clue)
        return
    x, y = (sum(ways) / len(points) for ways in zip(*points, strict=True))
    canvas.add("edges", element("circle", cx=x, cy=y, r=11, fill=WHITE, stroke=INK))
    digits = clue.value.split(",")
    half = len(digits) if len(digits) < 3 else (len(digits) + 1) // 2
    rows = [digits[:half], digits[half:]] if half < len(digits) else [digits]
    gap = "" if letters(canvas.board) == 1 else " "
    font = min(11, 17 / (GLYPH * max(len(gap.join(row)) for row in rows)))
    for place, row in enumerate(rows):
        lower = (place - (len(rows) - 1) / 2) * 0.86 * font
        centred(canvas, (x, y + lower), font, gap.join(row), font_weight="400")


def line(
    canvas: Canvas, clue: Clue, *, colour: str, width: float = 8, dashes: str = "none"
) -> None:
    """A line through the cells of each group, with an unusual value beside its first step."""
    stroked(canvas, clue, colour=colour, width=width, dashes=dashes)
    _valued(canvas, clue)


def stroked(
    canvas: Canvas, clue: Clue, *, colour: str, width: float = 8, dashes: str = "none"
) -> None:
    """A line, with the mark of its kind where other kinds have lines."""
    mark = KINDS[clue.kind].look.mark if clue.kind in canvas.marked else ""
    for cells in clue.groups:
        group = cells if len(cells) > 1 else cells * 2  # of one cell: a spot
        steps = tree(group, canvas.board) if KINDS[clue.kind].order == SET else [group]
        path = "".join(polyline(canvas.centres(step)) for step in steps)
        style: Style = {"stroke": colour, "stroke_width": width, "stroke_dasharray": dashes}
        canvas.add("lines", *(patterned(mark, path, style) if mark else [stroke(path, **style)]))


def begun(
    canvas: Canvas, clue: Clue, *, colour: str, width: float = 8, dashes: str = "none"
) -> None:
    """A line with a dot where it begins."""
    stroked(canvas, clue, colour=colour, width=width, dashes=dashes)
    for x, y in canvas.centres(cells[0] for cells in clue.groups):
        canvas.add("lines", element("circle", cx=x, cy=y, r=width / 2 + 4, fill=colour))


def labelled(canvas: Canvas, clue: Clue, *, colour: str) -> None:
    """A line with its value, which may be long, in the corner of the first cell."""
    stroked(canvas, clue, colour=colour)
    first = clue.cells[0]
    cornered(canvas, first, clue.value, room=_room(canvas.board, first))


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
    x, y = centre(clue.cells[0], canvas.board)
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
        begin = min(circle, key=lambda cell: distance(cell, shaft[0], canvas.board))
        path = _shortened(canvas.centres((begin, *shaft)), 15)
        head = chevron(path[-1], between(path[-1], path[-2], 0.2), 6, **style)
        canvas.add("lines", stroke(polyline(path), **style), head)


def outside(canvas: Canvas, clue: Clue, *, arrow: bool = False) -> None:
    """The value where no cell is, before the first cell of a straight line from edge to edge; in a
    frame where other kinds have numbers outside."""
    beside = _beside(canvas, clue)
    if beside is None:
        named(canvas, clue)
        return
    (x, y), (right, down) = beside
    is_framed = clue.kind in canvas.marked
    if is_framed:
        canvas.add("edges", *frame(KINDS[clue.kind].look.mark, (x, y)))
    room = 17 if is_framed or arrow else 26
    font = min(14 if is_framed else NUMBER, room / (GLYPH * len(clue.value)))
    centred(canvas, (x, y), font, clue.value, font_weight="400")
    if arrow:
        u, v = centre(clue.cells[0], canvas.board)
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
    """A free place without a cell, before the first cell of a straight line from edge to edge, and
    the way (right, down) in which the line goes; None for other cells, and if no place is free."""
    board = canvas.board
    (row, column), *others = (board.places[cell] for cell in clue.cells)
    down, right = (others[0][0] - row, others[0][1] - column) if others else (0, 0)
    place = row - down, column - right
    if (down, right) == (0, 0):
        return None
    while place in canvas.outside:
        place = place[0] - down, place[1] - right
    if place in board.cell_at:
        return None
    canvas.outside.add(place)
    y, x = map(_beyond, place, board.extent)
    return (x, y), (right, down)


def _beyond(at: int, size: int) -> float:
    """The middle of a row or column, which may be a rank outside the grid."""
    if 0 <= at < size:
        return (at + 0.5) * CELL
    return (at + 0.5) * OUTSIDE if at < 0 else size * CELL + (at - size + 0.5) * OUTSIDE


Drawing = Callable[..., Any]  # of a canvas, a clue and the options of its kind


class Sketch(Canvas):
    """The elements that draw some clues, those of a lower level first."""

    def __init__(self, board: Board, clues: Iterable[Clue]) -> None:
        clues = tuple(clues)
        super().__init__(board, alike(clues))
        order = {kind.name: (kind.look.level, place) for place, kind in enumerate(KINDS.values())}
        for clue in sorted(clues, key=lambda clue: order[clue.kind]):
            self.kind = clue.kind
            _draw(self, clue)
            self.drawn[clue.kind] += 1


def _draw(canvas: Canvas, clue: Clue) -> None:
    look = KINDS[clue.kind].look
    DRAWINGS[look.drawing](canvas, clue, **look.options)


def style_of(kind: str) -> str:
    """The attributes of all that is drawn for a kind."""
    return 'opacity="0.5"' if KINDS[kind].look.is_pale else ""


def is_outside(kind: str) -> bool:
    """Whether its clues stand outside the grid."""
    return DRAWINGS[KINDS[kind].look.drawing] in (outside, towards)


def _several(canvas: Canvas, clue: Clue) -> None:
    """The parts, each as it is drawn by itself."""
    for part in clue.parts:
        if part.cells:
            _draw(canvas, part)


DRAWINGS: dict[str, Drawing] = {
    "shaded": shaded,
    "cloned": cloned,
    "extreme": extreme,
    "disc": disc,
    "square": square,
    "restricted": restricted,
    "thermometer": thermometer,
    "line": line,
    "begun": begun,
    "labelled": labelled,
    "with-ends": with_ends,
    "shafts": arrow,
    "named": named,
    "outlined": outlined,
    "compared": compared,
    "weights": with_weights,
    "dot": dot,
    "letter": sum_of_two,
    "chevron": greater,
    "corner": in_corner,
    "outside": outside,
    "towards": towards,
    "parts": _several,
}
