"""Wings: cells of a house with one digit more than they are, and a cell of two digits beside them.

Invariant: if the cell holds the digit that excludes all places of one among the others, these hold
each of their other digits; else it holds its second. So what sees that one, and all places of
another digit among them, is neither. If the second excludes all places of one, too, the others hold
in any case what neither excludes. (Sudoku Explainer's XY- and XYZ-wing and Sukaku Explainer's
larger ones, with any house and whatever excludes a place.)
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from ...model.board import Cells, bits
from ..naming import article, cells_named, listed
from ..readings import Mask
from ..techniques import Finding, State, excluded_by_all, fewest_excluders, seen_by_all
from ..units import House, Units, union
from . import scale

LETTERS = "TUVWXYZ"


class Almost(NamedTuple):
    """Cells of a house with one digit more than they are. fullest: the most digits that one has.
    by_digit: for each digit its number, its places and what all of these exclude; seen: what is
    excluded by all places of any digit."""

    house: House
    cells: Cells
    fullest: int
    by_digit: tuple[tuple[int, Mask, Mask], ...]
    seen: Mask = 0

    @property
    def technique(self) -> str:
        """The name, with one cell more."""
        size = len(self.cells) + 1
        return "XY-wing" if size == 3 == self.fullest + 1 else f"{LETTERS[-size:]}-wing"


def almost_sets(
    units: Units, house: House, digits: tuple[Mask, ...], count: int
) -> Iterator[Almost]:
    """Those of so many cells; digits: what each cell of the house has left."""
    n = units.size
    few = [
        (c, left)
        for c, left in zip(house.cells, digits, strict=True)
        if 2 <= left.bit_count() <= count + 1
    ]
    for chosen in combinations(few, count):
        held = 0
        for _, left in chosen:
            held |= left
        if held.bit_count() != count + 1:
            continue
        by_digit = []
        for digit in bits(held):
            places = union(1 << n * cell + digit for cell, left in chosen if left >> digit & 1)
            by_digit.append((digit, places, seen_by_all(units, places)))
        cells = tuple(cell for cell, _ in chosen)
        fullest = max(left.bit_count() for _, left in chosen)
        seen = union(seen for _, _, seen in by_digit)
        yield Almost(house, cells, fullest, tuple(by_digit), seen)


def wings(state: State, almost: Almost, pairs: dict[int, int], beside: Mask) -> Iterator[Finding]:
    """What such cells strike with a cell of two digits; pairs: the candidates of such cells, each
    with the other one; beside: all of them."""
    n = state.units.size
    for digit, places, seen in almost.by_digit:
        for first in bits(seen & beside):
            if first // n not in almost.cells:
                yield from _struck(state, almost, digit, places, (first, pairs[first]))


def _struck(
    state: State, almost: Almost, digit: int, places: Mask, pair: tuple[int, int]
) -> Iterator[Finding]:
    units, (first, second) = state.units, pair
    both = next((d for d in almost.by_digit if d[0] != digit and d[2] >> second & 1), None)
    met: tuple[int, ...] = ()
    for other, ends, seen in almost.by_digit:
        is_held = both is not None and other != both[0]  # whichever the cell holds
        ends |= 0 if is_held else 1 << second
        if other == digit or not seen & state.live & (-1 if is_held else units.excluded[second]):
            continue
        if not met:
            met = (first // units.size, *almost.cells, *fewest_excluders(units, first, places))
            met += tuple(almost.house.units[d] for d, *_ in almost.by_digit)
            met += fewest_excluders(units, second, both[1]) if both else ()
        for by, struck in excluded_by_all(state, ends):
            yield Finding(
                almost.technique,
                tuple(dict.fromkeys((*met, *by))),
                struck=struck,
                why=_why(units, almost, other, pair, is_held),
                rating=scale.WINGS[len(almost.cells) + 1][almost.fullest],
            )


def _why(units: Units, almost: Almost, other: int, pair: tuple[int, int], is_held: bool) -> str:
    board = units.board
    held = listed(board.digits[digit] for digit, *_ in almost.by_digit)
    first, second = map(units.digit_of, pair)
    name, needed = board.name_of(pair[0] // units.size), board.digits[other]
    start = f"{cells_named(board, almost.cells)} hold only {held}"
    need = f"they need {article(needed)} {needed}"
    if is_held:
        return f"{start}: {need}, as {name} is {first} or {second} ({almost.technique})"
    return f"{start}: if {name} is {first}, {need}, else {name} is {second} ({almost.technique})"
