"""How the numbers of an array stand for the cells of grids.

Invariant: the coding of an array is told by its numbers alone, by its first rows together; where
these allow two codings, the array is refused with both. Decoded rows are digits, 0 for an empty
cell; what stands for no digit becomes a number that is none.

The codings, of a usual board of n digits:

    digits      0 to n, 0 for an empty cell
    shifted     1 to n+1, 1 for an empty cell: 0 is kept for padding (HRM, TRM)
    classes     0 to n-1, one less than the digit: whole grids only, as the labels of classifiers
    one-hot     n numbers a cell, one of which is 1, none in an empty cell; or n+1, of which the
                first or the last stands for an empty cell
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..model.board import Board, board_for
from ..runtime.errors import SatdokuError

Array = NDArray[Any]
_WRONG = -1  # stands for no digit
_ROWS = 4096  # that tell the coding
_MOST = 2 / 3  # the share of the rows that must agree: others may be broken


class CodingError(SatdokuError):
    """An array that can be read in two ways."""


class Coding(NamedTuple):
    """One of the codings.

    board: the usual one with so many cells, None of an array that is no grids; shift: what a number
    is more than its digit; planes: how many numbers a cell has, 0 where it has one; blank: which of
    n+1 planes is that of empty cells; first: whether the planes come before the cells.
    """

    board: Board | None = None
    shift: int = 0
    planes: int = 0
    blank: int = 0
    first: bool = False

    @property
    def words(self) -> str:
        """What is unusual about it, empty if nothing is."""
        if self.planes:
            return f"one-hot, {self.planes} numbers a cell"
        return {0: "", 1: "digits shifted by one", -1: "digits counted from 0"}[self.shift]

    def decoded(self, rows: Array) -> Array:
        """Digits (N, cells) of rows (N, ...); the rows themselves where these are such."""
        if self.planes:
            hot = _hot(rows, self)
            digits = hot + (self.blank != 0)  # plane 0 is that of empty cells, or of digit 1
            digits[hot == self.blank] = 0
            digits[hot < min(self.blank, 0)] = _WRONG
            return digits
        if not self.shift:
            return rows
        digits = rows.reshape(len(rows), -1)
        if digits.dtype.kind != "f":
            digits = digits.astype(np.int64 if digits.dtype.itemsize > 1 else np.int16)
        return digits - self.shift


PLAIN = Coding()


def coding_of(
    rows: Array, board: Board | None = None, *, answers: bool = False, documented: bool = False
) -> Coding:
    """The coding of an array (N, ...), told by its first rows.

    board: the one that was asked for; answers: whether the rows should be whole grids; documented:
    whether it is documented that numbers are digits and bools pencil marks, so that only one-hot
    numbers are told. Raises `CodingError` for numbers that can be read in two ways.
    """
    rows = rows[:_ROWS]
    if documented and rows.dtype.kind == "b":
        return PLAIN
    if rows.dtype.kind not in "biuf" or not len(rows) or (board and not board.is_usual):
        return PLAIN
    if (hot := _one_hot(rows, board)) is not None:
        return hot
    width = math.prod(rows.shape[1:])
    here = board or board_for(width)
    if rows.dtype.kind == "b" or here is None or width != here.cells:
        return PLAIN
    rows, size = rows.reshape(len(rows), -1), len(here.digits)
    return Coding(here, 0 if documented else _shift_of(rows, size, answers))


def codings_of(arrays: Mapping[str, Any], board: Board | None, path: str) -> dict[str, Coding]:
    """The codings of the puzzles and answers among columns by role, as far as these are arrays;
    `CodingError` tells the path and the role."""
    found = {}
    for role in ("puzzle", "answer"):
        if isinstance(arrays.get(role), np.ndarray):
            try:
                found[role] = coding_of(arrays[role], board, answers=role == "answer")
            except CodingError as error:
                raise CodingError(f"{path}: {role}s: {error}") from None
    return found


def _shift_of(rows: Array, size: int, answers: bool) -> int:
    """What the numbers are more than digits."""
    least, most = rows.min(axis=1), rows.max(axis=1)
    votes = {0: (least == 0) & (most <= size), 1: (least >= 1) & (most == size + 1)}
    if answers:
        votes[-1] = _are_whole(rows, 0, size - 1)
        votes[0] = votes[0] & ~votes[-1]
    count = {shift: int(np.count_nonzero(rows)) for shift, rows in votes.items()}
    best = max(count, key=lambda shift: (count[shift], shift == 0))
    blanks = (least == 1) & (np.count_nonzero(rows == 1, axis=1) > size)
    told = count[best] >= _MOST * sum(count.values()) and (count[best] or not blanks.any())
    if told or (answers and not count[best]):
        return best
    shifted = count[1] or int(np.count_nonzero(blanks))
    raise CodingError(
        "numbers that may be digits, 0 for an empty cell, or digits shifted by one, 1 for an empty "
        f"cell: of the first {len(rows):,} rows {count[0]:,} look like the former, "
        f"{shifted:,} like the latter"
    )


def _are_whole(rows: Array, least: int, most: int) -> NDArray[np.bool_]:
    """Which rows hold each of the numbers equally often, as whole grids do."""
    count = rows.shape[1] // (most - least + 1)
    each = [np.count_nonzero(rows == n, axis=1) == count for n in range(least, most + 1)]
    found: NDArray[np.bool_] = np.logical_and.reduce(each)
    return found


# One-hot ------------------------------------------------------------------------------------------


def _one_hot(rows: Array, board: Board | None) -> Coding | None:
    """The one-hot coding of the rows, None if they have none: their shape, or numbers, or cells
    with several numbers, as pencil marks have."""
    likely = [coding for coding in _shaped(rows.shape[1:], board) if _is_likely(rows, coding)]
    if not likely:
        return None
    coding = min(likely, key=lambda each: (_clashes(rows, each), each.first))
    assert coding.board is not None
    size = len(coding.board.digits)
    hot = _hot(rows, coding)
    if coding.planes == size:
        often = np.count_nonzero(hot == -1, axis=1) > size
        # Of bool, cells without any number are those of pencil marks, unless there are many.
        return coding if rows.dtype.kind != "b" or often.mean() >= _MOST else None
    return coding._replace(blank=_blank_of(hot, size))


def _blank_of(hot: NDArray[np.int16], size: int) -> int:
    """Which of n+1 planes is that of empty cells: the first or the last.

    In a row it is 1 more often than a digit can be, or, of a whole grid, never.
    """
    first, last = (np.count_nonzero(hot == plane, axis=1) for plane in (0, size))
    says_first = (first > size) | ((first == 0) & (last > 0))
    says_last = (last > size) | ((last == 0) & (first > 0))
    votes = [
        int(np.count_nonzero(a & ~b)) for a, b in ((says_first, says_last), (says_last, says_first))
    ]
    if max(votes) < _MOST * sum(votes) or not any(votes):
        raise CodingError(
            f"one-hot with {size + 1} numbers a cell, of which the first or the last may be that "
            f"of empty cells: of the first {len(hot):,} rows {votes[0]:,} and {votes[1]:,} say so"
        )
    return 0 if votes[0] > votes[1] else size


def _shaped(shape: tuple[int, ...], board: Board | None) -> list[Coding]:
    """The one-hot codings that one row of that shape may have."""
    if len(shape) == 1:
        size = round(shape[0] ** (1 / 3))
        here = board or board_for(size * size)
        # 64 numbers are those of a grid of 8x8, rather.
        fits = here is not None and size > 4 and here.variables == shape[0]
        return [Coding(here, planes=size, blank=-1)] if fits else []
    found = []
    for first in (False, True):
        cells, planes = (shape[1:], shape[0]) if first else (shape[:-1], shape[-1])
        here = board or board_for(math.prod(cells))
        if here and cells in ((here.cells,), here.extent):
            size = len(here.digits)
            if planes in (size, size + 1):
                blank = -1 if planes == size else 0
                found.append(Coding(here, planes=planes, blank=blank, first=first))
    return found


def _is_likely(rows: Array, coding: Coding) -> bool:
    """Whether in most rows each cell has one number that is 1 at most, and all others are 0."""
    return bool((_hot(rows, coding) > -2).all(axis=1).mean() >= _MOST)


def _hot(rows: Array, coding: Coding) -> NDArray[np.int16]:
    """Which number of each cell is 1 (N, cells): -1 where all are 0, -2 where it is not so."""
    assert coding.board is not None
    cells = coding.board.cells
    if coding.first:
        planes = rows.reshape(len(rows), coding.planes, cells).transpose(0, 2, 1)
    else:
        planes = rows.reshape(len(rows), cells, coding.planes)
    count = np.count_nonzero(planes, axis=2)
    hot: NDArray[np.int16] = planes.argmax(axis=2).astype(np.int16)
    hot[count == 0] = -1
    hot[(count > 1) | ((count == 1) & (planes.max(axis=2) != 1))] = -2
    return hot


def _clashes(rows: Array, coding: Coding) -> int:
    """How many rows repeat a digit in a box, as they do where planes are taken for cells."""
    assert coding.board is not None
    digits = coding.decoded(rows)
    wrong = np.zeros(len(rows), np.bool_)
    for box in coding.board.boxes:
        part = np.sort(digits[:, box], axis=1)
        wrong |= ((part[:, 1:] == part[:, :-1]) & (part[:, 1:] > 0)).any(axis=1)
    return int(np.count_nonzero(wrong))
