"""How clues look: drawings by name, in the shapes and colours that setters know.

Invariant: a clue lies below the digits and pencil marks and hides none of them. The `look` of a
kind says which drawing it has, and with which options.

A drawing adds to a `Canvas`, layer by layer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ...model.board import Board
from ...model.clue import Clue
from ...model.kinds import KINDS
from . import cells, joints, lines, outlines, outside
from .canvas import OUTSIDE, Canvas

__all__ = [
    "DRAWINGS",
    "OUTSIDE",
    "Sketch",
    "counts_again",
    "is_captioned",
    "is_outside",
    "style_of",
]

Drawing = Callable[..., Any]  # of a canvas, a clue and the options of its kind


class Sketch(Canvas):
    """The elements that draw some clues, those of a lower level first."""

    def __init__(self, board: Board, clues: Iterable[Clue]) -> None:
        super().__init__(board)
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
    return DRAWINGS[KINDS[kind].look.drawing] in (outside.outside, outside.towards)


def counts_again(clue: Clue) -> bool:
    """Whether a cell of it counts again, which no outline shows."""
    is_again = any(len({*group}) < len(group) for group in clue.groups)
    return is_again and KINDS[clue.kind].counts_again


def is_captioned(clue: Clue) -> bool:
    """Whether its text stands below as well."""
    return KINDS[clue.kind].look.is_captioned or counts_again(clue)


def _several(canvas: Canvas, clue: Clue) -> None:
    """The parts, each as it is drawn by itself."""
    for part in clue.parts:
        if part.cells:
            _draw(canvas, part)


DRAWINGS: dict[str, Drawing] = {
    "shaded": cells.shaded,
    "cloned": cells.cloned,
    "extreme": cells.extreme,
    "disc": cells.disc,
    "square": cells.square,
    "restricted": cells.restricted,
    "thermometer": lines.thermometer,
    "line": lines.line,
    "stroked": lines.stroked,
    "labelled": lines.labelled,
    "with-ends": lines.with_ends,
    "shafts": lines.arrow,
    "named": outlines.named,
    "outlined": outlines.outlined,
    "compared": outlines.compared,
    "weights": outlines.with_weights,
    "dot": joints.dot,
    "letter": joints.sum_of_two,
    "chevron": joints.greater,
    "corner": joints.in_corner,
    "outside": outside.outside,
    "towards": outside.towards,
    "parts": _several,
}
