"""State machines on digits, by the sets of states that they may be in.

A slash stands for what is read once a group of cells is, if another group follows.

Invariant: nothing here reads `model.kinds`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ..model.clue import ClueError
from .regex import Matches, digits_of

_LONGEST = 20_000  # a certificate must not keep its reader busy for ever
_CLASS = r"[./]|[1-9A-P]|\[\^?[1-9A-P-]+\]"
_ITEM = re.compile(rf"([a-z][a-z0-9_]*)(?:\*|-({_CLASS})>([a-z][a-z0-9_]*))(?:,|$)")


@lru_cache(maxsize=1024)
def accepts(text: str, size: int, lengths: tuple[int, ...]) -> Matches:
    """The predicate of a machine on groups of so many cells; raises `ClueError` if it is none."""
    items = list(_ITEM.finditer(text))
    if len(text) > _LONGEST or "".join(item[0] for item in items) != text or text[-1:] in ("", ","):
        raise ClueError(f"'{text[:20]}' is no machine of a clue")
    states = dict.fromkeys(name for item in items for name in (item[1], item[3]) if name)
    number = {state: place for place, state in enumerate(states)}
    rows = [[0] * (size + 1) for _ in states]
    ends = 0
    for state, some, after in (item.group(1, 2, 3) for item in items):
        if some is None:
            ends |= 1 << number[state]
        else:
            for digit in {size + 1} if some == "/" else digits_of(some, size):
                rows[number[state]][digit - 1] |= 1 << number[after]
    stops = frozenset(sum(lengths[:count]) - 1 for count in range(1, len(lengths)))
    return Matches(rows, ends, size, stops)
