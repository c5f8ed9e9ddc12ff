"""The base class of all Z3 models of Sudoku: one term per cell, and the rules on these terms.

Invariant: a model is built from `witness.rules` only, never from the groups of `Constraints` or
from our CNF.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

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
        z3, pairs = self.z3, related.forbidden(self.board.size)
        cases = [z3.Not(z3.And(self.equals(x, a), self.equals(y, b))) for a, b in pairs]
        return cases[0] if len(cases) == 1 else z3.And(*cases)

    def number(self, x: Term) -> Term:
        """The cell's digit as an integer term, for what clues say in arithmetic."""
        z3, digits = self.z3, range(1, self.board.size + 1)
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
