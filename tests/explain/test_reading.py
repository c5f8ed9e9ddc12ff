"""What a clue reads leaves the candidates that brute force leaves."""

from itertools import product
from random import Random

import pytest

from satdoku.explain.reading import reading_of
from satdoku.model.shapes import DigitSets, OneOf, automaton

SIZE, CELLS = 5, (7, 2, 11)
SHAPES = {
    "sets": (
        DigitSets(CELLS, (frozenset({1, 2, 5}), frozenset({2, 3, 4}), frozenset({1, 3, 4}))),
        lambda digits: {*digits} in ({1, 2, 5}, {2, 3, 4}, {1, 3, 4}),
    ),
    "one of": (
        OneOf(((7, 1), (7, 4), (2, 3))),
        lambda digits: digits[0] in (1, 4) or digits[1] == 3,
    ),
    "one of, if": (
        OneOf(((7, 1), (2, 3)), (11, 2)),
        lambda digits: digits[2] != 2 or digits[0] == 1 or digits[1] == 3,
    ),
    "automaton": (
        automaton(CELLS, SIZE, 0, lambda place, total, digit: total + digit, (8).__eq__),
        lambda digits: sum(digits) == 8,
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_what_no_sequence_has_is_impossible(name):
    shape, accepts = SHAPES[name]
    reading, rng = reading_of(shape, SIZE), Random(name)
    order = {cell: place for place, cell in enumerate(CELLS)}
    for _ in range(200):
        left = [[d for d in range(1, SIZE + 1) if rng.random() < 0.6] for _ in CELLS]
        live = sum(1 << SIZE * cell + d - 1 for cell in CELLS for d in left[order[cell]])
        good = [digits for digits in product(*left) if accepts(digits)]
        cells = reading.automaton.cells
        possible = {SIZE * c + digits[order[c]] - 1 for digits in good for c in cells}
        expected = {SIZE * c + d - 1 for c in cells for d in left[order[c]]} - possible
        if all(left):
            assert reading.impossible(live) == sum(1 << c for c in expected)
        assert reading.members == sum(((1 << SIZE) - 1) << SIZE * c for c in cells)
