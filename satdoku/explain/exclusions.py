"""Tell what cells lose, or what they keep.

Invariant: all struck candidates are told, and no other, in as few parts as one of two ways takes:
digit by digit, or cell by cell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from ..model.board import Board, Cells
from .naming import cells_named, either
from .readings import Mask
from .units import Units

MANY = 1 << 12  # that are remembered
Held = tuple[tuple[int, Cells], ...]  # cells, each with digits


def exclusions(units: Units, struck: Mask, live: Mask = 0) -> str:
    """The struck candidates: `no 5 or 7 in r1c1; no 8 in r2c2 and r2c3`.

    live: the candidates before, if cells may be named by what they keep where that is less:
    `r1c1 and r2c1 hold 8 or 9`.
    """
    if struck and not struck & struck - 1:
        only = struck.bit_length() - 1
        return f"no {units.digit_of(only)} in {units.board.name_of(only // units.size)}"
    lost = units.held(struck)
    rest = ((cell, units.held_in(cell, live & ~struck)) for cell in lost if live)
    kept = tuple((cell, left) for cell, left in rest if 0 < len(left) < len(lost[cell]))
    return _told(units.board, tuple(lost.items()), kept)


@lru_cache(maxsize=MANY)
def _told(board: Board, lost: Held, kept: Held) -> str:
    """Chains say the same again and again."""
    plain = _losses(board, dict(lost))
    if not kept:
        return "; ".join(plain)
    short = dict(kept)
    others = {cell: digits for cell, digits in lost if cell not in short}
    told = [*_holdings(board, short), *_losses(board, others)]
    return "; ".join(_shorter(plain, told))


def _shorter(one: list[str], other: list[str]) -> list[str]:
    """That of fewer parts; of as many parts, that of fewer characters."""
    return min((one, other), key=lambda parts: (len(parts), sum(len(part) for part in parts)))


def _losses(board: Board, lost: Mapping[int, Cells]) -> list[str]:
    """What the cells lose, by the digits that the same cells lose, or by the cells that lose the
    same digits."""
    by_digits = [_loss(board, digits, cells) for digits, cells in _alike(lost).items()]
    if len(by_digits) == 1:
        return by_digits
    cells_of: dict[int, list[int]] = {}
    for cell, digits in lost.items():
        for digit in digits:
            cells_of.setdefault(digit, []).append(cell)
    by_cells: dict[Cells, list[int]] = {}
    for digit in sorted(cells_of):
        by_cells.setdefault(tuple(cells_of[digit]), []).append(digit)
    one_by_one = [_loss(board, digits, cells) for cells, digits in by_cells.items()]
    return _shorter(one_by_one, by_digits)


def _loss(board: Board, digits: Sequence[int], cells: Sequence[int]) -> str:
    return f"no {either(digits)} in {cells_named(board, cells)}"


def _holdings(board: Board, kept: Mapping[int, Cells]) -> list[str]:
    """What the cells keep."""
    return [
        f"{cells_named(board, cells)} {_holds(digits, len(cells))} {either(digits)}"
        for digits, cells in _alike(kept).items()
    ]


def _holds(digits: Cells, cells: int) -> str:
    if cells == 1:
        return "is" if len(digits) == 1 else "holds"
    return "are" if len(digits) == 1 else "hold"


def _alike(digits_of: Mapping[int, Cells]) -> dict[Cells, list[int]]:
    """The cells that have the same digits."""
    found: dict[Cells, list[int]] = {}
    for cell, digits in digits_of.items():
        found.setdefault(digits, []).append(cell)
    return found
