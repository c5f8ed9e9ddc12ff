"""Questions about one large puzzle: propagation first, then a SAT solver for what it leaves open.

Invariant: as of every query, solutions are not verified here.

    query = LargeQuery(puzzle)
    next(query.solutions(), None)     # a solution
    query.propagated.count            # candidates that are left
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from math import inf
from typing import Any

import numpy as np

from ...cnf.encodings import DEFAULT_ENCODING, EncodingError
from ...model.board import MAX_SIZE
from ...model.grid import Grid
from ...model.puzzle import Puzzle
from ...runtime import limits
from ...runtime.errors import BudgetError, counted
from ...runtime.lazy import cached_property
from ..query import Query
from ..solver import DEFAULT_SOLVER, limited, open_solver, solve_in_slices
from .formula import LargeFormula, formula_of
from .propagate import Candidates, Digits, open_candidates, propagate

# Solvers that take "at most one of these" as it is, without clauses: a group of 18 candidates is
# one constraint, not 153 pairs.
WITH_CARDINALITY = ("gluecard4", "gluecard3", "minicard")


class LargeQuery(Query):
    """A puzzle whose rules are houses; it keeps what one question computes for the next one.

    solver: one of `answers.solver.SOLVERS`. encoding: what was asked for, as there is only one
    here. conflicts: of a call of the solver; deadline: a time of `time.monotonic`; beyond either
    there is no answer.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        limit: int = 2,
        *,
        solver: str = DEFAULT_SOLVER,
        encoding: str = DEFAULT_ENCODING,
        conflicts: int | None = None,
        deadline: float = inf,
    ) -> None:
        if encoding not in (DEFAULT_ENCODING, "reduced"):
            large = f"boards beyond {MAX_SIZE}x{MAX_SIZE}"
            raise EncodingError(f"--encoding {encoding}: {large} have the extended one only")
        self.puzzle, self.limit = puzzle, limit
        self.name, self.conflicts = solver, conflicts
        self.deadline = min(deadline, limits.until(None))

    @cached_property
    def cells(self) -> Digits:
        """The givens, (size * size,)."""
        return np.asarray(self.puzzle.grid).astype(np.uint16)

    @cached_property
    def propagated(self) -> Candidates:
        """The fixpoint of unit propagation."""
        return propagate(open_candidates(self.cells, self.puzzle.constraints))

    @cached_property
    def formula(self) -> LargeFormula:
        """The formula of the candidates that propagation leaves open."""
        return formula_of(self.propagated)

    def grid_of(self, cells: Digits) -> Grid:
        """The grid of such cells."""
        grid = self.puzzle.grid
        return Grid(cells.astype(grid.digits_type).tobytes(), grid.board)

    def solutions(
        self, under: Puzzle | None = None, *, limit: int | None = None
    ) -> Iterator[bytes]:
        """All solutions as cells of a `Grid`, each once; at most `limit`."""
        if under is not None:
            asked = LargeQuery(
                under, solver=self.name, conflicts=self.conflicts, deadline=self.deadline
            )
            yield from asked.solutions(limit=limit)
            return
        if self.propagated.conflict or limit == 0:
            return
        self._check()
        if not self.formula.variables:
            yield self.grid_of(self.propagated.settled).cells
            return
        found = 0
        with loaded(self.formula, self.name) as engine:
            while self._has_model(engine):
                model = np.array(engine.get_model()[: self.formula.variables])
                cells = self.formula.cells_of(model > 0)
                yield self.grid_of(cells).cells
                found += 1
                if found == limit:
                    return
                engine.add_clause((-self.formula.true_in(cells)).tolist())

    def _check(self) -> None:
        """Raise `OutOfTime` behind the deadline."""
        if time.monotonic() > self.deadline:
            raise limits.late()

    def _has_model(self, engine: Any) -> bool:
        """Whether there is a model; raises `BudgetError` if the budget ends first."""
        if self.conflicts is None:
            answer = solve_in_slices(engine, self.name, [], self.deadline)
        else:
            answer = limited(engine, [], self.conflicts)
        if answer is None:
            if self.conflicts is None:
                raise limits.late()
            raise BudgetError(f"no answer within {counted(self.conflicts, 'conflict')}")
        return answer


def loaded(formula: LargeFormula, solver: str, **options: Any) -> Any:
    """A solver with the formula in it, streamed; the options are PySAT's own."""
    engine = open_solver(solver, (), **options)
    if solver in WITH_CARDINALITY:
        for block in formula.groups:
            for group in block.tolist():
                engine.add_clause(group)
                engine.add_atmost(group, 1)
        return engine
    for block in formula.clauses():
        limits.check()
        deque(map(engine.add_clause, block.tolist()), maxlen=0)
    return engine
