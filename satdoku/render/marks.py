"""Marks of what is drawn alike: frames of numbers outside the grid, patterns on lines.

Invariant: a mark is known by its shape alone, so that it is seen without colours too. A kind has
the same mark in every picture; it is drawn only where another kind of its family is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import cos, pi, sin

from .shapes import INK, Point, Style, element, polyline, stroke

REACH = 13  # of a frame, from its middle
GAP = 2.5  # between the two lines of a double frame
FRAME: Style = {"fill": "none", "stroke": INK, "stroke_width": 1.2}


def frame(name: str, at: Point) -> list[str]:
    """The frame of that name around a point."""
    draw, is_double = FRAMES[name]
    return [draw(at, REACH), *([draw(at, REACH - GAP)] if is_double else [])]


def _circle(at: Point, reach: float) -> str:
    return element("circle", cx=at[0], cy=at[1], r=reach, **FRAME)


def _square(at: Point, reach: float) -> str:
    side = reach - 1
    corner: Style = {"x": at[0] - side, "y": at[1] - side, "width": 2 * side, "height": 2 * side}
    return element("rect", **corner, **FRAME)


def _polygon(*corners: Point) -> Callable[[Point, float], str]:
    """A closed shape; its corners in parts of the reach."""

    def draw(at: Point, reach: float) -> str:
        path = polyline((at[0] + x * reach, at[1] + y * reach) for x, y in corners)
        return element("path", d=f"{path}Z", **FRAME)

    return draw


_DIAMOND = _polygon((0, -1.15), (1.15, 0), (0, 1.15), (-1.15, 0))
_HOUSE = _polygon((0, -1.15), (1, -0.5), (1, 0.95), (-1, 0.95), (-1, -0.5))
_HEXAGON = _polygon(*((1.1 * cos(side * pi / 3), 1.1 * sin(side * pi / 3)) for side in range(6)))
FRAMES: dict[str, tuple[Callable[[Point, float], str], bool]] = {  # with whether it is double
    "circle": (_circle, False),
    "square": (_square, False),
    "diamond": (_DIAMOND, False),
    "house": (_HOUSE, False),
    "hexagon": (_HEXAGON, False),
    "double square": (_square, True),
    "double circle": (_circle, True),
}


# Patterns: the strokes upon a line, from below, by width, dashes and shade; a width of more than
# the line's own lies below it. Shades are parts of the line's own colour; 2 is white.
WHITE, DARK = 2, 0.5
PATTERNS: dict[str, tuple[float, str, float]] = {
    "plain": (0, "", 0),
    "dark dots": (3.4, "0.1 8", DARK),
    "white dots": (4, "0.1 8", WHITE),
    "dark dashes": (2, "7 6", DARK),
    "white dashes": (3, "7 6", WHITE),
    "a dark core": (2, "none", DARK),
    "a white core": (2.6, "none", WHITE),
    "dark edges": (11, "none", DARK),
    "dark bars": (12, "1.6 6.4", DARK),
    "white bars": (8.4, "1.8 7", WHITE),
    "dark dots and dashes": (2.4, "8 6 0.1 6", DARK),
    "white dots and dashes": (3, "8 6 0.1 6", WHITE),
    "large dark dots": (6.5, "0.1 16", DARK),
}
_BUTT = ("dark bars", "white bars")


def patterned(name: str, path: str, body: Style) -> Iterator[str]:
    """A line with its pattern; `body`: its colour and width."""
    width, dashes, shade = PATTERNS[name]
    colour = str(body["stroke"])
    upon = stroke(
        path, stroke=shaded(colour, shade), stroke_width=width, stroke_dasharray=dashes,
        **({"stroke_linecap": "butt"} if name in _BUTT else {}),
    )  # fmt: skip
    whole = stroke(path, **body)
    if not width:
        yield whole
    elif width > float(body["stroke_width"]) and dashes == "none":
        yield from (upon, whole)
    else:
        yield from (whole, upon)


def shaded(colour: str, part: float) -> str:
    """A colour (#rrggbb) darker: so great a part of each channel; more than 1 is white."""
    channels = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{min(255, round(c * part)) if part <= 1 else 255:02x}" for c in channels)
