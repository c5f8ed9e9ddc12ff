"""Z3 models of the kind "integer": each cell is one term whose value is the digit.

Invariant: the value of a single term decides the digit. The term is an integer, a binary number or
a member of a finite sort.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

from ...model.board import Board
from ..rules import Related
from .base import Model, Term


class IntDistinct(Model):
    """An integer 1..size per cell; Distinct for each house."""

    kind = "integer"

    def cell(self, name: str) -> Term:
        return self.z3.Int(name)

    def domain(self, x: Term) -> Iterator[Term]:
        yield x >= 1
        yield x <= self.board.size

    def house(self, terms: Sequence[Term]) -> Iterator[Term]:
        yield self.z3.Distinct(*terms)

    def not_consecutive(self, x: Term, y: Term) -> Term:
        return self.z3.And(x - y != 1, y - x != 1)

    def relate(self, related: Related, x: Term, y: Term) -> Term:
        """A clue says it in arithmetic."""
        if related.relation is None and x.sort() == self.z3.IntSort():
            return related.holds(x, y)
        return super().relate(related, x, y)

    def number(self, x: Term) -> Term:
        return x

    def value(self, model: Term, x: Term) -> int:
        return int(model.eval(x, model_completion=True).as_long())


class IntPairwise(IntDistinct):
    """An integer 1..size per cell; a disequality for each pair of cells in a house."""

    def house(self, terms: Sequence[Term]) -> Iterator[Term]:
        for x, y in combinations(terms, 2):
            yield x != y


class BitVecBinary(IntDistinct):
    """Digit minus 1 as a bit-vector of ceil(log2 size) bits; Distinct for each house."""

    def cell(self, name: str) -> Term:
        return self.z3.BitVec(name, max(1, (self.board.size - 1).bit_length()))

    def domain(self, x: Term) -> Iterator[Term]:
        if self.board.size < 1 << x.size():
            yield self.z3.ULE(x, self.board.size - 1)

    def not_consecutive(self, x: Term, y: Term) -> Term:
        wide_x, wide_y = self.z3.ZeroExt(1, x), self.z3.ZeroExt(1, y)  # so that +1 cannot wrap to 0
        return self.z3.And(wide_x != wide_y + 1, wide_y != wide_x + 1)

    def equals(self, x: Term, digit: int) -> Term:
        return x == digit - 1

    def number(self, x: Term) -> Term:
        return self.z3.BV2Int(x) + 1

    def value(self, model: Term, x: Term) -> int:
        return super().value(model, x) + 1


class Enumeration(Model):
    """A value of a finite sort per cell; Distinct for each house; Z3's finite-domain solver."""

    kind = "integer"
    logic = "QF_FD"

    def __init__(self, board: Board) -> None:
        self.sort, self.digits = _enumeration(board.size)
        self._digit_of = {term.decl().name(): digit for digit, term in enumerate(self.digits, 1)}
        super().__init__(board)

    def cell(self, name: str) -> Term:
        return self.z3.Const(name, self.sort)

    def domain(self, x: Term) -> Iterator[Term]:
        return iter(())  # the sort has no other values

    def house(self, terms: Sequence[Term]) -> Iterator[Term]:
        yield self.z3.Distinct(*terms)

    def not_consecutive(self, x: Term, y: Term) -> Term:
        And, Not = self.z3.And, self.z3.Not
        steps = list(zip(self.digits, self.digits[1:], strict=False))
        clashes = [And(x == a, y == b) for a, b in steps] + [And(x == b, y == a) for a, b in steps]
        return And(*map(Not, clashes))

    def equals(self, x: Term, digit: int) -> Term:
        return x == self.digits[digit - 1]

    def value(self, model: Term, x: Term) -> int:
        return self._digit_of[model.eval(x, model_completion=True).decl().name()]


@cache
def _enumeration(size: int) -> tuple[Term, list[Term]]:
    """The sort of `size` digits and its values; cached, because Z3 declares a name only once."""
    import z3

    names = [f"digit{digit}of{size}" for digit in range(1, size + 1)]
    sort, digits = z3.EnumSort(f"Digit{size}", names)
    return sort, digits
