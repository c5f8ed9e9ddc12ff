"""Machines as the witness reads them, by a walk through all ways."""

import random
from itertools import product

import pytest
from clue_examples import accepted, random_machine

from satdoku.model.clue import ClueError
from satdoku.witness.machine import accepts


@pytest.mark.parametrize("seed", range(12))
def test_digits_are_accepted_where_a_walk_says_so(seed):
    text = random_machine(random.Random(seed), 3)
    for length in range(1, 5):
        said = accepts(text, 3, (length,))
        for word in product((1, 2, 3), repeat=length):
            assert said(*word) == bool(accepted(text, "".join(map(str, word))))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("lengths", [(1, 1), (2, 1), (1, 1, 2), (1, 3)])
def test_groups_are_accepted_where_a_walk_says_so(seed, lengths):
    text = random_machine(random.Random(seed), 3, breaks=True)
    said = accepts(text, 3, lengths)
    for words in product(*(product("123", repeat=length) for length in lengths)):
        digits = (int(digit) for word in words for digit in word)
        assert said(*digits) == bool(accepted(text, "/".join(map("".join, words))))


@pytest.mark.parametrize(
    "text", ["", "a", "a-1>b,", "a-1>b,,b*", "a-12>b,b*", "a-0>b,b*", "A-1>b,b*", "a-1>b b*", ",a*",
             "a-[/]>b,b*", "a-//>b,b*", "a-1>b," * 4000 + "b*"],
)  # fmt: skip
def test_other_texts_are_refused(text):
    with pytest.raises(ClueError):
        accepts(text, 9, (3,))
