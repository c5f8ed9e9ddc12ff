"""Z3's models as backends of the lab.

Invariant: the models are those of `crosscheck`, as they are; only z3-dimacs takes an encoding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from ..cnf.dimacs import format_cnf
from ..crosscheck import Z3_MODELS, Z3Query, Z3Unknown
from ..model.constraints import Constraints
from ..witness.z3.models import DIMACS_MODEL, Cnf
from ..witness.z3.query import load_z3
from .backends import (
    Backend,
    CnfBackend,
    Gave,
    Query,
    formula_for,
)
from .instances import Instance


@dataclass(frozen=True)
class Z3Backend(Backend):
    """A model of `crosscheck` that is built from the board."""

    name: str

    def load(self) -> str:
        return f"z3 {load_z3(self.name).get_version_string()}"

    def kind(self, encoding: str) -> str:
        return Z3_MODELS[self.name].kind

    def open(self, constraints: Constraints, encoding: str, fixed: Instance | None) -> Query:
        query = Z3Query(self.name, constraints)
        if fixed is not None:
            query.fix(fixed.puzzle.cells, fixed.struck)
        return SmtQuery(query)


@dataclass(frozen=True)
class Z3DimacsBackend(CnfBackend):
    """Z3 on our CNF, written to a file and read back; both are part of building."""

    name: str = DIMACS_MODEL

    def load(self) -> str:
        return f"z3 {load_z3(self.name).get_version_string()}"

    def open(self, constraints: Constraints, encoding: str, fixed: Instance | None) -> Query:
        formula = formula_for(constraints, encoding, fixed)
        says = tuple(map(formula.says, range(constraints.variables)))
        cnf = Cnf("".join(format_cnf(formula)), says)
        query = SmtQuery(Z3Query(self.name, constraints, cnf=cnf))
        query.variables, query.clauses = formula.variables, len(formula.clauses)
        return query


class SmtQuery(Query):
    """Questions to a `Z3Query`; what an instance says for one question is pushed and popped."""

    def __init__(self, query: Z3Query) -> None:
        self._query = query

    def solve(self, under: Instance | None = None) -> bytes | None:
        with self._scope(under):
            return _told(self._query.find)

    def solutions(
        self, under: Instance | None = None, *, limit: int | None = None
    ) -> Iterator[bytes]:
        found = 0
        with self._scope(under):
            while found != limit and (solution := _told(self._query.find)) is not None:
                found += 1
                yield solution
                self._query.forbid(solution)

    def candidates(self) -> frozenset[int]:
        """As our sessions do: ask for a solution with a candidate not seen yet, until none is."""
        size = self._query.model.board.size
        everything = frozenset(range(self._query.model.board.variables))
        unseen = everything
        while (solution := _told(self._query.find)) is not None:
            unseen -= {size * cell + digit - 1 for cell, digit in enumerate(solution)}
            self._query.demand(sorted(unseen))
        return everything - unseen

    def counters(self) -> dict[str, int]:
        return self._query.counters()

    def _scope(self, under: Instance | None) -> AbstractContextManager[None]:
        return self._query.under(under.puzzle.cells, under.struck) if under else nullcontext()


def _told(find: Callable[[], bytes | None]) -> bytes | None:
    """What `find` says; Z3's `unknown` with its reason sorted into the lab's words."""
    try:
        return find()
    except Z3Unknown as error:
        reason = str(error)
        if "memory" in reason or "memout" in reason:
            raise Gave("memory", reason) from None
        raise Gave("timeout" if "timeout" in reason else "unknown", reason) from None


Z3_BACKENDS: tuple[Backend, ...] = (
    *(Z3Backend(name) for name in Z3_MODELS if name != DIMACS_MODEL),
    Z3DimacsBackend(),
)
