"""Programs of others: the name of such a backend is its command line.

Invariant: what a command line may be is said by `external` alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...answers.external.forms import FORMS
from ...answers.external.program import Command, Limits, ProgramError
from ...answers.external.solver import ProgramQuery
from ...answers.query import Query
from ...cnf.encodings import ENCODINGS
from ...model.puzzle import Puzzle
from .protocol import BOOLEAN, INTEGER, UNLIMITED, Backend, BackendMissing, Budget


@dataclass(frozen=True)
class ExternalBackend(Backend):
    """A command such as `kissat -q {cnf}`."""

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
