"""Constraints to CNF, one encoding a file.

Law: an encoder reads a `Constraints` and nothing else; whatever variables it adds come after the
candidates', so every formula's first `constraints.variables` variables mean the same.

Here 0-based ends and DIMACS begins: variable = candidate + 1 = size*size*row + size*column + digit,
positive where the digit is in the cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from ..errors import SatdokuError
from ..rules import Constraints

if TYPE_CHECKING:
    from pysat.formula import CNF

Clause = tuple[int, ...]


class EncodingError(SatdokuError):
    """An unknown encoding, or a model that is no grid."""


class ClauseFamily(NamedTuple):
    """The clauses that one law gives beyond those of the families before it."""

    name: str
    clauses: tuple[Clause, ...]


@dataclass(frozen=True)
class Formula:
    """A CNF of `constraints`; `variables` counts auxiliary ones too."""

    constraints: Constraints
    encoding: str
    families: tuple[ClauseFamily, ...]
    variables: int

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """All clauses, family by family."""
        return tuple(chain.from_iterable(family.clauses for family in self.families))

    def to_pysat(self) -> CNF:
        """The formula as a PySAT `CNF` of its own lists."""
        from pysat.formula import CNF

        return CNF(from_clauses=[list(clause) for clause in self.clauses], by_ref=True)

    def literals(self, cells: bytes) -> list[int]:
        """The givens as positive literals: assumptions, or unit clauses."""
        n = self.constraints.board.size
        return [n * cell + digit for cell, digit in enumerate(cells) if digit]

    def decode(self, model: Iterable[int]) -> bytes:
        """The cells of a model, literals in any order: the true ones among the candidates.

        Raises `EncodingError` if a cell has no digit or two.
        """
        # Set intersection runs in C: this is the inner loop of every session query.
        true = sorted(self._candidate_variables.intersection(model))
        cell_of, digit_of = self._cell_and_digit
        if [cell_of[variable] for variable in true] != self._cells:
            raise EncodingError(f"model with {len(true)} true candidates: expected one a cell")
        return bytes([digit_of[variable] for variable in true])

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


def _encoders() -> dict[str, Callable[[Constraints], Formula]]:
    from . import extended

    return {"extended": extended.encode}


@lru_cache(maxsize=16)
def encode(constraints: Constraints, encoding: str = "extended") -> Formula:
    """The formula of `constraints` in the named encoding (built once, then kept)."""
    encoders = _encoders()
    if encoding not in encoders:
        raise EncodingError(f"no encoding '{encoding}': known are {', '.join(encoders)}")
    return encoders[encoding](constraints)
