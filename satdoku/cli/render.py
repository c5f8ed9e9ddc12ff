"""The `render` command: a puzzle as a picture, or as text on the terminal."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from ..errors import Status
from ..files.streams import STANDARD, open_output
from ..model.grid import Grid
from ..model.marks import pencil_marks
from ..model.puzzle import Puzzle
from ..render import (
    RenderError,
    render_png,
    render_svg,
    render_terminal,
    wants_colour,
)
from ..witness.verify import violations
from . import EXIT_DONE, EXIT_NO
from .inputs import complain, draws_lines, one_puzzle


def render(arguments: argparse.Namespace) -> int:
    """Draw a puzzle; exit 1 where its solution is asked for and there is none."""
    puzzle, constraints = one_puzzle(arguments, arguments.puzzle)
    broken = violations(puzzle, constraints.rules)
    if broken:
        complain(f"invalid: {broken[0].describe(puzzle)}")
    solution = None
    if arguments.solve:
        solution = None if broken else _solution(Puzzle(puzzle, constraints))
        if solution is None:
            print(Status.INVALID if broken else Status.NONE)
            return EXIT_NO
    clashing = {cell for clash in broken for cell in (clash.first, clash.second)}
    picture: dict[str, Any] = {
        "solution": solution,
        "candidates": pencil_marks(puzzle, constraints) if arguments.candidates else None,
        "highlights": {"conflict": sorted(clashing)},
    }
    draw(arguments.output, Puzzle(puzzle, constraints), picture)
    return EXIT_DONE


def _solution(question: Puzzle) -> Grid | None:
    from ..sat.api import solve  # a picture without it need not wait for a solver

    return solve(*question)


def check_name(output: str) -> None:
    """Raise `RenderError` for a name that says no format."""
    if output != STANDARD and Path(output).suffix.lower() not in (".svg", ".png"):
        raise RenderError(f"{output}: expected a name that ends in .svg or .png")


def draw(output: str, question: Puzzle, picture: dict[str, Any]) -> None:
    """In the format that the output's ending names; as text to standard output."""
    check_name(output)
    if output == STANDARD:
        colour = wants_colour(sys.stdout)
        plain = not draws_lines()
        print(render_terminal(*question, **picture, colour=colour, ascii_only=plain))
        return
    data = (
        render_png(*question, **picture)
        if Path(output).suffix.lower() == ".png"
        else render_svg(*question, **picture).encode()
    )
    with open_output(output) as stream:
        stream.write(data)
