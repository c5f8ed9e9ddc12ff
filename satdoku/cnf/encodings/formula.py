"""A CNF of constraints, and how its literals say candidates.

Invariant: a formula knows for each candidate the literals whose conjunction says it; whoever
asserts, blocks or reads a candidate goes through them and never counts variables.

In most encodings that is one variable a candidate, and variables begin where 0-based ends:
variable = candidate + 1 = size*size*row + size*column + digit, positive where the digit is in the
cell. `CodedFormula` is for the others: several bits together say a digit.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, compress
from operator import neg
from typing import TYPE_CHECKING, NamedTuple

from ...errors import SatdokuError
from ...model.constraints import Constraints

if TYPE_CHECKING:
    from pysat.formula import CNF

Clause = tuple[int, ...]
NEVER: Clause = (0,)  # says a candidate that cannot hold: 0 is in no model


class EncodingError(SatdokuError):
    """An unknown encoding, a model that is no grid, or a question that a formula cannot put."""


class ClauseFamily(NamedTuple):
    """The clauses that one law gives beyond those of the families before it."""

    name: str
    clauses: tuple[Clause, ...]


@dataclass(frozen=True)
class Formula:
    """A CNF of `constraints` with a variable for each candidate, those first.

    `variables` counts auxiliary ones too. `puzzle`: the cells whose givens are built in, None
    where the formula is that of the rules alone and givens are added as literals.
    """

    constraints: Constraints
    encoding: str
    families: tuple[ClauseFamily, ...]
    variables: int
    puzzle: bytes | None = None

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """All clauses, family by family."""
        return tuple(chain.from_iterable(family.clauses for family in self.families))

    def to_pysat(self) -> CNF:
        """The formula as a PySAT `CNF` of its own lists."""
        from pysat.formula import CNF

        return CNF(from_clauses=[list(clause) for clause in self.clauses], by_ref=True)

    def says(self, candidate: int) -> Clause:
        """The literals whose conjunction says the candidate; NEVER where it cannot hold."""
        return (candidate + 1,)

    def literals(self, cells: bytes) -> list[int]:
        """Literals that together say the digits of the cells that are not 0.

        They serve as assumptions or unit clauses; their negations as a clause forbid the cells.
        """
        n = self.constraints.board.size
        return [n * cell + digit for cell, digit in enumerate(cells) if digit]

    def struck(self, marks: bytes) -> list[Clause]:
        """Clauses that forbid the candidates whose byte (cell-major) is 0."""
        return [(-variable,) for variable, mark in enumerate(marks, 1) if not mark]

    def decode(self, model: Iterable[int]) -> bytes:
        """The cells of a model, literals in any order; a variable left out counts as false.

        Raises `EncodingError` if a cell has no digit or two.
        """
        true = sorted(self._said(self._whole(model)))
        cell_of, digit_of = self._cell_and_digit
        if [cell_of[variable] for variable in true] != self._cells:
            raise _no_grid(len(true))
        return bytes([digit_of[variable] for variable in true])

    def fixed(self, literals: Iterable[int]) -> bytes:
        """The digits that the literals say, as far as they go; 0 in every other cell."""
        cells = bytearray(self.constraints.board.cells)
        cell_of, digit_of = self._cell_and_digit
        for variable in self._said(literals):
            cells[cell_of[variable]] = digit_of[variable]
        return bytes(cells)

    def _whole(self, model: Iterable[int]) -> Iterable[int]:
        """The model with what it leaves out, as far as `_said` asks for it."""
        return model

    def _said(self, literals: Iterable[int]) -> Collection[int]:
        """Candidate + 1 of each candidate that the literals say."""
        # Set intersection runs in C: this is the inner loop of every session query.
        return self._candidate_variables.intersection(literals)

    def legend(self) -> tuple[str, ...]:
        """What the variables mean, in lines for people."""
        n, candidates = self.constraints.board.size, self.constraints.variables
        rest = ", the rest auxiliary" if self.variables > candidates else ""
        return (
            f"variable {n * n}*row + {n}*column + digit (row, column from 0; digit from 1):",
            f"  true where the digit is in the cell; variables 1 to {candidates} "
            f"are the candidates{rest}",
        )

    def in_words(self, literal: int) -> str:
        """A literal for people: r1c1=3, r1c1≠3; its number where it is auxiliary."""
        if abs(literal) > self.constraints.variables:
            return str(literal)
        return candidate_in_words(self.constraints, abs(literal) - 1, literal > 0)

    @cached_property
    def _candidate_variables(self) -> frozenset[int]:
        return frozenset(range(1, self.constraints.variables + 1))

    @cached_property
    def _cells(self) -> list[int]:
        return list(range(self.constraints.board.cells))

    @cached_property
    def _cell_and_digit(self) -> tuple[list[int], list[int]]:
        """The cell and the digit of each variable, indexed by variable (entry 0 unused)."""
        n = self.constraints.board.size
        candidates = range(self.constraints.variables)
        return [0] + [c // n for c in candidates], [0] + [c % n + 1 for c in candidates]


@dataclass(frozen=True)
class CodedFormula(Formula):
    """A CNF in which a candidate is a conjunction of literals: entry `candidate` of `codes`.

    () says a candidate that always holds, NEVER one that cannot. Different cells have different
    variables.
    """

    codes: Sequence[Clause] = ()

    def says(self, candidate: int) -> Clause:
        return self.codes[candidate]

    def literals(self, cells: bytes) -> list[int]:
        n = self.constraints.board.size
        said = [self.codes[n * cell + digit - 1] for cell, digit in enumerate(cells) if digit]
        if NEVER in said:
            raise EncodingError(f"encoding {self.encoding}: a digit that its puzzle excludes")
        return list(chain.from_iterable(said))

    def struck(self, marks: bytes) -> list[Clause]:
        said = compress(self.codes, map((0).__eq__, marks))
        return [tuple(map(neg, code)) for code in said if code != NEVER]

    def _whole(self, model: Iterable[int]) -> Iterable[int]:
        known = set(model)
        known.update(self._denials.difference(map(neg, known)))
        return known

    def _said(self, literals: Iterable[int]) -> Collection[int]:
        variables = range(1, self.constraints.variables + 1)
        return list(compress(variables, map(set(literals).issuperset, self.codes)))

    @cached_property
    def _denials(self) -> frozenset[int]:
        return frozenset(range(-self.variables, 0))


def candidate_in_words(constraints: Constraints, candidate: int, holds: bool) -> str:
    """A candidate for people: r1c1=3, or r1c1≠3 where it does not hold."""
    cell, digit = divmod(candidate, constraints.board.size)
    return f"{constraints.board.name_of(cell)}{'=' if holds else '≠'}{digit + 1}"


def _no_grid(true: int) -> EncodingError:
    return EncodingError(f"model with {true} true candidates: expected one a cell")
