"""Everything here that can answer a puzzle, behind one protocol; a module for each library.

Invariant: every module of this folder that has a function `backends` is found by itself, so a
module is all that a new backend needs. All backends are known by name, installed or not.

    chosen = configuration_named("glucose4/log")       # or "plain", "z3-bool", "triads", ...
    query = chosen.backend.open(puzzle, chosen.encoding)
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import NamedTuple

from ...answers.query import Query, candidates_of
from ...cnf.encodings import DEFAULT_ENCODING, ENCODINGS
from ...witness.smtlib import MODELS
from .answering import ExternalBackend
from .protocol import (
    BOOLEAN,
    INTEGER,
    NO_ENCODING,
    UNLIMITED,
    Backend,
    BackendMissing,
    Budget,
    FormulaBackend,
    formula_for,
)

__all__ = [
    "BOOLEAN", "INTEGER", "NO_ENCODING", "UNLIMITED", "Backend", "BackendMissing", "Budget",
    "Configuration", "ExternalBackend", "FormulaBackend", "Query",
    "backend_named", "backends", "candidates_of", "configuration_named", "configuration_names",
    "formula_for", "installed_names", "program_named",
]  # fmt: skip


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
        return ExternalBackend(name)
    known = backends()
    if name not in known:
        raise BackendMissing(f"no backend '{name}': choose from {', '.join(known)}")
    return known[name]


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
        return Configuration.of(ExternalBackend(name))
    backend = ExternalBackend(command)
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
        words = ", ".join([*known, *ENCODINGS])
        raise BackendMissing(f"no backend '{name}': choose from {words}, and SOLVER/ENCODING")
    chosen = Configuration.of(known[backend])
    return chosen._replace(encoding=encoding) if encoding else chosen
