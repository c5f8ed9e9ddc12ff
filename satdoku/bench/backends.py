"""What can answer in the lab: a backend, and its queries.

Invariant: a backend builds a query for one law and answers in bytes and candidates; it neither
measures nor checks. It pickles, for it works in another process, and imports its library only in
`load`.

    query = backend.open(law, encoding, fixed)   # building; fixed: an instance, or None
    query.solve(), query.solutions(limit=2), query.candidates()
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from ..cnf.encodings import (
    ENCODINGS,
    ClauseFamily,
    Formula,
    build,
)
from ..errors import SatdokuError
from ..model.constraints import Constraints
from .instances import MODES, Instance, marks_of

NO_ENCODING = "-"  # the encoding of a backend that has a model of its own
BOOLEAN, INTEGER = "boolean", "integer"


class BackendError(SatdokuError):
    """A backend or an encoding that is unknown or not installed."""


class Gave(Exception):
    """A solver gave no answer; status is `unknown`, `timeout` or `memory`."""

    def __init__(self, status: str, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class Query(ABC):
    """One solver, loaded.

    `under` names an instance that holds for one question only. Where an instance is fixed too, it
    says all that the fixed one says and more givens.
    """

    variables: int | None = None
    clauses: int | None = None

    @abstractmethod
    def solve(self, under: Instance | None = None) -> bytes | None:
        """A solution, a digit for each cell, or None."""

    @abstractmethod
    def solutions(
        self, under: Instance | None = None, *, limit: int | None = None
    ) -> Iterator[bytes]:
        """All solutions, each once; at most `limit`."""

    @abstractmethod
    def candidates(self) -> frozenset[int]:
        """The candidates (0-based) that hold in some solution."""

    def counters(self) -> dict[str, int]:
        """conflicts, decisions, propagations since the query was opened, where they are told."""
        return {}

    def close(self) -> None:  # noqa: B027  most have nothing to do
        """Free the solver."""


class Backend(ABC):
    """A way to answer; `name` is what the command line and the CSV call it."""

    name: str
    extra: ClassVar[str] = ""  # the package to install where it is missing
    modes: ClassVar[tuple[str, ...]] = tuple(MODES)

    @abstractmethod
    def load(self) -> str:
        """Import the library; returns its name and version. Raises ImportError without it."""

    def encodings(self) -> tuple[str, ...]:
        """The encodings that it takes; NO_ENCODING alone for a model of its own."""
        return (NO_ENCODING,)

    @abstractmethod
    def kind(self, encoding: str) -> str:
        """BOOLEAN or INTEGER: does each candidate have a truth value, or each cell a number?"""

    @abstractmethod
    def open(self, constraints: Constraints, encoding: str, fixed: Instance | None) -> Query:
        """Build everything up to the search, the instance's givens and strikes in it."""


# Formulas -----------------------------------------------------------------------------------------


def formula_for(constraints: Constraints, encoding: str, fixed: Instance | None) -> Formula:
    """The formula, made anew, with the instance's givens and strikes among its clauses."""
    formula = build(constraints, encoding, None if fixed is None else fixed.puzzle)
    if fixed is None:
        return formula
    givens = tuple((literal,) for literal in formula.literals(fixed.puzzle.cells))
    struck = tuple(formula.struck(marks_of(fixed)))
    families = (ClauseFamily("givens", givens), ClauseFamily("struck", struck))
    return replace(formula, families=formula.families + families)


class CnfBackend(Backend):
    """A backend that takes any of our formulas."""

    def encodings(self) -> tuple[str, ...]:
        return tuple(ENCODINGS)

    def kind(self, encoding: str) -> str:
        return ENCODINGS[encoding]
