"""One PySAT solver loaded with a formula, and what is asked of it in terms of literals.

Invariant: whatever a query adds hangs on an activation literal that is retired when the query ends,
so the solver goes on to mean its formula. Every call comes back to Python often enough to be
stopped, and nothing stops it in between: a signal waits for its return.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import inf
from typing import Any

import pysat.solvers
from pysat.solvers import MainThread, Solver

from ..cnf.encodings import EncodingError, Formula
from ..cnf.encodings.formula import NEVER
from ..errors import SatdokuError, WitnessError

# Solvers of PySAT that gave right answers in every query below, quickest first. Left out: kissat404
# ignores assumptions, maplechrono took 12 s for the 72 miracle grids, the others 0.2.
SOLVERS = (
    "cadical153",
    "cadical195",
    "glucose4",
    "glucose42",
    "glucose3",
    "minisat22",
    "minicard",
    "gluecard3",
    "gluecard4",
    "maplecm",
    "maplesat",
    "mergesat3",
    "cadical103",
    "lingeling",
)
DEFAULT_SOLVER = SOLVERS[0]
# Solvers whose `propagate` is missing or slower than a solve: these skip the shortcut it gives.
_SLOW_PROPAGATORS = frozenset({"cadical195", "cadical103", "lingeling"})

NO_BUDGET = frozenset({"lingeling"})  # these come back with their answer only
# Conflicts, a second's or so, after which a solver comes back to Python and is called again:
# signals are seen there only.
SLICE = 5000
SHORT_SLICE = 500  # the same where there is a time limit to heed

Literals = list[int]


class BudgetError(SatdokuError):
    """The conflicts or the seconds allowed were over before the answer was found."""


class SolverError(SatdokuError):
    """A solver that PySAT lacks, or one that is not fit for what was asked."""


class LoadedSolver:
    """One PySAT solver loaded with a formula, and the queries on it in terms of literals.

    Solutions are bytes, a digit for each cell.
    """

    def __init__(self, formula: Formula, solver: str) -> None:
        self.queries = 0
        self._name = solver
        self._formula = formula
        self._last_variable = formula.variables
        self._solver = Solver(solver, bootstrap_with=formula.clauses)
        self._selectors: dict[int, int] = {}

    def statistics(self) -> dict[str, int]:
        """What PySAT tells of the solver's work."""
        try:
            counts: dict[str, int] = self._solver.accum_stats() or {}
        except NotImplementedError:
            return {}
        return {name: counts[name] for name in ("conflicts", "decisions", "propagations")}

    def forced(self, givens: Literals) -> bytes | None:
        """The one solution, if unit propagation alone reaches all of it: half of easy puzzles.

        Learnt clauses take part; being implied by the formula they only make this succeed more.
        """
        if self._name in _SLOW_PROPAGATORS:
            return None
        consistent, implied = undisturbed(self._solver.propagate, givens)
        if self._selectors:
            implied = [literal for literal in implied if abs(literal) <= self._formula.variables]
        complete = consistent and len(implied) >= self._formula.variables
        return self._formula.decode(implied) if complete else None

    def find(
        self, assumptions: Literals, conflicts: int | None, deadline: float = inf
    ) -> bytes | None:
        """A solution under the assumptions, or None; the deadline is one of `time.monotonic`."""
        if (conflicts is not None or deadline < inf) and self._name in NO_BUDGET:
            raise SolverError(f"solver {self._name} has no conflict budget")
        answer = self._answer(assumptions, conflicts, deadline)
        if answer is None:
            bound = "the time limit" if conflicts is None else f"{conflicts} conflicts"
            raise BudgetError(f"no answer within {bound}")
        return self._decode() if answer else None

    def _answer(self, assumptions: Literals, conflicts: int | None, deadline: float) -> bool | None:
        if conflicts is None:
            return solve_in_slices(self._solver, self._name, assumptions, deadline)
        answer = limited(self._solver, assumptions, conflicts)
        self._solver.conf_budget(-1)
        return answer

    def _decode(self) -> bytes:
        """The cells of the solver's model, which are still to be verified."""
        try:
            return self._formula.decode(self._solver.get_model() or ())
        except EncodingError as error:
            raise WitnessError(f"solver {self._name} gave a {error}") from None

    def find_another(
        self, givens: Literals, first: bytes, conflicts: int | None, deadline: float = inf
    ) -> bytes | None:
        """A solution other than `first`, or None."""
        active = self._activate()
        self._block(active, givens, first)
        try:
            second = self.find([*givens, active], conflicts, deadline)
        finally:
            self._retire(active)
        if second == first:
            raise WitnessError(f"solver {self._name} gave a solution that was excluded")
        return second

    def enumerate(
        self, givens: Literals, limit: int | None, conflicts: int | None, deadline: float = inf
    ) -> Iterator[bytes]:
        """Solutions that keep the givens, each blocked once found."""
        active = self._activate()
        assumptions = [*givens, active]
        found, before = 0, None
        try:
            while limit is None or found < limit:
                solution = self.find(assumptions, conflicts, deadline)
                if solution is None:
                    return
                if solution == before:
                    raise WitnessError(f"solver {self._name} gave a solution that was excluded")
                found, before = found + 1, solution
                self._block(active, givens, solution)
                yield solution
                _look_at_the_clock(deadline)
        finally:
            self._retire(active)

    def solutions_with_every_candidate(
        self, givens: Literals, conflicts: int | None, deadline: float = inf
    ) -> Iterator[bytes]:
        """Solutions that together hold every true candidate, each one not seen before.

        Source: backbone computation with one disjunction of the open literals, J. Marques-Silva,
        M. Janota, I. Lynce, On Computing Backbones of Propositional Theories, ECAI 2010.
        """
        n = self._formula.constraints.board.size
        unseen = dict(self._candidate_selectors())
        active = self._activate()
        try:
            while solution := self.find([*givens, active], conflicts, deadline):
                yield solution
                for cell, digit in enumerate(solution):
                    unseen.pop(n * cell + digit - 1, None)
                _look_at_the_clock(deadline)
                self._solver.add_clause([-active, *unseen.values()])
        finally:
            self._retire(active)

    def _candidate_selectors(self) -> dict[int, int]:
        """For each candidate that the formula leaves open a literal that implies it.

        Where it takes several literals to say a candidate, the selector is a variable of our own,
        which means nothing while it is false.
        """
        if not self._selectors:
            for candidate in range(self._formula.constraints.variables):
                said = self._formula.says(candidate)
                if len(said) == 1 and said != NEVER:
                    self._selectors[candidate] = said[0]
                elif len(said) > 1:
                    self._selectors[candidate] = selector = self._activate()
                    self._add((-selector, literal) for literal in said)
        return self._selectors

    @contextmanager
    def struck(self, marks: bytes) -> Iterator[Literals]:
        """Assumptions under which no candidate holds whose mark is 0."""
        clauses = self._formula.struck(marks)
        units = [clause[0] for clause in clauses if len(clause) == 1]
        if len(units) == len(clauses):
            yield units
            return
        active = self._activate()
        self._add((-active, *clause) for clause in clauses if len(clause) != 1)
        try:
            yield [*units, active]
        finally:
            self._retire(active)

    def _add(self, clauses: Iterable[Iterable[int]]) -> None:
        for clause in clauses:
            self._solver.add_clause(list(clause))

    def _activate(self) -> int:
        self._last_variable += 1
        return self._last_variable

    def _block(self, active: int, givens: Literals, solution: bytes) -> None:
        """Forbid the solution while `active` holds: something that is no given must differ.

        Blocking what says the true candidates projects away auxiliary variables and is far shorter
        than blocking the whole model.
        """
        given = set(givens)
        opened = [-literal for literal in self._formula.literals(solution) if literal not in given]
        self._solver.add_clause([-active, *opened])

    def _retire(self, active: int) -> None:
        self._solver.add_clause([-active])


def _look_at_the_clock(deadline: float) -> None:
    if time.monotonic() > deadline:
        raise BudgetError("no answer within the time limit")


class Propagator:
    """Unit propagation on a formula by a solver that never solves, so that it learns nothing."""

    def __init__(self, formula: Formula) -> None:
        # What follows without any assumption PySAT does not report: so units hang on one.
        self._always = formula.variables + 1
        clauses = ((*c, -self._always) if len(c) == 1 else c for c in formula.clauses)
        self._solver = Solver("glucose4", bootstrap_with=clauses)

    def implied(self, assumptions: Literals) -> list[int] | None:
        """The literals that follow from the assumptions; None on a conflict."""
        arguments = [self._always, *assumptions]
        consistent, literals = undisturbed(self._solver.propagate, arguments)
        return literals if consistent else None


def solve_clauses(
    clauses: Sequence[Sequence[int]], *, solver: str = DEFAULT_SOLVER
) -> list[int] | None:
    """A model of any CNF as literals in order of variables, or None if it is unsatisfiable."""
    if solver not in SOLVERS:
        raise SolverError(f"no solver '{solver}': known are {', '.join(SOLVERS)}")
    if not clauses:
        return []  # maplesat crashes where there is no variable
    with Solver(solver, bootstrap_with=clauses) as engine:
        model: list[int] | None = (
            engine.get_model() if solve_in_slices(engine, solver, []) else None
        )
        return model


def solve_in_slices(
    engine: Any, name: str, assumptions: Literals, deadline: float = inf
) -> bool | None:
    """The answer of a PySAT solver, back in Python every `SLICE` conflicts; None beyond the
    deadline (of `time.monotonic`), if there is one."""
    if name in NO_BUDGET:
        return bool(undisturbed(engine.solve, assumptions))
    conflicts = SLICE if deadline == inf else SHORT_SLICE
    while (answer := limited(engine, assumptions, conflicts)) is None:
        if time.monotonic() > deadline:
            return None
    return answer


def limited(engine: Any, assumptions: Literals, conflicts: int) -> bool | None:
    """The answer of a PySAT solver within so many conflicts, None beyond."""
    engine.conf_budget(conflicts)
    answer: bool | None = undisturbed(engine.solve_limited, assumptions)
    return answer


class _Ours(threading.local):
    """Whether the thread is in a solver call of this house."""

    calling = False


_ours = _Ours()


class _MainThread(MainThread):  # type: ignore[misc]
    """What PySAT asks, in the main thread, before a call that Ctrl-C is to leave by `longjmp`.

    That would leave the solver, or the heap, in the middle of anything: the process may abort when
    it frees either. So for our calls the answer is no; for those of others it is PySAT's own.
    """

    @staticmethod
    def check() -> bool:
        return not _ours.calling and bool(MainThread.check())


pysat.solvers.MainThread = _MainThread


def undisturbed(call: Callable[..., Any], *arguments: Any) -> Any:
    """What the solver's call returns; Ctrl-C, like other signals, is seen after it."""
    _ours.calling = True
    try:
        return call(*arguments)
    finally:
        _ours.calling = False
