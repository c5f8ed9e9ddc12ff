"""Singles, intersections and subsets: sets that have as few members as they are many.

Invariant: if n sets have n members together, they share these among themselves, and nobody else
gets one. The sets are the digits of n cells (naked), the places of n digits in a house (hidden) or
the places of one digit in n parallel lines (fish). With n = 1 it is a single: a digit that is the
last of its house comes first, then hidden singles by kind of house: boxes, columns, rows. Of two
complementary sets the larger is not sought. An intersection has all places of a digit in one house
lie in another, whose rest the digit leaves: pointing is a box in a line, claiming a line in a box.
"Direct" ones count only for the hidden single that follows, of an intersection in a house beside
the first. Ratings as in Sudoku Explainer (N. Juillerat, 2006): 1.0 (last digit), 1.2 (hidden, in a
box), 1.5 (in a line), 2.3 (naked), 2.6 (pointing), 2.8 (claiming), direct 1.7 and 1.9.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .board import (
    ALL,
    BITS,
    BOX,
    CELL,
    CELLS,
    COLUMN,
    COMMON,
    ROW,
    SUBSETS,
    State,
    Step,
    Struck,
    Technique,
    cells_at,
    is_single,
    lowest,
)

HOUSES = [9 * kind + line for kind in (BOX, COLUMN, ROW) for line in range(9)]


def hidden_step(
    technique: Technique, rating: float, house: int, digit: int, places: int, cells: int = 0
) -> Step:
    """The step that places a digit (from 0) in its only place of a house."""
    cell = CELL[house][lowest(places)]
    return Step(technique, rating, placed=9 * cell + digit, houses=(house,), cells=cells)


def hidden_singles(state: State) -> Iterator[Step]:
    """A digit has one place in a house; easiest if no other digit is left there."""
    for last in (True, False):
        for house in HOUSES:
            if (state.empty[house] == 1) != last:
                continue
            for digit in range(9):
                places = state.of_house[9 * house + digit]
                if is_single(places):
                    yield _rated_single(house, digit, places, last)


def _rated_single(house: int, digit: int, places: int, last: bool) -> Step:
    if last:
        return hidden_step(Technique.LAST_DIGIT, 1.0, house, digit, places)
    rating = 1.2 if house // 9 == BOX else 1.5
    return hidden_step(Technique.HIDDEN_SINGLE, rating, house, digit, places)


def naked_singles(state: State) -> Iterator[Step]:
    """A cell has one digit left."""
    for cell, digits in enumerate(state.of_cell):
        if is_single(digits):
            yield Step(Technique.NAKED_SINGLE, 2.3, placed=9 * cell + lowest(digits))


CROSSINGS = ((BOX, COLUMN), (BOX, ROW), (COLUMN, BOX), (ROW, BOX))


class _Intersection(NamedTuple):
    digit: int
    base: int  # the house whose places of the digit all lie in the other
    cover: int

    def cells(self, state: State) -> int:
        return CELLS[self.base] & state.of_digit[self.digit]

    @property
    def is_pointing(self) -> bool:
        return self.base // 9 == BOX


def _each(state: State) -> Iterator[_Intersection]:
    for base_kind, cover_kind in CROSSINGS:
        for digit in range(9):
            for base in range(9 * base_kind, 9 * base_kind + 9):
                places = state.of_house[9 * base + digit]
                if not 2 <= places.bit_count() <= 3:
                    continue
                for cover in range(9 * cover_kind, 9 * cover_kind + 9):
                    if not places & ~COMMON[base][cover]:
                        yield _Intersection(digit, base, cover)


def intersections(state: State) -> Iterator[Step]:
    """The digit leaves the rest of the covering house."""
    for crossing in _each(state):
        digit, base, cover = crossing
        rest = state.of_house[9 * cover + digit] & ~COMMON[cover][base]
        if rest:
            yield Step(
                Technique.POINTING if crossing.is_pointing else Technique.CLAIMING,
                2.6 if crossing.is_pointing else 2.8,
                struck=tuple((CELL[cover][place], 1 << digit) for place in BITS[rest]),
                cells=crossing.cells(state),
                digits=1 << digit,
                houses=(base, cover),
            )


def direct_intersections(state: State) -> Iterator[Step]:
    """Once the digit has left the covering house, a house beside the base has one place for it."""
    for crossing in _each(state):
        digit, base, cover = crossing
        kind = base // 9
        for other in range(9 * kind, 9 * kind + 9):
            places = state.of_house[9 * other + digit]
            left = places & ~COMMON[other][cover]
            if other != base and left != places and is_single(left):
                yield hidden_step(
                    Technique.DIRECT_POINTING if kind == BOX else Technique.DIRECT_CLAIMING,
                    1.7 if kind == BOX else 1.9,
                    other,
                    digit,
                    left,
                    crossing.cells(state),
                )


NAKED = {
    2: (Technique.NAKED_PAIR, 3.0),
    3: (Technique.NAKED_TRIPLET, 3.6),
    4: (Technique.NAKED_QUAD, 5.0),
}
HIDDEN = {
    2: (Technique.HIDDEN_PAIR, 3.4),
    3: (Technique.HIDDEN_TRIPLET, 4.0),
    4: (Technique.HIDDEN_QUAD, 5.4),
}
DIRECT = {
    2: (Technique.DIRECT_HIDDEN_PAIR, 2.0),
    3: (Technique.DIRECT_HIDDEN_TRIPLET, 2.5),
}
FISH = {
    2: (Technique.X_WING, 3.2),
    3: (Technique.SWORDFISH, 3.8),
    4: (Technique.JELLYFISH, 5.2),
}


def locked_sets(sets: Sequence[int], size: int) -> Iterator[tuple[int, int]]:
    """Choices of `size` of nine sets whose union has as many members: which ones, and the union."""
    eligible = sum(1 << i for i, each in enumerate(sets) if 2 <= each.bit_count() <= size)
    if eligible.bit_count() < size:
        return
    for chosen in SUBSETS[size]:
        if chosen & ~eligible:
            continue
        union = 0
        for i in BITS[chosen]:
            union |= sets[i]
        if union.bit_count() == size:
            yield chosen, union


def naked_sets(state: State, size: int) -> Iterator[Step]:
    """Cells of a house that have as many digits as they are: the digits leave its other cells."""
    technique, rating = NAKED[size]
    for house in HOUSES:
        if state.empty[house] < 2 * size:
            continue
        digits = [state.of_cell[cell] for cell in CELL[house]]
        for places, union in locked_sets(digits, size):
            struck = tuple(
                (CELL[house][i], digits[i] & union)
                for i in BITS[ALL & ~places]
                if digits[i] & union
            )
            if struck:
                yield _set_step(technique, rating, struck, house, places, union)


def hidden_sets(state: State, size: int) -> Iterator[Step]:
    """Digits that have as many places in a house as they are: other digits leave these places."""
    technique, rating = HIDDEN[size]
    for house in HOUSES:
        if state.empty[house] <= 2 * size:
            continue
        for digits, places in locked_sets(state.of_house[9 * house : 9 * house + 9], size):
            struck = tuple(
                (cell, state.of_cell[cell] & ~digits)
                for cell in (CELL[house][i] for i in BITS[places])
                if state.of_cell[cell] & ~digits
            )
            if struck:
                yield _set_step(technique, rating, struck, house, places, digits)


def _set_step(
    technique: Technique, rating: float, struck: Struck, house: int, places: int, digits: int
) -> Step:
    cells = cells_at(house, places)
    return Step(technique, rating, struck=struck, cells=cells, digits=digits, houses=(house,))


def direct_hidden_sets(state: State, size: int) -> Iterator[Step]:
    """Once a hidden set has its places for itself, another digit has one place in the house."""
    technique, rating = DIRECT[size]
    for house in HOUSES:
        if state.empty[house] <= size:
            continue
        at = state.of_house[9 * house : 9 * house + 9]
        for digits, places in locked_sets(at, size):
            for digit in BITS[ALL & ~digits]:
                left = at[digit] & ~places
                if left != at[digit] and is_single(left):
                    step = hidden_step(
                        technique, rating, house, digit, left, cells_at(house, places)
                    )
                    yield step._replace(digits=digits)
                    break


def fish(state: State, size: int) -> Iterator[Step]:
    """Lines in which a digit has as many crossing lines as they are: these lose it elsewhere."""
    yield from _fish_between(state, 9 * COLUMN, 9 * ROW, size)
    yield from _fish_between(state, 9 * ROW, 9 * COLUMN, size)


def _fish_between(state: State, base: int, cover: int, size: int) -> Iterator[Step]:
    found = [
        (lines, digit, crossing)
        for digit in range(9)
        if state.placed[digit] + 2 * size <= 9
        for lines, crossing in locked_sets(
            [state.of_house[9 * (base + line) + digit] for line in range(9)], size
        )
    ]
    for lines, digit, crossing in sorted(found):
        struck = tuple(
            (CELL[cover + line][place], 1 << digit)
            for line in BITS[crossing]
            for place in BITS[state.of_house[9 * (cover + line) + digit] & ~lines]
        )
        if struck:
            yield _fish_step(state, size, digit, struck, base, lines, cover, crossing)


def _fish_step(
    state: State,
    size: int,
    digit: int,
    struck: Struck,
    base: int,
    lines: int,
    cover: int,
    crossing: int,
) -> Step:
    technique, rating = FISH[size]
    pairs = zip(BITS[lines], BITS[crossing], strict=True)
    cells = sum(CELLS[base + line] & state.of_digit[digit] for line in BITS[lines])
    return Step(
        technique,
        rating,
        struck=struck,
        cells=cells,
        digits=1 << digit,
        houses=tuple(house for a, b in pairs for house in (base + a, cover + b)),
    )
