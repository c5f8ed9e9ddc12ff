"""The empty grid with its rules and clues, for programs that draw digits over it.

Invariant: it is the picture that `render_svg` draws, without digits and without words below.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..model.constraints import Constraints
from ..model.grid import empty_grid
from .clues import Sketch
from .clues.canvas import WHITE
from .picture import picture, rule_marks
from .shapes import CELL, INK
from .svg import frame_of, layers, opening

THEMES = "light", "dark"
_DOTS = '<g class="clue difference"', '<g class="clue ratio"'
# Dark: every colour inverted, then turned back to its hue, so that a green line stays green.
_DARK = (
    '<filter id="dark" x="0" y="0" width="100%" height="100%" color-interpolation-filters="sRGB">'
    '<feColorMatrix type="matrix" values="-1 0 0 0 1 0 -1 0 0 1 0 0 -1 0 1 0 0 0 1 0"/>'
    '<feColorMatrix type="hueRotate" values="180"/>'
    '<feColorMatrix type="matrix" values=".86 0 0 0 .11 0 .86 0 0 .12 0 0 .86 0 .14 0 0 0 1 0"/>'
    "</filter>"
)


class Background(NamedTuple):
    """A picture, its size, where the grid begins in it, the side of a cell, all in user units, and
    the cells that have something in their upper corners."""

    svg: str
    width: float
    height: float
    left: float
    top: float
    cell: float
    crowded: list[int]


def render_background(constraints: Constraints, theme: str = THEMES[0]) -> Background:
    """The grid of a rule set; theme: `light`, or `dark` for a dark page."""
    shown = picture(empty_grid(constraints.board), constraints, None, None, None)
    marks = rule_marks(constraints)
    sketch = Sketch(constraints.board, marks.clues)
    frame = frame_of(constraints.board.size, sketch, 0)
    first, *rest = opening(shown, frame)
    inside = [*rest, *layers(shown, marks, sketch), "</g>"]
    if theme == "dark":
        inside = [_DARK, '<g filter="url(#dark)">', *_dots_kept(inside), "</g>"]
    svg = "\n".join([first, *inside, "</svg>"]) + "\n"
    left, top = frame.left, frame.above
    return Background(svg, frame.width, frame.height, left, top, CELL, sorted(sketch.crowded))


def _dots_kept(lines: Iterable[str]) -> Iterator[str]:
    """The lines with white and black dots filled the other way round, since what is inverted must
    still be a white dot, or a black one."""
    in_dots = False
    for line in lines:
        in_dots = line.startswith(_DOTS) if line.startswith("<g") else in_dots and line != "</g>"
        if in_dots:
            dark, light = f'fill="{INK}"', f'fill="{WHITE}"'
            line = line.replace(dark, "\0").replace(light, dark).replace("\0", light)
        yield line
