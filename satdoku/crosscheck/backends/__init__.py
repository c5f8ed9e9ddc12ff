"""Everything here that can answer a puzzle, behind one protocol; a module for each library.

Invariant: every module of this folder that has a function `backends` is found by itself, so a
module is all that a new backend needs. All backends are known by name, installed or not. A backend
pickles, because `bench` sends it to another process, and it imports its library in `load` and
`open` only.

    chosen = configuration_named("glucose4/log")       # or "plain", "z3-bool", "triads", ...
    query = chosen.backend.open(puzzle, chosen.encoding)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import ClassVar, NamedTuple

from ...answers.query import Query
from ...cnf.encodings import DEFAULT_ENCODING, ENCODINGS, EncodingError, Formula, build_for, encode
from ...model.puzzle import Puzzle, strikes
from ...runtime.errors import SatdokuError, no_such
from ...witness.smtlib import MODELS

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


def require_no_layers(puzzle: Puzzle) -> None:
    """Raise `EncodingError` where a backend would list solutions that differ in layers only."""
    if puzzle.grid.board.layers:
        raise EncodingError(f"{puzzle.grid.board.in_words}: this backend takes no layers")


def struck_in(puzzle: Puzzle) -> Iterator[int]:
    """The candidates (0-based) that the marks exclude."""
    if puzzle.marks is not None:
        yield from (candidate for candidate, mark in enumerate(strikes(puzzle)) if not mark)


@cache
def backends() -> dict[str, Backend]:
    """All backends by name, installed or not."""
    modules = (import_module(f".{module.name}", __name__) for module in iter_modules(__path__))
    found = (module.backends() for module in modules if hasattr(module, "backends"))
    return {backend.name: backend for each in found for backend in each}


def backend_named(name: str) -> Backend:
    """The backend of that name, whether or not it is installed; a command with `{cnf}` or the like
    is one."""
    if "{" in name:
        return _program(name)
    known = backends()
    if name not in known:
        raise BackendMissing(no_such("backend", name, known))
    return known[name]


def _program(command: str) -> Backend:
    from .answering import ExternalBackend  # whose base stands here

    return ExternalBackend(command)


class Configuration(NamedTuple):
    """A backend and the encoding that it is to use."""

    backend: Backend
    encoding: str

    @staticmethod
    def of(backend: Backend) -> Configuration:
        """The backend with the default encoding, or with its first model."""
        return Configuration(backend, backend.encodings()[0])


def installed_names() -> tuple[str, ...]:
    """The names of the backends that are installed."""
    return tuple(name for name, backend in backends().items() if backend.installed)


def configuration_names() -> tuple[str, ...]:
    """Every backend that is installed, and every encoding but the default one."""
    return (*installed_names(), *(name for name in ENCODINGS if name != DEFAULT_ENCODING))


def program_named(name: str) -> Configuration:
    """A command such as `kissat -q {cnf}` or `z3 {smt2}/bv`."""
    command, _, way = name.rpartition("/")
    if way not in ENCODINGS and way not in MODELS:
        return Configuration.of(_program(name))
    backend = _program(command)
    if way not in backend.encodings():
        known = ", ".join(backend.encodings())
        raise BackendMissing(f"solver command {command}: no '{way}': choose from {known}")
    return Configuration(backend, way)


def configuration_named(name: str) -> Configuration:
    """A backend, an encoding for the default solver, BACKEND/ENCODING, or a command; behind that,
    too, /ENCODING, or /MODEL where it reads SMT-LIB."""
    from ...answers.solver import DEFAULT_SOLVER

    if "{" in name:
        return program_named(name)
    known = backends()
    backend, _, encoding = name.partition("/")
    if name in ENCODINGS:
        backend, encoding = DEFAULT_SOLVER, name
    if backend not in known or (encoding and encoding not in known[backend].encodings()):
        words = no_such("backend", name, [*known, *ENCODINGS])
        raise BackendMissing(f"{words}, and SOLVER/ENCODING")
    chosen = Configuration.of(known[backend])
    return chosen._replace(encoding=encoding) if encoding else chosen
