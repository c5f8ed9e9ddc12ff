"""The elements of an SVG picture, and where cells lie in it.

Invariant: lengths are in user units, 40 a cell; r1c1 begins at (0, 0).
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Sequence
from math import isqrt

CELL = 40
BASELINE = 0.36  # of the font size: half the height of a digit, below its middle
GLYPH = 0.65  # of the font size: more than the width of most characters
INK, SOFT, AREA = "#111111", "#333333", "#e9e9ef"

Point = tuple[float, float]
Style = dict[str, float | str]  # attributes of an element


def number(value: float) -> str:
    """A number as short as can be."""
    return f"{round(value, 2):g}"


def centre(cell: int, size: int) -> Point:
    """The middle of a cell."""
    row, column = divmod(cell, size)
    return (column + 0.5) * CELL, (row + 0.5) * CELL


def slot(size: int) -> float:
    """The side of the place that a small digit has."""
    return (CELL - 4) / _columns(size)


def spot(cell: int, digit: int, size: int, part: float = 1, lower: float = 0) -> Point:
    """The middle of a small digit; `part` of its usual distance from the cell's, and lower."""
    (x, y), columns = centre(cell, size), _columns(size)
    row, column = divmod(digit - 1, columns)
    rows, side = -(-size // columns), slot(size) * part
    return x + (column + 0.5 - columns / 2) * side, y + (row + 0.5 - rows / 2) * side + lower


def _columns(size: int) -> int:
    """The small digits in a row of a cell."""
    return isqrt(size - 1) + 1


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


def squares(cells: Iterable[int], size: int, **style: float | str) -> list[str]:
    """The whole cells, ascending."""
    places = (divmod(cell, size) for cell in sorted(cells))
    sides: Style = {"width": CELL, "height": CELL, **style}
    return [element("rect", x=CELL * column, y=CELL * row, **sides) for row, column in places]


def polyline(points: Iterable[Point]) -> str:
    """Path data of a line through the points."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)
