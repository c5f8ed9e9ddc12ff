"""What the witness says of connected cells, of numbers and of terms."""

from __future__ import annotations

from itertools import product

import pytest

from satdoku.model.constraints import constraints_for
from satdoku.witness.clues import STATEMENTS, Connected, formula

FREE = "shape=2x3,latin,no-rows,no-columns;digits=1-2;"


class Term:
    """A truth value or a number that hides it: whoever looks gets an error, as of a solver's."""

    def __init__(self, value):
        self._value = value

    def _with(self, other, does):
        return Term(does(self._value, other._value if isinstance(other, Term) else other))

    def __eq__(self, other):
        return self._with(other, lambda a, b: a == b)

    def __and__(self, other):
        return self._with(other, lambda a, b: bool(a) & bool(b))

    def __or__(self, other):
        return self._with(other, lambda a, b: bool(a) | bool(b))

    def __add__(self, other):
        return self._with(other, lambda a, b: a + b)

    def __mul__(self, other):
        return self._with(other, lambda a, b: a * b)

    def __ge__(self, other):
        return self._with(other, lambda a, b: a >= b)

    def __le__(self, other):
        return self._with(other, lambda a, b: a <= b)

    __radd__, __rand__, __ror__, __hash__ = __add__, __and__, __or__, None

    def __bool__(self):
        raise TypeError("a term has no truth value")

    @property
    def value(self):
        return self._value


@pytest.mark.parametrize("text", ["connected=1", "connected=1x3", "edge-connected=2"])
def test_the_formula_of_terms_says_what_flooding_finds(text):
    constraints = constraints_for(FREE + text)
    (clue,) = constraints.clues
    parts = STATEMENTS[clue.kind](constraints.board, clue, (clue,))
    (part,) = (part for part in parts if isinstance(part, Connected))
    for digits in product((1, 2), repeat=6):
        said = formula(part.holds, [Term(digit) for digit in digits], lambda term: term)
        assert said.value == part.holds(*digits)
