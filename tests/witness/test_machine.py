"""Machines as the witness reads them, by a walk through all ways."""

import random
from itertools import product

import pytest
from clue_examples import OF_DIGITS, random_machine

from satdoku.model.clue import ClueError
from satdoku.witness.machine import accepts


@pytest.mark.parametrize("seed", range(12))
def test_digits_are_accepted_where_a_walk_says_so(seed):
    text = random_machine(random.Random(seed), 3)
    said = accepts(text, 3)
    for length in range(1, 5):
        for word in product((1, 2, 3), repeat=length):
            assert said(*word) == bool(OF_DIGITS["machine"](word, text, 3))


@pytest.mark.parametrize(
    "text", ["", "a", "a-1>b,", "a-1>b,,b*", "a-12>b,b*", "a-0>b,b*", "A-1>b,b*", "a-1>b b*", ",a*",
             "a-1>b," * 2000 + "b*"],
)  # fmt: skip
def test_other_texts_are_refused(text):
    with pytest.raises(ClueError):
        accepts(text, 9)
