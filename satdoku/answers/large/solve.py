"""Questions about one large puzzle: propagation first, then a SAT solver for what it leaves open.

Invariant: every solution is verified by `check`, and given as digits (size * size,) uint16.

    puzzle = LargeSudoku(parse_large(text))
    puzzle.status()                   # Status.UNIQUE, MULTIPLE, NONE, INVALID
    next(puzzle.solutions(), None)    # a solution
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from functools import cached_property
from math import inf, isqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from ...answers.solver import DEFAULT_SOLVER, limited, open_solver, solve_in_slices
from ...model.grid import GridError
from ...runtime import limits
from ...runtime.errors import BudgetError, Status, WitnessError
from .board import Digits, LargeRules, large_rules
from .check import clash, solves
from .formula import LargeFormula, formula_of
from .propagate import Candidates, open_candidates, propagate
from .text import format_numbers

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

# Solvers that take "at most one of these" as it is, without clauses: a group of 18 candidates is
# one constraint, not 153 pairs.
WITH_CARDINALITY = ("gluecard4", "gluecard3", "minicard")


class LargeSudoku:
    """A puzzle under its rules; it keeps what one question computes for the next one.

    cells: whole numbers of any shape, 0 for an empty cell. rules: as `large_rules` reads them.
    solver: one of `answers.solver.SOLVERS`. source, line: where it stands, as in `Puzzle`. Raises
    `GridError`, `RuleError` or `BoardError`.
    """

    def __init__(
        self,
        cells: ArrayLike,
        rules: str | LargeRules = "classic",
        *,
        solver: str = DEFAULT_SOLVER,
        source: str | None = None,
        line: int | None = None,
    ) -> None:
        found = np.asarray(cells).ravel()
        if found.dtype.kind not in "iu":
            raise GridError(f"numbers of type {found.dtype}", "whole numbers, 0 for an empty cell")
        size = isqrt(len(found))
        if isinstance(rules, str):
            rules = large_rules(rules, size)
        size = rules.board.size
        if len(found) != size * size or found.min() < 0 or found.max() > size:
            what = f"{len(found)} cells of {found.min()}..{found.max()}"
            raise GridError(what, f"{size * size} cells of 0..{size}")
        self.cells: Digits = found.astype(np.uint16)
        self.rules, self.solver = rules, solver
        self.source, self.line = source, line

    def record(self, **answer: object) -> dict[str, object]:
        """An answer for JSON, as `Puzzle.record`."""
        place = {} if self.source is None else {"file": self.source, "line": self.line}
        about = {"puzzle": format_numbers(self.cells), "rules": self.rules.name}
        return {**place, **about, **answer}

    @cached_property
    def clash(self) -> str:
        """Two givens that break a rule, in words; empty if none do."""
        return clash(self.cells, self.rules)

    @cached_property
    def propagated(self) -> Candidates:
        """The fixpoint of unit propagation; the givens must not clash."""
        return propagate(open_candidates(self.cells, self.rules))

    @cached_property
    def formula(self) -> LargeFormula:
        """The formula of the candidates that propagation leaves open."""
        return formula_of(self.propagated)

    def status(self, *, conflicts: int | None = None, timeout: float | None = None) -> Status:
        """UNIQUE, MULTIPLE, NONE, INVALID if givens clash, UNKNOWN beyond the budget."""
        if self.clash:
            return Status.INVALID
        try:
            found = sum(1 for _ in self.solutions(limit=2, conflicts=conflicts, timeout=timeout))
        except BudgetError:
            return Status.UNKNOWN
        return (Status.NONE, Status.UNIQUE, Status.MULTIPLE)[found]

    def solution(
        self, *, conflicts: int | None = None, timeout: float | None = None
    ) -> Digits | None:
        """A verified solution, None if there is none; raises `BudgetError` beyond the budget."""
        return next(self.solutions(limit=1, conflicts=conflicts, timeout=timeout), None)

    def solutions(
        self,
        *,
        limit: int | None = None,
        conflicts: int | None = None,
        timeout: float | None = None,
    ) -> Iterator[Digits]:
        """All solutions, each once, at most `limit`; raises `BudgetError` beyond the budget.

        conflicts: for each solution; timeout: seconds, for all.
        """
        if self.clash or self.propagated.conflict or limit == 0:
            return
        if not self.formula.variables:
            yield self._verified(self.propagated.settled)
            return
        deadline = inf if timeout is None else time.monotonic() + timeout
        found = 0
        with loaded(self.formula, self.solver) as engine:
            while _answer(engine, self.solver, conflicts, deadline):
                model = np.array(engine.get_model()[: self.formula.variables])
                cells = self._verified(self.formula.cells_of(model > 0))
                yield cells
                found += 1
                if found == limit:
                    return
                engine.add_clause((-self.formula.true_in(cells)).tolist())

    def _verified(self, cells: Digits) -> Digits:
        if not solves(cells, self.cells, self.rules):
            raise WitnessError(f"{self.solver} gave a grid that is no solution")
        return cells


def loaded(formula: LargeFormula, solver: str, **options: bool) -> Any:
    """A solver with the formula in it, streamed; the options are PySAT's own."""
    engine = open_solver(solver, (), **options)
    if solver in WITH_CARDINALITY:
        for block in formula.groups:
            for group in block.tolist():
                engine.add_clause(group)
                engine.add_atmost(group, 1)
        return engine
    for block in formula.clauses():
        deque(map(engine.add_clause, block.tolist()), maxlen=0)
    return engine


def _answer(engine: Any, solver: str, conflicts: int | None, deadline: float) -> bool:
    """Whether there is a model; raises `BudgetError` if the budget ends first."""
    if conflicts is None:
        answer = solve_in_slices(engine, solver, [], deadline)
    else:
        answer = limited(engine, [], conflicts)
    if answer is None:
        if conflicts is None:
            raise limits.late()
        raise BudgetError(f"no answer within {conflicts} conflicts")
    return answer
