"""The witness's regular expressions against `re`, its machines, and texts that no model writes."""

from __future__ import annotations

import random
import re
from itertools import product
from random import Random

import pytest
import z3
from clue_examples import accepted, random_machine, random_pattern
from soak import share

from satdoku.certificates.proof import ProofError
from satdoku.certificates.proof.formula import restated
from satdoku.model.board import Board
from satdoku.model.clue import ClueError
from satdoku.model.constraints import constraints_for
from satdoku.witness.regular import accepts, matches
from satdoku.witness.smtlib import format_smtlib

THREE, FOUR, NINE = (tuple(range(1, size + 1)) for size in (3, 4, 9))


def test_digits_match_where_python_says_so():
    rng, words = Random(1), list(product(range(1, 5), repeat=4))
    for _ in range(60):
        text = random_pattern(rng, 4)
        said = matches(text, FOUR)
        for word in rng.sample(words, 40):
            shown = "".join(map(str, word))
            assert said(*word) == bool(re.fullmatch(text, shown)), (text, shown)


def test_a_formula_on_terms_says_the_same():
    rng = Random(2)
    cells = [z3.Int(name) for name in "abc"]
    for _ in range(15):
        text = random_pattern(rng, 4, 2)
        said = matches(text, FOUR)
        formula = z3.simplify(z3.And(said(*cells), True))
        for word in product(range(1, 5), repeat=3):
            values = [(cell, z3.IntVal(digit)) for cell, digit in zip(cells, word, strict=True)]
            assert z3.is_true(z3.simplify(z3.substitute(formula, *values))) == said(*word)


def test_letters_stand_for_digits_from_ten_on():
    said = matches("[^A-F]C{2}", tuple(range(1, 17)))
    assert said(16, 12, 12)
    assert not said(11, 12, 12)


@pytest.mark.parametrize("text", [
    "", "0", "(", ")", "1)", "*", "1**", "1{3,2}", "[]", "[1", "1{1000}", "{2}", "(1{99}){9}", "²",
    "(" * 30 + ")" * 30, "1" * 201,
])  # fmt: skip
def test_other_texts_are_refused(text):
    with pytest.raises(ClueError, match="is no regular expression of a clue"):
        matches(text, NINE)


def test_a_certificate_with_such_a_text_is_refused():
    with pytest.raises(ProofError, match="'1\\*\\*' is no regular expression"):
        restated(Board(), ("regex=1**:row1",))


def test_the_script_for_smt_solvers_grows_as_the_line_does():
    """What several ways share is written once."""

    def length(rows):
        cells = ",".join(f"row{number}" for number in range(1, rows + 1))
        return len(format_smtlib(constraints_for(f"regex=(.*1..|[2-9]*):{cells}")))

    assert length(8) < 2.2 * length(4)


@pytest.mark.parametrize("seed", range(share(12)))
def test_digits_are_accepted_where_a_walk_says_so(seed):
    text = random_machine(random.Random(seed), 3)
    for length in range(1, 5):
        said = accepts(text, THREE, (length,))
        for word in product((1, 2, 3), repeat=length):
            assert said(*word) == bool(accepted(text, "".join(map(str, word))))


@pytest.mark.parametrize("seed", range(share(12)))
@pytest.mark.parametrize("lengths", [(1, 1), (2, 1), (1, 1, 2), (1, 3)])
def test_groups_are_accepted_where_a_walk_says_so(seed, lengths):
    text = random_machine(random.Random(seed), 3, breaks=True)
    said = accepts(text, THREE, lengths)
    for words in product(*(product("123", repeat=length) for length in lengths)):
        digits = (int(digit) for word in words for digit in word)
        assert said(*digits) == bool(accepted(text, "/".join(map("".join, words))))


@pytest.mark.parametrize(
    "text", ["", "a", "a-1>b,", "a-1>b,,b*", "a-12>b,b*", "a-0>b,b*", "A-1>b,b*", "a-1>b b*", ",a*",
             "a-[/]>b,b*", "a-//>b,b*", "a-1>b," * 20000 + "b*"],
)  # fmt: skip
def test_other_texts_are_refused_of_machine(text):
    with pytest.raises(ClueError):
        accepts(text, NINE, (3,))
