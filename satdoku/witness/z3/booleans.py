"""Z3 models of the kind "boolean": each candidate has its own truth value.

Invariant: each digit of a cell is one boolean or one bit. Only `ReadDimacs` is not built from the
board: it reads the file that we write and so shows that another tool understands it.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from ...model.board import Board
from ...model.constraints import Constraints
from .base import Model, Term


class BitVecOneHot(Model):
    """A bit-vector per cell with one bit per digit; the OR over each house is all ones."""

    kind = "boolean"

    def cell(self, name: str) -> Term:
        return self.z3.BitVec(name, self.board.size)

    def domain(self, x: Term) -> Iterator[Term]:
        yield x != 0
        yield x & (x - 1) == 0

    def house(self, terms: Sequence[Term]) -> Iterator[Term]:
        union = terms[0]
        for term in terms[1:]:
            union = union | term
        yield union == (1 << self.board.size) - 1

    def not_consecutive(self, x: Term, y: Term) -> Term:
        return self.z3.And((x << 1) & y == 0, (y << 1) & x == 0)

    def equals(self, x: Term, digit: int) -> Term:
        return x == 1 << (digit - 1)

    def value(self, model: Term, x: Term) -> int:
        return int(model.eval(x, model_completion=True).as_long()).bit_length()


class Booleans(Model):
    """A list of booleans per cell, one per candidate; clauses say exactly-one."""

    kind = "boolean"

    def cell(self, name: str) -> Term:
        return [self.z3.Bool(f"{name}={digit}") for digit in range(1, self.board.size + 1)]

    def domain(self, x: Term) -> Iterator[Term]:
        return self.exactly_one(x)

    def house(self, terms: Sequence[Term]) -> Iterator[Term]:
        for same_digit in zip(*terms, strict=True):
            yield from self.exactly_one(same_digit)

    def exactly_one(self, literals: Sequence[Term]) -> Iterator[Term]:
        """Formulas that say: exactly one of the literals is true."""
        yield self.z3.Or(*literals)
        for a, b in combinations(literals, 2):
            yield self._not_both(a, b)

    def _not_both(self, a: Term, b: Term) -> Term:
        return self.z3.Or(self.z3.Not(a), self.z3.Not(b))

    def differ(self, x: Term, y: Term) -> Term:
        return self.z3.And(*(self._not_both(a, b) for a, b in zip(x, y, strict=True)))

    def not_consecutive(self, x: Term, y: Term) -> Term:
        steps = [*zip(x, y[1:], strict=False), *zip(x[1:], y, strict=False)]
        return self.z3.And(*(self._not_both(a, b) for a, b in steps))

    def equals(self, x: Term, digit: int) -> Term:
        return x[digit - 1]

    def value(self, model: Term, x: Term) -> int:
        true = (self.z3.is_true(model.eval(literal, True)) for literal in x)
        return 1 + next(digit for digit, holds in enumerate(true) if holds)


class PseudoBooleans(Booleans):
    """A boolean per candidate; pseudo-boolean equations say exactly-one."""

    def exactly_one(self, literals: Sequence[Term]) -> Iterator[Term]:
        yield self.z3.PbEq([(literal, 1) for literal in literals], 1)


class Cnf(NamedTuple):
    """The text of a CNF and, for each candidate, the literals whose conjunction means it.

    No literals means that the candidate is always true; the literal 0 means that it is false.
    """

    text: str
    says: Sequence[tuple[int, ...]]


class ReadDimacs(Booleans):
    """Z3 reads the text of a CNF from a file; each candidate is a conjunction of its literals.

    The text itself states the rules. This model checks that Z3 reads it as we meant it.
    """

    def __init__(self, board: Board, cnf: Cnf) -> None:
        self._cnf = cnf
        super().__init__(board)
        n = board.size
        self.cells = [
            [self._term(said) for said in cnf.says[n * cell : n * cell + n]]
            for cell in range(board.cells)
        ]

    def _term(self, literals: Sequence[int]) -> Term:
        # Z3's reader names variable 5 with the integer 5; the name "k!5" is another variable.
        z3 = self.z3
        terms = [
            z3.Bool(x) if x > 0 else z3.Not(z3.Bool(-x)) if x < 0 else z3.BoolVal(False)
            for x in literals
        ]
        return terms[0] if len(terms) == 1 else z3.And(*terms)

    def load(self, solver: Term, constraints: Constraints) -> None:
        descriptor, path = tempfile.mkstemp(suffix=".cnf")
        try:
            with os.fdopen(descriptor, "w", encoding="ascii") as stream:
                stream.write(self._cnf.text)
            solver.from_file(path)
        finally:
            os.unlink(path)
