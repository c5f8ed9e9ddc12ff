"""The constraints of a text of Interactive Sudoku Solver, one by one or within one another.

Invariant: every character of a text belongs to a constraint of a known name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...errors import shown
from ...model.clue import DEEPEST
from ..foreign import ForeignError
from .clues import NAMES, NESTED, OTHERS, OUTERMOST, Args

_ITEM = re.compile(r"\.\s*((?:\w\s*)*)((?:~[^.~]*)*)")
_NESTED = ", ".join(f".{name}" for name in NESTED)


class Item(NamedTuple):
    """A constraint as it is written; column: where it begins in the text, from 1. inside: what
    stands up to its End, if it is an Or, an And or a Replicate."""

    name: str
    args: Args
    column: int
    inside: tuple[Item, ...] = ()


def read_items(text: str) -> list[Item]:
    """The constraints of a text, all of known names."""
    return _nested(iter(_flat_items(text)), None)


def _nested(items: Iterator[Item], around: Item | None, depth: int = 0) -> list[Item]:
    """The constraints up to the End of the one around them, or to the last one."""
    found: list[Item] = []
    for item in items:
        if item.name == "End" and around:
            return found
        if item.name == "End":
            raise ForeignError(f"found .End, expected {_NESTED} before it", column=item.column)
        if around and item.name in OUTERMOST:
            raise ForeignError(f"found .{item.name} in .{around.name}", column=item.column)
        if item.name in NESTED:
            if depth == DEEPEST:
                problem = f"expected at most {DEEPEST} of {_NESTED} within one another"
                raise ForeignError(problem, column=item.column)
            item = item._replace(inside=tuple(_nested(items, item, depth + 1)))
        found.append(item)
    if around:
        raise ForeignError(f".{around.name}: expected .End behind it", column=around.column)
    return found


def _flat_items(text: str) -> list[Item]:
    items, end = [], len(text) - len(text.lstrip())
    while end < len(text):
        match = _ITEM.match(text, end)
        if match is None:
            found = shown(text[end : end + 20])
            raise ForeignError(f"found '{found}', expected a dot and a constraint", column=end + 1)
        name, *args = ("".join(word.split()) for word in match[0][1:].split("~"))
        if name not in (*NAMES, *OTHERS):
            supported = ", ".join((*NAMES, *OTHERS[1:]))
            problem = f".{name[:30]} is not supported; supported: {supported}"
            raise ForeignError(problem, column=end + 1)
        items.append(Item(name, tuple(args), end + 1))
        end = match.end()
    return items
