"""PicoSAT (package pycosat), on any encoding.

Invariant: PicoSAT keeps nothing from call to call, so a question is one list of clauses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import islice

from ...answers.query import Query
from ...model.puzzle import Puzzle
from ...runtime.errors import BudgetError
from . import UNLIMITED, Backend, Budget, FormulaBackend, formula_for


@dataclass(frozen=True)
class PycosatBackend(FormulaBackend):
    """PicoSAT through pycosat: each call is a new search."""

    name: str = "pycosat"
    extra = "pycosat"

    def load(self) -> str:
        return f"pycosat {import_module('pycosat').__version__}"

    def open(self, puzzle: Puzzle, encoding: str, budget: Budget = UNLIMITED) -> Query:
        return PycosatQuery(puzzle, encoding)


class PycosatQuery(Query):
    """A list of clauses, handed over at each call."""

    def __init__(self, puzzle: Puzzle, encoding: str) -> None:
        self._solve = import_module("pycosat").solve
        self._encoding = encoding
        self._formula = formula = formula_for(puzzle, encoding)
        formula.require_whole()
        self._clauses = [list(clause) for clause in formula.clauses]
        self.variables, self.clauses = formula.variables, len(self._clauses)

    def solutions(
        self, under: Puzzle | None = None, *, limit: int | None = None
    ) -> Iterator[bytes]:
        query = self if under is None else PycosatQuery(under, self._encoding)
        return islice(query._all(), limit)

    def _all(self) -> Iterator[bytes]:
        clauses = list(self._clauses)
        while (solution := self._find(clauses)) is not None:
            yield solution
            clauses.append([-literal for literal in self._formula.literals(solution)])

    def _find(self, clauses: list[list[int]]) -> bytes | None:
        model = self._solve(clauses)
        if model == "UNKNOWN":
            raise BudgetError("pycosat says UNKNOWN")
        return None if model == "UNSAT" else self._formula.decode(model)


def backends() -> Iterator[Backend]:
    """The one of this module."""
    yield PycosatBackend()
