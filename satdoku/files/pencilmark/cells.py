"""Names of cells in an exchanged puzzle: r1c1, as our own.

Invariant: only names of cells pass, so that a text made of them states what it seems to state.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ...model.board import Cells
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
