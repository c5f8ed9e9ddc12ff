"""PicoSAT as a backend of the lab (package pycosat), on any encoding.

Invariant: it keeps nothing from call to call, so it is only asked what one list of clauses can say.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import islice

from ..cnf.encodings import Formula
from ..model.constraints import Constraints
from .backends import (
    CnfBackend,
    Gave,
    Query,
    formula_for,
)
from .instances import (
    ENUMERATE,
    ONESHOT,
    UNIQUENESS,
    Instance,
)


@dataclass(frozen=True)
class PycosatBackend(CnfBackend):
    """PicoSAT through pycosat: a new search a question, for it keeps nothing."""

    name: str = "pycosat"
    extra = "pycosat"
    modes = (ONESHOT, UNIQUENESS, ENUMERATE)

    def load(self) -> str:
        return f"pycosat {import_module('pycosat').__version__}"

    def open(self, constraints: Constraints, encoding: str, fixed: Instance | None) -> Query:
        return PycosatQuery(formula_for(constraints, encoding, fixed))


class PycosatQuery(Query):
    """A list of clauses, handed over at each call."""

    def __init__(self, formula: Formula) -> None:
        self._solve = import_module("pycosat").solve
        self._formula = formula
        self._clauses = [list(clause) for clause in formula.clauses]
        self.variables, self.clauses = formula.variables, len(self._clauses)

    def solve(self, under: Instance | None = None) -> bytes | None:
        return next(self.solutions(under, limit=1), None)

    def solutions(
        self, under: Instance | None = None, *, limit: int | None = None
    ) -> Iterator[bytes]:
        return islice(self._all(), limit)

    def _all(self) -> Iterator[bytes]:
        clauses = list(self._clauses)
        while (solution := self._find(clauses)) is not None:
            yield solution
            clauses.append([-literal for literal in self._formula.literals(solution)])

    def candidates(self) -> frozenset[int]:
        raise NotImplementedError("pycosat keeps no state; `modes` leaves this question out")

    def _find(self, clauses: list[list[int]]) -> bytes | None:
        model = self._solve(clauses)
        if model == "UNKNOWN":
            raise Gave("unknown", "pycosat says UNKNOWN")
        return None if model == "UNSAT" else self._formula.decode(model)
