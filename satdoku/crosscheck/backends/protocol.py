"""What can answer a puzzle: a backend, and the queries that it opens.

Invariant: a backend answers in cells and candidates; it neither measures nor checks. It pickles,
because `bench` sends it to another process, and it imports its library in `load` and `open` only.

    query = backend.open(Problem(constraints, encoding, fixed))     # builds
    query.solve(), list(query.solutions(limit=2)), query.candidates()
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from math import isqrt
from typing import ClassVar, NamedTuple

from ...cnf.encodings import ENCODINGS, Formula, build_for, encode
from ...errors import SatdokuError, Status
from ...model.constraints import Constraints
from ...model.grid import Grid, empty_grid

NO_ENCODING = "-"  # the encoding of a backend that has a model of its own
BOOLEAN, INTEGER = "boolean", "integer"


class BackendMissing(SatdokuError):
    """A backend that is unknown or not installed."""


class GaveUp(Exception):
    """A backend gave no answer; status is `unknown`, `timeout`, `memory` or `error`."""

    def __init__(self, status: str, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class Givens(NamedTuple):
    """What is known of a puzzle: its given digits, and candidates (0-based) that do not hold."""

    puzzle: Grid
    struck: tuple[int, ...] = ()

    def strikes(self) -> bytes:
        """A byte for each candidate: 0 if it is struck, else 1."""
        struck = frozenset(self.struck)
        return bytes(candidate not in struck for candidate in range(self.puzzle.board.variables))

    def marks(self) -> bytes:
        """A byte for each candidate: 0 if it is struck or its cell holds another given, else 1."""
        size, cells = self.puzzle.board.size, self.puzzle.cells
        open_ = (cells[i // size] in (0, i % size + 1) for i in range(self.puzzle.board.variables))
        return bytes(a & b for a, b in zip(self.strikes(), open_, strict=True))


class Problem(NamedTuple):
    """What a query is built for: the rules, their encoding, and givens that are built in."""

    constraints: Constraints
    encoding: str = NO_ENCODING
    fixed: Givens | None = None

    @property
    def givens(self) -> Givens:
        """The fixed givens; none if nothing is fixed."""
        return self.fixed or Givens(empty_grid(self.constraints.board))


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


def candidates_of(solution: bytes) -> Iterator[int]:
    """The candidates (0-based) that hold in a solution."""
    size = isqrt(len(solution))
    return (size * cell + digit - 1 for cell, digit in enumerate(solution))


class Query(ABC):
    """One solver, loaded.

    `under` adds givens for one question only. If the query was opened with fixed givens, `under`
    repeats them and adds more. Every method raises `GaveUp` where a budget ends before the answer.
    A question without `under` may use the query up.
    """

    variables: int | None = None
    clauses: int | None = None

    @abstractmethod
    def solutions(
        self, under: Givens | None = None, *, limit: int | None = None
    ) -> Iterator[bytes]:
        """All solutions, a digit for each cell, each once; at most `limit`."""

    def solve(self, under: Givens | None = None) -> bytes | None:
        """A solution, or None."""
        return next(iter(self.solutions(under, limit=1)), None)

    def count(self, under: Givens | None = None, *, limit: int | None = None) -> int:
        """The number of solutions, or `limit` if there are more."""
        return sum(1 for _ in self.solutions(under, limit=limit))

    def candidates(self, under: Givens | None = None) -> frozenset[int]:
        """The candidates (0-based) that hold in some solution."""
        return frozenset(c for found in self.solutions(under) for c in candidates_of(found))

    def status(self, under: Givens | None = None, *, limit: int = 2) -> Status | None:
        """The backend's own word for a puzzle, limit 1 or 2; None if it has no such word."""
        return None

    def counters(self) -> dict[str, int]:
        """Conflicts, decisions and propagations since the query was opened, as far as known."""
        return {}

    def close(self) -> None:  # noqa: B027  most have nothing to do
        """Free the solver."""


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
    def open(self, problem: Problem, budget: Budget = UNLIMITED) -> Query:
        """Build everything up to the search, the fixed givens in it."""

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


def formula_for(problem: Problem) -> Formula:
    """The formula; with fixed givens built anew, they and what is struck among its clauses."""
    constraints, encoding, fixed = problem
    if fixed is None:
        return encode(constraints, encoding)
    return build_for(constraints, encoding, fixed.puzzle.cells, fixed.strikes())
