"""What answers everywhere in satdoku: PySAT's solvers, the engine, programs of others.

Invariant: they are asked through the queries of `answers`, their solutions not verified. Each
library is imported in `load`, so that the import can be timed.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version

from ...answers.external.forms import FORMS
from ...answers.external.program import Command, Limits, ProgramError
from ...answers.external.solver import ProgramQuery
from ...answers.query import Query
from ...cnf.encodings import ENCODINGS
from ...model.puzzle import Puzzle, of_cells
from . import (
    BOOLEAN,
    INTEGER,
    UNLIMITED,
    Backend,
    BackendMissing,
    Budget,
    FormulaBackend,
    formula_for,
)  # fmt: skip

PREFIX = "engine-"  # and the name of an implementation


@dataclass(frozen=True)
class SessionBackend(FormulaBackend):
    """A solver of PySAT, through our `Session`; givens of one question become assumptions."""

    name: str
    incremental = True

    def load(self) -> str:
        import_module("pysat.solvers")  # which a session imports with its first solver
        return f"python-sat {version('python-sat')}"

    def open(self, puzzle: Puzzle, encoding: str, budget: Budget = UNLIMITED) -> Query:
        from ...answers.session import Session
        from ...answers.sides import SessionQuery
        from ...answers.solver import NO_BUDGET

        formula = formula_for(puzzle, encoding)
        # A formula made for one puzzle has to be told which: any other would replace it.
        told = of_cells(
            formula.puzzle or bytes(formula.constraints.board.cells), puzzle.constraints
        )
        session = Session(encoding=formula, solver=self.name, verify=False)
        session.prepare(told.grid)
        conflicts = None if self.name in NO_BUDGET else budget.conflicts
        query = SessionQuery(told, conflicts=conflicts, session=session)
        query.variables, query.clauses = formula.variables, len(formula.clauses)
        return query


@dataclass(frozen=True)
class EngineBackend(Backend):
    """One implementation of the engine: a vector target of the C kernel, or numpy."""

    name: str

    def load(self) -> str:
        import numpy as np

        from ... import engine  # noqa: F401  the import is what `load` is for

        return f"numpy {np.__version__}; {platform.machine()}"

    def open(self, puzzle: Puzzle, encoding: str, budget: Budget = UNLIMITED) -> Query:
        from ...answers.sides import NO_LIMIT, EngineQuery
        from ...engine.plan import plan_for, refusal

        if puzzle.constraints.needs_session:
            raise refusal(puzzle.constraints)
        plan_for(puzzle.constraints, True)
        name, most = self.name.removeprefix(PREFIX), budget.nodes
        return EngineQuery(puzzle, implementation=name, most=NO_LIMIT if most is None else most)


@dataclass(frozen=True)
class ExternalBackend(Backend):
    """A command such as `kissat -q {cnf}`, which is its name."""

    name: str
    slow = True

    def __post_init__(self) -> None:
        Command.of(self.name)  # so that a bad one is refused before anything is asked

    def load(self) -> str:
        return Command.of(self.name).version()

    def require(self) -> None:
        try:
            Command.of(self.name).require()
        except ProgramError as error:
            raise BackendMissing(str(error)) from None

    def encodings(self) -> tuple[str, ...]:
        return FORMS[Command.of(self.name).form].names

    def kind(self, encoding: str) -> str:
        return ENCODINGS.get(encoding, INTEGER if encoding in ("int", "bv") else BOOLEAN)

    def open(self, puzzle: Puzzle, encoding: str, budget: Budget = UNLIMITED) -> Query:
        limits = Limits(budget.timeout, budget.memory_mb)
        return ProgramQuery(Command.of(self.name), puzzle, encoding, limits)


def backends() -> Iterator[Backend]:
    """One for each solver of SOLVERS, and for each implementation of the engine that runs here."""
    from ... import engine
    from ...answers.solver import SOLVERS

    yield from map(SessionBackend, SOLVERS)
    yield from (EngineBackend(PREFIX + name) for name in engine.implementations())
