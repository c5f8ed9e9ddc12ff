"""Links that open a puzzle on the web, and QR codes of them.

Invariant: a link holds the whole puzzle as it is printed; nothing is uploaded.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import Any, NamedTuple

from ..files.foreign import WRITTEN
from ..model.puzzle import Puzzle
from ..runtime.errors import SatdokuError

SITES = {"fpuzzles": "f-puzzles", "sudokupad": "SudokuPad"}
LARGEST = 2953  # bytes of the largest QR code, at the level of correction used here (L)
QUIET = 4  # modules of white around a code, which readers need
Modules = tuple[tuple[bool, ...], ...]


class Link(NamedTuple):
    """A link with the name of its site; none, and why, if no link can state the puzzle."""

    url: str
    site: str
    problem: str = ""


@lru_cache(maxsize=64)  # of the puzzles on a page: measured, then drawn
def link_to(puzzle: Puzzle, site: str) -> Link:
    """The puzzle on one of `SITES`."""
    try:
        shown = Puzzle(puzzle.grid, puzzle.constraints, title=puzzle.title, author=puzzle.author)
        url = WRITTEN[site].write(shown)
    except SatdokuError as error:
        return Link("", SITES[site], f"no link ({error})")
    if puzzle.marks is not None:
        return Link("", SITES[site], "no link (it would not state which digits cells may hold)")
    return Link(url, SITES[site])


@lru_cache(maxsize=64)
def qr_modules(text: str) -> Modules | None:
    """The black modules of a QR code, row by row; None if the text is too long for one."""
    if len(text.encode()) > LARGEST:
        return None
    code: Any = import_module("segno").make(text, error="l", micro=False, boost_error=False)
    return tuple(tuple(map(bool, row)) for row in code.matrix)
