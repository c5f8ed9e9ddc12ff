"""PySAT's solvers as backends of the lab, on any encoding.

Invariant: they are asked through our `Session`, as everywhere in the house. It is imported in
`load`, so that the import can be timed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version

from ..cnf.encodings import Formula
from ..errors import Status
from ..model.constraints import Constraints
from ..model.grid import Grid
from .backends import (
    Backend,
    CnfBackend,
    Query,
    formula_for,
)
from .instances import Instance, marks_of


@dataclass(frozen=True)
class SatBackend(CnfBackend):
    """A solver of PySAT, through our `Session`."""

    name: str

    def load(self) -> str:
        import_module("satdoku.sat.session")  # which imports pysat
        return f"python-sat {version('python-sat')}"

    def open(self, constraints: Constraints, encoding: str, fixed: Instance | None) -> Query:
        return SatQuery(formula_for(constraints, encoding, fixed), self.name)


class SatQuery(Query):
    """A session; what an instance says for one question becomes assumptions."""

    def __init__(self, formula: Formula, solver: str) -> None:
        from ..sat.session import Session

        self.variables, self.clauses = formula.variables, len(formula.clauses)
        self._formula, self._solver = formula, solver
        self._board = formula.constraints.board
        self._session = Session(encoding=formula, solver=solver)
        self._session.prepare(Grid(self._cells(None), self._board))

    def solve(self, under: Instance | None = None) -> bytes | None:
        if under is not None and under.struck:
            return self._session.decide_marks(marks_of(under), limit=1)[1]
        status, found = self._session.decide_cells(self._cells(under), limit=1)
        assert (found is None) == (status is Status.NONE)
        return found

    def solutions(
        self, under: Instance | None = None, *, limit: int | None = None
    ) -> Iterator[bytes]:
        if under is not None and self._formula.puzzle is not None:
            constraints, encoding = self._formula.constraints, self._formula.encoding
            return SatQuery(formula_for(constraints, encoding, under), self._solver).solutions(
                limit=limit
            )
        puzzle = Grid(self._cells(under), self._board)
        return (grid.cells for grid in self._session.solutions(puzzle, limit=limit))

    def candidates(self) -> frozenset[int]:
        digits = self._session.candidates(Grid(self._cells(None), self._board))
        n = self._board.size
        return frozenset(n * cell + d - 1 for cell, each in enumerate(digits) for d in each)

    def counters(self) -> dict[str, int]:
        return self._session.statistics()

    def close(self) -> None:
        self._session.close()

    def _cells(self, under: Instance | None) -> bytes:
        """The givens that a question names: a formula made for one puzzle wants to hear its own."""
        if under is not None:
            return under.puzzle.cells
        return self._formula.puzzle or bytes(self._board.cells)


def sat_backends() -> Iterator[Backend]:
    """One for each solver of SOLVERS."""
    from ..sat.solver import SOLVERS

    yield from map(SatBackend, SOLVERS)
