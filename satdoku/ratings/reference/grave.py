"""Bivalue universal grave: without a few further candidates, every cell has two digits and every
digit two places in each house.

Invariant: such a grid has no solution or several, so one of the further candidates holds. Type 1:
one cell has them. Type 2: they are one digit. Type 3: they are part of a naked set. Type 4: two
cells have them and a digit that must be in one of the two. Ratings 5.6 (type 1), 5.7 (types 2 and
4), 5.8 on (type 3; Sudoku Explainer). Right only for puzzles with one solution.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from .board import ALL, CELL, CELLS, HOUSE, KINDS, State, bits, lowest, seen_by_all
from .step import Step, Struck, Technique, struck_in


class _Grave:
    def __init__(self, state: State) -> None:
        self.state = state
        self.plain = state.copy()  # without the further candidates
        self.further: dict[int, int] = {}  # cells that have some, and these
        self.all = 0  # digits of further candidates that are alone in a house to be so

    @property
    def cells(self) -> int:
        return sum(1 << cell for cell in self.further)

    @property
    def seen(self) -> int:
        """Cells that see all that have further candidates."""
        return seen_by_all(self.cells)

    def add(self, cell: int, digit: int) -> None:
        """Note a further candidate."""
        self.further[cell] = self.further.get(cell, 0) | 1 << digit
        self.plain.strike(cell, digit)

    def common_houses(self) -> list[int]:
        """The houses that hold all cells with further candidates."""
        first = next(iter(self.further))
        return [HOUSE[first][kind] for kind in KINDS if not self.cells & ~CELLS[HOUSE[first][kind]]]

    def step(self, kind: int, rating: float, struck: Struck, digits: int) -> Iterator[Step]:
        if struck:
            yield Step(Technique.BUG, rating, kind, struck=struck, cells=self.cells, digits=digits)


def _fits(places: int) -> bool:
    return places.bit_count() in (0, 2)


def _suspects(state: State, house: int, digit: int) -> list[int]:
    """Cells that may be to blame for a digit's wrong number of places in a house."""
    at = CELLS[house] & state.of_digit[digit]
    return [cell for cell in CELL[house] if at >> cell & 1 and state.of_cell[cell].bit_count() >= 3]


def _collect(grave: _Grave) -> bool:
    """Find the further candidates: a suspect that is alone in a house and, if no more than one
    digit has a wrong number of places in any house, every suspect."""
    wrong = [
        (digit, _suspects(grave.state, house, digit))
        for house in range(27)
        for digit in range(9)
        if not _fits(grave.state.of_house[9 * house + digit])
    ]
    for digit, found in wrong:
        if not found:
            return False
        if len(found) == 1:
            grave.all |= 1 << digit
            grave.add(found[0], digit)
    if len({digit for digit, _ in wrong}) == 1:
        for cell in sorted({cell for _, found in wrong for cell in found} - set(grave.further)):
            grave.add(cell, wrong[0][0])
    return bool(wrong and grave.further)


def _is_grave(grave: _Grave) -> bool:
    left = zip(grave.state.of_cell, grave.plain.of_cell, strict=True)
    return all(plain.bit_count() == 2 for digits, plain in left if digits) and all(
        map(_fits, grave.plain.of_house)
    )


def _type_1(grave: _Grave) -> Iterator[Step]:
    (cell,) = grave.further
    struck = ((cell, grave.state.of_cell[cell] & ~grave.all),)
    return grave.step(1, 5.6, struck, grave.all)


def _type_2(grave: _Grave) -> Iterator[Step]:
    digit = lowest(grave.all)
    cells = grave.seen & grave.state.of_digit[digit]
    return grave.step(2, 5.7, struck_in(cells, digit), grave.all)


def _type_3(grave: _Grave) -> Iterator[Step]:
    for size in range(2, 7):
        for house in grave.common_houses():
            others = list(bits(grave.seen & CELLS[house]))
            if len(others) >= size:
                for chosen in sorted(combinations(others, size - 1), key=_as_mask):
                    yield from _naked(grave, others, chosen)


def _as_mask(cells: tuple[int, ...]) -> int:
    return sum(1 << cell for cell in cells)


def _naked(grave: _Grave, others: list[int], chosen: tuple[int, ...]) -> Iterator[Step]:
    """Cells of a house of the grave that, with one of its cells, are a naked set."""
    of, size = grave.state.of_cell, len(chosen) + 1
    union = 0
    for cell in chosen:
        union |= of[cell]
    if union.bit_count() != size or grave.all & ~union or grave.all.bit_count() < 2:
        return
    if any(of[cell].bit_count() < 2 for cell in chosen):
        return
    struck = tuple(
        (cell, of[cell] & union) for cell in others if cell not in chosen and of[cell] & union
    )
    yield from grave.step(3, 5.7 + (size - 1) * 0.1, struck, union)


def _type_4(grave: _Grave) -> Iterator[Step]:
    if len(grave.further) != 2:
        return
    of = grave.state.of_cell
    a, b = grave.further
    common = of[a] & of[b] & ~grave.all & ALL
    if common.bit_count() == 1:
        for _ in grave.common_houses():
            struck = tuple((cell, of[cell] & ~(grave.further[cell] | common)) for cell in (a, b))
            yield from grave.step(4, 5.7, struck, grave.all)


def bivalue_graves(state: State) -> Iterator[Step]:
    """Steps of the grave that the state is, if it is one."""
    grave = _Grave(state)
    if not _collect(grave) or not _is_grave(grave):
        return
    if len(grave.further) == 1:
        yield from _type_1(grave)
    elif grave.all.bit_count() == 1:
        yield from _type_2(grave)
        yield from _type_4(grave)
    elif grave.seen:
        yield from _type_4(grave)
        yield from _type_3(grave)
