"""The witness's regular expressions against `re`, and texts that no model would write."""

import re
from itertools import product
from random import Random

import pytest
import z3
from clue_examples import random_pattern

from satdoku.certificates.proof import ProofError
from satdoku.certificates.proof.formula import restated
from satdoku.model.board import Board
from satdoku.model.clue import ClueError
from satdoku.model.constraints import constraints_for
from satdoku.witness.regex import matches
from satdoku.witness.smtlib import format_smtlib


def test_digits_match_where_python_says_so():
    rng, words = Random(1), list(product(range(1, 5), repeat=4))
    for _ in range(60):
        text = random_pattern(rng, 4)
        said = matches(text, 4)
        for word in rng.sample(words, 40):
            shown = "".join(map(str, word))
            assert said(*word) == bool(re.fullmatch(text, shown)), (text, shown)


def test_a_formula_on_terms_says_the_same():
    rng = Random(2)
    cells = [z3.Int(name) for name in "abc"]
    for _ in range(15):
        text = random_pattern(rng, 4, 2)
        said = matches(text, 4)
        formula = z3.simplify(z3.And(said(*cells), True))
        for word in product(range(1, 5), repeat=3):
            values = [(cell, z3.IntVal(digit)) for cell, digit in zip(cells, word, strict=True)]
            assert z3.is_true(z3.simplify(z3.substitute(formula, *values))) == said(*word)


def test_letters_stand_for_digits_from_ten_on():
    said = matches("[^A-F]C{2}", 16)
    assert said(16, 12, 12)
    assert not said(11, 12, 12)


@pytest.mark.parametrize("text", [
    "", "0", "(", ")", "1)", "*", "1**", "1{3,2}", "[]", "[1", "1{1000}", "{2}", "(1{99}){9}", "²",
    "(" * 30 + ")" * 30, "1" * 201,
])  # fmt: skip
def test_other_texts_are_refused(text):
    with pytest.raises(ClueError, match="is no regular expression of a clue"):
        matches(text, 9)


def test_a_certificate_with_such_a_text_is_refused():
    with pytest.raises(ProofError, match="'1\\*\\*' is no regular expression"):
        restated(Board(), ("regex=1**:row1",))


def test_the_script_for_smt_solvers_grows_as_the_line_does():
    """What several ways share is written once."""

    def length(rows):
        cells = ",".join(f"row{number}" for number in range(1, rows + 1))
        return len(format_smtlib(constraints_for(f"regex=(.*1..|[2-9]*):{cells}")))

    assert length(8) < 2.2 * length(4)
