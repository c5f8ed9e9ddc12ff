"""Programs of others: the name of such a backend is its command line.

Invariant: a query writes one file when it is opened, and each question runs the command on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import islice

from ...cnf.encodings import ENCODINGS
from ...external.forms import FORMS
from ...external.program import Command, Limits, ProgramError, Unanswered
from ...external.solver import Asking
from ...model.puzzle import Puzzle
from .protocol import (
    BOOLEAN,
    INTEGER,
    UNLIMITED,
    Backend,
    BackendMissing,
    Budget,
    GaveUp,
    Query,
)


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
        limits = Limits(budget.seconds, budget.memory_mb)
        return ExternalQuery(Command.of(self.name), puzzle, encoding, limits)


class ExternalQuery(Query):
    """A file, and a command that is run on it for each solution."""

    def __init__(self, command: Command, puzzle: Puzzle, encoding: str, limits: Limits) -> None:
        self._command, self._encoding, self._limits = command, encoding, limits
        form = FORMS[command.form](encoding, puzzle)
        self.variables, self.clauses = form.variables, form.clauses
        self._asking = Asking(command, form, limits)

    def solutions(
        self, under: Puzzle | None = None, *, limit: int | None = None
    ) -> Iterator[bytes]:
        if under is None:
            with _given_up():
                yield from islice(self._asking.solutions(), limit)
            return
        asked = ExternalQuery(self._command, under, self._encoding, self._limits)
        with closing(asked) as query:
            yield from query.solutions(limit=limit)

    def close(self) -> None:
        self._asking.close()


@contextmanager
def _given_up() -> Iterator[None]:
    """What a program could not answer, as `GaveUp`."""
    try:
        yield
    except Unanswered as error:
        raise GaveUp(error.status, str(error)) from None
