"""What can be compared: a backend, which opens queries.

Invariant: a backend pickles, because `bench` sends it to another process, and it imports its
library in `load` and `open` only.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from ...answers.query import Query
from ...cnf.encodings import ENCODINGS, Formula, build_for, encode
from ...model.puzzle import Puzzle, strikes
from ...runtime.errors import SatdokuError

NO_ENCODING = "-"  # the encoding of a backend that has a model of its own
BOOLEAN, INTEGER = "boolean", "integer"


class BackendMissing(SatdokuError):
    """A backend that is unknown or not installed."""


class Budget(NamedTuple):
    """What a backend may spend; None is no limit. Each backend heeds the limits that it knows.

    nodes: of a search by backtracking, in all, or of the bit-parallel engine, in each call;
    conflicts: of a PySAT solver, in each call; timeout: seconds of Z3, CP-SAT, clingo or a program,
    in each call; memory_mb: of each process of a program.
    """

    nodes: int | None = None
    conflicts: int | None = None
    timeout: float | None = None
    memory_mb: int | None = None


UNLIMITED = Budget()


class Backend(ABC):
    """A way to answer; `name` is what the command line and the CSV call it."""

    name: str
    extra: ClassVar[str] = ""  # the package to install where the library is missing
    incremental: ClassVar[bool] = False  # a query gains by answering many questions
    slow: ClassVar[bool] = False  # takes many times longer than the others on a small puzzle

    @abstractmethod
    def load(self) -> str:
        """Import the library; returns its name and version. Raises ImportError without it."""

    def encodings(self) -> tuple[str, ...]:
        """The encodings that it takes; NO_ENCODING alone for a model of its own."""
        return (NO_ENCODING,)

    def kind(self, encoding: str) -> str:
        """BOOLEAN or INTEGER: does each candidate have a truth value, or each cell a number?"""
        return BOOLEAN

    @abstractmethod
    def open(self, puzzle: Puzzle, encoding: str, budget: Budget = UNLIMITED) -> Query:
        """Build everything up to the search, the givens and marks in it; without any, for all
        puzzles under the constraints."""

    def require(self) -> None:
        """Raise `BackendMissing` if the library is not installed."""
        try:
            self.load()
        except ImportError:
            text = f"{self.name} is not installed (pip install {self.extra})"
            raise BackendMissing(text) from None

    @property
    def installed(self) -> bool:
        """Whether the library can be imported."""
        try:
            self.require()
        except BackendMissing:
            return False
        return True


class FormulaBackend(Backend):
    """A backend that takes any of our formulas."""

    def encodings(self) -> tuple[str, ...]:
        return tuple(ENCODINGS)

    def kind(self, encoding: str) -> str:
        return ENCODINGS[encoding]


def formula_for(puzzle: Puzzle, encoding: str) -> Formula:
    """The formula; with givens or marks built anew, they among its clauses."""
    if puzzle.marks is None and not any(puzzle.grid.cells):
        return encode(puzzle.constraints, encoding)
    return build_for(puzzle, encoding)


def struck_in(puzzle: Puzzle) -> Iterator[int]:
    """The candidates (0-based) that the marks exclude."""
    if puzzle.marks is not None:
        yield from (candidate for candidate, mark in enumerate(strikes(puzzle)) if not mark)
