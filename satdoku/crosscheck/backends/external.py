"""Programs of others: the name of such a backend is its command line.

Invariant: a query writes one file when it is opened, and each question runs the command on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import islice

from ...cnf.encodings import ENCODINGS
from ...external.forms import FORMS, Posed
from ...external.program import Command, Limits, ProgramError, Unanswered
from ...external.solver import Asking
from .protocol import (
    BOOLEAN,
    INTEGER,
    UNLIMITED,
    Backend,
    BackendMissing,
    Budget,
    GaveUp,
    Givens,
    Problem,
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

    def open(self, problem: Problem, budget: Budget = UNLIMITED) -> Query:
        limits = Limits(budget.timeout, budget.memory_mb)
        return ExternalQuery(Command.of(self.name), problem, limits)


class ExternalQuery(Query):
    """A file, and a command that is run on it for each solution."""

    def __init__(self, command: Command, problem: Problem, limits: Limits) -> None:
        self._command, self._problem, self._limits = command, problem, limits
        constraints, encoding, _ = problem
        givens = problem.givens
        posed = Posed(constraints, givens.puzzle, givens.strikes())
        form = FORMS[command.form](encoding, posed)
        self.variables, self.clauses = form.variables, form.clauses
        self._asking = Asking(command, form, limits)

    def solutions(
        self, under: Givens | None = None, *, limit: int | None = None
    ) -> Iterator[bytes]:
        if under is None:
            with _given_up():
                yield from islice(self._asking.solutions(), limit)
            return
        problem = self._problem._replace(fixed=under)
        with closing(ExternalQuery(self._command, problem, self._limits)) as query:
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
