"""Boards of 26x26 to 256x256 as text: the numbers of all cells, row by row, separated by blanks.

Invariant: nobody has to say the size: a line of 676 numbers or more is a whole puzzle, one of 26 to
256 is a row of one. A faulty puzzle is told with its line and costs no other. A text of ordinary
puzzles is never taken for large ones.

0 and `.` are empty cells. Commas, tabs and rulings separate numbers, too; lines that begin with #
are comments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from math import isqrt
from typing import NamedTuple

from ..runtime.errors import GridError
from .board import LARGEST, MAX_SIZE

DRAWN = "─│┌┐└┘├┤┬┴┼"  # what `render_terminal` draws with
HEAD = 8192  # bytes of a text that tell
_SHORTEST = 2 * MAX_SIZE  # characters of a row
_DIGITS = b"0123456789 "
_BLANK = bytes.maketrans(b"|+-,\t\r\n.", b"       0")


class Numbered(NamedTuple):
    """The numbers of a puzzle, row by row, and the line that it begins in; or what is wrong."""

    line: int
    values: list[int] | GridError


def is_large(head: bytes) -> bool:
    """Whether text that begins so holds large puzzles: whole lines of more than 625 numbers, or
    rows of as many numbers as the first, 26 to 256, one of them beyond 25 (81 digits may be a
    puzzle of 9x9)."""
    if len(head) < _SHORTEST:
        return False
    rows = [line for line in head[:HEAD].split(b"\n") if not line.startswith(b"#")]
    # The last one may go on, so it tells only where it is alone.
    lines = [plain for plain in map(_plain, rows[:-1] or rows) if plain.strip()]
    if not lines or not _is_plain(lines[0]):
        return False
    numbers = [line.split() for line in lines if _is_plain(line)]
    count = len(numbers[0])
    if count > MAX_SIZE**2:
        return True
    words = chain.from_iterable(row for row in numbers if len(row) == count)
    return MAX_SIZE < count <= LARGEST and any(len(w) <= 3 and int(w) > MAX_SIZE for w in words)


def numbered(lines: Iterable[tuple[int, bytes]], source: str | None) -> Iterator[Numbered]:
    """The puzzles of numbered lines: of a line each, and those of as many rows as a row has
    numbers."""
    rows: list[list[int]] = []
    number = first = 1
    for number, text in lines:
        plain = _plain(text)
        if text.startswith(b"#") or not plain.strip():
            continue
        try:
            values = _numbers(plain, text)
            if rows and len(rows[0]) != len(values):
                expected = f"{len(rows[0])}, as in the rows above"
                raise GridError(f"a row of {len(values)} numbers", expected)
            first = first if rows else number
            whole = [values] if len(values) > LARGEST else [*rows, values]
            if len(values) <= LARGEST and len(whole) < len(values):
                rows = whole
                continue
        except GridError as error:
            place = partial(GridError, line=number, column=error.column, source=source)
            yield Numbered(number, place(error.found, error.expected))
            rows = []
            continue
        yield Numbered(first, [value for row in whole for value in row])
        rows = []
    if rows:
        found, expected = f"{len(rows)} rows of {len(rows[0])} numbers", f"{len(rows[0])} rows"
        yield Numbered(number, GridError(found, expected, line=number, source=source))


def _plain(line: bytes) -> bytes:
    """The line with blanks for separators and rulings, and 0 for an empty cell."""
    if not line.isascii():
        for ruling in DRAWN:
            line = line.replace(ruling.encode(), b" ")
    return line.translate(_BLANK)


def _is_plain(line: bytes) -> bool:
    """Whether nothing but numbers and blanks is left of such a line."""
    return not line.translate(None, _DIGITS)


def _numbers(plain: bytes, text: bytes) -> list[int]:
    """The numbers of a line: a whole puzzle, or a row; an error tells the column only."""
    words = plain.split()
    count = len(words)
    size = isqrt(count) if count > LARGEST else count
    if not MAX_SIZE < size <= LARGEST or (count > LARGEST and size * size != count):
        expected = "the numbers of 26x26 to 256x256 cells, or of a row of 26 to 256"
        raise GridError(f"{count} numbers", expected)
    if _is_plain(plain) and max(map(len, words)) <= 3:
        values = list(map(int, words))
        if max(values) <= size:
            return values
    wrong = next(w for w in words if not (w.isdigit() and len(w) <= 3 and int(w) <= size))
    found = ascii(wrong.decode(errors="replace"))
    raise GridError(found, f"a number from 0 to {size}", column=text.find(wrong) + 1)
