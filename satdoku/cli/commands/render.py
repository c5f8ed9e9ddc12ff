"""The command `render`: a puzzle as a picture, or as text on the terminal."""

from __future__ import annotations

from typing import Any

from ...files.streams import STANDARD
from ...model.grid import Grid
from ...model.marks import pencil_marks
from ...model.puzzle import Puzzle, restricted
from ...render.svg import about
from ...runtime.errors import Status
from .. import options as opt
from ..answers import answerer, clash, exit_code, solution_of
from ..inputs import numbered, puzzles_of
from ..output import note
from ..pictures import clashing, draw

EXAMPLE = "satdoku render 1.....2....3.4.. -o puzzle.svg"
Digits = tuple[frozenset[int], ...]  # of each cell


class Arguments(opt.Input):
    puzzle = opt.argument("PUZZLE", "text, link, file or -")
    output = opt.output_option(opt.Written(*opt.PICTURES), opt.PICTURE_HELP)
    solve = opt.flag(help="draw a solution too, in another colour")
    candidates = opt.option(
        choices=("true", "simple"),
        help="draw pencil marks: true, the digits that the cell has in some solution; simple, the "
        "digits that no given excludes",
    )
    about = opt.flag(help="title, author and rules in words below the grid")


def run(arguments: Arguments) -> int:
    """Draw each puzzle; exit 1 if its solution or true candidates are asked for and it has none."""
    puzzles = puzzles_of(arguments, arguments.puzzle, marks=True, large=True)
    drawn = (
        _draw(arguments, asked, output) if isinstance(asked, Puzzle) else asked
        for asked, output in numbered(puzzles, arguments.output, arguments.puzzle)
    )
    return exit_code(arguments, drawn)


def _draw(arguments: Arguments, asked: Puzzle, output: str) -> bool:
    """Draw a puzzle with its clashes highlighted; False if it lacks the solution asked for."""
    candidates = _simple(asked) if arguments.candidates == "simple" else restricted(asked)
    solution: Grid | None = None
    asks = arguments.solve or arguments.candidates == "true"
    if asks:
        solution, true = _solved(arguments, asked)
        candidates = true or candidates
    else:
        clash(arguments, asked)
    puzzle = Puzzle(asked.grid, asked.constraints, looks=asked.looks)
    picture: dict[str, Any] = {
        "solution": solution if arguments.solve else None,
        "candidates": candidates,
        "highlights": clashing(asked.grid, asked.constraints),
    }
    if arguments.about:
        picture |= {"caption": about(asked), "legend": False}
    draw(output, puzzle, picture)
    if arguments.about and output == STANDARD:
        print(picture["caption"])
    return not asks or solution is not None


def _solved(arguments: Arguments, asked: Puzzle) -> tuple[Grid | None, Digits | None]:
    """A solution, and the true candidates if they are asked for; None, with a reason, if none."""
    from ...answers.api import true_candidates  # a picture without these need no solver

    found, _ = solution_of(arguments, asked, answerer(arguments))
    if isinstance(found, Status):
        if found is Status.NONE:
            note(arguments, "none: the puzzle has no solution (`satdoku explain` says why)")
        return None, None
    if arguments.candidates != "true":
        return found, None
    return found, true_candidates(asked)


def _simple(asked: Puzzle) -> Digits:
    """The digits of each cell that no given and no pencil mark excludes."""
    left = pencil_marks(asked.grid, asked.constraints)
    marks = asked.marks
    return left if marks is None else tuple(a & b for a, b in zip(left, marks, strict=True))
