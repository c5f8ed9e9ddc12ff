"""What commands print: grids on standard output, messages on standard error."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from ..model.grid import FORMATS, Grid


def grid_format(arguments: argparse.Namespace) -> str:
    """The name of the format that grids are written in."""
    return arguments.format or ("pretty" if sys.stdout.isatty() else "line")


def grid_writer(arguments: argparse.Namespace) -> Callable[[Grid, Grid | None], str]:
    """A function that writes a grid; on a colour terminal the givens of its puzzle are bold."""
    form = grid_format(arguments)
    if form == "pretty" and sys.stdout.isatty():
        from ..render import render_terminal, wants_colour

        if wants_colour(sys.stdout):
            plain = not draws_lines()
            return lambda grid, puzzle: render_terminal(
                puzzle or grid, solution=grid, colour=True, ascii_only=plain
            )
    return lambda grid, puzzle: FORMATS[form](grid)


def draws_lines() -> bool:
    """Whether standard output can show box-drawing characters."""
    return (sys.stdout.encoding or "").lower().replace("-", "") in ("utf8", "utf16", "utf32")


def say(message: object) -> None:
    """One line on stderr."""
    print(f"satdoku: {message}", file=sys.stderr)
