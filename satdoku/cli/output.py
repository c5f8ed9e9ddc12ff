"""What commands print: answers on standard output, messages on standard error.

Invariant: text of an input is never printed as it is: `shown` escapes what a terminal acts on.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ..runtime.errors import OutOfTime, shown

if TYPE_CHECKING:
    from ..model.grid import Grid
    from .options import Format, Options

BOLD, RED, GREEN, YELLOW, CYAN = "1", "31", "32", "33", "36"
COLOURS = {
    "unique": GREEN, "verified": GREEN,
    "none": RED, "invalid": RED, "conflict": RED, "rejected": RED,
    "multiple": YELLOW, "unknown": YELLOW,
}  # fmt: skip


def say(message: object) -> None:
    """One line on standard error."""
    remedy = " (--timeout changes it)" if isinstance(message, OutOfTime) else ""
    print(f"satdoku: {shown(message)}{remedy}", file=sys.stderr)


def note(arguments: Options, message: object) -> None:
    """A remark on standard error, which -q leaves out."""
    if not arguments.quiet:
        say(message)


def show(
    arguments: Options,
    text: object,
    record: Callable[..., Mapping[str, object]] = dict,
    /,
    **answer: object,
) -> None:
    """One answer: the text, or with --json the record made of it, as a line."""
    if not arguments.json:
        print(text)
        return
    import json  # only --json pays for it

    print(json.dumps(record(**answer)))


def verdict(word: object) -> str:
    """A status or another word that answers, coloured on a terminal."""
    return painted(str(word), COLOURS.get(str(word), ""))


def painted(text: str, colour: str) -> str:
    """Text in a colour, if standard output takes colour (see `wants_colour`)."""
    return f"\x1b[{colour}m{text}\x1b[0m" if colour and _wants_colour() else text


def _wants_colour() -> bool:
    if not (sys.stdout.isatty() or os.environ.get("FORCE_COLOR")):
        return False  # as most often: then nothing that draws is imported
    from ..render import wants_colour

    return wants_colour(sys.stdout)


def grid_format(arguments: Format) -> str:
    """The name of the format that grids are written in."""
    return arguments.format or ("pretty" if sys.stdout.isatty() else "line")


def grid_writer(arguments: Format) -> Callable[[Grid, Grid | None], str]:
    """A function that writes a grid; with colour the givens of its puzzle are bold."""
    from ..model.grid import FORMATS

    form = grid_format(arguments)
    if form == "pretty" and _wants_colour():
        from ..render import render_terminal

        plain = not draws_lines()
        return lambda grid, puzzle: render_terminal(
            puzzle or grid, solution=grid, colour=True, ascii_only=plain
        )
    return lambda grid, puzzle: FORMATS[form](grid)


def draws_lines() -> bool:
    """Whether standard output can show box-drawing characters."""
    return (sys.stdout.encoding or "").lower().replace("-", "") in ("utf8", "utf16", "utf32")
