"""Naked sets, hidden sets and fish: as many things as places for them.

Invariant: n sets of at least two members whose union has n members share these among themselves,
and nobody else gets one. The sets are the digits of n cells (naked), the places of n digits in a
house (hidden) or the places of one digit in n parallel lines (fish). Of two complementary sets the
larger is not sought. Ratings as in Sudoku Explainer; "direct" ones count for the hidden single that
follows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .board import ALL, BITS, CELL, CELLS, COLUMN, ROW, SUBSETS, State, cells_at, is_single
from .singles import HOUSES, hidden_step
from .step import Step, Struck, Technique

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
