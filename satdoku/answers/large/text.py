"""Large puzzles as text: the numbers of all cells, row by row, separated by blanks.

Invariant: `read_large` reads back the output of `format_numbers` and `format_rows` without being
given the size: a line of 676 numbers or more is a whole puzzle, a line of 26 to 256 is a row. The
error of a faulty puzzle names its line, and other puzzles are not affected.

0 and `.` are empty cells. Commas, tabs and rulings of `|`, `-` and `+` separate numbers, too; lines
that begin with # are comments.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isqrt
from typing import NamedTuple

import numpy as np

from ...files.notation import LARGEST, is_plain, plain_numbers
from ...files.streams import Source, open_source
from ...model.board import MAX_SIZE
from ...model.grid import GridError
from .board import Digits

_WORDS = [".", *map(str, range(1, LARGEST + 1))]
_SMALLEST = MAX_SIZE + 1
_LONGEST_LINE = 1 << 20  # bytes; the numbers of 256x256 cells take a quarter of it


class LargePuzzle(NamedTuple):
    """A puzzle of a file: the line that it begins in, and its cells (size * size,)."""

    line: int
    cells: Digits


def format_numbers(cells: Iterable[int]) -> str:
    """One line: each digit as a number, 0 for an empty cell, separated by blanks."""
    return " ".join(map(str, map(int, cells)))


def format_rows(cells: Iterable[int]) -> str:
    """A line for each row, all numbers of one width, `.` for an empty cell."""
    words = [_WORDS[digit] for digit in cells]
    size = isqrt(len(words))
    width = len(str(size))
    rows = (words[start : start + size] for start in range(0, len(words), size))
    return "\n".join(" ".join(word.rjust(width) for word in row) for row in rows)


def parse_large(text: str | bytes, source: str = "puzzle") -> Digits:
    """The cells of the only puzzle of a text; raises `GridError`."""
    data = text.encode() if isinstance(text, str) else text
    lines = ((line, 1 + number) for number, line in enumerate(data.splitlines()))
    puzzles = list(_puzzles(lines, source))
    if len(puzzles) != 1:
        raise GridError(f"{len(puzzles)} large puzzles", "one", source=source)
    if isinstance(puzzles[0], GridError):
        raise puzzles[0]
    return puzzles[0].cells


def read_large(path: str | Source) -> Iterator[LargePuzzle | GridError]:
    """All puzzles of a file, `-` for standard input, or of an open source, compressed or not."""
    with open_source(path) as source:
        yield from _puzzles(_lines(source), source.path)


def _lines(source: Source) -> Iterator[tuple[bytes, int]]:
    rest, number = b"", 0
    for block in source.text_blocks():
        *whole, rest = (rest + block).split(b"\n")
        for line in whole:
            number += 1
            yield line, number
        if len(rest) > _LONGEST_LINE:
            found, expected = "a line of more than a million characters", "numbers of 256x256 cells"
            raise GridError(found, expected, line=number + 1, source=source.path)
    if rest:
        yield rest, number + 1


def _puzzles(lines: Iterable[tuple[bytes, int]], source: str) -> Iterator[LargePuzzle | GridError]:
    """Puzzles of a line each, and those of as many rows as a row has numbers."""
    rows: list[Digits] = []
    for text, line in lines:
        plain = plain_numbers(text)
        if text.startswith(b"#") or not plain.strip():
            continue
        try:
            cells = _numbers(plain, text, line, source)
        except GridError as error:
            rows = []
            yield error
            continue
        if len(cells) > LARGEST:
            yield LargePuzzle(line, cells)
            continue
        rows.append(cells)
        if len(rows[0]) != len(cells):
            yield _wrong_row(len(cells), len(rows[0]), line, source)
            rows = []
        elif len(rows) == len(cells):
            yield LargePuzzle(line + 1 - len(rows), np.concatenate(rows))
            rows = []
    if rows:
        found = f"{len(rows)} rows of {len(rows[0])} numbers"
        yield GridError(found, f"{len(rows[0])} rows", line=line, source=source)


def _numbers(plain: bytes, text: bytes, line: int, source: str) -> Digits:
    """The numbers of a line: a whole puzzle, or a row."""
    words = plain.split()
    count = len(words)
    size = isqrt(count) if count > LARGEST else count
    if not _SMALLEST <= size <= LARGEST or (count > LARGEST and size * size != count):
        expected = "the numbers of 26x26 to 256x256 cells, or of a row of 26 to 256"
        raise GridError(f"{count} numbers", expected, line=line, source=source)
    if is_plain(plain) and max(map(len, words)) <= 3:
        values = np.array(words, dtype="S3").astype(np.uint16)
        if values.max() <= size:
            return values
    wrong = next(w for w in words if not (w.isdigit() and len(w) <= 3 and int(w) <= size))
    expected = f"a number from 0 to {size}"
    column = text.find(wrong) + 1
    raise GridError(ascii(wrong.decode(errors="replace")), expected, line=line, column=column,
                    source=source)  # fmt: skip


def _wrong_row(found: int, wanted: int, line: int, source: str) -> GridError:
    expected = f"{wanted}, as in the rows above"
    return GridError(f"a row of {found} numbers", expected, line=line, source=source)
