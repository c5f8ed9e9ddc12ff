"""Pictures of puzzles, in a file or on the terminal."""

from __future__ import annotations

import sys
from typing import Any

from ..files.outputs import form_of, open_output
from ..files.streams import STANDARD
from ..model.constraints import Constraints
from ..model.grid import Grid
from ..model.puzzle import Puzzle
from ..render import render_svg, render_terminal, wants_colour
from ..render.svg import as_png
from ..witness.verify import violations
from .options import PICTURES
from .output import draws_lines


def clashing(grid: Grid, constraints: Constraints) -> dict[str, list[int]]:
    """The highlights of a picture: the cells whose givens break a rule."""
    broken = violations(grid, constraints.rules)
    return {"conflict": sorted({cell for clash in broken for cell in clash.cells})}


def draw(output: str, puzzle: Puzzle, picture: dict[str, Any]) -> None:
    """In the format that the name ends in; as text on standard output."""
    if output == STANDARD:
        colour = wants_colour(sys.stdout)
        plain = not draws_lines()
        drawn_only = ("chains", "caption", "legend")
        text = {name: what for name, what in picture.items() if name not in drawn_only}
        print(render_terminal(puzzle, **text, colour=colour, ascii_only=plain))
        return
    svg = render_svg(puzzle, **picture)
    data = as_png(svg) if form_of(output, PICTURES) == "png" else svg.encode()
    with open_output(output) as stream:
        stream.write(data)
