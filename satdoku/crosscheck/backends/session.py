"""PySAT's solvers, on any encoding.

Invariant: they are asked through our `Session`, as everywhere in satdoku. It is imported in `load`,
so that the import can be timed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version

from ...answers.query import Query
from ...model.grid import Grid
from ...model.puzzle import Puzzle, mark_bytes
from ...runtime.errors import BudgetError, Status
from .protocol import UNLIMITED, Backend, Budget, FormulaBackend, formula_for, struck_in


@dataclass(frozen=True)
class SessionBackend(FormulaBackend):
    """A solver of PySAT, through our `Session`."""

    name: str
    incremental = True

    def load(self) -> str:
        import_module("pysat.solvers")  # which a session imports with its first solver
        return f"python-sat {version('python-sat')}"

    def open(self, puzzle: Puzzle, encoding: str, budget: Budget = UNLIMITED) -> Query:
        return SessionQuery(puzzle, encoding, self.name, budget)


class SessionQuery(Query):
    """A session; givens of one question become assumptions."""

    def __init__(self, puzzle: Puzzle, encoding: str, solver: str, budget: Budget) -> None:
        from ...answers.session import Session
        from ...answers.solver import NO_BUDGET

        self._formula = formula = formula_for(puzzle, encoding)
        self.variables, self.clauses = formula.variables, len(formula.clauses)
        self._encoding, self._solver, self._budget = encoding, solver, budget
        self._conflicts = None if solver in NO_BUDGET else budget.conflicts
        self._struck = frozenset(struck_in(puzzle))
        board = puzzle.grid.board
        # A formula made for one puzzle has to be told which: any other would replace it.
        self._own = Grid(formula.puzzle or bytes(board.cells), board)
        self._session = Session(encoding=formula, solver=solver, verify=False)
        self._session.prepare(self._own)

    def solve(self, under: Puzzle | None = None) -> bytes | None:
        if under is None or not self._replaced_by(under):
            found = self._session.solve(self._grid(under), conflicts=self._conflicts)
            return None if found is None else found.cells
        marks = mark_bytes(under.grid, under.marks or ())
        status, cells = self._session.decide_marks(marks, limit=1, conflicts=self._conflicts)
        if status is Status.UNKNOWN:
            raise BudgetError(f"no answer within {self._conflicts} conflicts")
        return cells

    def solutions(
        self, under: Puzzle | None = None, *, limit: int | None = None
    ) -> Iterator[bytes]:
        query, grid = self._for(under)
        for found in query._session.solutions(grid, limit=limit, conflicts=self._conflicts):
            yield found.cells

    def count(self, under: Puzzle | None = None, *, limit: int | None = None) -> int:
        query, grid = self._for(under)
        return query._session.count(grid, limit=limit, conflicts=self._conflicts)

    def candidates(self, under: Puzzle | None = None) -> frozenset[int]:
        query, grid = self._for(under)
        digits = query._session.candidates(grid, conflicts=self._conflicts)
        n = grid.board.size
        return frozenset(n * cell + d - 1 for cell, each in enumerate(digits) for d in each)

    def status(self, under: Puzzle | None = None, *, limit: int = 2) -> Status | None:
        query, grid = self._for(under)
        return query._session.decide(grid, limit=limit, conflicts=self._conflicts)[0]

    def counters(self) -> dict[str, int]:
        return self._session.statistics()

    def close(self) -> None:
        self._session.close()

    def _grid(self, under: Puzzle | None) -> Grid:
        return self._own if under is None else under.grid

    def _for(self, under: Puzzle | None) -> tuple[SessionQuery, Grid]:
        """The query that answers: this one, or one built for `under` if assumptions do not do."""
        if under is None or not self._replaced_by(under):
            return self, self._grid(under)
        query = SessionQuery(under, self._encoding, self._solver, self._budget)
        return query, under.grid

    def _replaced_by(self, under: Puzzle) -> bool:
        """Whether the session does not hold what is struck.

        It has no assumptions for strikes. A formula made for one puzzle is replaced, and what is
        struck with it, when the session is asked another puzzle.
        """
        made_for_one = self._formula.puzzle is not None
        struck = [*struck_in(under)]
        return bool(struck) and (made_for_one or not self._struck.issuperset(struck))


def backends() -> Iterator[Backend]:
    """One for each solver of SOLVERS."""
    from ...answers.solver import SOLVERS

    yield from map(SessionBackend, SOLVERS)
