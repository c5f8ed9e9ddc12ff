"""The Z3 models of Sudoku, by name: one term per cell, and the rules on these terms.

Invariant: a model is built from `witness.rules` only, never from the groups of `Constraints` or
from our CNF. Only `ReadDimacs` is not built from the board: it reads the file that we write and so
shows that another tool understands it. The command line promises the names, so they do not change.

The class of a model gives its kind. The exception is z3-dimacs, whose kind is that of its formula.
"""

from __future__ import annotations

import os
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, islice
from typing import Any, ClassVar, NamedTuple

from ...model.board import Board
from ...model.constraints import Constraints
from ..rules import Related, differ, not_consecutive, stated

Term = Any  # a Z3 expression; z3 has no type stubs


class Model(ABC):
    """One term per cell and the rules on these terms; a subclass chooses the kind of term."""

    kind: ClassVar[str]
    logic: ClassVar[str | None] = None  # Z3's name of the logic; None for Z3's default

    def __init__(self, board: Board) -> None:
        import z3

        self.z3 = z3
        self.board = board
        self.cells = [self.cell(board.name_of(cell)) for cell in range(board.cells)]

    def solver(self) -> Term:
        """An empty solver for this kind of term."""
        return self.z3.SolverFor(self.logic) if self.logic else self.z3.Solver()

    def load(self, solver: Term, constraints: Constraints) -> None:
        """Assert the domains and all rules."""
        solver.add(*self.rules(constraints))

    def rules(self, constraints: Constraints) -> Iterator[Term]:
        """The domain of every cell, then every rule as the witness states it."""
        for x in self.cells:
            yield from self.domain(x)
        for said in stated(constraints.board, constraints.rules):
            for line in said.houses:
                yield from self.house([self.cells[cell] for cell in line])
            for related in said.told:
                for a, b in related.pairs:
                    yield self.relate(related, self.cells[a], self.cells[b])
            for part in said.wide:
                yield part.holds(*(self.number(self.cells[cell]) for cell in part.cells))

    def relate(self, related: Related, x: Term, y: Term) -> Term:
        """The formula "these two related cells hold digits that the rule allows".

        It lists the forbidden pairs of digits, unless this kind of term has a shorter formula.
        """
        if related.relation is differ:
            return self.differ(x, y)
        if related.relation is not_consecutive:
            return self.not_consecutive(x, y)
        z3, pairs = self.z3, related.forbidden(self.board.choices)
        cases = [z3.Not(z3.And(self.equals(x, a), self.equals(y, b))) for a, b in pairs]
        return cases[0] if len(cases) == 1 else z3.And(*cases)

    def number(self, x: Term) -> Term:
        """The cell's digit as an integer term, for what clues say in arithmetic."""
        z3, digits = self.z3, range(1, self.board.choices + 1)
        return z3.Sum(*(z3.If(self.equals(x, digit), digit, 0) for digit in digits))

    @abstractmethod
    def cell(self, name: str) -> Term:
        """The term of a cell."""

    @abstractmethod
    def domain(self, x: Term) -> Iterator[Term]:
        """Formulas that say: the cell holds one of the digits."""

    @abstractmethod
    def house(self, terms: Sequence[Term]) -> Iterator[Term]:
        """Formulas that say: the cells of a house hold every digit once."""

    @abstractmethod
    def not_consecutive(self, x: Term, y: Term) -> Term:
        """The formula "two cells do not hold consecutive digits"."""

    def differ(self, x: Term, y: Term) -> Term:
        """The formula "two cells hold different digits"."""
        return x != y

    def equals(self, x: Term, digit: int) -> Term:
        """The formula "the cell holds this digit"."""
        return x == digit

    @abstractmethod
    def value(self, model: Term, x: Term) -> int:
        """The digit of a cell in a model that Z3 found."""


# Boolean: each digit of a cell is one boolean or one bit.


class BitVecOneHot(Model):
    """A bit-vector per cell with one bit per digit; the OR over each house is all ones."""

    kind = "boolean"

    def cell(self, name: str) -> Term:
        return self.z3.BitVec(name, self.board.choices)

    def domain(self, x: Term) -> Iterator[Term]:
        yield x != 0
        yield x & (x - 1) == 0

    def house(self, terms: Sequence[Term]) -> Iterator[Term]:
        union = terms[0]
        for term in terms[1:]:
            union = union | term
        yield union == (1 << len(self.board.digits)) - 1

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
        return [self.z3.Bool(f"{name}={digit}") for digit in range(1, self.board.choices + 1)]

    def domain(self, x: Term) -> Iterator[Term]:
        return self.exactly_one(x)

    def house(self, terms: Sequence[Term]) -> Iterator[Term]:
        for same_digit in islice(zip(*terms, strict=True), len(self.board.digits)):
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
        n = board.choices
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


# Integer: the value of a single term, an integer, a binary number or a member of a finite sort,
# decides the digit.


class IntDistinct(Model):
    """An integer 1..size per cell; Distinct for each house."""

    kind = "integer"

    def cell(self, name: str) -> Term:
        return self.z3.Int(name)

    def domain(self, x: Term) -> Iterator[Term]:
        yield x >= 1
        yield x <= self.board.choices

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
        return self.z3.BitVec(name, max(1, (self.board.choices - 1).bit_length()))

    def domain(self, x: Term) -> Iterator[Term]:
        if self.board.choices < 1 << x.size():
            yield self.z3.ULE(x, self.board.choices - 1)

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
        self.sort, self.digits = _enumeration(board.choices)
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


__all__ = ["DIMACS_MODEL", "Z3_MODELS", "Cnf", "Model", "ReadDimacs"]

DIMACS_MODEL = "z3-dimacs"
Z3_MODELS: dict[str, type[Model]] = {
    "z3-int-distinct": IntDistinct,
    "z3-int-pairwise": IntPairwise,
    "z3-bitvec": BitVecOneHot,
    "z3-bitvec-binary": BitVecBinary,
    "z3-enum": Enumeration,
    "z3-bool": Booleans,
    "z3-bool-pb": PseudoBooleans,
    DIMACS_MODEL: ReadDimacs,
}
