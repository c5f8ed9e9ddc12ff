"""Why a sum strikes candidates: what the other cells add up to, where a sum may stand.

Invariant: bounds are those of the candidates left, of different digits where the clue says that
they differ; they hold of the cells that are named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ..model.board import Cells
from ..model.shapes import Stretch, Sum
from .naming import cells_named, listed, number
from .readings import Mask
from .told import Told, mask_of_cell

FEW = 3  # cells and bounds that a reason names
MOST = 300  # sets of digits that are looked at


class _Bound(NamedTuple):
    """What cells add up to: at least or at most so much. is_usual: whether any digits do."""

    cells: Cells
    side: str
    value: int
    is_usual: bool


def bounds(told: Told) -> str:
    """What the others of a sum add up to, if that is why digits are too great or too small."""
    sums = told.kind.sums(told.board, told.clue) if told.kind.sums else ()
    plain = [said for said in sums if isinstance(said, Sum)]
    found: dict[int, list[_Bound]] = {}
    for live in (told.live, told.live & ~told.struck):
        left = [cell for cell in told.lost if not found.get(cell)]
        found |= {cell: _bounds(told, plain, cell, live) for cell in left}
    if not all(found.values()):
        return ""
    return _as_one(told, list(found.values())) or _each(told, found.values())


def _as_one(told: Told, found: Sequence[Sequence[_Bound]]) -> str:
    """The same of as many cells, whichever they are: `two cells add up to at most 18`."""
    (first, *more), *others = found
    if more or len(first.cells) < 2 or not first.is_usual:
        return ""
    alike = all(len(b) == 1 and b[0][1:] == first[1:] for b in others)
    alike &= all(len(b[0].cells) == len(first.cells) for b in others)
    if not others or not alike:
        return ""
    count = number(len(first.cells))
    return f"{count} cells add up to {first.side} {first.value} ({told.unit.label})"


def _each(told: Told, found: Iterable[Sequence[_Bound]]) -> str:
    """What is said of the cells by name, only of those that may not hold anything if it is
    enough."""
    parts = [[b for b in bounds if not b.is_usual] or bounds for bounds in found]
    every = dict.fromkeys(bound for bounds in parts for bound in bounds)
    said = [b for b in every if len(b.cells) > 1 or not b.is_usual] or [*every]
    if len(said) > FEW:
        return ""
    phrases = [_bounded(told, bound) for bound in said]
    if len(said) > 1 and any(len(bound.cells) > 1 for bound in said):  # they have an "and"
        return f"{', '.join(phrases[:-1])}, and {phrases[-1]} ({told.unit.label})"
    return f"{listed(phrases)} ({told.unit.label})"


def _bounded(told: Told, bound: _Bound) -> str:
    cells = cells_named(told.board, bound.cells)
    if len(bound.cells) > 1:
        return f"{cells} add up to {bound.side} {bound.value}"
    is_known = told.digits(bound.cells[0]) == (bound.value,)
    return f"{cells} is {bound.value if is_known else f'{bound.side} {bound.value}'}"


def _bounds(told: Told, sums: Iterable[Sum], cell: int, live: Mask) -> list[_Bound]:
    own = (said for said in sums if cell in said.cells)
    return next(filter(None, (_by_sum(told, said, cell, live) for said in own)), [])


def _by_sum(told: Told, said: Sum, cell: int, live: Mask) -> list[_Bound]:
    """Bounds of the other cells of a sum that leave none of what the cell loses."""
    weights = dict(zip(said.cells, said.weights, strict=True))
    own = weights.pop(cell)
    if abs(own) != 1 or not {*weights.values()} <= {1, -1}:
        return []
    same = tuple(other for other, weight in weights.items() if weight == own)
    against = tuple(other for other, weight in weights.items() if weight != own)
    total = own * said.total  # cell + same - against = total
    (low, high), (least, most) = _range(told, same, live), _range(told, against, live)
    lost, side = told.lost[cell], told.side(cell)
    if side != "below" and min(lost) > total + most - low:
        return _at_once(told, (same, "at least", low), (against, "at most", most))
    if side != "above" and max(lost) < total + least - high:
        return _at_once(told, (same, "at most", high), (against, "at least", least))
    return []


def _at_once(told: Told, *parts: tuple[Cells, str, int]) -> list[_Bound]:
    every = told.units.every
    return [
        _Bound(cells, side, value, value in _range(told, cells, every))
        for cells, side, value in parts
        if cells
    ]


def _range(told: Told, cells: Cells, live: Mask) -> tuple[int, int]:
    """The least and the greatest sum of the cells; they differ if the clue says so."""
    digits = [told.units.held_in(cell, live) or (0,) for cell in cells]
    if len(cells) > 1 and _differ(told, cells):
        return _different(digits, min), _different(digits, max)
    return sum(map(min, digits)), sum(map(max, digits))


def _differ(told: Told, cells: Cells) -> bool:
    n, pairs = told.units.size, set(told.unit.pairs)
    one, *others = sorted(cells)
    return all((n * one, n * other) in pairs for other in others)


def stretches(told: Told) -> str:
    """Where a sum may stand that is one of a stretch of the cells, or how many cells it takes
    whatever they hold."""
    sums = told.kind.sums(told.board, told.clue) if told.kind.sums else ()
    said = next((said for said in sums if isinstance(said, Stretch)), None)
    if said is None or not (counts := _counts(said, told.board.digits)):
        return ""
    lowest, highest = told.board.digits[0], told.board.digits[-1]
    if not said.is_counted and (ends := _crusts(told, said, counts)):
        ways = ", or in ".join((*filter(None, [", in ".join(ends[:-1])]), ends[-1]))
        return f"{lowest} and {highest} are in {ways} ({told.unit.label})"
    is_usual = not told.struck & ~told.never
    lost = {digit for digits in told.lost.values() for digit in digits}
    if not is_usual and (said.is_counted or lost - {lowest, highest}):
        return ""
    low, high = counts[0], counts[-1]
    joint = " or " if high == low + 1 else " to "
    count = number(low) if low == high else f"{number(low)}{joint}{number(high)}"
    noun = "cell" if high == 1 else "cells"
    place = "" if said.is_counted else f" between {lowest} and {highest}"
    return f"{said.total} takes {count} {noun}{place} ({told.unit.label})"


def _crusts(told: Told, said: Stretch, counts: Sequence[int]) -> list[str]:
    """The few pairs of cells that may hold the lowest and the highest digit, in this order if the
    other is not possible; none if there are more."""
    n, name, found = told.units.size, told.board.name_of, []
    if len(told.unit.readings) != 1:  # so small that it is read as pairs of candidates
        return []
    (reading,) = told.unit.readings
    low, high = 0, len(told.board.digits) - 1
    for a, first in enumerate(said.cells):
        for b in range(a + 1, len(said.cells)):
            if b - a - 1 not in counts:
                continue
            second = said.cells[b]
            both = mask_of_cell(first, n) | mask_of_cell(second, n)
            ways = []
            for one, other in ((first, second), (second, first)):
                ends = 1 << n * one + low | 1 << n * other + high
                is_open = ends & told.live == ends
                if is_open and reading.is_possible(told.live & ~both | ends):
                    ways.append(f"{name(one)} and {name(other)}")
            found += ways[:1]
            if len(found) > FEW:
                return []
    return found


def _counts(said: Stretch, digits: Sequence[int]) -> list[int]:
    """How many different digits may add up to the total: of those between the lowest and the
    highest, or of all."""
    usable = digits if said.is_counted else digits[1:-1]
    sums = {0: {0}}  # by the sum, the counts of digits
    for digit in usable:
        more = {total + digit: {n + 1 for n in counts} for total, counts in sums.items()}
        sums = {t: sums.get(t, set()) | more.get(t, set()) for t in {*sums, *more}}
    return sorted(sums.get(said.total, ()))


def _different(digits: Sequence[Sequence[int]], best: Callable[[Iterable[int]], int]) -> int:
    """The least, or the greatest, sum of different digits, one of each."""
    loose = sum(best(some) for some in digits)
    sums: dict[frozenset[int], int] = {frozenset(): 0}
    for some in sorted(digits, key=len):
        sums = {
            used | {digit}: total + digit
            for used, total in sums.items()
            for digit in some
            if digit not in used
        }
        if len(sums) > MOST:
            return loose
    return best(sums.values()) if sums else loose
