"""From the JSON object of SudokuPad to one of f-puzzles, which says the same.

Invariant: what is drawn is a clue that this drawing always stands for, or stays a drawing, which
`words` counts as an unexplained rule. A key that is not known here stays, and is refused; what is
not as expected raises `ForeignError`, with an example.

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

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ...model.rules import flags_of, foreign_rules
from ..foreign import ForeignError
from .clues import FLAGS, NEGATIVE, NONCONSECUTIVE, RULE
from .drawings import COLOURED, Item, Picture, clues_of, lines_of, marks_of, name_of

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


_KEYS = {rule: key for key, rule in FLAGS.items()} | {RULE: NONCONSECUTIVE}
_FLAGS = {name: _KEYS[rule] for name, rule in flags_of("sudokupad").items()}
_IN_METADATA = [t.name for _, t in foreign_rules("sudokupad") if t.options.get("in_metadata")]
_GLOBAL: dict[str, tuple[str, Any]] = {
    **{name: (key, True) for name, key in _FLAGS.items()},
    "antiratio": (NEGATIVE, ["ratio"]),
    "antixv": (NEGATIVE, ["xv"]),
}
_METADATA = re.compile(r"([^:\s]+):\s*(.+)", re.DOTALL)
_NO_RULES = "No rules provided for this puzzle."  # SudokuPad writes it where a link states none
_FOG = ("FOW", "FOGLIGHT")
_INDEXERS = {
    "fpRowIndexer": "rowindexer", "fpColumnIndexer": "columnindexer", "fpBoxIndexer": "boxindexer",
    "extraregion": "extraregion",
}  # fmt: skip
_EXAMPLES = {
    "cells": "rows of objects",
    "regions": "lists of cells such as [0, 8]",
    "cages": 'objects such as {"cells": [[0, 8]], "value": "15"}',
    "lines": 'objects such as {"wayPoints": [[0.5, 8.5], [1.5, 8.5]]}',
    "arrows": 'objects such as {"wayPoints": [[0.5, 8.5], [1.5, 8.5]]}',
    "underlays": 'objects such as {"center": [0.5, 8.5]}',
    "overlays": 'objects such as {"center": [0.5, 8.5]}',
    "metadata": "an object",
    "global": "a list of names",
}


@contextmanager
def listed(key: str) -> Iterator[None]:
    """What a key holds must be as expected."""
    try:
        yield
    except (TypeError, KeyError, AttributeError, IndexError, ValueError, OverflowError):
        raise ForeignError(f"{key}: expected {_EXAMPLES[key]}") from None


def metadata_of(value: Item) -> Item:
    """Title, author, rules and solution, and the rules that are on or off."""
    with listed("metadata"):
        metadata = dict(value.get("metadata") or {})
    with listed("cages"):
        for cage in value.get("cages") or []:
            match = None if cage.get("cells") else _METADATA.match(str(cage.get("value") or ""))
            if match and not metadata.get(match[1]):
                metadata[match[1]] = match[2]
    words = {key: _text(metadata.get(key) or value.get(key)) for key in ("title", "author")}
    rules = _text(metadata.get("rules"))
    return words | {
        "ruleset": "" if rules.startswith(_NO_RULES) else rules,
        "solution": _text(metadata.get("solution")),
        **{_FLAGS[name]: metadata.get(name) in (True, "true") for name in _IN_METADATA},
        "norowcol": metadata.get("norowcol"),
    }


def _text(value: object) -> str:
    """A text, or several of them as one."""
    texts = value if isinstance(value, list) else [value]
    return "\n".join(str(text) for text in texts if text is not None)


def globals_of(value: Item) -> Item:
    """The rules of the whole grid; unknown ones as keys of their own, which nobody knows."""
    stated: Item = {}
    with listed("global"):
        for name in value.get("global") or []:
            key, what = _GLOBAL.get(name, (f"global {name}", True))
            stated[key] = [*stated.get(key, []), *what] if isinstance(what, list) else what
    return stated


def grid_of(value: Item) -> list[list[Item]]:
    """The cells with their givens, marks and regions."""
    with listed("cells"):
        grid = [[_cell(cell or {}) for cell in row] for row in value["cells"]]
    with listed("regions"):
        for number, region in enumerate(value.get("regions") or []):
            for row, column in region:
                if min(row, column) < 0 or "region" in grid[row][column]:
                    raise ValueError("outside the grid, or in two regions")
                grid[row][column]["region"] = number
    for cell in (cell for row in grid for cell in row):
        cell.setdefault("region", None)
    return grid


def _cell(cell: Item) -> Item:
    value = cell.get("value")
    stated: Item = {} if value in (None, "", 0) else {"value": _digit(value), "given": True}
    marks = [_digit(mark) for mark in cell.get("centremarks") or []]
    return stated | {"centerPencilMarks": [mark for mark in marks if type(mark) is int]}


def _digit(value: object) -> object:
    """The number of a text; what is none is left to be refused."""
    text = str(value)
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 3 else value


def cages_of(value: Item) -> Iterator[tuple[str, Any]]:
    with listed("cages"):
        for cage in value.get("cages") or []:
            cells = [name_of((row, column)) for row, column in cage.get("cells") or []]
            text = str(cage.get("value") or "").strip()
            if cells and text not in _FOG:
                yield from _cage(cage, cells, text, value)
            elif text and not cells and not _METADATA.match(text):
                yield "cage", {"fromConstraint": text}


def _cage(cage: Item, cells: list[str], text: str, value: Item) -> Iterator[tuple[str, Any]]:
    """A cage as the clue that it is; as a drawing if it is none that is known."""
    if cage.get("type") == "rowcol":  # SudokuPad's own note of a row or a column
        return
    if cage.get("type") in {*_FLAGS} & {*(value.get("global") or ())}:  # its houses, drawn
        return
    key = _INDEXERS.get(str(cage.get("style")))
    if key:
        yield key, {"cells": cells}
    elif _has_no_repeats(cage) and (text.isdecimal() or (cage.get("unique") and not text)):
        yield "killercage", {"cells": cells} | ({"value": text} if text else {})
    else:
        yield "cage", {"fromConstraint": text}


def _has_no_repeats(cage: Item) -> bool:
    return bool(cage.get("unique", "outlineC" not in cage))
