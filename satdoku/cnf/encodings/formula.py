"""A CNF of constraints, and the meaning of its literals.

Invariant: a formula knows for each candidate the literals whose conjunction means it. Code that
asserts, blocks or reads a candidate asks the formula and never computes variable numbers itself.

Most encodings have one variable per candidate: variable = candidate + 1 = size*size*row +
size*column + digit, true if the digit is in the cell. `CodedFormula` is for encodings in which
several literals together mean a candidate.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, compress
from operator import neg
from typing import TYPE_CHECKING, NamedTuple

from ...model.constraints import Constraints
from ...runtime.errors import SatdokuError
from ...runtime.lazy import cached_property

if TYPE_CHECKING:
    from pysat.formula import CNF

Clause = tuple[int, ...]
NEVER: Clause = (0,)  # the literals of a candidate that is always false: no model contains 0


class EncodingError(SatdokuError):
    """An unknown encoding, a model that is not a grid, or a query that a formula cannot express."""


class Area(NamedTuple):
    """Cells of which those that have a label are connected, which no clause says.

    literals: for each cell, that it has the label; the last one may be outside. edges: pairs of
    places among them that touch. sizes: the least and the greatest number of cells that have it, if
    any does.
    """

    literals: tuple[int, ...]
    edges: tuple[tuple[int, int], ...]
    sizes: tuple[int, int]


class ClauseFamily(NamedTuple):
    """The clauses that one family of constraints adds to those of the families before it, and the
    areas that these clauses describe."""

    name: str
    clauses: tuple[Clause, ...]
    areas: tuple[Area, ...] = ()


@dataclass(frozen=True)
class Formula:
    """A CNF of `constraints`; its first variables are the candidates, one each.

    `variables` includes auxiliary variables. `puzzle`: the cells whose givens are built in; None if
    the formula contains only the rules, so that givens are added as literals.
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

    @cached_property
    def areas(self) -> tuple[Area, ...]:
        """What must be connected beside the clauses, which do not say it."""
        return tuple(chain.from_iterable(family.areas for family in self.families))

    def to_pysat(self) -> CNF:
        """The formula as a PySAT `CNF`, whose lists are copies; it says nothing of `areas`."""
        from pysat.formula import CNF

        return CNF(from_clauses=[list(clause) for clause in self.clauses], by_ref=True)

    def says(self, candidate: int) -> Clause:
        """The literals whose conjunction means the candidate; NEVER if it is always false."""
        return (candidate + 1,)

    def literals(self, cells: bytes) -> list[int]:
        """The literals whose conjunction means the digits of the cells that are not 0.

        Use them as assumptions or as unit clauses. The clause of their negations forbids this
        combination of digits.
        """
        n = self.constraints.board.choices
        return [n * cell + digit for cell, digit in enumerate(cells) if digit]

    def struck(self, marks: bytes) -> list[Clause]:
        """Clauses that forbid the candidates whose byte (cell-major) is 0."""
        return [(-variable,) for variable, mark in enumerate(marks, 1) if not mark]

    def decode(self, model: Iterable[int]) -> bytes:
        """The cells of a model: literals in any order; a missing variable counts as false.

        Raises `EncodingError` if a cell has no digit or several digits.
        """
        true = sorted(self._said(self._whole(model)))
        cell_of, digit_of = self._cell_and_digit
        if [cell_of[variable] for variable in true] != self._cells:
            raise _no_grid(len(true))
        return bytes([digit_of[variable] for variable in true])

    def fixed(self, literals: Iterable[int]) -> bytes:
        """The digits of the cells that the literals decide; 0 in every other cell."""
        cells = bytearray(self.constraints.board.cells)
        cell_of, digit_of = self._cell_and_digit
        for variable in self._said(literals):
            cells[cell_of[variable]] = digit_of[variable]
        return bytes(cells)

    def _whole(self, model: Iterable[int]) -> Iterable[int]:
        """The model completed with the missing literals that `_said` needs."""
        return model

    def _said(self, literals: Iterable[int]) -> Collection[int]:
        """Candidate + 1 for each candidate whose literals are all among these."""
        # Set intersection runs in C: this is the inner loop of every session query.
        return self._candidate_variables.intersection(literals)

    @property
    def named(self) -> int:
        """The number of variables that the legend explains; those that follow are auxiliary."""
        return self.constraints.variables

    def legend(self) -> tuple[str, ...]:
        """The meaning of the variables, as lines of text."""
        n, candidates = self.constraints.board.choices, self.constraints.variables
        rest = ", the rest auxiliary" if self.variables > candidates else ""
        return (
            f"variable {n * n}*row + {n}*column + digit (row, column from 0; digit from 1):",
            f"  true where the digit is in the cell; variables 1 to {candidates} "
            f"are the candidates{rest}",
        )

    def in_words(self, literal: int) -> str:
        """A literal as text: r1c1=3 or r1c1≠3; its number if it is auxiliary."""
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
        n = self.constraints.board.choices
        candidates = range(self.constraints.variables)
        return [0] + [c // n for c in candidates], [0] + [c % n + 1 for c in candidates]


@dataclass(frozen=True)
class CodedFormula(Formula):
    """A CNF in which a candidate is a conjunction of literals: entry `candidate` of `codes`.

    The entry () means that the candidate is always true, NEVER that it is always false. Different
    cells have different variables.
    """

    codes: Sequence[Clause] = ()

    def says(self, candidate: int) -> Clause:
        return self.codes[candidate]

    def literals(self, cells: bytes) -> list[int]:
        n = self.constraints.board.choices
        said = [self.codes[n * cell + digit - 1] for cell, digit in enumerate(cells) if digit]
        if NEVER in said:
            raise EncodingError(f"encoding {self.encoding}: found a digit that its puzzle excludes")
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

    @property
    def named(self) -> int:
        codes = self.codes[: self.constraints.variables]
        return max(map(abs, chain.from_iterable(codes)), default=0)

    @cached_property
    def _denials(self) -> frozenset[int]:
        return frozenset(range(-self.variables, 0))


def candidate_in_words(constraints: Constraints, candidate: int, holds: bool) -> str:
    """A candidate as text: r1c1=3, or r1c1≠3 if it does not hold."""
    cell, digit = divmod(candidate, constraints.board.choices)
    return f"{constraints.board.name_of(cell)}{'=' if holds else '≠'}{digit + 1}"


def _no_grid(true: int) -> EncodingError:
    return EncodingError(f"model with {true} true candidates: expected one per cell")
