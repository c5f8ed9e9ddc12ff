"""From the JSON object of SudokuPad to one of f-puzzles, which says the same.

Invariant: a drawing becomes the clue that it always stands for, or stays a drawing, which `words`
counts as an unexplained rule. It is used for one clue at most; invisible drawings are left out. An
unknown key stays, and is refused; an unexpected value raises `ForeignError`, with an example.

The format has no specification. It is what SudokuPad writes and other programs read. Of the object,
these keys are read:

    cells              rows of cells, each an object: value; centremarks, pencilMarks (a player's)
    regions            lists of cells, [row, column] from 0
    cages              cells, value, unique (true: no digit repeats; false: digits may). Without
                       `unique` one is a killer cage if it has a number, but one with `outlineC`
                       is what f-puzzles calls a cosmetic cage. Without cells, a text such as
                       "title: ..." (title, author, rules, solution) is metadata
    lines, arrows      wayPoints, color, thickness
    underlays, overlays   center, width, height, rounded, text, backgroundColor, borderColor
    metadata           title, author, rules, solution, antiknight, antiking
    global             antiknight, antiking, nonconsecutive, disjoint, antiratio, antixv

These drawings are clues:

    a grey line with a grey bulb at one end             thermometer
    an arrow that begins in a circle or a pill          arrow
    an arrow that points into the grid from a number    little killer
    a white or black dot between two cells              difference, ratio, with its number if it
                                                        has one
    an X or a V between two cells                       sum of 10 or 5
    digits in a circle on a corner                      quadruple
    a grey circle or square in a cell without a line    odd, even
    a line from corner to corner of the grid, #34BBE6   diagonal, as f-puzzles draws it
    a line of a colour of `COLOURED`, if the rules      what the rules call it: renban, whisper
    name its kind

Places are rows and columns in cells, from 0 in the upper left corner of the grid: the middle of the
first cell is 0.5, 0.5. Sizes are in cells too, but a thickness is in 64ths of a cell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, NamedTuple

from ...model.kinds import foreign
from ...model.looks import Look, Looks, first_of
from ...model.rules import flags_of, foreign_rules
from ..foreign import ForeignError
from .clues import BY_KIND, FLAGS, NEGATIVE, NONCONSECUTIVE, RULE
from .looks import native_cage, native_line, native_mark

Item = dict[str, Any]
Place = tuple[int, int]  # row and column of a cell, from 0; outside the grid beyond its size
Point = tuple[float, float]
_HEX = re.compile(r"#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")
_NEAR = 0.15  # cells: how far from the middle or the edge of a cell a place may lie to be that
_GREYS = range(0x60, 0xF0)
_FARTHEST = 100  # cells: beyond it a number is no place and no size
_THICKEST = 64 * _FARTHEST  # 64ths of a cell, of a line
_MOST_CELLS = 100  # of a line
_ALIKE = 0x10  # how far the parts of a grey may lie apart


def name_of(place: Place) -> str:
    return f"R{place[0] + 1}C{place[1] + 1}"


def names_of(places: Iterable[Place]) -> list[str]:
    return [name_of(place) for place in places]


class Line(NamedTuple):
    """A line or the shaft of an arrow.

    points: its corners, from the first; cells: those that it runs through, each once, or none if it
    does not run straight from cell to cell, or meets itself.
    """

    points: tuple[Point, ...]
    cells: tuple[Place, ...]
    colour: str
    thickness: float


class Mark(NamedTuple):
    """A circle, a rectangle or a text."""

    middle: Point
    width: float
    height: float
    is_round: bool
    is_straight: bool  # not turned by an angle
    text: str
    fill: str
    border: str

    @property
    def cell(self) -> Place | None:
        """The cell in whose middle it lies."""
        return cell_of(self.middle) if [*map(_part, self.middle)] == [0.5, 0.5] else None

    @property
    def beside(self) -> tuple[Place, ...]:
        """The two cells on whose edge it lies, or the four on whose corner it does; else none."""
        parts = [*map(_part, self.middle)]
        if None in parts or parts == [0.5, 0.5]:
            return ()
        row, column = (
            (round(x) - 1, round(x)) if part == 0 else (int(x // 1),)
            for x, part in zip(self.middle, parts, strict=True)
        )
        return tuple((r, c) for r in row for c in column)

    @property
    def pill(self) -> tuple[Place, ...]:
        """The cells that it covers if it is a circle of a cell, or longer in one direction."""
        height, width = (round(size - 0.8) + 1 for size in (self.height, self.width))
        if not self.is_round or min(width, height) != 1 or max(width, height) > 3:
            return ()
        if any(abs(size - round(size - 0.8) - 0.8) > 0.25 for size in (self.height, self.width)):
            return ()
        row, column = self.middle
        first = cell_of((row - (height - 1) / 2, column - (width - 1) / 2))
        return tuple((first[0] + r, first[1] + c) for r in range(height) for c in range(width))

    def is_about(self, least: float, most: float) -> bool:
        """Whether it is as high as wide, from `least` to `most` cells."""
        return abs(self.width - self.height) < 0.05 and least <= self.width <= most


def lines_of(items: list[dict[str, Any]]) -> list[Line]:
    """The lines or arrows that can be seen, each once."""
    lines = []
    for item in items:
        points = tuple((_number(row), _number(column)) for row, column in item["wayPoints"])
        colour = colour_of(item.get("color") or "#000")
        if colour and points:
            lines.append(
                Line(points, _cells(points), colour, _number(item.get("thickness"), _THICKEST))
            )
    return [*dict.fromkeys(lines)]


def _cells(points: tuple[Point, ...]) -> tuple[Place, ...]:
    """The cells of a line with these corners."""
    corners = [cell_of(point) for point in points]
    path = corners[:1]
    for (row, column), (below, right) in pairwise(corners):
        down, over = below - row, right - column
        steps = max(abs(down), abs(over))
        if {abs(down), abs(over)} - {0, steps} or len(path) + steps > _MOST_CELLS:
            return ()
        for step in range(1, steps + 1):
            path.append((row + down * step // steps, column + over * step // steps))
    return tuple(path) if len({*path}) == len(path) else ()


def marks_of(items: list[dict[str, Any]]) -> list[Mark]:
    """The marks that can be seen, each once."""
    marks = (
        Mark(
            (_number(item["center"][0]), _number(item["center"][1])),
            _number(item.get("width")),
            _number(item.get("height")),
            bool(item.get("rounded")),
            not item.get("angle"),
            "" if item.get("text") is None else str(item["text"]).strip(),
            colour_of(item.get("backgroundColor") or ""),
            colour_of(item.get("borderColor") or ""),
        )
        for item in items
    )
    return [*dict.fromkeys(mark for mark in marks if mark.text or mark.fill or mark.border)]


def _number(value: Any, most: float = _FARTHEST) -> float:
    """A place or a size, 0 where none is stated; raises `ValueError` for what is none."""
    number = float(value or 0)
    if not abs(number) <= most:
        raise ValueError(f"{value} is no place and no size")
    return number


def colour_of(text: str) -> str:
    """A colour as #rrggbb; empty for none, or one that is transparent."""
    colour = str(text).strip().lower()
    if colour in ("", "none", "transparent"):
        return ""
    match = _HEX.fullmatch(colour)
    if match is None:
        return colour
    digits = match[1] if len(match[1]) > 4 else "".join(2 * digit for digit in match[1])
    return "" if digits[6:] == "00" else f"#{digits[:6]}"


def is_grey(colour: str) -> bool:
    """Whether a colour is a grey, neither black nor white."""
    parts = _parts(colour)
    return bool(parts) and max(parts) - min(parts) <= _ALIKE and set(parts) <= {*_GREYS}


def is_black(colour: str) -> bool:
    return colour == "black" or max(_parts(colour), default=0xFF) < 0x30


def is_white(colour: str) -> bool:
    return colour == "white" or min(_parts(colour), default=0) >= 0xF0


def cell_of(point: Point) -> Place:
    return int(point[0] // 1), int(point[1] // 1)


def _parts(colour: str) -> list[int]:
    """Red, green and blue; none of a colour that is a name."""
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)] if _HEX.fullmatch(colour) else []


def _part(x: float) -> float | None:
    """0.5 in the middle of a cell, 0 at its edge, None between."""
    if abs(x - round(x)) <= _NEAR:
        return 0
    return 0.5 if abs(x % 1 - 0.5) <= _NEAR else None


Drawn = Line | Mark
Stated = tuple[str, Any, tuple[Drawn, ...]]  # a key of f-puzzles, an item of it, and its drawings
DIAGONAL = "#34bbe6"
# Colours that lines of a kind have in f-puzzles: its key, what the item has beside its cells, and
# the word that the rules must have for it.
COLOURED: dict[str, tuple[str, Item, str]] = {
    there.name: (BY_KIND[kind.name].name, dict(there.options), there.way)
    for kind, there in foreign("sudokupad")
}
_THICK = 8  # 64ths of a cell: the line of a thermometer has 10 or more
_WAYS = {(-1, 1): "UR", (-1, -1): "UL", (1, 1): "DR", (1, -1): "DL"}


class Picture(NamedTuple):
    """What is drawn on so many rows and columns; rules: what is said of it, in lower case."""

    rows: int
    columns: int
    rules: str
    lines: list[Line]
    arrows: list[Line]
    marks: list[Mark]
    underlays: frozenset[Mark]

    def has(self, cells: Iterable[Place]) -> bool:
        """Whether cells lie in the grid."""
        rows, columns = range(self.rows), range(self.columns)
        return all(row in rows and column in columns for row, column in cells)


def used_in(picture: Picture) -> list[Stated]:
    """The clues that are drawn; no drawing is one of two."""
    used: set[Drawn] = set()
    found = []
    for read in _READERS:
        for stated in read(picture):
            if used.isdisjoint(stated[2]):
                used.update(stated[2])
                found.append(stated)
    return found


def clues_of(
    picture: Picture, grid: list[list[Item]], clues: list[Stated]
) -> Iterator[tuple[str, Any]]:
    """The clues that are drawn, then the drawings that are none."""
    used = {drawn for _, _, some in clues for drawn in some}
    yield from ((key, item) for key, item, _ in clues)
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
    down, right = float(picture.rows), float(picture.columns)
    ends = {
        frozenset(((0.0, 0.0), (down, right))): "diagonal-",
        frozenset(((0.0, right), (down, 0.0))): "diagonal+",
    }
    for line in picture.lines:
        key = ends.get(frozenset(line.points))
        if key and line.colour == DIAGONAL:
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


# Objects ------------------------------------------------------------------------------------------


# Keys that say nothing about the solution, or are read elsewhere here. Fog only hides clues.
NO_CONSTRAINT = frozenset((
    "id", "cellSize", "settings", "videos", "duration", "version", "src", "foglight", "foglink",
    "triggereffect", "cells", "regions", "cages", "lines", "arrows", "underlays", "overlays",
    "metadata", "global", "title", "author",
))  # fmt: skip


def is_native(value: Item) -> bool:
    """Whether an object is one of SudokuPad: its cells are rows."""
    return "grid" not in value and isinstance(value.get("cells"), list)


def as_fpuzzles(value: Item) -> Item:
    """The object of f-puzzles that says what one of SudokuPad says."""
    stated: Item = {key: what for key, what in value.items() if key not in NO_CONSTRAINT}
    stated |= metadata_of(value) | globals_of(value)
    stated["grid"] = grid_of(value)
    picture = _picture(value, stated)
    _state(((key, item) for key, item, _ in cages_of(value)), stated)
    _state(clues_of(picture, stated["grid"], used_in(picture)), stated)
    return stated


def looks_of(value: Item) -> Looks:
    """The drawings of an object of SudokuPad that are no clues."""
    picture = _picture(value, as_fpuzzles(value))
    used = {drawn for _, _, some in used_in(picture) for drawn in some}
    return first_of(_looks(value, used))


def _looks(value: Item, used: set[Drawn]) -> Iterator[Look]:
    """The drawings that are not used, from below."""
    for key, read in _DRAWN.items():
        for item in value.get(key) or []:
            if used.isdisjoint(read([item])):
                if key in ("lines", "arrows"):
                    yield from native_line(item, arrow=key == "arrows")
                else:
                    yield from native_mark(item, over=key == "overlays")
    for key, _, cage in cages_of(value):
        if key == "cage" and cage.get("cells"):
            yield from native_cage(cage)


def _picture(value: Item, stated: Item) -> Picture:
    """What is drawn in an object."""
    drawn: dict[str, Any] = {}
    for key, read in _DRAWN.items():
        with listed(key):
            drawn[key] = read(value.get(key) or [])
    underlays, lines, arrows, overlays = drawn.values()
    rules = stated["ruleset"].lower()
    rows, columns = len(stated["grid"]), max(map(len, stated["grid"]), default=0)
    marks = [*underlays, *overlays]
    return Picture(rows, columns, rules, lines, arrows, marks, frozenset(underlays))


_DRAWN: dict[str, Callable[[list[Item]], list[Any]]] = {
    "underlays": marks_of, "lines": lines_of, "arrows": lines_of, "overlays": marks_of,
}  # fmt: skip


def _state(items: Iterable[tuple[str, Any]], stated: Item) -> None:
    for key, item in items:
        if item is True:
            stated[key] = True
        else:
            stated.setdefault(key, []).append(item)


_KEYS = {rule: key for key, rule in FLAGS.items()} | {RULE: NONCONSECUTIVE}
_FLAGS = {name: _KEYS[rule] for name, rule in flags_of("sudokupad").items()}
IN_METADATA = [t.name for _, t in foreign_rules("sudokupad") if t.options.get("in_metadata")]
GLOBAL: dict[str, tuple[str, Any]] = {
    **{name: (key, True) for name, key in _FLAGS.items()},
    "antiratio": (NEGATIVE, ["ratio"]),
    "antixv": (NEGATIVE, ["xv"]),
}
_METADATA = re.compile(r"([^:\s]+):\s*(.+)", re.DOTALL)
NO_RULES = "No rules provided for this puzzle."  # SudokuPad writes it where a link states none
_FOG = ("FOW", "FOGLIGHT")
STYLES = {
    "fpRowIndexer": "rowindexer", "fpColumnIndexer": "columnindexer", "fpBoxIndexer": "boxindexer",
    "extraregion": "extraregion",
}  # fmt: skip
_EXAMPLES = {
    "cells": "rows of objects",
    "regions": "lists of cells such as [0, 8]",
    "cages": 'objects such as {"cells": [[0, 8]], "value": "15"}',
    "lines": 'objects such as {"wayPoints": [[0.5, 8.5], [1.5, 8.5]]}',
    "arrows": 'objects such as {"wayPoints": [[0.5, 8.5], [1.5, 8.5]]}',
    "underlays": 'objects such as {"center": [0.5, 8.5]}',
    "overlays": 'objects such as {"center": [0.5, 8.5]}',
    "metadata": "an object",
    "global": "a list of names",
}


@contextmanager
def listed(key: str) -> Iterator[None]:
    """What a key holds must be as expected."""
    try:
        yield
    except (TypeError, KeyError, AttributeError, IndexError, ValueError, OverflowError):
        raise ForeignError(f"{key}: expected {_EXAMPLES[key]}") from None


def metadata_of(value: Item) -> Item:
    """Title, author, rules and solution, and the rules that are on or off."""
    with listed("metadata"):
        metadata = dict(value.get("metadata") or {})
    with listed("cages"):
        for cage in value.get("cages") or []:
            match = None if cage.get("cells") else _METADATA.match(str(cage.get("value") or ""))
            if match and not metadata.get(match[1]):
                metadata[match[1]] = match[2]
    words = {key: _text(metadata.get(key) or value.get(key)) for key in ("title", "author")}
    rules = _text(metadata.get("rules"))
    return words | {
        "ruleset": "" if rules.startswith(NO_RULES) else rules,
        "solution": _text(metadata.get("solution")),
        **{_FLAGS[name]: metadata.get(name) in (True, "true") for name in IN_METADATA},
        "norowcol": metadata.get("norowcol"),
    }


def _text(value: object) -> str:
    """A text, or several of them as one."""
    texts = value if isinstance(value, list) else [value]
    return "\n".join(str(text) for text in texts if text is not None)


def globals_of(value: Item) -> Item:
    """The rules of the whole grid; unknown ones as keys of their own, which nobody knows."""
    stated: Item = {}
    with listed("global"):
        for name in value.get("global") or []:
            key, what = GLOBAL.get(name, (f"global {name}", True))
            stated[key] = [*stated.get(key, []), *what] if isinstance(what, list) else what
    return stated


def grid_of(value: Item) -> list[list[Item]]:
    """The cells with their givens, marks and regions."""
    with listed("cells"):
        grid = [[_cell(cell or {}) for cell in row] for row in value["cells"]]
    with listed("regions"):
        for number, region in enumerate(value.get("regions") or []):
            for row, column in region:
                if min(row, column) < 0 or "region" in grid[row][column]:
                    raise ValueError("outside the grid, or in two regions")
                grid[row][column]["region"] = number
    for cell in (cell for row in grid for cell in row):
        cell.setdefault("region", None)
    return grid


def _cell(cell: Item) -> Item:
    value = cell.get("value")
    stated: Item = {} if value in (None, "", 0) else {"value": _digit(value), "given": True}
    marks = [_digit(mark) for mark in cell.get("centremarks") or []]
    return stated | {"centerPencilMarks": [mark for mark in marks if type(mark) is int]}


def _digit(value: object) -> object:
    """The number of a text; what is none is left to be refused."""
    text = str(value)
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 3 else value


def cages_of(value: Item) -> Iterator[tuple[str, Any, Item]]:
    """A key, an item of it, and the cage that is meant."""
    with listed("cages"):
        for cage in value.get("cages") or []:
            cells = [name_of((row, column)) for row, column in cage.get("cells") or []]
            text = str(cage.get("value") or "").strip()
            if cells and text not in _FOG:
                yield from ((*told, cage) for told in _cage(cage, cells, text, value))
            elif text and not cells and not _METADATA.match(text):
                yield "cage", {"fromConstraint": text}, cage


def _cage(cage: Item, cells: list[str], text: str, value: Item) -> Iterator[tuple[str, Any]]:
    """A cage as the clue that it is; as a drawing if it is none that is known."""
    if cage.get("type") == "rowcol":  # SudokuPad's own note of a row or a column
        return
    if cage.get("type") in {*_FLAGS} & {*(value.get("global") or ())}:  # its houses, drawn
        return
    key = STYLES.get(str(cage.get("style")))
    if key:
        yield key, {"cells": cells}
    elif _has_no_repeats(cage) and (text.isdecimal() or (cage.get("unique") and not text)):
        yield "killercage", {"cells": cells} | ({"value": text} if text else {})
    else:
        yield "cage", {"fromConstraint": text}


def _has_no_repeats(cage: Item) -> bool:
    return bool(cage.get("unique", "outlineC" not in cage))
