"""A long-lived solver for the puzzles of one rule set.

Invariant: givens are assumptions, and whatever a query adds hangs on an activation literal that is
retired when the query ends. So no query changes what a later one answers.

    session = Session("knight")
    session.solve(puzzle)             # Grid, or None if there is no solution
    session.classify(puzzle)          # Status.UNIQUE, MULTIPLE, NONE or INVALID
    list(session.solutions(puzzle, limit=10))
    session.count(puzzle, limit=1000)
    session.propagate(puzzle)         # what unit propagation alone fixes
    session.candidates(puzzle)        # digits of each cell over all solutions
    session.close()                   # or use it in a `with` statement

Any encoding serves: candidates are asserted, blocked and read by the literals that the formula
says they have, and enumeration is projected on the grid. The `reduced` encoding is of one puzzle,
so its solver is built anew for each; every other solver serves all puzzles.

Learnt clauses and retired activation literals pile up, so the solver is rebuilt from the formula
every `recycle` queries; a running enumeration keeps the one it began with.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from math import inf
from types import TracebackType
from typing import TypeVar

from ..cnf.encodings import DEFAULT_ENCODING, Formula, encode
from ..errors import Status, WitnessError
from ..model.constraints import Constraints, constraints_for
from ..model.grid import Grid, GridLike, as_grid
from ..witness.verify import solves, violations
from .solver import (
    DEFAULT_SOLVER,
    SOLVERS,
    BudgetError,
    Literals,
    LoadedSolver,
    Propagator,
    SolverError,
)

DEFAULT_RECYCLE = 2000
SessionT = TypeVar("SessionT", bound="Session")


class Session:
    """One rule set, one solver, any number of puzzles.

    rules: a rule set or `Constraints`; solver: a name of SOLVERS; encoding: a name of ENCODINGS, or
    a formula of one's own, whose constraints then stand for `rules`; recycle: queries between two
    rebuilds. `conflicts`, where a query takes it, bounds the solver's conflicts in each of its
    calls; beyond it `classify` answers UNKNOWN and the other queries raise `BudgetError`. Glucose
    looks at its budget only when it restarts, so small budgets do not bind it. `seconds` likewise
    bounds a query's time, as nearly as the solver comes back.
    Not safe to share between threads; one session a thread is.
    """

    def __init__(
        self,
        rules: str | Constraints = "classic",
        *,
        solver: str = DEFAULT_SOLVER,
        encoding: str | Formula = DEFAULT_ENCODING,
        recycle: int = DEFAULT_RECYCLE,
    ) -> None:
        if solver not in SOLVERS:
            raise SolverError(f"no solver '{solver}': known are {', '.join(SOLVERS)}")
        if isinstance(encoding, Formula):
            self.constraints, self.formula = encoding.constraints, encoding
        else:
            self.constraints = constraints_for(rules)
            self.formula = encode(self.constraints, encoding)
        self.solver = solver
        self.recycle = recycle
        self._core: LoadedSolver | None = None
        self._propagator: Propagator | None = None
        self._marks: bytes | None = None  # within `restricted`, whose end also ends `_struck`
        self._struck = ExitStack()

    # Life ------------------------------------------------------------------------------------

    def prepare(self, puzzle: GridLike | None = None) -> None:
        """Build the solver now, not at the first query; `reduced` is told for which puzzle."""
        self._adopt(
            bytes(self.constraints.board.cells) if puzzle is None else self._read(puzzle).cells
        )
        self._core = self._core or LoadedSolver(self.formula, self.solver)

    def close(self) -> None:
        """Free the solver; the next query would build a new one."""
        self._core = self._propagator = None

    def statistics(self) -> dict[str, int]:
        """The solver's own counts since it was built: conflicts, decisions, propagations.

        What a solver does not count is left out (some of PySAT's say 0 propagations).
        """
        counts = {} if self._core is None else self._core.statistics()
        return {name: count for name, count in counts.items() if count or name != "propagations"}

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

    def solve(
        self, puzzle: GridLike, *, conflicts: int | None = None, seconds: float | None = None
    ) -> Grid | None:
        """A solution, or None if there is none."""
        core, givens = self._ask(self._read(puzzle).cells)
        return self._grid(core.find(givens, conflicts, _deadline(seconds)))

    def classify(
        self, puzzle: GridLike, *, conflicts: int | None = None, seconds: float | None = None
    ) -> Status:
        """INVALID if givens clash, else NONE, UNIQUE, MULTIPLE, or UNKNOWN beyond the budget."""
        return self.decide(puzzle, conflicts=conflicts, seconds=seconds)[0]

    def decide(
        self,
        puzzle: GridLike,
        *,
        limit: int = 2,
        conflicts: int | None = None,
        seconds: float | None = None,
    ) -> tuple[Status, Grid | None]:
        """`classify` together with a solution if there is one; limit 1 stops at SOLVED."""
        grid = self._read(puzzle)
        status, cells = _decide(*self._ask(grid.cells), limit, conflicts, _deadline(seconds))
        if status is Status.NONE and violations(grid, self.constraints.rules):
            status = Status.INVALID
        return status, self._grid(cells)

    def decide_cells(
        self, cells: bytes, *, limit: int = 2, conflicts: int | None = None
    ) -> tuple[Status, bytes | None]:
        """`decide` on bare bytes, for bulk work: no checks, and clashing givens are just NONE."""
        return _decide(*self._ask(cells), limit, conflicts)

    def decide_marks(
        self, marks: bytes, *, limit: int = 2, conflicts: int | None = None
    ) -> tuple[Status, bytes | None]:
        """`decide_cells` for pencil marks: a byte a candidate, 0 where the digit is struck."""
        with self.restricted(marks):
            empty = bytes(self.constraints.board.cells)
            return self.decide_cells(empty, limit=limit, conflicts=conflicts)

    @contextmanager
    def restricted(self, marks: bytes | None) -> Iterator[None]:
        """Restrict every query within this context to pencil marks; None restricts nothing.

        marks: one byte per candidate (cell-major, digit 1 first), 0 if the digit is excluded.
        Take all solutions of `solutions` before the context ends. `propagate` raises `SolverError`.
        """
        with ExitStack() as struck:
            self._marks, self._struck = marks, struck
            try:
                yield
            finally:
                self._marks = None

    def solutions(
        self,
        puzzle: GridLike,
        *,
        limit: int | None = None,
        conflicts: int | None = None,
        seconds: float | None = None,
    ) -> Iterator[Grid]:
        """All solutions, each once, as they are found; at most `limit`."""
        core, givens = self._ask(self._read(puzzle).cells)
        found = core.enumerate(givens, limit, conflicts, _deadline(seconds))
        return (Grid(solution, self.constraints.board) for solution in found)

    def count(
        self, puzzle: GridLike, *, limit: int | None = None, conflicts: int | None = None
    ) -> int:
        """Number of solutions, or `limit` if there are at least so many."""
        core, givens = self._ask(self._read(puzzle).cells)
        return sum(1 for _ in core.enumerate(givens, limit, conflicts))

    def propagate(self, puzzle: GridLike) -> Grid | None:
        """The grid with every cell that unit propagation alone fixes; None if it conflicts.

        How much is fixed is a property of the encoding, whatever was asked before.
        """
        if self._marks is not None:
            raise SolverError("unit propagation of pencil marks is not supported")
        cells = self._read(puzzle).cells
        self._adopt(cells)
        if self._propagator is None:
            self._propagator = Propagator(self.formula)
        implied = self._propagator.implied(self.formula.literals(cells))
        return None if implied is None else self._grid(self.formula.fixed(implied))

    def candidates(
        self, puzzle: GridLike, *, conflicts: int | None = None, seconds: float | None = None
    ) -> tuple[frozenset[int], ...]:
        """The true candidates: for each cell the digits that it has in some solution."""
        grid = self._read(puzzle)
        core, givens = self._ask(grid.cells)
        digits: list[set[int]] = [set() for _ in range(self.constraints.board.cells)]
        deadline = _deadline(seconds)
        for solution in core.solutions_with_every_candidate(givens, conflicts, deadline):
            self._verify(solution, grid)
            for seen, digit in zip(digits, solution, strict=True):
                seen.add(digit)
        return tuple(map(frozenset, digits))

    # Inside ------------------------------------------------------------------------------------

    def _read(self, puzzle: GridLike) -> Grid:
        return as_grid(puzzle, self.constraints.board)

    def _grid(self, cells: bytes | None) -> Grid | None:
        return None if cells is None else Grid(cells, self.constraints.board)

    def _ask(self, cells: bytes) -> tuple[LoadedSolver, Literals]:
        """The solver for one more query, a new one every `recycle` queries, and the givens."""
        self._adopt(cells)
        core = self._core
        if core is None or core.queries >= self.recycle:
            core = self._core = LoadedSolver(self.formula, self.solver)
        core.queries += 1
        givens = self.formula.literals(cells)
        if self._marks is not None:
            givens = [*givens, *self._struck.enter_context(core.struck(self._marks))]
        return core, givens

    def _verify(self, solution: bytes, puzzle: Grid) -> None:
        grid = Grid(solution, puzzle.board)
        if not solves(grid, puzzle, self.constraints.rules):
            raise WitnessError(f"solver {self.solver} says that {grid} solves {puzzle}")

    def _adopt(self, cells: bytes) -> None:
        """Make the formula that of the puzzle, where it is of one puzzle at all."""
        if self.formula.puzzle is not None and self.formula.puzzle != cells:
            self.formula = encode(self.constraints, self.formula.encoding, cells)
            self._core = self._propagator = None


def _decide(
    core: LoadedSolver,
    givens: Literals,
    limit: int,
    conflicts: int | None,
    deadline: float = inf,
) -> tuple[Status, bytes | None]:
    """Status and solution under the assumptions."""
    if limit > 1 and (forced := core.forced(givens)):
        return Status.UNIQUE, forced
    first = None
    try:
        first = core.find(givens, conflicts, deadline)
        if first is None or limit < 2:
            return (Status.NONE if first is None else Status.SOLVED), first
        second = core.find_another(givens, first, conflicts, deadline)
    except BudgetError:
        return Status.UNKNOWN, first
    return (Status.UNIQUE if second is None else Status.MULTIPLE), first


def _deadline(seconds: float | None) -> float:
    return inf if seconds is None else time.monotonic() + seconds
