"""A small picture of each kind of clue: its example on four cells, drawn as in pictures of puzzles.

Invariant: no kind is named here. Kinds that pictures tell apart by marks have them; what a picture
can only tell in words is told by letters in an outline.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain, pairwise

from ..model.board import Cells
from ..model.clue import SET, Clue
from ..model.constraints import constraints_for
from ..model.kinds import KINDS, Kind, clue_of
from ..model.other_names import title_of
from ..render.clues import DRAWINGS, dashed, is_outside, named, style_of, sum_of_two, with_weights
from ..render.shapes import CELL, LAYERS, OUTSIDE, Canvas, distance, group, number, text

WIDE = constraints_for("shape=9x9;layer=area:1-9").board  # examples are clues of it
SMALL = constraints_for("shape=2x2;latin").board
DIAGONAL, SQUARE, TURN = (0, 3), (0, 1, 2, 3), (2, 0, 1, 3)  # its cells in the order of a clue's
MARKED = frozenset(kind.name for kind in KINDS.values() if kind.look.mark)
LONGEST = 3  # cells of a line, so that both of its ends are seen
WORDED = named, with_weights, sum_of_two  # drawings that are words unless a clue is on two cells
LETTERS = 3
MARGIN = 3
FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"


def icon(kind: Kind, value: str | None = None, most: int = 4) -> str:
    """The picture of a kind as a square SVG without a ground.

    value: one that has a name of its own, in place of that of the example. most: how many cells
    the clue has.
    """
    canvas = Canvas(SMALL, MARKED)
    clue = _on_few(kind, value, most)
    if clue is None or (DRAWINGS[kind.look.drawing] in WORDED and len(clue.cells) != 2):
        inside = [*_lettered(canvas, kind.name)]
    else:
        inside = [*_drawn(canvas, clue)]
    left, above, right, below = (OUTSIDE * count for count in canvas.ranks)
    side = 2 * CELL + max(left + right, above + below) + 2 * MARGIN
    box = " ".join(map(number, (-left - MARGIN, -above - MARGIN, side, side)))
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" font-family="{FONT}">'
    return "".join((opening, *inside, "</svg>"))


def _on_few(kind: Kind, value: str | None, most: int) -> Clue | None:
    """The example on the few cells; None if it has none."""
    clue = clue_of(kind.example, WIDE)
    if kind.joins:
        parts = tuple(_placed(part, KINDS[part.kind], 4) for part in clue.parts)
        return clue._replace(parts=parts)
    if not clue.cells or max(clue.cells) >= WIDE.grid_cells:
        return None
    return _placed(clue if value is None else clue._replace(value=value), kind, most)


def _placed(clue: Clue, kind: Kind, most: int) -> Clue:
    """The clue with the first of its cells on those of the small board."""
    cells = list(dict.fromkeys(chain(*clue.groups)))
    order = _order(cells, kind)
    is_line = len(clue.groups) == 1 and kind.order != SET
    at = dict(zip(cells[: min(most, LONGEST) if is_line else most], order, strict=False))
    groups = (tuple(at[cell] for cell in each if cell in at) for each in clue.groups)
    return clue._replace(groups=tuple(filter(None, groups)))


def _order(cells: list[int], kind: Kind) -> Cells:
    """The cells of the small board, in the order in which the kind gets them."""
    gaps = [distance(one, other, WIDE) for one, other in pairwise(cells)]
    if kind.groups == (1, 1) and gaps and max(gaps) > (1 if is_outside(kind.name) else 1.5):
        return DIAGONAL  # a diagonal, or cells that lie anywhere
    return SQUARE if kind.order == SET or is_outside(kind.name) or len(cells) == 2 else TURN


def _drawn(canvas: Canvas, clue: Clue) -> Iterator[str]:
    """The clue between the lines of the four cells and the frame around them."""
    canvas.kind = clue.kind
    look = KINDS[clue.kind].look
    DRAWINGS[look.drawing](canvas, clue, **look.options)
    drawn = {layer: [element for _, element in canvas.layers[layer]] for layer in LAYERS}
    below = (*drawn["areas"], *drawn["lines"])
    yield from group("below", style_of(clue.kind), below)
    yield from _grid()
    yield from group("above", style_of(clue.kind), drawn["edges"])


def _grid() -> Iterator[str]:
    style = 'fill="none" stroke="#9aa0a8" stroke-width="1.5"'
    lines = f"M0 0H{2 * CELL}V{2 * CELL}H0ZM{CELL} 0V{2 * CELL}M0 {CELL}H{2 * CELL}"
    yield f'<path d="{lines}" {style}/>'


def _lettered(canvas: Canvas, name: str) -> Iterator[str]:
    """An outline with the letters of a kind in it."""
    dashed(canvas, SQUARE, "#77777d")
    for layer in LAYERS:
        yield from (element for _, element in canvas.layers[layer])
    letters = _letters()[name]
    font = {2: 40}.get(len(letters), 31)
    yield text((CELL, CELL), font, letters, font_size=font, text_anchor="middle")


@cache
def _letters() -> dict[str, str]:
    """Letters for each kind, no two alike: initials of its title, of which the last gives way."""
    found: dict[str, str] = {}
    for kind in KINDS.values():
        words = title_of(kind).upper().replace("-", " ").split()
        first = "".join(word[0] for word in words)[:LETTERS] if len(words) > 1 else words[0][:2]
        others = (first[:-1] + letter for letter in "".join(words)[1:])
        free = (letters for letters in (first, *others) if letters not in found.values())
        found[kind.name] = next(free)
    return found
