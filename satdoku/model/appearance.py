"""How a rule or a kind of clue appears, as data: the drawing of a kind, the words for it on paper,
and what either is in the formats of other programs.

Invariant: nothing here is code. A drawing, and a way to state a clue, is known by its name, which
`render.clues` and the modules of the formats resolve.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Look(NamedTuple):
    """How clues of a kind are drawn.

    drawing: its name in `DRAWINGS` of `render.clues`, and the options that it takes. level: what
    has a higher level lies above. says: what a sentence calls the drawing: green line.
    is_captioned: whether its words stand below the picture. is_pale: whether it is drawn as what
    may not hold. alike: the family whose kinds are drawn alike, empty for none; mark: what tells
    the kind from others of its family where both stand, in words: circle, dark dots.
    """

    drawing: str
    level: int
    says: str
    is_captioned: bool
    is_pale: bool
    alike: str
    mark: str
    options: Mapping[str, Any]

    def in_words(self, *, is_marked: bool) -> str:
        """What a sentence calls the drawing, with the mark if it has it."""
        if not is_marked:
            return self.says
        if self.alike == NUMBERS:
            return self.says.replace("number", f"number in a {self.mark}")
        if self.mark == PLAIN:
            return f"{PLAIN} {self.says}"
        return f"{self.says} with {self.mark}"


PLAIN = "plain"  # the mark of a kind whose line has no pattern
LINES, NUMBERS = "lines", "numbers"  # families: lines through cells, numbers outside the grid


def drawn(
    drawing: str = "named",
    level: int = 15,
    says: str = "dashed outline",
    *,
    is_captioned: bool = False,
    is_pale: bool = False,
    alike: str = "",
    mark: str = "",
    **options: object,
) -> Look:
    """A look with the options of its drawing among its own."""
    return Look(drawing, level, says, is_captioned, is_pale, alike, mark, options)


OUTLINED = drawn()  # with its name: the look of a kind that has none of its own


class Foreign(NamedTuple):
    """What a rule or a kind is in a format of another program.

    name: its name there. way: how it is stated under that name, one of the ways of the format, and
    the options that it takes. size: of the only boards on which it is known there, 0 for any.

    Of a rule there are in all formats the ways "flag" (a word that turns it on), "house" (a name
    that states one of its houses, `cells`) and "houses" (each of its houses stands as a clue).
    """

    form: str
    name: str
    way: str
    options: Mapping[str, Any]
    size: int = 0


def iss(name: str, way: str = "cells", *, size: int = 0, **options: object) -> Foreign:
    """A constraint of Interactive Sudoku Solver; the ways are `WAYS` in `files.iss.ways`."""
    return Foreign("iss", name, way, options, size)


def fpuzzles(name: str, shape: str, value: str | None = "none", **options: object) -> Foreign:
    """A key of f-puzzles; the ways are `SHAPES` and `VALUES` in `files.fpuzzles.clues`, or
    what is denied there."""
    return Foreign("fpuzzles", name, shape, {"value": value, **options})


def pencilmark(name: str, way: str = "cells", **options: object) -> Foreign:
    """A rule of an exchanged puzzle by type and kind, or one of its pair operators or negatives.

    The ways are `WAYS` and `TEXTS` in `files.pencilmark`.

    when: a key and the word under it by which this kind is meant.
    """
    return Foreign("pencilmark", name, way, options)


def sudokupad(colour: str, word: str, value: str = "") -> Foreign:
    """A line of a colour that SudokuPad draws, if its rules have the word."""
    return Foreign("sudokupad", colour, word, {"value": value} if value else {})


def flag(form: str, name: str, **options: object) -> Foreign:
    """A word by which a format turns a rule on."""
    return Foreign(form, name, "flag", options)


def house(form: str, name: str, cells: str, **options: object) -> Foreign:
    """A name that states one house of a rule; all of its houses are the rule."""
    return Foreign(form, name, "house", {"cells": cells, **options})
