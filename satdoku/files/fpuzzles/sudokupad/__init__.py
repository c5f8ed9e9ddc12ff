"""From the JSON object of SudokuPad to one of f-puzzles, which says the same.

Invariant: what is drawn is a clue that this drawing always stands for, or stays a drawing, which
`words` counts as an unexplained rule. A key that is not known here stays, and is refused.

The format has no specification. It is what SudokuPad writes and other programs read. Of the object,
these keys are read:

    cells              rows of cells, each an object: value; centremarks, pencilMarks (a player's)
    regions            lists of cells, [row, column] from 0
    cages              cells, value, unique (true: no digit repeats; false: digits may). Without
                       `unique` one is a killer cage if it has a number, but one with `outlineC`
                       is what f-puzzles calls a cosmetic cage. Without cells, a text such as
                       "title: ..." (title, author, rules, solution) is metadata
    lines, arrows      wayPoints, color, thickness
    underlays, overlays   center, width, height, rounded, text, backgroundColor, borderColor
    metadata           title, author, rules, solution, antiknight, antiking
    global             antiknight, antiking, nonconsecutive, disjoint, antiratio, antixv

These drawings are clues:

    a grey line with a grey bulb at one end             thermometer
    an arrow that begins in a circle or a pill          arrow
    an arrow that points into the grid from a number    little killer
    a white or black dot between two cells              difference, ratio, with its number if it
                                                        has one
    an X or a V between two cells                       sum of 10 or 5
    digits in a circle on a corner                      quadruple
    a grey circle or square in a cell without a line    odd, even
    a line from corner to corner of the grid, #34BBE6   diagonal, as f-puzzles draws it
    a line of a colour of `COLOURED`, if the rules      what the rules call it: renban, whisper
    name its kind
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .cells import Item, cages_of, globals_of, grid_of, listed, metadata_of
from .drawings import COLOURED, Picture, clues_of
from .drawn import lines_of, marks_of

__all__ = ["COLOURED", "as_fpuzzles", "is_native"]

# Keys that say nothing about the solution, or are read elsewhere here. Fog only hides clues.
_NO_CONSTRAINT = frozenset((
    "id", "cellSize", "settings", "videos", "duration", "version", "src", "foglight", "foglink",
    "triggereffect", "cells", "regions", "cages", "lines", "arrows", "underlays", "overlays",
    "metadata", "global", "title", "author",
))  # fmt: skip


def is_native(value: Item) -> bool:
    """Whether an object is one of SudokuPad: its cells are rows."""
    return "grid" not in value and isinstance(value.get("cells"), list)


def as_fpuzzles(value: Item) -> Item:
    """The object of f-puzzles that says what one of SudokuPad says."""
    stated: Item = {key: what for key, what in value.items() if key not in _NO_CONSTRAINT}
    stated |= metadata_of(value) | globals_of(value)
    stated["grid"] = grid_of(value)
    with listed("lines"):
        lines = lines_of(value.get("lines") or [])
    with listed("arrows"):
        arrows = lines_of(value.get("arrows") or [])
    with listed("underlays"):
        underlays = marks_of(value.get("underlays") or [])
    with listed("overlays"):
        marks = [*underlays, *marks_of(value.get("overlays") or [])]
    rules = stated["ruleset"].lower()
    picture = Picture(len(stated["grid"]), rules, lines, arrows, marks, frozenset(underlays))
    _state(cages_of(value), stated)
    _state(clues_of(picture, stated["grid"]), stated)
    return stated


def _state(items: Iterable[tuple[str, Any]], stated: Item) -> None:
    for key, item in items:
        if item is True:
            stated[key] = True
        else:
            stated.setdefault(key, []).append(item)
