"""Boards of up to 256x256 and their houses, as arrays.

Invariant: the rules of a large board are houses and nothing else: each has as many cells as there
are digits, and holds every digit once. Rules of another kind, clues and region maps are refused.

Digits are uint16 throughout: a byte does not hold 0..256.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...files.notation import LARGEST
from ...model.board import MAX_SIZE, Board, usual_box
from ...model.constraints import box_sides
from ...model.rules import BOXES, LATIN, RULES, RuleError
from ...runtime.errors import LONGEST_NAME

Digits = NDArray[np.uint16]


@dataclass(frozen=True)
class LargeBoard(Board):
    """A `Board` of up to 256x256, without region map."""

    largest: ClassVar[int] = LARGEST

    @property
    def bands(self) -> tuple[int, int]:
        """How many rows, and how many columns, can be swapped with each other: those of a box, or
        all if there are no boxes."""
        return (self.box_rows, self.box_columns) if self.has_boxes else (self.size, self.size)


@dataclass(frozen=True)
class LargeRules:
    """A board and the names of the rules that add houses to its rows, columns and boxes."""

    board: LargeBoard
    names: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The rule set as text, which `large_rules` reads back with the size of the board."""
        board = self.board
        usual = (board.box_rows, board.box_columns) == usual_box(board.size)
        boxes = f"{BOXES}={board.box_shape}" if board.has_boxes else LATIN
        return ",".join([*self.names, *([] if usual else [boxes])]) or "classic"

    @cached_property
    def houses(self) -> NDArray[np.int32]:
        """The cells of each house, (houses, size): rows, columns, boxes, then those of the rules.

        Raises `RuleError` for a rule that does not fit the board.
        """
        board = self.board
        added = [house for name in self.names for house in (RULES[name].houses or _none)(board)]
        return np.array([*board.houses, *added], np.int32)


def _none(board: Board) -> Iterator[tuple[int, ...]]:
    return iter(())


def large_rules(rules: str, size: int) -> LargeRules:
    """The rules of a text such as `diagonal,boxes=3x12` on a board of that size.

    Boxes are as square as possible unless the text says otherwise. Raises `RuleError` for rules
    that are no houses, `BoardError` for a board that cannot exist.
    """
    box, names = usual_box(size), []
    for word in filter(None, map(str.strip, rules.lower().split(","))):
        name, _, value = word.partition("=")
        if name == BOXES:
            box = box_sides(value)
        elif name == LATIN and value in ("", str(size)):
            box = 1, size
        elif word in RULES and RULES[word].houses:
            names.append(word)
        elif word != "classic":
            raise _refused(word)
    chosen = tuple(name for name in RULES if name in names)
    return LargeRules(LargeBoard(size, *box), chosen)


def _refused(word: str) -> RuleError:
    houses = ", ".join(name for name, rule in RULES.items() if rule.houses)
    return RuleError(
        f"'{word[:LONGEST_NAME]}': boards beyond {MAX_SIZE}x{MAX_SIZE} take only rules that are "
        f"houses: {houses}, {LATIN}, {BOXES}=RxC"
    )
