"""Names of cells in an exchanged puzzle (r1c1, as our own), and what pairs of cells may hold.

Invariant: only names of cells pass, so that a text made of them states what it seems to state; an
operator is the sentence that the specification has for it (5.1), on two digits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

from ...model.board import Cells
from ...model.kinds import foreign
from ...runtime.errors import LONGEST_NAME
from ..foreign import ForeignError

Rule = dict[str, Any]
_CELL = re.compile(r"r([1-9]\d?)c([1-9]\d?)")


def cell_numbers(names: object, size: int) -> Cells:
    if not isinstance(names, list):
        raise ForeignError(f"{str(names)[:40]}: expected a list of cells such as r1c1")
    return tuple(cell_number(name, size) for name in names)


def cell_number(name: object, size: int) -> int:
    match = _CELL.fullmatch(str(name))
    row, column = map(int, match.groups()) if match else (0, 0)
    if not (1 <= row <= size and 1 <= column <= size):
        raise ForeignError(f"{str(name)[:40]} is no cell of a board of size {size}")
    return size * (row - 1) + column - 1


def text_of(cells: Iterable[int], size: int) -> str:
    """Cells as a clue lists them."""
    return ",".join(f"r{cell // size + 1}c{cell % size + 1}" for cell in cells)


# On digits a and b, and their parameters.
_OPERATORS: dict[str, Callable[..., bool]] = {
    "different": lambda a, b: a != b,
    "equal": lambda a, b: a == b,
    "less": lambda a, b: a < b,
    "less_equal": lambda a, b: a <= b,
    "difference": lambda a, b, k: abs(a - b) == k,
    "not_difference": lambda a, b, k: abs(a - b) != k,
    "not_consecutive": lambda a, b: abs(a - b) != 1,
    "difference_at_least": lambda a, b, k: abs(a - b) >= k,
    "difference_at_most": lambda a, b, k: abs(a - b) <= k,
    "ratio": lambda a, b, k: k in (a / b, b / a),
    "not_ratio": lambda a, b, k: k not in (a / b, b / a),
    "sum": lambda a, b, k: a + b == k,
    "not_sum": lambda a, b, k: a + b != k,
    "parity_differs": lambda a, b: (a + b) % 2 == 1,
    "same_third": lambda a, b: (a - 1) // 3 == (b - 1) // 3,
    "different_third": lambda a, b: (a - 1) // 3 != (b - 1) // 3,
    "same_mod3": lambda a, b: (a - b) % 3 == 0,
    "different_mod3": lambda a, b: (a - b) % 3 != 0,
    "allowed": lambda a, b, pairs: [a, b] in pairs,
    "any_of": lambda a, b, *some: any(_operator(op)(a, b, *params) for op, params in some),
}
# The ways in which a kind of clue states one.
TEXTS = {
    "op": "{kind}:{a},{b}",
    "op-number": "{kind}={k}:{a},{b}",
    "op-reversed": "{kind}:{b},{a}",
    "op-groups": "{kind}:{a}>{b}",
}
_KINDS = {
    there.name: TEXTS[there.way].replace("{kind}", kind.name)
    for kind, there in foreign("pencilmark")
    if there.way in TEXTS
}


def allowed_pairs(op: str, params: list[Any], size: int) -> set[tuple[int, int]]:
    """The digits of two cells that an operator allows."""
    holds, digits = _operator(op), range(1, size + 1)
    return {(a, b) for a, b in product(digits, digits) if holds(a, b, *params)}


def named_pair(op: str, params: list[Any]) -> str:
    """The clue that states an operator of two cells {a} and {b}, empty if no kind does."""
    known = op in _KINDS and all(type(k) is int for k in params)
    return _KINDS[op].replace("{k}", str(params[0]) if params else "") if known else ""


def _operator(op: object) -> Callable[..., bool]:
    if op not in _OPERATORS:
        raise ForeignError(f"no operator '{str(op)[:LONGEST_NAME]}': {', '.join(_OPERATORS)}")
    return _OPERATORS[str(op)]
