"""How clues look: a table of drawings by kind, in the shapes and colours that setters know.

Invariant: a clue lies below the digits and pencil marks and hides none of them. A kind that is not
in the table is outlined, with its text.

A drawing adds to a `Canvas`, layer by layer. To draw one more kind, add a line to `DRAWINGS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from ...model.board import Board
from ...model.clue import Clue
from ..shapes import INK
from . import cells, joints, lines, outlines, outside
from .canvas import DARK, OUTSIDE, WHITE, Canvas

__all__ = ["CAPTIONED", "DRAWINGS", "OUTSIDE", "OUTSIDE_KINDS", "STYLES", "Sketch"]

Drawing = Callable[[Canvas, Clue], None]


class Sketch(Canvas):
    """The elements that draw some clues, in the order of `DRAWINGS`."""

    def __init__(self, board: Board, clues: Iterable[Clue]) -> None:
        super().__init__(board)
        order = {kind: place for place, kind in enumerate(DRAWINGS)}
        for clue in sorted(clues, key=lambda clue: order.get(clue.kind, len(order))):
            self.kind = clue.kind
            _draw(self, clue)
            self.drawn[clue.kind] += 1


def _draw(canvas: Canvas, clue: Clue) -> None:
    DRAWINGS.get(clue.kind, outlines.named)(canvas, clue)


def _several(canvas: Canvas, clue: Clue) -> None:
    """The parts, each as it is drawn by itself."""
    for part in clue.parts:
        if part.cells:
            _draw(canvas, part)


# How every kind is drawn; kinds further down lie above those further up.
DRAWINGS: dict[str, Drawing] = {
    "region": partial(cells.shaded, fills=("#e3e3ea", "#eae6d8", "#dcebe4")),
    "clone": cells.cloned,
    "col-index": partial(cells.shaded, fills=("#f9dede",)),
    "row-index": partial(cells.shaded, fills=("#dde8f8",)),
    "box-index": partial(cells.shaded, fills=("#dff0dd",)),
    "minimum": partial(cells.extreme, low=True),
    "maximum": partial(cells.extreme, low=False),
    "odd": cells.disc,
    "even": cells.square,
    "thermo": lines.thermometer,
    "slow-thermo": partial(lines.thermometer, core=WHITE),
    "whisper": partial(lines.line, colour="#9be38f"),
    "palindrome": partial(lines.line, colour="#c4c4c9"),
    "renban": partial(lines.line, colour="#e6a3ea"),
    "nabner": partial(lines.line, colour="#ecd25f"),
    "entropic": partial(lines.line, colour="#fdc08c"),
    "modular": partial(lines.line, colour="#7fd3cf"),
    "parity": partial(lines.line, colour="#f4a19b"),
    "region-sum": partial(lines.line, colour="#8cc4f2"),
    "ten-line": partial(lines.line, colour="#93e3ea"),
    "regex": partial(lines.labelled, colour="#b5c98a"),
    "machine": partial(lines.stroked, colour="#d9a8a0"),
    "zipper": partial(lines.line, colour="#c3b1ee"),
    "between": partial(lines.with_ends, colour="#b4b4ba", width=7),
    "lockout": partial(lines.with_ends, colour="#8ea6dc", width=5, diamonds=True),
    "double-arrow": partial(lines.with_ends, colour=DARK, width=2),
    "arrow": lines.arrow,
    "circles": partial(cells.disc, fill="none", stroke=DARK),
    "distinct": partial(outlines.outlined, colour=DARK),
    "cage": outlines.outlined,
    "product": partial(outlines.outlined, sign="×"),
    "equal-sum": partial(outlines.compared, sign="="),
    "greater-sum": partial(outlines.compared, sign=">"),
    "difference": partial(joints.dot, fill=WHITE, ink=INK),
    "ratio": partial(joints.dot, fill=INK, ink=WHITE),
    "sum": joints.sum_of_two,
    "weighted": outlines.with_weights,
    "greater": joints.greater,
    "low": partial(cells.restricted, sign="≤"),
    "high": partial(cells.restricted, sign="≥"),
    "digits": cells.restricted,
    "quadruple": joints.in_corner,
    "little-killer": partial(outside.outside, arrow=True),
    "sandwich": outside.outside,
    "x-sum": outside.outside,
    "skyscraper": outside.outside,
    "numbered-room": outside.outside,
    "rossini": outside.towards,
    "or": _several,
    "and": _several,
}
STYLES = {"or": 'opacity="0.5"'}  # of what may not hold
CAPTIONED = "or", "and", "machine"  # whose text stands below as well
OUTSIDE_KINDS = frozenset(
    kind
    for kind, draw in DRAWINGS.items()
    if getattr(draw, "func", draw) in (outside.outside, outside.towards)
)
