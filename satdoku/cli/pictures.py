"""Pictures of puzzles, in a file or on the terminal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from ..files.outputs import open_output
from ..files.streams import STANDARD
from ..model.constraints import Constraints
from ..model.grid import Grid
from ..model.puzzle import Puzzle
from ..render import (
    RenderError,
    render_png,
    render_svg,
    render_terminal,
    wants_colour,
)
from ..witness.verify import violations
from .output import draws_lines


def check_name(output: str) -> None:
    """Raise `RenderError` for a name that does not end in a known format."""
    if output != STANDARD and Path(output).suffix.lower() not in (".svg", ".png"):
        raise RenderError(f"{output}: expected a name that ends in .svg or .png")


def clashing(grid: Grid, constraints: Constraints) -> dict[str, list[int]]:
    """The highlights of a picture: the cells whose givens break a rule."""
    broken = violations(grid, constraints.rules)
    return {"conflict": sorted({cell for clash in broken for cell in clash.cells})}


def draw(output: str, puzzle: Puzzle, picture: dict[str, Any]) -> None:
    """In the format that the name ends in; as text on standard output."""
    check_name(output)
    if output == STANDARD:
        colour = wants_colour(sys.stdout)
        plain = not draws_lines()
        text = {name: what for name, what in picture.items() if name not in ("chains", "caption")}
        print(render_terminal(puzzle, **text, colour=colour, ascii_only=plain))
        return
    data = (
        render_png(puzzle, **picture)
        if Path(output).suffix.lower() == ".png"
        else render_svg(puzzle, **picture).encode()
    )
    with open_output(output) as stream:
        stream.write(data)
