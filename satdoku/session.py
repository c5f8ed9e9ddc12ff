"""A long-lived solver: the only module that imports pysat.

Law: givens are assumptions, and whatever a query adds hangs on an activation literal that is
retired when the query ends. So no query changes what a later one answers.

    session = Session("knight")
    session.solve(puzzle)             # Grid, or None if there is no solution
    session.classify(puzzle)          # Status.UNIQUE, MULTIPLE, NONE or INVALID
    list(session.solutions(puzzle, limit=10))
    session.count(puzzle, limit=1000)
    session.propagate(puzzle)         # what unit propagation alone fixes
    session.candidates(puzzle)        # digits of each cell over all solutions
    session.close()                   # or use it in a `with` statement

Learnt clauses and retired activation literals pile up, so the solver is rebuilt from the formula
every `recycle` queries; a running enumeration keeps the one it began with.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from itertools import compress
from operator import not_
from types import TracebackType
from typing import Any, TypeVar

from pysat.solvers import Solver, pysolvers

from .encodings import Formula, encode
from .errors import SatdokuError, Status
from .grid import Grid, as_grid
from .rules import Constraints, constraints
from .verify import violations

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
DEFAULT_RECYCLE = 2000
# Solvers whose `propagate` is missing or slower than a solve: these skip the shortcut it gives.
_SLOW_PROPAGATORS = frozenset({"cadical195", "cadical103", "lingeling"})

Puzzle = str | Grid | Sequence[int]
Literals = list[int]
SessionT = TypeVar("SessionT", bound="Session")


class BudgetError(SatdokuError):
    """The conflict budget ran out before the answer was found."""


class SolverError(SatdokuError):
    """A solver that PySAT lacks, or one that is not fit for what was asked."""


class Session:
    """One rule set, one solver, any number of puzzles.

    rules: a rule set or `Constraints`; solver: a name of SOLVERS; recycle: queries between two
    rebuilds. `conflicts`, where a query takes it, bounds the solver's conflicts in each of its
    calls; beyond it `classify` answers UNKNOWN and the other queries raise `BudgetError`. Glucose
    looks at its budget only when it restarts, so small budgets do not bind it.
    Not safe to share between threads; one session a thread is.
    """

    def __init__(
        self,
        rules: str | Constraints = "classic",
        *,
        solver: str = DEFAULT_SOLVER,
        encoding: str = "extended",
        recycle: int = DEFAULT_RECYCLE,
    ) -> None:
        if solver not in SOLVERS:
            raise SolverError(f"no solver '{solver}': known are {', '.join(SOLVERS)}")
        self.constraints = constraints(rules)
        self.formula = encode(self.constraints, encoding)
        self.solver = solver
        self.recycle = recycle
        self._core: _Core | None = None
        self._propagator: Any = None

    # Life ------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Build the solver now, not at the first query."""
        self._core = self._core or _Core(self.formula, self.solver)

    def close(self) -> None:
        """Free the solver; the next query would build a new one."""
        self._core = self._propagator = None

    def __enter__(self: SessionT) -> SessionT:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # Queries -----------------------------------------------------------------------------------

    def solve(self, puzzle: Puzzle, *, conflicts: int | None = None) -> Grid | None:
        """A solution, or None if there is none."""
        cells = self._read(puzzle).cells
        return self._grid(self._fresh_core().find(self.formula.literals(cells), conflicts))

    def classify(self, puzzle: Puzzle, *, conflicts: int | None = None) -> Status:
        """INVALID if givens clash, else NONE, UNIQUE, MULTIPLE, or UNKNOWN beyond the budget."""
        return self.decide(puzzle, conflicts=conflicts)[0]

    def decide(
        self, puzzle: Puzzle, *, limit: int = 2, conflicts: int | None = None
    ) -> tuple[Status, Grid | None]:
        """`classify` together with a solution if there is one; limit 1 stops at SOLVED."""
        grid = self._read(puzzle)
        status, cells = self.decide_cells(grid.cells, limit=limit, conflicts=conflicts)
        if status is Status.NONE and violations(grid, self.constraints.rules):
            status = Status.INVALID
        return status, self._grid(cells)

    def decide_cells(
        self, cells: bytes, *, limit: int = 2, conflicts: int | None = None
    ) -> tuple[Status, bytes | None]:
        """`decide` on bare bytes, for bulk work: no checks, and clashing givens are just NONE."""
        return self._decide(self.formula.literals(cells), cells, limit, conflicts)

    def decide_marks(
        self, marks: bytes, *, limit: int = 2, conflicts: int | None = None
    ) -> tuple[Status, bytes | None]:
        """`decide_cells` for pencil marks: a byte a candidate, 0 where the digit is struck."""
        struck = [-variable for variable, mark in enumerate(marks, 1) if not mark]
        return self._decide(struck, bytes(self.constraints.board.cells), limit, conflicts)

    def _decide(
        self, givens: Literals, cells: bytes, limit: int, conflicts: int | None
    ) -> tuple[Status, bytes | None]:
        """Status and solution under assumptions that fix the cells that are not 0."""
        core = self._fresh_core()
        if limit > 1 and (forced := core.forced(givens)):
            return Status.UNIQUE, forced
        first = None
        try:
            first = core.find(givens, conflicts)
            if first is None or limit < 2:
                return (Status.NONE if first is None else Status.SOLVED), first
            second = core.find_another(givens, cells, first, conflicts)
        except BudgetError:
            return Status.UNKNOWN, first
        return (Status.UNIQUE if second is None else Status.MULTIPLE), first

    def solutions(
        self, puzzle: Puzzle, *, limit: int | None = None, conflicts: int | None = None
    ) -> Iterator[Grid]:
        """All solutions, each once, as they are found; at most `limit`."""
        cells = self._read(puzzle).cells
        found = self._fresh_core().enumerate(cells, limit, conflicts)
        return (Grid(solution, self.constraints.board) for solution in found)

    def count(
        self, puzzle: Puzzle, *, limit: int | None = None, conflicts: int | None = None
    ) -> int:
        """Number of solutions, or `limit` if there are at least so many."""
        cells = self._read(puzzle).cells
        return sum(1 for _ in self._fresh_core().enumerate(cells, limit, conflicts))

    def propagate(self, puzzle: Puzzle) -> Grid | None:
        """The grid with every cell that unit propagation alone fixes; None if it conflicts.

        Its solver never solves: learnt clauses would make propagation depend on the past.
        """
        grid = self._read(puzzle)
        if self._propagator is None:
            self._propagator = Solver("glucose4", bootstrap_with=self.formula.clauses)
        givens = self.formula.literals(grid.cells)
        consistent, implied = _interruptible(self._propagator.propagate, givens)
        if not consistent:
            return None
        cells, n = bytearray(grid.cells), grid.board.size
        for literal in implied:
            if 0 < literal <= self.constraints.variables:
                cell, digit = divmod(literal - 1, n)
                cells[cell] = digit + 1
        return Grid(bytes(cells), grid.board)

    def candidates(
        self, puzzle: Puzzle, *, conflicts: int | None = None
    ) -> tuple[frozenset[int], ...]:
        """The true candidates: for each cell the digits that it has in some solution."""
        cells, n = self._read(puzzle).cells, self.constraints.board.size
        true = self._fresh_core().true_candidates(self.formula.literals(cells), conflicts)
        return tuple(
            frozenset(digit for digit in range(1, n + 1) if n * cell + digit in true)
            for cell in range(len(cells))
        )

    # Inside ------------------------------------------------------------------------------------

    def _read(self, puzzle: Puzzle) -> Grid:
        return as_grid(puzzle, self.constraints.board)

    def _grid(self, cells: bytes | None) -> Grid | None:
        return None if cells is None else Grid(cells, self.constraints.board)

    def _fresh_core(self) -> _Core:
        """The solver for one more query, a new one every `recycle` queries."""
        if self._core is not None and self._core.queries >= self.recycle:
            self._core = None
        self.prepare()
        assert self._core is not None
        self._core.queries += 1
        return self._core


class _Core:
    """One PySAT solver loaded with a formula, and the queries on it in terms of literals.

    Solutions are bytes, a digit for each cell.
    """

    def __init__(self, formula: Formula, solver: str) -> None:
        self.queries = 0
        self._name = solver
        self._formula = formula
        self._variables = formula.constraints.variables
        self._last_variable = formula.variables
        self._solver = Solver(solver, bootstrap_with=formula.clauses)

    def forced(self, givens: Literals) -> bytes | None:
        """The one solution, if unit propagation alone reaches all of it: half of easy puzzles.

        Learnt clauses take part; being implied by the formula they only make this succeed more.
        """
        if self._name in _SLOW_PROPAGATORS:
            return None
        consistent, implied = _interruptible(self._solver.propagate, givens)
        complete = consistent and len(implied) >= self._formula.variables
        return self._formula.decode(implied) if complete else None

    def find(self, assumptions: Literals, conflicts: int | None) -> bytes | None:
        """A solution under the assumptions, or None."""
        answer = self._answer(assumptions, conflicts)
        if answer is None:
            raise BudgetError(f"no answer within {conflicts} conflicts")
        return self._formula.decode(self._solver.get_model()) if answer else None

    def _answer(self, assumptions: Literals, conflicts: int | None) -> bool | None:
        if conflicts is None:
            return bool(_interruptible(self._solver.solve, assumptions))
        try:
            self._solver.conf_budget(conflicts)
        except NotImplementedError:
            raise SolverError(f"solver {self._name} has no conflict budget") from None
        try:
            answer: bool | None = _interruptible(self._solver.solve_limited, assumptions)
            return answer
        finally:
            self._solver.conf_budget(-1)

    def find_another(
        self, givens: Literals, cells: bytes, first: bytes, conflicts: int | None
    ) -> bytes | None:
        """A solution other than `first`, or None."""
        active = self._activate()
        self._block(active, cells, first)
        try:
            return self.find([*givens, active], conflicts)
        finally:
            self._retire(active)

    def enumerate(self, cells: bytes, limit: int | None, conflicts: int | None) -> Iterator[bytes]:
        """Solutions that keep the givens, each blocked once found."""
        active = self._activate()
        assumptions = [*self._formula.literals(cells), active]
        found = 0
        try:
            while limit is None or found < limit:
                solution = self.find(assumptions, conflicts)
                if solution is None:
                    return
                found += 1
                self._block(active, cells, solution)
                yield solution
        finally:
            self._retire(active)

    def true_candidates(self, givens: Literals, conflicts: int | None) -> set[int]:
        """Variables true in some solution: ask for one not seen yet until there is none.

        Source: backbone computation with one disjunction of the open literals, J. Marques-Silva,
        M. Janota, I. Lynce, On Computing Backbones of Propositional Theories, ECAI 2010.
        """
        unseen = set(range(1, self._variables + 1))
        active = self._activate()
        try:
            while solution := self.find([*givens, active], conflicts):
                unseen.difference_update(self._formula.literals(solution))
                self._solver.add_clause([-active, *unseen])
        finally:
            self._retire(active)
        return set(range(1, self._variables + 1)) - unseen

    def _activate(self) -> int:
        self._last_variable += 1
        return self._last_variable

    def _block(self, active: int, cells: bytes, solution: bytes) -> None:
        """Forbid the solution while `active` holds: one of the puzzle's open cells must differ.

        Blocking the true candidates projects away auxiliary variables and is far shorter than
        blocking the whole model.
        """
        opened = compress(self._formula.literals(solution), map(not_, cells))
        self._solver.add_clause([-active, *(-literal for literal in opened)])

    def _retire(self, active: int) -> None:
        self._solver.add_clause([-active])


def solve_clauses(
    clauses: Sequence[Sequence[int]], *, solver: str = DEFAULT_SOLVER
) -> list[int] | None:
    """A model of any CNF as literals in order of variables, or None if it is unsatisfiable."""
    if solver not in SOLVERS:
        raise SolverError(f"no solver '{solver}': known are {', '.join(SOLVERS)}")
    with Solver(solver, bootstrap_with=clauses) as engine:
        model: list[int] | None = engine.get_model() if _interruptible(engine.solve) else None
        return model


def _interruptible(call: Callable[..., Any], *arguments: Any) -> Any:
    """The solver's call, with Ctrl-C as the `KeyboardInterrupt` that it is.

    In the main thread PySAT puts its own handler in place, which ends the call by an error of its
    own and stays behind, with the call's dead stack frame in it: ours has to be put back.
    """
    try:
        return call(*arguments)
    except pysolvers.error as error:
        if "interrupt" not in str(error):
            raise
        signal.signal(signal.SIGINT, signal.getsignal(signal.SIGINT))
        raise KeyboardInterrupt from None
