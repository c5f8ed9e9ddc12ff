"""Z3, one backend for each model of `witness.z3`.

Invariant: the models are those of the witness, as they are; only z3-dimacs takes an encoding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from importlib import import_module

from ...answers.query import Query, candidates_of
from ...cnf.dimacs import format_cnf
from ...cnf.encodings import in_full
from ...model.puzzle import Puzzle
from ...runtime.errors import Unanswered
from ...witness.z3.models import DIMACS_MODEL, Z3_MODELS, Cnf
from ...witness.z3.query import Z3Query, Z3Unknown
from . import UNLIMITED, Backend, Budget, FormulaBackend, formula_for, struck_in


def _version() -> str:
    return f"z3 {import_module('z3').get_version_string()}"


@dataclass(frozen=True)
class Z3Backend(Backend):
    """A model that is built from the board."""

    name: str
    extra = "z3-solver"
    incremental = slow = True

    def load(self) -> str:
        return _version()

    def kind(self, encoding: str) -> str:
        return Z3_MODELS[self.name].kind

    def open(self, puzzle: Puzzle, encoding: str, budget: Budget = UNLIMITED) -> Query:
        query = Z3Query(self.name, puzzle.constraints, timeout=budget.timeout)
        query.fix(puzzle.grid.cells, tuple(struck_in(puzzle)))
        return ModelQuery(query)


@dataclass(frozen=True)
class Z3DimacsBackend(FormulaBackend):
    """Z3 on our CNF, written to a file and read back; both are part of building."""

    name: str = DIMACS_MODEL
    extra = "z3-solver"
    incremental = slow = True

    def load(self) -> str:
        return _version()

    def open(self, puzzle: Puzzle, encoding: str, budget: Budget = UNLIMITED) -> Query:
        formula = in_full(formula_for(puzzle, encoding))
        says = tuple(map(formula.says, range(puzzle.constraints.variables)))
        cnf = Cnf("".join(format_cnf(formula)), says)
        query = ModelQuery(Z3Query(self.name, puzzle.constraints, cnf=cnf, timeout=budget.timeout))
        query.variables, query.clauses = formula.variables, len(formula.clauses)
        return query


class ModelQuery(Query):
    """Questions to a `Z3Query`; givens of one question are pushed and popped."""

    def __init__(self, query: Z3Query) -> None:
        self._query = query

    def solve(self, under: Puzzle | None = None) -> bytes | None:
        with self._scope(under):
            return _found(self._query.find)

    def solutions(
        self, under: Puzzle | None = None, *, limit: int | None = None
    ) -> Iterator[bytes]:
        found = 0
        with self._scope(under):
            while found != limit and (solution := _found(self._query.find)) is not None:
                found += 1
                yield solution
                self._query.forbid(solution)

    def candidates(self, under: Puzzle | None = None) -> frozenset[int]:
        """As our sessions do: ask for a solution with a candidate not seen yet, until none is."""
        board = self._query.model.board
        everything = frozenset(range(board.variables))
        unseen = everything
        with self._scope(under):
            while (solution := _found(self._query.find)) is not None:
                unseen = unseen.difference(candidates_of(solution, board.choices))
                self._query.demand(sorted(unseen))
        return everything - unseen

    def counters(self) -> dict[str, int]:
        return self._query.counters()

    def _scope(self, under: Puzzle | None) -> AbstractContextManager[None]:
        if under is None:
            return nullcontext()
        return self._query.under(under.grid.cells, tuple(struck_in(under)))


def _found(find: Callable[[], bytes | None]) -> bytes | None:
    """What `find` returns; Z3's `unknown` becomes `BudgetError` with its reason sorted."""
    try:
        return find()
    except Z3Unknown as error:
        reason = str(error)
        if "memory" in reason or "memout" in reason:
            raise Unanswered("memory", reason) from None
        raise Unanswered("timeout" if "timeout" in reason else "unknown", reason) from None


def backends() -> Iterator[Backend]:
    """One for each model of Z3_MODELS."""
    for name in Z3_MODELS:
        yield Z3DimacsBackend() if name == DIMACS_MODEL else Z3Backend(name)
