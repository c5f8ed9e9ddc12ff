"""Whether a text can be meant as puzzles at all: an account file or a log cannot.

Invariant: a text is refused as a whole only if none of its lines comes near a puzzle, a row of one,
a link or a header; where one does, each line gets a verdict of its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from ..model.board import MAX_SIZE
from ..model.grid import BYTE_VALUES, DRAWN
from .columns import ROLES, header_layout
from .foreign import is_foreign
from .notation import SEPARATORS, is_heading, is_no_puzzle, row_width
from .streams import FileError

FEW = 2  # lines that get their own verdicts in any case: these say more
_LONG = 40  # cells: what is so long and nearly all digits is no number, but a part of a grid
_GOOD = 0.9  # the share of a text's characters that must be cells of the board
_FIELD = re.compile(rf"[^{SEPARATORS}\"]+")
_SIZES = range(4, MAX_SIZE + 1)


def check_likeness(lines: Iterable[str], path: str) -> None:
    """Raise `FileError` if there are more than `FEW` lines, none of which comes near a puzzle."""
    count, rows = 0, Counter[int]()
    for text in lines:
        if _comes_near(text):
            return
        if is_no_puzzle(text):
            continue
        count += 1
        width = row_width(text)
        rows[width] += _is_like_row(text, width)
        if rows[width] >= width - 1 > 0:  # rows of a grid, of which one may be missing
            return
    if count > FEW:
        names = ", ".join(ROLES["puzzle"][:5:2])
        raise FileError(
            f"{path}: no puzzles here: expected a puzzle on a line (81 characters, 0 or . for an "
            f"empty cell), a row of one on a line, a link, or a header with a column ({names}, "
            "...); if its name is another: --column puzzle=NAME"
        )


def _comes_near(text: str) -> bool:
    """Whether a line has a field that is nearly a grid or its pencil marks, is a link, or names a
    column of puzzles."""
    if is_heading(text):
        return "puzzle" in text.lower()
    if header_layout(text) is not None:
        return True
    if any(_is_like_grid(field) for field in _FIELD.findall(text) if len(field) >= 14):
        return True
    return is_foreign(text) and not text.lstrip().startswith("{")


def _is_like_grid(field: str) -> bool:
    """Whether a field has nearly the length of a grid, and nearly all its characters are cells."""
    length = len(field)
    sizes = [n for n in _SIZES if any(abs(length - c) <= max(1, c // 10) for c in (n**2, n**3))]
    if length >= _LONG and re.search("[1-9]", field):
        sizes.append(9)
    return any(_share(field, size) >= _GOOD for size in sizes)


def _is_like_row(text: str, width: int) -> bool:
    """Whether a line of that many cells has only cells of a board of that size."""
    words = re.findall(rf"[^\s|+,{DRAWN}]+", text)
    if len(words) == width and all(word.isdecimal() for word in words):
        return width in _SIZES and all(len(word) < 3 and int(word) <= width for word in words)
    cells = "".join(words)
    return len(cells) == width in _SIZES and _share(cells, width) >= _GOOD


def _share(text: str, size: int) -> float:
    """The share of the characters that are digits of that board, or empty cells."""
    values = text.replace("-", ".").encode().translate(BYTE_VALUES)
    others = values.translate(None, bytes(range(size + 1)))
    return 1 - len(others) / len(values)
