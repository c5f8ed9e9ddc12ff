"""Unique rectangles, loops and the bivalue universal grave: what a puzzle with one solution cannot
have. Right only for such puzzles.

Invariant: a loop is a cycle of cells that hold the same two digits; neighbours share a house, and
every house has no cell of it or one of each parity; so if all its cells held just the two digits,
these could be exchanged, and the puzzle had two solutions. In a grave, without a few further
candidates, every cell has two digits and every digit two places in each house; such a grid has no
solution or several, so one of the further candidates holds.

Both have types. 1: one cell has further digits. 2: they are the same one digit. 3: they are part of
a naked set (of a loop with two such cells: or a hidden one). 4: two cells have them, and one digit
must be in one of the two. Ratings as in Sudoku Explainer: loops from 4.5 on, by length and set;
graves 5.6 (type 1), 5.7 (types 2 and 4), 5.8 on (type 3).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from ...model.board import bits, mask_of
from .board import (
    ALL,
    BITS,
    CELL,
    CELLS,
    HOUSE,
    KINDS,
    PLACE,
    State,
    Step,
    Struck,
    Technique,
    is_single,
    lowest,
    seen_by_all,
    struck_in,
)

RATINGS = {4: 4.5, 6: 4.6, 8: 4.7}  # by the number of cells; longer loops rate 5.0


class _Loop(NamedTuple):
    cells: tuple[int, ...]  # in order
    pair: int  # the two digits

    @property
    def all(self) -> int:
        return sum(1 << cell for cell in self.cells)

    @property
    def rating(self) -> float:
        return RATINGS.get(len(self.cells), 5.0)

    def step(self, kind: int, struck: Struck, above: float = 0.0) -> Iterator[Step]:
        """The step of a type, if it strikes anything."""
        if struck:
            yield Step(
                Technique.UNIQUE_RECTANGLE if len(self.cells) == 4 else Technique.UNIQUE_LOOP,
                self.rating + above,
                kind,
                struck=struck,
                cells=self.all,
                digits=self.pair,
            )

    @property
    def is_balanced(self) -> bool:
        """Whether each house has no cell of the loop, or one at an odd and one at an even place."""
        odd, even = (
            [house for cell in half for house in HOUSE[cell]]
            for half in (self.cells[1::2], self.cells[::2])
        )
        return len(set(odd)) == len(odd) and len(set(even)) == len(even) and set(odd) == set(even)


def _loops_from(state: State, start: int) -> Iterator[_Loop]:
    """Loops through a bivalue cell; neighbouring links are of different kinds of houses."""
    pair = state.of_cell[start]
    # Cells, and the kind of the last link; the path at the end is the next.
    paths: list[tuple[tuple[int, ...], int]] = [((start,), -1)]
    while paths:
        cells, last_kind = paths.pop()
        if len(cells) > 4 and cells[-1] == start:
            yield _Loop(cells[:-1], pair)
            continue
        longer = [
            ((*cells, cell), kind)
            for kind in KINDS
            if kind != last_kind
            for cell in CELL[HOUSE[cells[-1]][kind]]
            if not pair & ~state.of_cell[cell]
            and ((cell == start and len(cells) >= 4) or cell not in cells)
        ]
        paths += reversed([path for path in longer if _may_end(state, pair, path[0])])


def _may_end(state: State, pair: int, cells: tuple[int, ...]) -> bool:
    """Whether a path may come to its last cell: it has no more than the two digits, or it is one of
    the first two that have, or all that have more have the same one more."""
    more = [state.of_cell[cell] & ~pair for cell in cells]
    fuller = [digits for digits in more if digits]
    return not more[-1] or len(fuller) <= 2 or is_single(_union(fuller))


class _Further(NamedTuple):
    """Two cells of a loop with more digits, a house of both, and these digits."""

    loop: _Loop
    cells: tuple[int, int]
    house: int
    places: tuple[int, int]
    extra: int


def _naked_steps(state: State, at: _Further, size: int) -> Iterator[Step]:
    """Other cells of the house that, with either of the two, hold as many digits as they are."""
    digits = [state.of_cell[cell] for cell in CELL[at.house]]
    free = [place for place in range(9) if place not in at.places]
    shared = at.extra & state.of_cell[at.cells[0]] & state.of_cell[at.cells[1]]
    for others in sorted(combinations(free, size - 1), key=mask_of):
        union = _union([at.extra, *(digits[place] for place in others)])
        if union.bit_count() != size or any(digits[place].bit_count() < 2 for place in others):
            continue
        if _union([shared, *(digits[place] for place in others)]) != union:
            continue
        struck = tuple(
            (CELL[at.house][place], digits[place] & union)
            for place in free
            if place not in others and digits[place] & union
        )
        yield from at.loop.step(3, struck, (size - 1) * 0.1)


def _hidden_steps(state: State, at: _Further, size: int) -> Iterator[Step]:
    """Digits that the two cells lack have, with the loop's two, as many places as they are."""
    first, second = (1 << place for place in at.places)
    lacked = BITS[ALL & ~(at.extra | at.loop.pair)]
    for others in sorted(combinations(lacked, size - 2), key=mask_of) if lacked else ():
        digits = mask_of(others) | at.loop.pair
        places = [state.of_house[9 * at.house + digit] & ~second for digit in BITS[digits]]
        if not all(places) or _union(places).bit_count() != size:
            continue
        cells = [CELL[at.house][place] for place in BITS[_union(places) & ~first]]
        struck = tuple(
            (cell, state.of_cell[cell] & ~digits) for cell in cells if state.of_cell[cell] & ~digits
        )
        yield from at.loop.step(3, struck, (len(cells) - 1) * 0.1)


def _union(sets: list[int]) -> int:
    union = 0
    for each in sets:
        union |= each
    return union


def _type_2(state: State, loop: _Loop, extra_cells: int, digit: int) -> Iterator[Step]:
    struck = seen_by_all(extra_cells) & state.of_digit[digit] & ~extra_cells
    return loop.step(2, struck_in(struck, digit))


def _shared_houses(a: int, b: int) -> list[int]:
    """Kinds of the houses that hold both cells."""
    return [kind for kind in KINDS if HOUSE[a][kind] == HOUSE[b][kind]]


def _type_3(state: State, loop: _Loop, a: int, b: int, extra: int) -> Iterator[Step]:
    for size in range(2, 8):
        for kind in _shared_houses(a, b):
            house, places = HOUSE[a][kind], (PLACE[a][kind], PLACE[b][kind])
            at = _Further(loop, (a, b), house, places, extra)
            if 2 * size <= state.empty[house] and size >= extra.bit_count():
                yield from _naked_steps(state, at, size)
            if 2 * size < state.empty[house]:
                yield from _hidden_steps(state, at, size)


def _is_confined(state: State, a: int, b: int, digit: int) -> bool:
    """Whether a house of both cells has the digit in no third cell."""
    others = state.of_digit[digit] & ~(1 << a | 1 << b)
    return any(not CELLS[HOUSE[a][kind]] & others for kind in _shared_houses(a, b))


def _type_4(state: State, loop: _Loop, a: int, b: int) -> Iterator[Step]:
    low, high = BITS[loop.pair]
    for digit, leaving in ((low, high), (high, low)):
        if _is_confined(state, a, b, digit):
            return loop.step(4, ((a, 1 << leaving), (b, 1 << leaving)))
    return iter(())


def _steps_of(state: State, loop: _Loop) -> Iterator[Step]:
    more = {cell: state.of_cell[cell] & ~loop.pair for cell in loop.cells}
    extra = {cell: digits for cell, digits in more.items() if digits}
    union = _union(list(extra.values()))
    if len(extra) == 1:
        yield from loop.step(1, ((next(iter(extra)), loop.pair),))
    if len(extra) > 2 or (len(extra) == 2 and is_single(union)):
        yield from _type_2(state, loop, sum(1 << cell for cell in extra), lowest(union))
    elif len(extra) == 2:
        a, b = extra
        yield from _type_3(state, loop, a, b, union)
    if len(extra) == 2:
        a, b = extra
        yield from _type_4(state, loop, a, b)


def unique_loops(state: State) -> Iterator[Step]:
    """Steps of all unique rectangles and loops, by rating, then type, then where they are met."""
    bivalue = sum(1 << cell for cell in range(81) if state.of_cell[cell].bit_count() == 2)
    loops = (loop for cell in bits(bivalue) for loop in _loops_from(state, cell))
    steps = [step for loop in loops if loop.is_balanced for step in _steps_of(state, loop)]
    yield from sorted(steps, key=lambda step: (step.rating, step.level))


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


def _grave_1(grave: _Grave) -> Iterator[Step]:
    (cell,) = grave.further
    struck = ((cell, grave.state.of_cell[cell] & ~grave.all),)
    return grave.step(1, 5.6, struck, grave.all)


def _grave_2(grave: _Grave) -> Iterator[Step]:
    digit = lowest(grave.all)
    cells = grave.seen & grave.state.of_digit[digit]
    return grave.step(2, 5.7, struck_in(cells, digit), grave.all)


def _grave_3(grave: _Grave) -> Iterator[Step]:
    for size in range(2, 7):
        for house in grave.common_houses():
            others = list(bits(grave.seen & CELLS[house]))
            if len(others) >= size:
                for chosen in sorted(combinations(others, size - 1), key=mask_of):
                    yield from _grave_naked(grave, others, chosen)


def _grave_naked(grave: _Grave, others: list[int], chosen: tuple[int, ...]) -> Iterator[Step]:
    """Cells of a house of the grave that, with one of its cells, are a naked set."""
    of, size = grave.state.of_cell, len(chosen) + 1
    union = _union([of[cell] for cell in chosen])
    if union.bit_count() != size or grave.all & ~union or grave.all.bit_count() < 2:
        return
    if any(of[cell].bit_count() < 2 for cell in chosen):
        return
    struck = tuple(
        (cell, of[cell] & union) for cell in others if cell not in chosen and of[cell] & union
    )
    yield from grave.step(3, 5.7 + (size - 1) * 0.1, struck, union)


def _grave_4(grave: _Grave) -> Iterator[Step]:
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
        yield from _grave_1(grave)
    elif grave.all.bit_count() == 1:
        yield from _grave_2(grave)
        yield from _grave_4(grave)
    elif grave.seen:
        yield from _grave_4(grave)
        yield from _grave_3(grave)
