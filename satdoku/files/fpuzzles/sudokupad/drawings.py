"""The clues among what is drawn, each by a reader of its own.

Invariant: a drawing is used for one clue at most; one that is no clue stays a drawing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from ....model.kinds import foreign
from ..clues import BY_KIND
from .cells import Item, name_of, names_of
from .drawn import Line, Mark, Place, cell_of, is_black, is_grey, is_white

Drawn = Line | Mark
Stated = tuple[str, Any, tuple[Drawn, ...]]  # a key of f-puzzles, an item of it, and its drawings
_DIAGONAL = "#34bbe6"
# Colours that lines of a kind have in f-puzzles: its key, what the item has beside its cells, and
# the word that the rules must have for it.
COLOURED: dict[str, tuple[str, Item, str]] = {
    there.name: (BY_KIND[kind.name].name, dict(there.options), there.way)
    for kind, there in foreign("sudokupad")
}
_THICK = 8  # 64ths of a cell: the line of a thermometer has 10 or more
_WAYS = {(-1, 1): "UR", (-1, -1): "UL", (1, 1): "DR", (1, -1): "DL"}


class Picture(NamedTuple):
    """What is drawn on a grid of a size; rules: what is said of it, in lower case."""

    size: int
    rules: str
    lines: list[Line]
    arrows: list[Line]
    marks: list[Mark]
    underlays: frozenset[Mark]

    def has(self, cells: Iterable[Place]) -> bool:
        """Whether cells lie in the grid."""
        inside = range(self.size)
        return all(row in inside and column in inside for row, column in cells)


def clues_of(picture: Picture, grid: list[list[Item]]) -> Iterator[tuple[str, Any]]:
    """The clues that are drawn, then the drawings that are none."""
    used: set[Drawn] = set()
    for read in _READERS:
        for key, item, drawn in read(picture):
            if used.isdisjoint(drawn):
                used.update(drawn)
                yield key, item
    for line in (*picture.lines, *picture.arrows):
        if line not in used:
            yield "line", {"fromConstraint": line.colour}
    for mark in picture.marks:
        if mark in used:
            continue
        if _is_shading(mark) and mark.cell and picture.has([mark.cell]):
            grid[mark.cell[0]][mark.cell[1]]["c"] = mark.fill
        else:
            kind = "text" if mark.text else "circle" if mark.is_round else "rectangle"
            yield kind, {"fromConstraint": mark.text or mark.fill or mark.border}


def _is_shading(mark: Mark) -> bool:
    """Whether it only colours a whole cell."""
    return mark.is_about(0.95, 1.05) and mark.is_straight and not (mark.is_round or mark.text)


def _diagonals(picture: Picture) -> Iterator[Stated]:
    n = float(picture.size)
    ends = {
        frozenset(((0.0, 0.0), (n, n))): "diagonal-",
        frozenset(((0.0, n), (n, 0.0))): "diagonal+",
    }
    for line in picture.lines:
        key = ends.get(frozenset(line.points))
        if key and line.colour == _DIAGONAL:
            yield key, True, (line,)


def _coloured(picture: Picture) -> Iterator[Stated]:
    """Lines whose kind a colour and the rules tell; `words` asks whether the rules say the same."""
    for line in picture.lines:
        key, value, word = COLOURED.get(line.colour, ("", {}, ""))
        if word and word in picture.rules and len(line.cells) > 1 and picture.has(line.cells):
            yield key, {"lines": [names_of(line.cells)]} | value, (line,)


def _thermometers(picture: Picture) -> Iterator[Stated]:
    bulbs = {m.cell: m for m in picture.marks if m.is_round and not m.text and m.is_about(0.5, 1)}
    stems: dict[Mark, dict[Line, list[str]]] = {}
    for line in picture.lines:
        cells = line.cells
        if len(cells) < 2 or not is_grey(line.colour) or line.thickness < _THICK:
            continue
        found = [(way, bulbs[way[0]]) for way in (cells, cells[::-1]) if way[0] in bulbs]
        if len(found) == 1 and picture.has(cells) and found[0][1].fill == line.colour:
            way, bulb = found[0]
            stems.setdefault(bulb, {})[line] = names_of(way)
    for bulb, lines in stems.items():
        yield "thermometer", {"lines": [*lines.values()]}, (bulb, *lines)


def _arrows(picture: Picture) -> Iterator[Stated]:
    circles = {cell: m for m in picture.marks if _is_circle(m) for cell in m.pill}
    shafts: dict[Mark, list[Line]] = {}
    for arrow in picture.arrows:
        cells = arrow.cells
        if len(cells) > 1 and cells[0] in circles and picture.has(cells):
            shafts.setdefault(circles[cells[0]], []).append(arrow)
    for circle, some in shafts.items():
        cells = circle.pill
        if picture.has(cells) and not any({*cells} & {*arrow.cells[1:]} for arrow in some):
            lines = [names_of(arrow.cells) for arrow in some]
            yield "arrow", {"cells": names_of(cells), "lines": lines}, (circle, *some)


def _is_circle(mark: Mark) -> bool:
    """Whether it is the circle or the pill of an arrow: it has a border and no other filling."""
    return bool(mark.border) and not mark.text and (not mark.fill or is_white(mark.fill))


def _little_killers(picture: Picture) -> Iterator[Stated]:
    numbers = {cell_of(mark.middle): mark for mark in picture.marks if mark.text.isdecimal()}
    for arrow in picture.arrows:
        begin, way = cell_of(arrow.points[0]), _way(arrow)
        if way and begin in numbers and not picture.has([begin]):
            text = numbers[begin]
            item = {"cell": name_of(begin), "direction": way, "value": text.text}
            yield "littlekillersum", item, (arrow, text)


def _way(arrow: Line) -> str:
    """The diagonal direction of a short straight arrow, empty if it has none."""
    (row, column), (last, right) = arrow.points[0], arrow.points[-1]
    down, over = last - row, right - column
    is_short = len(arrow.points) == 2 and 0 < max(abs(down), abs(over)) < 1
    if not is_short or abs(abs(down) - abs(over)) > 0.25 * max(abs(down), abs(over)):
        return ""
    return _WAYS[1 if down > 0 else -1, 1 if over > 0 else -1]


def _between(picture: Picture) -> Iterator[Stated]:
    """Dots and letters between two cells, digits on a corner."""
    for mark in picture.marks:
        cells = mark.beside
        if not cells or not picture.has(cells):
            continue
        item: Item = {"cells": names_of(cells)}
        value = {"value": mark.text} if mark.text else {}
        is_dot = mark.is_round and mark.is_about(0.1, 0.5) and bool(mark.border or mark.fill)
        is_number = mark.text.isdecimal() or not mark.text
        if len(cells) == 4:
            digits = mark.text.split()
            if mark.is_round and digits and all(len(d) < 3 and d.isdecimal() for d in digits):
                yield "quadruple", item | {"values": [*map(int, digits)]}, (mark,)
        elif mark.text in ("X", "V", "x", "v"):
            yield "xv", item | value, (mark,)
        elif is_dot and is_number and is_white(mark.fill) and is_black(mark.border):
            yield "difference", item | value, (mark,)
        elif is_dot and is_number and is_black(mark.fill):
            yield "ratio", item | value, (mark,)


def _parities(picture: Picture) -> Iterator[Stated]:
    drawn = (*picture.lines, *picture.arrows)
    crossed = {cell for line in drawn for cell in (*line.cells, *map(cell_of, line.points))}
    for mark in picture.marks:
        is_plain = is_grey(mark.fill) and not mark.text and mark in picture.underlays
        if not is_plain or mark.cell is None or mark.cell in crossed:
            continue
        if mark.is_about(0.6, 0.92) and mark.is_straight and picture.has([mark.cell]):
            yield "odd" if mark.is_round else "even", {"cell": name_of(mark.cell)}, (mark,)


_READERS: tuple[Callable[[Picture], Iterator[Stated]], ...] = (
    _diagonals,
    _coloured,
    _thermometers,
    _arrows,
    _little_killers,
    _between,
    _parities,
)
