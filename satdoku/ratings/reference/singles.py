"""Singles: the only place of a digit in a house, the only digit of a cell.

Invariant: a digit that is the last of its house comes first, then hidden singles by kind of house:
boxes, columns, rows. Ratings 1.0 (last digit), 1.2 (in a box), 1.5 (in a line), 2.3 (naked), as
Sudoku Explainer has them (N. Juillerat, 2006).
"""

from __future__ import annotations

from collections.abc import Iterator

from .board import BOX, CELL, COLUMN, ROW, State, is_single, lowest
from .step import Step, Technique

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
